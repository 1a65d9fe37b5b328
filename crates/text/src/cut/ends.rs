//! The two ends of a stream that are kept: the head, which is filled once, and the tail, which moves on.

use super::{Cut, borders, join};
use crate::counts::{self, Counts, Unit};

/// What is kept on the other side of a cut, to see what the cut would divide.
const CONTEXT_BYTES: usize = 256;

/// A tail is shortened when it has grown by this much and half of itself.
const SLACK_BYTES: usize = 16 << 10;

/// A place in the stream where a notice stands for text of the source.
#[derive(Clone, Copy)]
struct Mark {
    /// Offset of the notice in the stream.
    start: u64,
    /// What the notice itself is.
    notice: Counts,
    /// What it stands for.
    omitted: Counts,
}

impl Mark {
    fn end(&self) -> u64 {
        self.start + self.notice.bytes
    }
}

/// The first and the last units of a stream, and counts of all of it.
#[derive(Clone)]
pub(super) struct Ends {
    unit: Unit,
    head_units: usize,
    tail_units: usize,
    /// The head and its context.
    head: Vec<u8>,
    /// Where the head's budget ends in `head`, once something came that is not within it.
    border: Option<usize>,
    /// What the head does not take: its end, and some context before that.
    tail: Vec<u8>,
    /// Offset of `tail` in the stream.
    offset: u64,
    /// Length at which `tail` is shortened.
    limit: usize,
    /// Those in `head` and `tail`, and some that are no more.
    marks: Vec<Mark>,
    /// What was pushed, notices included.
    shown: Counts,
    /// What was pushed, and what notices stand for in their place.
    source: Counts,
    /// Whether the last byte was a line end, or there was none.
    at_line_start: bool,
}

impl Ends {
    pub(super) fn new(unit: Unit, head_units: usize, tail_units: usize) -> Self {
        Self {
            unit,
            head_units,
            tail_units,
            head: Vec::new(),
            border: None,
            tail: Vec::new(),
            offset: 0,
            limit: SLACK_BYTES,
            marks: Vec::new(),
            shown: Counts::default(),
            source: Counts::default(),
            at_line_start: true,
        }
    }

