//! What the supervisor and its workers say, and what becomes of their runs when they fall silent.

use std::io;
use std::os::fd::AsFd;
use std::time::Instant;

use handrail_supervisor::message::{FromSupervisor, FromWorker};
use handrail_supervisor::socket::{self, Received};
use rustix::net::RecvFlags;

use super::{LOST_AFTER, Reactor, kill, signal};
use crate::linux::child::{Ending, Sink};
use crate::linux::failures;
use crate::linux::pool::{Phase, Worker};
use crate::linux::shared::Token;
use crate::linux::timers::Due;
use crate::outcome::Event;

impl<S: Fn(Event)> Reactor<S> {
    pub(super) fn hear_supervisor(&mut self) {
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

    pub(super) fn obey_supervisor(&mut self, received: Received) {
        self.shared.pool().silence.broken();
        match FromSupervisor::decode(&received.message) {
            Some(FromSupervisor::Ready { .. }) => {}
            Some(FromSupervisor::Worker { worker, plan, pid, enforcement }) => {
                let mut descriptors = received.descriptors.into_iter();
                if self.shared.pool().falls_short(plan, &enforcement) {
                    // It holds less than what was reported: without its socket it ends.
                    return self.worker_not_made(plan, rustix::io::Errno::PERM.raw_os_error());
                }
                if let (Some(socket), Some(pidfd)) = (descriptors.next(), descriptors.next())
                    && self.shared.watch(socket.as_fd(), Token::Worker(worker)).is_ok()
                {
                    let handle = Worker { socket, pidfd, pid, plan, run: None };
                    self.shared.pool().add_worker(worker, handle, enforcement);
                } else {
                    // This process is short of descriptors. Without its socket the worker ends.
                    self.worker_not_made(plan, rustix::io::Errno::MFILE.raw_os_error());
                }
            }
            Some(FromSupervisor::WorkerGone { worker, survivors }) => {
                // Its last word may still be unread.
                self.hear_worker(worker);
                self.lose_worker(worker);
                if let Some(run) = self.orphaned.remove(&worker) {
                    // The tail of its output may be in the pipes; nobody writes any more.
                    self.finish_with(run, Ending::Lost(failures::worker_lost()), Some(survivors));
                }
            }
            Some(FromSupervisor::WorkerFailed { plan, errno }) => self.worker_not_made(plan, errno),
            None => self.supervisor_gone(),
        }
    }

    /// Where no worker can be made it is better said than waited for.
    fn worker_not_made(&mut self, plan: u32, errno: i32) {
        let stuck = self.shared.pool().worker_failed(plan);
        for id in stuck {
            if self.shared.pool().withdraw(id) {
                let stage = handrail_supervisor::message::Stage::Fork;
                self.finish(id, Ending::Failed { stage, errno });
            }
        }
    }

    pub(super) fn hear_worker(&mut self, number: u32) {
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

    pub(super) fn obey_worker(&mut self, number: u32, received: Received) {
        // The run may be younger than the last look.
        self.take_commands();
        match FromWorker::decode(&received.message) {
            Some(FromWorker::Started { run: id, pid }) => {
                self.serve_live(id, |sink, context| {
                    if let Sink::Session(session) = sink {
                        session.started(pid, context);
                        context.shared.terminals.refill();
                    }
                });
                let Some(run) = self.runs.get_mut(&id) else { return };
                if let Some(pidfd) = received.descriptors.into_iter().next() {
                    // Unwatched, the worker's own word is still there.
                    let _ = self.shared.watch(pidfd.as_fd(), Token::Leader(id));
                    for number in std::mem::take(&mut run.signals) {
                        signal(&pidfd, number);
                    }
                    run.leader = Some(pidfd);
                }
            }
            Some(FromWorker::Failed { run, stage, errno }) => {
                self.finish(run, Ending::Failed { stage, errno });
            }
            Some(FromWorker::Ready { run }) => self.shared.pool().release(run),
            Some(FromWorker::Done(mut done)) => {
                let survivors = std::mem::take(&mut done.survivors);
                self.finish_with(done.run, Ending::Done(done), Some(survivors));
            }
            None => self.lose_worker(number),
        }
    }

    /// The worker's socket is closed or speaks nonsense.
    pub(super) fn lose_worker(&mut self, number: u32) {
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
            self.finish(id, Ending::Lost(failures::supervisor_lost()));
        }
    }

    pub(super) fn supervisor_gone(&mut self) {
        let (link, closing) = {
            let mut pool = self.shared.pool();
            self.shared.set_serving(None);
            (pool.unlink(), pool.phase == Phase::Closing)
        };
        if let Some(link) = link {
            self.shared.unwatch(link.control.as_fd());
            if !self.end_supervisor(link) {
                self.take_commands();
                self.finish_all_stuck();
            }
        }
        if closing {
            return self.closed();
        }
        // Those that were left here while there was still a supervisor.
        self.take_commands();
        for id in self.orphaned.drain().map(|(_, run)| run).collect::<Vec<_>>() {
            self.finish(id, Ending::Lost(failures::supervisor_lost()));
        }
        let all: Vec<u64> = self.runs.keys().copied().collect();
        for id in all {
            if self.shared.pool().withdraw(id) {
                self.finish(id, Ending::Withdrawn(Some(failures::supervisor_lost())));
            }
        }
    }
}
