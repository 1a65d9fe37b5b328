//! One program on one terminal, and the read or send that goes on.

use std::time::Instant;

use handrail_redact::{Redactor, find_masks};

use crate::echo::{Echo, Shown};
use crate::prompt::Prompt;
use crate::read::{Answer, History, Look, Read, Reason, Step, Until, Waiting};
use crate::settings::Settings;
use crate::transcript::Transcript;
use crate::verdict::{Quiet, Verdict, Waiters};

/// Knows when the answer to an input is over. Only one read or send goes on at a time; the owner refuses a second.
pub struct Session {
    transcript: Transcript,
    prompt: Prompt,
    quiet: Quiet,
    waiters: Waiters,
    /// Nothing was written since a look that found the program waiting: its line stands as it is.
    stands: bool,
    exited: bool,
    /// The last answer was cut: what came behind it is in no answer.
    cut: bool,
    request: Option<Request>,
}

/// The read or send that goes on.
struct Request {
    read: Read,
    deadline: Instant,
    phase: Phase,
    /// A look was asked for, and nothing came since.
    looking: bool,
    /// There was a look at or behind the deadline. One is allowed: the owner may be late.
    looked_late: bool,
    echo: Echo,
    skipped_bytes: u64,
}

enum Phase {
    /// Waits until the program takes this input.
    Before(Vec<u8>),
    /// The input is being written, which takes the program if it is long.
    Writing,
    /// After a send.
    Sent,
    /// Without one.
    Plain,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Neither text nor input belongs in a log.
        formatter.debug_struct("Session").field("exited", &self.exited).finish_non_exhaustive()
    }
}

impl Session {
    /// A session whose program has just been started.
    pub fn new(redactor: &Redactor, settings: Settings, now: Instant) -> Self {
        Self {
            transcript: Transcript::new(redactor, settings),
            prompt: Prompt::default(),
            quiet: Quiet::new(now),
            waiters: Waiters::default(),
            stands: false,
            exited: false,
            cut: false,
            request: None,
        }
    }

    /// Replaces the markers. The caller has refused empty ones, and more or longer ones than [`crate::MAX_MARKERS`] and
    /// [`crate::MAX_MARKER_BYTES`] allow: those are left out.
    pub fn set_markers(&mut self, markers: Vec<String>) {
        self.prompt.set(markers);
    }

    /// Takes what was read from the terminal.
    pub fn output(&mut self, raw: &[u8], now: Instant) {
        if raw.is_empty() || self.exited {
            return;
        }
        self.transcript.push(raw, &mut self.prompt);
        self.quiet = Quiet::new(now);
        self.stands = false;
        if let Some(request) = &mut self.request {
            request.looking = false;
        }
    }

    /// Nothing will come any more.
    pub fn exited(&mut self, now: Instant) {
        if !self.exited {
            self.exited = true;
            self.transcript.finish();
            self.quiet = Quiet::new(now);
        }
    }

    /// Asks for everything that was not given yet, and what comes until the read is over.
    pub fn begin_read(&mut self, read: Read, now: Instant) {
        self.begin(read, Phase::Plain, now);
    }

    /// Sends input as soon as the program takes it, and asks for what it answers. The input ends with its newline.
    pub fn begin_send(&mut self, input: Vec<u8>, read: Read, now: Instant) {
        self.begin(read, Phase::Before(input), now);
    }

    fn begin(&mut self, read: Read, phase: Phase, now: Instant) {
        self.quiet.look_anew();
        let mut skipped_bytes = 0;
        if std::mem::take(&mut self.cut) {
            let before = self.transcript.cursor();
            self.transcript.skip();
            skipped_bytes = self.transcript.cursor().saturating_sub(before);
        }
        self.request = Some(Request {
            read,
            deadline: now + read.timeout,
            phase,
            looking: false,
            looked_late: false,
            echo: Echo::default(),
            skipped_bytes,
        });
    }

    /// What to do next. To be asked after every other call, and at the time that [`Step::Wait`] named.
    pub fn step(&mut self, now: Instant) -> Step {
        let is_over = self.is_over();
        let Some(request) = &mut self.request else { return Step::Wait(None) };
        if let Some(reason) = is_over {
            return self.conclude(reason, false);
        }
        if matches!(request.phase, Phase::Writing) {
            return self.wait_until(None, now);
        }
        let before = matches!(request.phase, Phase::Before(_));
        let mut read = request.read;
        if read.until == Until::Now && !before {
            return self.conclude(Reason::Available, false);
        }
        let markers = read.until == Until::Ready && self.prompt.has_markers();
        let marker = markers && self.prompt.is_at_end(self.transcript.cleaner());
        if before || !markers {
            // Where there are no markers, and before a send, whoever is quiet and may be waiting is ready.
            read.until = Until::Quiet;
        }
        if before {
            read.settle = read.quiet;
        }
        let verdict = self.quiet.judge(&read, marker, now);
        match verdict {
            Verdict::Ready { reason, confirmed } => {
                self.stands |= reason == Reason::Marker;
                if before { self.write() } else { self.conclude(reason, confirmed) }
            }
            Verdict::Look if now < request.deadline || !request.looked_late => {
                request.looking = true;
                Step::Look
            }
            Verdict::Look => self.wait_until(None, now),
            Verdict::Later(at) => self.wait_until(Some(at), now),
        }
    }

