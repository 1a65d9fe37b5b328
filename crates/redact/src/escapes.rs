//! Colours inside a text: it is searched as a terminal shows it.
//!
//! `password: ESC[32mhunter2` names a value for whoever sees it, and `ESC[33mghp_…` is a token, while to the checks a
//! sequence is a value that ends and an `m` that belongs to the token. [`Shown`] is a text without its sequences, and knows
//! where in the text each of its bytes is. A finding that goes over a sequence takes it along.
//!
//! Sequences that carry a text of their own, such as the address of a link, are searched as they stand.

use std::cell::Cell;
use std::ops::Range;

use crate::quote::backslashes;

pub(crate) const ESCAPE: u8 = 0x1b;

/// A longer one is no sequence.
const MAX_SEQUENCE_BYTES: usize = 64;

/// How documents and programs write an escape and the bracket behind it, after one backslash or more: a document in a
/// document has several. Letters of both cases are the same.
const SPELLED: [&[u8]; 5] = [b"u001b[", b"x1b[", b"033[", b"33[", b"e["];

/// The same with one backslash: for the prefilter, which finds an escape itself by its byte.
pub(crate) const SPELLED_BEGINNINGS: [&[u8]; 5] =
    [b"\\u001b[", b"\\x1b[", b"\\033[", b"\\33[", b"\\e["];

/// Whether a sequence begins with the escape or the last backslash at `start`.
pub(crate) fn begins_sequence(text: &[u8], start: usize) -> bool {
    let start = if text[start] == ESCAPE { start } else { start - backslashes(&text[..start]) };
    matches!(sequence(&text[start..]), Met::Sequence(_))
}

/// Whether `text` ends with a sequence of two bytes: the prefilter does not report what is shorter than a literal.
pub(crate) fn ends_with_sequence(text: &[u8]) -> bool {
    matches!(text, [.., ESCAPE, _]) && begins_sequence(text, text.len() - 2)
}

/// Whether the line that `text` ends with, or within, may hold a sequence.
pub(crate) fn may_end_coloured(text: &[u8]) -> bool {
    let before = &text[..text.len().saturating_sub(1)];
    let begin = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
    memchr::memchr2(ESCAPE, b'\\', &text[begin..]).is_some()
}

/// What a terminal shows of a text.
pub(crate) struct Shown {
    pub(crate) text: Vec<u8>,
    /// Bytes of it that are only context.
    pub(crate) from: usize,
    /// Offsets in it, in order, and how much further what begins there is in the text as it stands.
    shifts: Vec<(usize, usize)>,
    /// Index of the shift asked for last: the next one is near, mostly.
    last: Cell<usize>,
}

impl Shown {
    /// What a terminal shows of `text`, of which the first `from` bytes are only context.
    pub(crate) fn of(text: &[u8], from: usize) -> Self {
        let shifts = vec![(0, 0)];
        let text_shown = Vec::with_capacity(text.len());
        let mut shown = Self { text: text_shown, from: 0, shifts, last: Cell::new(0) };
        let (mut kept, mut at) = (0, 0);
        while let Some(ahead) = memchr::memchr2(ESCAPE, b'\\', &text[at..]) {
            let start = at + ahead;
            match sequence(&text[start..]) {
                Met::Sequence(length) => {
                    shown.keep(text, kept..start, from);
                    at = start + length;
                    kept = at;
                }
                Met::Other(length) => at = start + length,
            }
        }
        shown.keep(text, kept..text.len(), from);
        shown
    }

    fn keep(&mut self, text: &[u8], Range { start, end }: Range<usize>, from: usize) {
        if start < end {
            self.shifts.push((self.text.len(), start - self.text.len()));
            self.text.extend_from_slice(&text[start..end]);
            self.from += from.clamp(start, end) - start;
        }
    }

