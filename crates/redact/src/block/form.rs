//! A name whose value comes some lines below: a field of a form, and the default of a variable of Terraform.

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

/// Most lines between the name and its value.
const LINES: u8 = 16;

/// What a line that holds the value looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Awaited {
    /// The lines of the field's header go on to an empty one.
    Header,
    /// All of the line is the value.
    Field,
    /// `default = "x"`
    Default,
}

/// The state behind the line of the name.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Form {
    rule: RuleId,
    promised: Arc<Promised>,
    awaited: Awaited,
    /// So many lines may still come before the value.
    left: u8,
}

/// Where the line of the name at `name` ends, and what comes then, if it is that of a field: `form-data; name="password"`,
/// or of a variable: `variable "password" {`. Nothing is in a text that begins in the middle of the line, after `from` bytes
/// of context.
pub(crate) fn begins(text: &[u8], from: usize, name: Range<usize>) -> Option<(usize, Awaited)> {
    let before = &text[name.start.saturating_sub(COLUMNS)..name.start];
    let line = match memchr::memrchr(b'\n', before) {
        Some(newline) => &before[newline + 1..],
        None if before.len() < COLUMNS && from == 0 => before,
        None => return None,
    };
    let rest = text[name.end..].strip_prefix(b"\"")?;
    let (rest, awaited) = if line.ends_with(b"form-data; name=\"") {
        (rest, Awaited::Header)
    } else if line.trim_ascii_start() == b"variable \"" {
        (rest.strip_prefix(b" {")?, Awaited::Default)
    } else {
        return None;
    };
    let end = match rest {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        _ => return None,
    };
    Some((text.len() - rest.len() + end, awaited))
}

impl Form {
    pub(crate) fn new(rule: RuleId, promised: Promised, awaited: Awaited) -> Self {
        Self { rule, promised: Arc::new(promised), awaited, left: LINES }
    }

    pub(super) fn line(&mut self, line: &[u8], output: &mut impl Output) -> Line {
        let content = line.trim_ascii_end();
        let value = match self.awaited {
            Awaited::Header if content.is_empty() => {
                self.awaited = Awaited::Field;
                output.keep(line);
                return Line::Taken;
            }
            Awaited::Header => None,
            Awaited::Field => Some(0..content.len()),
            Awaited::Default if content.trim_ascii_start() == b"}" => return Line::Outside,
            Awaited::Default => default(content),
        };
        let Some(value) = value else {
            self.left -= 1;
            return if self.left == 0 { Line::Outside } else { Line::Text };
        };
        let body = &line[value.clone()];
        if body.starts_with(b"--")
            || mask::occurs(body)
            || !judge::is_secret_line(&self.promised, body)
        {
            return Line::Outside;
        }
        output.keep(&line[..value.start]);
        output.mask(self.rule, body.len(), false);
        output.keep(&line[value.end..]);
        Line::Last
    }
}

/// Where the value of `default = "x"` is in a line.
fn default(content: &[u8]) -> Option<Range<usize>> {
    let rest = content.trim_ascii_start().strip_prefix(b"default")?;
    let rest = &rest[Class::run_of_blanks(rest)..];
    let rest = rest.strip_prefix(b"=")?;
    let rest = rest[Class::run_of_blanks(rest)..].strip_prefix(b"\"")?;
    let body = rest.strip_suffix(b"\"")?;
    let start = content.len() - rest.len();
    (!body.contains(&b'"')).then_some(start..start + body.len())
}
