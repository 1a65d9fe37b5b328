//! The lines of an output that tell most, within a budget of tokens.

use crate::errors::{next_word, says_error};
use choose::choose;
use features::Features;
use line::Lines;
use pool::{Kinds, Pool};

mod choose;
mod features;
mod line;
mod pool;
mod shape;
mod shorten;
mod tokens;

/// The last bytes of a stream are looked at again at its end: what is in them is held whatever it is like.
const LAST_BYTES: usize = 4 << 10;
/// Of a stream that is longer, every line that tells of an error is looked at from here on, and few others: reading it all would
/// cost more than redacting it.
const READ_BYTES: u64 = 4 << 20;
/// What the line for a gap costs.
const NOTICE_TOKENS: usize = 5;
/// Of lines right above a gap, so many are compared with those in it.
const LINES_ABOVE: usize = 6;

/// Reads a stream and chooses from it, in memory that does not depend on its length: about 3 MiB at most.
///
/// Feed it text that has been redacted. What comes out does not depend on how the stream was divided.
pub struct Excerpts {
    lines: Lines,
    pool: Pool,
    last: Vec<u8>,
    /// Where the current line begins in the stream, and how much of it came.
    line_start: u64,
    begun_bytes: u64,
}

/// What was chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// Lines in their order. Where some are left out, a line such as `[12 lines]` says how many; `[12 lines like this]` and
    /// `[12 lines like these]` where all of them have the shape of the line or the few lines above.
    pub text: String,
    /// Lines that came.
    pub total_lines: u64,
    /// Lines that are in the text, whole or shortened.
    pub shown_lines: u64,
    /// Whether anything was left out.
    pub truncated: bool,
}

impl std::fmt::Debug for Excerpts {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Excerpts")
            .field("line_start", &self.line_start)
            .finish_non_exhaustive()
    }
}

impl Default for Excerpts {
    fn default() -> Self {
        Self::new()
    }
}

impl Excerpts {
    /// At the start of a stream.
    pub fn new() -> Self {
        Self {
            lines: Lines::default(),
            pool: Pool::new(),
            last: Vec::new(),
            line_start: 0,
            begun_bytes: 0,
        }
    }

    /// Takes the next bytes.
    pub fn push(&mut self, text: &[u8]) {
        self.read(text);
        let from = text.len().saturating_sub(LAST_BYTES);
        if from > 0 {
            self.last.clear();
        }
        self.last.extend_from_slice(&text[from..]);
        if self.last.len() > 2 * LAST_BYTES {
            self.last.drain(..self.last.len() - LAST_BYTES);
        }
    }

    fn read(&mut self, mut text: &[u8]) {
        while !text.is_empty() && !self.is_long() {
            let left = READ_BYTES.saturating_sub(self.line_start + self.begun_bytes);
            // All at once where the end of what is read is not near, else line by line.
            let all = left > text.len() as u64;
            let end = if all { None } else { memchr::memchr(b'\n', text) };
            let (piece, rest) = text.split_at(end.map_or(text.len(), |end| end + 1));
            self.lines.push(piece, &mut |line| self.pool.push(line));
            self.pass_over(piece);
            text = rest;
        }
        if self.begun_bytes > 0 {
            let end = memchr::memchr(b'\n', text).map_or(text.len(), |end| end + 1);
            let (line, rest) = text.split_at(end);
            self.read_some(line);
            text = rest;
        }
        let whole = memchr::memrchr(b'\n', text).map_or(0, |end| end + 1);
        self.skim(&text[..whole]);
        self.read_some(&text[whole..]);
    }

    /// Whether the line that is read begins behind what is read whole.
    fn is_long(&self) -> bool {
        self.line_start >= READ_BYTES
    }

    /// Remembers where the line begins that follows, or goes on.
    fn pass_over(&mut self, text: &[u8]) {
        let read = self.line_start + self.begun_bytes + text.len() as u64;
        match memchr::memrchr(b'\n', text) {
            Some(end) => self.begun_bytes = (text.len() - end - 1) as u64,
            None => self.begun_bytes += text.len() as u64,
        }
        self.line_start = read - self.begun_bytes;
    }

