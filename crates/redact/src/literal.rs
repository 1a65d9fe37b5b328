//! Known values and substrings, which are masked wherever they occur.

use aho_corasick::{AhoCorasick, MatchKind};

use crate::class::{Class, Runs};
use crate::error::Error;
pub(crate) use crate::limits::MAX_LITERAL_BYTES;
use crate::limits::{HOLD_BYTES, LOOK_BEHIND_BYTES};
use crate::options::Options;
use crate::span::{Continuation, RuleId, Span};

const _: () = assert!(MAX_LITERAL_BYTES <= LOOK_BEHIND_BYTES);

/// The limit on the bytes of all literals together.
const MAX_TOTAL_BYTES: usize = 16 << 20;

/// A literal and the rule it belongs to.
#[derive(Clone)]
pub(crate) struct Literal {
    pub(crate) bytes: Vec<u8>,
    pub(crate) rule: RuleId,
    /// Whether it is part of a run of Base64 that is masked as a whole.
    pub(crate) in_base64: bool,
}

/// A search for all literals at once.
pub(crate) struct Literals {
    /// Finds quickly where the first one is, if there is one.
    detector: AhoCorasick,
    /// Finds all of them, even where they overlap.
    all: AhoCorasick,
    /// The rule of each literal, and whether it is part of a run of Base64.
    kinds: Vec<(RuleId, bool)>,
}

impl Literals {
    /// `None` if there are no literals.
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
            kinds: literals.iter().map(|literal| (literal.rule, literal.in_base64)).collect(),
        }))
    }

    /// Adds every occurrence to the findings. `complete` says that the last line of the text ends there.
    pub(crate) fn find(&self, text: &[u8], complete: bool, spans: &mut Vec<Span>) {
        let Some(first) = self.detector.find(text) else { return };
        let from = first.start();
        let mut runs = Runs::new();
        let mut dealt_with = 0;
        for hit in self.all.find_overlapping_iter(&text[from..]) {
            let (rule, in_base64) = self.kinds[hit.pattern().as_usize()];
            let (mut start, mut end) = (from + hit.start(), from + hit.end());
            let mut open = None;
            if in_base64 {
                if end <= dealt_with {
                    continue;
                }
                let before = text[dealt_with.min(start)..start].iter().rev();
                start -=
                    before.take_while(|&&byte| byte != b'=' && Class::Base64.has(byte)).count();
                end = runs.end(text, Class::Base64, end - 1);
                dealt_with = end;
                open =
                    (!complete && end == text.len()).then_some(Continuation::While(Class::Base64));
                // The next window contains all of it.
                if open.is_some() && start + HOLD_BYTES > end {
                    continue;
                }
            }
            spans.push(Span { start, end, rule, open, quoted: false });
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
        Ok(Literal { bytes: text.clone().into_bytes(), rule, in_base64: false })
    };
    options.substrings.iter().enumerate().map(check).collect()
}
