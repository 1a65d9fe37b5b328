//! What a session on a terminal knows: everything that was shown, and when the answer to an input is over.
//!
//! A [`Session`] is handed what the program wrote, what the kernel says of it and the time. It says what to do next: wait,
//! look at the kernel, write the input, or hand out the answer. Text goes through [`handrail_text::Cleaner`] and
//! [`handrail_redact::RedactStream`] into a bounded history; an answer is a range of that history.
//! Nothing here does IO, reads a clock or the environment, or panics on any input.

mod echo;
mod prompt;
mod read;
mod ring;
mod session;
mod settings;
mod transcript;
mod verdict;

pub use echo::Shown;
pub use prompt::{MAX_MARKER_BYTES, MAX_MARKERS};
pub use read::{Answer, History, Look, Read, Reason, Step, Until, Waiting};
pub use session::Session;
pub use settings::{DEFAULT_HISTORY_BYTES, Settings};
pub use verdict::{LOOK_AGAIN_MAX, LOOK_AGAIN_MIN, SILENCE};
