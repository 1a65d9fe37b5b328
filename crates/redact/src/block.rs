//! Values that stand on the lines behind their name.

mod pair;
mod scalar;

use crate::output::Output;
pub(crate) use pair::{Pair, ends_line};
pub(crate) use scalar::header;

/// The state behind a line that promises a value.
#[derive(Clone)]
pub(crate) enum Block {
    /// The deeper lines of a block scalar.
    Scalar(scalar::Scalar),
    /// The next line.
    Pair(Pair),
}

/// What a line is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// Part of the block, dealt with.
    Taken,
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
