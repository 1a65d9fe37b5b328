//! The default of a variable of Terraform, and the value of an output: `variable "password" {`, `default = "x"`.

use std::ops::Range;
use std::sync::Arc;

use super::{Line, Promised};
use crate::class::Class;
use crate::mask;
use crate::output::Output;
use crate::span::RuleId;
use crate::verify::judge;
use crate::verify::member::{self, Member};

/// Most lines between the name and its value.
const LINES: u8 = 32;

/// Longest block that is looked at on its line.
const BLOCK_BYTES: usize = 512;

/// Most attributes before the value on one line.
const OTHERS: usize = 6;

/// What opens a block, and which of its attributes holds what the block names.
const BLOCKS: &[(&[u8], &[u8])] = &[(b"variable", b"default"), (b"output", b"value")];

/// The state behind the line of the name.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Variable {
    rule: RuleId,
    promised: Arc<Promised>,
    holds: &'static [u8],
    /// Blocks that are open.
    depth: u8,
    /// So many lines may still come before the value.
    left: u8,
}

/// Where the block of the variable at `name` begins, behind its brace, and which attribute holds the value. `line` is what
/// comes before the name.
fn opens(text: &[u8], line: &[u8], name_end: usize) -> Option<(usize, &'static [u8])> {
    let quote = member::quote(text, name_end);
    let word = line.strip_suffix(quote).filter(|_| quote.len() <= 1)?;
    let (_, holds) = BLOCKS.iter().find(|(block, _)| word.trim_ascii() == *block)?;
    let apart = word.ends_with(b" ") || word.ends_with(b"\t");
    let at = name_end + quote.len();
    let at = at + Class::run_of_blanks(&text[at..]);
    (apart && text.get(at) == Some(&b'{')).then_some((at + 1, holds))
}

/// A quick no: behind the name at `name_end` no block begins.
pub(crate) fn may_open(text: &[u8], name_end: usize) -> bool {
    match &text[name_end..] {
        [b'"', next, ..] => b" \t{".contains(next),
        [b' ', b'{' | b' ', ..] => true,
        _ => false,
    }
}

/// Where the line of the variable at `name` ends, if its block goes on below.
pub(crate) fn begins(
    text: &[u8],
    line: &[u8],
    name: Range<usize>,
) -> Option<(usize, &'static [u8])> {
    let (at, holds) = opens(text, line, name.end)?;
    let rest = &text[at + Class::run_of_blanks(&text[at..])..];
    let end = match rest {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        [b'#', ..] | [b'/', b'/', ..] => memchr::memchr(b'\n', rest)? + 1,
        _ => return None,
    };
    Some((text.len() - rest.len() + end, holds))
}

/// Where the value of the variable whose name ends at `name_end` begins, with its quote, when all of the block is on its line.
pub(crate) fn on_line(text: &[u8], line: &[u8], name_end: usize) -> Option<usize> {
    let (at, holds) = opens(text, line, name_end)?;
    let reach = &text[..text.len().min(at + BLOCK_BYTES)];
    let mut at = at + Class::run_of_blanks(&text[at..]);
    for _ in 0..=OTHERS {
        let found = Member::read(reach, at).filter(|found| found.operator == b'=')?;
        if found.name == holds {
            let list = usize::from(reach.get(found.value) == Some(&b'['));
            let value = found.value + list;
            let value = value + Class::run_of_blanks(&reach[value..]);
            return (!member::quote(reach, value).is_empty()).then_some(value);
        }
        at = member::next(reach, found.end(reach)?)?;
    }
    None
}

impl Variable {
    pub(crate) fn new(rule: RuleId, promised: Promised, holds: &'static [u8]) -> Self {
        Self { rule, promised: Arc::new(promised), holds, depth: 1, left: LINES }
    }

    pub(super) fn line(&mut self, line: &[u8], output: &mut impl Output) -> Line {
        let content = line.trim_ascii();
        if content.starts_with(b"}") {
            self.depth -= 1;
        }
        self.left -= 1;
        if self.depth == 0 || self.left == 0 {
            return Line::Outside;
        }
        let values = if self.depth == 1 { self.values(line) } else { None };
        let Some(values) = values else {
            // Deeper than anything that is written stays where it is.
            self.depth = self.depth.saturating_add(u8::from(content.ends_with(b"{")));
            return Line::Text;
        };
        let is_secret =
            |body: &[u8]| !mask::occurs(body) && judge::is_secret_line(&self.promised, body);
        let mut at = 0;
        for value in values {
            if is_secret(&line[value.clone()]) {
                output.keep(&line[at..value.start]);
                output.mask(self.rule, value.len(), false);
                at = value.end;
            }
        }
        if at == 0 {
            return Line::Outside;
        }
        output.keep(&line[at..]);
        Line::Last
    }

    /// Where the strings are that the line gives to the attribute: `default = "x"`, `default = ["x", "y"]`.
    fn values(&self, line: &[u8]) -> Option<Vec<Range<usize>>> {
        let start = Class::run_of_blanks(line);
        let found = Member::read(line, start)
            .filter(|found| found.operator == b'=' && found.name == self.holds)?;
        let list = line.get(found.value) == Some(&b'[');
        let mut at = found.value + usize::from(list);
        let mut values = Vec::new();
        loop {
            at += Class::run_of_blanks(&line[at..]);
            let quote = member::quote(line, at);
            if quote != b"\"" {
                return Some(values);
            }
            let end = member::string_end(line, at + 1, quote)?;
            values.push(at + 1..end);
            let Some(next) = member::next(line, end + 1).filter(|_| list) else {
                return Some(values);
            };
            at = next;
        }
    }
}
