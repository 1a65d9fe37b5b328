//! Regular expressions: the user's patterns and the rules from files.
//!
//! A pattern is parsed, and its size estimated, when it is given. It is compiled when the prefilter first finds a text
//! that every match must contain ([`required`]), or one of the rule's keywords. A pattern without such a text is
//! searched for in every line.
//!
//! One line, or one window of a long line, is searched at a time. A single search is linear. Many matches in one line
//! could make all searches together quadratic, so each further search reaches less far.

mod accept;
mod compile;
mod required;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::ops::Range;

use regex_automata::{Input, meta};
use regex_syntax::hir::Hir;

use crate::error::Error;
use crate::limits::{MAX_PATTERN_BYTES, MAX_PATTERNS};
use crate::prefilter::Literal;
use crate::span::RuleId;
pub(crate) use accept::{Allowlist, MatchCondition, Target, WordList};
pub(crate) use compile::{Budget, PatternSet, Syntax};
use required::RequiredText;
pub(crate) use required::needs_two_lines;

/// How far all searches in one line may reach together, approximately. The first of them reach the end of any window.
const MAX_LINE_REACH_BYTES: usize = 1 << 20;

/// How far each search may reach at least.
const MIN_REACH_BYTES: usize = 256;

/// A pattern, and the conditions for a line and for a match.
pub(crate) struct Rule {
    /// The id of the rule; empty for a user's pattern.
    pub(crate) id: String,
    set: PatternSet,
    /// The texts of which a line must contain one to be searched. `None` means that every line is searched.
    texts: Option<Vec<RequiredText>>,
    /// Keywords of which a line must also contain one.
    keywords: Option<WordList>,
    /// Whether a match may contain blanks, or depend on text after a blank.
    blanks: bool,
    /// How a match is checked. `None` means that the whole match is a secret.
    pub(crate) accept: Option<MatchCondition>,
}

impl Rule {
    /// Makes a rule. `keywords` are in lower case; without keywords every line may match.
    pub(crate) fn new(
        id: &str,
        (set, hir): (PatternSet, &Hir),
        keywords: Vec<Vec<u8>>,
        accept: Option<MatchCondition>,
    ) -> Self {
        let texts = required::rarest(hir, &keywords);
        // A keyword may follow the text that needs it.
        let blanks = !keywords.is_empty() || compile::may_match_blanks(hir);
        let has = |text: &RequiredText, word: &Vec<u8>| {
            text.0.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word))
        };
        let has_one = |text: &RequiredText| keywords.iter().any(|word| has(text, word));
        let is_sure = texts.as_ref().is_some_and(|texts| texts.iter().all(has_one));
        let keywords = if is_sure { None } else { WordList::new(keywords) };
        Self { id: id.to_owned(), set, texts, keywords, blanks, accept }
    }

    /// Finds the secrets in a line, which is given without its end. Returns how many bytes were read.
    fn find(&self, text: &[u8], line: Range<usize>, mut found: impl FnMut(Range<usize>)) -> u64 {
        let start = line.start;
        // Rules from files may match the end of the line.
        let has_end = self.accept.is_some() && text.get(line.end) == Some(&b'\n');
        let line = &text[start..line.end + usize::from(has_end)];
        let lacks_word =
            self.keywords.as_ref().is_some_and(|words| words.occur_in(line) == Some(false));
        let read = line.len() as u64;
        if lacks_word || !self.set.may_match(line) {
            return read;
        }
        let Some(regex) = self.set.regex() else { return read };
        let mut line_answers = Vec::new();
        let searched = find_in_line(regex, line, |hit| {
            let secret = match &self.accept {
                Some(accept) => accept.secret(regex, line, hit, &mut line_answers),
                None => Some(hit),
            };
            if let Some(secret) = secret {
                found(start + secret.start..start + secret.end);
            }
        });
        read + searched
    }
}

/// All patterns. Each is compiled when it is first needed.
#[derive(Default)]
pub(crate) struct Patterns {
    rules: Vec<(Rule, RuleId)>,
    /// The indexes of patterns without a required text.
    everywhere: Vec<usize>,
    /// Whether a pattern may match a text with blanks, or depend on text after a blank.
    blanks: bool,
}

