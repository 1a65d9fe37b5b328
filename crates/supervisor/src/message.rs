//! The messages that travel over the two kinds of sockets.
//!
//! The *control* socket connects the host and the supervisor. A *worker* socket connects the host and one worker, so that no
//! request and no answer passes through the supervisor.

mod layer;
mod limits;
mod plan;
mod view;

use std::net::SocketAddr;

use crate::wire::{self, messages, wire};

pub use self::layer::{Layer, LayerRoot, LayerStage};
pub use self::limits::{Holder, LimitMet, LimitName, Limits};
pub use self::plan::{
    Enforcement, Kernel, Plan, PlanPlace, PlanReads, PlanRoot, Reach, SPILL_FOLDER_NAME,
};
pub use self::view::{ViewAnswer, ViewRequest};

/// How many descriptors beyond the standard streams one program can be given.
pub const MAX_EXTRA_DESCRIPTORS: usize = 4;
/// How many leftover or surviving processes are listed by name. The others are only counted.
pub const MAX_LISTED_PROCESSES: usize = 16;

/// How many listeners of the host one network namespace can have.
pub const MAX_LISTENERS: usize = 64;

/// What kind of program a worker runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A command that runs to its end. Its standard input is a file or the null device.
    Run,
    /// A program on a terminal, which becomes its controlling terminal.
    Session,
    /// A long-lived program that talks over its pipes.
    Service,
}

/// A message from the host to the supervisor.
#[expect(clippy::large_enum_variant, reason = "one message is alive at a time")]
#[derive(Debug, PartialEq, Eq)]
pub enum ToSupervisor {
    /// The first message. A pidfd of the host comes with it.
    Hello {
        /// [`crate::PROTOCOL_VERSION`] of the host.
        version: u32,
        /// The directory that the host has made and that the supervisor removes when it ends.
        state_directory: Vec<u8>,
        /// The number of the first worker. Numbers that an earlier supervisor used are not used again.
        first_worker: u32,
        /// Whether leftover processes are killed. False only in tests that show what survives otherwise.
        killing: bool,
        /// Whether the kernel confines commands.
        confine: bool,
        /// Which features of the kernel are used.
        kernel: Kernel,
        /// The layer in which everything is written, if there is one.
        layer: Option<Layer>,
    },
    /// A plan that later requests for workers may name.
    Plan {
        /// The number that later messages name the plan by.
        number: u32,
        /// What the workers of the plan install.
        plan: Plan,
    },
    /// A request to fork more workers.
    MoreWorkers {
        /// The number of the plan they install.
        plan: u32,
        /// How many workers to fork.
        count: u32,
    },
    /// A network namespace that later plans may name. It is made with the first worker that needs it.
    Network {
        /// The number that plans name the namespace by.
        number: u32,
        /// The addresses in it at which the host wants listeners, at most [`MAX_LISTENERS`]. Addresses that are not loopback
        /// become addresses of its loopback interface. Port 0 is any port.
        listeners: Vec<SocketAddr>,
    },
    /// The host needs the namespace no more. It is gone when its last worker and its last socket are.
    CloseNetwork {
        /// The number of the namespace.
        number: u32,
    },
    /// A request for a socket that is connected to a port of a namespace's loopback.
    Connect {
        /// The number of the namespace.
        network: u32,
        /// The number that the answer names the request by.
        request: u64,
        /// The port.
        port: u16,
    },
    /// A request to end every run, remove the state directory and exit.
    Shutdown,
}

