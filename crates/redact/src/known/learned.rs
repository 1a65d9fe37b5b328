//! Known values that nobody named: a host saw them masked in one text and has them masked in all others.
//!
//! A value that is masked behind a name may be any word. It is learned only where it looks random, since it is masked
//! wherever it occurs from then on, also inside of words.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use super::{MIN_PART_CHARACTERS, accept};
use crate::detect::random::{looks_like_secret, reads_like_words};
use crate::literal::Literal;

/// How many values one redactor has learned at most. For more, those that were learned first are forgotten.
pub const MAX_LEARNED_SECRETS: usize = 256;

/// The limit on the bytes of all learned values together.
pub const MAX_LEARNED_BYTES: usize = 16 << 10;

/// The learned values with their forms, the oldest first.
#[derive(Clone, Default)]
pub(super) struct Learned(VecDeque<(Arc<str>, Arc<[Literal]>)>);

impl Learned {
    pub(super) fn literals(&self) -> impl Iterator<Item = &Literal> {
        self.0.iter().flat_map(|(_, literals)| &**literals)
    }

    pub(super) fn has_all(&self, batch: &[&str]) -> bool {
        let known: HashSet<&str> = self.0.iter().map(|(value, _)| &**value).collect();
        batch.iter().all(|value| known.contains(value))
    }

    /// Adds a batch. Its values are the newest then, also those that were learned before.
    pub(super) fn add(&mut self, batch: &[&str], forms: impl Fn(&str) -> Vec<Literal>) {
        let newest: HashSet<&str> = batch.iter().copied().collect();
        self.0.retain(|(value, _)| !newest.contains(&**value));
        self.0.extend(batch.iter().map(|&value| (value.into(), forms(value).into())));
        let mut bytes: usize = self.0.iter().map(|(value, _)| value.len()).sum();
        while self.0.len() > MAX_LEARNED_SECRETS || bytes > MAX_LEARNED_BYTES {
            let Some((oldest, _)) = self.0.pop_front() else { break };
            bytes -= oldest.len();
        }
    }
}

/// The first of the values, each once, as many as are learned together. The same values always give the same ones, so that
/// a text with more of them changes nothing when it is read again.
pub(super) fn batch<'v>(values: impl Iterator<Item = &'v str>) -> Vec<&'v str> {
    let (mut seen, mut bytes) = (HashSet::new(), 0);
    values
        .filter(|&value| seen.insert(value))
        .take_while(|value| {
            bytes += value.len();
            bytes <= MAX_LEARNED_BYTES
        })
        .take(MAX_LEARNED_SECRETS)
        .collect()
}

/// Whether a value is masked wherever it occurs although nobody named it: it has no blanks, is as long as a part of a known
/// value that is masked by itself, is nothing that many texts contain, looks random, and is not made of words.
pub(super) fn is_learnable(value: &str, min_length: usize) -> bool {
    !value.contains(|character: char| character.is_whitespace() || character.is_control())
        && accept("", value, min_length.max(MIN_PART_CHARACTERS)).is_ok()
        && looks_like_secret(value.as_bytes())
        && !reads_like_words(value.as_bytes())
}
