//! The supervisor, its workers and the programs that wait for a worker. One lock guards all of it for the callers and the
//! engine's thread; nothing slow happens under the lock.

mod group;
mod networks;
mod quota;

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::time::Instant;

use handrail_supervisor::message::{
    Enforcement, Kind, PlanReads, Reach, Start, ToSupervisor, ToWorker,
};
use handrail_supervisor::mount_table::MountTable;
use handrail_supervisor::socket;
use rustix::net::SendFlags;
use rustix::process::{Signal, pidfd_send_signal};

use crate::linux::child::Child;
use crate::linux::descendants::kill_child;
use crate::linux::error::is_short_of_transit;
use crate::linux::reactor::{CHECK_AFTER, SUPERVISOR_CHECK_INTERVAL, SupervisorSilence};
use crate::linux::supervisor_launch::StateDirectory;
use crate::linux::timers::{Due, Timers};
use crate::live::LiveRequest;

pub(crate) use self::group::{Group, MAX_PLANS};
use self::networks::Networks;
pub use self::networks::{NetworkListeners, OnListeners};
pub(crate) use self::quota::{Limits, Quota};

/// Most idle workers of one plan; further ones are let go.
const MAX_IDLE_WORKERS: usize = 4;
/// Idle workers that are kept ready for a plan with runs or sessions, so that none of them need wait for a fork.
const SPARE_WORKERS: usize = 1;

/// The bits of a worker's number below the generation of its supervisor. A supervisor makes fewer workers than these can
/// number.
const GENERATION_SHIFT: u32 = 20;

pub(crate) struct Pool {
    pub(crate) phase: Phase,
    pub(crate) supervisor: Option<SupervisorLink>,
    /// The workers of each plan; the index is the number of the plan.
    groups: Vec<Group>,
    pub(crate) networks: Networks,
    /// By their numbers.
    pub(crate) workers: HashMap<u32, Worker>,
    /// How many supervisors there have been.
    generation: u32,
    limits: Limits,
    sessions: HashSet<u64>,
    services: HashSet<u64>,
    jobs: HashSet<u64>,
    /// The number of the worker that each run, session or service has.
    assigned: HashMap<u64, u32>,
    /// This process's copies of the descriptors that a run was started with, without its input: the writing ends of its pipes
    /// among them. While
    /// they are open, no pipe reaches its end. So the end of a program does not wake the thread, on the processor where that
    /// program is just ending, before its worker reports.
    start_descriptors: HashMap<u64, Vec<OwnedFd>>,
    pub(crate) timers: Timers,
    /// When the next check of silent workers is due, if one is planned.
    pub(crate) next_check: Option<Instant>,
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
    /// `None` where it serves one of many sessions: each has few descriptors of this process.
    pub(crate) pidfd: Option<OwnedFd>,
    pub(crate) pid: i32,
    pub(crate) plan: u32,
    /// The mounts of its view of the file system, if it has one.
    pub(crate) mounts: Option<MountTable>,
    /// Whether each protected place of the plan was covered when that was last looked at.
    pub(crate) covers_all: bool,
    /// How often the plan had been renewed when it was made.
    pub(crate) renewal: u32,
    pub(crate) run: Option<u64>,
}

/// A start that waits for a worker.
pub(crate) struct PendingStart {
    /// The number of the plan that its worker must have installed.
    pub(crate) plan: u32,
    /// Whether it was admitted as a session, a service or a job, and so waits for no run.
    pub(crate) has_own_quota: bool,
    pub(crate) start: Start,
    pub(crate) descriptors: Vec<OwnedFd>,
}

