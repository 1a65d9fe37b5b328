//! Closing an engine: all programs are ended, or the time for that is over.

use std::time::{Duration, Instant};

use handrail_supervisor::message::ToSupervisor;
use handrail_supervisor::socket;
use rustix::net::SendFlags;

use super::Reactor;
use crate::linux::child::Ending;
use crate::linux::pool::Phase;
use crate::linux::timers::Due;
use crate::outcome::{Event, Status};

/// The supervisor needs at most twice 0.95 s.
const CLOSE_LIMIT: Duration = Duration::from_secs(3);

impl<S: Fn(Event)> Reactor<S> {
    pub(super) fn close(&mut self) {
        let all: Vec<u64> = self.children.keys().copied().collect();
        for id in all {
            if let Some(run) = self.children.get_mut(&id) {
                run.intent.get_or_insert(Status::Cancelled);
            }
            if self.shared.pool().withdraw(id) {
                self.finish(id, Ending::Withdrawn(None));
            }
        }
        let mut pool = self.shared.pool();
        if pool.phase != Phase::Open {
            return;
        }
        pool.phase = Phase::Closing;
        self.shared.set_state_directory(None);
        let Some(supervisor) = &pool.supervisor else {
            drop(pool);
            return self.finish_closing();
        };
        let message = ToSupervisor::Shutdown.encode();
        // Where the message cannot be sent, the supervisor is gone, and its end is noticed as usual.
        let _ = socket::send(&supervisor.control, &message, &[], SendFlags::DONTWAIT);
        pool.timers.add(Instant::now() + CLOSE_LIMIT, 0, Due::GiveUpClosing);
    }

    /// All programs were ended, or the time for that is over.
    pub(super) fn finish_closing(&mut self) {
        if self.shared.pool().phase != Phase::Closing {
            return;
        }
        if self.shared.pool().supervisor.is_some() {
            return self.supervisor_gone();
        }
        let all: Vec<u64> = self.children.keys().copied().collect();
        for id in all {
            self.finish(id, Ending::Withdrawn(None));
        }
        let mut pool = self.shared.pool();
        pool.workers.clear();
        self.shared.pipes.clear();
        self.shared.terminals.clear();
        pool.phase = Phase::Closed;
        for directory in pool.stale_directories.drain(..) {
            // The supervisor removed it, unless it was killed.
            directory.remove();
        }
    }
}
