//! Deciding whether a program is ready, from the end of its text, the length of the silence and what the kernel
//! reports.

use std::time::{Duration, Instant};

use crate::read::{Activity, Look, Read, Reason, Rest, Until, Waiting};

/// The longest silence before a look at a prompt. The first look of a read comes at once, and each further one only after
/// a longer silence than the one before: a text that is full of prompts costs few looks.
pub const MAX_PROMPT_SILENCE: Duration = Duration::from_millis(1);

/// The first pause between two looks at a program that is not ready; each further one is twice as long.
pub const MIN_LOOK_PAUSE: Duration = Duration::from_micros(50);

/// The longest pause between two looks at a program that is not ready.
pub const MAX_LOOK_PAUSE: Duration = Duration::from_millis(50);

/// How long a program must be silent and use no processor before its read ends without a known prompt.
pub const IDLE_TIME: Duration = Duration::from_secs(1);

/// The longest time limit of a wait that is waited for: what a program says then is part of its answer. Longer ones are
/// those of caches, of connections and of the garbage collector of an event loop.
pub const MAX_OWN_PAUSE: Duration = Duration::from_secs(2);

/// The processor time that counts as none in [`IDLE_TIME`], in clock ticks of 10 ms: the timers of event loops use some.
pub const MAX_IDLE_TICKS: u64 = 3;

/// The longest time between two samples that counts as rest. Of what lies between two that are further apart, because the
/// machine was busy, too little is known.
pub const MAX_SAMPLE_GAP: Duration = Duration::from_millis(200);

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
    /// The silence before the next look at a prompt.
    prompt_silence: Duration,
    rested: Option<Rested>,
}

/// Since when no process in the foreground has worked.
#[derive(Clone, Copy, Debug)]
struct Rested {
    /// The time of the last sample. Of what came after it nothing is known: rest has lasted until then, and no longer.
    sampled: Instant,
    /// Since when no thread has run.
    asleep: Instant,
    /// When the pauses are over that threads made in the first [`IDLE_TIME`] of it.
    paused_until: Instant,
    /// Since when, in addition, those pauses are over.
    resumed: Option<Instant>,
    /// Since when, in addition, nothing is known to continue without anybody's help within [`MAX_OWN_PAUSE`].
    settled: Option<Instant>,
    /// Since when, in addition, no thread continues without anybody's help.
    idle: Option<Instant>,
    /// Since when, in addition, nobody serves clients: only input makes the program continue.
    blocked: Option<Instant>,
    /// Their processor time then.
    ticks: u64,
    /// The processes then.
    processes: u64,
}

impl Rested {
    /// What is known at a new sample. Time that was not seen counts as if it had not passed.
    fn seen_until(self, now: Instant) -> Self {
        let unseen = now.saturating_duration_since(self.sampled + MAX_SAMPLE_GAP);
        let later = |since: Option<Instant>| since.map(|since| since + unseen);
        Self {
            sampled: now,
            asleep: self.asleep + unseen,
            resumed: later(self.resumed),
            settled: later(self.settled),
            idle: later(self.idle),
            blocked: later(self.blocked),
            ..self
        }
    }

    /// Whether the last sample was taken so long after this began.
    fn lasts(&self, since: Option<Instant>, time: Duration) -> bool {
        since.is_some_and(|since| self.sampled >= since + time)
    }
}

