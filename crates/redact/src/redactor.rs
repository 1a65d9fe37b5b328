//! The public API: redaction of a whole text and of a stream, with a shared engine.

use std::fmt;
use std::sync::Arc;

use crate::counts::Counts;
use crate::engine::Engine;
use crate::error::Error;
use crate::live::SharedEngine;
use crate::names::RuleNames;
use crate::options::Options;
use crate::scanner::{Finding, Mark};
use crate::span::RuleId;
use crate::stream::write::{CopyOutput, Writer, write_mask};
use crate::stream::{LastWord, Pipeline};
use crate::wrapped::MIN_CUT_LITERAL_BYTES;

/// Finds and masks secrets. Clones share the compiled rules, and the secrets that are added later.
#[derive(Clone)]
pub struct Redactor {
    live: Arc<SharedEngine>,
    names: Arc<RuleNames>,
}

/// Which ends of a text were cut out of a longer one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// Whether text before its start was cut off.
    pub start: bool,
    /// Whether text after its end was cut off.
    pub end: bool,
}

impl fmt::Debug for Redactor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Redactor").finish_non_exhaustive()
    }
}

impl Redactor {
    /// Compiles the options. Fails when a pattern, secret, substring or rule id cannot be used.
    pub fn new(options: Options) -> Result<Self, Error> {
        let engine = Engine::new(options)?;
        let names = Arc::clone(engine.names());
        Ok(Self { live: Arc::new(SharedEngine::new(engine)), names })
    }

    /// Adds a known value as if it had been among [`Options::secrets`]. It is masked in every text from now on, in all
    /// clones, and in the text that streams still hold at their next call. Text that streams have written already does
    /// not change. Adding a value again changes nothing. Fails like [`Redactor::new`], and changes nothing then.
    pub fn add_secret(&self, name: &str, value: &str) -> Result<(), Error> {
        self.live.add_secret(name, value)
    }

