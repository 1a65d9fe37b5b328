//! Values that stand on the lines below their name: YAML block scalars (`password: |`), names and values in separate
//! members or elements, lists and maps below their name, columns below a header, and the rest of a value that a terminal
//! broke at its width. The caller says what a value has to look like.

mod members;
mod pair;
mod table;
mod wrapped;

use std::ops::Range;

use memchr::memmem;

use crate::class::Class;
use crate::mask;
use crate::output::Output;
use crate::span::{RuleId, Span};
pub(crate) use members::opens_members;
pub(crate) use pair::may_begin;
pub(crate) use table::{IsValue, MAX_HEADER_BYTES, ReadHeading, may_begin as may_be_heading};

/// The rightmost column that a name may start in.
const MAX_NAME_COLUMN: usize = 128;

/// The longest indentation that is kept of a line that is too long to hold.
const MAX_INDENTATION_BYTES: usize = 1 << 10;

/// The rule for the value of a name that stands on a line above it.
#[derive(Clone, Copy)]
pub(crate) struct BlockRule {
    pub(crate) rule: RuleId,
    /// Tells whether a line or a value is a secret, and no placeholder or reference.
    pub(crate) is_value: fn(&[u8]) -> bool,
}

/// All values of one rule are classified alike, so the rule alone is compared.
impl PartialEq for BlockRule {
    fn eq(&self, other: &Self) -> bool {
        self.rule == other.rule
    }
}

impl Eq for BlockRule {}

/// The state after a line whose name has its value on one of the next lines.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Block {
    /// A block scalar: the next lines that are indented more deeply.
    Scalar(Scalar),
    /// A name whose value is on the next line, or on one of the few after it.
    Pair(pair::Pair),
    /// A name whose value is a list or a map: its items or members.
    Members(members::Members),
    /// A header with the heading of a secret: the rows below.
    Table(table::Table),
    /// A value that fills its line up to the terminal's width: the rest of it.
    Wrapped(wrapped::Wrapped),
    /// The output of a command that prints a secret alone.
    Alone(BlockRule),
}

/// How a line belongs to a block.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum LineRole {
    /// The line is part of the block and has been written.
    Taken,
    /// The line is part of the block and has been written, and the block ends with it.
    Last,
    /// The line is part of the block but no secret by itself: it has to be read as ordinary text.
    Text,
    /// Parts of the line are secrets of the block: the rest has to be read as ordinary text.
    Cells,
    /// The same, and the block ends with the line.
    LastCells,
    /// The line is not part of the block, which ended before it.
    Outside,
}

/// If the value of the name at `name` is on a line below, returns where the name's line ends and the state after it.
/// `None` for a name on a line that begins before the text, with `from` bytes of context.
pub(crate) fn begins(
    text: &[u8],
    from: usize,
    block_rule: BlockRule,
    name: Range<usize>,
) -> Option<(usize, Block)> {
    let before = line_before(text, from, name.start, MAX_NAME_COLUMN)?;
    let length = memchr::memchr(b'\n', &text[name.end..])?;
    let pair =
        pair::Pair::begin(block_rule, before, &text[name.clone()], &text[name.end..][..length])?;
    Some((name.end + length + 1, Block::Pair(pair)))
}

/// If the name at `name` begins its line, returns where the line ends that opens its members at `at`, and the state after
/// it.
pub(crate) fn opens(
    text: &[u8],
    from: usize,
    rule: RuleId,
    is_value: [IsValue; 2],
    name: &Range<usize>,
    at: usize,
) -> Option<(usize, Block)> {
    let before = line_before(text, from, name.start, MAX_NAME_COLUMN)?;
    let members = members::Members::begin(rule, is_value, before)?;
    let newline = memchr::memchr(b'\n', &text[at..])?;
    Some((at + newline + 1, Block::Members(members)))
}

/// If the name at `name` is the heading of a column, returns where the header ends and the state after it.
pub(crate) fn heads(
    text: &[u8],
    from: usize,
    rule: RuleId,
    name: &Range<usize>,
    read: ReadHeading,
) -> Option<(usize, Block)> {
    let (end, table) = table::Table::begin(text, from, rule, name, read)?;
    Some((end, Block::Table(table)))
}

/// If the value that ends its line at `end` goes on after the terminal's width, returns where the line ends and the
/// state after it.
pub(crate) fn wraps(
    text: &[u8],
    from: usize,
    block_rule: BlockRule,
    end: usize,
    quote: Option<u8>,
) -> Option<(usize, Block)> {
    let line = line_before(text, from, end, MAX_NAME_COLUMN)?;
    let wrapped = wrapped::Wrapped::begin(block_rule, line, quote)?;
    let newline = memchr::memchr(b'\n', &text[end..])?;
    Some((end + newline + 1, Block::Wrapped(wrapped)))
}

