//! Keeps the two ends of a stream: the head, which is filled once, and the tail, which moves on.

use super::{Cut, borders, join_with_notice};
use crate::counts::{self, Counts, Unit};

/// Bytes kept on the other side of a cut, to see whether the cut would divide a character or a mask.
const CONTEXT_BYTES: usize = 256;

/// A tail is shortened when it has grown by this much and by half of its length.
const MIN_TAIL_GROWTH_BYTES: usize = 16 << 10;

/// A place in the stream where a notice stands for text of the source.
#[derive(Clone, Copy)]
struct InlineNotice {
    /// Offset of the notice in the stream.
    start: u64,
    /// Size of the notice.
    notice: Counts,
    /// Size of the text that the notice stands for.
    omitted: Counts,
}

impl InlineNotice {
    fn end(&self) -> u64 {
        self.start + self.notice.bytes
    }
}

/// The first and the last units of a stream, and the size of the whole stream.
#[derive(Clone)]
pub(super) struct HeadAndTail {
    unit: Unit,
    head_units: usize,
    tail_units: usize,
    /// The head, and some context after it.
    head: Vec<u8>,
    /// Where the budget of the head ends in `head`, once the stream is longer.
    head_budget_end: Option<usize>,
    /// The end of the stream after the head, with some context before it.
    tail: Vec<u8>,
    /// Offset of `tail` in the stream.
    tail_offset: u64,
    /// Length at which `tail` is shortened again.
    max_tail_bytes: usize,
    /// Notices in `head` and `tail`, and some that were dropped from them.
    notices: Vec<InlineNotice>,
    /// Size of what was pushed, with the notices.
    pushed: Counts,
    /// Size of the source: what was pushed, with the texts that notices stand for in place of the notices.
    source: Counts,
    /// Whether the last byte was a line end, or the stream is empty.
    at_line_start: bool,
}

