//! The new lines of an edit, written as the file writes the lines that they take the place of.

use std::collections::HashMap;

use similar::DiffOp;

use super::indentation::split;
use super::letters::{Dashes, typed};
use super::normal::{Normal, Tolerance};
use crate::linux::line_diff::differences;

/// Most pairs of old and new lines that are compared to find those that belong together.
const MAX_PAIRS: usize = 1 << 12;
/// Most tokens of a line whose letters are kept where old and new share them.
const MAX_TOKENS: usize = 2000;

/// A line of the caller, and the line of the file that it stands for; both without line ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinePair<'t> {
    pub(super) yours: &'t str,
    pub(super) file: &'t str,
}

/// What the caller writes in place of letters that the file has otherwise, as far as that is always the same.
#[derive(Debug, Default)]
pub(super) struct Letters(HashMap<char, Option<String>>);

impl Letters {
    /// Learns from a text of the caller and that of the file; only typographic letters of the caller are learned.
    pub(super) fn learn(&mut self, yours: &str, file: &str) {
        let mut yours = yours.chars();
        let Some(letter) = yours.next().filter(|_| yours.next().is_none()) else { return };
        if typed(letter, Dashes::Single).is_none() {
            return;
        }
        let known = self.0.entry(letter).or_insert_with(|| Some(file.to_owned()));
        if known.as_deref() != Some(file) {
            *known = None;
        }
    }

    fn apply(&self, text: &str) -> String {
        let mut applied = String::with_capacity(text.len());
        for char in text.chars() {
            match self.0.get(&char) {
                Some(Some(known)) => applied.push_str(known),
                _ => applied.push(char),
            }
        }
        applied
    }
}

/// For each new line the old one that it is a new form of, if any; in the order of both.
pub(super) fn partners(old: &[&str], new: &[&str]) -> Vec<Option<usize>> {
    let mut found = vec![None; new.len()];
    if old.len() * new.len() > MAX_PAIRS {
        return found;
    }
    let alike: Vec<Vec<usize>> =
        new.iter().map(|new| old.iter().map(|old| likeness(old, new)).collect()).collect();
    // The best sum of likenesses of the first lines of both.
    let mut best = vec![vec![0; old.len() + 1]; new.len() + 1];
    for (n, row) in alike.iter().enumerate() {
        for (o, alike) in row.iter().enumerate() {
            let both = if *alike > 0 { best[n][o] + alike } else { 0 };
            best[n + 1][o + 1] = both.max(best[n][o + 1]).max(best[n + 1][o]);
        }
    }
    let (mut n, mut o) = (new.len(), old.len());
    while n > 0 && o > 0 {
        if best[n][o] == best[n - 1][o] {
            n -= 1;
        } else if best[n][o] == best[n][o - 1] {
            o -= 1;
        } else {
            (n, o) = (n - 1, o - 1);
            found[n] = Some(o);
        }
    }
    found
}

/// Percentage of two lines that is the same in words and signs; 0 where less than half is.
fn likeness(old: &str, new: &str) -> usize {
    let (old_tokens, new_tokens) = (tokens(old.trim()), tokens(new.trim()));
    if old_tokens.len().max(new_tokens.len()) > MAX_TOKENS || old_tokens.is_empty() {
        return 0;
    }
    let ops = differences(&old_tokens, &new_tokens);
    let shared: usize = ops
        .iter()
        .filter(|op| matches!(op, DiffOp::Equal { .. }))
        .map(|op| old_tokens[op.old_range()].concat().len())
        .sum();
    let percent = 200 * shared / (old.trim().len() + new.trim().len()).max(1);
    if percent < 50 { 0 } else { percent }
}

/// A new line without its indentation, with the letters of the file where it shares them with the old line that it is a new
/// form of. `None` where the file codes letters and nobody can tell how the new ones are coded.
pub(super) fn merged(
    pair: Option<LinePair<'_>>,
    new: &str,
    tolerance: Tolerance,
    (letters, is_open): (&Letters, &dyn Fn(char) -> bool),
) -> Option<String> {
    let literal = || (!new.chars().any(is_open)).then(|| letters.apply(new));
    let Some(LinePair { yours, file }) = pair else { return literal() };
    if yours == new {
        return Some(file.to_owned());
    }
    if yours == file {
        return Some(letters.apply(new));
    }
    let aligned = Aligned::of(yours, file, tolerance);
    let (old_tokens, new_tokens) = (tokens(yours), tokens(new));
    if old_tokens.len().max(new_tokens.len()) > MAX_TOKENS {
        return literal();
    }
    let starts = |tokens: &[&str]| -> Vec<usize> {
        let ends = tokens.iter().scan(0, |at, token| {
            *at += token.len();
            Some(*at)
        });
        std::iter::once(0).chain(ends).collect()
    };
    let (old_starts, mut written) = (starts(&old_tokens), String::new());
    for op in differences(&old_tokens, &new_tokens) {
        if let DiffOp::Equal { .. } = op {
            let range = op.old_range();
            let from = aligned.file_place(old_starts[range.start]);
            let to = aligned.file_place(old_starts[range.end]);
            match (from, to) {
                (Some(from), Some(to)) => written.push_str(&file[from..to]),
                _ => return literal(),
            }
            continue;
        }
        let added = new_tokens[op.new_range()].concat();
        if added.chars().any(is_open) {
            return None;
        }
        written.push_str(&letters.apply(&added));
    }
    Some(written)
}

/// A text of the caller and the text of the file that counts as the same.
pub(super) struct Aligned {
    yours: Normal,
    file: Normal,
    file_length: usize,
}

impl Aligned {
    pub(super) fn of(yours: &str, file: &str, tolerance: Tolerance) -> Aligned {
        let letters = tolerance.of_letters();
        Aligned {
            yours: Normal::of(yours, letters),
            file: Normal::of(file, Tolerance { code: tolerance.code, ..letters }),
            file_length: file.len(),
        }
    }

    /// The place in the file for a place in the caller's text; `None` within what stands for one character.
    pub(super) fn file_place(&self, yours: usize) -> Option<usize> {
        let normal = self.yours.normal_end(yours)?;
        match normal {
            0 => Some(0),
            all if all == self.yours.text.len() => Some(self.file_length),
            normal => self.file.source_end(normal),
        }
    }
}

/// The words and signs of a line. Signs that one letter may stand for are one token.
pub(super) fn tokens(line: &str) -> Vec<&str> {
    let kind = |char: char| match char {
        '_' => 0,
        char if char.is_alphanumeric() => 0,
        '.' => 1,
        '-' => 2,
        char if char.is_whitespace() => 3,
        _ => 4,
    };
    let (mut tokens, mut from, mut before) = (Vec::new(), 0, None);
    for (at, char) in line.char_indices() {
        let now = kind(char);
        if before.is_some_and(|before| before != now || now == 4) {
            tokens.push(&line[from..at]);
            from = at;
        }
        before = Some(now);
    }
    if from < line.len() {
        tokens.push(&line[from..]);
    }
    tokens
}

/// The indentation of a line and the rest, without blanks at its end where those do not count.
pub(super) fn body(line: &str, tolerance: Tolerance) -> &str {
    let line = line.strip_suffix('\n').unwrap_or(line);
    let line = if tolerance.indentation { split(line).1 } else { line };
    if tolerance.line_ends { line.trim_end_matches([' ', '\t', '\u{a0}']) } else { line }
}
