//! Bytes of a terminal to bounded, readable text.
//!
//! [`Cleaner`] turns a stream of bytes into UTF-8 with the terminal's controls resolved. [`Capture`] keeps the head and
//! the tail of a stream in constant memory; [`Bounder`] does so with huge lines shortened, repeated lines folded and error
//! lines kept. [`bound`] and [`truncate_output`] shorten a finished text.
//! Nothing here does IO, reads a clock or the environment, or panics on any input.

mod bound;
mod capture;
mod captured;
mod cleaner;
mod counts;
mod cut;
mod ends;
mod errors;
mod escape;
mod excerpt;
mod fold;
mod line;
mod notice;
mod plain;
mod region;
mod rows;
mod strip;

pub use bound::{Bounder, Bounds, DEFAULT_MAX_LINE_CHARS, bound, bound_chars, truncate_output};
pub use capture::Capture;
pub use captured::{Captured, Place};
pub use cleaner::{Cleaner, sanitize};
pub use counts::{Counts, Unit};
pub use escape::{SEQUENCE_CAP_BYTES, STRING_CAP_BYTES};
pub use excerpt::{Excerpt, Excerpts};
pub use line::{JUMP_COLUMNS, MAX_LINE_BYTES};
pub use region::{MAX_REGION_CHARS, MAX_REGION_ROWS};
pub use strip::strip_ansi;
