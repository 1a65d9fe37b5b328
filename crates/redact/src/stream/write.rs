//! Writing the result: to a sink, or to a copy that is made only if it is needed.

use crate::counts::Counts;
use crate::engine::Engine;
use crate::mask::MASK;
use crate::output::Output;
use crate::span::{RuleId, Span};
use crate::wrapped::{Overlay, Pieces};

/// The output of the lines. It also masks parts of known values, and does not write again what is written already.
pub(crate) struct Target<'a, Inner> {
    pub(super) engine: &'a Engine,
    overlay: Overlay<'a, Inner>,
    /// How many of the next bytes were already written, while their line was unfinished.
    shown: usize,
}

impl<'a, Inner: Output> Target<'a, Inner> {
    pub(super) fn new(engine: &'a Engine, pieces: &'a mut Pieces, inner: &'a mut Inner) -> Self {
        let rule = engine.names().known_value();
        Self { engine, overlay: Overlay { pieces, rule, inner }, shown: 0 }
    }

    /// Says that the next `shown` bytes are written already.
    pub(super) fn skip(&mut self, shown: usize) {
        self.shown = shown;
    }

    /// How many of the next `length` bytes are not written yet.
    fn pass(&mut self, length: usize) -> usize {
        let shown = self.shown.min(length);
        self.shown -= shown;
        length - shown
    }
}

impl<Inner: Output> Output for Target<'_, Inner> {
    fn keep(&mut self, bytes: &[u8]) {
        let left = self.pass(bytes.len());
        self.overlay.keep(&bytes[bytes.len() - left..]);
    }

    fn mask(&mut self, rule: RuleId, removed: usize, quoted: bool) {
        let left = self.pass(removed);
        if left > 0 {
            self.overlay.mask(rule, left, quoted);
        }
    }

    fn remove(&mut self, removed: usize) {
        let left = self.pass(removed);
        self.overlay.remove(left);
    }
}

/// Writes `text` with a mask for each span.
pub(super) fn emit(text: &[u8], spans: &[Span], output: &mut impl Output) {
    let mut at = 0;
    for span in spans {
        let (start, end) = (span.start.max(at), span.end.min(text.len()));
        if start < end {
            output.keep(&text[at..start]);
            output.mask(span.rule, end - start, span.quoted);
            at = end;
        }
    }
    output.keep(&text[at..]);
}

/// An output that writes the text and its masks to a sink.
pub(crate) struct Writer<'a, Sink> {
    pub(crate) engine: &'a Engine,
    pub(crate) sink: Sink,
    pub(crate) counts: &'a mut Counts,
}

impl<Sink: FnMut(&[u8])> Output for Writer<'_, Sink> {
    fn keep(&mut self, bytes: &[u8]) {
        if !bytes.is_empty() {
            (self.sink)(bytes);
        }
    }

    fn mask(&mut self, rule: RuleId, _removed: usize, quoted: bool) {
        self.counts.add(rule);
        write_mask(self.engine, rule, quoted, &mut self.sink);
    }

    fn remove(&mut self, _removed: usize) {}
}

/// An output that builds a redacted copy. The copy does not exist before the first finding.
pub(crate) struct CopyOutput<'a> {
    pub(crate) engine: &'a Engine,
    pub(crate) input: &'a [u8],
    /// The number of input bytes seen so far, while there is no copy.
    pub(crate) unchanged: usize,
    pub(crate) redacted: Option<Vec<u8>>,
}

impl Output for CopyOutput<'_> {
    fn keep(&mut self, bytes: &[u8]) {
        match &mut self.redacted {
            Some(copy) => copy.extend_from_slice(bytes),
            None => self.unchanged += bytes.len(),
        }
    }

    fn mask(&mut self, rule: RuleId, _removed: usize, quoted: bool) {
        let copy = self.redacted.get_or_insert_with(|| {
            let mut copy = Vec::with_capacity(self.input.len() + self.input.len() / 16 + 64);
            copy.extend_from_slice(&self.input[..self.unchanged]);
            copy
        });
        write_mask(self.engine, rule, quoted, &mut |bytes| copy.extend_from_slice(bytes));
    }

    fn remove(&mut self, _removed: usize) {}
}

pub(crate) fn write_mask(
    engine: &Engine,
    rule: RuleId,
    quoted: bool,
    sink: &mut impl FnMut(&[u8]),
) {
    // A mask without label and quotes is written in one call, because a caller may pass on each call.
    match (engine.label(rule), quoted) {
        (None, false) => sink(MASK.as_bytes()),
        (None, true) => sink(format!("\"{MASK}\"").as_bytes()),
        (Some(id), false) => sink(format!("[REDACTED:{id}]").as_bytes()),
        (Some(id), true) => sink(format!("\"[REDACTED:{id}]\"").as_bytes()),
    }
}
