//! Which part of a match is the secret, and whether it is one.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use aho_corasick::AhoCorasick;
use regex_automata::{Anchored, Input, meta};

use super::compile::Machine;

/// How a rule judges a match of its regular expression. As it is by default a match is a secret, and in a match with
/// groups the first that holds something.
#[derive(Default)]
pub(crate) struct Accept {
    /// The group that is the secret; 0 for the first that holds something.
    pub(crate) group: usize,
    /// The secret has more than this many bits of entropy per byte; 0 for any.
    pub(crate) entropy: f64,
    pub(crate) allowlists: Vec<Arc<Allowlist>>,
}

/// Matches that are no secrets. Of a condition of one side alone the other is as if it held.
pub(crate) struct Allowlist {
    /// Every check must say yes, not just one.
    pub(crate) all: bool,
    pub(crate) target: Target,
    pub(crate) regexes: Option<Machine>,
    /// Words that no secret contains.
    pub(crate) stopwords: Option<Words>,
}

/// What the regular expressions of an allowlist look at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Secret,
    Match,
    Line,
}

/// What each allowlist says of a line: it is asked once, however many matches there are.
pub(super) type Verdicts = Vec<Option<bool>>;

impl Accept {
    /// Whether it takes more than the match to judge one.
    pub(super) fn judges_lines(&self) -> bool {
        self.allowlists.iter().any(|allowlist| allowlist.target == Target::Line)
    }

    /// The secret in a match, unless it is none.
    pub(super) fn secret(
        &self,
        regex: &meta::Regex,
        line: &[u8],
        hit: Range<usize>,
        verdicts: &mut Verdicts,
    ) -> Option<Range<usize>> {
        let part = without_line_break(line, self.part(regex, line, &hit));
        let hit = without_line_break(line, hit);
        // What has no such part is masked whole.
        let secret = if part.is_empty() { hit.clone() } else { part };
        let text = &line[secret.clone()];
        if self.entropy > 0.0 && entropy(text) <= self.entropy {
            return None;
        }
        verdicts.resize(self.allowlists.len(), None);
        let allowed = self.allowlists.iter().zip(verdicts).any(|(allowlist, verdict)| {
            allowlist.allows(text, |regexes| match allowlist.target {
                Target::Secret => regexes.is_match(text),
                Target::Match => regexes.is_match(&line[hit.clone()]),
                Target::Line => {
                    let end = without_line_break(line, 0..line.len()).end;
                    *verdict.get_or_insert_with(|| regexes.is_match(&line[..end]))
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
    /// Whether the secret is let through; `matches` asks the regular expressions of their target.
    fn allows(&self, secret: &[u8], matches: impl FnOnce(&Machine) -> bool) -> bool {
        let regexes = || self.regexes.as_ref().map(matches);
        // What cannot be searched for lets nothing through.
        let stopwords = self.stopwords.as_ref().map(|words| words.occur_in(secret) == Some(true));
        if self.all {
            stopwords != Some(false) && regexes() != Some(false)
        } else {
            stopwords == Some(true) || regexes() == Some(true)
        }
    }
}

/// Words that a text may contain, whatever the case of their letters.
pub(crate) struct Words {
    words: Vec<Vec<u8>>,
    automaton: OnceLock<Option<AhoCorasick>>,
}

impl Words {
    /// None when there are none.
    pub(crate) fn new(words: Vec<Vec<u8>>) -> Option<Self> {
        (!words.is_empty()).then(|| Self { words, automaton: OnceLock::new() })
    }

    /// None when they cannot be searched for.
    pub(super) fn occur_in(&self, text: &[u8]) -> Option<bool> {
        let build = || AhoCorasick::builder().ascii_case_insensitive(true).build(&self.words).ok();
        self.automaton.get_or_init(build).as_ref().map(|automaton| automaton.is_match(text))
    }
}

/// The end of a line belongs to no secret, and no allowlist looks at it.
fn without_line_break(line: &[u8], hit: Range<usize>) -> Range<usize> {
    let is_break = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let before = line[hit.clone()].iter().take_while(|byte| is_break(byte)).count();
    let rest = hit.start + before..hit.end;
    let after = line[rest.clone()].iter().rev().take_while(|byte| is_break(byte)).count();
    rest.start..rest.end - after
}

/// Shannon's entropy of the bytes, in bits per byte: 0 for nothing and for one byte over and over, 8 at most.
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
mod tests {
    use super::entropy;

    #[test]
    fn entropy_is_in_bits_per_byte() {
        for (text, expected) in
            [("", 0.0), ("aaaa", 0.0), ("abab", 1.0), ("abcd", 2.0), ("aaab", 0.811_278)]
        {
            assert!((entropy(text.as_bytes()) - expected).abs() < 1e-5, "{text}");
        }
        let all: Vec<u8> = (0..=255).collect();
        assert!((entropy(&all) - 8.0).abs() < 1e-9);
    }
}
