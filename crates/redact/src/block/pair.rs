//! A name and its value on two lines: `- name: DB_PASSWORD` and `value: …` below it, as in manifests and in JSON.

use std::ops::Range;
use std::sync::Arc;

use super::{Line, Promised};
use crate::class::Class;
use crate::mask;
use crate::output::Output;
use crate::span::RuleId;
use crate::verify::judge;

/// Longest line before the name.
const COLUMNS: usize = 128;

/// What the member with the name is called, and the one with the value.
const NAMES: &[&[u8]] = &[b"name", b"key", b"Name", b"Key"];
const VALUES: &[&[u8]] = &[b"value", b"Value"];

/// The state behind the line of the name.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Pair {
    rule: RuleId,
    promised: Arc<Promised>,
}

/// Where the line of the name at `name` ends, if it is the value of a member called so and nothing follows it.
/// Nothing is in a text that begins in the middle of the line, after `from` bytes of context.
pub(crate) fn ends_line(text: &[u8], from: usize, name: Range<usize>) -> Option<usize> {
    let rest = &text[name.end..];
    let quote = usize::from(matches!(rest.first(), Some(b'"' | b'\'')));
    let comma = usize::from(rest.get(quote) == Some(&b','));
    let end = match &rest[quote + comma..] {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        _ => return None,
    };
    let before = &text[name.start.saturating_sub(COLUMNS)..name.start];
    let line = match memchr::memrchr(b'\n', before) {
        Some(newline) => &before[newline + 1..],
        None if before.len() < COLUMNS && from == 0 => before,
        None => return None,
    };
    let quoted = before.last().is_some_and(|last| matches!(last, b'"' | b'\''));
    let member = Member::read(line)?;
    let opens = line.len() - member.value == usize::from(quoted) && quoted == (quote == 1);
    (opens && NAMES.contains(&member.name)).then_some(name.end + quote + comma + end)
}

/// `name: ` or `"name": ` at the start of a line, behind what opens an item.
struct Member<'t> {
    name: &'t [u8],
    quoted: bool,
    /// Where its value begins.
    value: usize,
}

impl<'t> Member<'t> {
    fn read(line: &'t [u8]) -> Option<Self> {
        let start = line.iter().position(|byte| !b" \t-{".contains(byte))?;
        let quote = Some(line[start]).filter(|byte| matches!(byte, b'"' | b'\''));
        let start = start + usize::from(quote.is_some());
        let end = start + Class::Word.run(&line[start..]);
        let mut at = end;
        if quote.is_some() {
            at += usize::from(line.get(at) == quote.as_ref());
        }
        if line.get(at) != Some(&b':') {
            return None;
        }
        let value = at + 1 + Class::run_of_blanks(&line[at + 1..]);
        Some(Self { name: &line[start..end], quoted: quote.is_some(), value })
    }
}

impl Pair {
    pub(crate) fn new(rule: RuleId, promised: Promised) -> Self {
        Self { rule, promised: Arc::new(promised) }
    }

    /// Takes the line of the value; any other ends the pair.
    pub(super) fn line(&self, line: &[u8], output: &mut impl Output) -> Line {
        let Some(member) = Member::read(line).filter(|member| VALUES.contains(&member.name)) else {
            return Line::Outside;
        };
        let mut start = member.value;
        let mut end = start + line[start..].trim_ascii_end().len();
        end -= usize::from(member.quoted && line[..end].ends_with(b","));
        if end >= start + 2 && matches!(line[start], b'"' | b'\'') && line[start] == line[end - 1] {
            start += 1;
            end -= 1;
        }
        let body = &line[start..end];
        let scalar = matches!(body.first(), Some(b'|' | b'>' | b'{' | b'[' | b'"' | b'\'' | b'&'));
        if scalar || mask::occurs(body) || !judge::is_secret_line(&self.promised, body) {
            return Line::Outside;
        }
        let number = member.quoted && start == member.value;
        output.keep(&line[..start]);
        output.mask(self.rule, body.len(), number);
        output.keep(&line[end..]);
        Line::Last
    }
}
