//! Messages of the supervisor and its workers, and the end of either.

use std::io;
use std::os::fd::{AsFd, IntoRawFd, OwnedFd};
use std::time::Instant;

use handrail_supervisor::message::{FromSupervisor, FromWorker};
use handrail_supervisor::mount_table::MountTable;
use handrail_supervisor::socket::{self, Received};
use rustix::net::RecvFlags;

use super::{GIVE_UP_WORKER_AFTER, Reactor, kill, signal};
use crate::linux::child::{Ending, Sink};
use crate::linux::failures;
use crate::linux::pool::{Phase, Worker};
use crate::linux::shared::Token;
use crate::linux::timers::Due;
use crate::outcome::Event;

impl<S: Fn(Event)> Reactor<S> {
    pub(super) fn receive_from_supervisor(&mut self) {
        loop {
            let received = {
                let pool = self.shared.pool();
                let Some(supervisor) = &pool.supervisor else { return };
                socket::receive(&supervisor.control, RecvFlags::DONTWAIT)
            };
            match received {
                Ok(Some(received)) => self.handle_supervisor_message(received),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Ok(None) | Err(_) => return self.supervisor_gone(),
            }
        }
    }

    pub(super) fn handle_supervisor_message(&mut self, received: Received) {
        self.shared.pool().silence.end();
        match FromSupervisor::decode(&received.message) {
            // A layer was made before anything is received here.
            Some(
                FromSupervisor::Ready { .. }
                | FromSupervisor::LayerRoot
                | FromSupervisor::NoLayer { .. },
            ) => {}
            Some(FromSupervisor::Worker { worker, plan, pid, enforcement }) => {
                let mut descriptors = received.descriptors.into_iter();
                if self.shared.pool().falls_short(plan, &enforcement) {
                    // The worker enforces less than was reported or relied on. Without its socket it ends.
                    return self.fail_without_worker(plan, rustix::io::Errno::PERM.raw_os_error());
                }
                if let (Some(socket), Some(pidfd)) = (descriptors.next(), descriptors.next())
                    && self.shared.watch(socket.as_fd(), Token::Worker(worker)).is_ok()
                {
                    let mounts = descriptors.next().map(MountTable::from);
                    let handle = Worker {
                        socket,
                        pidfd: Some(pidfd),
                        pid,
                        plan,
                        mounts,
                        covers_all: false,
                        renewal: 0,
                        run: None,
                    };
                    self.shared.pool().add_worker(worker, handle, enforcement);
                } else {
                    // This process is short of descriptors. Without its socket the worker ends.
                    self.fail_without_worker(plan, rustix::io::Errno::MFILE.raw_os_error());
                }
            }
            Some(FromSupervisor::WorkerGone { worker, survivors, limit }) => {
                // Its last message may still be unread.
                self.receive_from_worker(worker);
                self.lose_worker(worker);
                if let Some(run) = self.orphaned.remove(&worker) {
                    // The end of the output may still be in the pipes. Nobody writes any more.
                    let lost = || Ending::Lost(failures::worker_lost());
                    self.finish_with(
                        run,
                        limit.map_or_else(lost, Ending::Limited),
                        Some(survivors),
                    );
                }
            }
            Some(FromSupervisor::WorkerFailed { plan, errno }) => {
                self.fail_without_worker(plan, errno);
            }
            Some(FromSupervisor::Listener { network, index: _, errno }) => {
                let listener = descriptor_or_error(received.descriptors, errno);
                self.shared.pool().networks.add_listener(network, listener);
            }
            Some(FromSupervisor::Network { number, errno }) => {
                let taken = self.shared.pool().networks.take_listeners(number, errno);
                if let Some((on_listeners, listeners)) = taken {
                    on_listeners(listeners);
                }
            }
            Some(FromSupervisor::Connected { request, errno }) => {
                if self.shared.pool().networks.is_answered_now(request) {
                    let result = descriptor_or_error(received.descriptors, errno);
                    let result = result.map(IntoRawFd::into_raw_fd);
                    (self.sink)(Event::Connected { request, result });
                }
            }
            None => self.supervisor_gone(),
        }
    }

