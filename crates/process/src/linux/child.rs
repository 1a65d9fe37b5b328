//! A program that was started: its deadline, why it is being ended, and how it ended.

use std::os::fd::OwnedFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use handrail_reports::Failure;
use handrail_supervisor::message::{Done, LimitMet, Stage};

use crate::linux::failures;
use crate::linux::live::{Service, Session};
use crate::linux::made_folders::MadeFolders;
use crate::linux::recorder::Recorded;
use crate::linux::run::Run;
use crate::outcome::{Outcome, Status};

/// A run, a session or a service while it lasts.
pub(crate) struct Child {
    pub(crate) id: u64,
    /// The number of the plan that it runs under.
    pub(crate) plan: u32,
    pub(crate) grace: Duration,
    pub(crate) started: Instant,
    /// Only runs have one.
    pub(crate) deadline: Option<Instant>,
    /// Why it is being ended before it ends by itself.
    pub(crate) intent: Option<Status>,
    /// The pidfd of the program, once it was started.
    pub(crate) leader: Option<OwnedFd>,
    /// The numbers of signals to send once it was started.
    pub(crate) early_signals: Vec<i32>,
    /// Whether its worker is dead or was given up.
    pub(crate) is_worker_lost: bool,
    /// The folders that were made for it. Those that stayed empty are removed before its end is reported.
    pub(crate) made_folders: Option<MadeFolders>,
    /// Present after a bug of ours: its output is not read any more, and its record is not used.
    bug: Option<Failure>,
    pub(crate) sink: Sink,
}

/// What is done with the output of a program.
pub(crate) enum Sink {
    /// The output of a run is recorded.
    Run(Box<Run>),
    /// The output of a session is one side of a dialogue.
    Session(Box<Session>),
    /// The output of a service is passed to the caller as it is.
    Service(Box<Service>),
}

/// How a program ended, as far as its worker could report it.
pub(crate) enum Ending {
    /// It ended.
    Done(Done),
    /// The system refused a step of its start.
    Failed { stage: Stage, errno: i32 },
    /// The kernel ended the worker because the program had met a limit.
    Limited(LimitMet),
    /// The worker or the supervisor died before its report.
    Lost(Failure),
    /// It was not started.
    Withdrawn(Option<Failure>),
}

/// From this exit status on, a shell or `timeout` reports that something it started was ended.
const MIN_STATUS_OF_ENDED: i32 = 124;

impl Ending {
    /// Whether the program, or one that it has started, may have been ended while it wrote.
    pub(crate) fn may_cut_output(&self) -> bool {
        let Ending::Done(Done { wait_status: status, limit: None, leftovers, .. }) = self else {
            return true;
        };
        !leftovers.is_empty()
            || !matches!(wait_status(*status), Status::Exited(..MIN_STATUS_OF_ENDED))
    }
}

impl Child {
    pub(crate) fn new(
        (id, plan): (u64, u32),
        timeout: Option<Duration>,
        grace: Duration,
        sink: Sink,
    ) -> Child {
        let started = Instant::now();
        Child {
            id,
            plan,
            grace,
            started,
            deadline: timeout.map(|timeout| started + timeout),
            intent: None,
            leader: None,
            early_signals: Vec::new(),
            is_worker_lost: false,
            made_folders: None,
            bug: None,
            sink,
        }
    }

    /// Calls `work` with the output, unless an earlier call has panicked. `None` when one has: this program loses its output,
    /// and others lose nothing.
    pub(crate) fn contain<T>(&mut self, work: impl FnOnce(&mut Sink) -> T) -> Option<T> {
        if self.bug.is_some() {
            return None;
        }
        let done = catch_unwind(AssertUnwindSafe(|| work(&mut self.sink))).ok();
        if done.is_none() {
            self.bug = Some(failures::internal());
            // A program that writes on gets an error.
            drop(self.sink.take_descriptors());
        }
        done
    }

    /// The outcome, after all output was read.
    pub(crate) fn conclude(self, ending: Ending) -> Outcome {
        let duration = self.started.elapsed();
        let Child { sink, bug, intent, made_folders, .. } = self;
        drop(made_folders);
        let recorded = match (bug, sink) {
            (None, Sink::Run(run)) => catch_unwind(AssertUnwindSafe(|| run.recorder.finish()))
                .map_err(|_| failures::internal()),
            (None, _) => Ok(Recorded::default()),
            (Some(failure), _) => Err(failure),
        };
        let (recorded, bug) = match recorded {
            Ok(recorded) => (recorded, None),
            Err(failure) => (Recorded::default(), Some(failure)),
        };
        let (status, failure, done) = match ending {
            Ending::Done(done) => {
                let ended = || wait_status(done.wait_status);
                let failure = done.loader.as_deref().map(failures::loader_run);
                (done.limit.map_or_else(ended, Status::Limited), failure, done)
            }
            Ending::Limited(met) => (Status::Limited(met), None, Done::default()),
            Ending::Failed { stage, errno } => {
                (Status::SpawnFailed, Some(failures::spawn(stage, errno)), Done::default())
            }
            Ending::Lost(failure) => (Status::Signaled(SIGKILL), Some(failure), Done::default()),
            Ending::Withdrawn(None) => (Status::Cancelled, None, Done::default()),
            Ending::Withdrawn(failure) => (Status::SpawnFailed, failure, Done::default()),
        };
        // The intent explains every status but that of a start that failed for another reason.
        let is_refused = status == Status::SpawnFailed && intent != Some(Status::TimedOut);
        let status = if is_refused { status } else { intent.unwrap_or(status) };
        Outcome {
            status,
            failure: failure.or(bug),
            duration,
            stdout_bytes: recorded.raw_bytes[0],
            stderr_bytes: recorded.raw_bytes[1],
            stdout: recorded.stdout,
            stderr: recorded.stderr,
            joined: recorded.joined,
            excerpt: recorded.excerpt,
            spill: recorded.spill,
            redactions: recorded.redactions,
            leftovers: done.leftovers,
            // The caller fills this in.
            survivors: None,
            user: Duration::from_micros(done.user_us),
            system: Duration::from_micros(done.system_us),
            max_rss_bytes: done.max_rss_bytes,
            // The caller fills this in.
            sandbox: Arc::default(),
        }
    }
}

impl Sink {
    /// Takes the descriptors of its outputs, to be closed.
    pub(crate) fn take_descriptors(&mut self) -> Vec<OwnedFd> {
        match self {
            Sink::Run(run) => std::mem::take(&mut run.pipes).into_iter().flatten().collect(),
            Sink::Session(session) => session.take_descriptors(),
            Sink::Service(service) => service.take_descriptors(),
        }
    }
}

const SIGKILL: i32 = 9;

fn wait_status(status: i32) -> Status {
    // The kernel's encoding: low seven bits the signal, next byte the exit code.
    match status & 0x7f {
        0 => Status::Exited(status >> 8 & 0xff),
        signal => Status::Signaled(signal),
    }
}
