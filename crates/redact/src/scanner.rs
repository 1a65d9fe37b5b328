//! Finding secrets in UTF-16 text that arrives in pieces, with offsets in UTF-16 units.

use std::fmt;
use std::sync::Arc;

use crate::engine::Engine;
use crate::live::SharedEngine;
use crate::output::Output;
use crate::redactor::Redactor;
use crate::span::RuleId;
use crate::stream::Pipeline;
use crate::stream::write::write_mask;
use crate::utf16::Offsets;
use crate::wrapped::MIN_CUT_LITERAL_BYTES;

/// A secret that was found in the bytes `start..end` of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule that found it; of several that overlap, the one that begins first.
    pub rule: RuleId,
    /// The offset of its first byte.
    pub start: usize,
    /// The offset after its last byte.
    pub end: usize,
}

/// A part of a text that has to be masked. Offsets are UTF-16 units in marks of a [`Utf16Scanner`], and bytes in those
/// of [`Redactor::marks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The rule that found it; of several that overlap, the one that begins first.
    pub rule: RuleId,
    /// The offset of its first unit.
    pub start: usize,
    /// The offset after its last unit.
    pub end: usize,
    /// Whether the mask needs quotes for a document to remain valid JSON.
    pub quoted: bool,
    /// Whether it belongs to the secret of the mark before it, with text that is kept in between. It is removed and
    /// gets no mask of its own.
    pub continues: bool,
}

impl Redactor {
    /// Makes a scanner for UTF-16 text.
    pub fn utf16_scanner(&self) -> Utf16Scanner {
        Utf16Scanner {
            generation: self.live().generation(),
            engine: self.live().engine(),
            live: Arc::clone(self.live()),
            begun: false,
            pipeline: Pipeline::default(),
            places: Offsets::default(),
            marks: MarkCollector::default(),
            last: None,
            bytes: Vec::new(),
        }
    }

    /// The parts of a text that [`Redactor::redact`] masks, in order, with offsets in bytes.
    pub fn marks(&self, text: &[u8]) -> Vec<Mark> {
        let engine = self.live().engine();
        let mut marks = MarkCollector::default();
        let mut pipeline = Pipeline::default();
        pipeline.push(&engine, text, &mut marks);
        pipeline.finish(&engine, &mut marks);
        marks.found
    }

    /// The first part of a known value, of four bytes or more, with which a text ends that may go on.
    pub fn begun_mark(&self, text: &[u8]) -> Option<Mark> {
        let engine = self.live().engine();
        let start = engine.literal_cut_at_end(text, MIN_CUT_LITERAL_BYTES)?;
        let rule = engine.names().known_value();
        Some(Mark { rule, start, end: text.len(), quoted: false, continues: false })
    }

    /// The text that is written in place of a secret.
    pub fn mask(&self, rule: RuleId, quoted: bool) -> String {
        let mut mask = Vec::new();
        write_mask(&self.live().engine(), rule, quoted, &mut |bytes: &[u8]| {
            mask.extend_from_slice(bytes);
        });
        String::from_utf8_lossy(&mask).into_owned()
    }
}

/// Finds in UTF-16 text what [`Redactor::scan`] finds in the same text in UTF-8.
///
/// A surrogate without its other half counts as U+FFFD. A piece must not end between two halves.
pub struct Utf16Scanner {
    live: Arc<SharedEngine>,
    /// At least as new as `generation`. It stays the same for one text.
    engine: Arc<Engine>,
    generation: u64,
    /// Whether a piece of the text was taken.
    begun: bool,
    pipeline: Pipeline,
    places: Offsets,
    marks: MarkCollector,
    /// The last mark, in units. Its secret may continue.
    last: Option<Mark>,
    /// A buffer for a piece in UTF-8.
    bytes: Vec<u8>,
}

impl fmt::Debug for Utf16Scanner {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Utf16Scanner").finish_non_exhaustive()
    }
}

impl Utf16Scanner {
    /// Takes the next units, and gives the marks that are decided to `sink`, in order.
    pub fn push(&mut self, units: &[u16], sink: &mut impl FnMut(Mark)) {
        self.begin();
        self.places.read(units, &mut self.bytes);
        self.pipeline.push(&self.engine, &self.bytes, &mut self.marks);
        self.hand_on_marks(sink);
    }

    /// Like [`Self::push`], for text that is UTF-8 already. The offsets of marks are in UTF-16 units all the same.
    pub fn push_str(&mut self, text: &str, sink: &mut impl FnMut(Mark)) {
        self.begin();
        self.places.skip(text);
        self.pipeline.push(&self.engine, text.as_bytes(), &mut self.marks);
        self.hand_on_marks(sink);
    }

    fn begin(&mut self) {
        if !self.begun {
            self.live.refresh(&mut self.engine, &mut self.generation);
            self.begun = true;
        }
    }

    /// Ends the text and gives the remaining marks to `sink`. The scanner is as new then.
    pub fn finish(&mut self, sink: &mut impl FnMut(Mark)) {
        self.pipeline.finish(&self.engine, &mut self.marks);
        self.begun = false;
        self.hand_on_marks(sink);
        self.last.take().into_iter().for_each(sink);
        self.places = Offsets::default();
        self.marks = MarkCollector::default();
    }

    fn hand_on_marks(&mut self, sink: &mut impl FnMut(Mark)) {
        if let (Some(last), Some(end)) = (&mut self.last, self.marks.extended.take()) {
            last.end = self.places.unit(end);
        }
        for mark in self.marks.found.drain(..) {
            let start = self.places.unit(mark.start);
            let end = self.places.unit(mark.end);
            self.last.replace(Mark { start, end, ..mark }).into_iter().for_each(&mut *sink);
        }
        // Offsets before this are not needed again.
        self.places.unit(self.marks.position);
    }
}

/// An output that collects marks, in bytes.
#[derive(Default)]
pub(crate) struct MarkCollector {
    pub(crate) found: Vec<Mark>,
    position: usize,
    /// The end of the last mark.
    end: usize,
    /// The rule of the last mark.
    rule: Option<RuleId>,
    /// The new end of the last mark, if that was taken out of `found`.
    extended: Option<usize>,
}

impl Output for MarkCollector {
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

impl MarkCollector {
    fn add(&mut self, mark: Mark) {
        (self.position, self.end) = (mark.end, mark.end);
        self.found.push(mark);
    }
}
