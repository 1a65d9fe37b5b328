//! Colours inside a text: it is searched as a terminal shows it.
//!
//! `password: ESC[32mhunter2` names a value for whoever sees it, and `ESC[33mghp_…` is a token, while to the checks a
//! sequence is a value that ends and an `m` that belongs to the token. [`Shown`] is a text without its sequences, and knows
//! where in the text each of its bytes is. A finding that goes over a sequence takes it along.
//!
//! Sequences that carry a text of their own, such as the address of a link, are searched as they stand.

use std::cell::Cell;

const ESCAPE: u8 = 0x1b;

/// A longer one is no sequence.
const MAX_SEQUENCE_BYTES: usize = 64;

/// How documents and programs write an escape and the bracket behind it, after one backslash or more: a document in a
/// document has several. Letters of both cases are the same.
const SPELLED: [&[u8]; 5] = [b"u001b[", b"x1b[", b"033[", b"33[", b"e["];

/// The same with one backslash: for the prefilter, which finds an escape itself by its byte.
pub(crate) const SPELLED_BEGINNINGS: [&[u8]; 5] =
    [b"\\u001b[", b"\\x1b[", b"\\033[", b"\\33[", b"\\e["];

/// What a terminal shows of a text.
pub(crate) struct Shown {
    pub(crate) text: Vec<u8>,
    /// Bytes of it that are only context.
    pub(crate) from: usize,
    /// Offsets in it, in order, and how much further what begins there is in the text as it stands.
    shifts: Vec<(usize, usize)>,
    /// Index of the shift asked for last: the next one is near.
    last: Cell<usize>,
}

impl Shown {
    /// What a terminal shows of `text`, of which the first `from` bytes are only context.
    pub(crate) fn of(text: &[u8], from: usize) -> Self {
        let mut shown = Vec::with_capacity(text.len());
        let mut shifts = vec![(0, 0)];
        let mut context = 0;
        let (mut kept, mut at) = (0, 0);
        let mut keep = |start: usize, end: usize| {
            if start < end {
                shifts.push((shown.len(), start - shown.len()));
                shown.extend_from_slice(&text[start..end]);
                context += from.clamp(start, end) - start;
            }
        };
        while let Some(ahead) = memchr::memchr2(ESCAPE, b'\\', &text[at..]) {
            let start = at + ahead;
            match sequence(&text[start..]) {
                Met::Sequence(length) => {
                    keep(kept, start);
                    at = start + length;
                    kept = at;
                }
                Met::Other(length) => at = start + length,
            }
        }
        keep(kept, text.len());
        Self { text: shown, from: context, shifts, last: Cell::new(0) }
    }

    /// Where in the text as it stands the byte at `at` is.
    pub(crate) fn start(&self, at: usize) -> usize {
        let mut last = self.last.get();
        while self.shifts.get(last + 1).is_some_and(|&(begin, _)| begin <= at) {
            last += 1;
        }
        while last > 0 && self.shifts[last].0 > at {
            last -= 1;
        }
        self.last.set(last);
        at + self.shifts[last].1
    }

    /// The same for the end of a stretch: right behind its last byte, before a sequence that follows.
    pub(crate) fn end(&self, at: usize) -> usize {
        at.checked_sub(1).map_or(0, |before| self.start(before) + 1)
    }
}

/// Whether a sequence begins with the escape, or the backslashes, at the start of `text`.
pub(crate) fn is_sequence(text: &[u8]) -> bool {
    matches!(sequence(text), Met::Sequence(_))
}

/// What an escape or backslashes begin, and how many bytes it has.
enum Met {
    /// Moves the cursor, erases, or sets colours and character sets.
    Sequence(usize),
    Other(usize),
}

fn sequence(text: &[u8]) -> Met {
    let backslashes = text.iter().take_while(|&&byte| byte == b'\\').count();
    let introducer = match backslashes {
        0 => 1,
        count => match SPELLED.iter().find(|spelled| begins_with(&text[count..], spelled)) {
            // The bracket is read again.
            Some(spelled) => count + spelled.len() - 1,
            None => return Met::Other(count),
        },
    };
    let rest = &text[introducer..text.len().min(introducer + MAX_SEQUENCE_BYTES)];
    let length = match rest {
        [b'[', rest @ ..] => control_length(rest).map(|length| 1 + length),
        [b'(' | b')', set, ..] if set.is_ascii_alphanumeric() => Some(2),
        [b'7' | b'8' | b'=' | b'>', ..] => Some(1),
        _ => None,
    };
    length.map_or(Met::Other(introducer), |length| Met::Sequence(introducer + length))
}

fn begins_with(text: &[u8], spelled: &[u8]) -> bool {
    text.get(..spelled.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(spelled))
}

/// Bytes of parameters and the letter that ends them. Those with other bytes between are rare, and would take quotes and
/// commas for theirs.
fn control_length(text: &[u8]) -> Option<usize> {
    let length = text.iter().position(|byte| !(b'0'..=b'?').contains(byte))?;
    let is_private = matches!(text[0], b'<'..=b'?');
    is_final(text[length], is_private).then_some(length + 1)
}

/// What ends the sequences that programs write. Not every letter: of a sequence that was cut off, the next word is no part.
fn is_final(byte: u8, is_private: bool) -> bool {
    matches!(byte, b'@' | b'A'..=b'H' | b'J'..=b'M' | b'P' | b'S' | b'T' | b'X' | b'd' | b'f' | b'h')
        || matches!(byte, b'l'..=b'n' | b'r' | b's' | b'u')
        || (is_private && byte == b'c')
}
