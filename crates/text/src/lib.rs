//! Bytes of a terminal to bounded, readable text.
//!
//! [`Cleaner`] turns a stream of bytes into UTF-8 with the terminal's controls resolved. [`Cutter`] keeps the head and the
//! tail of a stream in constant memory. Its result is a [`Cut`], which can be cut once more for a reader and still counts
//! how much of the whole stream is missing. [`Excerpts`] chooses the most informative lines.
//! Nothing here does IO, reads a clock or the environment, or panics on any input.

mod cleaner;
mod counts;
mod cut;
mod errors;
mod escape;
mod excerpt;
mod line;
mod plain;
mod region;
mod strip;
mod tokens;

pub use cleaner::{Cleaner, sanitize};
pub use counts::{Counts, Unit};
pub use cut::{
    Bounds, Cut, Cutter, DEFAULT_MAX_LINE_CHARS, MIN_HEAD_AND_TAIL_CHARS, bound, end_within,
    first_unit, truncate_output,
};
pub use escape::{SEQUENCE_CAP_BYTES, STRING_CAP_BYTES};
pub use excerpt::{Excerpt, Excerpts, excerpt};
pub use line::{JUMP_COLUMNS, MAX_LINE_BYTES};
pub use region::{MAX_REGION_CHARS, MAX_REGION_ROWS};
pub use strip::strip_ansi;
pub use tokens::{TokenBudget, estimate_tokens};
