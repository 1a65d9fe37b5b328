//! Head and tail of a stream in memory that depends on the budget alone.

use crate::captured::{self, Captured, Part};
use crate::counts::{Counts, Unit};
use crate::cut;
use crate::ends::{CONTEXT_BYTES, Head, Mark, Tail};
use crate::rows::Row;

/// Keeps the first and the last units of a stream and counts all of it.
///
/// Memory is bounded by the two budgets, whatever is pushed: in bytes or characters; a budget of lines bounds it when the
/// lines are bounded. Feed it text that has been redacted: what it keeps is shown.
#[derive(Clone)]
pub struct Capture {
    unit: Unit,
    head_units: usize,
    tail_units: usize,
    head: Head,
    /// What the head does not take.
    tail: Tail,
    /// What was pushed, notices included.
    shown: Counts,
    /// What was pushed, and what notices stand for in their place.
    source: Counts,
    /// Whether the last byte was a line end, or there was none.
    at_line_start: bool,
}

impl std::fmt::Debug for Capture {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Capture")
            .field("total_bytes", &self.source.bytes)
            .finish_non_exhaustive()
    }
}

impl Capture {
    /// An empty capture with these budgets in bytes. Buffers grow with what arrives.
    pub fn new(head_bytes: usize, tail_bytes: usize) -> Self {
        Self::with_unit(Unit::Bytes, head_bytes, tail_bytes)
    }

    /// An empty capture with budgets in any unit.
    pub fn with_unit(unit: Unit, head_units: usize, tail_units: usize) -> Self {
        Self {
            unit,
            head_units,
            tail_units,
            head: Head::new(unit, head_units),
            tail: Tail::new(unit, tail_units),
            shown: Counts::default(),
            source: Counts::default(),
            at_line_start: true,
        }
    }

    /// Bytes pushed so far.
    pub fn total_bytes(&self) -> u64 {
        self.source.bytes
    }

    /// True when what was pushed so far no longer fits.
    pub fn is_truncated(&self) -> bool {
        let units = match self.unit {
            Unit::Bytes => self.shown.bytes,
            Unit::Chars => self.shown.chars,
            Unit::Lines => self.shown.lines + u64::from(!self.at_line_start),
        };
        units > (self.head_units as u64).saturating_add(self.tail_units as u64)
    }

    /// Takes the next bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        let counts = Counts::of(bytes);
        self.shown += counts;
        self.source += counts;
        self.keep(bytes);
    }

    /// Takes a row.
    pub(crate) fn push_row(&mut self, row: &Row<'_>) {
        match row {
            Row::Line(text) => self.push(text),
            Row::Shortened { text, notice, omitted } => {
                self.push(&text[..notice.start]);
                self.push_notice(&text[notice.clone()], *omitted);
                self.push(&text[notice.end..]);
            }
        }
    }

    /// Takes a notice for what is left out at this place. It is text of the budget like any other.
    fn push_notice(&mut self, text: &[u8], omitted: Counts) {
        let notice = Counts::of(text);
        let mark = Mark { start: self.shown.bytes, notice, omitted };
        if self.head.is_open() {
            self.head.marks.push(mark);
        }
        self.tail.marks.push(mark);
        self.shown += notice;
        self.source += omitted;
        self.keep(text);
    }

    fn keep(&mut self, bytes: &[u8]) {
        let Some(last) = bytes.last() else { return };
        self.at_line_start = *last == b'\n';
        let within = self.head.push(bytes);
        self.tail.offset += if self.tail.bytes.is_empty() { within as u64 } else { 0 };
        self.tail.push(&bytes[within..]);
    }

    /// What was kept.
    pub fn finish(self) -> Captured {
        if !self.is_truncated() {
            return self.whole();
        }
        captured::join(self.unit, self.source, &self.head_part(), &self.tail_part())
    }

    fn head_part(&self) -> Part<'_> {
        let bytes = &self.head.bytes;
        let mut end = cut::head_end(bytes, self.head.border());
        let within = |mark: &&Mark| mark.start < end as u64 && (end as u64) < mark.end();
        if let Some(mark) = self.head.marks.iter().find(within) {
            end = usize::try_from(mark.start).unwrap_or(end);
        }
        Part::new(&bytes[..end], self.head.marks.iter().filter(|mark| mark.end() <= end as u64))
    }

    fn tail_part(&self) -> Part<'_> {
        let bytes = &self.tail.bytes;
        let plain = self.tail.start_of(self.tail_units);
        let mut start = if plain < CONTEXT_BYTES && self.tail.offset == self.head.border() as u64 {
            // The stream is so short that the tail begins within reach of the head.
            let shown = &self.head.bytes
                [self.head.border().saturating_sub(CONTEXT_BYTES)..self.head.border()];
            let view = [shown, bytes].concat();
            cut::tail_start(&view, shown.len() + plain) - shown.len()
        } else {
            let from = plain - CONTEXT_BYTES.min(plain);
            from + cut::tail_start(&bytes[from..], plain - from)
        };
        let offset = self.tail.offset;
        let at = offset + start as u64;
        if let Some(mark) = self.tail.marks.iter().find(|mark| mark.start < at && at < mark.end()) {
            start = usize::try_from(mark.end() - offset).unwrap_or(start);
        }
        let at = offset + start as u64;
        let mut tail =
            Part::new(&bytes[start..], self.tail.marks.iter().filter(|mark| mark.start >= at));
        tail.border = self.source - tail.border;
        tail
    }

    fn whole(mut self) -> Captured {
        let border = self.head.border();
        let head = self.head.marks.iter().filter(|mark| mark.start < border as u64);
        let tail = self.tail.marks.iter().filter(|mark| mark.start >= border as u64);
        let mut omitted = Counts::default();
        head.chain(tail).for_each(|mark| omitted += mark.omitted);
        let mut bytes = std::mem::take(&mut self.head.bytes);
        bytes.truncate(border);
        bytes.extend_from_slice(&self.tail.bytes);
        captured::whole(bytes, self.source, omitted)
    }
}
