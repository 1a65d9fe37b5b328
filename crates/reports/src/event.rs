//! What an engine tells its host.

use serde::Serialize;

use crate::{Reply, RunReport};

/// What an engine tells its host. Texts and bytes are beside it.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Event {
    /// A piece of output of a run; its text is beside it.
    Output {
        /// The run.
        id: u64,
        /// Where it was written.
        stream: Stream,
    },
    /// A piece of a service's standard output; its bytes are beside it.
    Data {
        /// The service.
        id: u64,
    },
    /// What a session was asked for; what it wrote is beside it.
    Answered {
        /// The session.
        id: u64,
        /// How that went.
        reply: Reply,
    },
    /// Something was written to a program, or will not be.
    Written {
        /// The program.
        id: u64,
        /// How that went.
        reply: Reply,
    },
    /// A program is over: the last event about it. Standard output, standard error, and where they are not one of these both
    /// in the order read are beside it.
    Done {
        /// The program.
        id: u64,
        /// How it went.
        report: Box<RunReport>,
    },
    /// The engine is closed: the last event.
    Closed,
}

/// One of a command's two outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Stream {
    /// Standard output, or both when they were merged.
    Stdout,
    /// Standard error.
    Stderr,
}
