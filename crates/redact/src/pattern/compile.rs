//! From the text of a pattern to a machine that searches for it.

use std::fmt;
use std::sync::OnceLock;

use regex_automata::meta;
use regex_automata::nfa::thompson::WhichCaptures;
use regex_automata::util::syntax;
use regex_syntax::hir::{Class, Hir, HirKind};

/// Most memory a compiled pattern may take.
const PROGRAM_BYTES: usize = 4 << 20;

/// Most memory that those patterns of one redactor may take together that are compiled as they are given.
const EARLY_BYTES: usize = 64 << 20;

/// The same for those that are compiled when a text needs them, as it is estimated. Several hundred have
/// Unicode's letters twenty times over.
const LATE_BYTES: usize = 384 << 20;

/// Memory for the states that a search builds as it goes.
const CACHE_BYTES: usize = 1 << 20;

/// Deepest nesting of groups accepted.
const NEST_LIMIT: u32 = 64;

/// What a state of the machine takes, roughly.
const STATE_BYTES: usize = 40;

/// States for a range of characters that are more than one byte, roughly.
const RANGE_STATES: usize = 6;

/// The same where many ranges share states, as those of Unicode's letters do.
const SHARED_RANGE_STATES: usize = 2;

/// How a pattern is read.
#[derive(Clone, Copy)]
pub(crate) enum Syntax {
    /// As our engine reads it: `^` and `$` are the start and the end of the text.
    Plain,
    /// `^` and `$` are the start and the end of each line.
    Lines,
}

impl Syntax {
    fn config(self) -> syntax::Config {
        let lines = matches!(self, Self::Lines);
        syntax::Config::new().utf8(false).nest_limit(NEST_LIMIT).multi_line(lines)
    }
}

/// Why a pattern is not accepted.
pub(crate) enum Refusal {
    /// It cannot be read.
    Syntax {
        /// The character at which reading it failed.
        position: Option<usize>,
        /// What is wrong there; holds nothing of the pattern.
        reason: String,
    },
    /// It needs too much memory.
    TooLarge,
    /// It needs too much memory together with those before it.
    TooLargeTogether,
}

impl Refusal {
    pub(super) const TOO_LARGE: &'static str = "needs too much memory: lower its repetition counts";

    const TOO_LARGE_TOGETHER: &'static str =
        "needs too much memory together with those before it: lower repetition counts";

    /// The same for a pattern whose characters stand elsewhere.
    pub(crate) fn moved(self, origin: impl Fn(usize) -> usize) -> Self {
        match self {
            Self::Syntax { position, reason } => {
                Self::Syntax { position: position.map(origin), reason }
            }
            Self::TooLarge | Self::TooLargeTogether => self,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax { position: Some(position), reason } => {
                write!(formatter, "is invalid at character {position}: {reason}")
            }
            Self::Syntax { position: None, reason } => write!(formatter, "is invalid: {reason}"),
            Self::TooLarge => formatter.write_str(Self::TOO_LARGE),
            Self::TooLargeTogether => formatter.write_str(Self::TOO_LARGE_TOGETHER),
        }
    }
}

/// What the patterns of one redactor may still take together.
pub(crate) struct Budget {
    early: usize,
    /// Spent as they are read.
    late: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self { early: EARLY_BYTES, late: LATE_BYTES }
    }
}

impl Budget {
    pub(crate) fn spend(&mut self, machine: &Machine) -> Result<(), Refusal> {
        let left = if machine.early { &mut self.early } else { &mut self.late };
        *left = left.checked_sub(machine.bytes).ok_or(Refusal::TooLargeTogether)?;
        Ok(())
    }
}

/// Patterns that were accepted, searched for together.
pub(crate) struct Machine {
    patterns: Vec<String>,
    syntax: Syntax,
    /// What it takes when it is compiled, roughly.
    bytes: usize,
    /// It was compiled to know what it takes.
    early: bool,
    built: OnceLock<Option<meta::Regex>>,
    /// See [`Machine::may_match`].
    core: OnceLock<Option<meta::Regex>>,
}

impl Machine {
    /// Refuses what cannot be read or takes too much memory, and says which it is. Gives what was read as well.
    pub(crate) fn new(
        patterns: Vec<String>,
        syntax: Syntax,
    ) -> Result<(Self, Vec<Hir>), (usize, Refusal)> {
        let mut hirs = Vec::with_capacity(patterns.len());
        let (mut bytes, mut memory, mut early) = (0_usize, 0_usize, false);
        let built = OnceLock::new();
        for (index, pattern) in patterns.iter().enumerate() {
            let hir = syntax::parse_with(pattern, &syntax.config()).map_err(|error| {
                let (position, reason) = explain(pattern, &error.to_string());
                (index, Refusal::Syntax { position, reason })
            })?;
            let own = states(&hir, RANGE_STATES).saturating_mul(STATE_BYTES);
            if own > PROGRAM_BYTES && patterns.len() > 1 {
                build(&patterns[index..=index], syntax, Some(PROGRAM_BYTES))
                    .ok_or((index, Refusal::TooLarge))?;
            }
            bytes = bytes.saturating_add(own);
            let shared = states(&hir, SHARED_RANGE_STATES).saturating_mul(STATE_BYTES);
            memory = memory.saturating_add(shared);
            hirs.push(hir);
        }
        // Most are small beyond doubt. Only of the others the machine is built to know.
        if bytes > PROGRAM_BYTES {
            let machine = build(&patterns, syntax, Some(PROGRAM_BYTES));
            let last = patterns.len().saturating_sub(1);
            let machine = machine.ok_or((last, Refusal::TooLarge))?;
            memory = machine.memory_usage();
            early = true;
            let _ = built.set(Some(machine));
        }
        Ok((Self { patterns, syntax, bytes: memory, early, built, core: OnceLock::new() }, hirs))
    }

