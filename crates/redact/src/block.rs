//! Values that stand on the lines behind their name.

mod form;
mod pair;
mod scalar;

use crate::output::Output;
use crate::verify::identifier::NAME_BYTES;
use crate::verify::name::Kind;
pub(crate) use form::{Form, begins};
pub(crate) use pair::{Pair, ends_line};
pub(crate) use scalar::header;

/// The state behind a line that promises a value.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Block {
    /// The deeper lines of a block scalar.
    Scalar(scalar::Scalar),
    /// The next line.
    Pair(Pair),
    /// A line below.
    Form(Form),
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

impl Block {
    /// Takes one line.
    pub(crate) fn line(&mut self, line: &[u8], output: &mut impl Output) -> Line {
        match self {
            Self::Scalar(scalar) => scalar.line(line, output),
            Self::Pair(pair) => pair.line(line, output),
            Self::Form(form) => form.line(line, output),
        }
    }

    /// What a second pass is in where this one is here. It sees a mask in place of the lines that one took, which says that
    /// they were judged, and never writes another.
    pub(crate) fn second(&self) -> Self {
        match self {
            Self::Scalar(scalar) => Self::Scalar(scalar.unmasked()),
            Self::Pair(_) | Self::Form(_) => self.clone(),
        }
    }

    /// Takes a piece of a line that is too long to hold, unless the line is not part of the block.
    pub(crate) fn window(&mut self, text: &[u8], output: &mut impl Output) -> bool {
        match self {
            Self::Scalar(scalar) => scalar.window(text, output),
            Self::Pair(_) | Self::Form(_) => false,
        }
    }
}