    /// Of a long stream: holds the lines that are sampled or tell of an error.
    fn read_some(&mut self, text: &[u8]) {
        let pool = &mut self.pool;
        self.lines.push(text, &mut |line| {
            if pool.samples() || says_error(line.head) { pool.push(line) } else { pool.pass() }
        });
        self.pass_over(text);
    }

    /// The same for whole lines, of which most are not looked at.
    fn skim(&mut self, text: &[u8]) {
        let next_error = |from: usize| next_word(&text[from..]).map_or(text.len(), |at| from + at);
        let mut error = next_error(0);
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', text) {
            let has_word = error < end;
            if has_word || self.pool.samples() {
                self.read_some(&text[start..=end]);
            } else {
                self.pool.pass();
                self.line_start += (end + 1 - start) as u64;
            }
            start = end + 1;
            if has_word {
                error = next_error(start);
            }
        }
    }

    /// What is shown within about `tokens` tokens.
    pub fn finish(mut self, tokens: usize) -> Excerpt {
        let unended = self.lines.finish(&mut |line| self.pool.push(line));
        self.hold_last();
        let features = Features::of(&self.pool);
        let whole: usize = features.rows.iter().map(|row| row.cost).sum();
        let all_held = self.pool.lines.len() as u64 == self.pool.total;
        let chosen = if all_held && whole <= tokens {
            vec![true; features.rows.len()]
        } else {
            choose(&features, tokens, NOTICE_TOKENS)
        };
        let mut excerpt = self.render(&chosen);
        if unended && chosen.last() == Some(&true) {
            excerpt.text.pop();
        }
        excerpt
    }

    /// The lines within the last bytes, but for the first, which may be a part of one.
    fn hold_last(&mut self) {
        let from = self.last.len().saturating_sub(LAST_BYTES);
        let last = &self.last[from..];
        let last = last.strip_suffix(b"\n").unwrap_or(last);
        let lines: Vec<&[u8]> = last.split(|byte| *byte == b'\n').skip(1).collect();
        let first = self.pool.total.saturating_sub(lines.len() as u64);
        for (number, line) in (first..).zip(lines) {
            self.pool.push_last(number, line);
        }
    }

    fn render(&self, chosen: &[bool]) -> Excerpt {
        let mut text = Vec::new();
        let mut above: Vec<u32> = Vec::new();
        let mut gap = Kinds::default();
        let mut next = 0;
        let mut shown_lines = 0;
        let mut is_shortened = false;
        for (line, chosen) in self.pool.lines.iter().zip(chosen) {
            gap.add_all(line.before);
            if !chosen {
                gap.add(line.template);
                continue;
            }
            put_gap(&mut text, line.number - next, gap, &above);
            if line.number > next {
                above.clear();
            }
            gap = Kinds::default();
            next = line.number + 1;
            shown_lines += 1;
            above.push(line.template);
            let (head, tail) = self.pool.text(line);
            let is_rare = self.pool.templates[line.template as usize].count == 1;
            let shown = shorten::shown(line, head, tail, is_rare);
            is_shortened |= shown.len() != head.len() + 1;
            text.extend_from_slice(&shown);
        }
        gap.add_all(self.pool.after_last());
        put_gap(&mut text, self.pool.total - next, gap, &above);
        Excerpt {
            text: String::from_utf8_lossy(&text).into_owned(),
            total_lines: self.pool.total,
            shown_lines,
            truncated: is_shortened || shown_lines < self.pool.total,
        }
    }
}

/// What is chosen of a finished text within about `tokens` tokens.
pub fn excerpt(text: &str, tokens: usize) -> Excerpt {
    let mut excerpts = Excerpts::new();
    excerpts.push(text.as_bytes());
    excerpts.finish(tokens)
}

/// The line for lines that are left out, which are of these kinds.
fn put_gap(text: &mut Vec<u8>, lines: u64, gap: Kinds, above: &[u32]) {
    if lines == 0 {
        return;
    }
    let near = &above[above.len().saturating_sub(LINES_ABOVE)..];
    let alike = !gap.is_various() && gap.ids().iter().all(|kind| near.contains(kind));
    let plural = if lines == 1 { "" } else { "s" };
    let like = match gap.ids() {
        [] => "",
        [_] if alike && above.last() == gap.ids().first() => " like this",
        _ if alike => " like these",
        _ => "",
    };
    text.extend_from_slice(format!("[{lines} line{plural}{like}]\n").as_bytes());
}