    /// None only when it cannot be built, which what was accepted can.
    pub(super) fn get(&self) -> Option<&meta::Regex> {
        // What was accepted by its size is built without a limit: it cannot fail for it.
        self.built.get_or_init(|| build(&self.patterns, self.syntax, None)).as_ref()
    }

    /// False when nothing in the text matches. A pattern that begins with something optional, as the name of a field in
    /// front of a keyword, is looked for without it first: a search that may begin at every byte has many more states.
    pub(super) fn may_match(&self, text: &[u8]) -> bool {
        let core = self.core.get_or_init(|| {
            let [pattern] = &self.patterns[..] else { return None };
            let hir = syntax::parse_with(pattern, &self.syntax.config()).ok()?;
            let core = without_optional_start(&hir)?;
            let config = config(None).which_captures(WhichCaptures::Implicit);
            meta::Builder::new().configure(config).build_from_hir(&core).ok()
        });
        core.as_ref().is_none_or(|core| core.is_match(text))
    }

    pub(crate) fn is_match(&self, text: &[u8]) -> bool {
        self.get().is_some_and(|machine| machine.is_match(text))
    }
}

fn build(patterns: &[String], syntax: Syntax, limit: Option<usize>) -> Option<meta::Regex> {
    let mut builder = meta::Builder::new();
    builder.configure(config(limit)).syntax(syntax.config()).build_many(patterns).ok()
}

fn config(limit: Option<usize>) -> meta::Config {
    meta::Config::new()
        .utf8_empty(false)
        .nfa_size_limit(limit)
        .onepass_size_limit(Some(PROGRAM_BYTES))
        .hybrid_cache_capacity(CACHE_BYTES)
}

/// The rest of a pattern behind what it can do without at its start; None when there is nothing like that. A text has a
/// match of the one when it has one of the other.
fn without_optional_start(hir: &Hir) -> Option<Hir> {
    match hir.kind() {
        HirKind::Concat(parts) => {
            let is_optional = |part: &&Hir| matches!(part.kind(), HirKind::Repetition(repetition) if repetition.min == 0);
            let optional = parts.iter().take_while(is_optional).count();
            let rest = parts[optional..].to_vec();
            (optional > 0 && !rest.is_empty()).then(|| Hir::concat(rest))
        }
        HirKind::Capture(capture) => without_optional_start(&capture.sub),
        _ => None,
    }
}

/// Whether a match may hold a blank or a tab.
pub(super) fn may_match_blanks(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => false,
        HirKind::Literal(literal) => literal.0.iter().any(|byte| b" \t".contains(byte)),
        HirKind::Class(Class::Bytes(class)) => class
            .iter()
            .any(|range| b" \t".iter().any(|byte| (range.start()..=range.end()).contains(byte))),
        HirKind::Class(Class::Unicode(class)) => class.iter().any(|range| {
            [' ', '\t'].iter().any(|blank| (range.start()..=range.end()).contains(blank))
        }),
        HirKind::Repetition(repetition) => may_match_blanks(&repetition.sub),
        HirKind::Capture(capture) => may_match_blanks(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().any(may_match_blanks),
    }
}

/// How many states the machine has, when a range of characters has so many.
fn states(hir: &Hir, of_range: usize) -> usize {
    let sum = |parts: &[Hir]| {
        parts.iter().map(|part| states(part, of_range)).fold(1, usize::saturating_add)
    };
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) | HirKind::Class(Class::Bytes(_)) => 1,
        HirKind::Literal(literal) => literal.0.len(),
        HirKind::Class(Class::Unicode(class)) => {
            let wide = class.iter().filter(|range| !range.end().is_ascii());
            1 + wide.count() * of_range
        }
        HirKind::Repetition(repetition) => {
            let copies = repetition.max.unwrap_or(repetition.min.saturating_add(1)).max(1);
            let copies = usize::try_from(copies).unwrap_or(usize::MAX);
            states(&repetition.sub, of_range).saturating_add(1).saturating_mul(copies)
        }
        HirKind::Capture(capture) => states(&capture.sub, of_range).saturating_add(2),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => sum(parts),
    }
}

/// Reads position and reason out of the parser's message, which shows the pattern with a mark below the place.
fn explain(pattern: &str, message: &str) -> (Option<usize>, String) {
    let reason = message.rsplit("error: ").next().unwrap_or("it cannot be read").trim();
    let mut reason = reason.to_owned();
    if ["look-around", "backreferences"].iter().any(|word| reason.contains(word)) {
        reason.push_str(" (searches take linear time, which these features rule out)");
    }
    if pattern.contains('\n') {
        return (None, reason);
    }
    let is_mark = |line: &&str| line.trim_start().starts_with('^');
    let indentation = 4;
    let mark = message.lines().find(is_mark).and_then(|line| line.find('^'));
    (mark.and_then(|column| column.checked_sub(indentation)), reason)
}
