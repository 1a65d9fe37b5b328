//! Finds secrets in text and masks them.
//!
//! A [`Redactor`] is built once from [`Options`] and shared. [`Redactor::redact`] and [`Redactor::scan`] take a whole
//! text, [`Redactor::stream`] a text that arrives in pieces. All three use the same implementation, so their results
//! are the same however the text is cut. Time is linear in the input, and memory is limited by [`WINDOW_BYTES`].
//! Nothing here does IO, reads a clock or the environment, or panics on any input, and no `Debug` output and no error
//! shows a value.

mod block;
mod boundary;
mod class;
mod counts;
mod detect;
mod encode;
mod engine;
mod error;
mod escapes;
mod known;
mod limits;
mod literal;
mod live;
mod mask;
mod names;
mod options;
mod output;
mod pattern;
mod pem;
mod prefilter;
mod quote;
mod redactor;
mod rule_file;
mod rules;
mod scanner;
mod span;
mod stream;
mod token;
mod utf16;
mod wrapped;

pub use crate::error::{Error, ErrorKind};
pub use crate::known::{MAX_LEARNED_BYTES, MAX_LEARNED_SECRETS, MAX_SECRETS};
pub use crate::limits::{HOLD_BYTES, LOOK_BEHIND_BYTES, WINDOW_BYTES};
pub use crate::limits::{
    MAX_FILE_RULES, MAX_LITERAL_BYTES, MAX_PATTERN_BYTES, MAX_PATTERNS, MAX_RULE_FILE_BYTES,
};
pub use crate::mask::{MAX_NUMBER_DIGITS as MASK_NUMBER_DIGITS, find_all as find_masks};
pub use crate::options::{DEFAULT_MIN_SECRET_LENGTH, Options, RuleFile, Rules};
#[doc(hidden)]
pub use crate::prefilter::{Vectors, with_vectors};
pub use crate::redactor::{Cut, RedactStream, Redactor};
pub use crate::scanner::{Finding, Mark, Utf16Scanner};
pub use crate::span::RuleId;
pub use crate::stream::LastWord;
pub use crate::utf16::append_utf8;
pub use crate::wrapped::MIN_WRAPPED_BYTES;
