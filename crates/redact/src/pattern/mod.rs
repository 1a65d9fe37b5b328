//! Regular expressions: the user's patterns and the rules of files.
//!
//! A pattern is parsed and measured when it is given, and compiled when a text first has something that every match of it
//! must have ([`required`]), or one of its rule's keywords ([`gate`]); the prefilter looks for that. A pattern without such
//! a text is searched for in every line.
//!
//! One line, or one window of a long line, is searched at a time. A single search is linear; many matches in one line
//! could make all of them together quadratic, so after [`FREE_MATCHES`] matches the reach of each further search shrinks.

mod compile;
mod gate;
mod required;
#[cfg(test)]
mod tests;

use std::ops::Range;

use regex_automata::{Input, meta};

use crate::error::Error;
use crate::prefilter::Literal;
use crate::rule_file::{Accept, FileRule, Verdicts};
use crate::span::RuleId;
pub(crate) use compile::{Budget, Machine, Refusal, Syntax};
pub(crate) use gate::needs_two_lines;
use gate::{Gate, Keywords};

/// Longest pattern accepted.
pub const MAX_PATTERN_BYTES: usize = 4 << 10;

/// Most patterns accepted.
pub const MAX_PATTERNS: usize = 1_000;

/// Matches in one line whose search may reach to its end.
const FREE_MATCHES: usize = 16;

/// Further matches whose search may reach [`MIDDLE_REACH_BYTES`].
const MIDDLE_MATCHES: usize = 256;

/// How far the next searches reach.
const MIDDLE_REACH_BYTES: usize = 4 << 10;

/// How far all searches after those reach.
const LAST_REACH_BYTES: usize = 256;

/// A match and the rule that made it.
type Found = (Range<usize>, RuleId);

struct Pattern {
    machine: Machine,
    rule: RuleId,
    /// A line without one of them is not searched.
    keywords: Option<Keywords>,
    /// None: a match is a secret as a whole.
    accept: Option<Accept>,
}

/// All patterns, compiled as they are needed.
#[derive(Default)]
pub(crate) struct Patterns {
    entries: Vec<Pattern>,
    /// Those that no literal gives away.
    everywhere: Vec<usize>,
    /// One of them may match a text with blanks, or depend on what stands behind one.
    blanks: bool,
}

impl Patterns {
    /// Adds the user's patterns, and to `literals` what the prefilter has to look for; `owner` numbers the patterns there.
    pub(crate) fn add_plain(
        &mut self,
        patterns: &[String],
        rule: RuleId,
        budget: &mut Budget,
        owner: impl Fn(usize) -> u16,
        literals: &mut Vec<Literal>,
    ) -> Result<(), Error> {
        if patterns.len() > MAX_PATTERNS {
            return Err(Error::too_many_patterns(patterns.len()));
        }
        for (index, pattern) in patterns.iter().enumerate() {
            if pattern.len() > MAX_PATTERN_BYTES {
                return Err(Error::pattern_too_long(index, pattern.len()));
            }
            let (machine, hirs) = Machine::new(vec![pattern.clone()], Syntax::Plain)
                .map_err(|(_, refusal)| Error::pattern_refused(index, refusal))?;
            budget.spend(&machine).map_err(|refusal| Error::pattern_refused(index, refusal))?;
            for hir in &hirs {
                self.blanks |= compile::may_match_blanks(hir);
                self.note_texts(Gate::new(hir, Vec::new()).texts, &owner, literals);
            }
            self.entries.push(Pattern { machine, rule, keywords: None, accept: None });
        }
        Ok(())
    }

    /// Adds the rules of files.
    pub(crate) fn add_rules(
        &mut self,
        rules: impl Iterator<Item = (FileRule, RuleId)>,
        owner: impl Fn(usize) -> u16,
        literals: &mut Vec<Literal>,
    ) {
        for (FileRule { machine, hir, keywords, accept, .. }, rule) in rules {
            // A keyword may come later than what it is needed for.
            self.blanks |=
                !keywords.is_empty() || accept.judges_lines() || compile::may_match_blanks(&hir);
            let Gate { texts, keywords } = Gate::new(&hir, keywords);
            self.note_texts(texts, &owner, literals);
            self.entries.push(Pattern { machine, rule, keywords, accept: Some(accept) });
        }
    }

