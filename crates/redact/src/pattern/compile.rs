//! Compiling the text of patterns into a search for them.

use std::fmt;
use std::sync::OnceLock;

use regex_automata::meta;
use regex_syntax::hir::{Class, Hir, HirKind};
use regex_syntax::{Error, ParserBuilder};

/// The estimated memory that patterns may take that are compiled together.
const MAX_MACHINE_BYTES: usize = 8 << 20;

/// The estimated memory that all patterns of one redactor may take. That suffices for several hundred patterns that
/// repeat Unicode's letters twenty times.
const MAX_TOTAL_BYTES: usize = 384 << 20;

/// The memory for states that a search builds while it runs.
const MAX_CACHE_BYTES: usize = 1 << 20;

/// The deepest nesting of groups that is accepted.
const MAX_NESTING: u32 = 64;

/// The approximate memory of one state.
const BYTES_PER_STATE: usize = 48;

/// The approximate number of states for all characters of more than one byte, and for each range of such characters.
/// Many ranges share states.
const STATES_FOR_ALL_WIDE_CHARACTERS: usize = 12;
const STATES_PER_RANGE: usize = 2;

const TOO_LARGE_TOGETHER: &str =
    "needs too much memory together with those before it: lower repetition counts";

/// The syntax of a pattern.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// The syntax of the regex engine.
    User,
    /// Letters and classes are ASCII, and `^` and `$` match the start and the end of the text.
    AsciiText,
    /// Letters and classes are ASCII, and `^` and `$` match the start and the end of each line, which may end with a
    /// carriage return.
    AsciiLines,
}

/// The reason why a pattern is not accepted.
pub(crate) struct Refusal {
    /// The index of the pattern among those that were given together.
    pub(crate) index: usize,
    /// The character at which parsing failed. `None` if the pattern was parsed and is too large.
    pub(crate) position: Option<usize>,
    /// The reason in words. It contains no part of the pattern.
    pub(crate) reason: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(position) = self.position {
            write!(formatter, "is invalid at character {position}: ")?;
        }
        formatter.write_str(&self.reason)
    }
}

/// The memory, in bytes, that further patterns of one redactor may take.
pub(crate) struct Budget(usize);

impl Default for Budget {
    fn default() -> Self {
        Self(MAX_TOTAL_BYTES)
    }
}

/// A set of patterns that are searched for together. The search is compiled when it is first used.
pub(crate) struct PatternSet {
    patterns: Vec<String>,
    syntax: Syntax,
    regex: OnceLock<Option<meta::Regex>>,
    /// The search of [`PatternSet::may_match`].
    core: OnceLock<Option<meta::Regex>>,
}

impl PatternSet {
    /// Parses the patterns and returns the result too. Refuses a pattern that cannot be parsed or takes too much
    /// memory.
    pub(crate) fn new(
        patterns: Vec<String>,
        syntax: Syntax,
        budget: &mut Budget,
    ) -> Result<(Self, Vec<Hir>), Refusal> {
        let (mut hirs, mut all) = (Vec::with_capacity(patterns.len()), 0_usize);
        for (index, pattern) in patterns.iter().enumerate() {
            let hir = parse(pattern, syntax).map_err(|error| explain(index, pattern, &error))?;
            let bytes = states(&hir).saturating_mul(BYTES_PER_STATE);
            let refuse =
                |reason: &str| Refusal { index, position: None, reason: reason.to_owned() };
            all = all.saturating_add(bytes);
            if all > MAX_MACHINE_BYTES {
                return Err(refuse("needs too much memory: lower its repetition counts"));
            }
            budget.0 = budget.0.checked_sub(bytes).ok_or_else(|| refuse(TOO_LARGE_TOGETHER))?;
            hirs.push(hir);
        }
        Ok((Self { patterns, syntax, regex: OnceLock::new(), core: OnceLock::new() }, hirs))
    }

    /// The compiled search. `None` only if it cannot be compiled; its size was checked before, so there is no limit
    /// here.
    pub(super) fn regex(&self) -> Option<&meta::Regex> {
        let build = || build(&self.parsed()?);
        self.regex.get_or_init(build).as_ref()
    }

    pub(super) fn is_match(&self, text: &[u8]) -> bool {
        self.regex().is_some_and(|regex| regex.is_match(text))
    }

