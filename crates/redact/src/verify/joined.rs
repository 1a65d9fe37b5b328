//! What is joined to a quoted value: doubled quotes, `'a'\''b'`, `"a"'b'`, `"a"b`.

use super::Scan;
use super::assignment::quoted;
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
            b'"' | b'\'' if !scan.is_open(start - 1, byte) => {
                let (length, closed) = quoted(byte).run(&text[at + 1..]);
                let end = at + 1 + length;
                if !closed || text[end] != byte {
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

/// A part without quotes may begin with it.
fn opens_bare(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-@#^~$".contains(&byte)
}
