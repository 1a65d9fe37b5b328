//! Which part of a match is the secret, and whether it is one.

use std::ops::Range;
use std::sync::Arc;

use regex_automata::{Anchored, Input, meta};

use super::allowlist::{Allowlist, Target};
use super::entropy::entropy;

/// How a rule of a file judges a match of its regular expression.
pub(crate) struct Accept {
    /// The expression has groups: one of them may be the secret.
    pub(super) has_groups: bool,
    /// The group that is the secret; 0 for the first that holds something.
    pub(super) group: usize,
    /// The secret has more than this many bits of entropy per byte; 0 for any.
    pub(super) entropy: f64,
    pub(super) allowlists: Vec<Arc<Allowlist>>,
}

/// What is known of a line: what looks at all of it is asked once, however many matches there are.
#[derive(Default)]
pub(crate) struct Verdicts(Vec<Option<bool>>);

impl Accept {
    pub(super) fn allow(&mut self, allowlist: &Arc<Allowlist>) {
        self.allowlists.push(Arc::clone(allowlist));
    }

    /// Whether it takes more than the match to judge one.
    pub(crate) fn judges_lines(&self) -> bool {
        self.allowlists.iter().any(|allowlist| allowlist.target == Target::Line)
    }

    /// The secret in a match, unless it is none.
    pub(crate) fn secret(
        &self,
        machine: &meta::Regex,
        line: &[u8],
        hit: Range<usize>,
        verdicts: &mut Verdicts,
    ) -> Option<Range<usize>> {
        let part = without_line_break(line, self.part(machine, line, &hit));
        let hit = without_line_break(line, hit);
        // What has no such part is masked whole.
        let secret = if part.is_empty() { hit.clone() } else { part };
        let text = &line[secret.clone()];
        if self.entropy > 0.0 && entropy(text) <= self.entropy {
            return None;
        }
        let allowed = self.allowlists.iter().enumerate().any(|(index, allowlist)| {
            allowlist.allows(text, |regexes| match allowlist.target {
                Target::Secret => regexes.is_match(text),
                Target::Match => regexes.is_match(&line[hit.clone()]),
                Target::Line => verdicts.of(index, || regexes.is_match(&line[..end_of_text(line)])),
            })
        });
        (!allowed).then_some(secret)
    }

    fn part(&self, machine: &meta::Regex, line: &[u8], hit: &Range<usize>) -> Range<usize> {
        if !self.has_groups {
            return hit.clone();
        }
        let mut captures = machine.create_captures();
        let input = Input::new(line).range(hit.clone()).anchored(Anchored::Yes);
        machine.search_captures(&input, &mut captures);
        let group = if self.group > 0 {
            captures.get_group(self.group)
        } else {
            let mut groups = captures.iter().skip(1).flatten();
            groups.find(|group| !group.is_empty())
        };
        group.map_or(0..0, |group| group.range())
    }
}

impl Verdicts {
    fn of(&mut self, index: usize, ask: impl FnOnce() -> bool) -> bool {
        if self.0.len() <= index {
            self.0.resize(index + 1, None);
        }
        *self.0[index].get_or_insert_with(ask)
    }
}

/// Where the end of a line begins: a line break, and the return before it.
fn end_of_text(line: &[u8]) -> usize {
    let text = line.strip_suffix(b"\n").unwrap_or(line);
    text.strip_suffix(b"\r").unwrap_or(text).len()
}

/// The end of a line belongs to no secret.
fn without_line_break(line: &[u8], hit: Range<usize>) -> Range<usize> {
    let is_break = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let before = line[hit.clone()].iter().take_while(|byte| is_break(byte)).count();
    let after =
        line[hit.start + before..hit.end].iter().rev().take_while(|byte| is_break(byte)).count();
    hit.start + before..hit.end - after
}
