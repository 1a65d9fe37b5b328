//! The whole way of a text: the stage for broken values, the machine proper, and the pieces masked on its output.

use std::num::NonZeroU16;

use crate::core::{Core, Target};
use crate::engine::Engine;
use crate::output::Output;
use crate::wrapped::{Pieces, Stage};

/// The state between two pieces of input.
#[derive(Clone)]
pub(crate) struct Machine {
    core: Core,
    /// Of the terminal that the text was written for.
    columns: Option<NonZeroU16>,
    stage: Stage,
    pieces: Pieces,
    /// Bytes given to `core`.
    given: u64,
}

impl Machine {
    pub(crate) fn new(columns: Option<NonZeroU16>) -> Self {
        Self {
            core: Core::new(columns),
            columns,
            stage: Stage::default(),
            pieces: Pieces::default(),
            given: 0,
        }
    }

    pub(crate) fn push(&mut self, engine: &Engine, input: &[u8], output: &mut impl Output) {
        let Self { core, stage, pieces, given, .. } = self;
        let mut give = give(engine, core, given, output);
        match engine.wraps() {
            Some(wraps) => stage.push(wraps, input, pieces, &mut give),
            None => give(pieces, input),
        }
    }

    pub(crate) fn finish(&mut self, engine: &Engine, output: &mut impl Output) {
        let Self { core, stage, pieces, given, .. } = self;
        stage.finish(pieces, &mut give(engine, core, given, output));
        core.finish(engine, &mut Target { pieces, output });
        *self = Self::new(self.columns);
    }

    /// Nothing came for a while: emits of the unfinished line what no end of it would mask.
    pub(crate) fn idle(&mut self, engine: &Engine, output: &mut impl Output) {
        if !self.stage.is_crossing() {
            self.core.idle(engine, &mut Target { pieces: &mut self.pieces, output });
        }
    }

    /// Another set of values is searched for from here on: what was not emitted is looked at again.
    pub(crate) fn change(&mut self, engine: &Engine, output: &mut impl Output) {
        let held = self.stage.take_held();
        self.stage = Stage::after(self.given, self.core.unfinished());
        self.push(engine, &held, output);
    }

    /// How much of `line` [`Self::idle`] would emit, were it the next and unfinished one.
    pub(crate) fn showable(&self, engine: &Engine, line: &[u8]) -> usize {
        if self.stage.is_crossing() { 0 } else { self.core.showable(engine, line) }
    }

    pub(crate) fn is_holding(&self) -> bool {
        self.core.is_holding() || self.stage.is_holding()
    }
}

fn give<'a>(
    engine: &'a Engine,
    core: &'a mut Core,
    given: &'a mut u64,
    output: &'a mut impl Output,
) -> impl FnMut(&mut Pieces, &[u8]) {
    move |pieces, bytes| {
        if !bytes.is_empty() {
            *given += bytes.len() as u64;
            core.push(engine, bytes, &mut Target { pieces, output });
        }
    }
}
