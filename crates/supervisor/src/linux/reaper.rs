//! Waiting for children, and ending all of them.
//!
//! Every process of a run is a descendant of its worker. An orphan becomes a child of the worker, because the worker is a child
//! subreaper. A run is over when the worker has no child left.

use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use handrail_supervisor::message::Process;
use rustix::event::{PollFd, PollFlags, Timespec};

use super::exec_watch::TraceStop;
use super::{processes, signals};

/// How long killed processes may take to die. A process that takes longer hangs in the kernel.
const MAX_KILL_TIME: Duration = Duration::from_millis(900);
/// How long dead children are reaped in one turn. A child with many descriptors can take 40 ms.
const MAX_COLLECT_TIME: Duration = Duration::from_millis(20);
/// The pause between two sweeps if the end of no child ends it earlier.
const SWEEP_PAUSE: Duration = Duration::from_millis(1);

/// How all processes of a run are reached.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum KillMethod {
    /// With one `kill(-1)`. This process is in a Landlock domain of its own whose signal scope was verified, or it is the first
    /// process of a PID namespace, so it may signal exactly the processes that it started. The kernel delivers the signal to
    /// all of them under the lock that a fork needs, so no fork can outrun it.
    Domain,
    /// With repeated sweeps over the children of this process, until none is left.
    Sweep,
}

/// The resources that children used until they ended.
#[derive(Clone, Copy, Default)]
pub(crate) struct Usage {
    pub(crate) user_us: u64,
    pub(crate) system_us: u64,
    pub(crate) max_rss_bytes: u64,
}

/// Reaps children, and counts what those used that were reaped since [`Reaper::new`].
pub(crate) struct Reaper {
    leader: i32,
    /// The leader's wait status, once the leader was reaped.
    pub(crate) status: Option<i32>,
    pub(crate) usage: Usage,
    /// Processes that stopped because this process traces them.
    pub(crate) stops: Vec<TraceStop>,
    /// Whether dead children may still have to be reaped. The kernel takes long to remove a process that had many descriptors.
    pub(crate) has_unreaped: bool,
}

impl Reaper {
    pub(crate) fn new(leader: i32) -> Self {
        let (usage, stops) = (Usage::default(), Vec::new());
        Reaper { leader, status: None, usage, stops, has_unreaped: false }
    }

    /// Reaps every child that has ended. False if there is no child left at all.
    pub(crate) fn collect(&mut self) -> bool {
        self.collect_until(None)
    }

    /// Reaps for one turn only, so that requests can be handled in between. True if a child is left, or may be.
    pub(crate) fn collect_turn(&mut self) -> bool {
        self.collect_until(Some(Instant::now() + MAX_COLLECT_TIME))
    }

    fn collect_until(&mut self, deadline: Option<Instant>) -> bool {
        self.has_unreaped = false;
        loop {
            let mut status = 0;
            // SAFETY: an all-zero `rusage` is valid.
            let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
            let flags = libc::WNOHANG | libc::__WALL;
            // SAFETY: both pointers are valid for the call.
            let pid = unsafe { libc::wait4(-1, &raw mut status, flags, &raw mut usage) };
            if pid == 0 {
                return true;
            }
            if pid < 0 {
                return false;
            }
            if libc::WIFSTOPPED(status) {
                self.stops.push((pid, status));
                continue;
            }
            if pid == self.leader {
                self.status = Some(status);
            }
            self.add(&usage);
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                self.has_unreaped = true;
                return true;
            }
        }
    }

    fn add(&mut self, usage: &libc::rusage) {
        let microseconds = |time: libc::timeval| {
            u64::try_from(time.tv_sec).unwrap_or(0) * 1_000_000
                + u64::try_from(time.tv_usec).unwrap_or(0)
        };
        self.usage.user_us += microseconds(usage.ru_utime);
        self.usage.system_us += microseconds(usage.ru_stime);
        let rss = u64::try_from(usage.ru_maxrss).unwrap_or(0) * 1024;
        self.usage.max_rss_bytes = self.usage.max_rss_bytes.max(rss);
    }

    /// Kills and reaps until no child is left, for at most [`MAX_KILL_TIME`]. Returns the processes that are alive after that.
    /// Dead children that are not reaped by then do not delay the result of the run, because they do nothing any more.
    pub(crate) fn end_all(&mut self, method: KillMethod, children: &OwnedFd) -> Vec<Process> {
        let deadline = Instant::now() + MAX_KILL_TIME;
        while self.collect_until(Some(deadline)) {
            if Instant::now() >= deadline {
                if method == KillMethod::Sweep {
                    processes::kill_descendants();
                }
                self.has_unreaped = true;
                return processes::describe(&processes::own_living_children());
            }
            kill_all(method);
            wait_readable(&[children], Some(SWEEP_PAUSE));
            signals::clear(children);
        }
        Vec::new()
    }
}

/// Sends SIGKILL to every process that can be reached.
pub(crate) fn kill_all(method: KillMethod) {
    match method {
        KillMethod::Domain => kill_domain(libc::SIGKILL),
        KillMethod::Sweep => {
            for pid in processes::own_children() {
                processes::signal(pid, libc::SIGKILL);
            }
        }
    }
}

/// Sends SIGTERM to every process of the run, and SIGCONT so that stopped processes receive it.
pub(crate) fn terminate_all(method: KillMethod) {
    match method {
        KillMethod::Domain => {
            kill_domain(libc::SIGTERM);
            kill_domain(libc::SIGCONT);
        }
        KillMethod::Sweep => {
            for pid in processes::own_descendants() {
                processes::signal(pid, libc::SIGTERM);
                processes::signal(pid, libc::SIGCONT);
            }
        }
    }
}

/// Sends a signal to every process that this one may signal. Called only in a domain whose signal scope was verified, or by the
/// first process of a PID namespace (see `confine`).
fn kill_domain(signal: i32) {
    // SAFETY: `kill` has no memory effects; the caller's domain or namespace limits who is reached.
    unsafe { libc::kill(-1, signal) };
}

/// Waits until one of the descriptors is readable or hung up. Returns which of them are.
pub(crate) fn wait_readable<const N: usize>(
    descriptors: &[&OwnedFd; N],
    limit: Option<Duration>,
) -> [bool; N] {
    wait_for(&descriptors.map(|descriptor| (descriptor, PollFlags::IN)), limit)
}

/// Waits until one of the descriptors has an event that it is watched for, or is hung up. Returns which of them have.
pub(crate) fn wait_for<const N: usize>(
    descriptors: &[(&OwnedFd, PollFlags); N],
    limit: Option<Duration>,
) -> [bool; N] {
    let mut polled = descriptors.map(|(descriptor, events)| PollFd::new(descriptor, events));
    let limit = limit.and_then(|limit| Timespec::try_from(limit).ok());
    // An interrupted wait reports no event, and the caller's loop waits again.
    if rustix::event::poll(&mut polled, limit.as_ref()).is_err() {
        return [false; N];
    }
    polled.map(|descriptor| !descriptor.revents().is_empty())
}
