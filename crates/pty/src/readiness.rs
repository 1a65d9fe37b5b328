//! Deciding whether a program is ready, from the end of its text, the length of the silence and what the kernel
//! reports.

use std::time::{Duration, Instant};

use crate::read::{Look, Read, Reason, Until, Waiting};

/// How long there must be silence before the kernel is asked at a prompt: output that a program writes at once may
/// arrive in pieces.
pub const MIN_SILENCE: Duration = Duration::from_millis(1);

/// The first pause between two looks at a program that is not ready.
pub const MIN_LOOK_PAUSE: Duration = Duration::from_millis(1);

/// The longest pause between two looks at a program that is not ready.
pub const MAX_LOOK_PAUSE: Duration = Duration::from_millis(50);

/// What is known about the program since it last wrote something, or was written to.
#[derive(Debug)]
pub(crate) struct Quiet {
    /// When the program last wrote something, or was written to.
    since: Instant,
    /// The result of the last look since then.
    last_waiting: Option<Waiting>,
    /// The time of the next look, if there was one before.
    next_look_at: Option<Instant>,
    look_pause: Duration,
}

/// Whether a program is ready, or what has to happen before that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Readiness {
    /// The program is ready for input, or is assumed to be.
    Ready { reason: Reason, confirmed: bool },
    /// A look is needed now.
    Look,
    /// Nothing changes before this time without new output.
    Later(Instant),
}

impl Quiet {
    pub(crate) fn new(now: Instant) -> Self {
        Self { since: now, last_waiting: None, next_look_at: None, look_pause: MIN_LOOK_PAUSE }
    }

    /// Forgets earlier looks, because a new read does not rely on them.
    pub(crate) fn look_anew(&mut self) {
        *self = Self::new(self.since);
    }

    pub(crate) fn looked(&mut self, waiting: Waiting, now: Instant) {
        self.last_waiting = Some(waiting);
        self.next_look_at = Some(now + self.look_pause);
        self.look_pause = (self.look_pause * 2).min(MAX_LOOK_PAUSE);
    }

    /// Decides whether the program is ready. `marker` says that the text ends with a marker and the read asks for
    /// markers.
    pub(crate) fn assess(&self, read: &Read, marker: bool, now: Instant) -> Readiness {
        let quiet_at = self.since + read.quiet;
        let look_at = if marker { self.since + MIN_SILENCE.min(read.quiet) } else { quiet_at };
        if now < look_at {
            return Readiness::Later(look_at);
        }
        let Some(waiting) = self.last_waiting else { return Readiness::Look };
        let ready = |reason, confirmed| Readiness::Ready { reason, confirmed };
        let next_look_at = self.next_look_at.unwrap_or(now);
        match (waiting, marker) {
            (Waiting::Only | Waiting::Also, true) => return ready(Reason::Marker, true),
            (Waiting::Unknown, true) => {
                let settled_at = self.since + read.settle;
                if now >= settled_at {
                    return ready(Reason::Marker, false);
                }
                return if now >= next_look_at {
                    Readiness::Look
                } else {
                    Readiness::Later(next_look_at.min(settled_at))
                };
            }
            (Waiting::Only, false) => return ready(Reason::Quiet, true),
            // An event loop may wait for a timer of its own and write more then.
            (Waiting::Also | Waiting::Unknown, false) if read.until != Until::Ready => {
                return ready(Reason::Quiet, false);
            }
            (Waiting::Also | Waiting::Unknown, false) | (Waiting::No, _) => {}
        }
        if now >= next_look_at { Readiness::Look } else { Readiness::Later(next_look_at) }
    }

    pub(crate) fn since(&self) -> Instant {
        self.since
    }
}

/// The waiting threads of the last look, and of the last look before input was written.
#[derive(Debug, Default)]
pub(crate) struct Waiters {
    last_waiter: Option<(i32, u64)>,
    before_write: Option<(i32, u64)>,
}

impl Waiters {
    /// The result of a look. A thread that has not been woken since the last write counts as not waiting.
    pub(crate) fn assess(&mut self, look: Look) -> Waiting {
        self.last_waiter = look.waiter;
        let input_is_unnoticed = look.waiter.is_some() && look.waiter == self.before_write;
        if input_is_unnoticed { Waiting::No } else { look.waiting }
    }

    pub(crate) fn written(&mut self) {
        self.before_write = self.last_waiter;
    }

    /// Stops to wait until the input is noticed: after so long it is probably half a line, which the program reads only
    /// when the line ends.
    pub(crate) fn give_up(&mut self) {
        self.before_write = None;
    }
}
