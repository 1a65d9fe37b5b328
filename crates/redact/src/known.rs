//! Deciding which known values are searched for, and which are refused.

mod common;
mod learned;
mod url;

use std::collections::HashSet;
use std::sync::Arc;

use crate::encode;
use crate::error::Error;
use crate::known::learned::Learned;
use crate::literal::{Literal, Literals, MAX_LITERAL_BYTES};
use crate::span::RuleId;
use crate::wrapped::Wraps;

pub use learned::{MAX_LEARNED_BYTES, MAX_LEARNED_SECRETS};

/// How many known values one redactor accepts.
pub const MAX_SECRETS: usize = 10_000;

/// The shortest line of a value of several lines that is masked by itself, and the shortest password in a URL.
const MIN_PART_CHARACTERS: usize = 8;

/// The known values in all their forms.
#[derive(Clone)]
pub(crate) struct Known {
    min_length: usize,
    rule: RuleId,
    /// The values, and parts of values, that were added already.
    values: HashSet<Arc<str>>,
    secrets: usize,
    literals: Vec<Literal>,
    /// The values that nobody named.
    learned: Learned,
}

impl Known {
    pub(crate) fn new(min_length: usize, rule: RuleId) -> Self {
        let learned = Learned::default();
        Self { min_length, rule, values: HashSet::new(), secrets: 0, literals: Vec::new(), learned }
    }

    /// Adds a value. False if it was added before.
    pub(crate) fn add(&mut self, name: &str, value: &str) -> Result<bool, Error> {
        accept(name, value, self.min_length)?;
        if self.values.contains(value) {
            return Ok(false);
        }
        if self.secrets == MAX_SECRETS {
            let reason = format!("there are {MAX_SECRETS} already");
            return Err(Error::secret_refused(name, reason));
        }
        self.secrets += 1;
        self.add_value(value);
        for password in url::passwords(value) {
            if accept(name, &password, self.min_length.max(MIN_PART_CHARACTERS)).is_ok() {
                self.add_value(&password);
            }
        }
        Ok(true)
    }

    /// Those of `values` that are learned: see [`learned::is_learnable`]. `None` if that changes nothing.
    pub(crate) fn learnable<'v>(
        &self,
        values: impl Iterator<Item = &'v str>,
    ) -> Option<Vec<&'v str>> {
        let is_new = |value: &&str| {
            learned::is_learnable(value, self.min_length) && !self.values.contains(*value)
        };
        let batch = learned::batch(values.filter(is_new));
        (!self.learned.has_all(&batch)).then_some(batch)
    }

    /// Adds values from [`Self::learnable`], and forgets the oldest.
    pub(crate) fn learn(&mut self, batch: &[&str]) {
        let rule = self.rule;
        self.learned.add(batch, |value| literals_of(value, rule));
    }

    /// All forms that are searched for.
    pub(crate) fn literals(&self) -> impl Iterator<Item = &Literal> {
        self.literals.iter().chain(self.learned.literals())
    }

    /// Compiles the search for the values and for `more`.
    pub(crate) fn compile(&self, more: &[Literal]) -> Result<Option<Literals>, Error> {
        let literals: Vec<Literal> = self.literals().chain(more).cloned().collect();
        Literals::new(&literals)
    }

    /// Compiles the search for values that are broken over lines.
    pub(crate) fn compile_wraps(&self) -> Result<Option<Wraps>, Error> {
        Wraps::new(self.literals())
    }

    fn add_value(&mut self, value: &str) {
        if self.values.insert(value.into()) {
            self.literals.extend(literals_of(value, self.rule));
        }
    }
}

/// All forms of a value.
fn literals_of(value: &str, rule: RuleId) -> Vec<Literal> {
    let mut lines: Vec<&str> = value.lines().map(str::trim).collect();
    let mut plain = Vec::new();
    let mut in_base64 = Vec::new();
    if lines.len() > 1 {
        lines.retain(|line| line.chars().count() >= MIN_PART_CHARACTERS && is_long_enough(line));
        plain.extend(encode::forms(value.as_bytes()));
        in_base64.extend(encode::base64_forms(value.as_bytes()));
    } else {
        // Blanks around a value of one line are part of the value.
        lines = vec![value.trim_end_matches(['\r', '\n'])];
    }
    for line in lines {
        plain.extend(encode::forms(line.as_bytes()));
        in_base64.extend(encode::base64_forms(line.as_bytes()));
        plain.push(line.as_bytes().to_vec());
    }
    let pieces = |forms: Vec<Vec<u8>>, in_base64: bool| {
        let mut pieces: Vec<Vec<u8>> = forms.into_iter().flat_map(split).collect();
        pieces.sort();
        pieces.dedup();
        pieces.into_iter().map(move |bytes| Literal { bytes, rule, in_base64 })
    };
    pieces(plain, false).chain(pieces(in_base64, true)).collect()
}

fn accept(name: &str, value: &str, min_length: usize) -> Result<(), Error> {
    let refused = |reason: &str| Err(Error::secret_refused(name, reason.to_owned()));
    let length = value.trim().chars().count();
    if length == 0 {
        return refused("its value is empty");
    }
    if length < min_length {
        return refused(&format!("its value has fewer than {min_length} characters"));
    }
    match common::reason(value.trim()) {
        Some(reason) => refused(reason),
        None => Ok(()),
    }
}

/// Whether a line may be a secret: a marker or a line of punctuation is none.
fn is_long_enough(line: &str) -> bool {
    !line.starts_with("-----") && line.chars().any(char::is_alphanumeric)
}

/// Cuts a form that is longer than a literal may be. The last piece overlaps the one before it, so that all pieces have
/// the same length.
fn split(bytes: Vec<u8>) -> Vec<Vec<u8>> {
    if bytes.len() <= MAX_LITERAL_BYTES {
        return vec![bytes];
    }
    let mut pieces: Vec<Vec<u8>> =
        bytes.chunks_exact(MAX_LITERAL_BYTES).map(<[u8]>::to_vec).collect();
    pieces.push(bytes[bytes.len() - MAX_LITERAL_BYTES..].to_vec());
    pieces
}
