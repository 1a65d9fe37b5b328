//! What is said over the two kinds of sockets.
//!
//! *Control* connects the host and the supervisor; *worker* connects the host and one worker, so
//! that neither a request nor an answer takes a detour through the supervisor.

mod plan;
mod view;

use crate::codec::{Decoder, Encoder};

pub use self::plan::{Enforcement, Kernel, Plan, PlanRoot};
pub use self::view::ViewRequest;

/// Descriptors beyond the standard streams that one program can be given.
pub const MAX_EXTRA_DESCRIPTORS: usize = 4;
/// How many leftover or surviving processes are listed by name; the rest is counted.
pub const MAX_LISTED_PROCESSES: usize = 16;

/// What a worker is asked to keep alive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One command to its end: standard input is a file or the null device.
    Run,
    /// A program on a terminal, which becomes its controlling terminal.
    Session,
    /// A long-lived program that talks over its pipes.
    Service,
}

/// Host to supervisor.
#[derive(Debug, PartialEq, Eq)]
pub enum ToSupervisor {
    /// First message, with a pidfd of the host.
    Hello {
        /// [`crate::PROTOCOL_VERSION`] of the host.
        version: u32,
        /// The directory, made by the host, that dies with the supervisor.
        state_directory: Vec<u8>,
        /// The first worker's number: numbers of an earlier supervisor are not used again.
        first_worker: u32,
        /// False only in tests that show what survives without it.
        killing: bool,
        /// False runs commands without the kernel's confinement.
        confine: bool,
        /// What is used of the kernel.
        kernel: Kernel,
    },
    /// A plan that workers may be asked for from now on.
    Plan {
        /// Names it in later messages.
        number: u32,
        /// What they install.
        plan: Plan,
    },
    /// Fork more workers.
    MoreWorkers {
        /// The plan they install.
        plan: u32,
        /// How many.
        count: u32,
    },
    /// End every run, remove the state directory, exit.
    Shutdown,
}

/// Supervisor to host.
#[derive(Debug, PartialEq, Eq)]
pub enum FromSupervisor {
    /// Answer to `Hello`.
    Ready {
        /// [`crate::PROTOCOL_VERSION`] of the supervisor.
        version: u32,
    },
    /// A new worker, with its socket and a pidfd.
    Worker {
        /// Names the worker in later messages.
        worker: u32,
        /// The plan it has.
        plan: u32,
        /// What it has installed of it.
        enforcement: Enforcement,
        /// Its process id, for messages to people only: signals go through the pidfd.
        pid: i32,
    },
    /// The worker is dead, and so is everything that it had started.
    WorkerGone {
        /// The worker's number.
        worker: u32,
        /// What could not be killed.
        survivors: Vec<Process>,
    },
    /// The worker could not be made.
    WorkerFailed {
        /// The plan it was to have.
        plan: u32,
        /// The system's error number.
        errno: i32,
    },
}

/// Host to worker.
#[derive(Debug, PartialEq, Eq)]
pub enum ToWorker {
    /// Start a program, with the descriptors named by [`Start::descriptors`].
    Start(Start),
    /// SIGTERM (and SIGCONT) to everything of the run.
    Terminate {
        /// The run's number; a stale one is ignored.
        run: u64,
    },
    /// SIGKILL to everything of the run.
    Kill {
        /// The run's number; a stale one is ignored.
        run: u64,
    },
}

/// One program to start.
#[derive(Debug, PartialEq, Eq)]
pub struct Start {
    /// The run's number, unique on this host.
    pub run: u64,
    /// What is started.
    pub kind: Kind,
    /// The whole argument vector; never empty.
    pub arguments: Vec<Vec<u8>>,
    /// `NAME=value` entries; `HOME` and `TMPDIR` are added by the worker.
    pub environment: Vec<Vec<u8>>,
    /// Whether `HOME` is the worker's own empty directory.
    pub private_home: bool,
    /// Where the standard streams come from: the first, second, ... of the descriptors that come along after the program
    /// and its directory; two may share one, as on a terminal. `None` is the null device.
    pub streams: [Option<u8>; 3],
    /// Numbers of further descriptors the program finds open, from 3; they come along after those of the streams.
    pub extra: Vec<u8>,
}

impl Start {
    /// How many descriptors come along: program, directory, those of the streams, then the further ones.
    pub fn descriptors(&self) -> usize {
        2 + self.stream_descriptors() + self.extra.len()
    }

    /// How many descriptors the streams have between them.
    pub fn stream_descriptors(&self) -> usize {
        self.streams.iter().flatten().max().map_or(0, |&last| usize::from(last) + 1)
    }
}

