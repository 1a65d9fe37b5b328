//! A field of a form, whose value comes behind its header and an empty line: `form-data; name="password"`.

use std::ops::Range;
use std::sync::Arc;

use super::{Line, Promised};
use crate::class::Class;
use crate::mask;
use crate::output::Output;
use crate::span::RuleId;
use crate::verify::judge;

/// Most lines between the name and its value.
const LINES: u8 = 16;

/// Longest mark before each line.
const MARK_BYTES: usize = 16;

/// What the header says before the name.
const HEADER: &[u8] = b"form-data";

/// The state behind the line of the name.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Field {
    rule: RuleId,
    promised: Arc<Promised>,
    /// What all lines begin with: `> `.
    mark: ([u8; MARK_BYTES], usize),
    /// The header is over.
    empty: bool,
    /// So many lines may still come before the value.
    left: u8,
}

/// Where the line of the name at `name` ends, if it is that of a field, and the mark before it. `line` is what comes before.
pub(crate) fn begins<'t>(
    text: &[u8],
    line: &'t [u8],
    name: Range<usize>,
) -> Option<(usize, &'t [u8])> {
    // `user[password]`
    let mut before = line;
    let mut after = &text[name.end..];
    if let Some(rest) = after.strip_prefix(b"]") {
        before = before.strip_suffix(b"[")?;
        let words =
            before.iter().rev().take_while(|&&byte| Class::Dot.has(byte) || b"[]".contains(&byte));
        before = &before[..before.len() - words.count()];
        after = rest;
    }
    if let [quote @ (b'"' | b'\''), rest @ ..] = after {
        before = before.strip_suffix(&[*quote])?;
        after = rest;
    }
    let before = before.strip_suffix(b"=")?;
    let (header, parameter) = before.split_last_chunk::<4>()?;
    let header = header.trim_ascii_end().strip_suffix(b";")?;
    let kind = header.len().checked_sub(HEADER.len())?;
    if !parameter.eq_ignore_ascii_case(b"name") || !header[kind..].eq_ignore_ascii_case(HEADER) {
        return None;
    }
    let length = memchr::memchr(b'\n', after)?;
    let other = after[..length].trim_ascii();
    if !other.is_empty() && !other.starts_with(b";") {
        return None;
    }
    let marks = line.iter().take(MARK_BYTES).take_while(|byte| b"> \t|#+<".contains(byte)).count();
    Some((text.len() - after.len() + length + 1, &line[..marks]))
}

impl Field {
    pub(crate) fn new(rule: RuleId, promised: Promised, mark: &[u8]) -> Self {
        let mut kept = [0; MARK_BYTES];
        let length = mark.len().min(MARK_BYTES);
        kept[..length].copy_from_slice(&mark[..length]);
        Self { rule, promised: Arc::new(promised), mark: (kept, length), empty: false, left: LINES }
    }

    pub(super) fn line(&mut self, line: &[u8], output: &mut impl Output) -> Line {
        let mark = self.mark.0[..self.mark.1].trim_ascii_end();
        let Some(content) = line.strip_prefix(mark) else { return Line::Outside };
        // Of the blanks behind the mark as many are none of the value.
        let blanks = self.mark.1 - mark.len();
        let blanks = content.iter().take(blanks).take_while(|byte| b" \t".contains(byte)).count();
        let start = mark.len() + blanks;
        let body = line[start..].trim_ascii_end();
        if !self.empty {
            self.left -= 1;
            self.empty = body.is_empty();
            return if self.left == 0 { Line::Outside } else { Line::Text };
        }
        if body.starts_with(b"--")
            || mask::occurs(body)
            || !judge::is_secret_line(&self.promised, body)
        {
            return Line::Outside;
        }
        output.keep(&line[..start]);
        output.mask(self.rule, body.len(), false);
        output.keep(&line[start + body.len()..]);
        Line::Last
    }
}
