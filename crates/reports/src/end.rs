//! How a program ended, whether it was a run, a session or a service.

use serde::Serialize;

use crate::Failure;

/// How a program ended.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct End {
    /// With what belongs to it.
    #[serde(flatten)]
    pub status: Status,
    /// What went wrong on our side, or kept the program from starting.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// Processes that could not be ended; null where nobody could look.
    #[cfg_attr(test, ts(optional = false))]
    pub survivors: Option<Vec<Process>>,
    /// Processes that still ran when the program had ended, and were ended.
    pub leftovers: Vec<Process>,
    /// What the kernel enforced, a short line per mechanism.
    pub sandbox: Vec<String>,
}

/// What ended a program.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "status", rename_all = "snake_case", rename_all_fields = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Status {
    /// It ended by itself.
    Exited {
        /// Its exit code.
        exit_code: i32,
    },
    /// A signal that we did not send.
    Signaled {
        /// The name of the signal, such as `SIGSEGV`.
        signal: String,
    },
    /// Its deadline.
    TimedOut,
    /// The caller, or the end of the engine.
    Cancelled,
    /// It never ran.
    SpawnFailed,
}

impl Status {
    /// The end by a signal of this number.
    pub fn signaled(number: i32) -> Status {
        let index = usize::try_from(number - 1).unwrap_or(usize::MAX);
        let name = SIGNALS.get(index);
        Status::Signaled {
            signal: name.map_or_else(|| format!("SIG{number}"), ToString::to_string),
        }
    }
}

/// A process by id and name.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Process {
    /// May be that of another process by now.
    pub pid: i32,
    /// The name that the kernel knew it by.
    pub program: String,
}

/// Names of the standard signals on Linux, from 1.
const SIGNALS: [&str; 31] = [
    "SIGHUP",
    "SIGINT",
    "SIGQUIT",
    "SIGILL",
    "SIGTRAP",
    "SIGABRT",
    "SIGBUS",
    "SIGFPE",
    "SIGKILL",
    "SIGUSR1",
    "SIGSEGV",
    "SIGUSR2",
    "SIGPIPE",
    "SIGALRM",
    "SIGTERM",
    "SIGSTKFLT",
    "SIGCHLD",
    "SIGCONT",
    "SIGSTOP",
    "SIGTSTP",
    "SIGTTIN",
    "SIGTTOU",
    "SIGURG",
    "SIGXCPU",
    "SIGXFSZ",
    "SIGVTALRM",
    "SIGPROF",
    "SIGWINCH",
    "SIGIO",
    "SIGPWR",
    "SIGSYS",
];
