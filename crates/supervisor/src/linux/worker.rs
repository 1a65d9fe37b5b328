//! A worker, which serves one run, session or service at a time. It is used again only when it has no child left.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::time::Duration;

use handrail_supervisor::message::{Done, FromWorker, LimitMet, Process, Stage, ToWorker};
use handrail_supervisor::socket;
use rustix::fs::{Mode, OFlags};
use rustix::net::{RecvFlags, SendFlags};
use rustix::process::{Pid, PidfdFlags};

use super::confine::Confinement;
use super::limits::LimitWatch;
use super::processes;
use super::program::StartFailure;
use super::reaper::{self, KillMethod, Reaper};
use super::reported_calls::ReportedCalls;
use super::signals;
use super::standby::{RunContext, SpawnSlot, Standby, StandbyEnd};
use super::state::{PrivateFolder, RunFolders};

/// The pause until a worker tries again to start a standby, or to reap dead children.
const RETRY_PAUSE: Option<Duration> = Some(Duration::from_millis(100));

pub(crate) struct Worker {
    slot: &'static SpawnSlot,
    supervisor: OwnedFd,
    children: OwnedFd,
    folders: RunFolders,
    method: KillMethod,
    killing: bool,
    calls: ReportedCalls,
    limits: LimitWatch,
}

/// Whether the worker continues to serve.
#[derive(PartialEq, Eq)]
enum NextAction {
    Serve,
    Stop,
}

/// What ended the wait for the start of a program.
enum StartEvent {
    /// The standby, or the program that it became, has ended.
    Ended,
    /// The program of this run has run for long enough to be reported.
    Running(u64),
    /// A process of this run executed the loader of this path by name.
    LoaderRun(Vec<u8>),
    /// The supervisor is gone.
    OwnerGone,
}

/// What ended the wait for the leader.
enum RunEnd {
    LeaderGone,
    KillAsked,
    OwnerGone,
    LimitMet(LimitMet),
    LoaderRun(Vec<u8>),
}

impl Worker {
    pub(crate) fn new(
        host: OwnedFd,
        supervisor: OwnedFd,
        folders: RunFolders,
        confinement: Confinement,
        killing: bool,
    ) -> io::Result<Worker> {
        let method = if confinement.enforcement.atomic_kill {
            KillMethod::Domain
        } else {
            KillMethod::Sweep
        };
        let variable = |name: &[u8], folder: &PrivateFolder| {
            [name, folder.path.as_os_str().as_bytes()].concat()
        };
        let temporary = if confinement.builds_among_temporary_files {
            &folders.build
        } else {
            &folders.temporary
        };
        let context = RunContext {
            host,
            null: rustix::fs::open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?,
            layer: confinement.layer,
            process_limits: confinement.process_limits,
            own_view: confinement.enforcement.namespace,
            shown: confinement.shown,
            layered: confinement.layered,
            home: variable(b"HOME=", &folders.home),
            temporary: variable(b"TMPDIR=", temporary),
            build: confinement.builds.then(|| variable(b"", &folders.build)),
            shell: confinement.shell.map(|shell| shell.into_os_string().into_vec()),
        };
        let children = signals::descriptor(&[libc::SIGCHLD])?;
        let limits = LimitWatch::new(
            confinement.limits,
            confinement.events,
            confinement.own_memory,
            &confinement.enforcement,
        );
        Ok(Worker {
            slot: SpawnSlot::new(context)?,
            supervisor,
            children,
            folders,
            method,
            killing,
            calls: confinement.calls,
            limits,
        })
    }

    /// Serves until the host closes the worker's socket, or the supervisor is gone.
    pub(crate) fn serve(mut self) {
        while self.serve_one() == NextAction::Serve {}
    }

    fn serve_one(&mut self) -> NextAction {
        let standby = match self.slot.start() {
            Ok(standby) => standby,
            Err(error) => return self.refuse_next(&error),
        };
        let mut reaper = Reaper::new(standby.pid);
        self.calls.begin();
        let ended = match self.await_start(&standby, &mut reaper) {
            StartEvent::Ended => RunEnd::LeaderGone,
            StartEvent::Running(run) => self.watch(run, standby.pid, &mut reaper),
            StartEvent::LoaderRun(path) => RunEnd::LoaderRun(path),
            StartEvent::OwnerGone => {
                // The standby may have become a leader just now.
                self.kill_all(standby.pid, &mut reaper);
                return NextAction::Stop;
            }
        };
        match self.slot.resolve() {
            StandbyEnd::Executed(run) => self.finish(run, standby.pid, &ended, reaper),
            StandbyEnd::Failed(run, failure) => self.send(&refusal(run, failure), &[]),
            StandbyEnd::Unused => NextAction::Stop,
        }
    }

