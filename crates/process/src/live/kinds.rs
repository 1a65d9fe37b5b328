//! What sessions and services are, as callers see them; the same on every platform.

use std::path::PathBuf;
use std::sync::atomic::AtomicI32;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use handrail_policy::plan::Confine;
use handrail_pty::Read;

use super::Errors;
use crate::Environment;

/// How large a terminal is, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Characters of a row.
    pub columns: u16,
    /// Rows.
    pub rows: u16,
}

/// How a session or a service is started.
pub struct OpenCall {
    /// What it is.
    pub kind: LiveKind,
    /// Working directory; relative ones start at the terminal's.
    pub directory: Option<PathBuf>,
    /// From SIGTERM to SIGKILL when it is ended.
    pub grace: Duration,
    /// On whose word it starts.
    pub warrant: Warrant,
    /// What it finds in its environment.
    pub environment: Environment,
    /// What the kernel holds it to where the host names it; otherwise it is held to the plan of commands.
    pub confine: Option<Confine>,
    /// Whether it is a shell whose lines are judged: it starts so that it runs them as they are typed, and its plan has what
    /// runs a script.
    pub typed: bool,
}

/// On whose word a program that lives is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Warrant {
    /// The host named it: no list is asked, and it may lie and start anywhere.
    Host,
    /// Somebody approved it: it may lie where commands can write.
    Approval,
    /// The policy let it pass.
    Policy,
}

/// Which of the two a program is.
pub enum LiveKind {
    /// A program on a terminal of this size.
    Session {
        /// Of its terminal.
        size: Size,
        /// Cleaned text that is kept, in bytes.
        history_bytes: usize,
        /// What shows that it is ready for input.
        markers: Vec<String>,
    },
    /// A program on three pipes.
    Service,
}

/// What is asked of a program that lives.
#[derive(Debug)]
pub enum LiveCommand {
    /// Of a session: what it wrote, when it is ready. Answered by [`Event::Answered`].
    Read {
        /// Comes back with the answer.
        request: u64,
        /// When it is over.
        read: Read,
    },
    /// Of a session: write when it is ready to take input, then as `Read`.
    Send {
        /// Comes back with the answer.
        request: u64,
        /// With its line end.
        input: Vec<u8>,
        /// When it is over.
        read: Read,
    },
    /// Write now, behind what waits already. Answered by [`Event::Written`].
    Write {
        /// Comes back with the answer.
        request: u64,
        /// As they are.
        bytes: Vec<u8>,
    },
    /// Of a session: tell when its program runs. Answered by [`Event::Written`].
    AwaitStart {
        /// Comes back with the answer.
        request: u64,
    },
    /// Of a session: end the read or send that is going on with what there is.
    Stop,
    /// Of a service: nothing more will be written.
    EndInput,
    /// Of a session.
    Resize(Size),
    /// Of a session: what shows that it is ready for input.
    Markers(Vec<String>),
    /// A signal for the program that was started, by number.
    Signal(i32),
}

/// What the caller and the engine's thread know of a program that lives.
#[derive(Clone)]
pub enum Live {
    /// A session.
    Session {
        /// What was said.
        dialogue: Arc<Mutex<handrail_pty::Session>>,
        /// The process id of its program, once it is known; 0 before.
        leader: Arc<AtomicI32>,
    },
    /// The standard error of a service.
    Service(Arc<Mutex<Errors>>),
}
