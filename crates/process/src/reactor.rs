//! The engine's thread: waits for everything at once, reads, watches deadlines, finishes runs.

use std::collections::HashMap;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::time::{Duration, Instant};

use handrail_supervisor::message::{FromSupervisor, FromWorker, ToSupervisor, ToWorker};
use handrail_supervisor::removal;
use handrail_supervisor::socket::{self, Received};
use rustix::buffer::spare_capacity;
use rustix::event::epoll;
use rustix::net::{RecvFlags, SendFlags};
use rustix::process::Signal;

use crate::engine::OnReady;
use crate::outcome::{Event, Failure, Status, Stream};
use crate::pool::{Command, Launch, Phase, Worker};
use crate::run::{Ending, Run};
use crate::shared::{Shared, Token};
use crate::timers::Due;

const READ_BUFFER_BYTES: usize = 128 * 1024;
const EVENTS_PER_WAIT: usize = 64;
/// After a leader's end or a kill: is the worker stopped instead of busy?
pub(crate) const CHECK_AFTER: Duration = Duration::from_millis(40);
/// A worker gives up on processes that do not die after 0.9 s; this is a little more.
const LOST_AFTER: Duration = Duration::from_millis(1100);
/// The supervisor needs at most twice 0.95 s.
const CLOSE_LIMIT: Duration = Duration::from_secs(3);

pub(crate) struct Reactor<S> {
    shared: Arc<Shared>,
    sink: S,
    on_ready: OnReady,
    runs: HashMap<u64, Run>,
    /// Runs whose worker died, by its number, until the supervisor has buried what it left.
    orphaned: HashMap<u32, u64>,
    buffer: Vec<u8>,
}

impl<S: Fn(Event)> Reactor<S> {
    pub(crate) fn new(shared: Arc<Shared>, sink: S, on_ready: OnReady) -> Self {
        let buffer = vec![0; READ_BUFFER_BYTES];
        Reactor { shared, sink, on_ready, runs: HashMap::new(), orphaned: HashMap::new(), buffer }
    }

    /// Until the engine is closed.
    pub(crate) fn serve(mut self) {
        self.shared.reserve_descriptors();
        let mut events = Vec::with_capacity(EVENTS_PER_WAIT);
        while self.shared.pool().phase != Phase::Closed {
            events.clear();
            // An interrupted wait brings nothing, and the loop comes back.
            let _ = epoll::wait(&self.shared.epoll, spare_capacity(&mut events), None);
            self.take_commands();
            for event in &events {
                match Token::of(event.data) {
                    Token::Wake => {
                        let _ = rustix::io::read(&self.shared.wake, &mut [0_u8; 8]);
                    }
                    Token::Timer => self.run_timers(),
                    Token::Control => self.hear_supervisor(),
                    Token::Worker(number) => self.hear_worker(number),
                    Token::Pipe(run, stream) => self.read(run, stream),
                    Token::Leader(run) => self.leader_ended(run),
                }
            }
        }
        (self.sink)(Event::Closed);
    }

    fn take_commands(&mut self) {
        for command in self.shared.take_commands() {
            match command {
                Command::Begin(run, launch) => self.begin(*run, launch),
                Command::Cancel(run) => self.end(run, Status::Cancelled),
                Command::Acknowledge(run) => self.acknowledge(run),
                Command::Close => self.close(),
            }
        }
    }

    fn begin(&mut self, run: Run, launch: Option<Launch>) {
        let (id, deadline) = (run.id, run.deadline);
        self.runs.insert(id, run);
        let Some(launch) = launch else { return };
        let mut pool = self.shared.pool();
        if pool.supervisor.is_some() {
            return pool.begin(id, deadline, launch);
        }
        drop(pool);
        self.finish(id, Ending::Withdrawn(Some(Failure::supervisor_lost())));
    }

    fn acknowledge(&mut self, id: u64) {
        let Some(run) = self.runs.get_mut(&id) else { return };
        if run.consumed() {
            for stream in [Stream::Stdout, Stream::Stderr] {
                if let Some(pipe) = &run.pipes[stream as usize] {
                    // Already watched is what is wanted.
                    let _ = self.shared.watch(pipe.as_fd(), Token::Pipe(id, stream));
                }
            }
        }
    }

