//! How many programs of each kind there may be: sessions and services never take the place of runs, nor runs theirs.

use handrail_supervisor::message::Kind;

use super::{PendingStart, Pool};

/// How many programs there are at the same time.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// Runs; more wait.
    pub(crate) runs: usize,
    /// Sessions; one more is refused.
    pub(crate) sessions: usize,
    /// Services; one more is refused.
    pub(crate) services: usize,
}

impl Pool {
    /// Counts one more session or service, until [`Self::forget_live`].
    ///
    /// # Errors
    /// What there are as many of as may be, and how many.
    pub(crate) fn admit(&mut self, id: u64, kind: Kind) -> Result<(), (&'static str, usize)> {
        let (live, what, limit) = match kind {
            Kind::Run => return Ok(()),
            Kind::Session => (&mut self.sessions, "sessions", self.limits.sessions),
            Kind::Service => (&mut self.services, "services", self.limits.services),
        };
        if live.len() >= limit {
            return Err((what, limit));
        }
        live.insert(id);
        Ok(())
    }

    /// A session or service is over.
    pub(crate) fn forget_live(&mut self, id: u64) {
        self.sessions.remove(&id);
        self.services.remove(&id);
    }

    /// The next program of this group to start.
    pub(super) fn next_launch(&mut self, group: usize) -> Option<PendingStart> {
        let runs = self.assigned.keys().filter(|&id| !self.is_live(*id)).count();
        let may_run = runs < self.limits.runs;
        self.groups[group].next(may_run)
    }

    pub(super) fn is_live(&self, id: u64) -> bool {
        self.sessions.contains(&id) || self.services.contains(&id)
    }
}
