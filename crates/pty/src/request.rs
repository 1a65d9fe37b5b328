//! The current read or send of a session.

use std::time::{Duration, Instant};

use crate::awaited::{Needle, Search};
use crate::display::Display;
use crate::echo::Echo;
use crate::read::{Read, Until};
use crate::transcript::Transcript;

/// The pause between two checks for a port.
pub(crate) const PORT_PAUSE: Duration = Duration::from_millis(50);
/// The pause between two searches of the output: a program may write it in tiny pieces.
const SEARCH_PAUSE: Duration = Duration::from_millis(5);

/// The current read or send.
pub(crate) struct Request {
    pub(crate) read: Read,
    pub(crate) deadline: Instant,
    pub(crate) phase: Phase,
    /// Whether a look was requested, and no output arrived since.
    pub(crate) look_requested: bool,
    /// Whether there was a look at or after the deadline. One such look is allowed, because the owner may be late.
    pub(crate) looked_after_deadline: bool,
    pub(crate) echo: Echo,
    pub(crate) skipped_bytes: u64,
    pub(crate) goal: Goal,
    /// Whether what would be written now would be read without echo.
    pub(crate) is_unechoed: bool,
}

/// How far the read has come with the text, the pattern, the port or the silence that it waits for.
pub(crate) struct Goal {
    search: Search,
    /// Whether there is output that was not searched.
    pub(crate) is_unsearched: bool,
    /// The time of the next search, or of the next check for a port.
    pub(crate) next_check_at: Instant,
    /// Whether it came.
    pub(crate) matched: bool,
}

pub(crate) enum Phase {
    /// It waits until the program takes this input.
    NotWritten(Vec<u8>),
    /// The input is being written. A long input is written only as the program takes it. `begun` is the input until the
    /// transcript knows of it.
    Writing { begun: Option<Vec<u8>> },
    /// The input was written.
    Sent,
    /// It is a read, without input.
    ReadOnly,
}

impl Request {
    pub(crate) fn new(read: Read, phase: Phase, skipped_bytes: u64, now: Instant) -> Self {
        Self {
            deadline: now + read.timeout,
            read,
            phase,
            look_requested: false,
            looked_after_deadline: false,
            echo: Echo::default(),
            skipped_bytes,
            goal: Goal {
                search: Search::default(),
                is_unsearched: true,
                next_check_at: now,
                matched: false,
            },
            is_unechoed: false,
        }
    }

    /// Whether the input of a send is held back, because the program asks for a password.
    pub(crate) fn spares_question(&self) -> bool {
        self.read.spares_questions && self.is_unechoed
    }

    /// Whether the input of a send waits until the program takes it.
    pub(crate) fn is_before_write(&self) -> bool {
        matches!(self.phase, Phase::NotWritten(_))
    }

    /// The port that is waited for now.
    pub(crate) fn port(&self) -> Option<u16> {
        match self.read.until {
            Until::Port(port) if !self.is_before_write() => Some(port),
            _ => None,
        }
    }

    /// Searches new output for the text or the pattern that is waited for.
    pub(crate) fn search(
        &mut self,
        transcript: &Transcript,
        display: &Display,
        line_is_stable: bool,
        now: Instant,
    ) {
        let needle = match &self.read.until {
            Until::Text(text) => Needle::Text(text),
            Until::Pattern(pattern) => Needle::Pattern(pattern),
            _ => return,
        };
        let is_due = now >= self.goal.next_check_at || now >= self.deadline;
        if self.is_before_write() || !self.goal.is_unsearched || !is_due {
            return;
        }
        self.goal.is_unsearched = false;
        self.goal.next_check_at = now + SEARCH_PAUSE;
        // A picture has no output that is new: what counts is whether the text is shown.
        self.goal.matched |=
            display.screen(transcript.redactor()).is_some_and(|screen| needle.is_in(&screen.text));
        self.goal.matched |= self.goal.search.find(needle, transcript, &self.echo, line_is_stable);
    }
}
