//! Keys without a prefix of their own: the name of a vendor with a word for a key, a separator, and a value of one form.

use super::form::{End, Form};
use crate::class::Class;
use crate::detect::scan::Scan;
use crate::quote::Quote;

/// The vendor's name is in the triggers; this is the value.
#[derive(Debug)]
pub(crate) struct Keyed {
    pub(crate) form: Form,
    /// The name needs no word for a key.
    pub(crate) alone: bool,
}

/// Furthest that the separator is from the vendor's name.
const REACH_BYTES: usize = 48;

/// Longest part of a name before the vendor's that is looked at.
const NAME_BYTES: usize = 64;

/// Most words joined to the name by blanks, as in `Datadog API key: …`.
const WORDS: usize = 4;

/// Most blanks around a separator.
const BLANKS: usize = 32;

/// A part of the name ends in one of these.
#[rustfmt::skip]
const KEYS: [&str; 18] = [
    "key", "token", "secret", "password", "auth", "api", "pass", "pwd", "pat", "dsn", "access", "credential",
    "credentials", "creds", "license", "licence", "webhook", "private",
];

/// The last word of a name that says something about a key and not the key itself.
#[rustfmt::skip]
const ABOUT: [&str; 30] = [
    "id", "ids", "name", "names", "url", "uri", "path", "file", "dir", "type", "version", "length", "size", "count",
    "ttl", "age", "expiry", "expires", "format", "prefix", "suffix", "field", "header", "index", "host", "hash",
    "label", "title", "scope", "env",
];

/// What stands between a name and its value; the longest first.
const SEPARATORS: [&str; 12] =
    [":::=", "::=", ":=", "?=", "=>", "||=", "==", "=", ":", ">", "%3D", "%3A"];

/// The vendor's name was found at `start..end`.
pub(crate) fn check(scan: &mut Scan<'_, '_>, keyed: &Keyed, start: usize, end: usize) {
    let run_end = scan.runs.end(scan.text, Class::Dot, end);
    let Some(at) = value_of(scan.text, keyed, start, end, run_end) else { return };
    if let Some(End::Whole(end)) = keyed.form.end(scan, at)
        && is_mixed(&scan.text[at..end])
    {
        scan.found(at, end, keyed.form.last_class());
    }
}

/// Where the value of the vendor's name at `start..end` begins. The name goes on to `run_end`.
fn value_of(text: &[u8], keyed: &Keyed, start: usize, end: usize, run_end: usize) -> Option<usize> {
    let reach = text.len().min(end + REACH_BYTES);
    let mut name_end = run_end;
    for _ in 0..=WORDS {
        if name_end > reach {
            return None;
        }
        if let Some(at) = after_separator(text, start, name_end) {
            let name = &text[start.max(name_end.saturating_sub(NAME_BYTES))..name_end];
            return (keyed.alone || speaks_of_key(name)).then_some(at);
        }
        let next = &text[name_end..reach];
        if next.len() < 2 || next[0] != b' ' || !next[1].is_ascii_alphabetic() {
            return None;
        }
        name_end += 1 + Class::Dot.run(&next[1..]);
    }
    None
}

/// Where the value begins behind the name that ends at `name_end` and the separator there.
fn after_separator(text: &[u8], vendor: usize, name_end: usize) -> Option<usize> {
    let closing = quote(text, name_end);
    let mut at = name_end + closing;
    if closing > 0 && text.get(at) == Some(&b']') {
        at += 1;
    }
    let blanks = blanks(text, at);
    let rest = &text[at + blanks..];
    let begins =
        |sign: &&&str| rest.first() == sign.as_bytes().first() && rest.starts_with(sign.as_bytes());
    if let Some(separator) = SEPARATORS.iter().find(begins) {
        at += blanks + separator.len();
    } else if closing > 0 && rest.first() == Some(&b',') {
        at += blanks + 1;
    } else if blanks == 0 || !is_flag(text, vendor) {
        return None;
    } else {
        at += blanks;
    }
    at += self::blanks(text, at);
    Some(at + quote(text, at))
}

fn blanks(text: &[u8], at: usize) -> usize {
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    text[at..].iter().take(BLANKS).take_while(is_blank).count()
}

fn quote(text: &[u8], at: usize) -> usize {
    Quote::at(&text[at..]).map_or(0, |(_, length)| length)
}

/// Only a flag has its value behind a blank.
fn is_flag(text: &[u8], vendor: usize) -> bool {
    let before = text[..vendor].iter().rev().take(NAME_BYTES);
    let start = vendor - before.take_while(|byte| Class::Dot.has(**byte)).count();
    text[start] == b'-'
}

/// True when a part of a name ends in a word for a key, and its last word does not speak of something else.
fn speaks_of_key(name: &[u8]) -> bool {
    let ends_with = |text: &[u8], word: &str| {
        let from = text.len().checked_sub(word.len());
        let is_last = text.last().map(u8::to_ascii_lowercase) == word.bytes().last();
        is_last && from.is_some_and(|from| text[from..].eq_ignore_ascii_case(word.as_bytes()))
    };
    let has_key = (1..=name.len()).any(|end| {
        let (last, next) = (name[end - 1], name.get(end).copied().unwrap_or(b' '));
        let begins_word = next.is_ascii_uppercase() && last.is_ascii_lowercase();
        let ends = last.is_ascii_alphabetic() && (!next.is_ascii_alphabetic() || begins_word);
        ends && KEYS.iter().any(|word| ends_with(&name[..end], word))
    });
    let digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let letters = &name[..name.len() - digits];
    let is_about = |word: &&str| {
        ends_with(letters, word)
            && letters.len().checked_sub(word.len() + 1).is_some_and(|before| {
                !name[before].is_ascii_alphanumeric() || name[before + 1].is_ascii_uppercase()
            })
    };
    has_key && !ABOUT.iter().any(is_about)
}

/// No word and nothing repeated: a digit or both cases, and several different bytes.
fn is_mixed(body: &[u8]) -> bool {
    let has = |test: fn(&u8) -> bool| body.iter().any(test);
    let mixed =
        has(u8::is_ascii_digit) || has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
    let first = body.first();
    mixed && body.iter().filter(|byte| Some(*byte) != first).count() > 4
}