    /// Waits until the standby has ended, or its program has run for a few milliseconds. The worker wakes up only for these
    /// events, because the standby uses its memory until then.
    fn await_start(&mut self, standby: &Standby, reaper: &mut Reaper) -> StartEvent {
        let mut judged = Some(standby.pid);
        loop {
            let listener = self.calls.listener().unwrap_or(&self.supervisor);
            let watched = [&self.children, &self.slot.report_timer, listener, &self.supervisor];
            let [children, over, call, supervisor] = reaper::wait_readable(&watched, None);
            if children {
                signals::clear(&self.children);
                reaper.collect();
                self.calls.on_children();
                if let Some(path) = self.loader_run(reaper) {
                    return StartEvent::LoaderRun(path);
                }
                if reaper.status.is_some() {
                    return StartEvent::Ended;
                }
            }
            if call {
                self.calls.on_call(&mut judged);
            }
            if supervisor {
                return StartEvent::OwnerGone;
            }
            if over {
                let [handshake, supervisor] =
                    reaper::wait_readable(&[&standby.handshake, &self.supervisor], None);
                if supervisor {
                    return StartEvent::OwnerGone;
                }
                if handshake && let Some(run) = self.slot.run() {
                    return StartEvent::Running(run);
                }
            }
        }
    }

    /// Refuses the next request, because no standby can be started at the moment.
    fn refuse_next(&self, error: &io::Error) -> NextAction {
        let watched = [self.slot.host(), &self.supervisor];
        let [host, supervisor] = reaper::wait_readable(&watched, RETRY_PAUSE);
        if supervisor {
            return NextAction::Stop;
        }
        if !host {
            return NextAction::Serve;
        }
        let Ok(Some(received)) = socket::receive(self.slot.host(), RecvFlags::empty()) else {
            return NextAction::Stop;
        };
        match ToWorker::decode(&received.message) {
            Some(ToWorker::Terminate { .. } | ToWorker::Kill { .. }) => NextAction::Serve,
            Some(ToWorker::Start(start)) => {
                self.send(&refusal(start.run, StartFailure::from_error(Stage::Fork, error)), &[])
            }
            None => NextAction::Stop,
        }
    }

    fn kill_all(&self, leader: i32, reaper: &mut Reaper) -> Vec<Process> {
        processes::signal(leader, libc::SIGKILL);
        if self.killing { reaper.end_all(self.method, &self.children) } else { Vec::new() }
    }

    /// The path of a loader that one of the processes that have stopped has executed, if that ends the run.
    fn loader_run(&self, reaper: &mut Reaper) -> Option<Vec<u8>> {
        let (pid, path) = self.calls.execs.on_stops(&mut reaper.stops)?;
        if !self.killing {
            processes::signal(pid, libc::SIGKILL);
            return None;
        }
        Some(path)
    }

    /// Waits for the leader's end, and handles the host's requests meanwhile.
    fn watch(&mut self, run: u64, leader: i32, reaper: &mut Reaper) -> RunEnd {
        self.send_started(run, leader);
        self.limits.begin();
        loop {
            let listener = self.calls.listener().unwrap_or(&self.supervisor);
            let watched = [&self.children, self.slot.host(), listener, &self.supervisor];
            let pauses = [self.limits.pause(), self.calls.execs.pause()];
            let pause = pauses.into_iter().flatten().min().filter(|_| self.killing);
            let limit = if reaper.has_unreaped { Some(Duration::ZERO) } else { pause };
            let [children, host, call, supervisor] = reaper::wait_readable(&watched, limit);
            if children || reaper.has_unreaped {
                signals::clear(&self.children);
                reaper.collect_turn();
                self.calls.on_children();
                if let Some(path) = self.loader_run(reaper) {
                    return RunEnd::LoaderRun(path);
                }
                if reaper.status.is_some() {
                    return RunEnd::LeaderGone;
                }
            }
            if call {
                self.calls.on_call(&mut None);
            }
            if supervisor {
                return RunEnd::OwnerGone;
            }
            if self.killing
                && let Some(met) = self.limits.look(&reaper.usage)
            {
                return RunEnd::LimitMet(met);
            }
            if self.killing
                && let Some(path) = self.calls.execs.look()
            {
                return RunEnd::LoaderRun(path);
            }
            if host {
                match socket::receive(self.slot.host(), RecvFlags::empty()) {
                    Ok(Some(received)) => match ToWorker::decode(&received.message) {
                        Some(ToWorker::Terminate { run: asked }) if asked == run => {
                            self.terminate(leader);
                        }
                        Some(ToWorker::Kill { run: asked }) if asked == run => {
                            return RunEnd::KillAsked;
                        }
                        _ => {}
                    },
                    Ok(None) | Err(_) => return RunEnd::OwnerGone,
                }
            }
        }
    }

