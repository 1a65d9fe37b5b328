//! The supervisor, its workers and the runs that wait for one. Shared, under one lock, between the
//! callers and the engine's thread; nothing slow happens while it is held.

mod quota;

use std::collections::{HashMap, HashSet, VecDeque};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Instant;

use handrail_supervisor::message::{Enforcement, Kind, Start, ToSupervisor, ToWorker};
use handrail_supervisor::socket;
use rustix::net::SendFlags;

use crate::child::Child;
use crate::launch::StateDirectory;
use crate::live::LiveCommand;
use crate::reactor::{CHECK_AFTER, LOOK_AT_SUPERVISOR, Silence};
use crate::timers::{Due, Timers};

pub(crate) use self::quota::Limits;

/// Idle workers beyond this are let go.
const MAX_IDLE_WORKERS: usize = 4;
/// Idle workers that are kept ready, so that a run need not wait for a fork.
const SPARE_WORKERS: usize = 1;

/// A supervisor makes fewer workers than this allows to number.
const GENERATION_SHIFT: u32 = 20;

pub(crate) struct Pool {
    pub(crate) phase: Phase,
    pub(crate) supervisor: Option<SupervisorLink>,
    pub(crate) enforcement: Option<Enforcement>,
    pub(crate) workers: HashMap<u32, Worker>,
    /// How many supervisors there have been.
    generation: u32,
    idle: Vec<u32>,
    requested: usize,
    limits: Limits,
    waiting: VecDeque<Launch>,
    /// Sessions and services that wait for a worker. They come first: they have workers of their own.
    waiting_live: VecDeque<Launch>,
    sessions: HashSet<u64>,
    services: HashSet<u64>,
    assigned: HashMap<u64, u32>,
    /// The caller's copies of what a run was started with, the writing ends of its pipes among them:
    /// while they are open no pipe is at its end, so nothing wakes the thread, on the processor of the
    /// program that is just ending, before its worker has the last word.
    held: HashMap<u64, Vec<OwnedFd>>,
    pub(crate) timers: Timers,
    /// When the next look at silent workers is due, if one is.
    pub(crate) next_look: Option<Instant>,
    pub(crate) silence: Silence,
    /// Directories of supervisors that died without removing them.
    pub(crate) stale_directories: Vec<StateDirectory>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    Open,
    Closing,
    Closed,
}

pub(crate) struct SupervisorLink {
    pub(crate) process: std::process::Child,
    pub(crate) pidfd: OwnedFd,
    pub(crate) control: OwnedFd,
    pub(crate) state_directory: StateDirectory,
}

pub(crate) struct Worker {
    pub(crate) socket: OwnedFd,
    pub(crate) pidfd: OwnedFd,
    pub(crate) pid: i32,
    pub(crate) run: Option<u64>,
}

/// A start that was asked for.
pub(crate) struct Launch {
    pub(crate) start: Start,
    pub(crate) descriptors: Vec<OwnedFd>,
}

/// What callers ask of the engine's thread.
pub(crate) enum Command {
    /// A program, with its launch unless that has been done.
    Begin(Box<Child>, Option<Launch>),
    Live(u64, LiveCommand),
    Cancel(u64),
    Acknowledge(u64),
    Close,
}

impl Pool {
    pub(crate) fn new(limits: Limits, timers: Timers) -> Pool {
        Pool {
            phase: Phase::Open,
            supervisor: None,
            enforcement: None,
            workers: HashMap::new(),
            generation: 0,
            idle: Vec::new(),
            requested: 0,
            limits,
            waiting: VecDeque::new(),
            waiting_live: VecDeque::new(),
            sessions: HashSet::new(),
            services: HashSet::new(),
            assigned: HashMap::new(),
            held: HashMap::new(),
            timers,
            next_look: None,
            silence: Silence::default(),
            stale_directories: Vec::new(),
        }
    }

