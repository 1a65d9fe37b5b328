//! Sessions and services as callers see them; the same on every platform.

use std::path::PathBuf;
use std::sync::atomic::AtomicI32;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use handrail_policy::plan::Confine;
use handrail_pty::Read;

use crate::options::{LayerFolder, SpillFolder};
use crate::platform::ServiceStderr;
use crate::runner::Environment;

/// The size of a terminal, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Characters of a row.
    pub columns: u16,
    /// Rows.
    pub rows: u16,
}

/// How a session or a service is started.
pub struct OpenCall {
    /// Whether it is a session or a service.
    pub kind: LiveProgramKind,
    /// Working directory; a relative one starts at the runner's.
    pub directory: Option<PathBuf>,
    /// Time from SIGTERM to SIGKILL when the program is ended.
    pub grace: Duration,
    /// Who decided that it may start.
    pub warrant: Warrant,
    /// The environment of the program.
    pub environment: Environment,
    /// Whether a private home has the files that those of commands start with.
    pub has_home_files: bool,
    /// The plan of a program that the host names; any other program gets the plan of commands.
    pub confine: Option<Confine>,
    /// Whether it is a shell whose lines will be judged. It is then started so that it runs them as they are typed, and its
    /// plan lists what a script needs.
    pub typed: bool,
    /// The folder of spilled output that it sees; `None` for the usual one.
    pub spill: Option<SpillFolder>,
    /// The layer in which it writes, of its own. Default: none.
    pub layer: Option<LayerFolder>,
}

/// Who decided that a session or a service may start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Warrant {
    /// The host named the program: no list is asked, and the program may lie and start anywhere.
    Host,
    /// Somebody approved the program: it may lie where commands can write.
    Approval,
    /// The policy allowed it.
    Policy,
}

/// Whether a program is a session or a service.
pub enum LiveProgramKind {
    /// A program on a terminal.
    Session {
        /// The size of its terminal.
        size: Size,
        /// How much cleaned text is kept, in bytes.
        history_bytes: usize,
        /// Texts that show that it is ready for input.
        markers: Vec<String>,
        /// Whether its terminal echoes, so that programs that ask for a password are told from others.
        echoes: bool,
    },
    /// A program on three pipes.
    Service,
}

/// A request to a session, to a service, or to the standard input of a run. The number `request` comes back with the event
/// that answers it.
#[derive(Debug)]
pub enum LiveRequest {
    /// Asks a session for its output, once it is ready for input. [`Event::Answered`](crate::Event::Answered) follows.
    Read {
        /// The number of the request.
        request: u64,
        /// When the read is over.
        read: Read,
    },
    /// Writes to a session when it is ready for input, and then reads.
    Send {
        /// The number of the request.
        request: u64,
        /// The bytes to write, their line end included.
        input: Vec<u8>,
        /// When the read is over.
        read: Read,
    },
    /// Writes now, after the bytes that already wait. [`Event::Written`](crate::Event::Written) follows.
    Write {
        /// The number of the request.
        request: u64,
        /// The bytes to write.
        bytes: Vec<u8>,
    },
    /// Writes judged lines to a session: only while no other program than the first one is in the foreground.
    /// [`Event::Written`](crate::Event::Written) follows.
    Lines {
        /// The number of the request.
        request: u64,
        /// The bytes to write.
        bytes: Vec<u8>,
    },
    /// Writes a key that is not judged to a session whose lines are: only while another program than the first one waits for
    /// the terminal and edits no lines. [`Event::Written`](crate::Event::Written) follows.
    Key {
        /// The number of the request.
        request: u64,
        /// The bytes to write.
        bytes: Vec<u8>,
    },
    /// Answers a question of a program that reads without echo: writes this line if the program still waits for it.
    /// [`Event::Written`](crate::Event::Written) follows.
    Secret {
        /// The number of the request.
        request: u64,
        /// The number of the question.
        question: u64,
        /// The line, with its end.
        line: Vec<u8>,
    },
    /// Asks when the program of a session runs. [`Event::Written`](crate::Event::Written) follows.
    AwaitStart {
        /// The number of the request.
        request: u64,
    },
    /// Asks when there is something new to an onlooker of a session. [`Event::Written`](crate::Event::Written) follows.
    AwaitNews {
        /// The number of the request.
        request: u64,
        /// The number of the onlooker.
        onlooker: u64,
    },
    /// Removes an onlooker of a session, and answers its request.
    RemoveOnlooker(u64),
    /// Ends the read or send of a session that is going on: the answer is what has come so far.
    Stop,
    /// Ends the input of a service or of a run.
    EndInput,
    /// Resizes the terminal of a session.
    Resize(Size),
    /// Replaces the texts that show that a session is ready for input.
    SetMarkers(Vec<String>),
    /// Sends a signal, by number, to the program that was started.
    Signal(i32),
}

/// State of a session or a service that its caller shares with the engine's thread.
#[derive(Clone)]
pub enum LiveProgram {
    /// A session.
    Session {
        /// Its transcript and the read that is going on.
        dialogue: Arc<Mutex<handrail_pty::Session>>,
        /// The process id of its program; 0 before it is known.
        leader: Arc<AtomicI32>,
    },
    /// A service.
    Service {
        /// The end of its standard error.
        stderr: Arc<Mutex<ServiceStderr>>,
    },
}
