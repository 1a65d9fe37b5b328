//! A worker: serves one run, session or service at a time, and returns to its pool only with no
//! child left.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::time::Duration;

use handrail_supervisor::message::{Done, FromWorker, Process, Stage, ToWorker};
use handrail_supervisor::socket;
use rustix::fs::{Mode, OFlags};
use rustix::net::{RecvFlags, SendFlags};
use rustix::process::{Pid, PidfdFlags};

use crate::confine::Confinement;
use crate::processes;
use crate::program::Refused;
use crate::reaper::{self, Means, Reaper};
use crate::signals;
use crate::standby::{Desk, Settled, Standby, Supplies};
use crate::state::{Folders, Private};

/// How often a worker that could not start a standby tries again.
const START_AGAIN: Option<Duration> = Some(Duration::from_millis(100));

pub(crate) struct Worker {
    desk: &'static Desk,
    supervisor: OwnedFd,
    children: OwnedFd,
    folders: Folders,
    means: Means,
    killing: bool,
}

/// Whether the worker goes on.
#[derive(PartialEq, Eq)]
enum Next {
    Serve,
    Stop,
}

/// How waiting for the first moment's end ended.
enum First {
    /// Nothing ran that long.
    Ended,
    /// This run's program goes on.
    Over(u64),
    OwnerGone,
}

/// Why waiting for the leader ended.
enum Ended {
    LeaderGone,
    KillAsked,
    OwnerGone,
}

impl Worker {
    pub(crate) fn new(
        host: OwnedFd,
        supervisor: OwnedFd,
        folders: Folders,
        confinement: Confinement,
        killing: bool,
    ) -> io::Result<Worker> {
        let means = if confinement.enforcement.atomic_kill { Means::Domain } else { Means::Sweep };
        let variable =
            |name: &[u8], folder: &Private| [name, folder.path.as_os_str().as_bytes()].concat();
        let supplies = Supplies {
            host,
            null: rustix::fs::open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?,
            layer: confinement.layer,
            descriptors: confinement.descriptors,
            own_view: confinement.enforcement.namespace,
            home: variable(b"HOME=", &folders.home),
            temporary: variable(b"TMPDIR=", &folders.temporary),
        };
        let children = signals::descriptor(&[libc::SIGCHLD])?;
        Ok(Worker { desk: Desk::new(supplies)?, supervisor, children, folders, means, killing })
    }

    /// Serves until the host lets go of this worker, or the supervisor is gone.
    pub(crate) fn serve(mut self) {
        while self.serve_one() == Next::Serve {}
    }

    fn serve_one(&mut self) -> Next {
        let standby = match self.desk.start() {
            Ok(standby) => standby,
            Err(error) => return self.refuse_next(&error),
        };
        let mut reaper = Reaper::new(standby.pid);
        let ended = match self.await_first_moment(&standby, &mut reaper) {
            First::Ended => Ended::LeaderGone,
            First::Over(run) => self.watch(run, standby.pid, &mut reaper),
            First::OwnerGone => {
                // It may have become a leader this very moment.
                self.kill_all(standby.pid, &mut reaper);
                return Next::Stop;
            }
        };
        match self.desk.settle() {
            Settled::Executed(run) => self.finish(run, standby.pid, &ended, reaper),
            Settled::Refused(run, refused) => self.say(&refusal(run, refused), &[]),
            Settled::Unused => Next::Stop,
        }
    }

    /// Until the standby has ended, or its program has outlived its first moment. Awake only for
    /// these: until the standby has settled, this process's memory is its.
    fn await_first_moment(&self, standby: &Standby, reaper: &mut Reaper) -> First {
        loop {
            let watched = [&self.children, &self.desk.first_moment, &self.supervisor];
            let [children, over, supervisor] = reaper::wait_readable(&watched, None);
            if children {
                signals::clear(&self.children);
                reaper.collect();
                if reaper.status.is_some() {
                    return First::Ended;
                }
            }
            if supervisor {
                return First::OwnerGone;
            }
            if over {
                let [settled, supervisor] =
                    reaper::wait_readable(&[&standby.settled, &self.supervisor], None);
                if supervisor {
                    return First::OwnerGone;
                }
                if settled && let Some(run) = self.desk.run() {
                    return First::Over(run);
                }
            }
        }
    }

    /// There can be no standby at the moment: a request that comes is refused.
    fn refuse_next(&self, error: &io::Error) -> Next {
        let watched = [self.desk.host(), &self.supervisor];
        let [host, supervisor] = reaper::wait_readable(&watched, START_AGAIN);
        if supervisor {
            return Next::Stop;
        }
        if !host {
            return Next::Serve;
        }
        let Ok(Some(received)) = socket::receive(self.desk.host(), RecvFlags::empty()) else {
            return Next::Stop;
        };
        match ToWorker::decode(&received.message) {
            Some(ToWorker::Terminate { .. } | ToWorker::Kill { .. }) => Next::Serve,
            Some(ToWorker::Start(start)) => {
                self.say(&refusal(start.run, Refused::from_error(Stage::Fork, error)), &[])
            }
            None => Next::Stop,
        }
    }

