//! Those who look on: each is given what the terminal shows, at its own pace, and no read misses anything for that.

use std::time::{Duration, Instant};

use crate::display::Screen;
use crate::session::Session;
use crate::transcript::Delivered;

/// Most onlookers of one session.
pub const MAX_ONLOOKERS: usize = 8;

/// A picture is shown after a pause this long: before that, a program may still be painting it.
const PICTURE_SETTLE: Duration = Duration::from_millis(20);
/// A picture that never rests is shown after this time.
const MAX_PICTURE_AGE: Duration = Duration::from_millis(200);

/// The onlookers of a session.
#[derive(Debug, Default)]
pub(crate) struct Onlookers {
    list: Vec<Onlooker>,
    /// How many there were.
    count: u64,
    /// Whether the unfinished line will not change, as far as onlookers rely on it.
    pub(crate) line_is_shown: bool,
}

/// Somebody who looks on.
#[derive(Debug)]
struct Onlooker {
    number: u64,
    delivered: Delivered,
    /// How many characters the cursor was left of the end of the unfinished line.
    back: usize,
    /// The version of the picture that was delivered, if one was.
    picture: Option<u64>,
    /// Since when there is a newer one.
    outdated_since: Option<Instant>,
}

/// What is new to an onlooker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glimpse {
    /// Cleaned and masked.
    pub text: String,
    /// Whether the text begins with the unfinished line that was delivered before, which has changed.
    pub replaces_line: bool,
    /// How many characters the cursor is left of the text's end.
    pub back: usize,
    /// The picture of a full-screen program.
    pub screen: Option<Screen>,
    /// Whether output is a picture now. The last one was delivered already where there is none in `screen`.
    pub is_painted: bool,
    /// The number of bytes before the text that the history dropped.
    pub skipped_bytes: u64,
    /// The position in the history of the text's end.
    pub cursor: u64,
}

impl Session {
    /// Adds an onlooker, who is given the text from a position on, and from the unfinished line on by default. `None` where
    /// there are [`MAX_ONLOOKERS`].
    pub fn add_onlooker(&mut self, since: Option<u64>) -> Option<u64> {
        if self.onlookers.list.len() >= MAX_ONLOOKERS {
            return None;
        }
        self.onlookers.count += 1;
        let number = self.onlookers.count;
        let end = self.transcript.finished();
        let delivered = Delivered { to: since.unwrap_or(end).min(end), line: Vec::new() };
        let (back, picture, outdated_since) = (0, None, None);
        self.onlookers.list.push(Onlooker { number, delivered, back, picture, outdated_since });
        Some(number)
    }

    /// Removes an onlooker.
    pub fn remove_onlooker(&mut self, number: u64) {
        self.onlookers.list.retain(|onlooker| onlooker.number != number);
    }

    /// Whether a part of the unfinished line is held back from onlookers until the program is known to wait.
    pub fn is_holding_line(&self) -> bool {
        !self.is_line_whole()
            && self.display.before_cursor().is_none()
            && self.transcript.is_holding()
    }

    /// Says that the program waits for its terminal, and has written nothing since it began to: the unfinished line is
    /// shown to onlookers. Reads do not rely on this.
    pub fn shows_line(&mut self) {
        self.onlookers.line_is_shown = true;
    }

    fn is_line_whole(&self) -> bool {
        self.line_is_stable || self.onlookers.line_is_shown
    }

    /// When a picture is shown that an onlooker does not know yet: now, or later where it may still be painted. `None`
    /// where there is none.
    pub fn picture_due(&mut self, number: u64, now: Instant) -> Option<Instant> {
        let version = self.display.picture()?;
        let onlooker = self.onlookers.list.iter_mut().find(|onlooker| onlooker.number == number)?;
        if onlooker.picture == Some(version) {
            return None;
        }
        let since = *onlooker.outdated_since.get_or_insert(now);
        if self.exited {
            return Some(now);
        }
        Some((self.quiet.since() + PICTURE_SETTLE).min(since + MAX_PICTURE_AGE))
    }

