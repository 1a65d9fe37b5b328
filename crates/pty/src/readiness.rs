//! Deciding whether a program is ready, from the end of its text, the length of the silence and what the kernel
//! reports.

use std::time::{Duration, Instant};

use crate::read::{Activity, Look, Read, Reason, Rest, Until, Waiting};

/// How long there must be silence before the kernel is asked at a prompt: output that a program writes at once may
/// arrive in pieces.
pub const MIN_SILENCE: Duration = Duration::from_millis(1);

/// The first pause between two looks at a program that is not ready.
pub const MIN_LOOK_PAUSE: Duration = Duration::from_millis(1);

/// The longest pause between two looks at a program that is not ready.
pub const MAX_LOOK_PAUSE: Duration = Duration::from_millis(50);

/// How long a program must be silent and use no processor before its read ends without a known prompt.
pub const IDLE_TIME: Duration = Duration::from_secs(1);

/// The processor time that counts as none in [`IDLE_TIME`], in clock ticks of 10 ms: the timers of event loops use some.
pub const MAX_IDLE_TICKS: u64 = 3;

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
    rested: Option<Rested>,
}

/// Since when no process in the foreground has worked.
#[derive(Clone, Copy, Debug)]
struct Rested {
    /// Since when no thread has run.
    asleep: Instant,
    /// Since when, in addition, no thread continues without anybody's help.
    idle: Option<Instant>,
    /// Since when, in addition, nobody serves clients: only input makes the program continue.
    blocked: Option<Instant>,
    /// Their processor time then.
    ticks: u64,
    /// The processes then.
    processes: u64,
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
        Self {
            since: now,
            last_waiting: None,
            next_look_at: None,
            look_pause: MIN_LOOK_PAUSE,
            rested: None,
        }
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

    /// Takes a sample of what the processes in the foreground do.
    pub(crate) fn sampled(&mut self, activity: Activity, now: Instant) {
        let earlier = self.rested.take().filter(|earlier| {
            earlier.processes == activity.processes
                && activity.ticks.abs_diff(earlier.ticks) <= MAX_IDLE_TICKS
        });
        if activity.rest == Rest::Running {
            return;
        }
        let since = |holds: bool, since: Option<Instant>| holds.then(|| since.unwrap_or(now));
        let is_idle = matches!(activity.rest, Rest::Served | Rest::Blocked);
        self.rested = Some(Rested {
            asleep: earlier.map_or(now, |earlier| earlier.asleep),
            idle: since(is_idle, earlier.and_then(|earlier| earlier.idle)),
            blocked: since(
                activity.rest == Rest::Blocked,
                earlier.and_then(|earlier| earlier.blocked),
            ),
            ticks: earlier.map_or(activity.ticks, |earlier| earlier.ticks),
            processes: activity.processes,
        });
    }

    /// Whether the program has been at rest for long enough, and the reason that this is for the end of a read.
    fn at_rest(&self, read: &Read, waiting: Waiting, now: Instant) -> Option<Reason> {
        let rested = self.rested?;
        let is_over = |since: Option<Instant>| {
            since.is_some_and(|since| now >= since + IDLE_TIME.max(read.quiet))
        };
        match waiting {
            Waiting::Also if is_over(Some(rested.asleep)) => Some(Reason::Quiet),
            Waiting::No if is_over(rested.idle) => Some(Reason::Idle),
            _ => None,
        }
    }

    /// Decides whether what a read waits for cannot come any more: the program waits for input, and nothing that it
    /// started continues without.
    pub(crate) fn assess_vain(&self, read: &Read, marker: bool, now: Instant) -> Readiness {
        let look_at = self.since + read.quiet;
        if now < look_at {
            return Readiness::Later(look_at);
        }
        let Some(waiting) = self.last_waiting else { return Readiness::Look };
        let blocked = self.rested.and_then(|rested| rested.blocked);
        let is_over = blocked.is_some_and(|since| now >= since + IDLE_TIME.max(read.quiet));
        if waiting == Waiting::Only && is_over {
            let reason = if marker { Reason::Marker } else { Reason::Quiet };
            return Readiness::Ready { reason, confirmed: true };
        }
        self.look_again(now)
    }

    fn look_again(&self, now: Instant) -> Readiness {
        match self.next_look_at {
            Some(at) if now < at => Readiness::Later(at),
            _ => Readiness::Look,
        }
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
            (Waiting::Also | Waiting::Unknown, false) if !matches!(read.until, Until::Ready) => {
                return ready(Reason::Quiet, false);
            }
            (Waiting::Also | Waiting::Unknown, false) | (Waiting::No, _) => {}
        }
        match self.at_rest(read, waiting, now) {
            Some(reason) => ready(reason, false),
            None => self.look_again(now),
        }
    }

    /// The result of the last look since the program wrote something.
    pub(crate) fn last_waiting(&self) -> Option<Waiting> {
        self.last_waiting
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