    fn run_timers(&mut self) {
        self.shared.pool().timers.acknowledge();
        loop {
            let due = self.shared.pool().timers.pop();
            match due {
                None => return,
                Some((run, Due::Deadline)) => {
                    // A run that began after this round's look at the commands: its deadline is there
                    // already, and comes only once.
                    if !self.runs.contains_key(&run) {
                        self.take_commands();
                    }
                    self.end(run, Status::TimedOut);
                }
                Some((run, Due::Kill)) => self.kill(run),
                Some((run, Due::Check)) => self.check(run),
                Some((_, Due::Look)) => self.look(),
                Some((run, Due::Lost)) => self.lost(run),
                Some((_, Due::Close)) => self.closed(),
            }
        }
    }

    // ---- ending a run ----

    fn end(&mut self, id: u64, intent: Status) {
        let Some(run) = self.runs.get_mut(&id) else { return };
        if run.intent.is_some() {
            return;
        }
        run.intent = Some(intent);
        let grace = run.grace;
        let mut pool = self.shared.pool();
        if pool.withdraw(id) {
            drop(pool);
            let failure = (intent == Status::TimedOut).then(|| Failure {
                code: "ERR_BUSY",
                message: "the deadline passed before a worker was free".into(),
            });
            return self.finish(id, Ending::Withdrawn(failure));
        }
        if grace.is_zero() {
            drop(pool);
            return self.kill(id);
        }
        pool.tell_worker_of(id, &ToWorker::Terminate { run: id });
        pool.timers.add(Instant::now() + grace, id, Due::Kill);
    }

    fn kill(&mut self, id: u64) {
        if !self.runs.contains_key(&id) {
            return;
        }
        let now = Instant::now();
        let mut pool = self.shared.pool();
        pool.tell_worker_of(id, &ToWorker::Kill { run: id });
        pool.timers.add(now + CHECK_AFTER, id, Due::Check);
        pool.timers.add(now + LOST_AFTER, id, Due::Lost);
    }

    /// The leader is dead or was killed some time ago: a worker that is stopped will not tell.
    fn check(&mut self, id: u64) {
        let stopped = self.shared.pool().worker_of(id).is_some_and(|worker| is_stopped(worker.pid));
        if stopped {
            self.lost(id);
        }
    }

    /// Looks after the runs whose worker should have spoken by now: it says when a program outlives
    /// its first moment, or that the run is over.
    fn look(&mut self) {
        let silent = self.runs.values().filter(|run| run.leader.is_none());
        let silent: Vec<u64> = silent.map(|run| run.id).collect();
        {
            let mut pool = self.shared.pool();
            pool.next_look = None;
            // A supervisor that was too busy to be asked may not be any more.
            pool.request_workers();
            if !silent.is_empty() {
                pool.look_soon();
            }
        }
        for id in silent {
            self.check(id);
        }
    }

    /// Does without the worker: kills it and the leader, and lets the supervisor bury the rest.
    fn lost(&mut self, id: u64) {
        // Its last word may still be unread.
        let number = self.shared.pool().worker_number_of(id);
        if let Some(number) = number {
            self.hear_worker(number);
        }
        let Some(run) = self.runs.get_mut(&id) else { return };
        if run.lost {
            return self.finish(id, Ending::Lost(Failure::worker_lost()));
        }
        run.lost = true;
        if let Some(leader) = &run.leader {
            kill(leader);
        }
        let mut pool = self.shared.pool();
        let number = pool.worker_number_of(id);
        if let Some(Worker { pidfd, .. }) = pool.discard_worker_of(id) {
            kill(&pidfd);
        }
        pool.timers.add(Instant::now() + LOST_AFTER, id, Due::Lost);
        if let Some(number) = number {
            self.orphaned.insert(number, id);
        }
    }

    fn leader_ended(&mut self, id: u64) {
        let Some(run) = self.runs.get(&id) else { return };
        if let Some(leader) = &run.leader {
            self.shared.unwatch(leader.as_fd());
        }
        self.shared.pool().timers.add(Instant::now() + CHECK_AFTER, id, Due::Check);
    }

    // ---- hearing ----

    fn hear_supervisor(&mut self) {
        loop {
            let received = {
                let pool = self.shared.pool();
                let Some(supervisor) = &pool.supervisor else { return };
                socket::receive(&supervisor.control, RecvFlags::DONTWAIT)
            };
            match received {
                Ok(Some(received)) => self.obey_supervisor(received),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Ok(None) | Err(_) => return self.supervisor_gone(),
            }
        }
    }

