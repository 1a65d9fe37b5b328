use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use handrail_reports::Failure;
use handrail_supervisor::message::Process;
use handrail_text::{Cut, Excerpt};

/// What the engine tells its owner, from its own thread.
#[derive(Debug)]
pub enum Event {
    /// A piece of cleaned and redacted output, for a run that asked for it.
    Output {
        /// The run.
        run: u64,
        /// Where it was written.
        stream: Stream,
        /// Whole characters.
        text: String,
    },
    /// What a session was asked for, or why that cannot be given.
    Answered {
        /// The session.
        run: u64,
        /// The number the request came with.
        request: u64,
        /// What it wrote.
        result: Result<Box<handrail_pty::Answer>, RequestError>,
    },
    /// What was to be written to a session or a service was, or will not be.
    Written {
        /// The program.
        run: u64,
        /// The number the request came with.
        request: u64,
        /// Why it was not written.
        result: Result<(), RequestError>,
    },
    /// A piece of a service's standard output, as it was written.
    Data {
        /// The service.
        run: u64,
        /// At least one byte.
        bytes: Vec<u8>,
    },
    /// The run is over; the last event of it.
    Done {
        /// The run.
        run: u64,
        /// How it went.
        outcome: Box<Outcome>,
    },
    /// The engine is closed; the last event at all.
    Closed,
}

/// One of a command's two outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output, or both when they were merged.
    Stdout,
    /// Standard error.
    Stderr,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// With this exit code.
    Exited(i32),
    /// By this signal, not sent by us.
    Signaled(i32),
    /// Its deadline passed.
    TimedOut,
    /// The caller cancelled it, or closed the engine.
    Cancelled,
    /// It never ran.
    SpawnFailed,
}

/// Why a request to a session, or to the input of a program, was not served.
#[derive(Debug)]
pub struct RequestError {
    /// Stable: the code of the error that the caller gets.
    pub code: &'static str,
    /// For people; holds no secret.
    pub message: String,
}

/// Everything known about a run that is over.
#[derive(Debug)]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// Present when something went wrong on our side or the program could not be started.
    pub failure: Option<Failure>,
    /// Standard output, bounded.
    pub stdout: Cut,
    /// Standard error, bounded.
    pub stderr: Cut,
    /// Both in the order they were read, bounded; `None` where one of them is all that was written.
    pub joined: Option<Cut>,
    /// The lines of both that tell most, when they were asked for and not all fit.
    pub excerpt: Option<Excerpt>,
    /// From the request to the end, waiting for a worker included.
    pub duration: Duration,
    /// Bytes the command wrote to standard output.
    pub stdout_bytes: u64,
    /// Bytes the command wrote to standard error.
    pub stderr_bytes: u64,
    /// The file with the whole cleaned output, when it did not fit.
    pub spill: Option<Spilled>,
    /// Secrets masked.
    pub redactions: u64,
    /// Processes that still ran when the command itself had ended; they were killed.
    pub leftovers: Vec<Process>,
    /// Processes that could not be killed; `None` where nobody who could look is left.
    pub survivors: Option<Vec<Process>>,
    /// Processor time in user mode.
    pub user: Duration,
    /// Processor time in the kernel.
    pub system: Duration,
    /// Largest resident size of a single process.
    pub max_rss_bytes: u64,
    /// What the kernel enforced, a short line per mechanism.
    pub sandbox: Arc<[String]>,
}

impl Outcome {
    /// Both outputs as one text.
    pub fn output(&self) -> &Cut {
        let alone = if self.stdout.text.is_empty() { &self.stderr } else { &self.stdout };
        self.joined.as_ref().unwrap_or(alone)
    }
}

/// A spill file.
#[derive(Clone, Debug)]
pub struct Spilled {
    /// Readable by the owner only; removed when the engine closes, or later runs need its place.
    pub path: PathBuf,
    /// Its size.
    pub bytes: u64,
    /// False when its cap, or what other files left of the budget, cut it.
    pub complete: bool,
}
