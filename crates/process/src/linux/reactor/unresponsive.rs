//! Doing without a supervisor that does not act: frozen by a control group, or waiting in the kernel.
//!
//! Such a process takes no signal before it goes on, SIGKILL included. So nobody waits for its end
//! without a limit: what it started is signalled from here, and dies at the latest when it is thawed.

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

/// A supervisor that is killed and can die does so within a millisecond, also on a busy machine within this.
/// The thread serves nobody else meanwhile.
const DEATH_LIMIT: Duration = Duration::from_millis(250);
/// How often is looked whether a supervisor that was asked for workers does anything.
pub(crate) const LOOK_AT_SUPERVISOR: Duration = Duration::from_secs(3);
/// So many looks in a row without a word or any processor time of its own, and it is given up. It gives
/// up on a worker after 10 s itself, and says so.
const MAX_SILENT_LOOKS: u32 = 4;

/// What was seen of a supervisor that was asked for workers.
#[derive(Default)]
pub(crate) struct SupervisorSilence {
    /// Whether the next look is planned.
    pub(crate) watched: bool,
    looks: u32,
    ticks: Option<u64>,
}

impl SupervisorSilence {
    /// It said something.
    pub(crate) fn broken(&mut self) {
        self.looks = 0;
    }

    /// One more look; true when it was silent for too many.
    fn look(&mut self, ticks: Option<u64>) -> bool {
        self.looks = if ticks == self.ticks { self.looks + 1 } else { 0 };
        self.ticks = ticks;
        self.looks >= MAX_SILENT_LOOKS
    }
}

impl<S: Fn(Event)> Reactor<S> {
    /// Is the supervisor that was asked for workers at work?
    pub(super) fn look_at_supervisor(&mut self) {
        // What it said may still be unread.
        self.hear_supervisor();
        let is_stuck = {
            let mut pool = self.shared.pool();
            pool.silence.watched = false;
            let Some(supervisor) = &pool.supervisor else { return };
            let ticks = processor_ticks(supervisor.process.id());
            if !pool.is_asking() {
                pool.silence.broken();
                return;
            }
            let is_stuck = pool.silence.look(ticks);
            pool.look_at_supervisor_later();
            is_stuck
        };
        if is_stuck {
            self.supervisor_gone();
        }
    }

    /// Kills the supervisor and takes its end. False when it does not die: then all that it started was
    /// signalled, and a thread of its own waits for it.
    pub(super) fn end_supervisor(&self, mut link: SupervisorLink) -> bool {
        kill(&link.pidfd);
        let is_dead = is_dead_within(&link, DEATH_LIMIT);
        if is_dead {
            // There is nothing to wait for any more.
            let _ = link.process.wait();
        } else {
            // Workers that act end their runs when their sockets close; then whoever is left.
            self.shared.pool().workers.clear();
            is_dead_within(&link, DEATH_LIMIT);
            kill_descendants(link.process.id());
            let mut process = link.process;
            let reap = std::thread::Builder::new().name("handrail-reap".into());
            // Without a thread it stays a zombie of this process, once it is thawed.
            let _ = reap.spawn(move || process.wait());
        }
        self.shared.pool().stale_directories.push(link.state_directory);
        is_dead
    }

    /// Its supervisor did not die, and neither may its worker have: nobody will tell of these runs.
    pub(super) fn finish_all_stuck(&mut self) {
        self.orphaned.clear();
        let all: Vec<u64> = self.runs.keys().copied().collect();
        for id in all {
            if let Some(leader) = self.runs.get(&id).and_then(|run| run.leader.as_ref()) {
                kill(leader);
            }
            let withdrawn = self.shared.pool().withdraw(id);
            let failure = failures::supervisor_stuck();
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
    use super::{MAX_SILENT_LOOKS, SupervisorSilence};

    #[test]
    fn a_supervisor_is_given_up_after_so_many_looks_without_a_word_and_without_work() {
        let mut silence = SupervisorSilence::default();
        // The first look has nothing to compare with.
        assert!(!silence.look(Some(7)));
        for _ in 1..MAX_SILENT_LOOKS {
            assert!(!silence.look(Some(7)));
        }
        assert!(silence.look(Some(7)));
        // Work, and a word, count anew.
        assert!(!silence.look(Some(8)));
        for _ in 1..MAX_SILENT_LOOKS {
            assert!(!silence.look(Some(8)));
        }
        silence.broken();
        assert!(!silence.look(Some(8)));
    }
}