/// What stands before the cursor, where the read asks for markers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A marker, given or learned.
    Marker,
    /// No marker, though some were given.
    Unmarked,
    /// No marker was given, and this may be a question: text, or a blank line where no prompt is known.
    Question,
    /// No marker was given, a prompt is known, and the line is blank.
    Blank,
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
            prompt_silence: Duration::ZERO,
            rested: None,
        }
    }

    /// Notes output. The looks so far do not count any more.
    pub(crate) fn output(&mut self, now: Instant) {
        *self = Self { prompt_silence: self.prompt_silence, ..Self::new(now) };
    }

    /// Forgets earlier looks, because a new read does not rely on them.
    pub(crate) fn look_anew(&mut self) {
        *self = Self::new(self.since);
    }

    /// Notes that a look at a prompt was requested. Output may come before its result.
    pub(crate) fn look_requested(&mut self) {
        self.prompt_silence = (self.prompt_silence * 2).clamp(MIN_LOOK_PAUSE, MAX_PROMPT_SILENCE);
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
        let earlier = earlier.map(|earlier| earlier.seen_until(now));
        if activity.rest == Rest::Running {
            return;
        }
        let since = |holds: bool, since: Option<Instant>| holds.then(|| since.unwrap_or(now));
        let is_idle = matches!(activity.rest, Rest::Served | Rest::Blocked);
        let is_settled = (is_idle || activity.rest == Rest::Limited) && activity.pause.is_none();
        let asleep = earlier.map_or(now, |earlier| earlier.asleep);
        let paused_until = now + activity.pause.unwrap_or_default();
        // A timer that is set again and again would not end.
        let paused_until = match earlier {
            Some(earlier) if now >= asleep + IDLE_TIME => earlier.paused_until,
            Some(earlier) => earlier.paused_until.max(paused_until),
            None => paused_until,
        };
        self.rested = Some(Rested {
            sampled: now,
            asleep,
            paused_until,
            resumed: since(now >= paused_until, earlier.and_then(|earlier| earlier.resumed)),
            settled: since(is_settled, earlier.and_then(|earlier| earlier.settled)),
            idle: since(is_idle, earlier.and_then(|earlier| earlier.idle)),
            blocked: since(
                activity.rest == Rest::Blocked,
                earlier.and_then(|earlier| earlier.blocked),
            ),
            ticks: earlier.map_or(activity.ticks, |earlier| earlier.ticks),
            processes: activity.processes,
        });
    }

    /// Whether the program has been at rest for long enough, and the reason that this is for the end of a read. A thread
    /// whose pause is over has the time of a silence to be seen at work.
    fn at_rest(&self, read: &Read, waiting: Waiting) -> Option<Reason> {
        let rested = self.rested?;
        let time = IDLE_TIME.max(read.quiet);
        match waiting {
            Waiting::Also
                if rested.lasts(Some(rested.asleep), time)
                    && rested.lasts(rested.resumed, read.quiet) =>
            {
                Some(Reason::Quiet)
            }
            Waiting::No if rested.lasts(rested.idle, time) => Some(Reason::Idle),
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
        let time = IDLE_TIME.max(read.quiet);
        let is_over = self.rested.is_some_and(|rested| rested.lasts(rested.blocked, time));
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

    /// Decides whether the program is ready.
    pub(crate) fn assess(&self, read: &Read, place: Place, now: Instant) -> Readiness {
        let marker = place == Place::Marker;
        let quiet_at = self.since + read.quiet;
        if !marker && now < quiet_at {
            return Readiness::Later(quiet_at);
        }
        let Some(waiting) = self.last_waiting else {
            let look_at = quiet_at.min(self.since + self.prompt_silence);
            return if now < look_at { Readiness::Later(look_at) } else { Readiness::Look };
        };
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
            // A question that was not seen before: nothing but an event makes the loop go on.
            (Waiting::Also, false) if place == Place::Question && self.is_settled(read) => {
                return ready(Reason::Quiet, false);
            }
            (Waiting::Unknown, false) if place != Place::Unmarked => {
                return ready(Reason::Quiet, false);
            }
            (Waiting::Also | Waiting::Unknown, false) | (Waiting::No, _) => {}
        }
        match self.at_rest(read, waiting) {
            Some(reason) => ready(reason, false),
            None => self.look_again(now),
        }
    }

    /// Whether for the time of a silence nothing was known to continue without anybody's help.
    fn is_settled(&self, read: &Read) -> bool {
        self.rested.is_some_and(|rested| rested.lasts(rested.settled, read.quiet))
    }

    /// Whether the last look found that the program waits for its terminal.
    pub(crate) fn waits_for_terminal(&self) -> bool {
        matches!(self.last_waiting, Some(Waiting::Only | Waiting::Also))
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
    /// Whether that input may be part of a line, which a terminal keeps to itself until the line ends.
    is_partial: bool,
}

impl Waiters {
    /// The result of a look. A thread that has not been woken since the last write counts as not waiting.
    pub(crate) fn assess(&mut self, look: Look) -> Waiting {
        self.last_waiter = look.waiter;
        let input_is_unnoticed = look.waiter.is_some() && look.waiter == self.before_write;
        if input_is_unnoticed { Waiting::No } else { look.waiting }
    }

    /// Notes that whole lines are written.
    pub(crate) fn written(&mut self) {
        self.before_write = self.last_waiter;
        self.is_partial = false;
    }

    /// Notes that any bytes are written to a program at which this look was taken.
    pub(crate) fn touched(&mut self, look: Look, ends_line: bool) {
        self.before_write = look.waiter;
        self.is_partial = !ends_line;
    }

    /// Stops to wait until the input is noticed, where `before` says that a send waits, or where the input may be part of a
    /// line: after so long it probably is.
    pub(crate) fn give_up(&mut self, before: bool) {
        if before || self.is_partial {
            self.before_write = None;
        }
    }
}
