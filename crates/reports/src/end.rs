//! The end of a program, whether it was a run, a session or a service.

use serde::Serialize;

use crate::Failure;

/// How a program ended.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct End {
    /// The status with its exit code or signal.
    #[serde(flatten)]
    pub status: Status,
    /// Present when the program could not be started, or Handrail failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// Processes that could not be ended; null where the worker and the supervisor that would know are gone.
    #[cfg_attr(test, ts(optional = false))]
    pub survivors: Option<Vec<Process>>,
    /// Processes that still ran when the program itself had ended, and were then ended.
    pub leftovers: Vec<Process>,
    /// What the kernel enforced, a short line for each mechanism.
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
    /// A signal that Handrail did not send ended it.
    Signaled {
        /// The name of the signal, such as `SIGSEGV`.
        signal: String,
    },
    /// Its deadline passed.
    TimedOut,
    /// It met a limit.
    Limited {
        /// Which one.
        limit: LimitReport,
    },
    /// The caller cancelled it, or closed the engine.
    Cancelled,
    /// It never ran.
    SpawnFailed,
}

impl Status {
    /// The status of a program that the signal of this number ended.
    pub fn signaled(number: i32) -> Status {
        let index = usize::try_from(number - 1).unwrap_or(usize::MAX);
        let name = SIGNALS.get(index);
        Status::Signaled {
            signal: name.map_or_else(|| format!("SIG{number}"), ToString::to_string),
        }
    }
}

/// A limit that a program met.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct LimitReport {
    /// Which one.
    #[cfg_attr(
        test,
        ts(
            type = "'memoryBytes' | 'processes' | 'cpuMs' | 'fileBytes' | 'diskBytes' | 'openFiles'"
        )
    )]
    pub name: &'static str,
    /// The limit, in the unit of its name.
    pub value: u64,
    /// How much was used when that was seen, where it was counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub used: Option<u64>,
}

/// A process by id and name.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Process {
    /// Its process id, which may be that of another process by now.
    pub pid: i32,
    /// The name of its program in the kernel.
    pub program: String,
}

/// The names of the standard signals on Linux, from signal 1 on.
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
