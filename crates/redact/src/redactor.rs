//! The public face: one-shot and streaming redaction over a shared engine.

use std::fmt;
use std::sync::Arc;

use crate::counts::Counts;
use crate::engine::Engine;
use crate::error::Error;
use crate::live::Live;
use crate::names::Names;
use crate::options::Options;
use crate::scanner::{Finding, Mark};
use crate::span::RuleId;
use crate::stream::Machine;
use crate::stream::write::{Copy, Writer, write_mask};

/// Finds and masks secrets. Cloning shares the compiled rules, and the secrets that are added later.
#[derive(Clone)]
pub struct Redactor {
    live: Arc<Live>,
    names: Arc<Names>,
}

/// Where a text was cut out of a longer one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// Something came before it.
    pub start: bool,
    /// Something came behind it.
    pub end: bool,
}

/// Shortest part of a known value that is masked where a text was cut.
const HALF_BYTES: usize = 4;

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
        Ok(Self { live: Arc::new(Live::new(engine)), names })
    }

    /// Masks one more known value, as if it had been among [`Options::secrets`]: in every text from now on, in all clones,
    /// and in what streams hold at their next call. What they have handed on already is out. Adding a value again
    /// changes nothing. Fails as [`Redactor::new`] does, and then changes nothing either.
    pub fn add_secret(&self, name: &str, value: &str) -> Result<(), Error> {
        self.live.add_secret(name, value)
    }

    /// What the rule files say that means nothing here or is left out, each with its place.
    pub fn rule_notes(&self) -> Arc<[String]> {
        Arc::clone(self.live.engine().notes())
    }

    /// A number that grows with each secret that is added.
    pub fn generation(&self) -> u64 {
        self.live.generation()
    }

    /// True when there is nothing to look for, so that every text passes unchanged.
    pub fn is_passthrough(&self) -> bool {
        self.live.engine().is_passthrough()
    }

    /// The text with its secrets masked; `None` when it has none.
    pub fn redact(&self, text: &[u8]) -> Option<Vec<u8>> {
        self.redact_in(text, Vec::with_capacity)
    }

    /// The same, with how many bytes were read in all, those read again each time: what its time grows with.
    #[doc(hidden)]
    pub fn redact_counted(&self, text: &[u8]) -> (Option<Vec<u8>>, u64) {
        self.redact_text(text, Vec::with_capacity)
    }

    /// The same in a vector that `allocate` makes for at least as many bytes as it is told. It is called at the first
    /// finding: for a long text, getting fresh memory page by page takes longer than the search.
    pub fn redact_in(&self, text: &[u8], allocate: impl Fn(usize) -> Vec<u8>) -> Option<Vec<u8>> {
        self.redact_text(text, allocate).0
    }

    fn redact_text(
        &self,
        text: &[u8],
        allocate: impl Fn(usize) -> Vec<u8>,
    ) -> (Option<Vec<u8>>, u64) {
        let engine = self.live.engine();
        let mut output =
            Copy { engine: &engine, input: text, allocate, unchanged: 0, redacted: None };
        let mut machine = Machine::default();
        machine.push(&engine, text, &mut output);
        machine.finish(&engine, &mut output);
        (output.redacted, machine.steps())
    }

    /// The same for a text that was cut out of a longer one: what may be the second half of a known value at its beginning, or
    /// the first half of one at its end, is masked as well, if `cut` says that it was cut there. Halves of fewer than four
    /// bytes say nothing.
    pub fn redact_cut(&self, text: &[u8], cut: Cut) -> Option<Vec<u8>> {
        let engine = self.live.engine();
        let begun = if cut.end { engine.begun_literal(text, HALF_BYTES) } else { None };
        let ended = if cut.start { engine.ended_literal(text, HALF_BYTES) } else { None };
        if begun.is_none() && ended.is_none() {
            return self.redact(text);
        }
        let start = ended.unwrap_or(0);
        let end = begun.unwrap_or(text.len()).max(start);
        let mut redacted = Vec::with_capacity(text.len());
        let mask = |redacted: &mut Vec<u8>| {
            let mut sink = |bytes: &[u8]| redacted.extend_from_slice(bytes);
            write_mask(&engine, engine.names().known_value(), false, &mut sink);
        };
        if start > 0 {
            mask(&mut redacted);
        }
        let between = &text[start..end];
        redacted.extend_from_slice(&self.redact(between).unwrap_or_else(|| between.to_vec()));
        if end < text.len() {
            mask(&mut redacted);
        }
        Some(redacted)
    }

    /// Where the secrets of a text are, in order and without overlaps.
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

    pub(crate) fn live(&self) -> &Arc<Live> {
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
            machine: Machine::default(),
            counts: Counts::default(),
        }
    }
}

