//! Known values and substrings, masked wherever they appear.

use aho_corasick::{AhoCorasick, MatchKind};

use crate::core::LOOK_BEHIND_BYTES;
use crate::error::Error;
use crate::options::Options;
use crate::span::RuleId;

/// Longest substring accepted, and the size of the pieces that a longer known value is searched as. A literal is never
/// longer than what a window shows before its own text, so that none is lost between two windows.
pub const MAX_LITERAL_BYTES: usize = LOOK_BEHIND_BYTES;

/// Most bytes of all literals together.
const MAX_TOTAL_BYTES: usize = 16 << 20;

/// A literal and who asked for it.
pub(crate) struct Literal {
    pub(crate) bytes: Vec<u8>,
    pub(crate) rule: RuleId,
}

/// A search for all literals at once.
pub(crate) struct Literals {
    /// Says quickly whether and where the first one is.
    detector: AhoCorasick,
    /// Finds all of them, also where they overlap.
    all: AhoCorasick,
    rules: Vec<RuleId>,
}

impl Literals {
    /// `None` when there are none.
    pub(crate) fn new(literals: &[Literal]) -> Result<Option<Self>, Error> {
        if literals.is_empty() {
            return Ok(None);
        }
        if literals.iter().map(|literal| literal.bytes.len()).sum::<usize>() > MAX_TOTAL_BYTES {
            return Err(Error::literals_too_large());
        }
        let build = |kind| {
            let bytes = literals.iter().map(|literal| &literal.bytes);
            AhoCorasick::builder()
                .match_kind(kind)
                .build(bytes)
                .map_err(|_| Error::literals_too_large())
        };
        Ok(Some(Self {
            detector: build(MatchKind::LeftmostFirst)?,
            all: build(MatchKind::Standard)?,
            rules: literals.iter().map(|literal| literal.rule).collect(),
        }))
    }

    /// Calls `found(rule, start, end)` for every occurrence.
    pub(crate) fn find(&self, text: &[u8], mut found: impl FnMut(RuleId, usize, usize)) {
        let Some(first) = self.detector.find(text) else { return };
        let from = first.start();
        for hit in self.all.find_overlapping_iter(&text[from..]) {
            found(self.rules[hit.pattern().as_usize()], from + hit.start(), from + hit.end());
        }
    }
}

/// The substrings of the options.
pub(crate) fn substrings(options: &Options, rule: RuleId) -> Result<Vec<Literal>, Error> {
    let check = |(index, text): (usize, &String)| {
        if text.is_empty() {
            return Err(Error::substring_refused(index, "it is empty"));
        }
        if text.contains('\n') {
            return Err(Error::substring_refused(index, "it has a line break, give one per line"));
        }
        if text.len() > MAX_LITERAL_BYTES {
            return Err(Error::substring_refused(index, "it is too long"));
        }
        Ok(Literal { bytes: text.clone().into_bytes(), rule })
    };
    options.substrings.iter().enumerate().map(check).collect()
}
