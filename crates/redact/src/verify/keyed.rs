//! Keys without a prefix of their own: the name of a vendor with a word for a key, an operator, and a value of one class
//! and length.

use super::Scan;
use super::identifier::{NAME_BYTES, Words};
use super::operator;
use super::token::Token;
use super::words::ABOUT;
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

/// Words for a key. A word of the name ends in one.
const KEY_WORDS: &[&str] = &[
    "key",
    "token",
    "secret",
    "auth",
    "api",
    "pass",
    "password",
    "pwd",
    "access",
    "credential",
    "credentials",
    "creds",
    "pat",
    "license",
    "licence",
    "webhook",
    "dsn",
];

/// The vendor's name was found at `start..end`.
pub(crate) fn check(scan: &mut Scan<'_, '_>, keyed: &Keyed, start: usize, end: usize) {
    let text = scan.text;
    let reach = text.len().min(end + REACH_BYTES);
    let mut name_end = end + Class::Dot.run(&text[end..reach]);
    let before = text[..start].iter().rev().take(NAME_BYTES);
    let name_start = start - before.take_while(|&&byte| Class::Dot.has(byte)).count();
    for _ in 0..WORDS {
        if let Some(at) = value_at(text, name_start, start, name_end) {
            return take(scan, keyed, at);
        }
        let next = &text[name_end..reach];
        if !(next.len() > 1 && next[0] == b' ' && next[1].is_ascii_alphabetic()) {
            return;
        }
        name_end += 1 + Class::Dot.run(&next[1..]);
    }
}

/// Where a value begins, with its quote, if the name that ends at `name_end` has one and speaks of a key.
fn value_at(text: &[u8], name_start: usize, vendor: usize, name_end: usize) -> Option<usize> {
    let (_, after) = operator::read(text, name_start, name_end)?;
    let name = &text[vendor.max(name_end.saturating_sub(NAME_BYTES))..name_end];
    let words = Words::new(name);
    let speaks = words.iter().any(|word| KEY_WORDS.iter().any(|key| word.ends_with(key)));
    let about = ABOUT.binary_search(&words.last()).is_ok();
    (speaks && !about).then(|| after + Class::run_of_blanks(&text[after..]))
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