/// Worker to host.
#[derive(Debug, PartialEq, Eq)]
pub enum FromWorker {
    /// The program runs; a pidfd of it comes along. Sent only when it outlives the first moment.
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
        /// The system's error number.
        errno: i32,
    },
    /// The leader ended and nothing it started is alive, but for the survivors listed.
    Done(Done),
    /// After a [`Done`] that was not ready: the worker has removed what the run left in its folders.
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
    /// The leader's wait status as the kernel gave it.
    pub wait_status: i32,
    /// Processor time in user mode of the whole run, microseconds.
    pub user_us: u64,
    /// Processor time in the kernel of the whole run, microseconds.
    pub system_us: u64,
    /// Largest resident size of a single process, bytes.
    pub max_rss_bytes: u64,
    /// Processes that still lived when the leader had ended, and were killed.
    pub leftovers: Vec<Process>,
    /// Processes that could not be killed.
    pub survivors: Vec<Process>,
    /// Whether the worker can serve at once; if not, it says when it can, or ends.
    pub ready: bool,
}

/// A process by id and name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its id when it was seen.
    pub pid: i32,
    /// The kernel's short name of it (`comm`), at most 15 bytes.
    pub program: Vec<u8>,
}

/// Steps between a request and a running program.
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

const STAGES: [Stage; 7] = [
    Stage::Request,
    Stage::Fork,
    Stage::Confine,
    Stage::Directory,
    Stage::Terminal,
    Stage::Streams,
    Stage::Execute,
];

impl Stage {
    /// The stage with this number.
    pub fn from_index(index: u8) -> Option<Stage> {
        STAGES.get(usize::from(index)).copied()
    }
}

/// Stands for a stream that has no descriptor.
const NULL_DEVICE: u8 = u8::MAX;

fn flags(values: &[bool]) -> u8 {
    values.iter().rev().fold(0, |bits, &value| (bits << 1) | u8::from(value))
}

fn flag(bits: u8, index: u8) -> bool {
    bits >> index & 1 == 1
}

fn encode_processes(encoder: Encoder, processes: &[Process]) -> Encoder {
    let count = u32::try_from(processes.len()).unwrap_or(u32::MAX);
    processes.iter().fold(encoder.u32(count), |encoder, process| {
        encoder.i32(process.pid).bytes(&process.program)
    })
}

fn decode_processes(decoder: &mut Decoder<'_>) -> Option<Vec<Process>> {
    let count = decoder.u32()?;
    (0..count)
        .map(|_| Some(Process { pid: decoder.i32()?, program: decoder.bytes()?.to_vec() }))
        .collect()
}

impl ToSupervisor {
    /// The message as bytes.
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Self::Hello { version, state_directory, first_worker, killing, confine, kernel } => {
                let encoder = Encoder::new(0)
                    .u32(*version)
                    .bytes(state_directory)
                    .u32(*first_worker)
                    .u8(flags(&[*killing, *confine]));
                kernel.encode(encoder).finish()
            }
            Self::MoreWorkers { plan, count } => Encoder::new(1).u32(*plan).u32(*count).finish(),
            Self::Shutdown => Encoder::new(2).finish(),
            Self::Plan { number, plan } => plan.encode(Encoder::new(3).u32(*number)).finish(),
        }
    }

    /// The message in these bytes, if it is one.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut decoder = Decoder::new(bytes);
        let message = match decoder.u8()? {
            0 => {
                let version = decoder.u32()?;
                let state_directory = decoder.bytes()?.to_vec();
                let first_worker = decoder.u32()?;
                let bits = decoder.u8()?;
                let (killing, confine) = (flag(bits, 0), flag(bits, 1));
                let kernel = Kernel::decode(&mut decoder)?;
                Self::Hello { version, state_directory, first_worker, killing, confine, kernel }
            }
            1 => Self::MoreWorkers { plan: decoder.u32()?, count: decoder.u32()? },
            2 => Self::Shutdown,
            3 => Self::Plan { number: decoder.u32()?, plan: Plan::decode(&mut decoder)? },
            _ => return None,
        };
        decoder.end(message)
    }
}

