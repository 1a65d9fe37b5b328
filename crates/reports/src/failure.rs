//! Why a program failed for a reason that is not its own.

use serde::Serialize;

/// The one table of these codes: runs, sessions, services and servers of tools have them from here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum FailureCode {
    /// No program of that name is in the folders that are searched, or no file is at that path.
    ProgramNotFound,
    /// The program is a script, and what its first line names cannot be found.
    InterpreterNotFound,
    /// The working directory does not exist.
    NotFound,
    /// The working directory is a file.
    NotADirectory,
    /// The working directory cannot be opened.
    Unreadable,
    /// The host is short of something: descriptors, memory, processes.
    System,
    /// The system refused a step of the start, which `stage` names.
    Spawn,
    /// No worker was free before the deadline passed.
    Busy,
    /// The host's stream that was the standard input failed.
    InputFailed,
    /// The worker of this program was stopped or killed.
    WorkerLost,
    /// The supervisor was killed, or does not act any more.
    SupervisorLost,
    /// A bug in Handrail.
    Internal,
}

/// The steps of starting a program, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum StartStage {
    /// Reading the request.
    Request,
    /// Making a process.
    Fork,
    /// Installing the confinement.
    Confine,
    /// Entering the working directory.
    Directory,
    /// Attaching the terminal.
    Terminal,
    /// Setting up the standard streams.
    Streams,
    /// Executing the program.
    Execute,
}

/// What went wrong on our side, or kept a program from starting.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct Failure {
    /// Stable.
    pub code: FailureCode,
    /// With the code `spawn`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage: Option<StartStage>,
    /// For people; holds no secret of ours.
    pub message: String,
}

impl Failure {
    /// A failure that is not a step of a start.
    pub fn new(code: FailureCode, message: impl Into<String>) -> Self {
        Self { code, stage: None, message: message.into() }
    }
}
