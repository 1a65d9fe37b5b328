//! The two ends of a stream that are kept: the head, which is filled once, and the tail, which moves on.

use crate::counts::{self, Counts, Unit};

/// What is kept on the other side of a cut, to see what the cut would divide.
pub(crate) const CONTEXT_BYTES: usize = 256;

/// A tail is shortened when it has grown by this much and half of itself.
const SLACK_BYTES: usize = 16 << 10;

/// A place in the kept text where a notice stands for text of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    /// Offset of the notice in the stream that is kept.
    pub(crate) start: u64,
    /// What the notice itself is.
    pub(crate) notice: Counts,
    /// What it stands for.
    pub(crate) omitted: Counts,
}

impl Mark {
    pub(crate) fn end(&self) -> u64 {
        self.start + self.notice.bytes
    }
}

/// The first units of a stream, and some context.
#[derive(Clone)]
pub(crate) struct Head {
    pub(crate) bytes: Vec<u8>,
    pub(crate) marks: Vec<Mark>,
    unit: Unit,
    /// Units still to come.
    left: usize,
    /// Where the budget ends in `bytes`, once something came that is not within it.
    border: Option<usize>,
}

impl Head {
    pub(crate) fn new(unit: Unit, budget: usize) -> Self {
        Self { bytes: Vec::new(), marks: Vec::new(), unit, left: budget, border: None }
    }

    /// Takes what belongs to the head and its context. Returns how many of the bytes are within the budget.
    pub(crate) fn push(&mut self, text: &[u8]) -> usize {
        let found = || counts::first(self.unit, self.left, text).map(|at| self.bytes.len() + at);
        let Some(border) = self.border.or_else(found) else {
            self.left -= self.units_in(text);
            self.bytes.extend_from_slice(text);
            return text.len();
        };
        self.border = Some(border);
        let within = border.saturating_sub(self.bytes.len());
        let ahead = border.saturating_add(CONTEXT_BYTES) - self.bytes.len();
        self.bytes.extend_from_slice(&text[..text.len().min(ahead)]);
        within
    }

    fn units_in(&self, text: &[u8]) -> usize {
        let units = match self.unit {
            Unit::Bytes => return text.len(),
            Unit::Chars => counts::chars(text),
            Unit::Lines => counts::lines(text),
        };
        usize::try_from(units).unwrap_or(self.left).min(self.left)
    }

    /// Whether all that came is within the budget.
    pub(crate) fn is_open(&self) -> bool {
        self.border.is_none()
    }

    /// Where the budget ends, or the text.
    pub(crate) fn border(&self) -> usize {
        self.border.unwrap_or(self.bytes.len())
    }
}

/// The last units of a stream, and some context.
#[derive(Clone)]
pub(crate) struct Tail {
    pub(crate) bytes: Vec<u8>,
    pub(crate) marks: Vec<Mark>,
    /// Offset of `bytes` in the stream.
    pub(crate) offset: u64,
    unit: Unit,
    budget: usize,
    /// Length at which `bytes` is shortened.
    limit: usize,
}

impl Tail {
    pub(crate) fn new(unit: Unit, budget: usize) -> Self {
        let limit = SLACK_BYTES;
        Self { bytes: Vec::new(), marks: Vec::new(), offset: 0, unit, budget, limit }
    }

    /// Takes the next bytes.
    pub(crate) fn push(&mut self, text: &[u8]) {
        let mut text = text;
        if self.is_long(text.len()) {
            // Most of a long piece can be outside: it need not come in first.
            let start = counts::last(self.unit, self.budget, text);
            let skipped = start.saturating_sub(CONTEXT_BYTES);
            if skipped > 0 {
                self.offset += (self.bytes.len() + skipped) as u64;
                self.bytes.clear();
                self.forget_marks();
                text = &text[skipped..];
            }
        }
        self.bytes.extend_from_slice(text);
        if self.bytes.len() > self.limit {
            self.shorten();
        }
    }

    /// Where the last `units` begin in `bytes`.
    pub(crate) fn start_of(&self, units: usize) -> usize {
        counts::last(self.unit, units, &self.bytes)
    }

    /// Whether it is worth a look where in a piece of this length the budget begins: in bytes that is known.
    fn is_long(&self, length: usize) -> bool {
        match self.unit {
            Unit::Bytes => length > self.budget.saturating_add(CONTEXT_BYTES),
            Unit::Chars | Unit::Lines => length > self.limit,
        }
    }

    fn forget_marks(&mut self) {
        let offset = self.offset;
        self.marks.retain(|mark| mark.end() > offset);
    }

    fn shorten(&mut self) {
        let skipped = self.start_of(self.budget).saturating_sub(CONTEXT_BYTES);
        self.bytes.drain(..skipped);
        self.offset += skipped as u64;
        self.forget_marks();
        self.limit = self.bytes.len() + self.bytes.len() / 2 + SLACK_BYTES;
    }
}

#[cfg(test)]
mod tests;
