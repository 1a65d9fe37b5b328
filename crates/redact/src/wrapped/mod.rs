//! Known values that are broken over lines by a terminal, or by a tool that wraps at 64 or 76 columns.
//!
//! They are searched in a view of the text without line breaks and without the blanks at the start of each line.
//! [`WrapStage`] holds the line break back, and what follows it, while the value may continue on the next line.
//! [`Overlay`] masks the pieces when the pipeline in `stream/` writes them.

mod automaton;
mod overlay;
mod stage;

pub(crate) use automaton::Wraps;
pub(crate) use overlay::{Overlay, Pieces};
pub(crate) use stage::WrapStage;

/// The shortest form of a known value that is found when it is broken over lines.
pub const MIN_WRAPPED_BYTES: usize = 12;

/// The shortest first piece that is masked. Nothing has to be held back for a line that ends with fewer bytes of a
/// value.
pub(crate) const MIN_FIRST_PIECE_BYTES: usize = 4;

/// The shortest part of a known value that is masked where a text was cut.
pub(crate) const MIN_CUT_LITERAL_BYTES: usize = 4;

/// How many blanks at the start of a line are skipped.
const MAX_INDENT_BYTES: usize = 64;
