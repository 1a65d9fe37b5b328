//! Limits of how many runs, sessions, services and jobs exist at the same time. None of the four kinds takes the place of
//! another.

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
    /// Jobs; one more is refused.
    pub(crate) jobs: usize,
}

/// The kinds of which one more than the limit is refused.
#[derive(Clone, Copy)]
pub(crate) enum Quota {
    Sessions,
    Services,
    Jobs,
}

impl Pool {
    /// Counts one more session, service or job, until [`Self::forget_live`]. Fails where the limit is reached.
    ///
    /// # Errors
    /// The kind in the plural, and its limit.
    pub(crate) fn admit(&mut self, id: u64, quota: Quota) -> Result<(), (&'static str, usize)> {
        let (live, what, limit) = match quota {
            Quota::Sessions => (&mut self.sessions, "sessions", self.limits.sessions),
            Quota::Services => (&mut self.services, "services", self.limits.services),
            Quota::Jobs => (&mut self.jobs, "jobs", self.limits.jobs),
        };
        if live.len() >= limit {
            return Err((what, limit));
        }
        live.insert(id);
        Ok(())
    }

    /// Stops counting a session, a service or a job that is over.
    pub(crate) fn forget_live(&mut self, id: u64) {
        self.sessions.remove(&id);
        self.services.remove(&id);
        self.jobs.remove(&id);
    }

    /// Takes the next start of this group.
    pub(super) fn next_start(&mut self, group: usize) -> Option<PendingStart> {
        let runs = self.assigned.keys().filter(|&id| !self.is_live(*id)).count();
        let may_run = runs < self.limits.runs;
        self.groups[group].take_next(may_run)
    }

    pub(super) fn is_live(&self, id: u64) -> bool {
        self.sessions.contains(&id) || self.services.contains(&id) || self.jobs.contains(&id)
    }

    /// Most workers at the same time.
    pub(super) fn most_workers(&self) -> usize {
        self.limits.runs + self.sessions.len() + self.services.len() + self.jobs.len()
    }
}