    /// Takes the next bytes.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let counts = Counts::of(bytes);
        self.source += counts;
        self.keep(bytes, counts);
    }

    /// Takes a notice for what is left out at this place. It is text of the budget like any other.
    pub(super) fn push_notice(&mut self, text: &[u8], omitted: Counts) {
        let notice = Counts::of(text);
        self.marks.push(Mark { start: self.shown.bytes, notice, omitted });
        self.source += omitted;
        self.keep(text, notice);
    }

    fn keep(&mut self, bytes: &[u8], counts: Counts) {
        let Some(last) = bytes.last() else { return };
        self.at_line_start = *last == b'\n';
        let rest = &bytes[self.fill_head(bytes)..];
        self.shown += counts;
        if self.tail.is_empty() {
            self.offset = self.shown.bytes - rest.len() as u64;
        }
        self.push_tail(rest);
    }

    /// Takes what belongs to the head and its context. Returns how many of the bytes are within the budget.
    fn fill_head(&mut self, text: &[u8]) -> usize {
        if self.border.is_none() {
            let pushed = match self.unit {
                Unit::Bytes => self.shown.bytes,
                Unit::Chars => self.shown.chars,
                Unit::Lines => self.shown.lines,
            };
            let left = self.head_units - usize::try_from(pushed).unwrap_or(self.head_units);
            self.border = counts::first(self.unit, left, text).map(|at| self.head.len() + at);
        }
        let Some(border) = self.border else {
            self.head.extend_from_slice(text);
            return text.len();
        };
        let within = border.saturating_sub(self.head.len());
        let room = border.saturating_add(CONTEXT_BYTES) - self.head.len();
        self.head.extend_from_slice(&text[..text.len().min(room)]);
        within
    }

    fn push_tail(&mut self, text: &[u8]) {
        let mut text = text;
        if self.is_long(text.len()) {
            // Most of a long piece can be outside: it need not come in first.
            let start = counts::last(self.unit, self.tail_units, text);
            let skipped = start.saturating_sub(CONTEXT_BYTES);
            if skipped > 0 {
                self.offset += (self.tail.len() + skipped) as u64;
                self.tail.clear();
                self.forget_marks();
                text = &text[skipped..];
            }
        }
        self.tail.extend_from_slice(text);
        if self.tail.len() > self.limit {
            let skipped = self.last_units().saturating_sub(CONTEXT_BYTES);
            self.tail.drain(..skipped);
            self.offset += skipped as u64;
            self.forget_marks();
            self.limit = self.tail.len() + self.tail.len() / 2 + SLACK_BYTES;
        }
    }

    /// Whether it is worth a look where in a piece of this length the budget begins: in bytes that is known.
    fn is_long(&self, length: usize) -> bool {
        match self.unit {
            Unit::Bytes => length > self.tail_units.saturating_add(CONTEXT_BYTES),
            Unit::Chars | Unit::Lines => length > self.limit,
        }
    }

    /// Where the last units begin in the tail.
    fn last_units(&self) -> usize {
        counts::last(self.unit, self.tail_units, &self.tail)
    }

    fn forget_marks(&mut self) {
        let (head, tail) = (self.border.unwrap_or(self.head.len()) as u64, self.offset);
        self.marks.retain(|mark| mark.start < head || mark.end() > tail);
    }

    fn is_truncated(&self) -> bool {
        let units = match self.unit {
            Unit::Bytes => self.shown.bytes,
            Unit::Chars => self.shown.chars,
            Unit::Lines => self.shown.lines + u64::from(!self.at_line_start),
        };
        units > (self.head_units as u64).saturating_add(self.tail_units as u64)
    }

    /// What was kept.
    pub(super) fn finish(self) -> Cut {
        let border = self.border.unwrap_or(self.head.len());
        let is_truncated = self.is_truncated();
        let (end, start) = if is_truncated {
            (self.head_end(border), self.tail_start(border))
        } else {
            (border, 0)
        };
        let (head, tail) = (&self.head[..end], &self.tail[start..]);
        let (end, start) = (end as u64, self.offset + start as u64);
        let mut kept = Counts::of(head) + Counts::of(tail);
        let mut inline = Counts::default();
        let is_shown = |mark: &&Mark| !is_truncated || mark.end() <= end || mark.start >= start;
        for mark in self.marks.iter().filter(is_shown) {
            kept = kept - mark.notice;
            inline += mark.omitted;
        }
        join(self.unit, [self.source, kept, inline], head, tail)
    }

    fn head_end(&self, border: usize) -> usize {
        let end = borders::head_end(&self.head, border);
        self.divided(end as u64).map_or(end, |mark| usize::try_from(mark.start).unwrap_or(end))
    }

    fn tail_start(&self, border: usize) -> usize {
        let budget = self.last_units();
        let start = if budget < CONTEXT_BYTES && self.offset == border as u64 {
            // The stream is so short that the tail begins within reach of the head.
            let before = &self.head[border.saturating_sub(CONTEXT_BYTES)..border];
            let view = [before, &self.tail].concat();
            borders::tail_start(&view, before.len() + budget) - before.len()
        } else {
            let from = budget.saturating_sub(CONTEXT_BYTES);
            from + borders::tail_start(&self.tail[from..], budget - from)
        };
        let end = self.divided(self.offset + start as u64).map(|mark| mark.end() - self.offset);
        end.map_or(start, |end| usize::try_from(end).unwrap_or(start))
    }

    /// The notice that a cut at this offset would divide.
    fn divided(&self, at: u64) -> Option<&Mark> {
        self.marks.iter().find(|mark| mark.start < at && at < mark.end())
    }
}

#[cfg(test)]
mod tests;
