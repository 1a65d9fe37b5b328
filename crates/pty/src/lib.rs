//! The state of a session on a terminal: everything that was shown, and whether the answer to an input is complete.
//!
//! A [`Session`] receives the output of the program, what the kernel reports about the program, and the time. It says
//! what to do next: wait, look at the kernel, write the input, or deliver the answer. Text passes through
//! [`handrail_text::Cleaner`] and [`handrail_redact::RedactStream`] into a history of limited size. An answer is a
//! range of that history. What a full-screen program writes is no text but a picture, which an emulator keeps. Nothing here does IO, reads a clock or the environment, or panics on any input.

mod awaited;
mod display;
mod echo;
mod grid;
mod marks;
mod onlooker;
mod prompt;
mod read;
mod readiness;
mod reply;
mod request;
mod ring;
mod screen;
mod session;
mod settings;
mod transcript;
mod view;
mod watch;

pub use awaited::{MAX_AWAITED_BYTES, Pattern};
pub use display::Screen;
pub use echo::Shown;
pub use grid::{Cursor, MAX_SCREEN_CELLS};
pub use marks::{CommandEnd, NONCE_BYTES, Nonce};
pub use onlooker::{Glimpse, MAX_ONLOOKERS};
pub use prompt::{MAX_LEARNED_PROMPTS, MAX_MARKER_BYTES, MAX_MARKERS};
pub use read::{
    Activity, Answer, History, Look, Question, Read, Reason, Rest, Step, Until, Waiting,
};
pub use readiness::{
    IDLE_TIME, MAX_IDLE_TICKS, MAX_LOOK_PAUSE, MAX_OWN_PAUSE, MAX_PROMPT_SILENCE, MAX_SAMPLE_GAP,
    MIN_LOOK_PAUSE,
};
pub use session::Session;
pub use settings::{DEFAULT_HISTORY_BYTES, Settings};
pub use watch::Modes;
