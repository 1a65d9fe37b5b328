//! Programs that live on: sessions on a terminal of their own, and services that talk over pipes. Neither has a deadline;
//! both are owned, confined and ended as runs are.

mod errors;
mod kinds;
#[cfg(target_os = "linux")]
mod pair;
#[cfg(target_os = "linux")]
mod queue;
#[cfg(target_os = "linux")]
mod service;
#[cfg(target_os = "linux")]
mod session;
#[cfg(target_os = "linux")]
mod turn;
#[cfg(target_os = "linux")]
mod waiting;

pub use errors::{Errors, MAX_ERROR_BYTES};
pub use kinds::{Live, LiveCommand, LiveKind, OpenCall, Size, Warrant};
#[cfg(target_os = "linux")]
pub use queue::MAX_QUEUED_BYTES;

#[cfg(target_os = "linux")]
pub(crate) use {
    pair::{MAX_EDITED_LINE_BYTES, Pair, resize},
    queue::{Queue, pipe as input_pipe},
    service::Service,
    session::Session,
    turn::{Turn, lock},
};
