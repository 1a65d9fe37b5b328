//! One program on one terminal, and its current read or send.

mod marked;

use std::time::Instant;

use handrail_redact::{Redactor, find_masks};

use crate::display::Display;
use crate::echo::{Echo, Shown};
use crate::marks::Marks;
use crate::onlooker::Onlookers;
use crate::prompt::{self, MAX_MARKER_BYTES, Prompt};
use crate::read::{Answer, History, Look, Read, Reason, Step, Until, Waiting};
use crate::readiness::{Place, Quiet, Readiness, Waiters};
use crate::request::{PORT_PAUSE, Phase, Request};
use crate::settings::Settings;
use crate::transcript::Transcript;

/// Decides when the answer to an input is complete. Only one read or send runs at a time; the owner refuses a second.
pub struct Session {
    pub(crate) transcript: Transcript,
    pub(crate) display: Display,
    pub(crate) prompt: Prompt,
    marks: Marks,
    pub(crate) quiet: Quiet,
    waiters: Waiters,
    /// Whether the unfinished line will not change: the program was found waiting, and nothing was written since.
    pub(crate) line_is_stable: bool,
    pub(crate) onlookers: Onlookers,
    pub(crate) exited: bool,
    /// Whether the last answer was cut, so that the text after it is in no answer.
    was_cut: bool,
    request: Option<Request>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Neither text nor input may appear in a log.
        formatter.debug_struct("Session").field("exited", &self.exited).finish_non_exhaustive()
    }
}

impl Session {
    /// Makes a session whose program has just been started.
    pub fn new(redactor: &Redactor, settings: Settings, now: Instant) -> Self {
        Self {
            transcript: Transcript::new(redactor, settings),
            display: Display::new(settings.columns, settings.rows),
            prompt: Prompt::default(),
            marks: Marks::new(),
            quiet: Quiet::new(now),
            waiters: Waiters::default(),
            line_is_stable: false,
            onlookers: Onlookers::default(),
            exited: false,
            was_cut: false,
            request: None,
        }
    }

    /// Replaces the markers. The caller has refused empty ones, and more or longer ones than [`crate::MAX_MARKERS`] and
    /// [`crate::MAX_MARKER_BYTES`] allow; here they are left out.
    pub fn set_markers(&mut self, markers: Vec<String>) {
        self.prompt.set(markers);
    }

    /// Takes output that was read from the terminal.
    pub fn output(&mut self, raw: &[u8], now: Instant) {
        if raw.is_empty() || self.exited {
            return;
        }
        self.note_input();
        self.take_unmarked(raw, now);
        self.quiet.output(now);
        (self.line_is_stable, self.onlookers.line_is_shown) = (false, false);
        if let Some(request) = &mut self.request {
            request.look_requested = false;
            request.goal.is_unsearched = true;
        }
    }

    /// Says that no more output will arrive.
    pub fn exited(&mut self, now: Instant) {
        if !self.exited {
            self.note_input();
            self.exited = true;
            self.display.push(&self.marks.finish(), &mut self.transcript, &mut self.prompt);
            self.display.end_picture(&mut self.transcript, &mut self.prompt);
            self.display.end_alternate(&mut self.transcript, &mut self.prompt);
            self.transcript.finish();
            self.quiet = Quiet::new(now);
            if let Some(request) = &mut self.request {
                request.goal.is_unsearched = true;
                request.goal.next_check_at = now;
            }
        }
    }

    /// Starts a read of everything that no answer contained yet, and of what arrives until the read ends.
    pub fn begin_read(&mut self, read: Read, now: Instant) {
        self.begin(read, Phase::ReadOnly, now);
    }

    /// Starts a send: the input is written as soon as the program takes it, and the answer is read. The input ends with
    /// its newline.
    pub fn begin_send(&mut self, input: Vec<u8>, read: Read, now: Instant) {
        self.begin(read, Phase::NotWritten(input), now);
    }

    fn begin(&mut self, read: Read, phase: Phase, now: Instant) {
        self.quiet.look_anew();
        let mut skipped_bytes = 0;
        if std::mem::take(&mut self.was_cut) {
            let before = self.transcript.cursor();
            self.transcript.skip();
            skipped_bytes = self.transcript.cursor().saturating_sub(before);
        }
        self.request = Some(Request::new(read, phase, skipped_bytes, now));
    }

