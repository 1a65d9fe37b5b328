//! Making a worker: sockets, fork, and its first report.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::Path;
use std::time::{Duration, Instant};

use handrail_supervisor::message::{Enforcement, FromSupervisor, Plan};
use handrail_supervisor::socket;
use rustix::event::PollFlags;
use rustix::net::{RecvFlags, SendFlags};

use crate::confine;
use crate::descriptors;
use crate::namespace::MEMORY;
use crate::processes;
use crate::reaper;
use crate::state::{Folders, WorkerFolder};
use crate::worker::Worker;

/// How long a new worker may take to set itself up.
const WORKER_START_LIMIT: Duration = Duration::from_secs(10);
/// The host ended while a worker was being made: no failure of the worker's.
pub(crate) const HOST_GONE: io::ErrorKind = io::ErrorKind::ConnectionAborted;

/// What a new worker is to be.
#[derive(Clone, Copy)]
pub(crate) struct Mode<'a> {
    pub(crate) killing: bool,
    /// What it holds its commands to; `None` for nothing.
    pub(crate) plan: Option<&'a Plan>,
    /// Where its view of the file system comes from, if it is to have one.
    pub(crate) view: Option<&'a OwnedFd>,
    /// Whether it has its processes to itself, with that.
    pub(crate) own_processes: bool,
    /// Whether system calls may be filtered.
    pub(crate) filters: bool,
}

/// A worker that has been forked and may not be ready yet.
pub(crate) struct Forked {
    pub(crate) pid: i32,
    /// The host's end.
    pub(crate) socket: OwnedFd,
    /// Closed to tell the worker that its supervisor is gone.
    pub(crate) leash: OwnedFd,
}

pub(crate) fn fork_worker(folder: &WorkerFolder, mode: Mode<'_>) -> io::Result<Forked> {
    let (socket, worker_socket) = socket::pair()?;
    let (leash, worker_leash) = socket::pair()?;
    // SAFETY: this process has one thread.
    let pid = unsafe { libc::fork() };
    if pid < 0 {
        return Err(io::Error::last_os_error());
    }
    if pid == 0 {
        let code = i32::from(become_worker(worker_socket, worker_leash, folder, mode).is_err());
        // SAFETY: ends the worker without running anything of the supervisor's.
        unsafe { libc::_exit(code) }
    }
    Ok(Forked { pid, socket, leash })
}

/// In the forked child: from here on this process is a worker.
fn become_worker(
    host: OwnedFd,
    leash: OwnedFd,
    folder: &WorkerFolder,
    mode: Mode<'_>,
) -> io::Result<()> {
    let supervisor = rustix::process::getppid().map_or(0, |pid| pid.as_raw_nonzero().get());
    let [above, own] = folder.descriptors();
    let Mode { plan, view, own_processes, filters, .. } = mode;
    let mut kept = vec![host.as_raw_fd(), leash.as_raw_fd(), above, own];
    kept.extend(view.map(AsRawFd::as_raw_fd));
    descriptors::close_all_but(&mut kept)?;
    // Before anything that can fail or adopt: a worker without this would lose its orphans.
    if mode.killing {
        confine::become_subreaper()?;
    }
    let mut folders = Folders::open(folder)?;
    let own = folder.path();
    let surroundings = confine::Surroundings { supervisor, own, view, own_processes, filters };
    let confinement = confine::install(plan, &surroundings)?;
    if confinement.own_memory {
        folders.add_memory(Path::new(MEMORY))?;
    }
    if confinement.enforcement.namespace {
        folders.add_keys();
    }
    // Its numbers are the supervisor's to say, but for one that it does not know.
    let enforcement = confinement.enforcement.clone();
    let pid = processes::shown_id().unwrap_or(0);
    let report = FromSupervisor::Worker { worker: 0, plan: 0, pid, enforcement };
    socket::send(&leash, &report.encode(), &[], SendFlags::empty())?;
    Worker::new(host, leash, folders, confinement, mode.killing)?.serve();
    Ok(())
}

/// The worker's report is its first message on the leash. Whoever waits for it has everything else
/// of the host's to end, so the host's own end ends the waiting.
///
/// Gives the number it has now, and what it has installed.
///
/// # Errors
/// [`HOST_GONE`] when the host has ended or hung up; otherwise the worker is of no use.
pub(crate) fn await_report(
    leash: &OwnedFd,
    host: &OwnedFd,
    control: &OwnedFd,
) -> io::Result<(i32, Enforcement)> {
    let deadline = Instant::now() + WORKER_START_LIMIT;
    // Requests on the control socket wait; only its end matters here.
    let watched = [(leash, PollFlags::IN), (host, PollFlags::IN), (control, PollFlags::RDHUP)];
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let [reported, host_ended, hung_up] = reaper::wait_for(&watched, Some(left));
        if host_ended || hung_up {
            return Err(HOST_GONE.into());
        }
        if reported {
            let received = socket::receive(leash, RecvFlags::empty())?;
            return match received.and_then(|received| FromSupervisor::decode(&received.message)) {
                Some(FromSupervisor::Worker { pid, enforcement, .. }) => Ok((pid, enforcement)),
                _ => Err(io::ErrorKind::BrokenPipe.into()),
            };
        }
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
    }
}

#[cfg(test)]
mod tests;
