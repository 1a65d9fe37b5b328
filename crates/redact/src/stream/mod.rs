//! The streaming machine: known values that are broken over lines, then the lines, then their result.

mod lines;
mod pause;
pub(crate) mod write;

use crate::engine::Engine;
use crate::output::Output;
use crate::wrapped::{Pieces, Stage};
use lines::Lines;
use write::Target;

/// The state between two pieces of input.
#[derive(Clone, Default)]
pub(crate) struct Machine {
    /// Waits behind a line that may end within a known value.
    stage: Stage,
    lines: Lines,
    /// Parts of known values that `stage` found and `lines` has not emitted yet.
    pieces: Pieces,
    /// Bytes given to `lines`.
    given: u64,
}

impl Machine {
    pub(crate) fn push(&mut self, engine: &Engine, input: &[u8], output: &mut impl Output) {
        let Self { stage, lines, pieces, given } = self;
        // Both look at each byte of it once, besides what the lines are searched for.
        lines.steps += input.len() as u64;
        let mut give = give(engine, lines, given, output);
        match engine.wraps() {
            Some(wraps) => stage.push(wraps, input, pieces, &mut give),
            None => give(pieces, input),
        }
    }

    pub(crate) fn finish(&mut self, engine: &Engine, output: &mut impl Output) {
        let Self { stage, lines, pieces, given } = self;
        stage.finish(pieces, &mut give(engine, lines, given, output));
        lines.finish(&mut Target::new(engine, pieces, output));
        let steps = self.steps();
        *self = Self::default();
        self.lines.steps = steps;
    }

    /// Bytes read since the machine was made, those read again each time.
    pub(crate) fn steps(&self) -> u64 {
        self.lines.steps
    }

    /// Nothing came for a while: emits what of the unfinished line is not masked, however the line goes on.
    pub(crate) fn idle(&mut self, engine: &Engine, output: &mut impl Output) {
        if !self.stage.is_crossing() {
            let piece = self.pieces.next();
            self.lines.pause(piece, &mut Target::new(engine, &mut self.pieces, output));
        }
    }

    /// How much of `line` [`Self::idle`] would emit, were it the next and unfinished one.
    pub(crate) fn showable(&self, engine: &Engine, line: &[u8]) -> usize {
        if self.stage.is_crossing() { 0 } else { self.lines.showable(engine, line) }
    }

    /// Another set of values is searched for from here on: what was not emitted is looked at again.
    pub(crate) fn change(&mut self, engine: &Engine, output: &mut impl Output) {
        let held = self.stage.take_held();
        self.stage = Stage::after(self.given, self.lines.unfinished());
        self.push(engine, &held, output);
    }

    pub(crate) fn is_holding(&self) -> bool {
        !self.lines.unfinished().is_empty() || self.stage.is_holding()
    }
}

fn give<'a>(
    engine: &'a Engine,
    lines: &'a mut Lines,
    given: &'a mut u64,
    output: &'a mut impl Output,
) -> impl FnMut(&mut Pieces, &[u8]) {
    move |pieces, bytes| {
        *given += bytes.len() as u64;
        lines.push(bytes, &mut Target::new(engine, pieces, output));
    }
}