impl Patterns {
    /// Adds the user's patterns, and adds the texts that the prefilter has to search for to `literals`. `owner` returns
    /// the number of a pattern there.
    pub(crate) fn add_plain(
        &mut self,
        patterns: &[String],
        rule: RuleId,
        budget: &mut Budget,
        owner: impl Fn(usize) -> u16,
        literals: &mut Vec<Literal>,
    ) -> Result<(), Error> {
        if patterns.len() > MAX_PATTERNS {
            let count = patterns.len();
            let reason = format!("is one of {count}, at most {MAX_PATTERNS} are accepted");
            return Err(Error::pattern(MAX_PATTERNS, None, reason));
        }
        for (index, pattern) in patterns.iter().enumerate() {
            let bytes = pattern.len();
            if bytes > MAX_PATTERN_BYTES {
                let reason = format!("has {bytes} bytes, at most {MAX_PATTERN_BYTES} are accepted");
                return Err(Error::pattern(index, None, reason));
            }
            let (set, hirs) = PatternSet::new(vec![pattern.clone()], Syntax::User, budget)
                .map_err(|refusal| Error::pattern(index, refusal.position, refusal.reason))?;
            let pattern = Rule::new("", (set, &hirs[0]), Vec::new(), None);
            self.add_rules(std::iter::once((pattern, rule)), &owner, literals);
        }
        Ok(())
    }

    /// Adds the rules from files.
    pub(crate) fn add_rules(
        &mut self,
        rules: impl Iterator<Item = (Rule, RuleId)>,
        owner: impl Fn(usize) -> u16,
        literals: &mut Vec<Literal>,
    ) {
        for (mut rule, number) in rules {
            let index = self.rules.len();
            self.blanks |=
                rule.blanks || rule.accept.as_ref().is_some_and(MatchCondition::examines_lines);
            if rule.texts.is_none() {
                self.everywhere.push(index);
            }
            let owner = owner(index);
            let literal =
                |(bytes, caseless)| Literal { bytes, caseless, begins_token: false, owner };
            literals.extend(rule.texts.take().into_iter().flatten().map(literal));
            self.rules.push((rule, number));
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Whether one of the patterns may match a text with blanks.
    pub(crate) fn may_match_blanks(&self) -> bool {
        self.blanks
    }

    pub(crate) fn search<'p, 't>(&'p self, text: &'t [u8]) -> Search<'p, 't> {
        Search { all: self, text, line: 0..0, waiting: BTreeSet::new() }
    }
}

/// A search for the patterns in one text.
pub(crate) struct Search<'p, 't> {
    all: &'p Patterns,
    text: &'t [u8],
    /// The line of the last candidate.
    line: Range<usize>,
    /// The starts of lines, each with a pattern that may match there.
    waiting: BTreeSet<(usize, usize)>,
}

impl Search<'_, '_> {
    /// Notes that a literal of the pattern begins at `at`. Calls come in the order of the lines.
    pub(crate) fn candidate(&mut self, pattern: usize, at: usize) {
        if at >= self.line.end {
            let start = memchr::memrchr(b'\n', &self.text[..at]).map_or(0, |newline| newline + 1);
            self.line = start..line_end(self.text, at);
        }
        self.waiting.insert((self.line.start, pattern));
    }

    /// Returns everything that is found before `end`. `steps` grows by the number of bytes read.
    pub(crate) fn finish(self, end: usize, steps: &mut u64) -> Vec<(Range<usize>, RuleId)> {
        let text = &self.text[..end];
        let mut found = Vec::new();
        let mut find = |pattern: usize, start: usize| {
            let (rule, number) = &self.all.rules[pattern];
            let end = line_end(text, start);
            *steps += rule.find(text, start..end, |secret| found.push((secret, *number)));
            end + 1
        };
        for (start, pattern) in self.waiting.range(..(end, 0)) {
            find(*pattern, *start);
        }
        for &pattern in &self.all.everywhere {
            let mut start = 0;
            while start < end {
                start = find(pattern, start);
            }
        }
        found
    }
}

fn line_end(text: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |length| at + length)
}

/// Finds the matches of a pattern in a line. Returns how many bytes all searches reached over.
fn find_in_line(regex: &meta::Regex, line: &[u8], mut found: impl FnMut(Range<usize>)) -> u64 {
    let (mut at, mut searches, mut steps) = (0, 0, 0);
    while at < line.len() {
        searches += 1;
        let end = line.len().min(at + MIN_REACH_BYTES.max(MAX_LINE_REACH_BYTES / searches));
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
