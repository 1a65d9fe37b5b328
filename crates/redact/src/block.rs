//! Values on the lines below their name: YAML block scalars (`password: |`), and a name and its value in members or elements of
//! their own. What the value has to look like is the caller's promise.

mod pair;

use std::ops::Range;

use memchr::memmem;

use crate::class::Class;
use crate::mask;
use crate::output::Output;
use crate::span::RuleId;
pub(crate) use pair::may_begin;

/// Furthest to the right that a name may stand.
const COLUMNS: usize = 128;

/// Longest indentation shown of a line that is too long to hold.
const INDENTATION_BYTES: usize = 1 << 10;

/// What a name says of the value below it.
#[derive(Clone, Copy)]
pub(crate) struct Promised {
    pub(crate) rule: RuleId,
    /// Whether a line or a value is one, and no placeholder or reference.
    pub(crate) is_value: fn(&[u8]) -> bool,
}

/// A rule judges all its values alike.
impl PartialEq for Promised {
    fn eq(&self, other: &Self) -> bool {
        self.rule == other.rule
    }
}

impl Eq for Promised {}

/// The state behind a line that promises a value.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Block {
    /// The deeper lines of a block scalar.
    Scalar(Scalar),
    /// The next line, or one below.
    Pair(pair::Pair),
}

/// What a line is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// Part of the block, dealt with.
    Taken,
    /// The same, and the block is over.
    Last,
    /// Part of the block, but no secret by itself: to be read as text.
    Text,
    /// Not part of the block, which is over.
    Outside,
}

/// Where the line of the name at `name` ends, and the state behind it, when its value is on a line below. Nothing is in a text
/// that begins in the middle of the line, after `from` bytes of context.
pub(crate) fn begins(
    text: &[u8],
    from: usize,
    promised: Promised,
    name: Range<usize>,
) -> Option<(usize, Block)> {
    let before = line_before(text, from, name.start)?;
    let length = memchr::memchr(b'\n', &text[name.end..])?;
    let pair =
        pair::Pair::begin(promised, before, &text[name.clone()], &text[name.end..][..length])?;
    Some((name.end + length + 1, Block::Pair(pair)))
}

/// The same when the value at `at`, a bar or an angle, opens a block scalar.
#[cold]
pub(crate) fn header(
    text: &[u8],
    from: usize,
    promised: Promised,
    name: Range<usize>,
    at: usize,
) -> Option<(usize, Block)> {
    let before = line_before(text, from, name.start)?;
    let length = memchr::memchr(b'\n', &text[at..])?;
    let rest = &text[at + 1..at + length];
    let signs = rest.iter().take_while(|byte| matches!(byte, b'+' | b'-' | b'1'..=b'9')).count();
    let after = &rest[signs..];
    let comment = Class::run_of_blanks(after) > 0 && after.trim_ascii_start().starts_with(b"#");
    let is_name = before.iter().all(|byte| b" \t-+>#\"'".contains(byte));
    if signs > 2 || !is_name || !(comment || after.trim_ascii().is_empty()) {
        return None;
    }
    let scalar = Scalar {
        promised,
        column: before.trim_ascii_end().len().max(before.len() - quotes(before)),
        mark: before.first().copied().filter(|byte| b"-+>#".contains(byte)),
        masked: false,
        inside: false,
    };
    Some((at + length + 1, Block::Scalar(scalar)))
}

fn quotes(before: &[u8]) -> usize {
    before.iter().rev().take_while(|byte| matches!(byte, b'"' | b'\'')).count()
}

/// What is before `at` on its line.
fn line_before(text: &[u8], from: usize, at: usize) -> Option<&[u8]> {
    let before = &text[at.saturating_sub(COLUMNS)..at];
    match memchr::memrchr(b'\n', before) {
        Some(newline) => Some(&before[newline + 1..]),
        None => (before.len() < COLUMNS && from == 0).then_some(before),
    }
}

impl Block {
    /// Takes one line.
    pub(crate) fn line(&mut self, line: &[u8], output: &mut impl Output) -> Line {
        match self {
            Self::Scalar(scalar) => scalar.line(line, output),
            Self::Pair(pair) => pair.line(line, output),
        }
    }

    /// How much of an unfinished line comes before what may be masked as a whole.
    pub(crate) fn lead(&self, line: &[u8]) -> usize {
        match self {
            Self::Scalar(scalar) => match scalar.depth(line) {
                depth if depth <= scalar.column && depth < line.len() => line.len(),
                depth => depth,
            },
            Self::Pair(_) => line.len(),
        }
    }

    /// Takes a piece of a line that is too long to hold, unless the line is not part of the block.
    pub(crate) fn window(&mut self, text: &[u8], output: &mut impl Output) -> bool {
        match self {
            Self::Scalar(scalar) => scalar.window(text, output),
            Self::Pair(_) => false,
        }
    }
}

/// The state inside a block scalar.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Scalar {
    promised: Promised,
    /// What belongs to the block stands to the right of this.
    column: usize,
    /// What all lines begin with in a comment, a quotation or a patch.
    mark: Option<u8>,
    /// A line is masked, and so are all that follow.
    masked: bool,
    /// What comes next continues a line whose mask is written.
    inside: bool,
}

impl Scalar {
    fn line(&mut self, line: &[u8], output: &mut impl Output) -> Line {
        let content = line.strip_suffix(b"\n").unwrap_or(line);
        if std::mem::take(&mut self.inside) {
            output.remove(content.len());
            output.keep(&line[content.len()..]);
            return Line::Taken;
        }
        let depth = self.depth(content);
        let body = content[depth..].trim_ascii_end();
        // A mask says that the line was judged before.
        let judged = mask::length(body) == body.len();
        // A private key has its own beginning and end.
        if !body.is_empty() && depth <= self.column || memmem::find(body, b"-----BEGIN").is_some() {
            return Line::Outside;
        }
        if body.is_empty() || judged {
            self.masked |= !body.is_empty();
            output.keep(line);
            return Line::Taken;
        }
        if !self.masked && (mask::occurs(body) || !(self.promised.is_value)(body)) {
            return Line::Text;
        }
        self.masked = true;
        output.keep(&content[..depth]);
        output.mask(self.promised.rule, body.len(), false);
        output.keep(&line[depth + body.len()..]);
        Line::Taken
    }

    fn window(&mut self, text: &[u8], output: &mut impl Output) -> bool {
        let depth = self.depth(text);
        if self.inside {
            output.remove(text.len());
        } else if depth > self.column {
            let shown = depth.min(INDENTATION_BYTES);
            output.keep(&text[..shown]);
            output.mask(self.promised.rule, text.len() - shown, false);
            (self.masked, self.inside) = (true, true);
        }
        self.inside
    }

    /// Length of a line's indentation.
    fn depth(&self, content: &[u8]) -> usize {
        let marked = content.first().is_some_and(|first| self.mark == Some(*first));
        usize::from(marked) + Class::run_of_blanks(&content[usize::from(marked)..])
    }
}