    /// Has values masked everywhere that were masked in one text, as if they were known values. Only those are learned that
    /// look random: a word behind `password=` is a word elsewhere. Of more than [`crate::MAX_LEARNED_SECRETS`] values, or
    /// [`crate::MAX_LEARNED_BYTES`], the oldest are forgotten. Returns whether texts may be masked differently now. It costs
    /// about as much as [`Redactor::add_secret`] then, for all values together, and else next to nothing.
    pub fn learn<'v>(&self, values: impl Iterator<Item = &'v str>) -> bool {
        self.live.learn(values)
    }

    /// Notes about entries of rule files that have no effect here, each with its place.
    pub fn rule_notes(&self) -> Arc<[String]> {
        Arc::clone(self.live.engine().notes())
    }

    /// A number that grows whenever secrets are added or learned.
    pub fn generation(&self) -> u64 {
        self.live.generation()
    }

    /// Whether there is nothing to search for, so that every text stays unchanged.
    pub fn is_passthrough(&self) -> bool {
        self.live.engine().is_passthrough()
    }

    /// The text with its secrets masked. `None` if it has no secrets.
    pub fn redact(&self, text: &[u8]) -> Option<Vec<u8>> {
        self.redact_text(text, false).0
    }

    /// Like [`Redactor::redact`]. Also returns how many bytes were read, counting each again that was read again.
    #[doc(hidden)]
    pub fn redact_counted(&self, text: &[u8]) -> (Option<Vec<u8>>, u64) {
        self.redact_text(text, false)
    }

    fn redact_text(&self, text: &[u8], is_cut: bool) -> (Option<Vec<u8>>, u64) {
        let engine = self.live.engine();
        let mut output = CopyOutput { engine: &engine, input: text, unchanged: 0, redacted: None };
        let mut pipeline = Pipeline::default();
        pipeline.push(&engine, text, &mut output);
        if is_cut {
            pipeline.finish_cut(&engine, &mut output);
        } else {
            pipeline.finish(&engine, &mut output);
        }
        (output.redacted, pipeline.steps())
    }

    /// Like [`Redactor::redact`], for a text that was cut out of a longer one. A text that may be the second part of a
    /// known value at the start, or the first part of one at the end, is masked too, if `cut` says that the text was
    /// cut there. Parts of fewer than four bytes are not masked.
    pub fn redact_cut(&self, text: &[u8], cut: Cut) -> Option<Vec<u8>> {
        let engine = self.live.engine();
        let ended =
            if cut.start { engine.literal_cut_at_start(text, MIN_CUT_LITERAL_BYTES) } else { None };
        let Some(start) = ended else { return self.redact_text(text, cut.end).0 };
        let rest = &text[start..];
        let mut redacted = Vec::with_capacity(text.len());
        let mut sink = |bytes: &[u8]| redacted.extend_from_slice(bytes);
        write_mask(&engine, engine.names().known_value(), false, &mut sink);
        sink(self.redact_text(rest, cut.end).0.as_deref().unwrap_or(rest));
        Some(redacted)
    }

    /// The secrets of a text, in order and without overlaps.
    pub fn scan(&self, text: &[u8]) -> Vec<Finding> {
        let mut findings: Vec<Finding> = Vec::new();
        for Mark { rule, start, end, continues, .. } in self.marks(text) {
            match findings.last_mut().filter(|_| continues) {
                Some(last) => last.end = end,
                None => findings.push(Finding { rule, start, end }),
            }
        }
        findings
    }

    pub(crate) fn live(&self) -> &Arc<SharedEngine> {
        &self.live
    }

    /// The id of a rule.
    pub fn rule_name(&self, rule: RuleId) -> &str {
        self.names.name(rule)
    }

    /// A redactor for a text that arrives in pieces.
    pub fn stream(&self) -> RedactStream {
        RedactStream {
            generation: self.live.generation(),
            engine: self.live.engine(),
            live: Arc::clone(&self.live),
            pipeline: Pipeline::default(),
            counts: Counts::default(),
        }
    }

    /// Like [`Self::stream`], for the output of a command that prints a secret alone: each line of one word is masked,
    /// whatever it looks like.
    pub fn stream_of_secret(&self) -> RedactStream {
        let stream = self.stream();
        let pipeline = Pipeline::of_secret(stream.engine.names().printed_secret());
        RedactStream { pipeline, ..stream }
    }
}

/// Redacts a text that arrives in pieces. The result is the same as that of [`Redactor::redact`] for the whole text.
///
/// An unfinished line is held until it ends or reaches [`crate::WINDOW_BYTES`].
pub struct RedactStream {
    live: Arc<SharedEngine>,
    /// At least as new as `generation`.
    engine: Arc<Engine>,
    generation: u64,
    pipeline: Pipeline,
    counts: Counts,
}

impl fmt::Debug for RedactStream {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("RedactStream")
            .field("findings", &self.findings())
            .finish_non_exhaustive()
    }
}

impl RedactStream {
    /// Takes the next bytes, and writes the text that is decided.
    pub fn push(&mut self, input: &[u8], sink: &mut impl FnMut(&[u8])) {
        let (pipeline, engine, mut output) = self.begin(sink);
        pipeline.push(engine, input, &mut output);
    }

    /// Writes as much of the unfinished line as can be shown before it ends. It is called when nothing has arrived for
    /// a while, for example 100 ms: a program may wait for an answer to its prompt.
    ///
    /// This is the text before the last word, and also that word if it consists of letters and then a mark such as `:`
    /// or `?`. Text from a trigger on that a masked value may follow is not shown. All of `password: ` is shown,
    /// because a mask never begins before the value. Nothing is shown of a possible beginning of a known value, of a
    /// line over 4 KiB, inside a private key, after a line that may end inside a known value, or if a user's pattern
    /// matches blanks. The whole line is redacted as usual when it ends.
    pub fn idle(&mut self, sink: &mut impl FnMut(&[u8])) {
        let (pipeline, engine, mut output) = self.begin(sink);
        pipeline.idle(engine, &mut output);
    }

