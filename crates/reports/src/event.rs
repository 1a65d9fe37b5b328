//! Events of an engine.

use serde::Serialize;

use crate::{Reply, RunReport};

/// An event of an engine. Its texts or bytes cross beside it.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Event {
    /// A piece of the output of a run. Beside it: its text.
    Output {
        /// The id of the run.
        id: u64,
        /// The output that it was written to.
        stream: Stream,
    },
    /// A piece of a service's standard output. Beside it: its bytes.
    Data {
        /// The id of the service.
        id: u64,
    },
    /// The reply to a read or send of a session. Beside it: the output.
    Answered {
        /// The id of the session.
        id: u64,
        /// The reply.
        reply: Reply,
    },
    /// Bytes were written to a program, or will not be.
    Written {
        /// The id of the program.
        id: u64,
        /// The reply.
        reply: Reply,
    },
    /// A program is over. This is the last event about it. Beside it: standard output, standard error and, where neither is the
    /// whole output, both in the order read.
    Done {
        /// The id of the program.
        id: u64,
        /// The report on it.
        report: Box<RunReport>,
    },
    /// A request for a connection into a network namespace was answered.
    Connected {
        /// The number of the request.
        id: u64,
        /// The descriptor of the connected socket, which the receiver closes.
        descriptor: Option<i32>,
        /// Why there is none.
        message: Option<String>,
    },
    /// The engine is closed. This is its last event.
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