/// A message from the supervisor to the host.
#[derive(Debug, PartialEq, Eq)]
pub enum FromSupervisor {
    /// The answer to `Hello`.
    Ready {
        /// [`crate::PROTOCOL_VERSION`] of the supervisor.
        version: u32,
    },
    /// A root of a layer, whose directory comes with it. All of them come before `Ready`, in their order.
    LayerRoot,
    /// The other answer to `Hello`: there is no layer, and the supervisor has ended.
    NoLayer {
        /// The step that failed.
        stage: LayerStage,
        /// The error number of the system.
        errno: i32,
    },
    /// A new worker exists. Its socket and a pidfd of it come with the message.
    Worker {
        /// The number that later messages name the worker by.
        worker: u32,
        /// The number of its plan.
        plan: u32,
        /// Which parts of the plan it has installed.
        enforcement: Enforcement,
        /// The worker's process id, for messages to people only: signals go through the pidfd.
        pid: i32,
    },
    /// A worker has ended, and so has everything that it had started.
    WorkerGone {
        /// The worker's number.
        worker: u32,
        /// Processes that could not be killed.
        survivors: Vec<Process>,
        /// The limit that its run had met, if the kernel ended the worker for that.
        limit: Option<LimitMet>,
    },
    /// A worker could not be made.
    WorkerFailed {
        /// The number of the plan it should have had.
        plan: u32,
        /// The error number of the system.
        errno: i32,
    },
    /// A listener of the host in a network namespace. Its descriptor comes with the message.
    Listener {
        /// The number of the namespace.
        network: u32,
        /// The place of its address among those of [`ToSupervisor::Network`].
        index: u32,
        /// The error number of the system where there is no descriptor, else 0.
        errno: i32,
    },
    /// A network namespace was made, and every message about its listeners was sent; or it could not be made. This comes
    /// before its first worker.
    Network {
        /// The number of the namespace.
        number: u32,
        /// The error number of the system where there is no namespace, else 0.
        errno: i32,
    },
    /// The answer to [`ToSupervisor::Connect`]. The descriptor of a connected socket comes with the message.
    Connected {
        /// The number of the request.
        request: u64,
        /// The error number of the system where there is no descriptor, else 0.
        errno: i32,
    },
}

/// A message from the host to a worker.
#[derive(Debug, PartialEq, Eq)]
pub enum ToWorker {
    /// A request to start a program. [`Start::descriptors`] says which descriptors come with it.
    Start(Start),
    /// A request to send SIGTERM, and then SIGCONT, to every process of the run.
    Terminate {
        /// The run's number. A message about a run that is over is ignored.
        run: u64,
    },
    /// A request to send SIGKILL to every process of the run.
    Kill {
        /// The run's number. A message about a run that is over is ignored.
        run: u64,
    },
}

/// A request to start one program.
#[derive(Debug, PartialEq, Eq)]
pub struct Start {
    /// The run's number, unique on this host.
    pub run: u64,
    /// What kind of program it is.
    pub kind: Kind,
    /// The whole argument vector; never empty.
    pub arguments: Vec<Vec<u8>>,
    /// Entries of the form `NAME=value`. The worker adds `HOME` and `TMPDIR`.
    pub environment: Vec<Vec<u8>>,
    /// Whether `HOME` is a directory of the worker's own.
    pub private_home: bool,
    /// The files that a private home starts with. It is empty otherwise.
    pub home_files: Vec<HomeFile>,
    /// The descriptor of each standard stream, as an index into those that come after the program and its directory. Two
    /// streams may share one, as on a terminal. `None` is the null device.
    pub streams: [Option<u8>; 3],
    /// The numbers, from 3 on, of further descriptors that the program finds open. They come after those of the streams.
    pub extra: Vec<u8>,
}

impl Start {
    /// How many descriptors come with the request: the program, its directory, those of the streams, then the further ones.
    pub fn descriptors(&self) -> usize {
        2 + self.stream_descriptors() + self.extra.len()
    }

    /// Which of the descriptors that come with the request is the standard input. `None` for the null device.
    pub fn input_descriptor(&self) -> Option<usize> {
        self.streams[0].map(|index| 2 + usize::from(index))
    }

    /// How many different descriptors the streams use.
    pub fn stream_descriptors(&self) -> usize {
        self.streams.iter().flatten().max().map_or(0, |&last| usize::from(last) + 1)
    }
}

/// A file of a private home.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HomeFile {
    /// Its path beneath the home, without `..`.
    pub path: Vec<u8>,
    /// Its content.
    pub content: Vec<u8>,
}

