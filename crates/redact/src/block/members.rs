//! The items of a list and the members of a map below a secret's name: `passwords:` above `- …`, `"secrets": {` above
//! `"db": "…"`.

use std::ops::Range;

use super::pair::{member, value};
use super::{IsValue, LineRole};
use crate::class::Class;
use crate::mask;
use crate::span::{RuleId, Span};

/// The state after a line that ends with a secret's name and the sign that opens its members.
#[derive(Clone)]
pub(crate) struct Members {
    rule: RuleId,
    /// Tell whether an item and whether a member is a secret.
    is_value: [IsValue; 2],
    /// The members are indented more deeply than this column. The items of a YAML list may begin at it.
    column: usize,
}

/// All values of one rule are classified alike, so the rule alone is compared.
impl PartialEq for Members {
    fn eq(&self, other: &Self) -> bool {
        (self.rule, self.column) == (other.rule, other.column)
    }
}

impl Eq for Members {}

/// Whether the value at the start of `text` is no value but opens members: nothing else is on its line.
pub(crate) fn opens_members(text: &[u8]) -> bool {
    let sign = usize::from(matches!(text.first(), Some(b'{' | b'[')));
    let rest = &text[sign..];
    matches!(rest[Class::run_of_blanks(rest)..], [b'\n', ..] | [b'\r', b'\n', ..])
}

impl Members {
    /// The state after the line that has `before` before the name. `None` if the name does not begin its line.
    pub(super) fn begin(rule: RuleId, is_value: [IsValue; 2], before: &[u8]) -> Option<Self> {
        let column = Class::run_of_blanks(before);
        matches!(&before[column..], b"" | b"\"" | b"'" | b"- ").then_some(Self {
            rule,
            is_value,
            column,
        })
    }

    /// Reads one line.
    pub(super) fn line(&self, line: &[u8], spans: &mut Vec<Span>) -> LineRole {
        let content = line.trim_ascii();
        let start = line.len() - line.trim_ascii_start().len();
        let is_item = content.starts_with(b"- ");
        if content.is_empty() {
            return LineRole::Text;
        }
        if start < self.column || start == self.column && !is_item {
            return LineRole::Outside;
        }
        let found = member(line);
        let is_value = self.is_value[usize::from(found.is_some())];
        let found = match &found {
            Some(found) => value(line, found),
            None => item(line, start + if is_item { 2 } else { 0 }, is_item),
        };
        if let Some((range, quoted)) = found {
            let body = &line[range.clone()];
            if !mask::occurs(body) && is_value(body) {
                let Range { start, end } = range;
                spans.push(Span { start, end, rule: self.rule, open: None, quoted });
            }
        }
        LineRole::Cells
    }
}

/// Where the item at `at` is, without its quotes. A bare one is an item of YAML.
fn item(line: &[u8], at: usize, may_be_bare: bool) -> Option<(Range<usize>, bool)> {
    let end = line.trim_ascii_end();
    let end = end.strip_suffix(b",").unwrap_or(end).len();
    match *line.get(at)? {
        quote @ (b'"' | b'\'') => {
            let inner =
                at + 1..end.checked_sub(1).filter(|last| at < *last && line[*last] == quote)?;
            (!line[inner.clone()].contains(&quote)).then_some((inner, false))
        }
        _ if may_be_bare && at < end => Some((at..end, false)),
        _ => None,
    }
}