    /// How many bytes of `line` [`Self::idle`] would write if it were the next, unfinished line.
    pub fn showable(&self, line: &[u8]) -> usize {
        let engine = self.live.engine();
        self.pipeline.showable(&engine, line, LastWord::Held)
    }

    /// The text that can be shown now of a program that has paused after `rest`: what [`Self::push`] with `rest` and then
    /// [`Self::idle`] would write, and a line that has ended and is held, because the known value at its end may go on
    /// in the next one. With [`LastWord::IfPlain`] the last word of an unfinished line is shown too, where it does not
    /// look like the beginning of a secret. Nothing changes.
    pub fn paused(&self, rest: &[u8], last_word: LastWord) -> Vec<u8> {
        if self.live.generation() == self.generation && self.pipeline.is_at_line_start() {
            return rest[..self.pipeline.showable(&self.engine, rest, last_word)].to_vec();
        }
        let mut text = Vec::new();
        let mut sink = |bytes: &[u8]| text.extend_from_slice(bytes);
        let mut trial = self.trial();
        trial.push(rest, &mut sink);
        let RedactStream { pipeline, engine, mut counts, .. } = trial;
        let mut output = Writer { engine: &engine, sink, counts: &mut counts };
        pipeline.pause(&engine, last_word, &mut output);
        text
    }

    /// The text that [`Self::push`] with `rest` and then [`Self::finish_cut`] would write now. Nothing changes. It serves
    /// for a text that has stopped and has to be shown before it is known whether more follows.
    pub fn peek(&self, rest: &[u8]) -> Vec<u8> {
        let mut ended = self.trial();
        let mut text = Vec::new();
        ended.push(rest, &mut |bytes| text.extend_from_slice(bytes));
        ended.finish_cut(&mut |bytes| text.extend_from_slice(bytes));
        text
    }

    /// A stream in the same state.
    fn trial(&self) -> RedactStream {
        RedactStream {
            live: Arc::clone(&self.live),
            engine: Arc::clone(&self.engine),
            generation: self.generation,
            pipeline: self.pipeline.clone(),
            counts: Counts::default(),
        }
    }

    /// The pipeline with all secrets that were added by now, and its output.
    fn begin<'a, Sink: FnMut(&[u8])>(
        &'a mut self,
        sink: &'a mut Sink,
    ) -> (&'a mut Pipeline, &'a Engine, Writer<'a, &'a mut Sink>) {
        let changed = self.live.refresh(&mut self.engine, &mut self.generation);
        let mut output = Writer { engine: &self.engine, sink, counts: &mut self.counts };
        if changed {
            self.pipeline.change(&self.engine, &mut output);
        }
        (&mut self.pipeline, &self.engine, output)
    }

    /// Whether some text was taken that is not decided yet.
    pub fn is_holding(&self) -> bool {
        self.pipeline.is_holding()
    }

    /// Ends the text and writes the rest. The stream is as new then, except for the counts of findings.
    pub fn finish(&mut self, sink: &mut impl FnMut(&[u8])) {
        let (pipeline, engine, mut output) = self.begin(sink);
        pipeline.finish(engine, &mut output);
    }

    /// Like [`Self::finish`], for a text that may have been cut, such as the output of a program that was ended while it
    /// wrote: what may be the first part of a known value, of four bytes or more, is masked at its end too.
    pub fn finish_cut(&mut self, sink: &mut impl FnMut(&[u8])) {
        let (pipeline, engine, mut output) = self.begin(sink);
        pipeline.finish_cut(engine, &mut output);
    }

    /// The number of bytes read so far, counting each again that was read again.
    #[doc(hidden)]
    pub fn steps(&self) -> u64 {
        self.pipeline.steps()
    }

    /// The number of masks written so far.
    pub fn findings(&self) -> u64 {
        self.counts.total()
    }

    /// The rules that masked something, in the order of their numbers, with their counts. Of overlapping findings only
    /// one counts.
    pub fn counts(&self) -> impl Iterator<Item = (RuleId, u64)> + '_ {
        self.counts.iter()
    }
}