/// A message from a worker to the host.
#[derive(Debug, PartialEq, Eq)]
pub enum FromWorker {
    /// The program runs. A pidfd of it comes with the message, which is sent only when the program runs for a few
    /// milliseconds.
    Started {
        /// The run's number.
        run: u64,
        /// The leader's process id.
        pid: i32,
    },
    /// The program could not be started.
    Failed {
        /// The run's number.
        run: u64,
        /// The step that failed.
        stage: Stage,
        /// The error number of the system.
        errno: i32,
    },
    /// The leader has ended, and nothing that it started is alive except the survivors listed.
    Done(Done),
    /// The worker can serve again: it has removed what the run left in its folders. Sent after a [`Done`] that is not ready.
    Ready {
        /// The run's number.
        run: u64,
    },
}

/// The end of a run.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// The run's number.
    pub run: u64,
    /// The leader's wait status as the kernel reported it.
    pub wait_status: i32,
    /// The processor time of the whole run in user mode, in microseconds.
    pub user_us: u64,
    /// The processor time of the whole run in the kernel, in microseconds.
    pub system_us: u64,
    /// The largest resident size of a single process, in bytes.
    pub max_rss_bytes: u64,
    /// Processes that were still alive when the leader had ended, and were killed then.
    pub leftovers: Vec<Process>,
    /// Processes that could not be killed.
    pub survivors: Vec<Process>,
    /// The limit that the run met, which ended it.
    pub limit: Option<LimitMet>,
    /// The path of the dynamic loader that a process of the run executed by name, which ended the run.
    pub loader: Option<Vec<u8>>,
    /// Whether the worker can serve at once. Otherwise it sends [`FromWorker::Ready`] when it can, or ends.
    pub ready: bool,
}

/// The id and the name of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// The id that it had when it was seen.
    pub pid: i32,
    /// The short name that the kernel keeps of it (`comm`), at most 15 bytes.
    pub program: Vec<u8>,
}

/// A step between a request and a running program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The request could not be read.
    Request,
    /// No process could be made.
    Fork,
    /// The confinement could not be installed.
    Confine,
    /// The working directory could not be entered.
    Directory,
    /// The terminal could not be made the controlling one.
    Terminal,
    /// The standard streams could not be put in place.
    Streams,
    /// The program could not be executed.
    Execute,
}

impl Stage {
    /// The stage with this number.
    pub fn from_index(index: u8) -> Option<Stage> {
        wire::decode(&[index])
    }
}

wire!(enum Kind { 0 => Run, 1 => Session, 2 => Service });
wire!(struct Process { pid, program });
wire!(struct HomeFile { path, content });
wire!(
    enum Stage {
        0 => Request,
        1 => Fork,
        2 => Confine,
        3 => Directory,
        4 => Terminal,
        5 => Streams,
        6 => Execute,
    }
);
wire!(
    struct Start { run, kind, arguments, environment, private_home, home_files, streams, extra }
    valid |start| !start.arguments.is_empty() && start.extra.len() <= MAX_EXTRA_DESCRIPTORS
);
wire!(
    struct Done {
        run,
        wait_status,
        user_us,
        system_us,
        max_rss_bytes,
        leftovers,
        survivors,
        limit,
        loader,
        ready,
    }
);
wire!(
    enum ToSupervisor {
        0 => Hello { version, state_directory, first_worker, killing, confine, kernel, layer },
        1 => Plan { number, plan },
        2 => MoreWorkers { plan, count },
        3 => Shutdown,
        4 => Network { number, listeners },
        5 => CloseNetwork { number },
        6 => Connect { network, request, port },
    }
);
wire!(
    enum FromSupervisor {
        0 => Ready { version },
        1 => Worker { worker, plan, enforcement, pid },
        2 => WorkerGone { worker, survivors, limit },
        3 => WorkerFailed { plan, errno },
        4 => Listener { network, index, errno },
        5 => Network { number, errno },
        6 => Connected { request, errno },
        7 => LayerRoot,
        8 => NoLayer { stage, errno },
    }
);
wire!(
    enum ToWorker {
        0 => Start(start),
        1 => Terminate { run },
        2 => Kill { run },
    }
);
wire!(
    enum FromWorker {
        0 => Started { run, pid },
        1 => Failed { run, stage, errno },
        2 => Done(done),
        3 => Ready { run },
    }
);
messages!(ToSupervisor, FromSupervisor, ToWorker, FromWorker);
