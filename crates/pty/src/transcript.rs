//! Everything that the terminal showed, cleaned and masked, and how much of it answers have contained.

use handrail_redact::{Cut, LastWord, RedactStream, Redactor, find_masks};
use handrail_text::Cleaner;

use crate::prompt::Prompt;
use crate::read::History;
use crate::ring::RingBuffer;
use crate::settings::Settings;

/// The largest number of bytes of an unfinished character.
const MAX_CHARACTER_BYTES: usize = 4;

/// The text of a session. Finished text is in `ring`, unfinished text in `cleaner` and `redaction`.
pub(crate) struct Transcript {
    columns: usize,
    redactor: Redactor,
    cleaner: Cleaner,
    redaction: RedactStream,
    ring: RingBuffer,
    /// The generation of `redactor` when the newest text was recorded.
    generation: u64,
    /// Text before this position was recorded before a secret was added. It is masked again when it is delivered.
    stale_end: u64,
    /// What was delivered or skipped by answers.
    reported: Delivered,
}

/// How much of a text was delivered.
#[derive(Clone, Debug, Default)]
pub(crate) struct Delivered {
    /// The position up to which all text was.
    pub(crate) to: u64,
    /// Text from that position on that was also delivered, as it was then. Mostly it is a prompt, whose line had not
    /// ended.
    pub(crate) line: Vec<u8>,
}

impl Delivered {
    /// The position of its end.
    pub(crate) fn position(&self) -> u64 {
        self.to + self.line.len() as u64
    }
}

/// Text that was not delivered yet.
pub(crate) struct Fresh {
    /// The text as it was recorded: a secret that was added later is not masked.
    pub(crate) text: Vec<u8>,
    /// Whether the text begins with the unfinished line that was delivered, which has changed since.
    pub(crate) has_changed: bool,
    /// The number of bytes that the ring dropped before they were delivered.
    pub(crate) dropped_bytes: u64,
    /// What is delivered after this text is.
    pub(crate) delivered: Delivered,
}

impl Transcript {
    pub(crate) fn new(redactor: &Redactor, settings: Settings) -> Self {
        Self {
            columns: settings.columns,
            redactor: redactor.clone(),
            cleaner: Cleaner::with_columns(settings.columns),
            redaction: redactor.stream(),
            ring: RingBuffer::new(settings.history_bytes),
            generation: redactor.generation(),
            stale_end: 0,
            reported: Delivered::default(),
        }
    }

    pub(crate) fn push(&mut self, raw: &[u8], prompt: &mut Prompt) {
        self.refresh();
        let Self { cleaner, redaction, ring, .. } = self;
        cleaner.push(raw, &mut |text: &[u8]| {
            prompt.push(text);
            redaction.push(text, &mut |masked: &[u8]| ring.push(masked));
        });
    }

    /// Finishes the text, because no more output will arrive.
    pub(crate) fn finish(&mut self) {
        self.refresh();
        let Self { cleaner, redaction, ring, .. } = self;
        let mut keep = |masked: &[u8]| ring.push(masked);
        cleaner.finish(&mut |text: &[u8]| redaction.push(text, &mut keep));
        redaction.finish_cut(&mut keep);
    }

    /// Ends the line because input follows: what the program writes next is on a new line, and the text so far counts
    /// as delivered. Redaction continues, because a pager may be in the middle of a private key.
    pub(crate) fn end_line(&mut self) {
        self.break_line(false);
    }

    /// The same where the program waits for that input. After a line that ends in a mask the redactor is told of no new
    /// line: what the program writes next may be the rest of that secret.
    pub(crate) fn end_line_of_program(&mut self) {
        let line = self.unfinished(true);
        self.break_line(find_masks(&line).last().is_some_and(|mask| mask.end == line.len()));
    }

    fn break_line(&mut self, is_open: bool) {
        self.refresh();
        let Self { cleaner, redaction, ring, .. } = self;
        cleaner.end_line(&mut |text: &[u8]| {
            let text = text.strip_suffix(b"\n").filter(|_| is_open).unwrap_or(text);
            redaction.push(text, &mut |masked: &[u8]| ring.push(masked));
        });
        self.skip();
        if is_open {
            self.reported.line = self.unfinished(true);
        }
    }

    /// Ends the last line of a command where the shell has marked that the line had no end: zsh and fish write a mark and fill
    /// the row with blanks, so that the prompt begins in the next row.
    pub(crate) fn end_padded_line(&mut self, prompt: &mut Prompt) {
        let Some(mut line) = padded_line(&self.cleaner, self.columns) else { return };
        line.push('\n');
        self.refresh();
        let Self { cleaner, redaction, ring, .. } = self;
        cleaner.end_line(&mut |_: &[u8]| {});
        prompt.push(line.as_bytes());
        redaction.push(line.as_bytes(), &mut |masked: &[u8]| ring.push(masked));
    }

