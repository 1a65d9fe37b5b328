use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use handrail_reports::Failure;
use handrail_supervisor::message::{LimitMet, Process};
use handrail_text::{Cut, Excerpt};

/// An event of an engine, sent from its thread.
#[derive(Debug)]
pub enum Event {
    /// A piece of the cleaned and redacted output of a run that streams.
    Output {
        /// The run.
        run: u64,
        /// The output that it was written to.
        stream: Stream,
        /// Whole characters.
        text: String,
    },
    /// The answer to a read or send of a session, or why there is none.
    Answered {
        /// The session.
        run: u64,
        /// The number of the request.
        request: u64,
        /// The answer.
        result: Result<Box<handrail_pty::Answer>, RequestError>,
    },
    /// Bytes were written to a program, or will not be.
    Written {
        /// The program.
        run: u64,
        /// The number of the request.
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
    /// The run is over. This is its last event.
    Done {
        /// The run.
        run: u64,
        /// How it went.
        outcome: Box<Outcome>,
    },
    /// A request for a connection into a network namespace was answered.
    Connected {
        /// The number of the request.
        request: u64,
        /// The descriptor of the connected socket, which the receiver closes, or why there is none.
        result: std::io::Result<i32>,
    },
    /// The engine is closed. This is its last event.
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
    /// It exited with this code.
    Exited(i32),
    /// This signal ended it, which Handrail did not send.
    Signaled(i32),
    /// Its deadline passed.
    TimedOut,
    /// It met a limit, and was ended.
    Limited(LimitMet),
    /// The caller cancelled it, or closed the engine.
    Cancelled,
    /// It never ran.
    SpawnFailed,
}

/// Why a request to a session, or to the input of a program, was not served.
#[derive(Debug)]
pub struct RequestError {
    /// The stable code of the error that the caller gets.
    pub code: &'static str,
    /// For people; without secrets.
    pub message: String,
}

/// The result of a run, a session or a service.
#[derive(Debug)]
pub struct Outcome {
    /// The status at the end.
    pub status: Status,
    /// Present when the program could not be started, or Handrail failed.
    pub failure: Option<Failure>,
    /// Standard output, bounded.
    pub stdout: Cut,
    /// Standard error, bounded.
    pub stderr: Cut,
    /// Both in the order they were read, bounded; `None` where one of them is all that was written.
    pub joined: Option<Cut>,
    /// The most informative lines of both, where they were asked for and not all lines fit.
    pub excerpt: Option<Excerpt>,
    /// Time from the request to the end, the wait for a worker included.
    pub duration: Duration,
    /// Bytes the command wrote to standard output.
    pub stdout_bytes: u64,
    /// Bytes the command wrote to standard error.
    pub stderr_bytes: u64,
    /// The file with the whole cleaned output, where that did not fit.
    pub spill: Option<Spilled>,
    /// How many secrets were masked.
    pub redactions: u64,
    /// Processes that still ran when the command itself had ended, and were killed.
    pub leftovers: Vec<Process>,
    /// Processes that could not be killed; `None` where the worker and the supervisor that would know are gone.
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

/// How much of a text its reader gets, and how much is kept.
#[derive(Clone, Copy, Debug)]
pub struct DigestLimits {
    /// About how many tokens the chosen lines have.
    pub tokens: usize,
    /// Most bytes of the spill file; 0 makes none.
    pub spill_bytes: u64,
}

/// What the reader of a long text gets.
#[derive(Clone, Debug)]
pub struct Digest {
    /// The most informative lines.
    pub excerpt: Excerpt,
    /// The file with the whole text, where there is one.
    pub spill: Option<Spilled>,
}

/// A spill file.
#[derive(Clone, Debug)]
pub struct Spilled {
    /// Readable by the owner only; removed when the engine closes, or when later runs need its room.
    pub path: PathBuf,
    /// Its size.
    pub bytes: u64,
    /// False when it was cut at its limit, or at the limit of all spill files.
    pub complete: bool,
}
