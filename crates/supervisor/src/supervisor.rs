//! The supervisor's own loop: makes workers, notices their end and the host's.

use std::collections::HashMap;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use handrail_supervisor::PROTOCOL_VERSION;
use handrail_supervisor::message::{Enforcement, FromSupervisor, Process, ToSupervisor};
use handrail_supervisor::socket;
use rustix::fs::{Mode, OFlags};
use rustix::net::{RecvFlags, SendFlags};

use crate::confine;
use crate::reaper::{self, Means, Reaper};
use crate::signals;
use crate::state::{self, Folders};
use crate::worker::Worker;

/// How long workers get to end their runs before the supervisor does it itself.
const WORKER_EXIT_LIMIT: Duration = Duration::from_millis(950);
/// How long a new worker may take to set itself up.
const WORKER_START_LIMIT: Duration = Duration::from_secs(10);

struct Supervisor {
    control: OwnedFd,
    host: OwnedFd,
    signals: OwnedFd,
    state_directory: PathBuf,
    killing: bool,
    confine: bool,
    workers: HashMap<i32, WorkerHandle>,
    next_worker: u32,
}

struct WorkerHandle {
    number: u32,
    /// Closed to tell the worker that its supervisor is gone.
    leash: OwnedFd,
    folders: Folders,
}

