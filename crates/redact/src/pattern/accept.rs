//! Deciding which part of a match is the secret, and whether it is one.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use aho_corasick::AhoCorasick;
use regex_automata::{Anchored, Input, meta};

use super::compile::PatternSet;

/// How a rule decides about a match of its regular expression. By default the match is a secret; if it has groups, the
/// secret is the first group that is not empty.
#[derive(Default)]
pub(crate) struct MatchCondition {
    /// The number of the group that is the secret. 0 means the first group that is not empty.
    pub(crate) group: usize,
    /// A secret has more than this many bits of entropy per byte. 0 accepts any entropy.
    pub(crate) entropy: f64,
    pub(crate) allowlists: Vec<Arc<Allowlist>>,
}

/// Describes matches that are no secrets. If a condition has only regexes or only stopwords, the missing part counts as
/// fulfilled.
pub(crate) struct Allowlist {
    /// Whether a regex and a stopword both have to match, and not just one of them.
    pub(crate) all: bool,
    pub(crate) target: Target,
    pub(crate) regexes: Option<PatternSet>,
    /// The words that no secret contains.
    pub(crate) stopwords: Option<WordList>,
}

/// The text that the regular expressions of an allowlist search.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Secret,
    Match,
    Line,
}

/// For each allowlist, whether it matches the line. It is asked only once, however many matches the line has.
pub(super) type LineAnswers = Vec<Option<bool>>;

impl MatchCondition {
    /// Whether more than the match is needed to decide about it.
    pub(super) fn examines_lines(&self) -> bool {
        self.allowlists.iter().any(|allowlist| allowlist.target == Target::Line)
    }

    /// The range of the secret in a match, unless the match is no secret.
    pub(super) fn secret(
        &self,
        regex: &meta::Regex,
        line: &[u8],
        hit: Range<usize>,
        line_answers: &mut LineAnswers,
    ) -> Option<Range<usize>> {
        let part = without_line_break(line, self.part(regex, line, &hit));
        let hit = without_line_break(line, hit);
        // A match without such a group is masked as a whole.
        let secret = if part.is_empty() { hit.clone() } else { part };
        let text = &line[secret.clone()];
        if self.entropy > 0.0 && entropy(text) <= self.entropy {
            return None;
        }
        line_answers.resize(self.allowlists.len(), None);
        let allowed = self.allowlists.iter().zip(line_answers).any(|(allowlist, line_answer)| {
            allowlist.lets_through(text, |regexes| match allowlist.target {
                Target::Secret => regexes.is_match(text),
                Target::Match => regexes.is_match(&line[hit.clone()]),
                Target::Line => {
                    let end = without_line_break(line, 0..line.len()).end;
                    *line_answer.get_or_insert_with(|| regexes.is_match(&line[..end]))
                }
            })
        });
        (!allowed).then_some(secret)
    }

    fn part(&self, regex: &meta::Regex, line: &[u8], hit: &Range<usize>) -> Range<usize> {
        if regex.captures_len() == 1 {
            return hit.clone();
        }
        let mut captures = regex.create_captures();
        let input = Input::new(line).range(hit.clone()).anchored(Anchored::Yes);
        regex.search_captures(&input, &mut captures);
        let group = if self.group > 0 {
            captures.get_group(self.group)
        } else {
            captures.iter().skip(1).flatten().find(|group| !group.is_empty())
        };
        group.map_or(0..0, |group| group.range())
    }
}

impl Allowlist {
    /// Whether the allowlist lets the secret through. `matches` searches the target with the regular expressions.
    fn lets_through(&self, secret: &[u8], matches: impl FnOnce(&PatternSet) -> bool) -> bool {
        let regexes = || self.regexes.as_ref().map(matches);
        // Words that cannot be searched for let nothing through.
        let stopwords = self.stopwords.as_ref().map(|words| words.occur_in(secret) == Some(true));
        if self.all {
            stopwords != Some(false) && regexes() != Some(false)
        } else {
            stopwords == Some(true) || regexes() == Some(true)
        }
    }
}

/// Words that a text may contain. Upper and lower case are the same.
pub(crate) struct WordList {
    words: Vec<Vec<u8>>,
    automaton: OnceLock<Option<AhoCorasick>>,
}

impl WordList {
    /// `None` if there are no words.
    pub(crate) fn new(words: Vec<Vec<u8>>) -> Option<Self> {
        (!words.is_empty()).then(|| Self { words, automaton: OnceLock::new() })
    }

    /// Whether one of the words occurs in the text. `None` if they cannot be searched for.
    pub(super) fn occur_in(&self, text: &[u8]) -> Option<bool> {
        let build = || AhoCorasick::builder().ascii_case_insensitive(true).build(&self.words).ok();
        self.automaton.get_or_init(build).as_ref().map(|automaton| automaton.is_match(text))
    }
}

/// The range without line ends: they belong to no secret, and no allowlist searches them.
fn without_line_break(line: &[u8], hit: Range<usize>) -> Range<usize> {
    let is_break = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let before = line[hit.clone()].iter().take_while(|byte| is_break(byte)).count();
    let rest = hit.start + before..hit.end;
    let after = line[rest.clone()].iter().rev().take_while(|byte| is_break(byte)).count();
    rest.start..rest.end - after
}

/// Shannon's entropy of the bytes in bits per byte: 0 for no byte or a repeated one, at most 8.
fn entropy(text: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for &byte in text {
        counts[usize::from(byte)] += 1;
    }
    let all = f64::from(counts.iter().sum::<u32>());
    let shares = counts.iter().filter(|&&count| count > 0).map(|&count| f64::from(count) / all);
    shares.map(|share| -share * share.log2()).sum()
}

#[cfg(test)]
mod tests;
