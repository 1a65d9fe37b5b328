//! Redacting twice is to change nothing: what a second pass would find in the result of a line is masked at once.

use std::ops::Range;

use super::WINDOW_BYTES;
use super::line_end;
use super::mode::{Mode, emit};
use super::record::Record;
use crate::engine::Engine;
use crate::output::Output;
use crate::span::Span;

/// Results that are looked at together.
const BATCH_BYTES: usize = 8 << 10;

/// Lines up to this length are looked at again as often as [`SHORT_ROUNDS`] says, longer ones as [`LONG_ROUNDS`]. After
/// that everything behind the first finding is masked, and after as many rounds more the line.
const SHORT_BYTES: usize = 4 << 10;
const SHORT_ROUNDS: usize = 8;
const LONG_ROUNDS: usize = 3;

/// Follows the result as a second pass would.
#[derive(Clone, Default)]
pub(super) struct Settler {
    /// What the next line is part of to the second pass, where that is not what it is to the first.
    apart: Option<Mode>,
    /// Lines of text with findings that are not written yet.
    batch: Vec<Entry>,
    /// How many of those there are; the others keep their memory.
    entries: usize,
    /// The results of the batch, or of a single line.
    shown: Vec<u8>,
    /// A single line.
    record: Record,
    /// What the second pass makes of its result.
    second: Record,
    /// Scratch space for findings.
    spans: Vec<Span>,
}

#[derive(Clone, Default)]
struct Entry {
    line: Range<usize>,
    record: Record,
    shown: Range<usize>,
}

/// True when a second pass finds nothing new in the result of the lines `text[start..]` with these findings.
pub(super) fn is_left_alone(engine: &Engine, text: &[u8], start: usize, found: &[Span]) -> bool {
    let (mut record, mut shown, mut spans) = (Record::default(), Vec::new(), Vec::new());
    emit(text, start, found, &mut record);
    record.render(engine, &text[start..], &mut shown);
    let stop = engine.scan(&shown, 0, true, &mut spans, None);
    record.clear();
    emit(&shown, 0, &spans, &mut record);
    record.leave_masks(&shown);
    stop.is_none() && record.is_kept()
}

impl Settler {
    /// Behind a line that is longer than a window and was not followed.
    pub(super) fn forget(&mut self, mode: &Mode) {
        self.apart = (!mode.is_text()).then_some(Mode::Text);
    }

    /// True when the second pass takes the next line for what the first one does.
    pub(super) fn is_at_rest(&self) -> bool {
        self.apart.is_none()
    }

    /// The same, and no line is recorded that is not written.
    pub(super) fn is_idle(&self) -> bool {
        self.is_at_rest() && self.entries == 0
    }

    /// Where to record a line of text, which has to be [`Self::added`] then.
    pub(super) fn add(&mut self, line: Range<usize>) -> &mut Record {
        if self.entries == self.batch.len() {
            self.batch.push(Entry::default());
        }
        let entry = &mut self.batch[self.entries];
        entry.line = line;
        entry.record.clear();
        &mut entry.record
    }

    /// The line is recorded. True when [`Self::flush`] is due.
    pub(super) fn added(&mut self, engine: &Engine, text: &[u8]) -> bool {
        let Entry { line, record, shown } = &mut self.batch[self.entries];
        let line = &text[line.clone()];
        record.leave_masks(line);
        let start = self.shown.len();
        record.render(engine, line, &mut self.shown);
        *shown = start..self.shown.len();
        self.entries += 1;
        self.shown.len() >= BATCH_BYTES
    }

    /// Writes lines of text, among them those of the batch; nothing was found in the others.
    pub(super) fn flush(
        &mut self,
        engine: &Engine,
        text: &[u8],
        lines: Range<usize>,
        output: &mut impl Output,
    ) {
        let mut batch = std::mem::take(&mut self.batch);
        let entries = std::mem::take(&mut self.entries);
        // Before this offset of the results there is nothing but what these spans say.
        let mut known = 0;
        let mut spans = std::mem::take(&mut self.spans);
        spans.clear();
        if self.apart.is_none() && entries > 0 {
            let stop = engine.scan(&self.shown, 0, true, &mut spans, None);
            known = stop.map_or(self.shown.len(), |stop| stop.end - 1);
        }
        self.shown.clear();
        let mut rest = spans.iter().peekable();
        let mut at = lines.start;
        for Entry { line, record, shown } in batch.iter_mut().take(entries) {
            self.unchanged(engine, &text[at..line.start], output);
            at = line.end;
            let text = &text[line.clone()];
            while rest.next_if(|span| span.end <= shown.start).is_some() {}
            let found = rest.peek().is_some_and(|span| span.start < shown.end);
            if self.apart.is_none() && !found && shown.end <= known && shown.len() < WINDOW_BYTES {
                record.write(text, output);
            } else {
                std::mem::swap(record, &mut self.record);
                self.settle(engine, text, (&Mode::Text, &Mode::Text), output);
            }
        }
        self.unchanged(engine, &text[at..lines.end], output);
        self.batch = batch;
        self.spans = spans;
    }

    /// Writes lines of text in which nothing was found.
    fn unchanged(&mut self, engine: &Engine, mut text: &[u8], output: &mut impl Output) {
        while self.apart.is_some() && !text.is_empty() {
            let (line, rest) = text.split_at(line_end(text, 0));
            self.begin().keep(line);
            self.settle(engine, line, (&Mode::Text, &Mode::Text), output);
            text = rest;
        }
        output.keep(text);
    }

    /// Where to record a single line, which has to be settled then.
    pub(super) fn begin(&mut self) -> &mut Record {
        self.record.clear();
        &mut self.record
    }

    /// Adds to what was recorded of a line what a second pass would find, and writes it. `modes` are what the first pass
    /// took the line and what follows it for.
    pub(super) fn settle(
        &mut self,
        engine: &Engine,
        line: &[u8],
        modes: (&Mode, &Mode),
        output: &mut impl Output,
    ) {
        self.record.leave_masks(line);
        // Of the same the second pass makes the same.
        if self.apart.is_some() || !self.record.is_kept() {
            let begun = self.apart.take().unwrap_or_else(|| modes.0.clone());
            // Inside a block the second pass reads it as text in which nothing is to be found.
            let mute = begun.is_block() && engine.leaves_masks() && self.record.hides_all(line);
            let mode = if mute { begun } else { self.complete(engine, line, &begun) };
            self.apart = Some(mode).filter(|mode| !mode.follows(modes.1));
        }
        self.record.write(line, output);
    }

    /// Completes the record. Gives what the second pass, which takes the line for `begun`, takes the next one for.
    fn complete(&mut self, engine: &Engine, line: &[u8], begun: &Mode) -> Mode {
        let rounds = if line.len() <= SHORT_BYTES { SHORT_ROUNDS } else { LONG_ROUNDS };
        let content = line.trim_ascii_end().len();
        let mut round = 0;
        loop {
            self.shown.clear();
            self.record.render(engine, line, &mut self.shown);
            if self.shown.len() >= WINDOW_BYTES {
                self.shown.clear();
                return Mode::Text;
            }
            self.second.clear();
            let mut mode = begun.clone();
            mode.line(engine, &self.shown, 0, &mut self.spans, &mut self.second);
            self.second.leave_masks(&self.shown);
            round += 1;
            if !self.record.take(&self.second) || round > 2 * rounds {
                self.shown.clear();
                return mode;
            }
            if round == rounds || round == 2 * rounds {
                self.record.hide_rest(round > rounds, content);
            }
        }
    }
}