impl FromSupervisor {
    /// The message as bytes.
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Self::Ready { version } => Encoder::new(0).u32(*version).finish(),
            Self::Worker { worker, plan, enforcement, pid } => {
                let encoder = Encoder::new(1).u32(*worker).u32(*plan).i32(*pid);
                enforcement.encode(encoder).finish()
            }
            Self::WorkerGone { worker, survivors } => {
                encode_processes(Encoder::new(2).u32(*worker), survivors).finish()
            }
            Self::WorkerFailed { plan, errno } => Encoder::new(3).u32(*plan).i32(*errno).finish(),
        }
    }

    /// The message in these bytes, if it is one.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut decoder = Decoder::new(bytes);
        let message = match decoder.u8()? {
            0 => Self::Ready { version: decoder.u32()? },
            1 => Self::Worker {
                worker: decoder.u32()?,
                plan: decoder.u32()?,
                pid: decoder.i32()?,
                enforcement: Enforcement::decode(&mut decoder)?,
            },
            2 => Self::WorkerGone {
                worker: decoder.u32()?,
                survivors: decode_processes(&mut decoder)?,
            },
            3 => Self::WorkerFailed { plan: decoder.u32()?, errno: decoder.i32()? },
            _ => return None,
        };
        decoder.end(message)
    }
}

impl ToWorker {
    /// The message as bytes.
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Self::Start(start) => Encoder::new(0)
                .u64(start.run)
                .u8(match start.kind {
                    Kind::Run => 0,
                    Kind::Session => 1,
                    Kind::Service => 2,
                })
                .u8(flags(&[start.private_home]))
                .bytes(&start.streams.map(|stream| stream.unwrap_or(NULL_DEVICE)))
                .bytes(&start.extra)
                .list(&start.arguments)
                .list(&start.environment)
                .finish(),
            Self::Terminate { run } => Encoder::new(1).u64(*run).finish(),
            Self::Kill { run } => Encoder::new(2).u64(*run).finish(),
        }
    }

    /// The message in these bytes, if it is one.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut decoder = Decoder::new(bytes);
        let message = match decoder.u8()? {
            0 => {
                let run = decoder.u64()?;
                let kind = match decoder.u8()? {
                    0 => Kind::Run,
                    1 => Kind::Session,
                    2 => Kind::Service,
                    _ => return None,
                };
                let bits = decoder.u8()?;
                let streams: [u8; 3] = decoder.bytes()?.try_into().ok()?;
                let extra = decoder.bytes()?.to_vec();
                Self::Start(Start {
                    run,
                    kind,
                    private_home: flag(bits, 0),
                    streams: streams
                        .map(|stream| Some(stream).filter(|&index| index != NULL_DEVICE)),
                    extra: Some(extra).filter(|extra| extra.len() <= MAX_EXTRA_DESCRIPTORS)?,
                    arguments: decoder.list().filter(|arguments| !arguments.is_empty())?,
                    environment: decoder.list()?,
                })
            }
            1 => Self::Terminate { run: decoder.u64()? },
            2 => Self::Kill { run: decoder.u64()? },
            _ => return None,
        };
        decoder.end(message)
    }
}

impl FromWorker {
    /// The message as bytes.
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Self::Started { run, pid } => Encoder::new(0).u64(*run).i32(*pid).finish(),
            Self::Failed { run, stage, errno } => {
                let stage = STAGES.iter().position(|known| known == stage).unwrap_or(0);
                let stage = u8::try_from(stage).unwrap_or(0);
                Encoder::new(1).u64(*run).u8(stage).i32(*errno).finish()
            }
            Self::Done(done) => {
                let encoder = Encoder::new(2)
                    .u64(done.run)
                    .i32(done.wait_status)
                    .u64(done.user_us)
                    .u64(done.system_us)
                    .u64(done.max_rss_bytes)
                    .u8(flags(&[done.ready]));
                encode_processes(encode_processes(encoder, &done.leftovers), &done.survivors)
                    .finish()
            }
            Self::Ready { run } => Encoder::new(3).u64(*run).finish(),
        }
    }

    /// The message in these bytes, if it is one.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut decoder = Decoder::new(bytes);
        let message = match decoder.u8()? {
            3 => Self::Ready { run: decoder.u64()? },
            0 => Self::Started { run: decoder.u64()?, pid: decoder.i32()? },
            1 => Self::Failed {
                run: decoder.u64()?,
                stage: Stage::from_index(decoder.u8()?)?,
                errno: decoder.i32()?,
            },
            2 => Self::Done(Done {
                run: decoder.u64()?,
                wait_status: decoder.i32()?,
                user_us: decoder.u64()?,
                system_us: decoder.u64()?,
                max_rss_bytes: decoder.u64()?,
                ready: flag(decoder.u8()?, 0),
                leftovers: decode_processes(&mut decoder)?,
                survivors: decode_processes(&mut decoder)?,
            }),
            _ => return None,
        };
        decoder.end(message)
    }
}