    /// The next step. It is requested after every other call, and at the time that [`Step::Wait`] gave.
    pub fn step(&mut self, now: Instant) -> Step {
        self.search(now);
        let is_over = self.is_over();
        let Some(request) = &mut self.request else { return Step::Wait(None) };
        if let Some(reason) = is_over {
            return self.conclude(reason, false, now);
        }
        if matches!(request.phase, Phase::Writing { .. }) {
            return self.wait_until(None, now);
        }
        let before = request.is_before_write();
        let is_spared = request.spares_question();
        let mut read = request.read.clone();
        if matches!(read.until, Until::Now) && !before {
            return self.conclude(Reason::Available, false, now);
        }
        let is_specific = read.until.is_specific() && !before;
        let asks_for_markers = is_specific || matches!(read.until, Until::Ready);
        let place = if asks_for_markers { self.place() } else { Place::Unmarked };
        if is_specific {
            return self.step_specific(&read, self.is_at_given_marker(), now);
        }
        if before {
            // A program that is quiet and may be waiting is sent input.
            read.until = Until::Quiet;
            read.settle = read.quiet;
        }
        // A shell that has said that its command is over is as good as one at a marker.
        let is_over = self.marks.is_over();
        let place_or_mark = if is_over { Place::Marker } else { place };
        let readiness = self.quiet.assess(&read, place_or_mark, now);
        match readiness {
            Readiness::Ready { reason, confirmed } => {
                self.line_is_stable |= reason == Reason::Marker;
                // What is learned, and the word of a shell, end a silence early.
                let is_early = reason == Reason::Marker && !self.is_at_given_marker();
                let reason = if is_early { Reason::Quiet } else { reason };
                // What is idle does not read what would be written.
                let takes_input = before && reason != Reason::Idle && !is_spared;
                // The rows of a picture are no prompts.
                let is_line = self.display.before_cursor().is_none();
                if (confirmed || takes_input) && is_line && self.quiet.waits_for_terminal() {
                    self.prompt.learn(self.transcript.cleaner());
                }
                if takes_input { self.write(now) } else { self.conclude(reason, confirmed, now) }
            }
            Readiness::Look => {
                if place_or_mark == Place::Marker {
                    self.quiet.look_requested();
                }
                self.look(now)
            }
            Readiness::Later(at) => self.wait_until(Some(at), now),
        }
    }

    /// The line up to the cursor.
    fn line_before_cursor(&self) -> Vec<u8> {
        match self.display.before_cursor() {
            Some(row) => row.into_bytes(),
            None => self.transcript.cleaner().before_cursor(MAX_MARKER_BYTES),
        }
    }

    /// Whether the text so far ends within a character or an escape sequence.
    fn is_inside(&self) -> bool {
        self.display.before_cursor().is_none() && self.transcript.cleaner().is_inside()
    }

    /// Whether one of the markers that the owner gave stands before the cursor.
    fn is_at_given_marker(&self) -> bool {
        !self.is_inside() && self.prompt.is_given_at_end(&self.line_before_cursor())
    }

    /// Whether a marker, given or learned, stands before the cursor.
    fn is_at_marker(&self) -> bool {
        !self.is_inside() && self.prompt.is_at_end(&self.line_before_cursor())
    }

    /// What stands before the cursor.
    fn place(&self) -> Place {
        if self.is_at_marker() {
            Place::Marker
        } else if self.prompt.has_given() {
            Place::Unmarked
        } else if self.prompt.has_learned() && prompt::is_blank(&self.line_before_cursor()) {
            Place::Blank
        } else {
            Place::Question
        }
    }

    /// The next step of a read that waits for a text, a pattern, a port or silence. Beside them only the end of the
    /// program, a limit and the knowledge that they cannot come any more end it.
    fn step_specific(&mut self, read: &Read, marker: bool, now: Instant) -> Step {
        let Some(request) = &mut self.request else { return Step::Wait(None) };
        let next_check_at = request.goal.next_check_at;
        match read.until {
            Until::Silence(silence) => {
                let quiet_at = self.quiet.since() + silence;
                if now < quiet_at {
                    return self.wait_until(Some(quiet_at), now);
                }
                return match self.quiet.last_waiting() {
                    None if now < request.deadline || !request.looked_after_deadline => {
                        self.look(now)
                    }
                    waiting => {
                        request.goal.matched = true;
                        self.conclude(Reason::Quiet, waiting == Some(Waiting::Only), now)
                    }
                };
            }
            Until::Port(_) if now >= next_check_at => {
                request.goal.next_check_at = now + PORT_PAUSE;
                return self.look(now);
            }
            _ => {}
        }
        let is_checked_again = request.goal.is_unsearched || matches!(read.until, Until::Port(_));
        match self.quiet.assess_vain(read, marker, now) {
            Readiness::Ready { reason, confirmed } => {
                self.line_is_stable = true;
                self.conclude(reason, confirmed, now)
            }
            Readiness::Look => self.look(now),
            Readiness::Later(at) => {
                let at = if is_checked_again { at.min(next_check_at) } else { at };
                self.wait_until(Some(at), now)
            }
        }
    }

