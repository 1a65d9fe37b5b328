//! Everything the terminal showed, cleaned and masked, and what of it was told already.

use handrail_redact::{Cut, RedactStream, Redactor};
use handrail_text::Cleaner;

use crate::prompt::Prompt;
use crate::read::History;
use crate::ring::Ring;
use crate::settings::Settings;

/// Most bytes of text of which only the end is unfinished: a character.
const CHARACTER_BYTES: usize = 4;

/// The text: what is finished in `ring`, what is not in `cleaner` and `redaction`.
pub(crate) struct Transcript {
    redactor: Redactor,
    cleaner: Cleaner,
    redaction: RedactStream,
    ring: Ring,
    /// Of `redactor`, when the newest text was recorded.
    generation: u64,
    /// Text before this was recorded before a secret joined, and is masked again when it is given out.
    stale_end: u64,
    /// What comes before this place was told or skipped.
    given: u64,
    /// So was this, which began at `given` when it was told. Most often a prompt, whose line had not ended.
    told: Vec<u8>,
}

/// Text that was not told yet.
pub(crate) struct Fresh {
    /// As it was recorded: a secret that joined late is not masked.
    pub(crate) text: Vec<u8>,
    /// Bytes that the ring dropped before anybody asked.
    pub(crate) dropped: u64,
    /// Where the telling goes on behind it.
    given: u64,
    told: Vec<u8>,
}