    fn obey_supervisor(&mut self, received: Received) {
        match FromSupervisor::decode(&received.message) {
            Some(FromSupervisor::Ready { enforcement, .. }) => {
                (self.on_ready)(&enforcement);
                self.shared.pool().enforcement = Some(enforcement);
            }
            Some(FromSupervisor::Worker { worker, pid }) => {
                let mut descriptors = received.descriptors.into_iter();
                if let (Some(socket), Some(pidfd)) = (descriptors.next(), descriptors.next())
                    && self.shared.watch(socket.as_fd(), Token::Worker(worker)).is_ok()
                {
                    let handle = Worker { socket, pidfd, pid, run: None };
                    self.shared.pool().add_worker(worker, handle);
                }
            }
            Some(FromSupervisor::WorkerGone { worker, survivors }) => {
                // Its last word may still be unread.
                self.hear_worker(worker);
                self.lose_worker(worker);
                if let Some(run) = self.orphaned.remove(&worker) {
                    // The tail of its output may be in the pipes; nobody writes any more.
                    self.finish_with(run, Ending::Lost(Failure::worker_lost()), survivors);
                }
            }
            Some(FromSupervisor::WorkerFailed { errno }) => {
                let stuck = {
                    let mut pool = self.shared.pool();
                    pool.worker_failed();
                    pool.is_stuck()
                };
                if stuck {
                    self.fail_waiting(errno);
                }
            }
            None => self.supervisor_gone(),
        }
    }

    /// No worker can be made: better said than waited for.
    fn fail_waiting(&mut self, errno: i32) {
        let waiting: Vec<u64> = self.runs.keys().copied().collect();
        for id in waiting {
            if self.shared.pool().withdraw(id) {
                let stage = handrail_supervisor::message::Stage::Fork;
                self.finish(id, Ending::Failed { stage, errno });
            }
        }
    }

    fn hear_worker(&mut self, number: u32) {
        loop {
            let received = {
                let pool = self.shared.pool();
                let Some(worker) = pool.workers.get(&number) else { return };
                socket::receive(&worker.socket, RecvFlags::DONTWAIT)
            };
            match received {
                Ok(Some(received)) => self.obey_worker(number, received),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Ok(None) | Err(_) => return self.lose_worker(number),
            }
        }
    }

    fn obey_worker(&mut self, number: u32, received: Received) {
        // The run may be younger than the last look.
        self.take_commands();
        match FromWorker::decode(&received.message) {
            Some(FromWorker::Started { run: id, .. }) => {
                let Some(run) = self.runs.get_mut(&id) else { return };
                if let Some(pidfd) = received.descriptors.into_iter().next() {
                    // Unwatched, the worker's own word is still there.
                    let _ = self.shared.watch(pidfd.as_fd(), Token::Leader(id));
                    run.leader = Some(pidfd);
                }
            }
            Some(FromWorker::Failed { run, stage, errno }) => {
                self.finish(run, Ending::Failed { stage, errno });
            }
            Some(FromWorker::Ready { run }) => self.shared.pool().release(run),
            Some(FromWorker::Done(mut done)) => {
                let survivors = std::mem::take(&mut done.survivors);
                self.finish_with(done.run, Ending::Done(done), survivors);
            }
            None => self.lose_worker(number),
        }
    }

    /// The worker's socket is closed or speaks nonsense.
    fn lose_worker(&mut self, number: u32) {
        let (run, supervised) = {
            let mut pool = self.shared.pool();
            (pool.remove_worker(number), pool.is_supervised(number))
        };
        let Some(id) = run else { return };
        let Some(run) = self.runs.get_mut(&id) else { return };
        run.lost = true;
        if let Some(leader) = &run.leader {
            kill(leader);
        }
        if supervised {
            self.orphaned.insert(number, id);
            self.shared.pool().timers.add(Instant::now() + LOST_AFTER, id, Due::Lost);
        } else {
            // Its worker ended it on the way out, as it does when the supervisor goes.
            self.finish(id, Ending::Lost(Failure::supervisor_lost()));
        }
    }