    /// Requests a look, unless the time is up. One look after the deadline is allowed, because the owner may be late.
    fn look(&mut self, now: Instant) -> Step {
        match &mut self.request {
            Some(request) if now < request.deadline || !request.looked_after_deadline => {
                request.look_requested = true;
                Step::Look
            }
            _ => self.wait_until(None, now),
        }
    }

    /// Searches new output for the text or the pattern that the read waits for.
    fn search(&mut self, now: Instant) {
        let Self { request: Some(request), transcript, display, line_is_stable, .. } = self else {
            return;
        };
        request.search(transcript, display, *line_is_stable, now);
    }

    /// Whether what the processes in the foreground do decides whether the read ends, where the program waits for this.
    pub fn needs_activity(&self, waiting: Waiting) -> bool {
        let Some(request) = &self.request else { return false };
        let is_specific = request.read.until.is_specific() && !request.is_before_write();
        let is_ready = match waiting {
            Waiting::Only => true,
            Waiting::Also => self.is_at_marker(),
            Waiting::No | Waiting::Unknown => false,
        };
        is_specific || !is_ready
    }

    /// The port that the current read waits for.
    pub fn awaited_port(&self) -> Option<u16> {
        self.request.as_ref()?.port()
    }

    /// The reason to end the read whatever a look at the kernel would show, if there is one.
    fn is_over(&self) -> Option<Reason> {
        let request = self.request.as_ref()?;
        let is_plain = !request.is_before_write();
        if is_plain && request.goal.matched {
            Some(Reason::Matched)
        } else if is_plain && self.is_over_limit(request) {
            Some(Reason::Limit)
        } else if self.exited {
            Some(Reason::Exited)
        } else {
            None
        }
    }

    /// Whether there is more text than the answer may hold. This costs nothing until there is about that much.
    fn is_over_limit(&self, request: &Request) -> bool {
        let pending = self.transcript.pending_bytes();
        let max = request.read.max_bytes as u64;
        if request.read.keeps_end || pending <= max {
            return false;
        }
        let start = self.transcript.pending_start(request.echo.max_bytes());
        pending - request.echo.length(&start) as u64 > max
    }

    fn wait_until(&mut self, at: Option<Instant>, now: Instant) -> Step {
        let Some(request) = &self.request else { return Step::Wait(None) };
        if now >= request.deadline {
            return self.conclude(Reason::Timeout, false, now);
        }
        Step::Wait(Some(at.map_or(request.deadline, |at| at.min(request.deadline))))
    }

    /// Takes the result of a look that [`Step::Look`] requested.
    pub fn looked(&mut self, look: Look, now: Instant) {
        let Some(request) = &mut self.request else { return };
        request.looked_after_deadline |= now >= request.deadline;
        if let Some(listens) = look.listens {
            request.goal.matched |= listens;
        }
        if !std::mem::take(&mut request.look_requested) {
            return;
        }
        let before = request.is_before_write();
        if now >= self.quiet.since() + request.read.quiet {
            self.waiters.give_up(before);
        }
        let waiting = self.waiters.assess(look);
        // A program that polls with a time limit may write without input, and once a prompt of it is known it is not
        // ready without one.
        let is_loop = look.is_limited && self.prompt.has_learned();
        let waiting = if is_loop && waiting == Waiting::Only { Waiting::Also } else { waiting };
        let was_stable = self.line_is_stable;
        self.line_is_stable = matches!(waiting, Waiting::Only | Waiting::Also);
        // More of the unfinished line may be compared now.
        request.goal.is_unsearched |= self.line_is_stable && !was_stable;
        // A shell that reads its next line waits for nothing else, whatever else wakes its line editor.
        let is_at_line = waiting == Waiting::Also && self.marks.is_reading();
        self.quiet.looked(if is_at_line { Waiting::Only } else { waiting }, now);
        if let Some(activity) = look.activity
            && (waiting == look.waiting || waiting == Waiting::Also)
        {
            self.quiet.sampled(activity, now);
        }
    }

    /// Gives the input to the owner.
    fn write(&mut self, now: Instant) -> Step {
        let Some(request) = &mut self.request else { return Step::Wait(None) };
        let phase = std::mem::replace(&mut request.phase, Phase::Writing { begun: None });
        let Phase::NotWritten(input) = phase else { return Step::Wait(None) };
        self.marks.written(&input, now);
        request.phase = Phase::Writing { begun: Some(input.clone()) };
        self.waiters.written();
        Step::Write(input)
    }