    /// Fails the programs for which no worker can be made, instead of letting them wait.
    fn fail_without_worker(&mut self, plan: u32, errno: i32) {
        let waiting_ids = self.shared.pool().worker_failed(plan);
        for id in waiting_ids {
            if self.shared.pool().withdraw(id) {
                let stage = handrail_supervisor::message::Stage::Fork;
                self.finish(id, Ending::Failed { stage, errno });
            }
        }
    }

    pub(super) fn receive_from_worker(&mut self, number: u32) {
        loop {
            let received = {
                let pool = self.shared.pool();
                let Some(worker) = pool.workers.get(&number) else { return };
                socket::receive(&worker.socket, RecvFlags::DONTWAIT)
            };
            match received {
                Ok(Some(received)) => self.handle_worker_message(number, received),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Ok(None) | Err(_) => return self.lose_worker(number),
            }
        }
    }

    pub(super) fn handle_worker_message(&mut self, number: u32, received: Received) {
        // The message may be about a run that was added after the commands were last taken.
        self.take_commands();
        match FromWorker::decode(&received.message) {
            Some(FromWorker::Started { run: id, pid }) => {
                self.serve_live(id, |sink, context| {
                    if let Sink::Session(session) = sink {
                        session.started(pid, context);
                        context.shared.pool().session_started(context.id);
                        context.shared.terminals.refill();
                    }
                });
                let Some(run) = self.children.get_mut(&id) else { return };
                if let Some(pidfd) = received.descriptors.into_iter().next() {
                    // Where it cannot be watched, the worker's own report still comes.
                    let _ = self.shared.watch(pidfd.as_fd(), Token::Leader(id));
                    for number in std::mem::take(&mut run.early_signals) {
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

    /// The worker's socket was closed, or sent something that is no message.
    pub(super) fn lose_worker(&mut self, number: u32) {
        let (run, supervised) = {
            let mut pool = self.shared.pool();
            (pool.remove_worker(number), pool.is_supervised(number))
        };
        let Some(id) = run else { return };
        let Some(run) = self.children.get_mut(&id) else { return };
        run.is_worker_lost = true;
        if let Some(leader) = &run.leader {
            kill(leader);
        }
        if supervised {
            self.orphaned.insert(number, id);
            self.shared.pool().timers.add(
                Instant::now() + GIVE_UP_WORKER_AFTER,
                id,
                Due::GiveUpWorker,
            );
        } else {
            // Its worker ended it before it exited, as every worker does when the supervisor is gone.
            self.finish(id, Ending::Lost(failures::supervisor_lost()));
        }
    }

    /// Ends a supervisor that is gone or unresponsive, and finishes the programs that it leaves behind.
    pub(super) fn supervisor_gone(&mut self) {
        let (link, closing, connecting) = {
            let mut pool = self.shared.pool();
            self.shared.set_state_directory(None);
            (pool.unlink(), pool.phase == Phase::Closing, pool.networks.forget_supervisor())
        };
        for request in connecting {
            let result = Err(io::ErrorKind::ConnectionReset.into());
            (self.sink)(Event::Connected { request, result });
        }
        if let Some(link) = link {
            self.shared.unwatch(link.control.as_fd());
            if !self.end_supervisor(link) {
                self.take_commands();
                self.finish_all_unresponsive();
            }
        }
        if closing {
            return self.finish_closing();
        }
        // Programs that were added while there was still a supervisor.
        self.take_commands();
        for id in self.orphaned.drain().map(|(_, run)| run).collect::<Vec<_>>() {
            self.finish(id, Ending::Lost(failures::supervisor_lost()));
        }
        let all: Vec<u64> = self.children.keys().copied().collect();
        for id in all {
            if self.shared.pool().withdraw(id) {
                self.finish(id, Ending::Withdrawn(Some(failures::supervisor_lost())));
            }
        }
    }
}

/// The descriptor that came with a message, or why there is none.
fn descriptor_or_error(descriptors: Vec<OwnedFd>, errno: i32) -> io::Result<OwnedFd> {
    // A descriptor that this process could not open is missing.
    let errno = if errno == 0 { rustix::io::Errno::MFILE.raw_os_error() } else { errno };
    descriptors.into_iter().next().ok_or_else(|| io::Error::from_raw_os_error(errno))
}
