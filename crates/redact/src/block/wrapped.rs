//! A value that a terminal broke at its width: the rest of it stands on the next line.

use super::{BlockRule, LineRole, characters};
use crate::class::Class;
use crate::span::Span;

/// The widths at which lines are broken, in characters.
const WIDTHS: [usize; 3] = [80, 100, 120];

/// The state after a line that a value fills up to the width.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Wrapped {
    block_rule: BlockRule,
    width: usize,
    /// The quote that the value began with.
    quote: Option<u8>,
}

impl Wrapped {
    /// The state after `line`, which ends inside a value. `None` if the line is not as wide as a terminal.
    pub(super) fn begin(block_rule: BlockRule, line: &[u8], quote: Option<u8>) -> Option<Self> {
        let width = characters(line);
        WIDTHS.contains(&width).then_some(Self { block_rule, width, quote })
    }

    /// Reads one line.
    pub(super) fn line(&self, line: &[u8], spans: &mut Vec<Span>) -> LineRole {
        let content = line.strip_suffix(b"\n").unwrap_or(line);
        let content = content.strip_suffix(b"\r").unwrap_or(content);
        let closed = self.quote.and_then(|quote| memchr::memchr(quote, content));
        let end = closed.unwrap_or_else(|| Class::Unquoted.run(content));
        let goes_on = end == content.len() && characters(content) == self.width;
        let goes_on_like_a_value = content.first().is_some_and(|first| Class::Encoded.has(*first));
        if end == 0
            || !goes_on_like_a_value
            || closed.is_none() && !goes_on && !(self.block_rule.is_value)(&content[..end])
        {
            return LineRole::Outside;
        }
        spans.push(Span { start: 0, end, rule: self.block_rule.rule, open: None, quoted: false });
        if goes_on { LineRole::Cells } else { LineRole::LastCells }
    }
}
