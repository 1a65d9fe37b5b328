//! Those who look on at a session: each waits until there is something new, and is told once.

use std::time::{Duration, Instant};

use handrail_pty::{MAX_ONLOOKERS, Waiting};

use super::foreground::{self, Wanted};
use super::session::Session;
use super::{Context, lock};
use crate::linux::timers::Due;
use crate::outcome::{Event, RequestError};

/// The pause before the first look at a program whose unfinished line is held back; each further pause is twice as long.
const MIN_PAUSE: Duration = Duration::from_micros(250);
/// The longest such pause.
const MAX_PAUSE: Duration = Duration::from_secs(1);

/// The onlookers of a session that wait.
pub(crate) struct Onlookers {
    /// The number of each one's request, and its own.
    waiting: Vec<(u64, u64)>,
    /// When the program is looked at next.
    look_at: Option<Instant>,
    pause: Duration,
    /// When the timer is due.
    timer_at: Option<Instant>,
}

impl Onlookers {
    pub(crate) fn new() -> Onlookers {
        Onlookers { waiting: Vec::new(), look_at: None, pause: MIN_PAUSE, timer_at: None }
    }

    /// Output has come: what is known about the program does not count any more.
    pub(crate) fn output(&mut self) {
        (self.look_at, self.pause) = (None, MIN_PAUSE);
    }
}

impl Session {
    pub(crate) fn await_news(&mut self, request: u64, onlooker: u64, context: &mut Context<'_>) {
        if self.onlookers.waiting.len() >= MAX_ONLOOKERS {
            let result = Err(RequestError::session_busy());
            return (context.emit)(Event::Written { run: context.id, request, result });
        }
        self.onlookers.waiting.push((request, onlooker));
        self.tell_onlookers(context);
    }

    pub(crate) fn remove_onlooker(&mut self, onlooker: u64, context: &mut Context<'_>) {
        lock(&self.dialogue).remove_onlooker(onlooker);
        self.tell_onlookers(context);
    }

    /// Tells those who wait that there is something new. Where a part of the last line is held back, it is shown as soon
    /// as the program waits for its terminal.
    pub(crate) fn tell_onlookers(&mut self, context: &mut Context<'_>) {
        if self.onlookers.waiting.is_empty() {
            return;
        }
        let now = Instant::now();
        self.look_for_onlookers(now, context);
        let mut next = self.onlookers.look_at;
        let mut dialogue = lock(&self.dialogue);
        self.onlookers.waiting.retain(|&(request, onlooker)| {
            let has_news = dialogue.has_news(onlooker, now);
            if has_news {
                let result = Ok(());
                (context.emit)(Event::Written { run: context.id, request, result });
            } else if let Some(at) = dialogue.picture_due(onlooker, now) {
                next = Some(next.map_or(at, |next| next.min(at)));
            }
            !has_news
        });
        drop(dialogue);
        let is_armed = |timer: Instant, at| now < timer && timer <= at;
        if let Some(at) = next
            && !self.onlookers.waiting.is_empty()
            && !self.onlookers.timer_at.is_some_and(|timer| is_armed(timer, at))
        {
            self.onlookers.timer_at = Some(at);
            context.shared.pool().timers.add(at, context.id, Due::SessionStep);
        }
    }

    fn look_for_onlookers(&mut self, now: Instant, context: &mut Context<'_>) {
        if !lock(&self.dialogue).is_holding_line() {
            self.onlookers.look_at = None;
            return;
        }
        match self.onlookers.look_at {
            Some(at) if now >= at => {
                let waits = self.waits_for_terminal(context);
                // Output that was written before the program fell asleep may not have been read yet.
                let has_output = self.take_output(context);
                if waits && !has_output {
                    lock(&self.dialogue).shows_line();
                    self.onlookers.look_at = None;
                    return;
                }
            }
            Some(_) => return,
            None => {}
        }
        self.onlookers.look_at = Some(now + self.onlookers.pause);
        self.onlookers.pause = (self.onlookers.pause * 2).min(MAX_PAUSE);
    }

    fn waits_for_terminal(&self, context: &Context<'_>) -> bool {
        let worker = context.shared.pool().worker_of(context.id).map(|worker| worker.pid);
        let (Some(terminal), Some(worker)) = (self.terminal(), worker) else { return false };
        let wanted = Wanted { sample_of: None, needs_sample: |_| false, port: None };
        let look = foreground::examine(terminal, worker, wanted);
        matches!(look.waiting, Waiting::Only | Waiting::Also)
    }
}
