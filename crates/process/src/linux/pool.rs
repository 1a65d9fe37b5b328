//! The supervisor, its workers and the runs that wait for one. Shared, under one lock, between the
//! callers and the engine's thread; nothing slow happens while it is held.

mod group;
mod quota;

use std::collections::{HashMap, HashSet};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Instant;

use handrail_supervisor::message::{Enforcement, Kind, Start, ToSupervisor, ToWorker};
use handrail_supervisor::socket;
use rustix::net::SendFlags;

use crate::linux::child::Child;
use crate::linux::error::is_short_of_transit;
use crate::linux::reactor::{CHECK_AFTER, LOOK_AT_SUPERVISOR, SupervisorSilence};
use crate::linux::supervisor_launch::StateDirectory;
use crate::linux::timers::{Due, Timers};
use crate::live::LiveRequest;

pub(crate) use self::group::{Group, MAX_PLANS};
pub(crate) use self::quota::Limits;

/// Idle workers of one plan beyond this are let go.
const MAX_IDLE_WORKERS: usize = 4;
/// Idle workers of a plan that has runs are kept ready, so that one need not wait for a fork.
const SPARE_WORKERS: usize = 1;

/// A supervisor makes fewer workers than this allows to number.
const GENERATION_SHIFT: u32 = 20;

pub(crate) struct Pool {
    pub(crate) phase: Phase,
    pub(crate) supervisor: Option<SupervisorLink>,
    /// By their numbers.
    groups: Vec<Group>,
    pub(crate) workers: HashMap<u32, Worker>,
    /// How many supervisors there have been.
    generation: u32,
    limits: Limits,
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
    pub(crate) silence: SupervisorSilence,
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
    pub(crate) plan: u32,
    pub(crate) run: Option<u64>,
}

/// A start that was asked for.
pub(crate) struct PendingStart {
    /// What its worker has installed.
    pub(crate) plan: u32,
    pub(crate) start: Start,
    pub(crate) descriptors: Vec<OwnedFd>,
}

/// What callers ask of the engine's thread.
pub(crate) enum EngineCommand {
    /// A program, with its launch unless that has been done.
    Begin(Box<Child>, Option<PendingStart>),
    Request(u64, LiveRequest),
    Cancel(u64),
    Acknowledge(u64),
    Close,
}

impl Pool {
    pub(crate) fn new(limits: Limits, timers: Timers) -> Pool {
        Pool {
            phase: Phase::Open,
            supervisor: None,
            groups: Vec::new(),
            workers: HashMap::new(),
            generation: 0,
            limits,
            sessions: HashSet::new(),
            services: HashSet::new(),
            assigned: HashMap::new(),
            held: HashMap::new(),
            timers,
            next_look: None,
            silence: SupervisorSilence::default(),
            stale_directories: Vec::new(),
        }
    }

    /// A supervisor was started.
    pub(crate) fn link(&mut self, supervisor: SupervisorLink) {
        self.supervisor = Some(supervisor);
        self.silence.broken();
        self.look_at_supervisor_later();
        self.request_workers();
    }