    /// Where in the text as it stands the byte at `at` is.
    pub(crate) fn start(&self, at: usize) -> usize {
        let holds = |index: usize| {
            self.shifts.get(index).is_some_and(|&(begin, _)| begin <= at)
                && self.shifts.get(index + 1).is_none_or(|&(begin, _)| at < begin)
        };
        let last = self.last.get();
        let near = [last, last + 1].into_iter().find(|&index| holds(index));
        // Ends of stretches may be far away, and are asked for in turn with places near by.
        let last = near.unwrap_or_else(|| {
            self.shifts.partition_point(|&(begin, _)| begin <= at).saturating_sub(1)
        });
        self.last.set(last);
        at + self.shifts[last].1
    }

    /// The same for the end of a stretch: right behind its last byte, before a sequence that follows.
    pub(crate) fn end(&self, at: usize) -> usize {
        at.checked_sub(1).map_or(0, |before| self.start(before) + 1)
    }
}

/// Where a sequence may begin that `text` ends within.
pub(crate) fn begun_sequence(text: &[u8]) -> Option<usize> {
    let tail = &text[text.len().saturating_sub(MAX_SEQUENCE_BYTES)..];
    let last = memchr::memrchr2(ESCAPE, b'\\', tail)?;
    let goes_on = |byte: &u8| byte.is_ascii_alphanumeric() || b"[()?;:<=>".contains(byte);
    if !tail[last + 1..].iter().all(goes_on) {
        return None;
    }
    let first = if tail[last] == ESCAPE { last } else { last + 1 - backslashes(&tail[..=last]) };
    Some(text.len() - tail.len() + first)
}

/// Length of the sequence that begins with the escape at the start of `text`, 0 when none does.
pub(crate) fn sequence_length(text: &[u8]) -> usize {
    match text {
        [ESCAPE, ..] => match sequence(text) {
            Met::Sequence(length) => length,
            Met::Other(_) => 0,
        },
        _ => 0,
    }
}

/// What an escape or backslashes begin, and how many bytes it has.
enum Met {
    /// Moves the cursor, erases, or sets colours and character sets.
    Sequence(usize),
    Other(usize),
}

#[inline]
fn sequence(text: &[u8]) -> Met {
    // Nearly all of them: colours.
    if let [ESCAPE, b'[', rest @ ..] = text {
        let rest = &rest[..rest.len().min(MAX_SEQUENCE_BYTES - 1)];
        let length = control_length(rest);
        return length.map_or(Met::Other(1), |length| Met::Sequence(2 + length));
    }
    rare_sequence(text)
}

#[inline(never)]
fn rare_sequence(text: &[u8]) -> Met {
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
    let length = parameters(text);
    let &last = text.get(length)?;
    let is_private = matches!(text[0], b'<'..=b'?');
    is_final(last, is_private).then_some(length + 1)
}

/// How many bytes of parameters, `0` to `?`, `text` begins with.
#[inline]
fn parameters(text: &[u8]) -> usize {
    const UPPER_HALVES: u64 = 0xf0f0_f0f0_f0f0_f0f0;
    // Their number changes from one sequence to the next: a loop would be a guess each time.
    let others = text.first_chunk().map_or(0, |&bytes| {
        (u64::from_le_bytes(bytes) ^ u64::from_le_bytes([b'0'; 8])) & UPPER_HALVES
    });
    match others {
        0 => text.iter().take_while(|byte| (b'0'..=b'?').contains(byte)).count(),
        _ => others.trailing_zeros() as usize / 8,
    }
}

/// What ends the sequences that programs write. Not every letter: of a sequence that was cut off, the next word is no part.
#[inline]
fn is_final(byte: u8, is_private: bool) -> bool {
    matches!(byte, b'@' | b'A'..=b'H' | b'J'..=b'M' | b'P' | b'S' | b'T' | b'X' | b'd' | b'f' | b'h')
        || matches!(byte, b'l'..=b'n' | b'r' | b's' | b'u')
        || (is_private && byte == b'c')
}
