//! Making a worker: its sockets, the fork, and the worker's first report.

use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::path::Path;
use std::time::{Duration, Instant};

use handrail_supervisor::control_groups::WorkerGroup;
use handrail_supervisor::message::{Enforcement, FromSupervisor, Plan};
use handrail_supervisor::socket;
use rustix::event::PollFlags;
use rustix::net::{RecvFlags, SendFlags};

use super::confine;
use super::descriptors;
use super::namespace::{SHARED_MEMORY_FOLDER, TEMPORARY_FOLDER};
use super::network::Network;
use super::processes;
use super::reaper;
use super::seccomp::Filtering;
use super::state::{RunFolders, WorkerFolder};
use super::syscall;
use super::worker::Worker;

/// How long a new worker may take until it reports that it is ready.
const MAX_WORKER_START_TIME: Duration = Duration::from_secs(10);
/// The error of a worker that was not made because the host has ended. The worker itself did not fail.
pub(crate) const HOST_GONE_ERROR: io::ErrorKind = io::ErrorKind::ConnectionAborted;

/// How a new worker is set up.
#[derive(Clone, Copy)]
pub(crate) struct Mode<'a> {
    /// Whether it kills the processes that a run leaves.
    pub(crate) killing: bool,
    /// The plan that limits its commands. `None` limits nothing.
    pub(crate) plan: Option<&'a Plan>,
    /// The socket that its view of the file system comes from, if it has a view.
    pub(crate) view: Option<&'a OwnedFd>,
    /// Whether it is the first process of a PID namespace. That needs a view.
    pub(crate) own_processes: bool,
    /// The network namespace that it enters, if it has one and a view.
    pub(crate) network: Option<&'a Network>,
    /// Which system calls it may filter.
    pub(crate) filtering: Filtering,
    /// The control group that it enters, if there is one.
    pub(crate) group: Option<&'a WorkerGroup>,
}

/// A worker that has been forked and has not reported yet.
pub(crate) struct ForkedWorker {
    pub(crate) pid: i32,
    /// The host's end of the worker's socket.
    pub(crate) socket: OwnedFd,
    /// The lifeline: when this end closes, the worker knows that its supervisor is gone.
    pub(crate) lifeline: OwnedFd,
}

pub(crate) fn fork_worker(folder: &WorkerFolder, mode: Mode<'_>) -> io::Result<ForkedWorker> {
    let (socket, worker_socket) = socket::pair()?;
    let (lifeline, worker_lifeline) = socket::pair()?;
    let pid = syscall::fork(|| become_worker(worker_socket, worker_lifeline, folder, mode))?;
    Ok(ForkedWorker { pid, socket, lifeline })
}

/// Turns the forked child into a worker, and serves until the worker ends.
fn become_worker(
    host: OwnedFd,
    lifeline: OwnedFd,
    folder: &WorkerFolder,
    mode: Mode<'_>,
) -> io::Result<()> {
    let supervisor = rustix::process::getppid().map_or(0, |pid| pid.as_raw_nonzero().get());
    let [above, own] = folder.descriptors();
    let Mode { plan, view, own_processes, network, filtering, group, .. } = mode;
    let mut kept = vec![host.as_raw_fd(), lifeline.as_raw_fd(), above, own];
    kept.extend(view.map(AsRawFd::as_raw_fd));
    kept.extend(network.into_iter().flat_map(Network::descriptors));
    descriptors::close_all_but(&mut kept)?;
    // This comes before anything that can fail or fork: a worker that is no subreaper would lose its orphans.
    if mode.killing {
        confine::become_subreaper()?;
    }
    let mut folders = RunFolders::open(folder)?;
    let own = folder.path();
    let setup =
        confine::WorkerSetup { supervisor, own, view, own_processes, network, filtering, group };
    let confinement = confine::install(plan, &setup)?;
    if confinement.own_memory {
        folders.add_mounted(Path::new(SHARED_MEMORY_FOLDER))?;
    }
    if confinement.enforcement.own_temporary {
        folders.add_mounted(Path::new(TEMPORARY_FOLDER))?;
    }
    if confinement.enforcement.namespace {
        folders.add_ipc();
    }
    // The supervisor fills in the numbers of the worker and of its plan. It does not know the process id.
    let enforcement = confinement.enforcement.clone();
    let pid = processes::host_pid().unwrap_or(0);
    let report = FromSupervisor::Worker { worker: 0, plan: 0, pid, enforcement };
    let mounts: Vec<_> = confinement.mounts.iter().map(AsFd::as_fd).collect();
    socket::send(&lifeline, &report.encode(), &mounts, SendFlags::empty())?;
    Worker::new(host, lifeline, folders, confinement, mode.killing)?.serve();
    Ok(())
}

/// Waits for the worker's report, which is its first message on the lifeline. The end of the host also ends the waiting,
/// because the supervisor has to end everything then.
///
/// Returns the worker's process id, what it has installed, and the mounts of its view if it has one.
///
/// # Errors
/// [`HOST_GONE_ERROR`] when the host has ended or hung up. After any other error the worker cannot be used.
pub(crate) fn await_report(
    lifeline: &OwnedFd,
    host: &OwnedFd,
    control: &OwnedFd,
) -> io::Result<(i32, Enforcement, Option<OwnedFd>)> {
    await_readable(lifeline, host, control, Instant::now() + MAX_WORKER_START_TIME)?;
    let received = socket::receive(lifeline, RecvFlags::empty())?;
    let received = received.ok_or(io::ErrorKind::BrokenPipe)?;
    let Some(FromSupervisor::Worker { pid, enforcement, .. }) =
        FromSupervisor::decode(&received.message)
    else {
        return Err(io::ErrorKind::BrokenPipe.into());
    };
    Ok((pid, enforcement, received.descriptors.into_iter().next()))
}

/// Waits until a message of a child, or its end, can be received.
///
/// # Errors
/// [`HOST_GONE_ERROR`] when the host has ended or hung up, and at the deadline.
pub(crate) fn await_readable(
    child: &OwnedFd,
    host: &OwnedFd,
    control: &OwnedFd,
    deadline: Instant,
) -> io::Result<()> {
    // Requests on the control socket stay there; only its end matters here.
    let watched = [(child, PollFlags::IN), (host, PollFlags::IN), (control, PollFlags::RDHUP)];
    loop {
        let remaining_time = deadline.saturating_duration_since(Instant::now());
        let [is_readable, host_ended, hung_up] = reaper::wait_for(&watched, Some(remaining_time));
        if host_ended || hung_up {
            return Err(HOST_GONE_ERROR.into());
        }
        if is_readable {
            return Ok(());
        }
        if remaining_time.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
    }
}

#[cfg(test)]
mod tests;
