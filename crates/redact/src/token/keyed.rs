//! Keys without a prefix of their own: the name of a vendor with a word for a key, a separator, and a value of one form.

use super::form::{End, Form};
use crate::class::Class;
use crate::detect::identifier::{NAME_BYTES, Words};
use crate::detect::random::looks_like_secret;
use crate::detect::scan::Scan;
use crate::detect::separator::{self, Operator};
use crate::detect::words::{ABOUT, has};
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

/// Most words joined to the name by blanks, as in `Datadog API key: …`.
const WORDS: usize = 4;

/// A word of the name ends in one of these.
#[rustfmt::skip]
const KEYS: [&str; 18] = [
    "key", "token", "secret", "password", "auth", "api", "pass", "pwd", "pat", "dsn", "access", "credential",
    "credentials", "creds", "license", "licence", "webhook", "private",
];

/// The vendor's name was found at `start..end`.
pub(crate) fn check(scan: &mut Scan<'_, '_>, keyed: &Keyed, start: usize, end: usize) {
    let run_end = scan.runs.end(scan.text, Class::Dot, end);
    let Some(at) = value_of(scan.text, keyed, start, end, run_end) else { return };
    if let Some(End::Whole(end)) = keyed.form.end(scan, at)
        && looks_like_secret(&scan.text[at..end])
    {
        scan.found(at, end, keyed.form.last_class());
    }
}

/// Where the value of the vendor's name at `start..end` begins. The name goes on to `run_end`.
fn value_of(text: &[u8], keyed: &Keyed, start: usize, end: usize, run_end: usize) -> Option<usize> {
    let before = text[..start].iter().rev().take(NAME_BYTES);
    let name_start = start - before.take_while(|byte| Class::Dot.has(**byte)).count();
    let reach = text.len().min(end + REACH_BYTES);
    let mut name_end = run_end;
    for _ in 0..=WORDS {
        if name_end > reach {
            return None;
        }
        let separator = separator::read(text, &(name_start..name_end));
        if let Some(separator) = separator.filter(|found| found.operator != Operator::Blank) {
            let name = &text[start.max(name_end.saturating_sub(NAME_BYTES))..name_end];
            let opening = Quote::at(&text[separator.at..]).map_or(0, |(_, length)| length);
            return (keyed.alone || speaks_of_key(name)).then_some(separator.at + opening);
        }
        let next = &text[name_end..reach];
        if next.len() < 2 || next[0] != b' ' || !next[1].is_ascii_alphabetic() {
            return None;
        }
        name_end += 1 + Class::Dot.run(&next[1..]);
    }
    None
}

/// True when a word of a name ends in one for a key, and its last word does not speak of something else.
fn speaks_of_key(name: &[u8]) -> bool {
    let is_key = |word: &[u8]| KEYS.iter().any(|key| word.ends_with(key.as_bytes()));
    let words = Words::new(name);
    words.iter().any(is_key) && (is_key(words.last()) || !has(ABOUT, words.last()))
}
