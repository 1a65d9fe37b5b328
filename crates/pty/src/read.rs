//! What a read is asked with, what it asks for, and what it gives.

use std::time::{Duration, Instant};

/// What the kernel says of the program in the foreground of the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// Blocked on nothing but this terminal.
    Only,
    /// Blocked on this terminal among other things: an event loop.
    Also,
    /// Not waiting for this terminal.
    No,
    /// Cannot be known.
    Unknown,
}

/// One look at the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// What it waits for.
    pub waiting: Waiting,
    /// The thread that waits, with how often it has been woken. After input was written, the same waiter as before has not
    /// noticed it yet.
    pub waiter: Option<(i32, u64)>,
}

/// When a read is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// At a marker, or when it is quiet where there are none.
    Ready,
    /// When it is quiet.
    Quiet,
    /// At once, with what there is.
    Now,
}

/// What a read is asked with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Read {
    /// When it is over.
    pub until: Until,
    /// When it is over in any case.
    pub timeout: Duration,
    /// Silence behind a marker that ends the read where the kernel cannot tell.
    pub settle: Duration,
    /// Silence that counts as quiet.
    pub quiet: Duration,
    /// Longest answer.
    pub max_bytes: usize,
}

/// Why a read is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The text ends with a marker.
    Marker,
    /// Nothing more came for a while.
    Quiet,
    /// The time is up; this is a part.
    Timeout,
    /// There is more than the answer may hold.
    Limit,
    /// The program and all that held the terminal are gone.
    Exited,
    /// It was asked for what there is.
    Available,
}

/// What a read gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Cleaned and masked.
    pub text: String,
    /// Why it ends here.
    pub reason: Reason,
    /// The program waits for input and for nothing else, as the kernel says, or for input at a marker.
    pub confirmed: bool,
    /// The input was written. False for a plain read, and for a send whose program was not ready to take it in time.
    pub sent: bool,
    /// What came between the previous answer and this one and is in neither: late output of earlier input, or what a limit
    /// cut.
    pub skipped_bytes: u64,
    /// What is missing of this answer, because of a limit or because the history dropped it.
    pub omitted_bytes: u64,
    /// Masks in the text.
    pub redactions: u64,
    /// Where the next answer begins in the history, if nothing is skipped.
    pub cursor: u64,
}

/// What is kept of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    /// Cleaned and masked.
    pub text: String,
    /// Where it begins.
    pub start: u64,
    /// Where it ends, the unfinished line included as far as it may be shown. Secrets that joined late are masked in the text
    /// without moving this.
    pub end: u64,
    /// Bytes between what was asked for and `start`: they are no longer kept.
    pub dropped_bytes: u64,
}

/// What the owner of a session has to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Nothing, but ask again at this time, or when there is output.
    Wait(Option<Instant>),
    /// Look at the kernel, then hand over all the terminal has, then what was seen. In this order: what a waiting program
    /// wrote before it waited is then here, and a look with output behind it does not count.
    Look,
    /// Write this input, and say when all of it is written. The read may be over before that.
    Write(Vec<u8>),
    /// The read is over.
    Done(Answer),
}
