//! A worker: serves one run, session or service at a time, and returns to its pool only with no
//! child left.

use std::ffi::CString;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::time::Duration;

use handrail_supervisor::message::{Done, FromWorker, Kind, Stage, Start, ToWorker};
use handrail_supervisor::socket::{self, Received};
use rustix::fs::{Mode, OFlags};
use rustix::net::{RecvFlags, SendFlags};

use crate::child::{self, Leader, Program, Refused, Stack};
use crate::confine::Confinement;
use crate::processes;
use crate::reaper::{self, Means, Reaper};
use crate::signals;
use crate::state::Folders;

/// A program that ends sooner is reported with one message instead of two; until then the host
/// has no pidfd of it, and needs none.
const FIRST_MOMENT: Duration = Duration::from_millis(3);

pub(crate) struct Worker {
    host: OwnedFd,
    supervisor: OwnedFd,
    children: OwnedFd,
    null: OwnedFd,
    folders: Folders,
    layer: Option<OwnedFd>,
    means: Means,
    killing: bool,
    stack: Stack,
}

/// Whether the worker goes on.
#[derive(PartialEq, Eq)]
enum Next {
    Serve,
    Stop,
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
        Ok(Worker {
            host,
            supervisor,
            children: signals::descriptor(&[libc::SIGCHLD])?,
            null: rustix::fs::open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?,
            folders,
            layer: confinement.layer,
            means,
            killing,
            stack: Stack::new(),
        })
    }

    /// Serves until the host lets go of this worker, or the supervisor is gone.
    pub(crate) fn serve(mut self) {
        loop {
            let [host, supervisor] = reaper::wait_readable(&[&self.host, &self.supervisor], None);
            if supervisor {
                return;
            }
            if !host {
                continue;
            }
            let next = match socket::receive(&self.host, RecvFlags::empty()) {
                Ok(Some(received)) => self.answer(received),
                Ok(None) | Err(_) => Next::Stop,
            };
            if next == Next::Stop {
                return;
            }
        }
    }

    fn answer(&mut self, received: Received) -> Next {
        match ToWorker::decode(&received.message) {
            // A late word about a run that is over.
            Some(ToWorker::Terminate { .. } | ToWorker::Kill { .. }) => Next::Serve,
            Some(ToWorker::Start(start)) if received.descriptors.len() == start.descriptors() => {
                self.run(&start, received.descriptors)
            }
            Some(ToWorker::Start(start)) => {
                self.say(&refusal(start.run, Stage::Request, libc::EINVAL), &[])
            }
            None => Next::Stop,
        }
    }

    fn run(&mut self, start: &Start, descriptors: Vec<OwnedFd>) -> Next {
        let started = self.start(start, &descriptors);
        // The pipes must have no writer but the run, or their end would never be seen.
        drop(descriptors);
        let leader = match started {
            Ok(leader) => leader,
            Err(Refused { stage, errno }) => {
                return self.say(&refusal(start.run, stage, errno), &[]);
            }
        };
        let mut reaper = Reaper::new(leader.pid);
        let ended = self.watch(start.run, &leader, &mut reaper);
        self.finish(start.run, &leader, &ended, reaper)
    }

    fn start(&mut self, start: &Start, descriptors: &[OwnedFd]) -> Result<Leader, Refused> {
        let refused = |errno| Refused { stage: Stage::Request, errno };
        let strings = |list: &[Vec<u8>]| -> Result<Vec<CString>, Refused> {
            list.iter()
                .map(|bytes| CString::new(bytes.as_slice()).map_err(|_| refused(libc::EINVAL)))
                .collect()
        };
        let arguments = strings(&start.arguments)?;
        let mut environment = strings(&start.environment)?;
        let folder = |name: &[u8], path: &std::path::Path| {
            CString::new([name, path.as_os_str().as_bytes()].concat())
                .map_err(|_| refused(libc::EINVAL))
        };
        if !environment.iter().any(|entry| entry.as_bytes().starts_with(b"TMPDIR=")) {
            environment.push(folder(b"TMPDIR=", &self.folders.temporary.path)?);
        }
        if start.private_home {
            environment.push(folder(b"HOME=", &self.folders.home.path)?);
        }
        let [executable, directory, stdout, optional @ ..] = descriptors else {
            return Err(refused(libc::EBADF));
        };
        let mut optional = optional.iter().map(AsFd::as_fd);
        let stderr =
            if start.separate_stderr { optional.next() } else { None }.unwrap_or(stdout.as_fd());
        let stdin = if start.stdin { optional.next() } else { None }.unwrap_or(self.null.as_fd());
        let program = Program {
            executable: executable.as_fd(),
            directory: directory.as_fd(),
            streams: [stdin, stdout.as_fd(), stderr],
            arguments: &arguments,
            environment: &environment,
            layer: self.layer.as_ref().map(AsFd::as_fd),
            terminal: start.kind == Kind::Session,
        };
        child::start(&program, &mut self.stack)
    }

    /// Waits for the leader's end, obeying the host meanwhile.
    fn watch(&self, run: u64, leader: &Leader, reaper: &mut Reaper) -> Ended {
        let mut first_moment = Some(FIRST_MOMENT);
        loop {
            let watched = [&self.children, &self.host, &self.supervisor];
            let [children, host, supervisor] = reaper::wait_readable(&watched, first_moment);
            if children {
                signals::drain(&self.children);
                reaper.collect();
                if reaper.status.is_some() {
                    return Ended::LeaderGone;
                }
            }
            if supervisor {
                return Ended::OwnerGone;
            }
            if host {
                match socket::receive(&self.host, RecvFlags::empty()) {
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
            } else if first_moment.take().is_some() {
                let message = FromWorker::Started { run, pid: leader.pid };
                // A host that is gone is seen by the next wait.
                let _ = self.say(&message, &[leader.pidfd.as_fd()]);
            }
        }
    }

    fn terminate(&self, leader: &Leader) {
        if self.killing {
            reaper::terminate_all(self.means);
        } else {
            processes::signal_group(leader.pid, libc::SIGTERM);
        }
    }

    fn finish(&mut self, run: u64, leader: &Leader, ended: &Ended, mut reaper: Reaper) -> Next {
        let mut done = Done { run, ..Done::default() };
        let mut next = Next::Serve;
        if self.killing && reaper.collect() {
            if matches!(ended, Ended::LeaderGone) {
                done.leftovers = processes::describe(&processes::own_children());
            }
            done.survivors = reaper.end_all(self.means, &self.children);
            if !done.survivors.is_empty() {
                next = Next::Stop;
            }
        } else if !self.killing {
            // What other runners do, for tests that show why it is not enough.
            processes::signal_group(leader.pid, libc::SIGKILL);
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
        done.ready = clean && next == Next::Serve;
        if self.say(&FromWorker::Done(done), &[]) == Next::Stop || next == Next::Stop {
            return Next::Stop;
        }
        if clean {
            return Next::Serve;
        }
        // A command may have left a hundred thousand files: its result does not wait for that, and
        // neither does the next run.
        match self.folders.clear() {
            Ok(()) => self.say(&FromWorker::Ready { run }, &[]),
            Err(_) => Next::Stop,
        }
    }

    fn say(&self, message: &FromWorker, descriptors: &[BorrowedFd<'_>]) -> Next {
        match socket::send(&self.host, &message.encode(), descriptors, SendFlags::empty()) {
            Ok(()) => Next::Serve,
            Err(_) => Next::Stop,
        }
    }
}

fn refusal(run: u64, stage: Stage, errno: i32) -> FromWorker {
    FromWorker::Failed { run, stage, errno }
}
