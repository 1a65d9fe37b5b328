//! The public face: one-shot and streaming redaction over a shared engine.

use std::fmt;
use std::sync::Arc;

use crate::core::Core;
use crate::counts::Counts;
use crate::engine::Engine;
use crate::error::Error;
use crate::options::Options;
use crate::output::{Copy, Finding, List, Writer};
use crate::span::RuleId;

/// Finds and masks secrets. Cloning shares the compiled rules.
#[derive(Clone)]
pub struct Redactor {
    engine: Arc<Engine>,
}

impl fmt::Debug for Redactor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Redactor").finish_non_exhaustive()
    }
}

impl Redactor {
    /// Compiles the options. Fails when a pattern, secret, substring or rule id cannot be used.
    pub fn new(options: Options) -> Result<Self, Error> {
        Ok(Self { engine: Arc::new(Engine::new(options)?) })
    }

    /// True when there is nothing to look for, so that every text passes unchanged.
    pub fn is_passthrough(&self) -> bool {
        self.engine.is_passthrough()
    }

    /// The text with its secrets masked; `None` when it has none.
    pub fn redact(&self, text: &[u8]) -> Option<Vec<u8>> {
        self.redact_in(text, Vec::with_capacity)
    }

    /// The same in a vector that `allocate` makes for at least as many bytes as it is told. It is called at the first
    /// finding: for a long text, getting fresh memory page by page takes longer than the search.
    pub fn redact_in(&self, text: &[u8], allocate: impl Fn(usize) -> Vec<u8>) -> Option<Vec<u8>> {
        let mut output =
            Copy { engine: &self.engine, input: text, allocate, unchanged: 0, redacted: None };
        let mut core = Core::new();
        core.push(&self.engine, text, &mut output);
        core.finish(&self.engine, &mut output);
        output.redacted
    }

    /// Where the secrets of a text are, in order and without overlaps.
    pub fn scan(&self, text: &[u8]) -> Vec<Finding> {
        let mut output = List::default();
        let mut core = Core::new();
        core.push(&self.engine, text, &mut output);
        core.finish(&self.engine, &mut output);
        output.findings
    }

    pub(crate) fn engine(&self) -> &Arc<Engine> {
        &self.engine
    }

    /// The id of a rule.
    pub fn rule_name(&self, rule: RuleId) -> &str {
        self.engine.rule_name(rule)
    }

    /// A redactor for a text that arrives in pieces.
    pub fn stream(&self) -> RedactStream {
        RedactStream {
            engine: Arc::clone(&self.engine),
            core: Core::new(),
            counts: Counts::default(),
        }
    }
}

/// Redacts a text that arrives in pieces. The result is that of [`Redactor::redact`] on the whole.
///
/// An unfinished line is held until it ends or reaches [`crate::WINDOW_BYTES`].
pub struct RedactStream {
    engine: Arc<Engine>,
    core: Core,
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
        let mut output = Writer { engine: &self.engine, sink, counts: &mut self.counts };
        self.core.push(&self.engine, input, &mut output);
    }

    /// Whether something was taken that is not decided yet.
    pub fn is_holding(&self) -> bool {
        self.core.is_holding()
    }

    /// Ends the text: hands on the rest and is as new, but for the counts of findings.
    pub fn finish(&mut self, sink: &mut impl FnMut(&[u8])) {
        let mut output = Writer { engine: &self.engine, sink, counts: &mut self.counts };
        self.core.finish(&self.engine, &mut output);
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
