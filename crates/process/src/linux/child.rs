//! A program that was started, whatever becomes of its output: who ends it, why, and how it ended.

use std::os::fd::OwnedFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use handrail_reports::Failure;
use handrail_supervisor::message::{Done, Stage};

use crate::linux::failures;
use crate::linux::live::{Service, Session};
use crate::linux::recorder::Recorded;
use crate::linux::run::Run;
use crate::outcome::{Outcome, Status};

/// One program while it lasts.
pub(crate) struct Child {
    pub(crate) id: u64,
    /// What it is held to.
    pub(crate) plan: u32,
    pub(crate) grace: Duration,
    pub(crate) started: Instant,
    /// Runs have one.
    pub(crate) deadline: Option<Instant>,
    /// Why it is being ended before its own end.
    pub(crate) intent: Option<Status>,
    /// The program itself, once it outlived the first moment.
    pub(crate) leader: Option<OwnedFd>,
    /// Signals to be sent to it then, by number.
    pub(crate) signals: Vec<i32>,
    /// Its worker does not answer any more.
    pub(crate) lost: bool,
    /// A bug of ours: why its output is not read on, and nothing that was recorded is used.
    broken: Option<Failure>,
    pub(crate) sink: Sink,
}

/// What becomes of its output.
pub(crate) enum Sink {
    /// It is recorded.
    Run(Box<Run>),
    /// It is a dialogue on a terminal.
    Session(Box<Session>),
    /// It is handed on as it is.
    Service(Box<Service>),
}

/// How it ended, as far as the worker could say.
pub(crate) enum Ending {
    Done(Done),
    Failed {
        stage: Stage,
        errno: i32,
    },
    /// The worker or the supervisor did not live to tell.
    Lost(Failure),
    /// It had not begun.
    Withdrawn(Option<Failure>),
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
            signals: Vec::new(),
            lost: false,
            broken: None,
            sink,
        }
    }

    /// Does something with the output, unless that failed before. `None` when it panics: that costs this program its output,
    /// and nothing of the others.
    pub(crate) fn contain<T>(&mut self, work: impl FnOnce(&mut Sink) -> T) -> Option<T> {
        if self.broken.is_some() {
            return None;
        }
        let done = catch_unwind(AssertUnwindSafe(|| work(&mut self.sink))).ok();
        if done.is_none() {
            self.broken = Some(failures::internal());
            // Who writes on is told so.
            drop(self.sink.take_descriptors());
        }
        done
    }

    /// The outcome, once everything is read.
    pub(crate) fn conclude(self, ending: Ending) -> Outcome {
        let duration = self.started.elapsed();
        let Child { sink, broken, intent, .. } = self;
        let recorded = match (broken, sink) {
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
            Ending::Done(done) => (wait_status(done.wait_status), None, done),
            Ending::Failed { stage, errno } => {
                (Status::SpawnFailed, Some(failures::spawn(stage, errno)), Done::default())
            }
            Ending::Lost(failure) => (Status::Signaled(SIGKILL), Some(failure), Done::default()),
            Ending::Withdrawn(None) => (Status::Cancelled, None, Done::default()),
            Ending::Withdrawn(failure) => (Status::SpawnFailed, failure, Done::default()),
        };
        // What the caller asked for, or its deadline, explains everything but a refused start.
        let refused = status == Status::SpawnFailed && intent != Some(Status::TimedOut);
        let status = if refused { status } else { intent.unwrap_or(status) };
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
            // Who ended it says so.
            survivors: None,
            user: Duration::from_micros(done.user_us),
            system: Duration::from_micros(done.system_us),
            max_rss_bytes: done.max_rss_bytes,
            // Who knows the plan says so.
            sandbox: Arc::default(),
        }
    }
}

impl Sink {
    /// What it reads from and writes to, to be closed.
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
