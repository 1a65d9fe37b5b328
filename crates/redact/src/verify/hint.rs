//! What a prompt has between a name and its colon, and what Markdown has: `Secret Access Key [None]: `, `Password (again): `,
//! `Password for user joe: `, `**Password:** `.

use super::random;
use crate::class::Class;

/// Longest hint.
const HINT_BYTES: usize = 96;

/// Shortest value behind one: prose about a name has a type or an explanation there.
const VALUE_BYTES: usize = 8;

/// Most blanks after `for`: `for user joe`.
const WORDS: usize = 1;

/// Behind the colon of the name that ends at `name_end`, when a hint or a mark of Markdown is between the two or behind the
/// colon, and what follows looks like nothing but a value.
pub(super) fn read(text: &[u8], name_end: usize) -> Option<usize> {
    let rest = &text[name_end..text.len().min(name_end + HINT_BYTES)];
    let after = match rest {
        [b':', b'*', b'*', b' ', ..]
        | [b'*', b'*', b':', b' ', ..]
        | [b':', b'_', b'_', b' ', ..] => 3,
        [b' ', open @ (b'(' | b'['), inner @ ..] => {
            let close = if *open == b'(' { b')' } else { b']' };
            let length = inner.iter().position(|byte| *byte == close || b"\n([".contains(byte))?;
            (inner[length..].starts_with(&[close, b':', b' '])).then_some(2 + length + 2)?
        }
        [b' ', b'f', b'o', b'r', b' ', whom @ ..] => {
            let ends = |pair: &[u8]| matches!(pair, [b':', b' '] | [b'\n', _]);
            let length = whom.windows(2).position(ends)?;
            let blanks = memchr::memchr_iter(b' ', &whom[..length]).count();
            (whom[length] == b':' && blanks <= WORDS).then_some(5 + length + 1)?
        }
        _ => return None,
    };
    let value = name_end + after + Class::run_of_blanks(&text[name_end + after..]);
    random::is_made_up(&text[value..], VALUE_BYTES).then_some(name_end + after)
}