    /// Notes in the transcript that input was given to the owner: the text so far is no part of the answer. This happens
    /// after the owner wrote the first of it, and before anything else, so that the program works meanwhile.
    fn note_input(&mut self) {
        let Some(Request { phase: Phase::Writing { begun }, .. }) = &mut self.request else {
            return;
        };
        let Some(input) = begun.take() else { return };
        if self.is_at_marker() && self.display.end_picture(&mut self.transcript, &mut self.prompt) {
            // A program that reads lines has followed the one that painted.
            self.transcript.skip();
        }
        let Some(request) = &mut self.request else { return };
        request.skipped_bytes += self.transcript.fresh(true).text.len() as u64;
        let prompt = self.transcript.cleaner().current();
        let by = request.echo.by;
        request.echo = Echo::new(self.transcript.redactor(), &prompt, &input);
        (request.echo.by, request.echo.is_painted) = (by, self.marks.is_echo);
        self.transcript.end_line_of_program();
        self.prompt.forget();
        (self.line_is_stable, self.onlookers.line_is_shown) = (false, false);
    }

    /// Says who echoes the input of [`Step::Write`] on the terminal. It has to be called before the input is written;
    /// otherwise no echo is expected.
    pub fn shown(&mut self, by: Shown) {
        if let Some(request) = &mut self.request {
            request.echo.by = by;
        }
    }

    /// Says that the input of [`Step::Write`] is written.
    pub fn written(&mut self, now: Instant) {
        self.note_input();
        if let Some(request) = &mut self.request
            && matches!(request.phase, Phase::Writing { .. })
        {
            request.phase = Phase::Sent;
            self.quiet = Quiet::new(now);
        }
    }

    /// Says that something else will be written, such as a key, to a program at which this look was taken. `ends_line`: whether
    /// whoever reads the terminal gets it, because the last of it ends a line.
    pub fn touching(&mut self, look: Look, ends_line: bool) {
        self.waiters.touched(look, ends_line);
    }

    /// Says that it was written. Silence starts anew.
    pub fn touched(&mut self, now: Instant) {
        self.marks.touched(now);
        self.quiet = Quiet::new(now);
    }

    /// Ends the current read as if its time were up.
    pub fn cancel(&mut self, now: Instant) -> Option<Answer> {
        self.answer(Reason::Timeout, false, now)
    }

    fn conclude(&mut self, reason: Reason, confirmed: bool, now: Instant) -> Step {
        self.answer(reason, confirmed, now).map_or(Step::Wait(None), Step::Done)
    }

    fn answer(&mut self, mut reason: Reason, confirmed: bool, now: Instant) -> Option<Answer> {
        self.note_input();
        let request = self.request.take()?;
        let is_sent = matches!(request.phase, Phase::Writing { .. } | Phase::Sent);
        let is_plain_read = matches!(request.phase, Phase::ReadOnly);
        // Before a send is written, the end of an earlier command belongs to a later read.
        let command = (is_sent || is_plain_read).then(|| self.marks.take(is_sent, now)).flatten();
        let from = self.transcript.cursor();
        let mut fresh = self.transcript.fresh(self.line_is_stable);
        if fresh.dropped_bytes == 0 {
            fresh.text.drain(..request.echo.length(&fresh.text));
        }
        self.transcript.mark_reported(&mut fresh);
        let mut text = self.transcript.masked(fresh.text, from);
        let mut omitted_bytes = fresh.dropped_bytes;
        let cut_bytes = request.read.shorten(&mut text);
        omitted_bytes += cut_bytes;
        if cut_bytes > 0 && !request.read.keeps_end {
            reason = Reason::Limit;
        }
        self.was_cut = reason == Reason::Limit;
        let screen = self.display.screen(self.transcript.redactor());
        let masked_on_screen = screen.as_ref().map_or(0, |screen| screen.redactions);
        Some(Answer {
            matched: request.read.until.is_specific().then_some(request.goal.matched),
            redactions: find_masks(text.as_bytes()).len() as u64 + masked_on_screen,
            text,
            reason,
            confirmed: confirmed && reason != Reason::Limit,
            command,
            sent: is_sent,
            skipped_bytes: request.skipped_bytes,
            omitted_bytes,
            screen,
            question: None,
            cursor: self.transcript.cursor(),
        })
    }

    /// The text that is kept from a position on, or all of it.
    pub fn history(&self, since: Option<u64>) -> History {
        self.transcript.history(since, self.line_is_stable)
    }

    /// Whether a read or send is running.
    pub fn is_busy(&self) -> bool {
        self.request.is_some()
    }

    /// The position of the history's end.
    pub fn end(&self) -> u64 {
        self.transcript.end(self.line_is_stable)
    }
}