    /// What no look can change.
    fn is_over(&self) -> Option<Reason> {
        let request = self.request.as_ref()?;
        let is_plain = !matches!(request.phase, Phase::Before(_));
        if is_plain && self.is_beyond(request) {
            Some(Reason::Limit)
        } else if self.exited {
            Some(Reason::Exited)
        } else {
            None
        }
    }

    /// Whether there is more than the answer may hold. Costs nothing before there is about that much.
    fn is_beyond(&self, request: &Request) -> bool {
        let untold = self.transcript.untold_bytes();
        let max = request.read.max_bytes as u64;
        if untold <= max {
            return false;
        }
        let start = self.transcript.untold_start(request.echo.max_bytes());
        untold - request.echo.length(&start) as u64 > max
    }

    fn wait_until(&mut self, at: Option<Instant>, now: Instant) -> Step {
        let Some(request) = &self.request else { return Step::Wait(None) };
        if now >= request.deadline {
            return self.conclude(Reason::Timeout, false);
        }
        Step::Wait(Some(at.map_or(request.deadline, |at| at.min(request.deadline))))
    }

    /// What a look saw that [`Step::Look`] asked for.
    pub fn looked(&mut self, look: Look, now: Instant) {
        let Some(request) = &mut self.request else { return };
        if !std::mem::take(&mut request.looking) {
            return;
        }
        request.looked_late |= now >= request.deadline;
        let before = matches!(request.phase, Phase::Before(_));
        if before && now >= self.quiet.since() + request.read.quiet {
            self.waiters.give_up();
        }
        let waiting = self.waiters.judge(look);
        self.stands = matches!(waiting, Waiting::Only | Waiting::Also);
        self.quiet.looked(waiting, now);
    }

    /// Hands out the input. What stands in the transcript is no part of the answer.
    fn write(&mut self) -> Step {
        let Some(request) = &mut self.request else { return Step::Wait(None) };
        let phase = std::mem::replace(&mut request.phase, Phase::Writing);
        let Phase::Before(input) = phase else { return Step::Wait(None) };
        request.skipped_bytes += self.transcript.fresh(true).text.len() as u64;
        let prompt = self.transcript.cleaner().current();
        request.echo = Echo::new(self.transcript.redactor(), &prompt, &input);
        self.transcript.end_line();
        self.prompt.forget();
        self.waiters.written();
        self.stands = false;
        Step::Write(input)
    }

    /// Who shows the input that [`Step::Write`] gave on the terminal. To be told before it is written; else nobody does.
    pub fn shown(&mut self, by: Shown) {
        if let Some(request) = &mut self.request {
            request.echo.by = by;
        }
    }

    /// The input that [`Step::Write`] gave is written.
    pub fn written(&mut self, now: Instant) {
        if let Some(request) = &mut self.request
            && matches!(request.phase, Phase::Writing)
        {
            request.phase = Phase::Sent;
            self.quiet = Quiet::new(now);
        }
    }

    /// Something was written beside a send, such as a key: quiet begins anew.
    pub fn touched(&mut self, now: Instant) {
        self.quiet = Quiet::new(now);
    }

    /// Ends the read that goes on, as if its time were up.
    pub fn cancel(&mut self) -> Option<Answer> {
        self.answer(Reason::Timeout, false)
    }

    fn conclude(&mut self, reason: Reason, confirmed: bool) -> Step {
        self.answer(reason, confirmed).map_or(Step::Wait(None), Step::Done)
    }

    fn answer(&mut self, mut reason: Reason, confirmed: bool) -> Option<Answer> {
        let request = self.request.take()?;
        let from = self.transcript.cursor();
        let mut fresh = self.transcript.fresh(self.stands);
        if fresh.dropped == 0 {
            fresh.text.drain(..request.echo.length(&fresh.text));
        }
        self.transcript.tell(&mut fresh);
        let mut text = self.transcript.masked(fresh.text, from);
        let mut omitted_bytes = fresh.dropped;
        if text.len() > request.read.max_bytes {
            let end = floor_char_boundary(&text, request.read.max_bytes);
            omitted_bytes += (text.len() - end) as u64;
            text.truncate(end);
            reason = Reason::Limit;
        }
        self.cut = reason == Reason::Limit;
        Some(Answer {
            redactions: find_masks(text.as_bytes()).len() as u64,
            text,
            reason,
            confirmed: confirmed && reason != Reason::Limit,
            sent: matches!(request.phase, Phase::Writing | Phase::Sent),
            skipped_bytes: request.skipped_bytes,
            omitted_bytes,
            cursor: self.transcript.cursor(),
        })
    }

    /// What is kept of the text from a place on, or all of it.
    pub fn history(&self, since: Option<u64>) -> History {
        self.transcript.history(since, self.stands)
    }

    /// Whether a read or send goes on.
    pub fn is_busy(&self) -> bool {
        self.request.is_some()
    }

    /// Where the history ends now.
    pub fn end(&self) -> u64 {
        self.transcript.end(self.stands)
    }
}

/// The last border of a character that is at most `index`.
fn floor_char_boundary(text: &str, index: usize) -> usize {
    (0..=index.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}