    /// Notes how the pattern that is added next is found.
    fn note_texts(
        &mut self,
        texts: Option<Vec<(Vec<u8>, bool)>>,
        owner: impl Fn(usize) -> u16,
        literals: &mut Vec<Literal>,
    ) {
        let index = self.entries.len();
        let Some(texts) = texts else { return self.everywhere.push(index) };
        let literal = |(bytes, caseless)| Literal { bytes, caseless, owner: owner(index) };
        literals.extend(texts.into_iter().map(literal));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether one of them may match a text with blanks.
    pub(crate) fn may_match_blanks(&self) -> bool {
        self.blanks
    }

    pub(crate) fn search<'p, 't>(&'p self, text: &'t [u8]) -> Search<'p, 't> {
        Search {
            all: self,
            text,
            line: 0..0,
            waiting: Vec::new(),
            waits: Vec::new(),
            found: Vec::new(),
            steps: 0,
        }
    }
}

impl Pattern {
    /// Notes the matches in a line, which is given without its end.
    fn find(&self, text: &[u8], line: &Range<usize>, found: &mut Vec<Found>, steps: &mut u64) {
        *steps += (line.end - line.start) as u64;
        let start = line.start;
        let note = |secret: Range<usize>| {
            found.push((start + secret.start..start + secret.end, self.rule));
        };
        match &self.accept {
            None => self.find_all(&text[line.clone()], note, steps),
            Some(accept) => {
                let end = if text.get(line.end) == Some(&b'\n') { line.end + 1 } else { line.end };
                self.find_accepted(accept, &text[start..end], note, steps);
            }
        }
    }

    fn find_all(&self, line: &[u8], note: impl FnMut(Range<usize>), steps: &mut u64) {
        if let Some(machine) = self.machine.get() {
            *steps += find_in_line(machine, line, note);
        }
    }

    fn find_accepted(
        &self,
        accept: &Accept,
        line: &[u8],
        mut note: impl FnMut(Range<usize>),
        steps: &mut u64,
    ) {
        let has_keyword = || self.keywords.as_ref().is_none_or(|keywords| keywords.occur_in(line));
        if !has_keyword() || !self.machine.may_match(line) {
            return;
        }
        let Some(machine) = self.machine.get() else { return };
        let mut verdicts = Verdicts::default();
        *steps += find_in_line(machine, line, |hit| {
            if let Some(secret) = accept.secret(machine, line, hit, &mut verdicts) {
                note(secret);
            }
        });
    }
}

/// Looks for the patterns in one text.
pub(crate) struct Search<'p, 't> {
    all: &'p Patterns,
    text: &'t [u8],
    /// The line of the last candidate.
    line: Range<usize>,
    /// Which patterns may match in it.
    waiting: Vec<usize>,
    /// The same, a bit for each pattern; empty before the first candidate.
    waits: Vec<u64>,
    found: Vec<Found>,
    /// Bytes that the searches reached over.
    steps: u64,
}

impl Search<'_, '_> {
    /// A literal of the pattern begins at `at`. Lines come in order.
    pub(crate) fn candidate(&mut self, pattern: usize, at: usize) {
        if at >= self.line.end {
            self.search_line(self.text.len());
            let start = memchr::memrchr(b'\n', &self.text[..at]).map_or(0, |newline| newline + 1);
            self.line = start..line_end(self.text, at);
        }
        if self.waits.is_empty() {
            self.waits = vec![0; self.all.entries.len().div_ceil(64)];
        }
        let bit = 1 << (pattern % 64);
        if self.waits[pattern / 64] & bit == 0 {
            self.waits[pattern / 64] |= bit;
            self.waiting.push(pattern);
        }
    }

    fn search_line(&mut self, end: usize) {
        let line = self.line.start..self.line.end.min(end);
        for pattern in std::mem::take(&mut self.waiting) {
            self.waits[pattern / 64] = 0;
            let pattern = &self.all.entries[pattern];
            pattern.find(&self.text[..end], &line, &mut self.found, &mut self.steps);
        }
    }

    /// Searches what is left before `end`, and gives all that was found. `steps` grows by the bytes that were read.
    pub(crate) fn finish(mut self, end: usize, steps: &mut u64) -> Vec<Found> {
        self.search_line(end);
        let text = &self.text[..end];
        for &pattern in &self.all.everywhere {
            let mut start = 0;
            while start < end {
                let line = start..line_end(text, start);
                let pattern = &self.all.entries[pattern];
                pattern.find(text, &line, &mut self.found, &mut self.steps);
                start = line.end + 1;
            }
        }
        *steps += self.steps;
        self.found
    }
}

fn line_end(text: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |length| at + length)
}

/// Notes the matches of a pattern in a line. Gives how many bytes all searches together reached over.
fn find_in_line(pattern: &meta::Regex, line: &[u8], mut found: impl FnMut(Range<usize>)) -> u64 {
    let (mut at, mut steps) = (0, 0);
    let mut matches = 0;
    while at < line.len() {
        let reach = if matches < FREE_MATCHES {
            line.len()
        } else if matches < FREE_MATCHES + MIDDLE_MATCHES {
            MIDDLE_REACH_BYTES
        } else {
            LAST_REACH_BYTES
        };
        let end = line.len().min(at + reach);
        steps += (end - at) as u64;
        match pattern.search(&Input::new(line).range(at..end)) {
            // An empty match hides nothing.
            Some(found) if found.is_empty() => at = found.end() + 1,
            Some(hit) => {
                at = hit.end();
                found(hit.range());
            }
            None if end == line.len() => break,
            None => at += (end - at) / 2 + 1,
        }
        matches += 1;
    }
    steps
}
