//! The streaming pipeline: known values that are broken over lines, then the lines, then their output.

mod lines;
mod pause;
mod until_value;
pub(crate) mod write;

use crate::engine::Engine;
use crate::output::Output;
use crate::span::RuleId;
use crate::wrapped::{MIN_CUT_LITERAL_BYTES, Pieces, WrapStage};
use lines::Lines;
pub use pause::LastWord;
use until_value::UntilValue;
use write::Target;

/// The state between two pieces of input.
#[derive(Clone, Default)]
pub(crate) struct Pipeline {
    /// Finds known values that are broken over lines. It holds text back after a line that may end inside one.
    stage: WrapStage,
    lines: Lines,
    /// Parts of known values that `stage` has found and `lines` has not written yet.
    pieces: Pieces,
    /// The number of bytes given to `lines`.
    given_bytes: u64,
}

impl Pipeline {
    /// The state before the output of a command that prints a secret alone.
    pub(crate) fn of_secret(rule: RuleId) -> Self {
        Self { lines: Lines::of_secret(rule), ..Self::default() }
    }

    pub(crate) fn push(&mut self, engine: &Engine, input: &[u8], output: &mut impl Output) {
        let Self { stage, lines, pieces, given_bytes } = self;
        // The stage and the lines each read every byte once, besides the searches.
        lines.steps += input.len() as u64;
        let mut give = give(engine, lines, given_bytes, output);
        match engine.wraps() {
            Some(wraps) => stage.push(wraps, input, pieces, &mut give),
            None => give(pieces, input),
        }
    }

    pub(crate) fn finish(&mut self, engine: &Engine, output: &mut impl Output) {
        let Self { stage, lines, pieces, given_bytes } = self;
        stage.finish(pieces, &mut give(engine, lines, given_bytes, output));
        lines.finish(&mut Target::new(engine, pieces, output));
        let steps = self.steps();
        *self = Self::default();
        self.lines.steps = steps;
    }

    /// Ends a text that was cut: the first part of a known value, with which it may end, is masked.
    pub(crate) fn finish_cut(&mut self, engine: &Engine, output: &mut impl Output) {
        let Self { stage, lines, pieces, given_bytes } = self;
        if let Some(wraps) = engine.wraps() {
            stage.mask_begun_value(wraps, pieces);
        }
        stage.finish(pieces, &mut give(engine, lines, given_bytes, output));
        let line = lines.unfinished();
        if let Some(start) = engine.literal_cut_at_end(line, MIN_CUT_LITERAL_BYTES) {
            pieces.add(*given_bytes - (line.len() - start) as u64..*given_bytes);
        }
        self.finish(engine, output);
    }

    /// The number of bytes read since the pipeline was made, counting each again that was read again.
    pub(crate) fn steps(&self) -> u64 {
        self.lines.steps
    }

    /// Writes the part of the unfinished line that is not masked however the line continues. It is called when nothing
    /// has arrived for a while.
    pub(crate) fn idle(&mut self, engine: &Engine, output: &mut impl Output) {
        if !self.stage.is_inside_value() {
            let piece = self.pieces.next();
            self.lines.pause(
                piece,
                LastWord::Held,
                &mut Target::new(engine, &mut self.pieces, output),
            );
        }
    }

    /// How much of `line` [`Self::idle`] would write if it were the next, unfinished line.
    pub(crate) fn showable(&self, engine: &Engine, line: &[u8], last_word: LastWord) -> usize {
        if self.stage.is_inside_value() {
            return 0;
        }
        self.lines.showable(engine, line, last_word)
    }

    /// Whether nothing is held, and the next byte begins a line in which no earlier value goes on.
    pub(crate) fn is_at_line_start(&self) -> bool {
        !self.stage.is_inside_value() && !self.is_holding()
    }

    /// Writes what is decided of the text so far, if its program has paused: also of a line that has ended and is held,
    /// because the known value at its end may go on. The pipeline is of no use afterwards.
    pub(crate) fn pause(mut self, engine: &Engine, last_word: LastWord, output: &mut impl Output) {
        let Self { stage, lines, pieces, given_bytes } = &mut self;
        let Some(value) = stage.value() else {
            let piece = pieces.next();
            return lines.pause(piece, last_word, &mut Target::new(engine, pieces, output));
        };
        let held = stage.take_held();
        let Some(line_break) = memchr::memchr(b'\n', &held) else {
            // The value goes on in the current line, and no earlier part of it is held.
            let begin = usize::try_from(value.start.saturating_sub(pieces.position())).unwrap_or(0);
            let piece = pieces.next().map_or(begin, |piece| piece.min(begin));
            return lines.pause(Some(piece), last_word, &mut Target::new(engine, pieces, output));
        };
        let mut stable =
            UntilValue { position: pieces.position(), value, is_over: false, inner: output };
        give(engine, lines, given_bytes, &mut stable)(pieces, &held[..=line_break]);
    }

    /// Starts to use another engine: text that is not written yet is searched again.
    pub(crate) fn change(&mut self, engine: &Engine, output: &mut impl Output) {
        let held = self.stage.take_held();
        self.stage = WrapStage::after(self.given_bytes, self.lines.unfinished());
        self.push(engine, &held, output);
    }

    pub(crate) fn is_holding(&self) -> bool {
        !self.lines.unfinished().is_empty() || self.stage.is_holding()
    }
}

fn give<'a>(
    engine: &'a Engine,
    lines: &'a mut Lines,
    given_bytes: &'a mut u64,
    output: &'a mut impl Output,
) -> impl FnMut(&mut Pieces, &[u8]) {
    move |pieces, bytes| {
        *given_bytes += bytes.len() as u64;
        lines.push(bytes, &mut Target::new(engine, pieces, output));
    }
}
