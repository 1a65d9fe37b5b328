//! Known values that are broken over lines, by a terminal or by a tool that wraps at 64 or 76 columns.
//!
//! They are searched in a view of the text without line breaks and without the blanks that a line begins with. The machine
//! in `stream/` holds an unfinished line anyway; [`Stage`] keeps the break behind it back for as long as the value may go
//! on in the next line, and [`Overlay`] masks the pieces when the machine emits them.

mod automaton;
mod overlay;
mod stage;

pub(crate) use automaton::Wraps;
pub(crate) use overlay::{Overlay, Pieces};
pub(crate) use stage::Stage;

/// Shortest form of a known value that is recognised when it is broken over lines.
pub const MIN_WRAPPED_BYTES: usize = 12;

/// A first piece with fewer bytes is not masked, so nothing waits for a line that only ends like the beginning of a value.
pub(crate) const FIRST_PIECE_BYTES: usize = 4;

/// Most blanks at the beginning of a line that are not part of the value.
const INDENT_BYTES: usize = 64;