/// Like [`begins`] for a name whose value at `at`, a bar or an angle bracket, opens a block scalar.
#[cold]
pub(crate) fn header(
    text: &[u8],
    from: usize,
    block_rule: BlockRule,
    name: Range<usize>,
    at: usize,
) -> Option<(usize, Block)> {
    let before = line_before(text, from, name.start, MAX_NAME_COLUMN)?;
    let length = memchr::memchr(b'\n', &text[at..])?;
    let rest = &text[at + 1..at + length];
    let signs = rest.iter().take_while(|byte| matches!(byte, b'+' | b'-' | b'1'..=b'9')).count();
    let after = &rest[signs..];
    let is_comment = Class::run_of_blanks(after) > 0 && after.trim_ascii_start().starts_with(b"#");
    let is_name = before.iter().all(|byte| b" \t-+>#\"'".contains(byte));
    if signs > 2 || !is_name || !(is_comment || after.trim_ascii().is_empty()) {
        return None;
    }
    let scalar = Scalar {
        block_rule,
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

/// The text before `at` on the same line, if that begins less than `reach` bytes before.
fn line_before(text: &[u8], from: usize, at: usize, reach: usize) -> Option<&[u8]> {
    let before = &text[at.saturating_sub(reach)..at];
    match memchr::memrchr(b'\n', before) {
        Some(newline) => Some(&before[newline + 1..]),
        None => (before.len() < reach && from == 0).then_some(before),
    }
}

impl Block {
    /// Reads one line. The secrets of a line that is not written yet are added to `spans`.
    pub(crate) fn line(
        &mut self,
        line: &[u8],
        output: &mut impl Output,
        spans: &mut Vec<Span>,
    ) -> LineRole {
        match self {
            Self::Scalar(scalar) => scalar.line(line, output),
            Self::Pair(pair) => pair.line(line, output),
            Self::Members(members) => members.line(line, spans),
            Self::Table(table) => table.line(line, spans),
            Self::Wrapped(wrapped) => wrapped.line(line, spans),
            Self::Alone(block_rule) => alone(*block_rule, line, spans),
        }
    }

    /// Whether the block is a table, whose rows are no headers.
    pub(crate) fn is_table(&self) -> bool {
        matches!(self, Self::Table(_))
    }

    /// How many bytes of an unfinished line come before the part that may be masked as a whole.
    pub(crate) fn lead(&self, line: &[u8]) -> usize {
        match self {
            Self::Scalar(scalar) => match scalar.depth(line) {
                depth if depth <= scalar.column && depth < line.len() => line.len(),
                depth => depth,
            },
            Self::Table(table) => table.lead(line),
            Self::Pair(_) => line.len(),
            Self::Members(_) | Self::Wrapped(_) | Self::Alone(_) => 0,
        }
    }

    /// Reads a piece of a line that is too long to hold. False if the line is not part of the block.
    pub(crate) fn window(&mut self, text: &[u8], output: &mut impl Output) -> bool {
        match self {
            Self::Scalar(scalar) => scalar.window(text, output),
            Self::Pair(_)
            | Self::Members(_)
            | Self::Table(_)
            | Self::Wrapped(_)
            | Self::Alone(_) => false,
        }
    }
}

/// The characters of a text, as a terminal counts them.
fn characters(text: &[u8]) -> usize {
    text.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}

/// Reads a line of which one word may be the secret. A sentence is a message of the command.
fn alone(block_rule: BlockRule, line: &[u8], spans: &mut Vec<Span>) -> LineRole {
    let start = line.len() - line.trim_ascii_start().len();
    let body = line.trim_ascii();
    let is_word = !body.contains(&b' ') && !mask::occurs(body);
    if is_word && (block_rule.is_value)(body) {
        let end = start + body.len();
        spans.push(Span { start, end, rule: block_rule.rule, open: None, quoted: false });
    }
    LineRole::Cells
}

/// The state inside a block scalar.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Scalar {
    block_rule: BlockRule,
    /// Lines of the block are indented more deeply than this column.
    column: usize,
    /// The byte that every line begins with if the block is in a comment, a quotation or a patch.
    mark: Option<u8>,
    /// Whether a line was masked; all following lines of the block are then masked too.
    masked: bool,
    /// Whether the next bytes continue a line whose mask is written.
    inside: bool,
}

impl Scalar {
    fn line(&mut self, line: &[u8], output: &mut impl Output) -> LineRole {
        let content = line.strip_suffix(b"\n").unwrap_or(line);
        if std::mem::take(&mut self.inside) {
            output.remove(content.len());
            output.keep(&line[content.len()..]);
            return LineRole::Taken;
        }
        let depth = self.depth(content);
        let body = content[depth..].trim_ascii_end();
        // A line that is a mask was masked before.
        let judged = mask::length(body) == body.len();
        // A private key is a block of its own.
        if !body.is_empty() && depth <= self.column || memmem::find(body, b"-----BEGIN").is_some() {
            return LineRole::Outside;
        }
        if body.is_empty() || judged {
            self.masked |= !body.is_empty();
            output.keep(line);
            return LineRole::Taken;
        }
        if !self.masked && (mask::occurs(body) || !(self.block_rule.is_value)(body)) {
            return LineRole::Text;
        }
        self.masked = true;
        output.keep(&content[..depth]);
        output.mask(self.block_rule.rule, body.len(), false);
        output.keep(&line[depth + body.len()..]);
        LineRole::Taken
    }

    fn window(&mut self, text: &[u8], output: &mut impl Output) -> bool {
        let depth = self.depth(text);
        if self.inside {
            output.remove(text.len());
        } else if depth > self.column {
            let shown = depth.min(MAX_INDENTATION_BYTES);
            output.keep(&text[..shown]);
            output.mask(self.block_rule.rule, text.len() - shown, false);
            (self.masked, self.inside) = (true, true);
        }
        self.inside
    }

    /// The length of a line's indentation, including its mark.
    fn depth(&self, content: &[u8]) -> usize {
        let marked = content.first().is_some_and(|first| self.mark == Some(*first));
        usize::from(marked) + Class::run_of_blanks(&content[usize::from(marked)..])
    }
}