    fn send_started(&self, run: u64, leader: i32) {
        // The leader is a child of this process that was not reaped, so its process id is still its own.
        let pidfd = Pid::from_raw(leader)
            .and_then(|pid| rustix::process::pidfd_open(pid, PidfdFlags::empty()).ok());
        let Some(pidfd) = pidfd else { return };
        // The host knows the leader by its process id on the host.
        let pid = processes::host_pid_of(pidfd.as_fd()).unwrap_or(leader);
        let message = FromWorker::Started { run, pid };
        // The next wait notices if the host is gone.
        let _ = self.send(&message, &[pidfd.as_fd()]);
    }

    fn terminate(&self, leader: i32) {
        if self.killing {
            reaper::terminate_all(self.method);
        } else {
            processes::signal_group(leader, libc::SIGTERM);
        }
    }

    fn finish(&mut self, run: u64, leader: i32, ended: &RunEnd, mut reaper: Reaper) -> NextAction {
        let mut done = Done { run, ..Done::default() };
        if let RunEnd::LoaderRun(path) = ended {
            done.loader = Some(path.clone());
        }
        let mut next = NextAction::Serve;
        if self.killing && reaper.collect_turn() {
            if matches!(ended, RunEnd::LeaderGone) {
                done.leftovers = processes::describe(&processes::own_living_children());
            }
            done.survivors = reaper.end_all(self.method, &self.children);
            if !done.survivors.is_empty() {
                next = NextAction::Stop;
            }
        } else if !self.killing {
            // This is what other runners do. Tests use it to show why it is not enough.
            processes::signal_group(leader, libc::SIGKILL);
            // Processes that are left would be taken for a part of the next run.
            next = NextAction::Stop;
        }
        if matches!(ended, RunEnd::OwnerGone) {
            return NextAction::Stop;
        }
        // A leader that could not be killed has no status. It is listed as a survivor.
        done.wait_status = reaper.status.unwrap_or(libc::SIGKILL);
        done.user_us = reaper.usage.user_us;
        done.system_us = reaper.usage.system_us;
        done.max_rss_bytes = reaper.usage.max_rss_bytes;
        let concluded = self.limits.conclude(&reaper.usage, done.wait_status);
        done.limit = match *ended {
            RunEnd::LimitMet(met) => Some(met),
            _ => concluded.filter(|_| self.killing),
        };
        let folders_are_untouched = self.folders.are_untouched();
        if done.limit.is_some() {
            // The counters of a control group stay, and would be taken for those of the next run.
            next = NextAction::Stop;
        }
        done.ready = folders_are_untouched && next == NextAction::Serve && !reaper.has_unreaped;
        if self.send(&FromWorker::Done(done), &[]) == NextAction::Stop || next == NextAction::Stop {
            return NextAction::Stop;
        }
        if reaper.has_unreaped {
            // Dead children would be taken for a part of the next run.
            while reaper.collect() {
                let watched = [&self.children, &self.supervisor];
                let [_, supervisor] = reaper::wait_readable(&watched, RETRY_PAUSE);
                if supervisor {
                    return NextAction::Stop;
                }
                signals::clear(&self.children);
            }
        } else if folders_are_untouched {
            // The host receives the message before this process starts the next standby, even with only one processor.
            rustix::thread::sched_yield();
            return NextAction::Serve;
        }
        // A command may have left a hundred thousand files. Neither its result nor the next run waits for their removal.
        match self.folders.clear() {
            Ok(()) => self.send(&FromWorker::Ready { run }, &[]),
            // The folders cannot be used again. The supervisor makes others with another worker.
            Err(_) => NextAction::Stop,
        }
    }

    fn send(&self, message: &FromWorker, descriptors: &[BorrowedFd<'_>]) -> NextAction {
        match socket::send(self.slot.host(), &message.encode(), descriptors, SendFlags::empty()) {
            Ok(()) => NextAction::Serve,
            Err(_) => NextAction::Stop,
        }
    }
}

fn refusal(run: u64, StartFailure { stage, errno }: StartFailure) -> FromWorker {
    FromWorker::Failed { run, stage, errno }
}