impl Transcript {
    pub(crate) fn new(redactor: &Redactor, settings: Settings) -> Self {
        Self {
            redactor: redactor.clone(),
            cleaner: Cleaner::with_columns(settings.columns),
            redaction: redactor.stream(),
            ring: Ring::new(settings.history_bytes),
            generation: redactor.generation(),
            stale_end: 0,
            given: 0,
            told: Vec::new(),
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

    /// Nothing will come any more.
    pub(crate) fn finish(&mut self) {
        self.refresh();
        let Self { cleaner, redaction, ring, .. } = self;
        let mut keep = |masked: &[u8]| ring.push(masked);
        cleaner.finish(&mut |text: &[u8]| redaction.push(text, &mut keep));
        redaction.finish(&mut keep);
    }

    /// Input comes now: what the program writes next stands on a line of its own, and what was there is told. Redaction goes
    /// on: a pager may be in the middle of a private key.
    pub(crate) fn end_line(&mut self) {
        self.refresh();
        let Self { cleaner, redaction, ring, .. } = self;
        cleaner.end_line(&mut |text: &[u8]| {
            redaction.push(text, &mut |masked: &[u8]| ring.push(masked));
        });
        self.skip();
    }

    /// All there is now is told.
    pub(crate) fn skip(&mut self) {
        self.given = self.ring.end();
        self.told = self.redaction.peek(&self.cleaner.current());
    }

    pub(crate) fn cleaner(&self) -> &Cleaner {
        &self.cleaner
    }

    /// How far the telling has come.
    pub(crate) fn cursor(&self) -> u64 {
        self.given + self.told.len() as u64
    }

    /// Finished bytes behind what was told.
    pub(crate) fn untold_bytes(&self) -> u64 {
        self.ring.end().saturating_sub(self.cursor())
    }

    /// The first untold bytes of the finished text; nothing where the line that was told has become another.
    pub(crate) fn untold_start(&self, limit: usize) -> Vec<u8> {
        let mut start = self.ring.copy(self.given, self.told.len() + limit);
        if self.given >= self.ring.start() && start.starts_with(&self.told) {
            start.drain(..self.told.len());
            start
        } else {
            Vec::new()
        }
    }

    /// Secrets that joined divide the text into what is masked with them and what is not.
    fn refresh(&mut self) {
        let latest = self.redactor.generation();
        if latest != self.generation {
            self.generation = latest;
            self.stale_end = self.ring.end();
        }
    }

    /// What is not finished. `whole`: the line stands as it is, because the program waits; otherwise only what no end of the
    /// line would mask.
    fn unfinished(&self, whole: bool) -> Vec<u8> {
        if whole {
            let line = self.redaction.peek(&self.cleaner.current());
            // What looks like the beginning of a known value may be one: the rest can come with the next output.
            let cut = Cut { start: false, end: true };
            return self.redactor.redact_cut(&line, cut).unwrap_or(line);
        }
        let line = self.cleaner.unfinished();
        line[..self.redaction.showable(line)].to_vec()
    }

    /// The text from a place on, to its end.
    fn text_from(&self, from: u64, whole: bool) -> Vec<u8> {
        let mut text = self.ring.copy(from, usize::MAX);
        let unfinished = self.unfinished(whole);
        if unfinished.is_empty() {
            // Redaction cuts a long line anywhere; the rest of the character comes.
            text.truncate(text.len() - incomplete(&text));
        }
        text.extend_from_slice(&unfinished);
        text
    }

    /// What was not told yet. A line that became another since it was told stands alone, on a new row.
    pub(crate) fn fresh(&self, whole: bool) -> Fresh {
        let start = self.ring.start();
        let unfinished = self.unfinished(whole);
        let text = self.text_from(self.given, whole);
        if self.given < start {
            let dropped = (start - self.given).saturating_sub(self.told.len() as u64);
            return self.fresh_at(text, start, unfinished, dropped);
        }
        if self.told.starts_with(&text) {
            let (given, told) = (self.given, self.told.clone());
            return Fresh { text: Vec::new(), dropped: 0, given, told };
        }
        if let Some(more) = text.strip_prefix(self.told.as_slice()) {
            let more = more.to_vec();
            return Fresh { text: more, ..self.fresh_at(text, self.given, unfinished, 0) };
        }
        let same = self.told.iter().zip(&text).take_while(|(told, now)| told == now).count();
        let line = text[..same].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let alone = [b"\n", &text[line..]].concat();
        Fresh { text: alone, ..self.fresh_at(text, self.given, unfinished, 0) }
    }

    /// All of `text`, which begins at `start`, with where the telling goes on behind it.
    fn fresh_at(&self, text: Vec<u8>, start: u64, unfinished: Vec<u8>, dropped: u64) -> Fresh {
        let given = start + (text.len() - unfinished.len()) as u64;
        Fresh { text, dropped, given: given.min(self.ring.end()), told: unfinished }
    }

    /// This was told.
    pub(crate) fn tell(&mut self, fresh: &mut Fresh) {
        self.given = fresh.given;
        self.told = std::mem::take(&mut fresh.told);
    }

    /// Whether text from `from` on may hold what joined the secrets since it was recorded.
    pub(crate) fn is_stale(&self, from: u64) -> bool {
        from < self.stale_end || self.redactor.generation() != self.generation
    }

    /// A text that begins at `from`, as it may be given out.
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
        let asked = since.unwrap_or(0);
        let start = self.ring.start();
        let mut text = self.text_from(start, whole);
        let end = start + text.len() as u64;
        let wanted = usize::try_from(asked.saturating_sub(start)).unwrap_or(usize::MAX);
        let mut skip = wanted.min(text.len());
        while text.get(skip).is_some_and(|byte| byte & 0xc0 == 0x80) {
            skip += 1;
        }
        text.drain(..skip);
        let start = start + skip as u64;
        let dropped_bytes = self.ring.start().saturating_sub(asked);
        History { text: self.masked(text, start), start, end, dropped_bytes }
    }
}

/// Bytes at the end of text that are the beginning of a character.
fn incomplete(text: &[u8]) -> usize {
    let from = text.len().saturating_sub(CHARACTER_BYTES - 1);
    let begin = text[from..].iter().rposition(|&byte| byte & 0xc0 != 0x80);
    let last = begin.map_or(&text[text.len()..], |at| &text[from + at..]);
    match std::str::from_utf8(last) {
        Err(error) if error.error_len().is_none() => last.len(),
        _ => 0,
    }
}
