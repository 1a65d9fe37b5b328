//! A stretch of text to mask.

use crate::class::Class;
use crate::quote::{BACKSLASHES, Escaped};

/// Names the rule that made a finding; [`crate::Redactor::rule_name`] gives its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId(pub(crate) u16);

impl RuleId {
    /// The number of the rule, stable for one version of the crate.
    pub fn index(self) -> u32 {
        u32::from(self.0)
    }

    /// The rule of such a number.
    pub fn from_index(index: u32) -> Option<Self> {
        u16::try_from(index).ok().map(Self)
    }
}

/// How to go on when a value reaches past the text at hand: what is removed without being looked at again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Swallow {
    /// Bytes of the class.
    While(Class),
    /// Up to the closing quote or the end of the line. `escaped`: the byte before was a backslash that counts.
    Quoted { quote: u8, escaped: bool },
    /// Up to the closing quote of a document inside a document, or the end of the line.
    Escaped(Escaped),
}

impl Swallow {
    /// How many bytes of `text` belong to the value or are held, and whether it ends inside `text`.
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

    /// The backslashes taken last that belong to the closing quote, should one follow: neither shown nor removed yet.
    pub(crate) fn held(self) -> &'static [u8] {
        match self {
            Self::Escaped(escaped) => &BACKSLASHES[..escaped.held()],
            _ => &[],
        }
    }
}

/// Bytes `start..end` of the text at hand are a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) rule: RuleId,
    /// Set when the text goes on where the value ends: the value may go on too. What the swallow holds is not in the span.
    pub(crate) open: Option<Swallow>,
    /// The value was a bare JSON scalar: its mask needs quotes for the document to stay JSON.
    pub(crate) quoted: bool,
}

/// Sorts the spans and unites those that overlap or touch. The first and longest names the rule.
pub(crate) fn unite(spans: &mut Vec<Span>) {
    // Stable: it merges runs that are in order, which these are.
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
