//! Bytes of a terminal to bounded, readable text.
//!
//! [`Cleaner`] turns a stream of bytes into UTF-8 with the terminal's controls resolved. [`Capture`] keeps the head and
//! the tail of a stream in constant memory; [`Bounder`] does so with huge lines shortened. [`Excerpts`] chooses the lines
//! that tell most. [`bound`] and [`truncate_output`] shorten a finished text.
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
pub use excerpt::{Excerpt, Excerpts, excerpt};
pub use line::{JUMP_COLUMNS, MAX_LINE_BYTES};
pub use region::{MAX_REGION_CHARS, MAX_REGION_ROWS};
pub use strip::strip_ansi;
