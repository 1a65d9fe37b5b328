//! Units that texts are measured in.

use std::ops::{Add, AddAssign, Sub};

/// The unit of a budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes of UTF-8.
    Bytes,
    /// Characters: Unicode scalar values.
    Chars,
    /// Lines. A last line without a line end counts as a line.
    Lines,
}

/// The length of a text in every unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Bytes of UTF-8.
    pub bytes: u64,
    /// Unicode scalar values.
    pub chars: u64,
    /// Line ends.
    pub lines: u64,
}

impl Counts {
    /// The number of these units; a last line without a line end does not count.
    pub(crate) fn in_unit(&self, unit: Unit) -> u64 {
        match unit {
            Unit::Bytes => self.bytes,
            Unit::Chars => self.chars,
            Unit::Lines => self.lines,
        }
    }

    /// The length of a piece of text. A character that is divided between pieces counts in the piece where it starts.
    pub(crate) fn of(text: &[u8]) -> Self {
        Self { bytes: text.len() as u64, chars: chars(text), lines: lines(text) }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.bytes += other.bytes;
        self.chars += other.chars;
        self.lines += other.lines;
    }
}

impl Add for Counts {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl Sub for Counts {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            bytes: self.bytes - other.bytes,
            chars: self.chars - other.chars,
            lines: self.lines - other.lines,
        }
    }
}

/// Characters that start in `text`.
pub(crate) fn chars(text: &[u8]) -> u64 {
    // Small enough for the sum of a block to fit a byte, so that the compiler makes vector code of it.
    const BLOCK_BYTES: usize = 192;
    text.chunks(BLOCK_BYTES)
        .map(|block| {
            u64::from(block.iter().map(|&byte| u8::from(!is_continuation(byte))).sum::<u8>())
        })
        .sum()
}

pub(crate) fn lines(text: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', text).count() as u64
}

/// Whether a byte of UTF-8 continues a character.
pub(crate) fn is_continuation(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

/// The byte offset where the first `count` units of `text` end and another may begin; `None` when the text has fewer.
pub(crate) fn end_of_first(unit: Unit, count: usize, text: &[u8]) -> Option<usize> {
    match unit {
        Unit::Bytes => (text.len() > count).then_some(count),
        Unit::Chars => {
            if chars(text) <= count as u64 {
                return None;
            }
            let mut starts = text.iter().enumerate().filter(|(_, byte)| !is_continuation(**byte));
            starts.nth(count).map(|(at, _)| at)
        }
        Unit::Lines if count == 0 => Some(0),
        Unit::Lines => memchr::memchr_iter(b'\n', text).nth(count - 1).map(|at| at + 1),
    }
}

/// The byte offset where the last `count` units of `text` begin; 0 when the text has no more.
pub(crate) fn start_of_last(unit: Unit, count: usize, text: &[u8]) -> usize {
    if count == 0 {
        return text.len();
    }
    match unit {
        Unit::Bytes => text.len().saturating_sub(count),
        Unit::Chars => {
            let starts = text.iter().enumerate().rev().filter(|(_, byte)| !is_continuation(**byte));
            starts.map(|(at, _)| at).nth(count - 1).unwrap_or(0)
        }
        Unit::Lines => {
            let ended = text.strip_suffix(b"\n").unwrap_or(text);
            memchr::memrchr_iter(b'\n', ended).nth(count - 1).map_or(0, |at| at + 1)
        }
    }
}