/// Serves the host on standard input until one of both ends.
pub(crate) fn serve() -> io::Result<()> {
    signals::reset_actions();
    confine::become_opaque()?;
    confine::forbid_core_files()?;
    // Out of the host's process group, so that a Ctrl-C meant for the host does not hit us.
    let _ = rustix::process::setsid();
    let control = rustix::io::fcntl_dupfd_cloexec(io::stdin(), 3)?;
    let null = rustix::fs::open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
    rustix::stdio::dup2_stdin(&null)?;
    let Some(hello) = socket::receive(&control, RecvFlags::empty())? else { return Ok(()) };
    let Some(ToSupervisor::Hello { version, state_directory, first_worker, killing, confine }) =
        ToSupervisor::decode(&hello.message)
    else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    let Some(host) = hello.descriptors.into_iter().next() else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    if version != PROTOCOL_VERSION {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    if killing {
        confine::become_subreaper()?;
    }
    let signals = signals::descriptor(&[libc::SIGCHLD, libc::SIGTERM, libc::SIGINT, libc::SIGHUP])?;
    let state_directory = PathBuf::from(std::ffi::OsString::from_vec(state_directory));
    let mut supervisor = Supervisor {
        control,
        host,
        signals,
        state_directory,
        killing,
        confine,
        workers: HashMap::new(),
        next_worker: first_worker,
    };
    let result = supervisor.first_worker().and_then(|()| supervisor.watch());
    supervisor.end();
    result
}

impl Supervisor {
    fn first_worker(&mut self) -> io::Result<()> {
        let made = self.make_worker()?;
        let ready = FromSupervisor::Ready {
            version: PROTOCOL_VERSION,
            enforcement: made.enforcement.clone(),
        };
        socket::send(&self.control, &ready.encode(), &[], SendFlags::empty())?;
        self.hand_over(&made)
    }

    /// Until the host is gone, says so, or we are told to end.
    fn watch(&mut self) -> io::Result<()> {
        loop {
            let watched = [&self.control, &self.host, &self.signals];
            let [control, host, pending] = reaper::wait_readable(&watched, None);
            if pending && !self.handle_signals()? {
                return Ok(());
            }
            if host {
                return Ok(());
            }
            if !control {
                continue;
            }
            let Some(received) = socket::receive(&self.control, RecvFlags::empty())? else {
                return Ok(());
            };
            match ToSupervisor::decode(&received.message) {
                Some(ToSupervisor::MoreWorkers(count)) => {
                    for _ in 0..count {
                        self.add_worker()?;
                    }
                }
                Some(ToSupervisor::Shutdown) => return Ok(()),
                Some(ToSupervisor::Hello { .. }) | None => {
                    return Err(io::ErrorKind::InvalidData.into());
                }
            }
        }
    }

    fn add_worker(&mut self) -> io::Result<()> {
        match self.make_worker() {
            Ok(made) => self.hand_over(&made),
            Err(error) => {
                let errno = error.raw_os_error().unwrap_or(libc::EIO);
                let message = FromSupervisor::WorkerFailed { errno };
                socket::send(&self.control, &message.encode(), &[], SendFlags::empty())
            }
        }
    }

    fn hand_over(&self, made: &Made) -> io::Result<()> {
        let message = FromSupervisor::Worker { worker: made.number, pid: made.pid };
        let descriptors = [made.socket.as_fd(), made.pidfd.as_fd()];
        socket::send(&self.control, &message.encode(), &descriptors, SendFlags::empty())
    }

    fn make_worker(&mut self) -> io::Result<Made> {
        let number = self.next_worker;
        self.next_worker += 1;
        let folders = Folders::create(&self.state_directory, number)?;
        let (socket, worker_socket) = socket::pair()?;
        let (leash, worker_leash) = socket::pair()?;
        // SAFETY: this process has one thread.
        let pid = unsafe { libc::fork() };
        if pid < 0 {
            return Err(io::Error::last_os_error());
        }
        if pid == 0 {
            let code = i32::from(self.become_worker(worker_socket, worker_leash, folders).is_err());
            // SAFETY: ends the worker without running anything of the supervisor's.
            unsafe { libc::_exit(code) }
        }
        drop((worker_socket, worker_leash));
        let pidfd = open_pidfd(pid);
        self.workers.insert(pid, WorkerHandle { number, leash, folders });
        let enforcement = self.await_report(pid)?;
        Ok(Made { number, pid, socket, pidfd: pidfd?, enforcement })
    }

    /// The worker's report is its first message on the leash.
    fn await_report(&self, pid: i32) -> io::Result<Enforcement> {
        let handle = self.workers.get(&pid).ok_or(io::ErrorKind::NotFound)?;
        let [readable] = reaper::wait_readable(&[&handle.leash], Some(WORKER_START_LIMIT));
        if readable
            && let Some(received) = socket::receive(&handle.leash, RecvFlags::empty())?
            && let Some(FromSupervisor::Ready { enforcement, .. }) =
                FromSupervisor::decode(&received.message)
        {
            return Ok(enforcement);
        }
        Err(io::ErrorKind::BrokenPipe.into())
    }

    /// In the forked child: from here on this process is a worker.
    fn become_worker(&self, host: OwnedFd, leash: OwnedFd, folders: Folders) -> io::Result<()> {
        let supervisor = rustix::process::getppid().map_or(0, |pid| pid.as_raw_nonzero().get());
        close_all_but([host.as_raw_fd(), leash.as_raw_fd()])?;
        // Before anything that can fail or adopt: a worker without this would lose its orphans.
        if self.killing {
            confine::become_subreaper()?;
        }
        let confinement = confine::install(supervisor, self.confine)?;
        let report = FromSupervisor::Ready {
            version: PROTOCOL_VERSION,
            enforcement: confinement.enforcement.clone(),
        };
        socket::send(&leash, &report.encode(), &[], SendFlags::empty())?;
        Worker::new(host, leash, folders, confinement, self.killing)?.serve();
        Ok(())
    }

    /// False when one of them asks us to end.
    fn handle_signals(&mut self) -> io::Result<bool> {
        let pending = signals::drain(&self.signals);
        for gone in self.reap() {
            socket::send(&self.control, &gone.encode(), &[], SendFlags::empty())?;
        }
        Ok(pending.iter().all(|&signal| signal == libc::SIGCHLD))
    }

    /// Buries dead workers. What they leave comes to us, and since living workers keep their own,
    /// every child that is no worker belongs to a dead one.
    fn reap(&mut self) -> Vec<FromSupervisor> {
        let mut gone = Vec::new();
        loop {
            // SAFETY: a null status pointer is allowed.
            let pid = unsafe { libc::waitpid(-1, std::ptr::null_mut(), libc::WNOHANG) };
            if pid <= 0 {
                break;
            }
            if let Some(handle) = self.workers.remove(&pid) {
                gone.push(handle);
            }
        }
        if gone.is_empty() {
            return Vec::new();
        }
        let survivors = self.sweep_orphans();
        gone.into_iter()
            .map(|handle| {
                handle.folders.remove();
                let survivors = survivors.clone();
                FromSupervisor::WorkerGone { worker: handle.number, survivors }
            })
            .collect()
    }

    fn sweep_orphans(&self) -> Vec<Process> {
        if !self.killing {
            return Vec::new();
        }
        let deadline = Instant::now() + WORKER_EXIT_LIMIT;
        loop {
            let orphans: Vec<i32> = crate::processes::own_children()
                .into_iter()
                .filter(|pid| !self.workers.contains_key(pid))
                .collect();
            if orphans.is_empty() {
                return Vec::new();
            }
            if Instant::now() >= deadline {
                return crate::processes::describe(&orphans);
            }
            for &pid in &orphans {
                crate::processes::signal(pid, libc::SIGKILL);
                // SAFETY: a null status pointer is allowed.
                unsafe { libc::waitpid(pid, std::ptr::null_mut(), libc::WNOHANG) };
            }
            reaper::wait_readable(&[], Some(Duration::from_micros(200)));
        }
    }

    /// Lets the workers end their runs, ends what they could not, removes the state directory.
    fn end(mut self) {
        let pids: Vec<i32> = self.workers.keys().copied().collect();
        let mut folders = Vec::new();
        for handle in std::mem::take(&mut self.workers).into_values() {
            drop(handle.leash);
            folders.push(handle.folders);
        }
        if self.killing {
            let deadline = Instant::now() + WORKER_EXIT_LIMIT;
            let mut left = pids;
            while !left.is_empty() && Instant::now() < deadline {
                // SAFETY: a null status pointer is allowed.
                left.retain(|&pid| unsafe {
                    libc::waitpid(pid, std::ptr::null_mut(), libc::WNOHANG) == 0
                });
                if !left.is_empty() {
                    reaper::wait_readable(&[&self.signals], Some(Duration::from_millis(5)));
                    signals::drain(&self.signals);
                }
            }
            Reaper::new(0).end_all(Means::Sweep, &self.signals);
        }
        state::remove(Path::new(&self.state_directory));
    }
}

struct Made {
    number: u32,
    pid: i32,
    socket: OwnedFd,
    pidfd: OwnedFd,
    enforcement: Enforcement,
}

fn open_pidfd(pid: i32) -> io::Result<OwnedFd> {
    let pid = rustix::process::Pid::from_raw(pid).ok_or(io::ErrorKind::InvalidInput)?;
    Ok(rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty())?)
}

/// Closes everything from 3 on except these two: sockets of other workers among them, whose end
/// would not be noticed while a copy is open here.
fn close_all_but(mut kept: [RawFd; 2]) -> io::Result<()> {
    kept.sort_unstable();
    let [low, high] = kept.map(RawFd::cast_unsigned);
    for (first, last) in [(3, low - 1), (low + 1, high - 1), (high + 1, u32::MAX)] {
        if first > last {
            continue;
        }
        // SAFETY: this process is a fresh worker; nothing it goes on to use lies in the range.
        if unsafe { libc::syscall(libc::SYS_close_range, first, last, 0_u32) } == -1 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}
