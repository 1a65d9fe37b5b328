//! Findings in a text of UTF-16 that arrives in pieces, in its own units.

use std::fmt;
use std::sync::Arc;

use crate::engine::Engine;
use crate::live::Live;
use crate::output::Output;
use crate::redactor::Redactor;
use crate::span::RuleId;
use crate::stream::Machine;
use crate::stream::write::write_mask;
use crate::utf16::Places;

/// A secret that was found: bytes `start..end` of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule that found it; of several that overlap, the one that begins first.
    pub rule: RuleId,
    /// First byte.
    pub start: usize,
    /// Byte after the last.
    pub end: usize,
}

/// A stretch of a text that is to be masked, in units from its start: of UTF-16 from a [`Utf16Scanner`], bytes from
/// [`Redactor::marks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The rule that found it; of several that overlap, the one that begins first.
    pub rule: RuleId,
    /// First unit.
    pub start: usize,
    /// Unit after the last.
    pub end: usize,
    /// The mask needs quotes for a document to stay JSON.
    pub quoted: bool,
    /// Belongs to the secret of the mark before, behind something that stays: it goes, and gets no mask of its own.
    pub continues: bool,
}

impl Redactor {
    /// A scanner for texts in UTF-16.
    pub fn utf16_scanner(&self) -> Utf16Scanner {
        Utf16Scanner {
            generation: self.live().generation(),
            engine: self.live().engine(),
            live: Arc::clone(self.live()),
            begun: false,
            machine: Machine::default(),
            places: Places::default(),
            marks: Marks::default(),
            last: None,
            bytes: Vec::new(),
        }
    }

    /// What [`Redactor::redact`] masks, in order, with offsets in bytes.
    pub fn marks(&self, text: &[u8]) -> Vec<Mark> {
        let engine = self.live().engine();
        let mut marks = Marks::default();
        let mut machine = Machine::default();
        machine.push(&engine, text, &mut marks);
        machine.finish(&engine, &mut marks);
        marks.found
    }

    /// What is written in place of a secret.
    pub fn mask(&self, rule: RuleId, quoted: bool) -> String {
        let mut mask = Vec::new();
        write_mask(&self.live().engine(), rule, quoted, &mut |bytes: &[u8]| {
            mask.extend_from_slice(bytes);
        });
        String::from_utf8_lossy(&mask).into_owned()
    }
}

/// Finds in UTF-16 what [`Redactor::scan`] finds in the same text as UTF-8.
///
/// A surrogate without its other half counts as U+FFFD. Pieces are not cut between two halves.
pub struct Utf16Scanner {
    live: Arc<Live>,
    /// At least as new as `generation`; the same for all of a text.
    engine: Arc<Engine>,
    generation: u64,
    /// A piece of the text was taken.
    begun: bool,
    machine: Machine,
    places: Places,
    marks: Marks,
    /// The last mark in units: its secret may go on.
    last: Option<Mark>,
    /// Scratch space for a piece as UTF-8.
    bytes: Vec<u8>,
}

impl fmt::Debug for Utf16Scanner {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Utf16Scanner").finish_non_exhaustive()
    }
}

impl Utf16Scanner {
    /// Takes the next units and hands on the marks that are decided, in order.
    pub fn push(&mut self, units: &[u16], sink: &mut impl FnMut(Mark)) {
        self.begin();
        self.places.read(units, &mut self.bytes);
        self.machine.push(&self.engine, &self.bytes, &mut self.marks);
        self.settle(sink);
    }

    /// The same for units that were made UTF-8 elsewhere; a mark's offsets are in units all the same.
    pub fn push_str(&mut self, text: &str, sink: &mut impl FnMut(Mark)) {
        self.begin();
        self.places.skip(text);
        self.machine.push(&self.engine, text.as_bytes(), &mut self.marks);
        self.settle(sink);
    }

    fn begin(&mut self) {
        if !self.begun {
            self.live.refresh(&mut self.engine, &mut self.generation);
            self.begun = true;
        }
    }

    /// Ends the text: hands on the other marks and is as new.
    pub fn finish(&mut self, sink: &mut impl FnMut(Mark)) {
        self.machine.finish(&self.engine, &mut self.marks);
        self.begun = false;
        self.settle(sink);
        self.last.take().into_iter().for_each(sink);
        self.places = Places::default();
        self.marks = Marks::default();
    }

    fn settle(&mut self, sink: &mut impl FnMut(Mark)) {
        if let (Some(last), Some(end)) = (&mut self.last, self.marks.extended.take()) {
            last.end = self.places.unit(end);
        }
        for mark in self.marks.found.drain(..) {
            let start = self.places.unit(mark.start);
            let end = self.places.unit(mark.end);
            self.last.replace(Mark { start, end, ..mark }).into_iter().for_each(&mut *sink);
        }
        // Nobody asks again for what lies before.
        self.places.unit(self.marks.position);
    }
}

/// Marks in bytes.
#[derive(Default)]
pub(crate) struct Marks {
    pub(crate) found: Vec<Mark>,
    position: usize,
    /// End of the last mark.
    end: usize,
    /// Rule of the last mark.
    rule: Option<RuleId>,
    /// New end of the last mark that was taken out of `found`.
    extended: Option<usize>,
}

impl Output for Marks {
    fn keep(&mut self, bytes: &[u8]) {
        self.position += bytes.len();
    }

    fn mask(&mut self, rule: RuleId, removed: usize, quoted: bool) {
        self.rule = Some(rule);
        self.add(Mark {
            rule,
            start: self.position,
            end: self.position + removed,
            quoted,
            continues: false,
        });
    }

    fn remove(&mut self, removed: usize) {
        let Some(rule) = self.rule.filter(|_| removed > 0) else { return };
        let (start, end) = (self.position, self.position + removed);
        if start > self.end {
            return self.add(Mark { rule, start, end, quoted: false, continues: true });
        }
        (self.position, self.end) = (end, end);
        match self.found.last_mut() {
            Some(last) => last.end = end,
            None => self.extended = Some(end),
        }
    }
}

impl Marks {
    fn add(&mut self, mark: Mark) {
        (self.position, self.end) = (mark.end, mark.end);
        self.found.push(mark);
    }
}