impl HeadAndTail {
    pub(super) fn new(unit: Unit, head_units: usize, tail_units: usize) -> Self {
        Self {
            unit,
            head_units,
            tail_units,
            head: Vec::new(),
            head_budget_end: None,
            tail: Vec::new(),
            tail_offset: 0,
            max_tail_bytes: MIN_TAIL_GROWTH_BYTES,
            notices: Vec::new(),
            pushed: Counts::default(),
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

    /// Takes a notice for text that is left out here. The notice takes from the budget like any text.
    pub(super) fn push_notice(&mut self, text: &[u8], omitted: Counts) {
        let notice = Counts::of(text);
        self.notices.push(InlineNotice { start: self.pushed.bytes, notice, omitted });
        self.source += omitted;
        self.keep(text, notice);
    }

    fn keep(&mut self, bytes: &[u8], counts: Counts) {
        let Some(last) = bytes.last() else { return };
        self.at_line_start = *last == b'\n';
        let after_head = &bytes[self.fill_head(bytes)..];
        self.pushed += counts;
        if self.tail.is_empty() {
            self.tail_offset = self.pushed.bytes - after_head.len() as u64;
        }
        self.push_tail(after_head);
    }

    /// Adds the bytes that belong to the head and its context. Returns how many of the bytes are within the budget.
    fn fill_head(&mut self, text: &[u8]) -> usize {
        if self.head_budget_end.is_none() {
            let pushed = self.pushed.in_unit(self.unit);
            let left = self.head_units - usize::try_from(pushed).unwrap_or(self.head_units);
            self.head_budget_end =
                counts::end_of_first(self.unit, left, text).map(|at| self.head.len() + at);
        }
        let Some(head_budget_end) = self.head_budget_end else {
            self.head.extend_from_slice(text);
            return text.len();
        };
        let within = head_budget_end.saturating_sub(self.head.len());
        let room = head_budget_end.saturating_add(CONTEXT_BYTES) - self.head.len();
        self.head.extend_from_slice(&text[..text.len().min(room)]);
        within
    }

    fn push_tail(&mut self, text: &[u8]) {
        let mut text = text;
        if self.is_long(text.len()) {
            // Most of a long piece may lie before the tail, and is skipped without a copy.
            let start = counts::start_of_last(self.unit, self.tail_units, text);
            let skipped = start.saturating_sub(CONTEXT_BYTES);
            if skipped > 0 {
                self.tail_offset += (self.tail.len() + skipped) as u64;
                self.tail.clear();
                self.forget_notices();
                text = &text[skipped..];
            }
        }
        self.tail.extend_from_slice(text);
        if self.tail.len() > self.max_tail_bytes {
            let skipped = self.last_units().saturating_sub(CONTEXT_BYTES);
            self.tail.drain(..skipped);
            self.tail_offset += skipped as u64;
            self.forget_notices();
            self.max_tail_bytes = self.tail.len() + self.tail.len() / 2 + MIN_TAIL_GROWTH_BYTES;
        }
    }

    /// Whether a piece of this length is so long that most of it may lie before the tail.
    fn is_long(&self, length: usize) -> bool {
        match self.unit {
            Unit::Bytes => length > self.tail_units.saturating_add(CONTEXT_BYTES),
            Unit::Chars | Unit::Lines => length > self.max_tail_bytes,
        }
    }

    /// Where the last units begin in the tail.
    fn last_units(&self) -> usize {
        counts::start_of_last(self.unit, self.tail_units, &self.tail)
    }

    fn forget_notices(&mut self) {
        let (head, tail) =
            (self.head_budget_end.unwrap_or(self.head.len()) as u64, self.tail_offset);
        self.notices.retain(|notice| notice.start < head || notice.end() > tail);
    }

    fn is_truncated(&self) -> bool {
        let is_open_line = self.unit == Unit::Lines && !self.at_line_start;
        let units = self.pushed.in_unit(self.unit) + u64::from(is_open_line);
        units > (self.head_units as u64).saturating_add(self.tail_units as u64)
    }

    /// The cut stream.
    pub(super) fn finish(self) -> Cut {
        let head_budget_end = self.head_budget_end.unwrap_or(self.head.len());
        let is_truncated = self.is_truncated();
        let (end, start) = if is_truncated {
            (self.head_end(head_budget_end), self.tail_start(head_budget_end))
        } else {
            (head_budget_end, 0)
        };
        let (head, tail) = (&self.head[..end], &self.tail[start..]);
        let (end, start) = (end as u64, self.tail_offset + start as u64);
        let mut kept = Counts::of(head) + Counts::of(tail);
        let mut in_notices = Counts::default();
        let is_shown =
            |notice: &&InlineNotice| !is_truncated || notice.end() <= end || notice.start >= start;
        for notice in self.notices.iter().filter(is_shown) {
            kept = kept - notice.notice;
            in_notices += notice.omitted;
        }
        join_with_notice(self.unit, [self.source, kept, in_notices], head, tail)
    }

    fn head_end(&self, head_budget_end: usize) -> usize {
        let end = borders::head_end(&self.head, head_budget_end);
        self.notice_around(end as u64)
            .map_or(end, |notice| usize::try_from(notice.start).unwrap_or(end))
    }

    fn tail_start(&self, head_budget_end: usize) -> usize {
        let budget = self.last_units();
        let start = if budget < CONTEXT_BYTES && self.tail_offset == head_budget_end as u64 {
            // The stream is so short that the context of the tail is in the head.
            let before = &self.head[head_budget_end.saturating_sub(CONTEXT_BYTES)..head_budget_end];
            let view = [before, &self.tail].concat();
            borders::tail_start(&view, before.len() + budget) - before.len()
        } else {
            let from = budget.saturating_sub(CONTEXT_BYTES);
            from + borders::tail_start(&self.tail[from..], budget - from)
        };
        let end = self
            .notice_around(self.tail_offset + start as u64)
            .map(|notice| notice.end() - self.tail_offset);
        end.map_or(start, |end| usize::try_from(end).unwrap_or(start))
    }

    /// The notice that a cut at this offset would divide.
    fn notice_around(&self, at: u64) -> Option<&InlineNotice> {
        self.notices.iter().find(|notice| notice.start < at && at < notice.end())
    }
}

#[cfg(test)]
mod tests;
