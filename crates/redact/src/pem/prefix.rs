//! What stands before a private key in each of its lines: what a log, a pager or source text puts there.

use memchr::memmem;

use super::{BEGIN, PRIVATE_LINES, indentation};

/// Longest prefix that is remembered.
const MAX_BYTES: usize = 256;

/// What stands before a marker in its line, and before the body in the lines below: the same but for digits, and for how
/// many blanks there are. Empty where nothing does, or only what any line of a block may begin with.
#[derive(Clone, Default)]
pub(super) struct Prefix(Box<[u8]>);

impl Prefix {
    /// The prefix of a line that is given up to the end of its marker.
    pub(super) fn of(line: &[u8]) -> Self {
        let markers = [BEGIN, PRIVATE_LINES.as_bytes()];
        let marker = markers.iter().filter_map(|marker| memmem::rfind(line, marker)).max();
        let prefix = &line[..marker.unwrap_or(0)];
        // Behind a digit nobody knows where the next line's number ends and its body begins.
        let is_known = prefix.len() <= MAX_BYTES
            && indentation(prefix) < prefix.len()
            && !prefix.last().is_some_and(u8::is_ascii_digit);
        if is_known { Self(prefix.into()) } else { Self::default() }
    }

    /// Length of the prefix at the start of `line`, 0 when something else is there. Blanks at its end may be missing where
    /// the line ends.
    pub(super) fn length(&self, line: &[u8]) -> usize {
        let (mut shape, mut rest) = (&*self.0, line);
        while !shape.is_empty() {
            let (gap, blanks) = (skip(&mut shape, is_blank), skip(&mut rest, is_blank));
            if rest.is_empty() && shape.is_empty() {
                return line.len();
            }
            // `    9` is followed by `   10`.
            let is_padded = shape.first().is_some_and(u8::is_ascii_digit);
            if (gap == 0) != (blanks == 0) && !is_padded {
                return 0;
            }
            if shape.is_empty() {
                break;
            }
            let digit = |byte: u8| byte.is_ascii_digit();
            let (digits, others) = (skip(&mut shape, digit), skip(&mut rest, digit));
            if (digits == 0) != (others == 0) {
                return 0;
            }
            let Some((&byte, after)) = shape.split_first().filter(|_| digits == 0) else {
                continue;
            };
            match rest.split_first() {
                Some((&other, behind)) if fold(other) == fold(byte) => {
                    (shape, rest) = (after, behind);
                }
                _ => return 0,
            }
        }
        line.len() - rest.len()
    }
}

/// Takes a run of bytes off the start. Gives its length.
fn skip(text: &mut &[u8], belongs: impl Fn(u8) -> bool) -> usize {
    let length = text.iter().position(|&byte| !belongs(byte)).unwrap_or(text.len());
    *text = &text[length..];
    length
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

/// Of a search with context, `file:1:` is followed by `file-2-`.
fn fold(byte: u8) -> u8 {
    if byte == b':' { b'-' } else { byte }
}
