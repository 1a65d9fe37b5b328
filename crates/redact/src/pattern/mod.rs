//! The user's regular expressions.
//!
//! A pattern is parsed and measured when it is given, and compiled when a text first has something that every match of it
//! must have ([`required`]); the prefilter looks for that. A pattern without such a text is searched for in every line.
//!
//! One line, or one window of a long line, is searched at a time. A single search is linear; many matches in one line
//! could make all of them together quadratic, so after [`FREE_MATCHES`] matches the reach of each further search shrinks.

mod compile;
mod required;
#[cfg(test)]
mod tests;

use std::ops::Range;

use regex_automata::{Input, meta};

use crate::error::Error;
use crate::prefilter::Literal;
use compile::Compiled;

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

/// All patterns, compiled as they are needed.
pub(crate) struct Patterns {
    compiled: Vec<Compiled>,
    /// Those that no literal gives away.
    everywhere: Vec<usize>,
    /// One of them may match a text with blanks.
    blanks: bool,
}

impl Patterns {
    /// Adds what the prefilter has to look for; `owner` numbers the patterns there.
    pub(crate) fn new(
        patterns: &[String],
        owner: impl Fn(usize) -> u16,
        literals: &mut Vec<Literal>,
    ) -> Result<Self, Error> {
        if patterns.len() > MAX_PATTERNS {
            return Err(Error::too_many_patterns(patterns.len()));
        }
        let mut accepted = Vec::with_capacity(patterns.len());
        let mut everywhere = Vec::new();
        let mut blanks = false;
        for (index, pattern) in patterns.iter().enumerate() {
            let (compiled, hir) = Compiled::new(index, pattern)?;
            accepted.push(compiled);
            blanks |= compile::may_match_blanks(&hir);
            let Some(required) = required::literals(&hir) else {
                everywhere.push(index);
                continue;
            };
            let literal = |(bytes, caseless)| Literal { bytes, caseless, owner: owner(index) };
            literals.extend(required.into_iter().map(literal));
        }
        Ok(Self { compiled: accepted, everywhere, blanks })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.compiled.is_empty()
    }

    /// Whether one of them may match a text with blanks.
    pub(crate) fn may_match_blanks(&self) -> bool {
        self.blanks
    }

    pub(crate) fn search<'p, 't>(&'p self, text: &'t [u8]) -> Search<'p, 't> {
        Search { all: self, text, line: 0..0, waiting: Vec::new(), found: Vec::new() }
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
    found: Vec<Range<usize>>,
}

impl Search<'_, '_> {
    /// A literal of the pattern begins at `at`. Lines come in order.
    pub(crate) fn candidate(&mut self, pattern: usize, at: usize) {
        if at >= self.line.end {
            self.search_line(self.text.len());
            let start = memchr::memrchr(b'\n', &self.text[..at]).map_or(0, |newline| newline + 1);
            self.line = start..line_end(self.text, at);
        }
        if !self.waiting.contains(&pattern) {
            self.waiting.push(pattern);
        }
    }

    fn search_line(&mut self, end: usize) {
        let line = self.line.start..self.line.end.min(end);
        for pattern in std::mem::take(&mut self.waiting) {
            self.all.compiled[pattern].find(self.text, &line, &mut self.found);
        }
    }

    /// Searches what is left before `end`, and gives all that was found.
    pub(crate) fn finish(mut self, end: usize) -> Vec<Range<usize>> {
        self.search_line(end);
        let text = &self.text[..end];
        for &pattern in &self.all.everywhere {
            let mut start = 0;
            while start < end {
                let line = start..line_end(text, start);
                self.all.compiled[pattern].find(text, &line, &mut self.found);
                start = line.end + 1;
            }
        }
        self.found
    }
}

fn line_end(text: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |length| at + length)
}

/// Notes the matches of a pattern in a line.
fn find_in_line(pattern: &meta::Regex, line: &[u8], mut found: impl FnMut(Range<usize>)) {
    let mut at = 0;
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
        match pattern.search(&Input::new(line).range(at..end)) {
            // An empty match hides nothing.
            Some(found) if found.is_empty() => at = found.end() + 1,
            Some(hit) => {
                at = hit.end();
                found(hit.range());
            }
            None if end == line.len() => return,
            None => at += (end - at) / 2 + 1,
        }
        matches += 1;
    }
}
