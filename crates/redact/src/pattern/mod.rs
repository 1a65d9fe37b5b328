//! Regular expressions: the user's patterns and the rules of files.
//!
//! A pattern is parsed and its size estimated when it is given, and compiled when a text first has something that every
//! match of it must have ([`required`]), or one of its rule's keywords; the prefilter looks for that. A pattern without
//! such a text is searched for in every line.
//!
//! One line, or one window of a long line, is searched at a time. A single search is linear; many matches in one line
//! could make all of them together quadratic, so the reach of each further search shrinks.

mod accept;
mod compile;
mod required;
#[cfg(test)]
mod tests;
mod words;

use std::ops::Range;

use regex_automata::{Input, meta};
use regex_syntax::hir::Hir;

use crate::error::{Error, ErrorKind};
use crate::limits::{MAX_PATTERN_BYTES, MAX_PATTERNS};
use crate::prefilter::Literal;
use crate::span::RuleId;
pub(crate) use accept::{Accept, Allowlist, Target};
pub(crate) use compile::{Budget, Machine, Refusal, Syntax};
pub(crate) use required::needs_two_lines;
pub(crate) use words::Words;

/// What all searches in a line may reach together, roughly: the first of them reach to the end of any window.
const LINE_REACH_BYTES: usize = 1 << 20;

/// How far each of them may reach at least.
const MIN_REACH_BYTES: usize = 256;

/// A pattern with what is asked of a line and of a match.
pub(crate) struct Rule {
    /// Empty for a pattern of the user.
    pub(crate) id: String,
    pub(crate) machine: Machine,
    pub(crate) hir: Hir,
    /// A line without any of them is not looked at; in lower case. Empty: every line is.
    pub(crate) keywords: Vec<Vec<u8>>,
    /// None: a match is a secret as a whole.
    pub(crate) accept: Option<Accept>,
}

/// A match and the rule that made it.
type Found = (Range<usize>, RuleId);

struct Pattern {
    machine: Machine,
    rule: RuleId,
    /// A line without one of them is not searched.
    keywords: Option<Words>,
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
        let limit = |index, reason| Err(Error::new(ErrorKind::PatternLimit { index, reason }));
        if patterns.len() > MAX_PATTERNS {
            let count = patterns.len();
            let reason = format!("there are {count} patterns, at most {MAX_PATTERNS} are accepted");
            return limit(MAX_PATTERNS, reason);
        }
        for (index, pattern) in patterns.iter().enumerate() {
            if pattern.len() > MAX_PATTERN_BYTES {
                let bytes = pattern.len();
                return limit(
                    index,
                    format!("it has {bytes} bytes, at most {MAX_PATTERN_BYTES} are accepted"),
                );
            }
            let (machine, hir) = match Machine::new(vec![pattern.clone()], Syntax::User, budget) {
                Ok((machine, mut hirs)) => (machine, hirs.swap_remove(0)),
                Err((_, Refusal::Syntax { position, reason })) => {
                    return Err(Error::new(ErrorKind::PatternSyntax { index, position, reason }));
                }
                Err((_, refusal)) => return limit(index, format!("it {refusal}")),
            };
            let pattern =
                Rule { id: String::new(), machine, hir, keywords: Vec::new(), accept: None };
            self.add(pattern, rule, &owner, literals);
        }
        Ok(())
    }

    /// Adds the rules of files.
    pub(crate) fn add_rules(
        &mut self,
        rules: impl Iterator<Item = (Rule, RuleId)>,
        owner: impl Fn(usize) -> u16,
        literals: &mut Vec<Literal>,
    ) {
        for (rule, number) in rules {
            self.add(rule, number, &owner, literals);
        }
    }

    fn add(
        &mut self,
        rule: Rule,
        number: RuleId,
        owner: impl Fn(usize) -> u16,
        literals: &mut Vec<Literal>,
    ) {
        let Rule { machine, hir, keywords, accept, .. } = rule;
        // A keyword may come later than what it is needed for.
        self.blanks |= !keywords.is_empty()
            || accept.as_ref().is_some_and(Accept::judges_lines)
            || compile::may_match_blanks(&hir);
        let index = self.entries.len();
        let has = |text: &[u8], keyword: &[u8]| {
            text.windows(keyword.len()).any(|window| window.eq_ignore_ascii_case(keyword))
        };
        let mut has_keyword = false;
        if let Some(texts) = required::rarest(&hir, &keywords) {
            has_keyword =
                texts.iter().all(|(text, _)| keywords.iter().any(|keyword| has(text, keyword)));
            let literal = |(bytes, caseless)| Literal { bytes, caseless, owner: owner(index) };
            literals.extend(texts.into_iter().map(literal));
        } else {
            self.everywhere.push(index);
        }
        let keywords = if has_keyword { None } else { Words::new(keywords) };
        self.entries.push(Pattern { machine, rule: number, keywords, accept });
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether one of them may match a text with blanks.
    pub(crate) fn may_match_blanks(&self) -> bool {
        self.blanks
    }

    pub(crate) fn search<'p, 't>(&'p self, text: &'t [u8]) -> Search<'p, 't> {
        Search { all: self, text, line: 0..0, waiting: Vec::new(), last: Vec::new() }
    }
}

