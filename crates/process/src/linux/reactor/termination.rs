//! Ending a program: SIGTERM, SIGKILL, and giving up a worker that does not report.

use std::os::fd::AsFd;
use std::time::Instant;

use handrail_supervisor::message::ToWorker;
use handrail_supervisor::proc::{OWN_PROC, Stat};

use super::{CHECK_AFTER, GIVE_UP_WORKER_AFTER, Reactor, kill};
use crate::linux::child::{Ending, Sink};
use crate::linux::failures;
use crate::linux::timers::Due;
use crate::outcome::{Event, Status};

impl<S: Fn(Event)> Reactor<S> {
    pub(super) fn end(&mut self, id: u64, intent: Status) {
        let Some(run) = self.children.get_mut(&id) else { return };
        if run.intent.is_some() {
            return;
        }
        run.intent = Some(intent);
        let grace = run.grace;
        let mut pool = self.shared.pool();
        if pool.withdraw(id) {
            drop(pool);
            let failure = (intent == Status::TimedOut).then(failures::late_worker);
            return self.finish(id, Ending::Withdrawn(failure));
        }
        if grace.is_zero() {
            drop(pool);
            return self.kill(id);
        }
        pool.send_to_worker_of(id, &ToWorker::Terminate { run: id });
        pool.timers.add(Instant::now() + grace, id, Due::Kill);
        drop(pool);
        // A shell ignores SIGTERM, and exits when its terminal is gone.
        self.serve_live(id, |sink, context| {
            if let Sink::Session(session) = sink {
                session.hang_up(context);
            }
        });
    }

    pub(super) fn kill(&mut self, id: u64) {
        if !self.children.contains_key(&id) {
            return;
        }
        let now = Instant::now();
        let mut pool = self.shared.pool();
        pool.send_to_worker_of(id, &ToWorker::Kill { run: id });
        pool.timers.add(now + CHECK_AFTER, id, Due::StoppedCheck);
        pool.timers.add(now + GIVE_UP_WORKER_AFTER, id, Due::GiveUpWorker);
    }

    /// Gives up the worker if it is stopped. The leader of its program has been dead or killed for some time, and a stopped
    /// worker does not report.
    pub(super) fn check_stopped(&mut self, id: u64) {
        let stopped = self.shared.pool().worker_of(id).is_some_and(|worker| is_stopped(worker.pid));
        if stopped {
            self.give_up_worker(id);
        }
    }

    /// Checks the workers that should have reported by now, either that their program was started or that it is over.
    pub(super) fn check_workers(&mut self) {
        let unreported = self.children.values().filter(|run| run.leader.is_none());
        let unreported: Vec<u64> = unreported.map(|run| run.id).collect();
        {
            let mut pool = self.shared.pool();
            pool.next_check = None;
            // A message that could not be sent before may be sent now.
            pool.dispatch();
            if !unreported.is_empty() {
                pool.plan_worker_check();
            }
        }
        for id in unreported {
            self.check_stopped(id);
        }
    }

    /// Gives up the worker: kills it and the leader, and lets the supervisor end the other processes.
    pub(super) fn give_up_worker(&mut self, id: u64) {
        // Its last message may still be unread.
        let number = self.shared.pool().worker_number_of(id);
        if let Some(number) = number {
            self.receive_from_worker(number);
        }
        let Some(run) = self.children.get_mut(&id) else { return };
        if run.is_worker_lost {
            if self.supervisor_is_stopped() {
                // A stopped supervisor ends nothing and makes no worker. After its death its watchdog ends the rest.
                self.kill_stopped_workers();
                return self.supervisor_gone();
            }
            return self.finish(id, Ending::Lost(failures::worker_not_reaped()));
        }
        run.is_worker_lost = true;
        if let Some(leader) = &run.leader {
            kill(leader);
        }
        let mut pool = self.shared.pool();
        let number = pool.worker_number_of(id);
        if let Some(worker) = pool.discard_worker_of(id) {
            pool.kill_worker(&worker);
        }
        pool.timers.add(Instant::now() + GIVE_UP_WORKER_AFTER, id, Due::GiveUpWorker);
        if let Some(number) = number {
            self.orphaned.insert(number, id);
        }
    }

    fn supervisor_is_stopped(&self) -> bool {
        let pid = self.shared.pool().supervisor.as_ref().map(|link| link.process.id());
        pid.and_then(|pid| i32::try_from(pid).ok()).is_some_and(is_stopped)
    }

    /// Kills stopped workers, which would not notice that their supervisor is gone.
    fn kill_stopped_workers(&self) {
        let pool = self.shared.pool();
        for worker in pool.workers.values().filter(|worker| is_stopped(worker.pid)) {
            pool.kill_worker(worker);
        }
    }

    pub(super) fn leader_ended(&mut self, id: u64) {
        let Some(run) = self.children.get(&id) else { return };
        if let Some(leader) = &run.leader {
            self.shared.unwatch(leader.as_fd());
        }
        self.shared.pool().timers.add(Instant::now() + CHECK_AFTER, id, Due::StoppedCheck);
    }
}

fn is_stopped(pid: i32) -> bool {
    Stat::of(OWN_PROC, pid).is_some_and(|stat| stat.is_stopped())
}
