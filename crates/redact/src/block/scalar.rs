//! Block scalars of YAML: `password: |` or `>` and the deeper lines below it become one mask, however many they are.

use std::ops::Range;
use std::sync::Arc;

use memchr::memmem;

use super::{Line, Promised};
use crate::class::Class;
use crate::mask;
use crate::output::Output;
use crate::span::RuleId;
use crate::verify::judge;

/// Furthest to the right that the name of a block may stand.
const COLUMNS: usize = 256;

/// Longest indentation shown of a line that is too long to hold.
const INDENTATION_BYTES: usize = 1 << 10;

/// The state inside a block scalar.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Scalar {
    rule: RuleId,
    promised: Arc<Promised>,
    /// What belongs to the block stands to the right of this.
    column: usize,
    /// What all lines begin with in a comment, a quotation or a patch.
    mark: Option<u8>,
    /// The mask is written.
    masked: bool,
    /// What comes next continues a line that belongs to the block.
    inside: Option<Inside>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// The line that shows the mask.
    Masked,
    /// A line that is removed.
    Removed,
}

/// The value at `at`, a bar or an angle, of the name at `name` opens a block scalar: the end of its line and the state behind it.
/// `line_end` is where that line ends.
/// Nothing does in a text that begins in the middle of the name's line, after `from` bytes of context.
#[cold]
pub(crate) fn header(
    text: &[u8],
    from: usize,
    rule: RuleId,
    promised: impl FnOnce() -> Promised,
    name: Range<usize>,
    at: usize,
    line_end: usize,
) -> Option<(usize, Scalar)> {
    let before = &text[name.start.saturating_sub(COLUMNS)..name.start];
    let line = match memchr::memrchr(b'\n', before) {
        Some(newline) => &before[newline + 1..],
        None if before.len() < COLUMNS && from == 0 => before,
        None => return None,
    };
    if !line.iter().all(|byte| b" \t-+>#\"'".contains(byte)) {
        return None;
    }
    let end = at + 1 + opening(&text[at + 1..], line_end - at - 1)?;
    let quotes = line.iter().rev().take_while(|byte| matches!(byte, b'"' | b'\'')).count();
    let block = Scalar {
        rule,
        promised: Arc::new(promised()),
        column: line.len() - quotes,
        mark: line.first().copied().filter(|byte| b"-+>#".contains(byte)),
        masked: false,
        inside: None,
    };
    Some((end, block))
}

/// Length of the rest of a block's first line with its end: indicators and a comment. It is `length` bytes long without.
fn opening(rest: &[u8], length: usize) -> Option<usize> {
    let indicators =
        rest.iter().take(2).take_while(|byte| matches!(byte, b'+' | b'-' | b'1'..=b'9')).count();
    let blanks = Class::run_of_blanks(&rest[indicators..]);
    let at = indicators + blanks;
    match &rest[at..] {
        [b'\n', ..] => Some(at + 1),
        [b'\r', b'\n', ..] => Some(at + 2),
        [b'#', ..] if blanks > 0 && length < rest.len() => Some(length + 1),
        _ => None,
    }
}

impl Scalar {
    /// Takes one line.
    pub(crate) fn line(&mut self, line: &[u8], output: &mut impl Output) -> Line {
        let content = line.strip_suffix(b"\n").unwrap_or(line);
        if let Some(inside) = self.inside.take() {
            output.remove(content.len());
            match inside {
                Inside::Masked => output.keep(&line[content.len()..]),
                Inside::Removed => output.remove(line.len() - content.len()),
            }
            return Line::Taken;
        }
        let depth = self.depth(content);
        let body = content[depth..].trim_ascii_end();
        if body.is_empty() {
            output.keep(line);
            return Line::Taken;
        }
        if depth <= self.column {
            return Line::Outside;
        }
        if self.masked {
            output.remove(line.len());
            return Line::Taken;
        }
        // A private key has its own beginning and end, and what follows it is read as if it stood alone.
        let key = memmem::find(body, b"PRIVATE KEY").is_some();
        if key && body.starts_with(b"-----BEGIN") {
            return Line::Outside;
        }
        // A mask says that the line was judged before.
        let judged = mask::occurs(body) || !judge::is_secret_line(&self.promised, body);
        if judged && !key {
            return Line::Text;
        }
        output.keep(&content[..depth]);
        output.mask(self.rule, body.len(), false);
        output.keep(&line[depth + body.len()..]);
        self.masked = true;
        Line::Taken
    }

    /// How much of an unfinished line stays whatever the block is: its indentation until a mask is written, or all of it
    /// when it is not deep enough and cannot become so.
    pub(super) fn lead(&self, line: &[u8]) -> usize {
        match self.depth(line) {
            depth if depth <= self.column && depth < line.len() => line.len(),
            _ if self.masked => 0,
            depth => depth,
        }
    }

    /// Takes a piece of a line that is too long to hold, unless the line is not part of the block.
    pub(crate) fn window(&mut self, text: &[u8], output: &mut impl Output) -> bool {
        if self.inside.is_some() {
            output.remove(text.len());
            return true;
        }
        let depth = self.depth(text);
        if depth <= self.column {
            return false;
        }
        if self.masked {
            output.remove(text.len());
            self.inside = Some(Inside::Removed);
        } else {
            let shown = depth.min(INDENTATION_BYTES);
            output.keep(&text[..shown]);
            output.mask(self.rule, text.len() - shown, false);
            self.masked = true;
            self.inside = Some(Inside::Masked);
        }
        true
    }

    /// Length of a line's indentation.
    fn depth(&self, content: &[u8]) -> usize {
        let marked = content.first().is_some_and(|first| self.mark == Some(*first));
        let rest = &content[usize::from(marked)..];
        let blanks = rest.iter().position(|byte| !matches!(byte, b' ' | b'\t'));
        usize::from(marked) + blanks.unwrap_or(rest.len())
    }
}
