//! What the test tables share.
#![allow(dead_code, clippy::allow_attributes, reason = "each test file uses a part of it")]

pub(crate) mod compositions;
pub(crate) mod generate;
pub(crate) mod hostile;
pub(crate) mod rule_files;

use std::sync::LazyLock;

use handrail_redact::{Options, Redactor};

/// Building one takes longer than most tests.
static DEFAULT: LazyLock<Redactor> =
    LazyLock::new(|| Redactor::new(Options::default()).expect("the default options"));

/// Redacts with the default rules.
pub(crate) fn redact(text: &str) -> String {
    redact_with(&DEFAULT, text)
}

pub(crate) fn redact_with(redactor: &Redactor, text: &str) -> String {
    let redacted = redactor.redact(text.as_bytes());
    redacted.map_or(text.to_owned(), |bytes| String::from_utf8(bytes).expect("UTF-8 stays UTF-8"))
}

pub(crate) fn unchanged(text: &str) {
    assert_eq!(redact(text), text);
}

/// Cut anywhere, with a pause, the result is the same: were a byte shown that is masked in the end, it would be there
/// besides the mask.
#[track_caller]
pub(crate) fn pauses_show_nothing(text: &str) {
    let whole = redact(text);
    for at in 1..text.len() {
        let mut shown = Vec::new();
        let mut stream = DEFAULT.stream();
        stream.push(&text.as_bytes()[..at], &mut |bytes| shown.extend_from_slice(bytes));
        stream.idle(&mut |bytes| shown.extend_from_slice(bytes));
        stream.push(&text.as_bytes()[at..], &mut |bytes| shown.extend_from_slice(bytes));
        stream.finish(&mut |bytes| shown.extend_from_slice(bytes));
        assert_eq!(String::from_utf8_lossy(&shown), whole, "{at} of {text}");
    }
}

/// What a stream writes for these pieces.
pub(crate) fn stream(redactor: &Redactor, pieces: &[&[u8]]) -> Vec<u8> {
    let mut text = Vec::new();
    let mut stream = redactor.stream();
    for piece in pieces {
        stream.push(piece, &mut |bytes| text.extend_from_slice(bytes));
    }
    stream.finish(&mut |bytes| text.extend_from_slice(bytes));
    text
}

/// Bytes outside of masks.
pub(crate) fn shown(text: &[u8]) -> usize {
    let text = String::from_utf8_lossy(text).into_owned();
    let mut parts = text.split("[REDACTED");
    let first = parts.next().map_or(0, str::len);
    let after = |part: &str| part.split_once(']').map_or(part.len(), |(_, rest)| rest.len());
    first + parts.map(after).sum::<usize>()
}

/// Letters and digits in a fixed disorder.
pub(crate) fn letters(count: usize) -> String {
    "a7Kq2Zx9Lm4Wt6Rb8Yc1Nv3Hd5Jf0Pg".chars().cycle().take(count).collect()
}

pub(crate) fn hex(count: usize) -> String {
    "3f9a1c7e5b2d8046".chars().cycle().take(count).collect()
}

pub(crate) fn capitals(count: usize) -> String {
    "Q7KZ2XLM4WTRB6YC".chars().cycle().take(count).collect()
}

/// Writes out `«12»`, `«hex 12»`, `«upper 12»`, `«lower 12»` and other words between angles.
pub(crate) fn expand(text: &str) -> String {
    let mut parts = text.split('«');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |expanded, part| {
        let (said, rest) = part.split_once('»').expect("an angle that closes");
        let (alphabet, count) = said.split_once(' ').unwrap_or(("", said));
        let run = count.parse().map_or(said.to_owned(), |count| match alphabet {
            "hex" => hex(count),
            "upper" => capitals(count),
            "lower" => letters(count).to_lowercase(),
            _ => letters(count),
        });
        expanded + &run + rest
    })
}