    /// Counts all text so far as delivered.
    pub(crate) fn skip(&mut self) {
        let line = self.redaction.peek(&self.cleaner.current());
        self.reported = Delivered { to: self.ring.end(), line };
    }

    pub(crate) fn cleaner(&self) -> &Cleaner {
        &self.cleaner
    }

    /// The position up to which text was delivered.
    pub(crate) fn cursor(&self) -> u64 {
        self.reported.position()
    }

    /// The number of finished bytes that were not delivered yet.
    pub(crate) fn pending_bytes(&self) -> u64 {
        self.ring.end().saturating_sub(self.cursor())
    }

    /// The first finished bytes that were not delivered yet. Empty if the unfinished line that was delivered has
    /// changed since.
    pub(crate) fn pending_start(&self, limit: usize) -> Vec<u8> {
        let Delivered { to, line } = &self.reported;
        let mut start = self.ring.copy(*to, line.len() + limit);
        if *to >= self.ring.start() && start.starts_with(line) {
            start.drain(..line.len());
            start
        } else {
            Vec::new()
        }
    }

    /// The position of the end of the finished text.
    pub(crate) fn finished(&self) -> u64 {
        self.ring.end()
    }

    /// The text after `resume_at` that was not delivered yet, and its position.
    pub(crate) fn unreported(&self, resume_at: u64, whole: bool) -> (u64, Vec<u8>) {
        let Delivered { to, line } = &self.reported;
        let from = resume_at.max(*to).max(self.ring.start());
        let from = from.min(self.ring.end().max(*to));
        let mut text = self.text_from(from, whole);
        if from == *to && text.starts_with(line) {
            text.drain(..line.len());
            return (self.cursor(), text);
        }
        (from, text)
    }

    /// Notes when secrets were added: the text before is not masked with them, the text after is.
    fn refresh(&mut self) {
        let latest = self.redactor.generation();
        if latest != self.generation {
            self.generation = latest;
            self.stale_end = self.ring.end();
        }
    }

    /// The unfinished text. `whole` says that the line will not change, because the program waits. Otherwise only the
    /// part is returned that is not masked however the line ends.
    pub(crate) fn unfinished(&self, whole: bool) -> Vec<u8> {
        if whole {
            // What looks like the beginning of a known value may be one: its rest may arrive with the next output.
            return self.redaction.peek(&self.cleaner.current());
        }
        self.redaction.paused(self.cleaner.unfinished(), LastWord::Held)
    }

    /// The text from a position on, to its end.
    fn text_from(&self, from: u64, whole: bool) -> Vec<u8> {
        self.text_with(from, &self.unfinished(whole))
    }

    /// The finished text from a position on, and after it this unfinished text.
    fn text_with(&self, from: u64, unfinished: &[u8]) -> Vec<u8> {
        let mut text = self.ring.copy(from, usize::MAX);
        if unfinished.is_empty() {
            // Redaction may cut a long line inside a character, whose rest arrives later.
            text.truncate(text.len() - incomplete(&text));
        }
        text.extend_from_slice(unfinished);
        text
    }

    /// The text that no answer had yet. A line that has changed since it was delivered comes again, on a new line.
    pub(crate) fn fresh(&self, whole: bool) -> Fresh {
        let mut fresh = self.fresh_after(&self.reported, whole);
        if fresh.has_changed {
            fresh.text.insert(0, b'\n');
        }
        fresh
    }

    /// The text that is new to somebody to whom this much was delivered.
    pub(crate) fn fresh_after(&self, delivered: &Delivered, whole: bool) -> Fresh {
        let Delivered { to, line } = delivered;
        let start = self.ring.start();
        let unfinished = self.unfinished(whole);
        let text = self.text_with(*to, &unfinished);
        if *to < start {
            let dropped_bytes = (start - to).saturating_sub(line.len() as u64);
            return Fresh { dropped_bytes, ..self.fresh_at(text, start, unfinished) };
        }
        if line.starts_with(&text) {
            let delivered = delivered.clone();
            return Fresh { text: Vec::new(), has_changed: false, dropped_bytes: 0, delivered };
        }
        if let Some(more) = text.strip_prefix(line.as_slice()) {
            let more = more.to_vec();
            return Fresh { text: more, ..self.fresh_at(text, *to, unfinished) };
        }
        let same = line.iter().zip(&text).take_while(|(delivered, now)| delivered == now).count();
        let again = text[..same].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let again = text[again..].to_vec();
        Fresh { text: again, has_changed: true, ..self.fresh_at(text, *to, unfinished) }
    }

