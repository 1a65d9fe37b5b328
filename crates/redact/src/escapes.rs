//! Terminal sequences inside a text. The text is searched as a terminal shows it.
//!
//! Whoever sees `password: ESC[32mhunter2` sees a password, and `ESC[33mghp_…` is a token. To the checks a sequence
//! would end the value, and its `m` would belong to the token. [`ScreenText`] is a text without its sequences that
//! knows where each of its bytes is in the original. A finding that spans a sequence includes the sequence.
//!
//! Sequences that contain text, such as the address of a link, are not removed before the search.

use std::cell::Cell;
use std::ops::Range;

use crate::quote::backslashes;

pub(crate) const ESCAPE: u8 = 0x1b;

/// The longest sequence that is recognised.
const MAX_SEQUENCE_BYTES: usize = 64;

/// How documents and programs write an escape and the bracket after it, following one or more backslashes: nested
/// documents have several. Upper and lower case are the same.
const SPELLED_INTRODUCERS: [&[u8]; 5] = [b"u001b[", b"x1b[", b"033[", b"33[", b"e["];

/// The spellings with one backslash, for the prefilter. It finds an escape itself by its byte.
pub(crate) const SPELLED_BEGINNINGS: [&[u8]; 5] =
    [b"\\u001b[", b"\\x1b[", b"\\033[", b"\\33[", b"\\e["];

/// Whether a sequence begins with the escape or the last backslash at `start`.
pub(crate) fn begins_sequence(text: &[u8], start: usize) -> bool {
    let start = if text[start] == ESCAPE { start } else { start - backslashes(&text[..start]) };
    matches!(sequence(&text[start..]), EscapeKind::Sequence(_))
}

/// Whether `text` ends with a sequence of two bytes: the prefilter does not report what is shorter than a literal.
pub(crate) fn ends_with_sequence(text: &[u8]) -> bool {
    matches!(text, [.., ESCAPE, _]) && begins_sequence(text, text.len() - 2)
}

/// Whether the last line of `text` may contain a sequence.
pub(crate) fn may_end_coloured(text: &[u8]) -> bool {
    let before = &text[..text.len().saturating_sub(1)];
    let begin = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
    memchr::memchr2(ESCAPE, b'\\', &text[begin..]).is_some()
}

/// The text that a terminal shows.
pub(crate) struct ScreenText {
    pub(crate) text: Vec<u8>,
    /// The number of bytes at its start that are only context.
    pub(crate) from: usize,
    /// Offsets in `text`, in order, and how much greater the offset of the same byte is in the original.
    shifts: Vec<(usize, usize)>,
    /// The index of the shift that was used last. The next one is mostly near it.
    last: Cell<usize>,
}