    fn supervisor_gone(&mut self) {
        let (link, closing) = {
            let mut pool = self.shared.pool();
            self.shared.set_serving(None);
            (pool.unlink(), pool.phase == Phase::Closing)
        };
        if let Some(mut link) = link {
            self.shared.unwatch(link.control.as_fd());
            kill(&link.pidfd);
            // It was just killed or is gone already: this does not wait.
            let _ = link.process.wait();
            self.shared.pool().stale_directories.push(link.state_directory);
        }
        if closing {
            return self.closed();
        }
        // Those that were left here while there was still a supervisor.
        self.take_commands();
        for id in self.orphaned.drain().map(|(_, run)| run).collect::<Vec<_>>() {
            self.finish(id, Ending::Lost(Failure::supervisor_lost()));
        }
        let all: Vec<u64> = self.runs.keys().copied().collect();
        for id in all {
            if self.shared.pool().withdraw(id) {
                self.finish(id, Ending::Withdrawn(Some(Failure::supervisor_lost())));
            }
        }
    }

    // ---- reading and finishing ----

    fn read(&mut self, id: u64, stream: Stream) {
        let Reactor { shared, runs, sink, buffer, .. } = self;
        let Some(run) = runs.get_mut(&id) else { return };
        let mut emit = |text| sink(Event::Output { run: id, stream, text });
        // A closed descriptor leaves epoll by itself.
        run.read(stream, buffer, &mut emit);
        if run.paused {
            for pipe in run.pipes.iter().flatten() {
                shared.unwatch(pipe.as_fd());
            }
        }
    }

    fn finish(&mut self, id: u64, ending: Ending) {
        self.finish_with(id, ending, Vec::new());
    }

    fn finish_with(
        &mut self,
        id: u64,
        ending: Ending,
        survivors: Vec<handrail_supervisor::message::Process>,
    ) {
        let Some(mut run) = self.runs.remove(&id) else { return };
        let held = {
            let mut pool = self.shared.pool();
            match &ending {
                Ending::Done(done) if done.ready => pool.release(id),
                // It says when it is ready, or ends.
                Ending::Done(_) => {}
                Ending::Failed { .. } => pool.release(id),
                _ => {
                    pool.forget(id);
                }
            }
            pool.take_held(id)
        };
        let sink = &self.sink;
        let mut emit = |stream, text| sink(Event::Output { run: id, stream, text });
        run.drain(&mut self.buffer, &mut emit);
        let pipes = std::mem::take(&mut run.pipes);
        let mut outcome = run.conclude(ending);
        outcome.survivors = survivors;
        (self.sink)(Event::Done { run: id, outcome: Box::new(outcome) });
        // Late, because closing takes longer than telling.
        drop((pipes, held));
    }

    // ---- closing ----

    fn close(&mut self) {
        let all: Vec<u64> = self.runs.keys().copied().collect();
        for id in all {
            if let Some(run) = self.runs.get_mut(&id) {
                run.intent.get_or_insert(Status::Cancelled);
            }
            if self.shared.pool().withdraw(id) {
                self.finish(id, Ending::Withdrawn(None));
            }
        }
        let mut pool = self.shared.pool();
        if pool.phase != Phase::Open {
            return;
        }
        pool.phase = Phase::Closing;
        self.shared.set_serving(None);
        let Some(supervisor) = &pool.supervisor else {
            drop(pool);
            return self.closed();
        };
        let message = ToSupervisor::Shutdown.encode();
        // One that cannot be told is gone; its end is noticed like any other.
        let _ = socket::send(&supervisor.control, &message, &[], SendFlags::DONTWAIT);
        pool.timers.add(Instant::now() + CLOSE_LIMIT, 0, Due::Close);
    }

    /// Everything was ended, or the time for it is over.
    fn closed(&mut self) {
        if self.shared.pool().phase != Phase::Closing {
            return;
        }
        if self.shared.pool().supervisor.is_some() {
            return self.supervisor_gone();
        }
        let all: Vec<u64> = self.runs.keys().copied().collect();
        for id in all {
            self.finish(id, Ending::Withdrawn(None));
        }
        let mut pool = self.shared.pool();
        pool.workers.clear();
        pool.phase = Phase::Closed;
        for directory in pool.stale_directories.drain(..) {
            // The supervisor removed it, unless it was killed.
            let _ = removal::remove_tree(&directory);
        }
    }
}

fn kill(process: &OwnedFd) {
    // A process that is gone needs no signal.
    let _ = rustix::process::pidfd_send_signal(process, Signal::KILL);
}

fn is_stopped(pid: i32) -> bool {
    let Ok(stat) = std::fs::read(format!("/proc/{pid}/stat")) else { return false };
    let state = stat.iter().rposition(|&byte| byte == b')').and_then(|end| stat.get(end + 2));
    matches!(state, Some(b'T' | b't'))
}
