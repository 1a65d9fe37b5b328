//! Keys without a prefix of their own: the name of a vendor with a word for a key, an operator, and a value of one class
//! and length.

use super::identifier::{NAME_BYTES, Words};
use super::scan::Scan;
use super::token::Token;
use super::{separator, words};
use crate::class::Class;
use crate::quote::Quote;
use crate::{boundary, mask};

/// The vendor's name is in the triggers; this is the value.
pub(crate) struct Keyed {
    pub(crate) value: Token,
}

/// Furthest that the operator is from the vendor's name.
const REACH_BYTES: usize = 48;

/// Most words joined to the name by blanks, as in `Datadog API key: …`.
const WORDS: usize = 4;

/// Where the value of a vendor's name begins. Several rules have the same vendor.
#[derive(Default)]
pub(crate) struct Vendor {
    start: usize,
    end: usize,
    value: Option<usize>,
}

/// True when a word of a name ends in one for a key.
fn speaks_of_key(word: &[u8]) -> bool {
    let ends = |end: &[u8]| word.ends_with(end);
    match word.last() {
        Some(b'y') => ends(b"key"),
        Some(b'n') => ends(b"token") || ends(b"dsn"),
        Some(b't') => ends(b"secret") || ends(b"pat"),
        Some(b'h') => ends(b"auth"),
        Some(b'i') => ends(b"api"),
        Some(b's') => ends(b"pass") || ends(b"access") || ends(b"credentials") || ends(b"creds"),
        Some(b'd') => ends(b"password") || ends(b"pwd"),
        Some(b'l') => ends(b"credential"),
        Some(b'e') => ends(b"license") || ends(b"licence"),
        Some(b'k') => ends(b"webhook"),
        _ => false,
    }
}

/// The vendor's name was found at `start..end`.
pub(crate) fn check(scan: &mut Scan<'_, '_>, keyed: &Keyed, start: usize, end: usize) {
    if (scan.vendor.start, scan.vendor.end) != (start, end) {
        let run_end = scan.runs.end(scan.text, Class::Dot, end);
        scan.vendor = Vendor { start, end, value: value_of(scan.text, start, end, run_end) };
    }
    if let Some(at) = scan.vendor.value {
        take(scan, keyed, at);
    }
}

/// Where the value of the vendor's name at `start..end` begins, with its quote. The name goes on to `run_end`.
fn value_of(text: &[u8], start: usize, end: usize, run_end: usize) -> Option<usize> {
    let reach = text.len().min(end + REACH_BYTES);
    // Inside a longer run there is no operator.
    let mut name_end = run_end;
    if name_end > reach {
        return None;
    }
    let before = text[..start].iter().rev().take(NAME_BYTES);
    let name_start = start - before.take_while(|&&byte| Class::Dot.has(byte)).count();
    for _ in 0..WORDS {
        let next = &text[name_end..reach];
        let word = next.len() > 1 && next[0] == b' ' && next[1].is_ascii_alphabetic();
        // Only a flag has its value behind a blank.
        if let Some(at) = value_at(text, name_start, start, name_end) {
            return Some(at);
        }
        if !word {
            return None;
        }
        name_end += 1 + Class::Dot.run(&next[1..]);
    }
    None
}

/// Where a value begins, with its quote, if the name that ends at `name_end` has one and speaks of a key.
fn value_at(text: &[u8], name_start: usize, vendor: usize, name_end: usize) -> Option<usize> {
    let separator = separator::read(text, &(name_start..name_end))?;
    let name = &text[vendor.max(name_end.saturating_sub(NAME_BYTES))..name_end];
    let words = Words::new(name);
    let speaks = words.iter().any(speaks_of_key);
    let about = words::has(words::ABOUT, words.last());
    let called = separator.operator == separator::Operator::Argument
        && Quote::at(&text[separator.at..]).is_none();
    (speaks && !about && !called).then_some(separator.at)
}

fn take(scan: &mut Scan<'_, '_>, keyed: &Keyed, at: usize) {
    let quote = Quote::at(&scan.text[at..]).map_or(0, |(_, length)| length);
    let start = at + quote;
    let end = scan.runs.end(scan.text, keyed.value.class(), start);
    if scan.is_cut(end) || mask::length(&scan.text[start..]) > 0 {
        return;
    }
    let body = &scan.text[start..end];
    if keyed.value.takes(body) && boundary::ends(scan.text, end) && is_mixed(body) {
        scan.found(start, end, keyed.value.class());
    }
}

/// No word and nothing repeated: a digit or both cases, and several different bytes.
fn is_mixed(body: &[u8]) -> bool {
    let has = |test: fn(&u8) -> bool| body.iter().any(test);
    let mixed =
        has(u8::is_ascii_digit) || has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
    let first = body.first();
    mixed && body.iter().filter(|byte| Some(*byte) != first).count() > 4
}