impl Pattern {
    /// Notes the secrets in a line, which is given without its end.
    fn find(&self, text: &[u8], line: Range<usize>, found: &mut Vec<Found>, steps: &mut u64) {
        *steps += (line.end - line.start) as u64;
        let start = line.start;
        // Rules of files may ask for the end of the line.
        let has_end = self.accept.is_some() && text.get(line.end) == Some(&b'\n');
        let line = &text[start..line.end + usize::from(has_end)];
        let has_keyword =
            || self.keywords.as_ref().is_none_or(|words| words.occur_in(line) != Some(false));
        if !has_keyword() || !self.machine.may_match(line) {
            return;
        }
        let Some(regex) = self.machine.regex() else { return };
        let mut verdicts = Vec::new();
        *steps += find_in_line(regex, line, |hit| {
            let secret = match &self.accept {
                Some(accept) => accept.secret(regex, line, hit, &mut verdicts),
                None => Some(hit),
            };
            found
                .extend(secret.map(|secret| (start + secret.start..start + secret.end, self.rule)));
        });
    }
}

/// Looks for the patterns in one text.
pub(crate) struct Search<'p, 't> {
    all: &'p Patterns,
    text: &'t [u8],
    /// The line of the last candidate.
    line: Range<usize>,
    /// Patterns that may match in a line.
    waiting: Vec<(usize, Range<usize>)>,
    /// For each pattern where the last line ends that it waits for; empty before the first candidate.
    last: Vec<usize>,
}

impl Search<'_, '_> {
    /// A literal of the pattern begins at `at`. Lines come in order.
    pub(crate) fn candidate(&mut self, pattern: usize, at: usize) {
        if at >= self.line.end {
            let start = memchr::memrchr(b'\n', &self.text[..at]).map_or(0, |newline| newline + 1);
            self.line = start..line_end(self.text, at);
        }
        self.last.resize(self.all.entries.len(), 0);
        if self.last[pattern] < self.line.end {
            self.last[pattern] = self.line.end;
            self.waiting.push((pattern, self.line.clone()));
        }
    }

    /// Gives all that is found before `end`.
    /// `steps` grows by the bytes that were read.
    pub(crate) fn finish(self, end: usize, steps: &mut u64) -> Vec<Found> {
        let text = &self.text[..end];
        let mut found = Vec::new();
        for (pattern, line) in self.waiting {
            if line.start < end {
                let line = line.start..line.end.min(end);
                self.all.entries[pattern].find(text, line, &mut found, steps);
            }
        }
        for &pattern in &self.all.everywhere {
            let mut start = 0;
            while start < end {
                let line = start..line_end(text, start);
                start = line.end + 1;
                self.all.entries[pattern].find(text, line, &mut found, steps);
            }
        }
        found
    }
}

fn line_end(text: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |length| at + length)
}

/// Notes the matches of a pattern in a line. Gives how many bytes all searches together reached over.
fn find_in_line(regex: &meta::Regex, line: &[u8], mut found: impl FnMut(Range<usize>)) -> u64 {
    let (mut at, mut searches, mut steps) = (0, 0, 0);
    while at < line.len() {
        searches += 1;
        let end = line.len().min(at + MIN_REACH_BYTES.max(LINE_REACH_BYTES / searches));
        steps += (end - at) as u64;
        match regex.search(&Input::new(line).range(at..end)) {
            // An empty match hides nothing.
            Some(hit) if hit.is_empty() => at = hit.end() + 1,
            Some(hit) => {
                at = hit.end();
                found(hit.range());
            }
            None if end == line.len() => break,
            None => at += (end - at) / 2 + 1,
        }
    }
    steps
}
