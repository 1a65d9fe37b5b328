//! The prefix of a private key's lines, which a log, a pager or source code adds.

use crate::mask;

/// The longest prefix that is remembered.
const MAX_PREFIX_BYTES: usize = 512;

/// The prefix of the first line. It is empty if the line begins with the body, or only with bytes that any line may
/// begin with.
#[derive(Clone, Default)]
pub(super) struct Prefix(Box<[u8]>);

impl Prefix {
    pub(super) fn of(before: &[u8]) -> Self {
        let is_known = before.len() <= MAX_PREFIX_BYTES && lead(before) < before.len();
        if is_known { Self(before.into()) } else { Self::default() }
    }

    pub(super) fn is_known(&self) -> bool {
        !self.0.is_empty()
    }

    /// The length of the same prefix at the start of `line`. Words with digits and the number of blanks may differ, and
    /// blanks at the end may be missing where the line ends.
    pub(super) fn length(&self, line: &[u8]) -> Option<usize> {
        let (mut shape, mut rest) = (&*self.0, line);
        while !shape.is_empty() {
            let (gap, blanks) = (skip(&mut shape, is_blank).len(), skip(&mut rest, is_blank).len());
            if shape.is_empty() {
                return (gap == 0 || blanks > 0 || rest.is_empty())
                    .then(|| line.len() - rest.len());
            }
            // The number of blanks before a number differs: `    9` is followed by `   10`.
            let is_number = shape.first().is_some_and(u8::is_ascii_digit);
            if (gap == 0) != (blanks == 0) && !is_number {
                return None;
            }
            let word = skip(&mut shape, |byte| byte.is_ascii_alphanumeric());
            if shape.is_empty() {
                // The prefix ends with this word, and the body follows.
                return Some(line.len() - rest.strip_prefix(word)?.len());
            }
            let other = skip(&mut rest, |byte| byte.is_ascii_alphanumeric());
            let is_number = |word: &[u8]| word.iter().any(u8::is_ascii_digit);
            let numbers = !word.is_empty() && !other.is_empty();
            if word != other && !(numbers && (is_number(word) || is_number(other))) {
                return None;
            }
            if let Some((&sign, after)) = shape.split_first().filter(|_| word.is_empty()) {
                // In the output of a search with context, `file:1:` is followed by `file-2-`.
                let (&other, after_separator) = rest.split_first()?;
                if sign != other && (sign, other) != (b':', b'-') {
                    return None;
                }
                (shape, rest) = (after, after_separator);
            }
        }
        Some(line.len() - rest.len())
    }
}

/// Takes a run of bytes off the start of `text`.
fn skip<'t>(text: &mut &'t [u8], belongs: impl Fn(u8) -> bool) -> &'t [u8] {
    let length = text.iter().position(|&byte| !belongs(byte)).unwrap_or(text.len());
    let (run, rest) = text.split_at(length);
    *text = rest;
    run
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

/// The length of the bytes that any line may begin with: indentation, quoting, a comment, a list, a quote, and
/// operators that join it to another line.
pub(super) fn lead(content: &[u8]) -> usize {
    let belongs = |&at: &usize| match content[at..] {
        [b'[', ..] => mask::length(&content[at..]) == 0,
        [b'+' | b'.' | b'&', next, ..] => b" \"'".contains(&next),
        [b'\\', next, ..] => b"\\\"'nr".contains(&next),
        [b'n' | b'r', ..] => content[..at].ends_with(b"\\"),
        [byte, ..] => b" \t>|#*\"'`-,({".contains(&byte),
        [] => false,
    };
    (0..content.len()).take_while(belongs).count()
}
