//! Waiting for children and ending all of them.
//!
//! Every process of a run is a descendant of its worker, and an orphan comes back to it because the
//! worker is a child subreaper. A run is over when the worker has no child left.

use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use handrail_supervisor::message::Process;
use rustix::event::{PollFd, PollFlags, Timespec};

use crate::{processes, signals};

/// How long killed processes may take to go; longer means they hang in the kernel.
const KILL_LIMIT: Duration = Duration::from_millis(900);
/// How long dead children are waited for at once: one with many descriptors can take 40 ms.
const COLLECT_TURN: Duration = Duration::from_millis(20);
/// Pause between two sweeps when no child's end wakes us.
const SWEEP_PAUSE: Duration = Duration::from_millis(1);

/// How everything of a run is reached.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Means {
    /// One `kill(-1)`: this process is in a Landlock domain of its own whose signal scope was
    /// verified, or the first of a PID namespace, so "everybody I may signal" is exactly what it
    /// started. The kernel delivers it to all of them under the lock that a fork needs, hence no fork
    /// can outrun it.
    Domain,
    /// Sweeps over this process's children, again and again until none is left.
    Sweep,
}

/// What ended children used.
#[derive(Clone, Copy, Default)]
pub(crate) struct Usage {
    pub(crate) user_us: u64,
    pub(crate) system_us: u64,
    pub(crate) max_rss_bytes: u64,
}

/// The children that were waited for since [`Reaper::new`].
pub(crate) struct Reaper {
    leader: i32,
    /// The leader's wait status, once it was reaped.
    pub(crate) status: Option<i32>,
    pub(crate) usage: Usage,
    /// Whether some that are dead are still to be waited for: the kernel takes long to take away what
    /// had many descriptors.
    pub(crate) is_late: bool,
}

impl Reaper {
    pub(crate) fn new(leader: i32) -> Self {
        Reaper { leader, status: None, usage: Usage::default(), is_late: false }
    }

    /// Waits for every child that has ended; false when there is no child left at all.
    pub(crate) fn collect(&mut self) -> bool {
        self.collect_until(None)
    }

    /// The same for one turn, so that whoever asks something meanwhile is heard: true as well when there
    /// is more to wait for.
    pub(crate) fn collect_turn(&mut self) -> bool {
        self.collect_until(Some(Instant::now() + COLLECT_TURN))
    }

    fn collect_until(&mut self, deadline: Option<Instant>) -> bool {
        self.is_late = false;
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
            if pid == self.leader {
                self.status = Some(status);
            }
            self.add(&usage);
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                self.is_late = true;
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

    /// Kills and reaps until no child is left. Returns those that outlived [`KILL_LIMIT`]. The dead do
    /// nothing any more: a result does not wait longer for them.
    pub(crate) fn end_all(&mut self, means: Means, children: &OwnedFd) -> Vec<Process> {
        let deadline = Instant::now() + KILL_LIMIT;
        while self.collect_until(Some(deadline)) {
            if Instant::now() >= deadline {
                if means == Means::Sweep {
                    processes::kill_descendants();
                }
                self.is_late = true;
                return processes::describe(&processes::own_living_children());
            }
            kill_all(means);
            wait_readable(&[children], Some(SWEEP_PAUSE));
            signals::clear(children);
        }
        Vec::new()
    }
}

/// Sends SIGKILL to everything that can be reached.
pub(crate) fn kill_all(means: Means) {
    match means {
        Means::Domain => kill_domain(libc::SIGKILL),
        Means::Sweep => {
            for pid in processes::own_children() {
                processes::signal(pid, libc::SIGKILL);
            }
        }
    }
}

/// Asks everything of the run to end; what is stopped is woken to hear it.
pub(crate) fn terminate_all(means: Means) {
    match means {
        Means::Domain => {
            kill_domain(libc::SIGTERM);
            kill_domain(libc::SIGCONT);
        }
        Means::Sweep => {
            for pid in processes::own_descendants() {
                processes::signal(pid, libc::SIGTERM);
                processes::signal(pid, libc::SIGCONT);
            }
        }
    }
}

/// Only ever called in a domain whose signal scope was verified, or by the first process of a PID
/// namespace (see `confine`).
fn kill_domain(signal: i32) {
    // SAFETY: `kill` has no memory effects; the caller's domain or namespace limits who is reached.
    unsafe { libc::kill(-1, signal) };
}

/// Waits until one of the descriptors is readable or hung up; tells which.
pub(crate) fn wait_readable<const N: usize>(
    descriptors: &[&OwnedFd; N],
    limit: Option<Duration>,
) -> [bool; N] {
    wait_for(&descriptors.map(|descriptor| (descriptor, PollFlags::IN)), limit)
}

/// Waits until something of what is asked happens to one of the descriptors, or it is hung up; tells
/// to which.
pub(crate) fn wait_for<const N: usize>(
    descriptors: &[(&OwnedFd, PollFlags); N],
    limit: Option<Duration>,
) -> [bool; N] {
    let mut polled = descriptors.map(|(descriptor, events)| PollFd::new(descriptor, events));
    let limit = limit.and_then(|limit| Timespec::try_from(limit).ok());
    // An interrupted wait reports nothing, and the caller's loop comes back.
    if rustix::event::poll(&mut polled, limit.as_ref()).is_err() {
        return [false; N];
    }
    polled.map(|descriptor| !descriptor.revents().is_empty())
}