/// Redacts a text that arrives in pieces. The result is that of [`Redactor::redact`] on the whole.
///
/// An unfinished line is held until it ends or reaches [`crate::WINDOW_BYTES`].
pub struct RedactStream {
    live: Arc<Live>,
    /// At least as new as `generation`.
    engine: Arc<Engine>,
    generation: u64,
    machine: Machine,
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
    /// Takes the next bytes and hands on what is decided.
    pub fn push(&mut self, input: &[u8], sink: &mut impl FnMut(&[u8])) {
        let (machine, engine, mut output) = self.begin(sink);
        machine.push(engine, input, &mut output);
    }

    /// Hands on as much of the unfinished line as can be shown before it ends. To be called when nothing came for a while,
    /// say 100 ms: a program may wait for an answer to its prompt.
    ///
    /// That is all before the last word, and that word too when it is letters with a mark such as `:` or `?` behind them;
    /// but nothing from a trigger on behind which a value may be masked. Of `password: ` all is shown: a mask never begins
    /// before the value. Nothing is shown of what may be the beginning of a known value, of a line over 4 KiB, inside a
    /// private key, behind a line that may end within a known value, or with a user's pattern that matches blanks. The line
    /// is redacted as a whole all the same.
    pub fn idle(&mut self, sink: &mut impl FnMut(&[u8])) {
        let (machine, engine, mut output) = self.begin(sink);
        machine.idle(engine, &mut output);
    }

    /// How many bytes of `line`, were it the next and unfinished one, [`Self::idle`] would hand on.
    pub fn showable(&self, line: &[u8]) -> usize {
        let engine = self.live.engine();
        self.machine.showable(&engine, line)
    }

    /// What [`Self::push`] of `rest` and [`Self::finish`] would hand on now; nothing changes. For a text that stands still and
    /// has to be told before it is known whether it goes on.
    pub fn peek(&self, rest: &[u8]) -> Vec<u8> {
        let mut ended = RedactStream {
            live: Arc::clone(&self.live),
            engine: Arc::clone(&self.engine),
            generation: self.generation,
            machine: self.machine.clone(),
            counts: Counts::default(),
        };
        let mut text = Vec::new();
        ended.push(rest, &mut |bytes| text.extend_from_slice(bytes));
        ended.finish(&mut |bytes| text.extend_from_slice(bytes));
        text
    }

    /// The machine, with the secrets that were added meanwhile, and where it writes.
    fn begin<'a, Sink: FnMut(&[u8])>(
        &'a mut self,
        sink: &'a mut Sink,
    ) -> (&'a mut Machine, &'a Engine, Writer<'a, &'a mut Sink>) {
        let changed = self.live.refresh(&mut self.engine, &mut self.generation);
        let mut output = Writer { engine: &self.engine, sink, counts: &mut self.counts };
        if changed {
            self.machine.change(&self.engine, &mut output);
        }
        (&mut self.machine, &self.engine, output)
    }

    /// Whether something was taken that is not decided yet.
    pub fn is_holding(&self) -> bool {
        self.machine.is_holding()
    }

    /// Ends the text: hands on the rest and is as new, but for the counts of findings.
    pub fn finish(&mut self, sink: &mut impl FnMut(&[u8])) {
        let (machine, engine, mut output) = self.begin(sink);
        machine.finish(engine, &mut output);
    }

    /// Bytes read so far, those read again each time: what the time grows with.
    #[doc(hidden)]
    pub fn steps(&self) -> u64 {
        self.machine.steps()
    }

    /// Masks written so far.
    pub fn findings(&self) -> u64 {
        self.counts.total()
    }

    /// Rules that masked something, by number, with how often. Of findings that overlap only one counts.
    pub fn counts(&self) -> impl Iterator<Item = (RuleId, u64)> + '_ {
        self.counts.iter()
    }
}