    fn kill_all(&self, leader: i32, reaper: &mut Reaper) -> Vec<Process> {
        processes::signal(leader, libc::SIGKILL);
        if self.killing { reaper.end_all(self.means, &self.children) } else { Vec::new() }
    }

    /// Waits for the leader's end, obeying the host meanwhile.
    fn watch(&self, run: u64, leader: i32, reaper: &mut Reaper) -> Ended {
        self.say_started(run, leader);
        loop {
            let watched = [&self.children, self.desk.host(), &self.supervisor];
            let limit = reaper.is_late.then_some(Duration::ZERO);
            let [children, host, supervisor] = reaper::wait_readable(&watched, limit);
            if children || reaper.is_late {
                signals::clear(&self.children);
                reaper.collect_turn();
                if reaper.status.is_some() {
                    return Ended::LeaderGone;
                }
            }
            if supervisor {
                return Ended::OwnerGone;
            }
            if host {
                match socket::receive(self.desk.host(), RecvFlags::empty()) {
                    Ok(Some(received)) => match ToWorker::decode(&received.message) {
                        Some(ToWorker::Terminate { run: asked }) if asked == run => {
                            self.terminate(leader);
                        }
                        Some(ToWorker::Kill { run: asked }) if asked == run => {
                            return Ended::KillAsked;
                        }
                        _ => {}
                    },
                    Ok(None) | Err(_) => return Ended::OwnerGone,
                }
            }
        }
    }

    fn say_started(&self, run: u64, leader: i32) {
        // It is our child and not waited for: the number is still its own.
        let pidfd = Pid::from_raw(leader)
            .and_then(|pid| rustix::process::pidfd_open(pid, PidfdFlags::empty()).ok());
        let Some(pidfd) = pidfd else { return };
        // The host knows it by the number it has there.
        let pid = processes::shown(pidfd.as_fd()).unwrap_or(leader);
        let message = FromWorker::Started { run, pid };
        // A host that is gone is seen by the next wait.
        let _ = self.say(&message, &[pidfd.as_fd()]);
    }

    fn terminate(&self, leader: i32) {
        if self.killing {
            reaper::terminate_all(self.means);
        } else {
            processes::signal_group(leader, libc::SIGTERM);
        }
    }

    fn finish(&mut self, run: u64, leader: i32, ended: &Ended, mut reaper: Reaper) -> Next {
        let mut done = Done { run, ..Done::default() };
        let mut next = Next::Serve;
        if self.killing && reaper.collect_turn() {
            if matches!(ended, Ended::LeaderGone) {
                done.leftovers = processes::describe(&processes::own_living_children());
            }
            done.survivors = reaper.end_all(self.means, &self.children);
            if !done.survivors.is_empty() {
                next = Next::Stop;
            }
        } else if !self.killing {
            // What other runners do, for tests that show why it is not enough.
            processes::signal_group(leader, libc::SIGKILL);
            // Whatever is left would be taken for a part of the next run.
            next = Next::Stop;
        }
        if matches!(ended, Ended::OwnerGone) {
            return Next::Stop;
        }
        // A leader that could not be killed has no status; it is listed as a survivor.
        done.wait_status = reaper.status.unwrap_or(libc::SIGKILL);
        done.user_us = reaper.usage.user_us;
        done.system_us = reaper.usage.system_us;
        done.max_rss_bytes = reaper.usage.max_rss_bytes;
        let clean = self.folders.are_untouched();
        done.ready = clean && next == Next::Serve && !reaper.is_late;
        if self.say(&FromWorker::Done(done), &[]) == Next::Stop || next == Next::Stop {
            return Next::Stop;
        }
        if reaper.is_late {
            // They would be taken for a part of the next run.
            while reaper.collect() {
                let watched = [&self.children, &self.supervisor];
                let [_, supervisor] = reaper::wait_readable(&watched, START_AGAIN);
                if supervisor {
                    return Next::Stop;
                }
                signals::clear(&self.children);
            }
        } else if clean {
            // The host hears it before this process starts the next standby, also on one processor.
            rustix::thread::sched_yield();
            return Next::Serve;
        }
        // A command may have left a hundred thousand files: its result does not wait for that, and
        // neither does the next run.
        match self.folders.clear() {
            Ok(()) => self.say(&FromWorker::Ready { run }, &[]),
            // They are not what they were: the supervisor makes others, with another worker.
            Err(_) => Next::Stop,
        }
    }

    fn say(&self, message: &FromWorker, descriptors: &[BorrowedFd<'_>]) -> Next {
        match socket::send(self.desk.host(), &message.encode(), descriptors, SendFlags::empty()) {
            Ok(()) => Next::Serve,
            Err(_) => Next::Stop,
        }
    }
}

fn refusal(run: u64, Refused { stage, errno }: Refused) -> FromWorker {
    FromWorker::Failed { run, stage, errno }
}