    /// Whether the supervisor was asked for workers that it has not brought.
    pub(crate) fn is_asking(&self) -> bool {
        self.groups.iter().any(|group| group.requested > 0)
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
        for group in &mut self.groups {
            group.forget_supervisor();
        }
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
    pub(crate) fn begin(&mut self, run: u64, deadline: Option<Instant>, launch: PendingStart) {
        if let Some(deadline) = deadline {
            self.timers.add(deadline, run, Due::Deadline);
        }
        self.look_soon();
        if let Some(group) = self.group_mut(launch.plan) {
            group.wait(launch);
        }
        self.dispatch();
    }

    pub(crate) fn add_worker(&mut self, number: u32, worker: Worker, enforcement: Enforcement) {
        let Some(group) = self.group_mut(worker.plan) else { return };
        group.requested = group.requested.saturating_sub(1);
        group.hear(enforcement);
        if group.is_idle_enough() {
            // It was asked for in a burst that is over: dropping its socket lets it go.
            return;
        }
        group.idle.push(number);
        self.workers.insert(number, worker);
        self.dispatch();
    }

    /// The supervisor could not make one of the workers asked for. Gives the runs that nobody will take.
    pub(crate) fn worker_failed(&mut self, plan: u32) -> Vec<u64> {
        let is_left = self.workers.values().any(|worker| worker.plan == plan);
        let Some(group) = self.group_mut(plan) else { return Vec::new() };
        group.requested = group.requested.saturating_sub(1);
        if is_left || group.requested > 0 { Vec::new() } else { group.waiting_runs() }
    }

    /// The first worker number of a new supervisor; those of earlier ones may still be in use.
    pub(crate) fn next_generation(&mut self) -> u32 {
        self.generation = self.generation.wrapping_add(1);
        self.generation << GENERATION_SHIFT
    }

    /// Whether the supervisor that made this worker lives: a later one knows nothing of it.
    pub(crate) fn is_supervised(&self, worker: u32) -> bool {
        self.supervisor.is_some() && worker >> GENERATION_SHIFT == self.generation
    }

    /// Gives what waits to the workers that are idle.
    pub(crate) fn dispatch(&mut self) {
        for plan in 0..self.groups.len() {
            self.dispatch_group(plan);
        }
        self.request_workers();
    }

    fn dispatch_group(&mut self, plan: usize) {
        while let Some(launch) = self.next_launch(plan) {
            let Some(number) = self.groups[plan].idle.pop() else {
                self.groups[plan].put_back(launch);
                break;
            };
            let Some(worker) = self.workers.get_mut(&number) else {
                self.groups[plan].put_back(launch);
                continue;
            };
            let kind = launch.start.kind;
            let run = launch.start.run;
            let descriptors: Vec<BorrowedFd<'_>> =
                launch.descriptors.iter().map(AsFd::as_fd).collect();
            let message = ToWorker::Start(launch.start).encode();
            let sent = send(worker, &message, &descriptors);
            let is_short = matches!(&sent, Err(error) if is_short_of_transit(error));
            if sent.is_ok() {
                worker.run = Some(run);
                self.assigned.insert(run, number);
                // Of a program that lives they are closed: while this process holds the other side of a terminal
                // or a pipe, its end never comes.
                if kind == Kind::Run {
                    self.held.insert(run, launch.descriptors);
                }
            } else if let Some(ToWorker::Start(start)) = ToWorker::decode(&message) {
                // A dead worker; its end is noticed by the engine's thread. Try the next one.
                let (plan_number, descriptors) = (launch.plan, launch.descriptors);
                self.groups[plan].put_back(PendingStart { plan: plan_number, start, descriptors });
                if is_short {
                    // The worker is well, and the next look tries again.
                    self.groups[plan].idle.push(number);
                    break;
                }
            }
        }
    }

    /// Asks for the workers that what waits needs, and for those that are kept ready.
    pub(crate) fn request_workers(&mut self) {
        let most = self.limits.runs + self.sessions.len() + self.services.len();
        // Whoever waits longest is served first.
        let mut plans: Vec<usize> = (0..self.groups.len()).collect();
        plans.sort_by_key(|&plan| self.groups[plan].oldest().unwrap_or(u64::MAX));
        for plan in plans {
            let requested: usize = self.groups.iter().map(|group| group.requested).sum();
            let mut room = most.saturating_sub(self.workers.len() + requested);
            if room == 0 && self.groups[plan].lacks() {
                room = self.let_go_of_another(plan);
            }
            let count = self.groups[plan].missing().min(room);
            if count == 0 {
                continue;
            }
            let Some(supervisor) = &self.supervisor else { return };
            let number = u32::try_from(plan).unwrap_or(u32::MAX);
            let tell = |message: &[u8]| {
                socket::send(&supervisor.control, message, &[], SendFlags::DONTWAIT).is_ok()
            };
            // A supervisor that cannot be told is gone, or busy with what it was told before.
            let group = &mut self.groups[plan];
            if !group.announced && !tell(&group.announcement(number)) {
                continue;
            }
            group.announced = true;
            let count = u32::try_from(count).unwrap_or(1);
            if tell(&ToSupervisor::MoreWorkers { plan: number, count }.encode()) {
                group.requested += count as usize;
                self.look_at_supervisor_later();
            }
        }
    }

    fn has_room(&self) -> bool {
        let most = self.limits.runs + self.sessions.len() + self.services.len();
        let requested: usize = self.groups.iter().map(|group| group.requested).sum();
        self.workers.len() + requested < most
    }

    /// Makes room for a worker of this plan: an idle one of another is let go. Gives the room.
    fn let_go_of_another(&mut self, plan: usize) -> usize {
        let mut others = self.groups.iter_mut().enumerate().filter(|(other, _)| *other != plan);
        let idle = others.find_map(|(_, group)| group.idle.pop());
        // Closing a worker's socket is what tells it to end.
        usize::from(idle.is_some_and(|number| self.workers.remove(&number).is_some()))
    }

    /// The run's worker can serve another one. Too many idle ones are let go: closing a worker's
    /// socket is what tells it to end.
    pub(crate) fn release(&mut self, run: u64) {
        let Some(number) = self.assigned.remove(&run) else { return };
        let Some(worker) = self.workers.get_mut(&number) else { return };
        worker.run = None;
        let plan = worker.plan;
        // Another plan's run that waits longer gets this one's place.
        let oldest_elsewhere =
            self.groups.iter().filter(|group| group.lacks()).filter_map(Group::oldest).min();
        let has_room = self.has_room();
        let Some(group) = self.group_mut(plan) else { return };
        let gives_way = !has_room
            && oldest_elsewhere.is_some_and(|other| group.oldest().is_none_or(|own| other < own));
        if group.is_idle_enough() || gives_way {
            self.workers.remove(&number);
        } else {
            group.idle.push(number);
        }
        self.dispatch();
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
        for group in &mut self.groups {
            group.idle.retain(|&idle| idle != number);
        }
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
        self.groups.iter_mut().any(|group| group.withdraw(run))
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
