//! All timers of an engine on one descriptor.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create,
    timerfd_settime,
};

/// What is done when a timer is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Due {
    /// End the run: its deadline has passed.
    Deadline,
    /// Kill the run: its grace has passed.
    Kill,
    /// Check whether the worker of a run is stopped.
    StoppedCheck,
    /// The same for all runs whose worker has not reported yet.
    WorkerCheck,
    /// Stop waiting for the worker of a run.
    GiveUpWorker,
    /// Check whether the supervisor acts.
    SupervisorCheck,
    /// Stop waiting for the supervisor to close.
    GiveUpClosing,
    /// Check whether an output of a run has paused.
    Pause,
    /// Go on with the read or send of a session.
    SessionStep,
}

/// One timer for all entries. An entry of a run that is over stays until it is due, and is ignored then.
pub(crate) struct Timers {
    timer: OwnedFd,
    queue: BinaryHeap<Reverse<(Instant, u64, Due)>>,
    armed: Option<Instant>,
}

impl Timers {
    pub(crate) fn new() -> io::Result<Timers> {
        let flags = TimerfdFlags::CLOEXEC | TimerfdFlags::NONBLOCK;
        let timer = timerfd_create(TimerfdClockId::Monotonic, flags)?;
        Ok(Timers { timer, queue: BinaryHeap::new(), armed: None })
    }

    pub(crate) fn descriptor(&self) -> BorrowedFd<'_> {
        self.timer.as_fd()
    }

    pub(crate) fn add(&mut self, at: Instant, run: u64, due: Due) {
        self.queue.push(Reverse((at, run, due)));
        if self.armed.is_none_or(|armed| at < armed) {
            self.arm(at);
        }
    }

    /// The next entry whose time has come; arms the timer when there is none.
    pub(crate) fn pop(&mut self) -> Option<(u64, Due)> {
        match self.queue.peek() {
            Some(&Reverse((at, run, due))) if at <= Instant::now() => {
                self.queue.pop();
                Some((run, due))
            }
            Some(&Reverse((at, ..))) => {
                self.arm(at);
                None
            }
            None => {
                self.armed = None;
                None
            }
        }
    }

    /// Reads the timer's expirations, so that it is not readable any more.
    pub(crate) fn acknowledge(&self) {
        // An error says that there was nothing to read.
        let _ = rustix::io::read(&self.timer, &mut [0_u8; 8]);
    }

    fn arm(&mut self, at: Instant) {
        // Zero would disarm the timer.
        let wait = at.saturating_duration_since(Instant::now()).max(Duration::from_nanos(1));
        let zero = Timespec { tv_sec: 0, tv_nsec: 0 };
        let value = Timespec::try_from(wait).unwrap_or(zero);
        let spec = Itimerspec { it_interval: zero, it_value: value };
        // Setting a valid relative time on our own timer cannot fail.
        let _ = timerfd_settime(&self.timer, TimerfdTimerFlags::empty(), &spec);
        self.armed = Some(at);
    }
}
