//! Failures of starting and running programs, other than those of a program itself.

use serde::Serialize;

/// The codes of failures. Runs, sessions, services and MCP servers share them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum FailureCode {
    /// The search path has no program of that name, or no file is at that path.
    ProgramNotFound,
    /// The program is a script, and the interpreter of its first line cannot be found.
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
    /// The stream that the host gave as standard input failed.
    InputFailed,
    /// The worker of this program was stopped or killed.
    WorkerLost,
    /// The supervisor was killed, or does not respond any more.
    SupervisorLost,
    /// A process of the program was a dynamic loader that was handed a file, which ended the program.
    LoaderRun,
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

/// Why a program could not be started, or how Handrail failed.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct Failure {
    /// The stable code.
    pub code: FailureCode,
    /// The refused step of the start; present with the code `spawn`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage: Option<StartStage>,
    /// For people.
    pub message: String,
}

impl Failure {
    /// A failure without a step of a start.
    pub fn new(code: FailureCode, message: impl Into<String>) -> Self {
        Self { code, stage: None, message: message.into() }
    }
}
