//! Ending a run: the polite signal, the final one, and doing without a worker that does not answer.

use std::os::fd::AsFd;
use std::time::Instant;

use handrail_supervisor::message::ToWorker;
use handrail_supervisor::proc::{OWN_PROC, Stat};

use super::{CHECK_AFTER, LOST_AFTER, Reactor, kill};
use crate::linux::child::{Ending, Sink};
use crate::linux::failures;
use crate::linux::pool::Worker;
use crate::linux::timers::Due;
use crate::outcome::{Event, Status};

impl<S: Fn(Event)> Reactor<S> {
    pub(super) fn end(&mut self, id: u64, intent: Status) {
        let Some(run) = self.runs.get_mut(&id) else { return };
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
        pool.tell_worker_of(id, &ToWorker::Terminate { run: id });
        pool.timers.add(Instant::now() + grace, id, Due::Kill);
        drop(pool);
        // A shell takes no SIGTERM, but leaves when its terminal does.
        self.serve_live(id, |sink, context| {
            if let Sink::Session(session) = sink {
                session.hang_up(context);
            }
        });
    }

    pub(super) fn kill(&mut self, id: u64) {
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
    pub(super) fn check(&mut self, id: u64) {
        let stopped = self.shared.pool().worker_of(id).is_some_and(|worker| is_stopped(worker.pid));
        if stopped {
            self.lost(id);
        }
    }

    /// Looks after the runs whose worker should have spoken by now: it says when a program outlives
    /// its first moment, or that the run is over.
    pub(super) fn look(&mut self) {
        let silent = self.runs.values().filter(|run| run.leader.is_none());
        let silent: Vec<u64> = silent.map(|run| run.id).collect();
        {
            let mut pool = self.shared.pool();
            pool.next_look = None;
            // Who could not be asked or told may be by now.
            pool.dispatch();
            if !silent.is_empty() {
                pool.look_soon();
            }
        }
        for id in silent {
            self.check(id);
        }
    }

    /// Does without the worker: kills it and the leader, and lets the supervisor bury the rest.
    pub(super) fn lost(&mut self, id: u64) {
        // Its last word may still be unread.
        let number = self.shared.pool().worker_number_of(id);
        if let Some(number) = number {
            self.hear_worker(number);
        }
        let Some(run) = self.runs.get_mut(&id) else { return };
        if run.lost {
            if self.supervisor_is_stopped() {
                // It buries nothing and makes no worker. When it is gone, its watchdog ends what is left.
                self.kill_stopped_workers();
                return self.supervisor_gone();
            }
            return self.finish(id, Ending::Lost(failures::worker_not_buried()));
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

    fn supervisor_is_stopped(&self) -> bool {
        let pid = self.shared.pool().supervisor.as_ref().map(|link| link.process.id());
        pid.and_then(|pid| i32::try_from(pid).ok()).is_some_and(is_stopped)
    }

    /// They would not notice that their supervisor is gone.
    fn kill_stopped_workers(&self) {
        let pool = self.shared.pool();
        for worker in pool.workers.values().filter(|worker| is_stopped(worker.pid)) {
            kill(&worker.pidfd);
        }
    }

    pub(super) fn leader_ended(&mut self, id: u64) {
        let Some(run) = self.runs.get(&id) else { return };
        if let Some(leader) = &run.leader {
            self.shared.unwatch(leader.as_fd());
        }
        self.shared.pool().timers.add(Instant::now() + CHECK_AFTER, id, Due::Check);
    }
}

fn is_stopped(pid: i32) -> bool {
    Stat::of(OWN_PROC, pid).is_some_and(|stat| stat.is_stopped())
}
