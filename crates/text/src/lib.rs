//! Bytes of a terminal to bounded, readable text.
//!
//! [`Cleaner`] turns a stream of bytes into UTF-8 with the terminal's controls resolved, [`Capture`] keeps the head and
//! the tail of a stream in constant memory, [`bound_chars`] and [`truncate_output`] shorten a finished text.
//! Nothing here does IO, reads a clock or the environment, or panics on any input.

mod bound;
mod capture;
mod cleaner;
mod cut;
mod escape;
mod line;
mod plain;
mod strip;

pub use bound::{Bounded, bound_chars, truncate_output};
pub use capture::{Capture, Captured};
pub use cleaner::{Cleaner, sanitize};
pub use escape::{SEQUENCE_CAP_BYTES, STRING_CAP_BYTES};
pub use line::{JUMP_COLUMNS, MAX_LINE_BYTES};
pub use strip::strip_ansi;