    /// False if nothing in the text matches. A pattern with an optional start, such as the name of a field before a
    /// keyword, is first searched for without that start: a search that may begin at every byte has many more states.
    pub(super) fn may_match(&self, text: &[u8]) -> bool {
        let build = || match &self.parsed()?[..] {
            [hir] => build(&[without_optional_start(hir)?]),
            _ => None,
        };
        self.core.get_or_init(build).as_ref().is_none_or(|core| core.is_match(text))
    }

    fn parsed(&self) -> Option<Vec<Hir>> {
        self.patterns.iter().map(|pattern| parse(pattern, self.syntax).ok()).collect()
    }
}

fn parse(pattern: &str, syntax: Syntax) -> Result<Hir, Box<Error>> {
    let is_lines = syntax == Syntax::AsciiLines;
    let mut builder = ParserBuilder::new();
    builder.utf8(false).nest_limit(MAX_NESTING).unicode(syntax == Syntax::User);
    builder.multi_line(is_lines).crlf(is_lines).build().parse(pattern).map_err(Box::new)
}

fn explain(index: usize, pattern: &str, error: &Error) -> Refusal {
    let (mut reason, at) = match error {
        Error::Parse(error) => (error.kind().to_string(), error.span().start.offset),
        Error::Translate(error) => (error.kind().to_string(), error.span().start.offset),
        _ => ("it cannot be read".to_owned(), 0),
    };
    if ["look-around", "backreferences"].iter().any(|word| reason.contains(word)) {
        reason.push_str(" (searches take linear time, which these features rule out)");
    }
    let position = pattern.char_indices().take_while(|&(start, _)| start < at).count();
    Refusal { index, position: Some(position), reason }
}

fn build(hirs: &[Hir]) -> Option<meta::Regex> {
    let config = meta::Config::new()
        .utf8_empty(false)
        .nfa_size_limit(None)
        .hybrid_cache_capacity(MAX_CACHE_BYTES);
    meta::Builder::new().configure(config).build_many_from_hir(hirs).ok()
}

/// The pattern without its optional start. `None` if its start is not optional. A text matches one of the two if and
/// only if it matches the other.
fn without_optional_start(hir: &Hir) -> Option<Hir> {
    match hir.kind() {
        HirKind::Concat(parts) => {
            let is_optional = |part: &&Hir| matches!(part.kind(), HirKind::Repetition(repetition) if repetition.min == 0);
            let optional = parts.iter().take_while(is_optional).count();
            (0 < optional && optional < parts.len())
                .then(|| Hir::concat(parts[optional..].to_vec()))
        }
        HirKind::Capture(capture) => without_optional_start(&capture.sub),
        _ => None,
    }
}

/// The approximate number of states of a pattern.
fn states(hir: &Hir) -> usize {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) | HirKind::Class(Class::Bytes(_)) => 1,
        HirKind::Literal(literal) => literal.0.len(),
        HirKind::Class(Class::Unicode(class)) => {
            let wide = class.iter().filter(|range| !range.end().is_ascii()).count();
            1 + wide.min(1) * STATES_FOR_ALL_WIDE_CHARACTERS + wide * STATES_PER_RANGE
        }
        HirKind::Repetition(repetition) => {
            let copies = repetition.max.unwrap_or(repetition.min.saturating_add(1)).max(1);
            let copies = usize::try_from(copies).unwrap_or(usize::MAX);
            states(&repetition.sub).saturating_add(1).saturating_mul(copies)
        }
        kind => kind.subs().iter().map(states).fold(2, usize::saturating_add),
    }
}

/// Whether a match may contain a blank or a tab.
pub(super) fn may_match_blanks(hir: &Hir) -> bool {
    let has = |start: u32, end: u32| [9, 32].iter().any(|blank| (start..=end).contains(blank));
    match hir.kind() {
        HirKind::Literal(literal) => literal.0.iter().any(|&byte| has(byte.into(), byte.into())),
        HirKind::Class(Class::Bytes(class)) => {
            class.iter().any(|range| has(range.start().into(), range.end().into()))
        }
        HirKind::Class(Class::Unicode(class)) => {
            class.iter().any(|range| has(range.start().into(), range.end().into()))
        }
        kind => kind.subs().iter().any(may_match_blanks),
    }
}