    /// A supervisor was started; it brings one worker unasked.
    pub(crate) fn link(&mut self, supervisor: SupervisorLink) {
        self.supervisor = Some(supervisor);
        self.requested = 1;
        self.silence.broken();
        self.look_at_supervisor_later();
        self.request_workers();
    }

    /// Whether the supervisor was asked for workers that it has not brought.
    pub(crate) fn is_asking(&self) -> bool {
        self.requested > 0
    }

    /// Plans a look at the supervisor, unless one is planned.
    pub(crate) fn look_at_supervisor_later(&mut self) {
        if !self.silence.watched {
            self.silence.watched = true;
            self.timers.add(Instant::now() + LOOK_AT_SUPERVISOR, 0, Due::Supervisor);
        }
    }

    /// The supervisor is gone; its workers say goodbye themselves.
    pub(crate) fn unlink(&mut self) -> Option<SupervisorLink> {
        self.requested = 0;
        self.idle.clear();
        self.supervisor.take()
    }

    /// Plans a look at silent workers. One look serves all runs that begin or fall silent meanwhile;
    /// most are over by then.
    pub(crate) fn look_soon(&mut self) {
        if self.next_look.is_none() {
            let at = Instant::now() + CHECK_AFTER;
            self.next_look = Some(at);
            self.timers.add(at, 0, Due::Look);
        }
    }

    /// Hands the start to a worker, now or as soon as there is one.
    pub(crate) fn begin(&mut self, run: u64, deadline: Option<Instant>, launch: Launch) {
        if let Some(deadline) = deadline {
            self.timers.add(deadline, run, Due::Deadline);
        }
        self.look_soon();
        if launch.start.kind == Kind::Run {
            self.waiting.push_back(launch);
        } else {
            self.waiting_live.push_back(launch);
        }
        self.dispatch();
    }

    pub(crate) fn add_worker(&mut self, number: u32, worker: Worker) {
        self.requested = self.requested.saturating_sub(1);
        if self.is_idle_enough() {
            // It was asked for in a burst that is over: dropping its socket lets it go.
            return;
        }
        self.workers.insert(number, worker);
        self.idle.push(number);
        self.dispatch();
    }

    /// The supervisor could not make one of the workers asked for.
    pub(crate) fn worker_failed(&mut self) {
        self.requested = self.requested.saturating_sub(1);
    }

    /// The first worker number of a new supervisor; those of earlier ones may still be in use.
    pub(crate) fn next_generation(&mut self) -> u32 {
        self.generation = self.generation.wrapping_add(1);
        self.generation << GENERATION_SHIFT
    }

    /// Whether runs wait although no worker is left or on its way.
    pub(crate) fn is_stuck(&self) -> bool {
        self.workers.is_empty()
            && self.requested == 0
            && self.waiting.len() + self.waiting_live.len() > 0
    }

    /// Whether the supervisor that made this worker lives: a later one knows nothing of it.
    pub(crate) fn is_supervised(&self, worker: u32) -> bool {
        self.supervisor.is_some() && worker >> GENERATION_SHIFT == self.generation
    }

    fn dispatch(&mut self) {
        while let Some(launch) = self.next_launch() {
            let Some(number) = self.idle.pop() else {
                self.put_back(launch);
                break;
            };
            let Some(worker) = self.workers.get_mut(&number) else {
                self.put_back(launch);
                continue;
            };
            let kind = launch.start.kind;
            let run = launch.start.run;
            let descriptors: Vec<BorrowedFd<'_>> =
                launch.descriptors.iter().map(AsFd::as_fd).collect();
            let message = ToWorker::Start(launch.start).encode();
            if send(worker, &message, &descriptors).is_ok() {
                worker.run = Some(run);
                self.assigned.insert(run, number);
                // Of a program that lives they are closed: while this process holds the other side of a terminal
                // or a pipe, its end never comes.
                if kind == Kind::Run {
                    self.held.insert(run, launch.descriptors);
                }
            } else if let Some(ToWorker::Start(start)) = ToWorker::decode(&message) {
                // A dead worker; its end is noticed by the engine's thread. Try the next one.
                let descriptors = launch.descriptors;
                self.put_back(Launch { start, descriptors });
            }
        }
        self.request_workers();
    }

