//! Limits of how many runs, sessions and services exist at the same time. None of the three kinds takes the place of another.

use handrail_supervisor::message::Kind;

use super::{PendingStart, Pool};

/// Most programs of each kind at the same time.
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
    /// Counts one more session or service, until [`Self::forget_live`]. Fails where the limit is reached.
    ///
    /// # Errors
    /// The kind in the plural, and its limit.
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

    /// Stops counting a session or a service that is over.
    pub(crate) fn forget_live(&mut self, id: u64) {
        self.sessions.remove(&id);
        self.services.remove(&id);
    }

    /// Takes the next start of this group.
    pub(super) fn next_start(&mut self, group: usize) -> Option<PendingStart> {
        let runs = self.assigned.keys().filter(|&id| !self.is_live(*id)).count();
        let may_run = runs < self.limits.runs;
        self.groups[group].take_next(may_run)
    }

    pub(super) fn is_live(&self, id: u64) -> bool {
        self.sessions.contains(&id) || self.services.contains(&id)
    }
}