    /// All of `text`, which begins at `start`, and what is delivered after it is.
    fn fresh_at(&self, text: Vec<u8>, start: u64, unfinished: Vec<u8>) -> Fresh {
        let to = start + (text.len() - unfinished.len()) as u64;
        let delivered = Delivered { to: to.min(self.ring.end()), line: unfinished };
        Fresh { text, has_changed: false, dropped_bytes: 0, delivered }
    }

    /// Counts this text as delivered.
    pub(crate) fn mark_reported(&mut self, fresh: &mut Fresh) {
        self.reported = std::mem::take(&mut fresh.delivered);
    }

    /// Whether the unfinished line has a part that is shown only when the line will not change.
    pub(crate) fn is_holding(&self) -> bool {
        let line = self.cleaner.unfinished();
        line.len() < self.cleaner.current().len() || self.redaction.showable(line) < line.len()
    }

    /// How many characters of the unfinished line stand after the cursor.
    pub(crate) fn characters_after_cursor(&self) -> usize {
        let count = |text: Vec<u8>| String::from_utf8_lossy(&text).chars().count();
        let line = self.cleaner.current();
        count(line).saturating_sub(count(self.cleaner.before_cursor(usize::MAX)))
    }

    /// Whether text from `from` on may contain secrets that were added since it was recorded.
    pub(crate) fn is_stale(&self, from: u64) -> bool {
        from < self.stale_end || self.redactor.generation() != self.generation
    }

    /// The text that begins at `from`, masked as it may be delivered.
    pub(crate) fn masked(&self, text: Vec<u8>, from: u64) -> String {
        let cut = Cut { start: from > 0, end: true };
        let again = self.is_stale(from).then(|| self.redactor.redact_cut(&text, cut)).flatten();
        let text = again.unwrap_or(text);
        String::from_utf8(text)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }

    pub(crate) fn redactor(&self) -> &Redactor {
        &self.redactor
    }

    pub(crate) fn end(&self, whole: bool) -> u64 {
        self.ring.end() + self.unfinished(whole).len() as u64
    }

    pub(crate) fn history(&self, since: Option<u64>, whole: bool) -> History {
        let requested_start = since.unwrap_or(0);
        let start = self.ring.start();
        let mut text = self.text_from(start, whole);
        let end = start + text.len() as u64;
        let skipped_bytes =
            usize::try_from(requested_start.saturating_sub(start)).unwrap_or(usize::MAX);
        let mut skip = skipped_bytes.min(text.len());
        while text.get(skip).is_some_and(|byte| byte & 0xc0 == 0x80) {
            skip += 1;
        }
        text.drain(..skip);
        let start = start + skip as u64;
        let dropped_bytes = self.ring.start().saturating_sub(requested_start);
        History { text: self.masked(text, start), start, end, dropped_bytes }
    }
}

/// What fish writes after a line that had no end. It writes the mark again in the next row, and erases that.
const FISH_MARK: char = '⏎';

/// The text of the current line before a mark and the blanks that fill the rest of a row; `None` where it is not filled.
fn padded_line(cleaner: &Cleaner, columns: usize) -> Option<String> {
    let line = String::from_utf8_lossy(&cleaner.current()).into_owned();
    let cursor = String::from_utf8_lossy(&cleaner.before_cursor(usize::MAX)).chars().count();
    let text = line.trim_end_matches(' ');
    let (length, written) = (line.chars().count(), text.chars().count());
    if written == 0 || cursor < written || !cursor.is_multiple_of(columns.max(1)) {
        return None;
    }
    let mark = if length == cursor {
        usize::from(text.ends_with(FISH_MARK))
    } else {
        // In zsh, the mark and the blanks are as long as a row.
        columns.checked_sub(length - written)?
    };
    let kept = written.checked_sub(mark)?;
    let is_filled = mark > 0 || length != cursor || written == cursor;
    (is_filled && cursor - kept <= columns).then(|| text.chars().take(kept).collect())
}

/// The number of bytes at the end of a text that are the beginning of a character.
fn incomplete(text: &[u8]) -> usize {
    let from = text.len().saturating_sub(MAX_CHARACTER_BYTES - 1);
    let begin = text[from..].iter().rposition(|&byte| byte & 0xc0 != 0x80);
    let last = begin.map_or(&text[text.len()..], |at| &text[from + at..]);
    match std::str::from_utf8(last) {
        Err(error) if error.error_len().is_none() => last.len(),
        _ => 0,
    }
}