    pub(crate) fn request_workers(&mut self) {
        let wanted = self.waiting.len() + self.waiting_live.len() + SPARE_WORKERS;
        let coming = self.idle.len() + self.requested;
        let most = self.limits.runs + self.sessions.len() + self.services.len();
        let room = most.saturating_sub(self.workers.len() + self.requested);
        let count = wanted.saturating_sub(coming).min(room);
        let (Some(supervisor), true) = (&self.supervisor, count > 0) else { return };
        let message = ToSupervisor::MoreWorkers(u32::try_from(count).unwrap_or(1)).encode();
        let flags = SendFlags::DONTWAIT;
        // A supervisor that cannot be told is gone, or busy with what it was told before.
        if socket::send(&supervisor.control, &message, &[], flags).is_ok() {
            self.requested += count;
            self.look_at_supervisor_later();
        }
    }

    /// The run's worker can serve another one. Too many idle ones are let go: closing a worker's
    /// socket is what tells it to end.
    pub(crate) fn release(&mut self, run: u64) {
        let Some(number) = self.assigned.remove(&run) else { return };
        let Some(worker) = self.workers.get_mut(&number) else { return };
        worker.run = None;
        if self.is_idle_enough() {
            self.workers.remove(&number);
            return;
        }
        self.idle.push(number);
        self.dispatch();
    }

    fn is_idle_enough(&self) -> bool {
        self.idle.len() >= MAX_IDLE_WORKERS
            && self.waiting.is_empty()
            && self.waiting_live.is_empty()
    }

    /// What is held for a run that is over, to be closed.
    pub(crate) fn take_held(&mut self, run: u64) -> Vec<OwnedFd> {
        self.held.remove(&run).unwrap_or_default()
    }

    /// Drops the run's worker, which cannot be used again.
    pub(crate) fn discard_worker_of(&mut self, run: u64) -> Option<Worker> {
        let number = self.assigned.remove(&run)?;
        let worker = self.workers.remove(&number);
        self.request_workers();
        worker
    }

    /// A worker is gone; returns the run it had.
    pub(crate) fn remove_worker(&mut self, number: u32) -> Option<u64> {
        self.idle.retain(|&idle| idle != number);
        let run = self.workers.remove(&number).and_then(|worker| worker.run);
        if let Some(run) = run {
            self.assigned.remove(&run);
        }
        self.request_workers();
        run
    }

    /// Forgets who had the run; returns the worker's number if it was assigned to one.
    pub(crate) fn forget(&mut self, run: u64) -> Option<u32> {
        self.assigned.remove(&run)
    }

    pub(crate) fn worker_of(&self, run: u64) -> Option<&Worker> {
        self.workers.get(self.assigned.get(&run)?)
    }

    pub(crate) fn worker_number_of(&self, run: u64) -> Option<u32> {
        self.assigned.get(&run).copied()
    }

    /// Takes a run out of the queue; true when it was still waiting.
    pub(crate) fn withdraw(&mut self, run: u64) -> bool {
        let before = self.waiting.len() + self.waiting_live.len();
        self.waiting.retain(|launch| launch.start.run != run);
        self.waiting_live.retain(|launch| launch.start.run != run);
        before != self.waiting.len() + self.waiting_live.len()
    }

    /// Tells the run's worker something; a worker that does not hear is noticed by its silence.
    pub(crate) fn tell_worker_of(&self, run: u64, message: &ToWorker) {
        if let Some(worker) = self.worker_of(run) {
            let _ = send(worker, &message.encode(), &[]);
        }
    }
}

fn send(worker: &Worker, message: &[u8], descriptors: &[BorrowedFd<'_>]) -> io::Result<()> {
    socket::send(&worker.socket, message, descriptors, SendFlags::DONTWAIT)
}
