//! Giving up a supervisor that does not act: one that a control group has frozen, or that waits in the kernel.
//!
//! No signal reaches such a process until it continues, not even SIGKILL. So its end is awaited with a limit, and the processes
//! that it started are signalled from here. They die when they are thawed, at the latest.

use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use handrail_supervisor::proc::{OWN_PROC, Stat};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::{Reactor, kill};
use crate::linux::child::Ending;
use crate::linux::descendants::kill_descendants;
use crate::linux::failures;
use crate::linux::pool::SupervisorLink;
use crate::outcome::Event;

/// Longest wait for the end of a supervisor that was killed. If it can die, that takes a millisecond; this limit is for a busy
/// machine. The thread serves nothing else meanwhile.
const DEATH_LIMIT: Duration = Duration::from_millis(250);
/// Time between two checks whether a supervisor that was asked for workers does anything.
pub(crate) const SUPERVISOR_CHECK_INTERVAL: Duration = Duration::from_secs(3);
/// The supervisor is given up after this many checks in a row without a message and without processor time. It gives up on a
/// worker after 10 s itself, and reports that.
const MAX_SILENT_CHECKS: u32 = 4;

/// How long a supervisor that was asked for workers has neither sent a message nor used processor time.
#[derive(Default)]
pub(crate) struct SupervisorSilence {
    /// Whether the next check is planned.
    pub(crate) is_check_planned: bool,
    silent_checks: u32,
    /// The processor time at the last check, in clock ticks.
    ticks: Option<u64>,
}

impl SupervisorSilence {
    /// The supervisor sent a message.
    pub(crate) fn end(&mut self) {
        self.silent_checks = 0;
    }

    /// Counts one more check. True when it is the last that the supervisor gets.
    fn add_check(&mut self, ticks: Option<u64>) -> bool {
        self.silent_checks = if ticks == self.ticks { self.silent_checks + 1 } else { 0 };
        self.ticks = ticks;
        self.silent_checks >= MAX_SILENT_CHECKS
    }
}

impl<S: Fn(Event)> Reactor<S> {
    /// Checks whether the supervisor that was asked for workers acts, and gives it up if it does not.
    pub(super) fn check_supervisor(&mut self) {
        // Its messages may still be unread.
        self.receive_from_supervisor();
        let is_unresponsive = {
            let mut pool = self.shared.pool();
            pool.silence.is_check_planned = false;
            let Some(supervisor) = &pool.supervisor else { return };
            let ticks = processor_ticks(supervisor.process.id());
            if !pool.is_asking() {
                pool.silence.end();
                return;
            }
            let is_unresponsive = pool.silence.add_check(ticks);
            pool.plan_supervisor_check();
            is_unresponsive
        };
        if is_unresponsive {
            self.supervisor_gone();
        }
    }

    /// Kills the supervisor and waits for its end. False when it does not die: then the processes that it started were
    /// signalled, and a separate thread waits for it.
    pub(super) fn end_supervisor(&self, mut link: SupervisorLink) -> bool {
        kill(&link.pidfd);
        let is_dead = is_dead_within(&link, DEATH_LIMIT);
        if is_dead {
            // It is dead, so this does not block.
            let _ = link.process.wait();
        } else {
            // Workers that act end their programs when their sockets close. The other processes are killed here.
            self.shared.pool().workers.clear();
            is_dead_within(&link, DEATH_LIMIT);
            kill_descendants(link.process.id());
            let mut process = link.process;
            let reap = std::thread::Builder::new().name("handrail-reap".into());
            // Where no thread can be made, the supervisor stays a zombie of this process once it is thawed.
            let _ = reap.spawn(move || process.wait());
        }
        self.shared.pool().stale_directories.push(link.state_directory);
        is_dead
    }

    /// Finishes all programs of a supervisor that did not die. Nobody will report their ends.
    pub(super) fn finish_all_unresponsive(&mut self) {
        self.orphaned.clear();
        let all: Vec<u64> = self.children.keys().copied().collect();
        for id in all {
            if let Some(leader) = self.children.get(&id).and_then(|run| run.leader.as_ref()) {
                kill(leader);
            }
            let withdrawn = self.shared.pool().withdraw(id);
            let failure = failures::supervisor_unresponsive();
            self.finish(
                id,
                if withdrawn { Ending::Withdrawn(Some(failure)) } else { Ending::Lost(failure) },
            );
        }
    }
}

/// The processor time that a process has used; `None` when it is gone.
fn processor_ticks(pid: u32) -> Option<u64> {
    Stat::of(OWN_PROC, i32::try_from(pid).ok()?)?.processor_ticks()
}

fn is_dead_within(link: &SupervisorLink, limit: Duration) -> bool {
    let until = Instant::now() + limit;
    loop {
        let left = Timespec::try_from(until.saturating_duration_since(Instant::now())).ok();
        let mut polled = [PollFd::from_borrowed_fd(link.pidfd.as_fd(), PollFlags::IN)];
        match poll(&mut polled, left.as_ref()) {
            Ok(count) => return count > 0,
            // Interrupted.
            Err(_) if Instant::now() < until => {}
            Err(_) => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_SILENT_CHECKS, SupervisorSilence};

    #[test]
    fn a_supervisor_is_given_up_after_enough_checks_without_a_message_and_without_work() {
        let mut silence = SupervisorSilence::default();
        // The first check has nothing to compare with.
        assert!(!silence.add_check(Some(7)));
        for _ in 1..MAX_SILENT_CHECKS {
            assert!(!silence.add_check(Some(7)));
        }
        assert!(silence.add_check(Some(7)));
        // After work, or a message, counting starts anew.
        assert!(!silence.add_check(Some(8)));
        for _ in 1..MAX_SILENT_CHECKS {
            assert!(!silence.add_check(Some(8)));
        }
        silence.end();
        assert!(!silence.add_check(Some(8)));
    }
}
