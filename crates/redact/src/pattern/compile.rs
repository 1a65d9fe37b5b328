//! From the text of a pattern to a machine that searches for it.

use std::ops::Range;
use std::sync::OnceLock;

use regex_automata::meta;
use regex_automata::util::syntax;
use regex_syntax::hir::{Class, Hir, HirKind};

use super::{MAX_PATTERN_BYTES, find_in_line};
use crate::error::Error;

/// Most memory a compiled pattern may take.
const PROGRAM_BYTES: usize = 4 << 20;

/// Memory for the states that a search builds as it goes.
const CACHE_BYTES: usize = 1 << 20;

/// Deepest nesting of groups accepted.
const NEST_LIMIT: u32 = 64;

/// What a state of the machine takes, roughly.
const STATE_BYTES: usize = 40;

/// States for a range of characters that are more than one byte, roughly.
const RANGE_STATES: usize = 6;

/// A pattern that was accepted.
pub(super) struct Compiled {
    pattern: String,
    machine: OnceLock<Option<meta::Regex>>,
}

impl Compiled {
    /// Refuses what cannot be read or takes too much memory. Gives what was read as well.
    pub(super) fn new(index: usize, pattern: &str) -> Result<(Self, Hir), Error> {
        if pattern.len() > MAX_PATTERN_BYTES {
            return Err(Error::pattern_too_long(index, pattern.len()));
        }
        let hir = syntax::parse_with(pattern, &syntax()).map_err(|error| {
            let (position, reason) = explain(pattern, &error.to_string());
            Error::pattern_syntax(index, position, reason)
        })?;
        let machine = OnceLock::new();
        // Most patterns are small beyond doubt. Only of the others the machine is built to know.
        if states(&hir).saturating_mul(STATE_BYTES) > PROGRAM_BYTES {
            let built = build(pattern, Some(PROGRAM_BYTES));
            let _ = machine.set(Some(built.ok_or_else(|| Error::pattern_too_large(index))?));
        }
        Ok((Self { pattern: pattern.to_owned(), machine }, hir))
    }

    /// Notes the matches in a line of the text.
    pub(super) fn find(&self, text: &[u8], line: &Range<usize>, found: &mut Vec<Range<usize>>) {
        // What was accepted by its size is built without a limit: it cannot fail for it.
        let Some(machine) = self.machine.get_or_init(|| build(&self.pattern, None)) else { return };
        let (text, start) = (&text[line.clone()], line.start);
        find_in_line(machine, text, |hit| found.push(start + hit.start..start + hit.end));
    }
}

fn syntax() -> syntax::Config {
    syntax::Config::new().utf8(false).nest_limit(NEST_LIMIT)
}

fn build(pattern: &str, limit: Option<usize>) -> Option<meta::Regex> {
    let config = meta::Config::new()
        .utf8_empty(false)
        .nfa_size_limit(limit)
        .onepass_size_limit(Some(PROGRAM_BYTES))
        .hybrid_cache_capacity(CACHE_BYTES);
    meta::Builder::new().configure(config).syntax(syntax()).build(pattern).ok()
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

/// How many states the machine has, rather too many than too few.
fn states(hir: &Hir) -> usize {
    let sum = |parts: &[Hir]| parts.iter().map(states).fold(1, usize::saturating_add);
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) | HirKind::Class(Class::Bytes(_)) => 1,
        HirKind::Literal(literal) => literal.0.len(),
        HirKind::Class(Class::Unicode(class)) => {
            let wide = class.iter().filter(|range| !range.end().is_ascii());
            1 + wide.count() * RANGE_STATES
        }
        HirKind::Repetition(repetition) => {
            let copies = repetition.max.unwrap_or(repetition.min.saturating_add(1)).max(1);
            let copies = usize::try_from(copies).unwrap_or(usize::MAX);
            states(&repetition.sub).saturating_add(1).saturating_mul(copies)
        }
        HirKind::Capture(capture) => states(&capture.sub).saturating_add(2),
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
