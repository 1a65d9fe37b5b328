//! Values that stand on the lines behind their name.

mod field;
mod pair;
mod scalar;
mod variable;

use std::ops::Range;

use crate::output::Output;
use crate::span::RuleId;
use crate::verify::identifier::NAME_BYTES;
use crate::verify::name::Kind;
pub(crate) use scalar::header;

/// Longest line before a name.
const COLUMNS: usize = 128;

/// The state behind a line that promises a value.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Block {
    /// The deeper lines of a block scalar.
    Scalar(scalar::Scalar),
    /// The next line, or one below.
    Pair(pair::Pair),
    /// All of a line behind an empty one.
    Field(field::Field),
    /// An attribute in the block below.
    Variable(variable::Variable),
}

/// What the value has to live up to.
#[derive(PartialEq, Eq)]
pub(crate) struct Promised {
    pub(crate) kind: Kind,
    /// The name is `pass` alone.
    pub(crate) lone_pass: bool,
    name: [u8; NAME_BYTES],
    length: usize,
}

impl Promised {
    /// Of a longer name the end is kept.
    pub(crate) fn new(kind: Kind, lone_pass: bool, name: &[u8]) -> Self {
        let last = &name[name.len().saturating_sub(NAME_BYTES)..];
        let mut kept = [0; NAME_BYTES];
        kept[..last.len()].copy_from_slice(last);
        Self { kind, lone_pass, name: kept, length: last.len() }
    }

    pub(crate) fn name(&self) -> &[u8] {
        &self.name[..self.length]
    }
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

/// A quick no: behind a name that ends at `name_end` no value begins on a line below.
pub(crate) fn may_begin(text: &[u8], start: usize, name_end: usize) -> bool {
    let ends_line = |at: usize| matches!(text.get(at), Some(b'\n' | b'\r'));
    match &text[name_end..] {
        [b'\n' | b'\r', ..] | [b'<', b'/', ..] => true,
        [b'"' | b'\'', next, ..] => match next {
            b'\n' | b'\r' | b'{' => true,
            b',' => ends_line(name_end + 2),
            b' ' | b'\t' => variable::may_open(text, name_end) || is_assigned(text, start),
            b';' | b'>' => is_assigned(text, start),
            _ => false,
        },
        [b',', ..] => ends_line(name_end + 1),
        [b']' | b';', ..] => is_assigned(text, start),
        [b' ', ..] => variable::may_open(text, name_end),
        _ => false,
    }
}

/// An equals sign and a quote stand before the name.
fn is_assigned(text: &[u8], start: usize) -> bool {
    let word = text[..start].iter().rev().take(NAME_BYTES);
    let before = start - word.take_while(|byte| !b" =\n".contains(byte)).count();
    text[..before].ends_with(b"=")
}

/// Where the line of the name at `name` ends, and the state behind it, when its value is on a line below. Nothing is in a text
/// that begins in the middle of the line, after `from` bytes of context.
pub(crate) fn begins(
    text: &[u8],
    from: usize,
    rule: RuleId,
    promised: impl FnOnce() -> Promised,
    name: Range<usize>,
) -> Option<(usize, Block)> {
    let line = line_before(text, from, name.start)?;
    if let Some((end, form)) = pair::begins(text, line, name.clone()) {
        return Some((end, Block::Pair(pair::Pair::new(rule, promised(), form))));
    }
    if let Some((end, holds)) = variable::begins(text, line, name.clone()) {
        return Some((end, Block::Variable(variable::Variable::new(rule, promised(), holds))));
    }
    let (end, mark) = field::begins(text, line, name)?;
    Some((end, Block::Field(field::Field::new(rule, promised(), mark))))
}

/// Where the value of the variable at `name` begins, when all of its block is on its line.
pub(crate) fn on_line(text: &[u8], name: Range<usize>) -> Option<usize> {
    if !variable::may_open(text, name.end) {
        return None;
    }
    let before = &text[name.start.saturating_sub(COLUMNS)..name.start];
    let line = memchr::memrchr(b'\n', before).map_or(before, |newline| &before[newline + 1..]);
    variable::on_line(text, line, name.end)
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
            Self::Field(field) => field.line(line, output),
            Self::Variable(variable) => variable.line(line, output),
        }
    }

    /// How much of an unfinished line comes before what may be masked as a whole.
    pub(crate) fn lead(&self, line: &[u8]) -> usize {
        match self {
            Self::Scalar(scalar) => scalar.lead(line),
            Self::Pair(_) | Self::Field(_) | Self::Variable(_) => line.len(),
        }
    }

    /// Takes a piece of a line that is too long to hold, unless the line is not part of the block.
    pub(crate) fn window(&mut self, text: &[u8], output: &mut impl Output) -> bool {
        match self {
            Self::Scalar(scalar) => scalar.window(text, output),
            Self::Pair(_) | Self::Field(_) | Self::Variable(_) => false,
        }
    }
}
