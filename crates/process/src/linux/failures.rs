//! Failures that are not the program's own: of its start, its worker, the supervisor, and requests to it.

use std::io;

use handrail_reports::{Failure, FailureCode, StartStage};
use handrail_supervisor::message::Stage;
use rustix::io::Errno;

use crate::linux::error::shortage;
use crate::linux::live::{MAX_EDITED_LINE_BYTES, MAX_QUEUED_BYTES};
use crate::linux::reads::{MAX_PLACES, MAX_WALKED};
use crate::outcome::RequestError;

pub(crate) fn directory_not_found() -> Failure {
    Failure::new(FailureCode::NotFound, "Working directory does not exist")
}

/// The host's list of what commands do not read names more than can be covered.
pub(crate) fn overfull() -> Failure {
    let message = format!(
        "confine.unreadable names more than {MAX_PLACES} files and folders, or a name in it lies beneath a root of more than \
         {MAX_WALKED} entries: name folders, or paths such as 'packages/*/.env'"
    );
    Failure { stage: Some(StartStage::Confine), ..Failure::new(FailureCode::Spawn, message) }
}

/// The working directory is something else, such as a file.
pub(crate) fn directory_is_none() -> Failure {
    Failure::new(FailureCode::NotADirectory, "Working directory is not a directory")
}

pub(crate) fn worker_lost() -> Failure {
    Failure::new(
        FailureCode::WorkerLost,
        "the worker of this run was stopped or killed; what it had started was ended",
    )
}

pub(crate) fn worker_not_reaped() -> Failure {
    Failure::new(
        FailureCode::WorkerLost,
        "the worker of this run was stopped or killed, and the supervisor did not say that what it had started was \
         ended: some of it may still live",
    )
}

/// A process of the program executed the dynamic loader at this path by name.
pub(crate) fn loader_run(path: &[u8]) -> Failure {
    Failure::new(
        FailureCode::LoaderRun,
        format!(
            "it was ended, because it executed the dynamic loader `{}` by name, which starts programs that are not listed",
            String::from_utf8_lossy(path)
        ),
    )
}

pub(crate) fn late_worker() -> Failure {
    Failure::new(FailureCode::Busy, "the deadline passed before a worker was free")
}

pub(crate) fn internal() -> Failure {
    Failure::new(
        FailureCode::Internal,
        "the output could not be read in an unforeseen way, so the command was ended and nothing of its output is \
         given; this is a bug in handrail",
    )
}

pub(crate) fn supervisor_unresponsive() -> Failure {
    Failure::new(
        FailureCode::SupervisorLost,
        "the supervisor does not act and cannot be ended now, as when a control group freezes it; what it had started \
         was sent the final signal and ends at the latest when it goes on",
    )
}

pub(crate) fn supervisor_lost() -> Failure {
    Failure::new(
        FailureCode::SupervisorLost,
        "the supervisor was killed; its workers end what they had started, unless they were killed as well",
    )
}

/// The system refused a step of a start. A working directory that was removed meanwhile has the code of one that never was.
pub(crate) fn spawn(stage: Stage, errno: i32) -> Failure {
    match (stage, Errno::from_raw_os_error(errno)) {
        (Stage::Directory, Errno::NOENT) => return directory_not_found(),
        (Stage::Directory, Errno::NOTDIR) => return directory_is_none(),
        _ => {}
    }
    let (stage, step) = match stage {
        Stage::Request => (StartStage::Request, "the request could not be used"),
        Stage::Fork => (StartStage::Fork, "no process could be made"),
        Stage::Confine => (StartStage::Confine, "the confinement could not be installed"),
        Stage::Directory => (StartStage::Directory, "the working directory could not be entered"),
        Stage::Terminal => (StartStage::Terminal, "the terminal could not be attached"),
        Stage::Streams => (StartStage::Streams, "the standard streams could not be set up"),
        Stage::Execute => (StartStage::Execute, "the program could not be executed"),
    };
    let error = io::Error::from_raw_os_error(errno);
    let why = shortage(Some(errno)).map(|why| format!("; {why}")).unwrap_or_default();
    Failure {
        code: FailureCode::Spawn,
        stage: Some(stage),
        message: format!("{step}: {error}{why}"),
    }
}

impl RequestError {
    pub(crate) fn input_closed() -> RequestError {
        RequestError {
            code: "ERR_CLOSED",
            message: "the program has ended, or takes no input any more".into(),
        }
    }

    pub(crate) fn input_full(waiting: usize) -> RequestError {
        RequestError {
            code: "ERR_BUSY",
            message: format!(
                "the program does not read: {waiting} bytes wait for it, and {MAX_QUEUED_BYTES} is the limit"
            ),
        }
    }

    pub(crate) fn line_too_long() -> RequestError {
        RequestError {
            code: "ERR_INVALID_ARGUMENT",
            message: format!(
                "a line is longer than the {} bytes that the terminal takes while it edits lines; nothing was \
                 written: divide it, or put it into a file",
                MAX_EDITED_LINE_BYTES - 1
            ),
        }
    }

    pub(crate) fn key_refused() -> RequestError {
        RequestError {
            code: "ERR_INVALID_ARGUMENT",
            message: "no full-screen program waits for a key here, and what is typed into this shell is judged line by \
                      line; nothing was written: send lines as input, and keys one at a time while such a program waits"
                .into(),
        }
    }

    pub(crate) fn question_over() -> RequestError {
        RequestError {
            code: "ERR_CLOSED",
            message: "this question is over: the program does not wait for its answer any more, or something was written \
                      since; nothing was typed. The next read of the session says what it asks now"
                .into(),
        }
    }

    pub(crate) fn session_busy() -> RequestError {
        RequestError {
            code: "ERR_BUSY",
            message: "another read of this session is going on: wait for its end".into(),
        }
    }
}