    /// Whether there is something new to an onlooker. To one that was removed, everything is.
    pub fn has_news(&mut self, number: u64, now: Instant) -> bool {
        if self.picture_due(number, now).is_some_and(|at| at <= now) {
            return true;
        }
        let Some(onlooker) = self.onlookers.list.iter().find(|onlooker| onlooker.number == number)
        else {
            return true;
        };
        let has_ended = onlooker.picture.is_some() && self.display.picture().is_none();
        has_ended || self.news(onlooker).is_some()
    }

    /// What is new to an onlooker, up to this many bytes of text; `None` where nothing is.
    pub fn glimpse(&mut self, number: u64, max_bytes: usize, now: Instant) -> Option<Glimpse> {
        let is_due = self.picture_due(number, now).is_some_and(|at| at <= now);
        let at = self.onlookers.list.iter().position(|onlooker| onlooker.number == number)?;
        let picture = self.display.picture();
        let has_ended = self.onlookers.list[at].picture.is_some() && picture.is_none();
        let news = self.news(&self.onlookers.list[at]);
        if !is_due && !has_ended && news.is_none() {
            return None;
        }
        let screen = is_due.then(|| self.display.screen(self.transcript.redactor())).flatten();
        let mut onlooker = self.onlookers.list.swap_remove(at);
        if is_due || has_ended {
            onlooker.picture = picture;
            onlooker.outdated_since = None;
        }
        let mut glimpse = Glimpse {
            text: String::new(),
            replaces_line: false,
            back: 0,
            screen,
            is_painted: picture.is_some(),
            skipped_bytes: 0,
            cursor: onlooker.delivered.position(),
        };
        if let Some(News { mut text, delivered, replaces_line, skipped_bytes, back }) = news {
            let (mut delivered, mut back) = (delivered, back);
            // Where the line only goes on, the text is a part of it.
            let finished = text.len().saturating_sub(delivered.line.len());
            if finished > max_bytes {
                let is_boundary = |at: &usize| text[*at] & 0xc0 != 0x80;
                text.truncate((0..=max_bytes).rev().find(is_boundary).unwrap_or(0));
                let to = delivered.to - (finished - text.len()) as u64;
                delivered = Delivered { to, line: Vec::new() };
                back = 0;
            }
            let from = delivered.position() - text.len() as u64;
            glimpse.text = self.transcript.masked(text, from);
            (glimpse.replaces_line, glimpse.back) = (replaces_line, back);
            (glimpse.skipped_bytes, glimpse.cursor) = (skipped_bytes, delivered.position());
            (onlooker.delivered, onlooker.back) = (delivered, back);
        }
        self.onlookers.list.push(onlooker);
        Some(glimpse)
    }

    fn news(&self, onlooker: &Onlooker) -> Option<News> {
        let is_whole = self.is_line_whole();
        let fresh = self.transcript.fresh_after(&onlooker.delivered, is_whole);
        let skipped_bytes = fresh.dropped_bytes;
        let back = if is_whole { self.transcript.characters_after_cursor() } else { 0 };
        if !fresh.text.is_empty() || skipped_bytes > 0 {
            let (text, delivered) = (fresh.text, fresh.delivered);
            let replaces_line = fresh.has_changed;
            return Some(News { text, delivered, replaces_line, skipped_bytes, back });
        }
        // A line that is not held back has become shorter, or the cursor has moved.
        let delivered = &onlooker.delivered;
        if !is_whole || delivered.to < self.transcript.finished() {
            return None;
        }
        let line = self.transcript.unfinished(true);
        if line == delivered.line && back == onlooker.back {
            return None;
        }
        let delivered = Delivered { to: delivered.to, line: line.clone() };
        Some(News { text: line, delivered, replaces_line: true, skipped_bytes, back })
    }
}

/// Text that is new to an onlooker.
struct News {
    text: Vec<u8>,
    delivered: Delivered,
    replaces_line: bool,
    skipped_bytes: u64,
    back: usize,
}
