//! What is joined to a quoted value: doubled quotes, `'a'\''b'`, `"a"'b'`, `"a"b`.

use super::Scan;
use super::assignment::quoted;
use super::value::ends_member;
use crate::class::Class;

/// What may stand behind a closing quote and is no part of the value: words of code and endings of literals. Sorted.
const WORDS: &[&str] =
    &["and", "as", "else", "for", "if", "in", "instanceof", "of", "or", "s", "sv"];

/// The last part joined to a value.
pub(super) enum Joined {
    /// In quotes; the closing one is at this offset.
    Quoted(usize),
    /// Without quotes; it ends at this offset.
    Bare(usize),
}

/// Goes on behind the quote at `close` that closes the value that begins at `start`, as long as no blank or separator comes.
/// A quote that was opened before the value closes what is around it.
pub(super) fn read(scan: &mut Scan<'_, '_>, start: usize, close: usize) -> Option<Joined> {
    let text = scan.text;
    let joins = |byte: &u8| matches!(byte, b'"' | b'\'' | b'\\') || opens_bare(*byte);
    if !text.get(close + 1).is_some_and(joins) || scan.is_open(start - 1, text[close]) {
        return None;
    }
    let mut at = close + 1;
    let mut joined = None;
    while let Some(&byte) = text.get(at) {
        match byte {
            // The end of a member that the value stands in: `'a'", "b`.
            b'"' | b'\'' if byte != text[close] && ends_member(&text[at + 1..]) => break,
            b'"' | b'\'' if !scan.is_open(start - 1, byte) => {
                let (length, closed) = quoted(byte).run(&text[at + 1..]);
                let end = at + 1 + length;
                if !closed || text[end] != byte || leaves(scan, start, &text[at + 1..end]) {
                    break;
                }
                joined = Some(Joined::Quoted(end));
                at = end + 1;
            }
            b'\\' if matches!(text.get(at + 1), Some(b'"' | b'\'' | b' ')) => at += 2,
            byte if opens_bare(byte) => {
                let length = Class::Base64.run(&text[at + 1..]) + 1;
                let part = &text[at..at + length];
                let is_word = WORDS.iter().any(|word| word.as_bytes() == part);
                // An attribute or variable.
                if is_word || part.contains(&b'=') || text.get(at + length) == Some(&b'(') {
                    break;
                }
                at += length;
                joined = Some(Joined::Bare(at));
            }
            _ => break,
        }
    }
    joined
}

/// True when a quote in `part` closes a string that the value at `start` stands in.
fn leaves(scan: &mut Scan<'_, '_>, start: usize, part: &[u8]) -> bool {
    let closes = |&quote: &u8| quoted(quote).run(part).1 && scan.is_open(start - 1, quote);
    [b'"', b'\'', b'`'].iter().any(closes)
}

/// A part without quotes may begin with it.
fn opens_bare(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-@#^~$".contains(&byte)
}
