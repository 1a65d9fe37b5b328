//! A part of a text that has to be masked.

use crate::class::Class;
use crate::quote::{BACKSLASHES, Escaped};

/// The number of the rule that made a finding. [`crate::Redactor::rule_name`] returns its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId(pub(crate) u16);

impl RuleId {
    /// The number of the rule, which is stable in one version of the crate.
    pub fn index(self) -> u32 {
        u32::from(self.0)
    }

    /// The rule with this number.
    pub fn from_index(index: u32) -> Option<Self> {
        u16::try_from(index).ok().map(Self)
    }
}

/// How a value continues after the end of a window. The rest is removed without another search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Continuation {
    /// With bytes of a class.
    While(Class),
    /// Up to the closing quote or the end of the line. `escaped` says that a backslash before the next byte escapes it.
    Quoted { quote: u8, escaped: bool },
    /// Up to the closing quote in a nested document, or the end of the line.
    Escaped(Escaped),
}

impl Continuation {
    /// How many bytes of `text` belong to the value or are held back, and whether it ends inside `text`.
    pub(crate) fn run(&mut self, text: &[u8]) -> (usize, bool) {
        let length = match self {
            Self::While(class) => class.run(text),
            Self::Quoted { quote, escaped } => {
                let end = text.iter().position(|&byte| {
                    let closes = byte == b'\n' || (byte == *quote && !*escaped);
                    *escaped = byte == b'\\' && !*escaped;
                    closes
                });
                end.unwrap_or(text.len())
            }
            Self::Escaped(escaped) => escaped.run(text),
        };
        (length, length < text.len())
    }

    /// The last backslashes, which belong to the closing quote if that follows. They are neither written nor removed
    /// yet.
    pub(crate) fn held(self) -> &'static [u8] {
        match self {
            Self::Escaped(escaped) => &BACKSLASHES[..escaped.held()],
            _ => &[],
        }
    }
}

/// A secret in the bytes `start..end` of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) rule: RuleId,
    /// How the value may continue, if it reaches the end of a window. Bytes that are held back are not in the span.
    pub(crate) open: Option<Continuation>,
    /// Whether the value is an unquoted JSON value, whose mask needs quotes for the document to remain valid.
    pub(crate) quoted: bool,
}

/// Sorts the spans, and merges those that overlap or touch. The first and longest one names the rule.
pub(crate) fn unite(spans: &mut Vec<Span>) {
    // The sort is stable and merges sorted runs, which these mostly are.
    spans.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end), span.rule));
    spans.dedup_by(|next, kept| {
        let touches = next.start <= kept.end;
        if touches && next.end > kept.end {
            kept.end = next.end;
            kept.open = next.open;
            kept.quoted = false;
        }
        if touches && next.end == kept.end && kept.open.is_none() {
            kept.open = next.open;
        }
        touches
    });
}
