//! Whether a program is ready, from what the text ends with, how long it has been silent and what the kernel says.

use std::time::{Duration, Instant};

use crate::read::{Look, Read, Reason, Until, Waiting};

/// Silence before the kernel is asked about a prompt: what a program writes in one go may come in pieces.
pub const SILENCE: Duration = Duration::from_millis(1);

/// First time between two looks at a program that is not ready.
pub const LOOK_AGAIN_MIN: Duration = Duration::from_millis(1);

/// Longest time between two looks at a program that is not ready.
pub const LOOK_AGAIN_MAX: Duration = Duration::from_millis(50);

/// What is known of the program since it last wrote something, or was written to.
#[derive(Debug)]
pub(crate) struct Quiet {
    /// When that was.
    since: Instant,
    /// What the last look since then saw.
    look: Option<Waiting>,
    /// When the next look is due, if there was one.
    again: Option<Instant>,
    pause: Duration,
}

/// What follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The program takes input, or is taken to.
    Ready { reason: Reason, confirmed: bool },
    /// Look now.
    Look,
    /// Nothing changes by itself before this time.
    Later(Instant),
}

impl Quiet {
    pub(crate) fn new(now: Instant) -> Self {
        Self { since: now, look: None, again: None, pause: LOOK_AGAIN_MIN }
    }

    /// A new read trusts no look of an earlier one.
    pub(crate) fn look_anew(&mut self) {
        *self = Self::new(self.since);
    }

    pub(crate) fn looked(&mut self, waiting: Waiting, now: Instant) {
        self.look = Some(waiting);
        self.again = Some(now + self.pause);
        self.pause = (self.pause * 2).min(LOOK_AGAIN_MAX);
    }

    /// `marker`: the text ends with one, and the read asks for them.
    pub(crate) fn judge(&self, read: &Read, marker: bool, now: Instant) -> Verdict {
        let quiet_at = self.since + read.quiet;
        let look_at = if marker { self.since + SILENCE.min(read.quiet) } else { quiet_at };
        if now < look_at {
            return Verdict::Later(look_at);
        }
        let Some(waiting) = self.look else { return Verdict::Look };
        let ready = |reason, confirmed| Verdict::Ready { reason, confirmed };
        let again = self.again.unwrap_or(now);
        match (waiting, marker) {
            (Waiting::Only | Waiting::Also, true) => return ready(Reason::Marker, true),
            (Waiting::Unknown, true) => {
                let settled = self.since + read.settle;
                if now >= settled {
                    return ready(Reason::Marker, false);
                }
                return if now >= again {
                    Verdict::Look
                } else {
                    Verdict::Later(again.min(settled))
                };
            }
            (Waiting::Only, false) => return ready(Reason::Quiet, true),
            // An event loop may sleep until a timer of its own, with more to say then.
            (Waiting::Also | Waiting::Unknown, false) if read.until != Until::Ready => {
                return ready(Reason::Quiet, false);
            }
            (Waiting::Also | Waiting::Unknown, false) | (Waiting::No, _) => {}
        }
        if now >= again { Verdict::Look } else { Verdict::Later(again) }
    }

    pub(crate) fn since(&self) -> Instant {
        self.since
    }
}

/// The last look, and the one before the last write.
#[derive(Debug, Default)]
pub(crate) struct Waiters {
    last: Option<(i32, u64)>,
    before_write: Option<(i32, u64)>,
}

impl Waiters {
    /// What a look says, when a waiter that has not woken since the last write counts as not waiting.
    pub(crate) fn judge(&mut self, look: Look) -> Waiting {
        self.last = look.waiter;
        let unnoticed = look.waiter.is_some() && look.waiter == self.before_write;
        if unnoticed { Waiting::No } else { look.waiting }
    }

    pub(crate) fn written(&mut self) {
        self.before_write = self.last;
    }

    /// The input was not noticed for so long that it will not be: half a line that nobody takes before its end.
    pub(crate) fn give_up(&mut self) {
        self.before_write = None;
    }
}