/// A command of a caller to the engine's thread.
pub(crate) enum EngineCommand {
    /// Serve this program. Its start is passed along unless a worker or the pool has it already.
    Serve(Box<Child>, Option<PendingStart>),
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
            networks: Networks::default(),
            workers: HashMap::new(),
            generation: 0,
            limits,
            sessions: HashSet::new(),
            services: HashSet::new(),
            jobs: HashSet::new(),
            assigned: HashMap::new(),
            start_descriptors: HashMap::new(),
            timers,
            next_check: None,
            silence: SupervisorSilence::default(),
            stale_directories: Vec::new(),
        }
    }

    /// A supervisor was started.
    pub(crate) fn link(&mut self, supervisor: SupervisorLink) {
        self.supervisor = Some(supervisor);
        self.silence.end();
        self.plan_supervisor_check();
        self.request_workers();
    }

    /// Whether the supervisor was asked for workers that it has not brought.
    pub(crate) fn is_asking(&self) -> bool {
        self.groups.iter().any(|group| group.requested > 0)
    }

    /// Plans a check of the supervisor, unless one is planned.
    pub(crate) fn plan_supervisor_check(&mut self) {
        if !self.silence.is_check_planned {
            self.silence.is_check_planned = true;
            self.timers.add(Instant::now() + SUPERVISOR_CHECK_INTERVAL, 0, Due::SupervisorCheck);
        }
    }

    /// The supervisor is gone. Its workers close their own sockets.
    pub(crate) fn unlink(&mut self) -> Option<SupervisorLink> {
        for group in &mut self.groups {
            group.forget_supervisor();
        }
        self.supervisor.take()
    }

    /// Plans a check of silent workers. One check serves all runs that begin or fall silent meanwhile; most are over by then.
    pub(crate) fn plan_worker_check(&mut self) {
        if self.next_check.is_none() {
            let at = Instant::now() + CHECK_AFTER;
            self.next_check = Some(at);
            self.timers.add(at, 0, Due::WorkerCheck);
        }
    }

    /// Gives the start to a worker, now or as soon as one is idle.
    pub(crate) fn begin(&mut self, run: u64, deadline: Option<Instant>, pending: PendingStart) {
        if let Some(deadline) = deadline {
            self.timers.add(deadline, run, Due::Deadline);
        }
        self.plan_worker_check();
        let is_session = pending.start.kind == Kind::Session;
        if let Some(group) = self.group_mut(pending.plan) {
            group.enqueue(pending);
        }
        self.hand_out();
        // The worker that takes the place of a session's is made once the program runs, and does not delay it.
        if !is_session || self.groups.iter().any(Group::needs_workers) {
            self.request_workers();
        }
    }

    pub(crate) fn add_worker(&mut self, number: u32, mut worker: Worker, enforcement: Enforcement) {
        let Some(group) = self.group_mut(worker.plan) else { return };
        group.requested = group.requested.saturating_sub(1);
        if group.outdated > 0 {
            // It was requested before the plan was renewed.
            group.outdated -= 1;
            return self.request_workers();
        }
        worker.renewal = group.renewal;
        group.set_enforcement(enforcement);
        if group.is_idle_enough() {
            // It was requested in a burst that is over. Dropping its socket lets it go.
            return;
        }
        group.idle.push(number);
        self.workers.insert(number, worker);
        self.dispatch();
    }

    /// The supervisor could not make a worker that was requested. Gives the programs that no worker will take.
    pub(crate) fn worker_failed(&mut self, plan: u32) -> Vec<u64> {
        let has_other_workers = self.workers.values().any(|worker| worker.plan == plan);
        let Some(group) = self.group_mut(plan) else { return Vec::new() };
        group.requested = group.requested.saturating_sub(1);
        group.outdated = group.outdated.saturating_sub(1);
        if has_other_workers || group.requested > 0 { Vec::new() } else { group.waiting_ids() }
    }

    /// The first worker number of a new supervisor. Numbers of earlier supervisors may still be in use.
    pub(crate) fn next_generation(&mut self) -> u32 {
        self.generation = self.generation.wrapping_add(1);
        self.generation << GENERATION_SHIFT
    }

    /// Whether the supervisor that made this worker lives: a later one knows nothing of it.
    pub(crate) fn is_supervised(&self, worker: u32) -> bool {
        self.supervisor.is_some() && worker >> GENERATION_SHIFT == self.generation
    }

    /// Gives the starts that wait to idle workers.
    pub(crate) fn dispatch(&mut self) {
        self.hand_out();
        self.request_workers();
    }

    fn hand_out(&mut self) {
        for plan in 0..self.groups.len() {
            self.dispatch_group(plan);
        }
    }

    fn dispatch_group(&mut self, plan: usize) {
        while let Some(pending) = self.next_start(plan) {
            let Some(number) = self.groups[plan].idle.pop() else {
                self.groups[plan].put_back(pending);
                break;
            };
            let Some(worker) = self.workers.get_mut(&number) else {
                self.groups[plan].put_back(pending);
                continue;
            };
            if !worker.covers(&self.groups[plan].plan.reads) {
                self.workers.remove(&number);
                self.groups[plan].put_back(pending);
                continue;
            }
            let kind = pending.start.kind;
            let run = pending.start.run;
            let descriptors: Vec<BorrowedFd<'_>> =
                pending.descriptors.iter().map(AsFd::as_fd).collect();
            let input = pending.start.input_descriptor();
            let message = ToWorker::Start(pending.start).encode();
            let sent = send(worker, &message, &descriptors);
            let is_shortage = matches!(&sent, Err(error) if is_short_of_transit(error));
            if sent.is_ok() {
                worker.run = Some(run);
                self.assigned.insert(run, number);
                // The copies of a session or a service are closed: while this process has the other side of a terminal or a
                // pipe, that never reaches its end.
                if kind == Kind::Run {
                    let mut kept = pending.descriptors;
                    // While a reading end of its input is open here, no write says that the program has closed its own.
                    input.map(|index| kept.remove(index));
                    self.start_descriptors.insert(run, kept);
                }
            } else if let Some(ToWorker::Start(start)) = ToWorker::decode(&message) {
                // The worker is dead, which the engine's thread will notice. Try the next one.
                self.groups[plan].put_back(PendingStart { start, ..pending });
                if is_shortage {
                    // The worker is alive, and the next check tries again.
                    self.groups[plan].idle.push(number);
                    break;
                }
            }
        }
    }

    /// Requests workers for the starts that wait, and those that are kept ready.
    pub(crate) fn request_workers(&mut self) {
        let most = self.most_workers();
        // The plan with the oldest start comes first.
        let mut plans: Vec<usize> = (0..self.groups.len()).collect();
        plans.sort_by_key(|&plan| self.groups[plan].oldest_id().unwrap_or(u64::MAX));
        for plan in plans {
            let requested: usize = self.groups.iter().map(|group| group.requested).sum();
            let mut room = most.saturating_sub(self.workers.len() + requested);
            if room == 0 && self.groups[plan].needs_workers() {
                room = self.release_idle_elsewhere(plan);
            }
            let count = self.groups[plan].missing_workers().min(room);
            if count == 0 {
                continue;
            }
            let Some(supervisor) = &self.supervisor else { return };
            let number = u32::try_from(plan).unwrap_or(u32::MAX);
            let send = |message: &[u8]| {
                socket::send(&supervisor.control, message, &[], SendFlags::DONTWAIT).is_ok()
            };
            // Where a message cannot be sent, the supervisor is gone, or busy with earlier messages.
            let group = &mut self.groups[plan];
            if let Reach::Own(network) = group.plan.network
                && let Some(message) = self.networks.announcement(network)
            {
                if !send(&message) {
                    continue;
                }
                self.networks.set_announced(network);
            }
            if !group.is_announced && !send(&group.announcement(number)) {
                continue;
            }
            group.is_announced = true;
            let count = u32::try_from(count).unwrap_or(1);
            if send(&ToSupervisor::MoreWorkers { plan: number, count }.encode()) {
                group.requested += count as usize;
                self.plan_supervisor_check();
            }
        }
    }

    fn has_room(&self) -> bool {
        let most = self.most_workers();
        let requested: usize = self.groups.iter().map(|group| group.requested).sum();
        self.workers.len() + requested < most
    }

    /// Lets an idle worker of another plan go, to make room for a worker of this one. Gives how many were let go.
    fn release_idle_elsewhere(&mut self, plan: usize) -> usize {
        let mut others = self.groups.iter_mut().enumerate().filter(|(other, _)| *other != plan);
        let idle = others.find_map(|(_, group)| group.idle.pop());
        // Closing a worker's socket is what tells it to end.
        usize::from(idle.is_some_and(|number| self.workers.remove(&number).is_some()))
    }

    /// The run's worker can serve another one. Workers beyond the limit of idle ones are let go: closing a worker's socket tells
    /// it to end.
    pub(crate) fn release(&mut self, run: u64) {
        let Some(number) = self.assigned.remove(&run) else { return };
        let Some(worker) = self.workers.get_mut(&number) else { return };
        worker.run = None;
        let is_dedicated = worker.pidfd.is_none();
        let (plan, renewal) = (worker.plan, worker.renewal);
        // A start of another plan that waits longer gets this worker's place.
        let oldest_elsewhere = self
            .groups
            .iter()
            .filter(|group| group.needs_workers())
            .filter_map(Group::oldest_id)
            .min();
        let has_room = self.has_room();
        let Some(group) = self.group_mut(plan) else { return };
        let makes_room = !has_room
            && oldest_elsewhere
                .is_some_and(|other| group.oldest_id().is_none_or(|own| other < own));
        if is_dedicated
            || group.plan.layer.is_some()
            || group.is_idle_enough()
            || makes_room
            || group.renewal != renewal
        {
            self.workers.remove(&number);
        } else {
            group.idle.push(number);
        }
        self.dispatch();
    }

    /// The program of a session runs. Where there are more sessions than idle workers are kept, this closes the descriptors
    /// of its worker that only the next program would need, and the worker serves no other.
    pub(crate) fn session_started(&mut self, session: u64) {
        let is_one_of_many = self.sessions.len() > MAX_IDLE_WORKERS;
        let worker = self.assigned.get(&session).and_then(|number| self.workers.get_mut(number));
        if let Some(worker) = worker.filter(|_| is_one_of_many) {
            worker.pidfd = None;
            worker.mounts = None;
        }
        self.request_workers();
    }

    /// Kills a worker.
    pub(crate) fn kill_worker(&self, worker: &Worker) {
        let supervisor = self.supervisor.as_ref().map(|link| link.process.id());
        match (&worker.pidfd, supervisor.and_then(|pid| i32::try_from(pid).ok())) {
            // A process that is gone needs no signal.
            (Some(pidfd), _) => drop(pidfd_send_signal(pidfd, Signal::KILL)),
            (None, Some(supervisor)) => kill_child(worker.pid, supervisor),
            (None, None) => {}
        }
    }

    /// Takes the descriptors that a run was started with, to be closed after its end.
    pub(crate) fn take_start_descriptors(&mut self, run: u64) -> Vec<OwnedFd> {
        self.start_descriptors.remove(&run).unwrap_or_default()
    }

    /// Drops the run's worker, which cannot be used again.
    pub(crate) fn discard_worker_of(&mut self, run: u64) -> Option<Worker> {
        let number = self.assigned.remove(&run)?;
        let worker = self.workers.remove(&number);
        self.request_workers();
        worker
    }

    /// A worker is gone. Gives the id of the program that it had.
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

    /// Forgets which worker has the run. Gives the worker's number, if the run had one.
    pub(crate) fn forget(&mut self, run: u64) -> Option<u32> {
        self.assigned.remove(&run)
    }

    pub(crate) fn worker_of(&self, run: u64) -> Option<&Worker> {
        self.workers.get(self.assigned.get(&run)?)
    }

    pub(crate) fn worker_number_of(&self, run: u64) -> Option<u32> {
        self.assigned.get(&run).copied()
    }

    /// Takes a program out of the queue. True when it was still waiting.
    pub(crate) fn withdraw(&mut self, run: u64) -> bool {
        self.groups.iter_mut().any(|group| group.withdraw(run))
    }

    /// Sends a message to the run's worker. A worker that does not receive it is noticed by its silence.
    pub(crate) fn send_to_worker_of(&self, run: u64, message: &ToWorker) {
        if let Some(worker) = self.worker_of(run) {
            let _ = send(worker, &message.encode(), &[]);
        }
    }
}

impl Worker {
    /// Whether each protected place that is there has something mounted over it. The kernel takes that away when somebody
    /// removes the place, which can happen before the worker is here, and what is made anew can be the same inode.
    fn covers(&mut self, reads: &PlanReads) -> bool {
        let Some(mounts) = &self.mounts else { return true };
        if !mounts.has_changed() && self.covers_all {
            return true;
        }
        let mounts = mounts.mounts().unwrap_or_default();
        let points: HashSet<&[u8]> =
            mounts.iter().map(|mount| mount.point.as_os_str().as_bytes()).collect();
        let places = reads.covered.iter().chain(&reads.hidden);
        let mut bare = places.filter(|place| !points.contains(&place.path[..])).peekable();
        self.covers_all = bare.peek().is_none();
        bare.all(|place| std::fs::symlink_metadata(OsStr::from_bytes(&place.path)).is_err())
    }
}

fn send(worker: &Worker, message: &[u8], descriptors: &[BorrowedFd<'_>]) -> io::Result<()> {
    socket::send(&worker.socket, message, descriptors, SendFlags::DONTWAIT)
}