impl ScreenText {
    /// The text that a terminal shows of `text`. The first `from` bytes are only context.
    pub(crate) fn of(text: &[u8], from: usize) -> Self {
        let shifts = vec![(0, 0)];
        let text_shown = Vec::with_capacity(text.len());
        let mut shown = Self { text: text_shown, from: 0, shifts, last: Cell::new(0) };
        let (mut kept, mut at) = (0, 0);
        while let Some(ahead) = memchr::memchr2(ESCAPE, b'\\', &text[at..]) {
            let start = at + ahead;
            match sequence(&text[start..]) {
                EscapeKind::Sequence(length) => {
                    shown.keep(text, kept..start, from);
                    at = start + length;
                    kept = at;
                }
                EscapeKind::Other(length) => at = start + length,
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

    /// The offset in the original of the byte at `at`.
    pub(crate) fn start(&self, at: usize) -> usize {
        let holds = |index: usize| {
            self.shifts.get(index).is_some_and(|&(begin, _)| begin <= at)
                && self.shifts.get(index + 1).is_none_or(|&(begin, _)| at < begin)
        };
        let last = self.last.get();
        let near = [last, last + 1].into_iter().find(|&index| holds(index));
        // The ends of findings may be far away, and are asked for in turn with offsets that are near.
        let last = near.unwrap_or_else(|| {
            self.shifts.partition_point(|&(begin, _)| begin <= at).saturating_sub(1)
        });
        self.last.set(last);
        at + self.shifts[last].1
    }

    /// The offset in the original of an end at `at`: directly after the last byte, before any sequence that follows.
    pub(crate) fn end(&self, at: usize) -> usize {
        at.checked_sub(1).map_or(0, |before| self.start(before) + 1)
    }
}

/// Where a sequence may begin that `text` ends inside of.
pub(crate) fn begun_sequence(text: &[u8]) -> Option<usize> {
    let tail = &text[text.len().saturating_sub(MAX_SEQUENCE_BYTES)..];
    let last = memchr::memrchr2(ESCAPE, b'\\', tail)?;
    let belongs_to_sequence =
        |byte: &u8| byte.is_ascii_alphanumeric() || b"[()?;:<=>".contains(byte);
    if !tail[last + 1..].iter().all(belongs_to_sequence) {
        return None;
    }
    let first = if tail[last] == ESCAPE { last } else { last + 1 - backslashes(&tail[..=last]) };
    Some(text.len() - tail.len() + first)
}

/// The length of the sequence at the start of `text`, 0 if there is none.
pub(crate) fn sequence_length(text: &[u8]) -> usize {
    match text {
        [ESCAPE, ..] => match sequence(text) {
            EscapeKind::Sequence(length) => length,
            EscapeKind::Other(_) => 0,
        },
        _ => 0,
    }
}

/// What begins with an escape or with backslashes, and its length.
enum EscapeKind {
    /// A sequence that moves the cursor, erases, or sets colours and character sets.
    Sequence(usize),
    Other(usize),
}

#[inline]
fn sequence(text: &[u8]) -> EscapeKind {
    // Nearly all sequences are colours.
    if let [ESCAPE, b'[', rest @ ..] = text {
        let rest = &rest[..rest.len().min(MAX_SEQUENCE_BYTES - 1)];
        let length = control_length(rest);
        return length.map_or(EscapeKind::Other(1), |length| EscapeKind::Sequence(2 + length));
    }
    rare_sequence(text)
}

#[inline(never)]
fn rare_sequence(text: &[u8]) -> EscapeKind {
    let backslashes = text.iter().take_while(|&&byte| byte == b'\\').count();
    let introducer = match backslashes {
        0 => 1,
        count => {
            match SPELLED_INTRODUCERS.iter().find(|spelled| begins_with(&text[count..], spelled)) {
                // The bracket is read again below.
                Some(spelled) => count + spelled.len() - 1,
                None => return EscapeKind::Other(count),
            }
        }
    };
    let rest = &text[introducer..text.len().min(introducer + MAX_SEQUENCE_BYTES)];
    let length = match rest {
        [b'[', rest @ ..] => control_length(rest).map(|length| 1 + length),
        [b'(' | b')', set, ..] if set.is_ascii_alphanumeric() => Some(2),
        [b'7' | b'8' | b'=' | b'>', ..] => Some(1),
        _ => None,
    };
    length.map_or(EscapeKind::Other(introducer), |length| EscapeKind::Sequence(introducer + length))
}

fn begins_with(text: &[u8], spelled: &[u8]) -> bool {
    text.get(..spelled.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(spelled))
}

/// The length of the parameters and the letter that ends them. Sequences with other bytes in between are rare, and
/// accepting those bytes would take quotes and commas for a part of a sequence.
fn control_length(text: &[u8]) -> Option<usize> {
    let length = parameters(text);
    let &last = text.get(length)?;
    let is_private = matches!(text[0], b'<'..=b'?');
    is_final(last, is_private).then_some(length + 1)
}

/// The number of parameter bytes, `0` to `?`, at the start of `text`.
#[inline]
fn parameters(text: &[u8]) -> usize {
    const UPPER_HALVES: u64 = 0xf0f0_f0f0_f0f0_f0f0;
    // Their number changes from one sequence to the next, so a loop would be a badly predicted branch.
    let others = text.first_chunk().map_or(0, |&bytes| {
        (u64::from_le_bytes(bytes) ^ u64::from_le_bytes([b'0'; 8])) & UPPER_HALVES
    });
    match others {
        0 => text.iter().take_while(|byte| (b'0'..=b'?').contains(byte)).count(),
        _ => others.trailing_zeros() as usize / 8,
    }
}

/// Whether a byte ends a sequence that programs write. Not every letter does: the next word is no part of a sequence
/// that was cut off.
#[inline]
fn is_final(byte: u8, is_private: bool) -> bool {
    matches!(byte, b'@' | b'A'..=b'H' | b'J'..=b'M' | b'P' | b'S' | b'T' | b'X' | b'd' | b'f' | b'h')
        || matches!(byte, b'l'..=b'n' | b'r' | b's' | b'u')
        || (is_private && byte == b'c')
}
