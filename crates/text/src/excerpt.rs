//! Chooses the most informative lines of an output, within a budget of tokens.

use crate::errors::{has_error_word, next_error_word};
use crate::{counts, cut};
use choose::choose;
use features::Features;
use line::LineReader;
use pool::{HeldLine, LinePool, TemplateSet};

mod choose;
mod columns;
mod features;
mod line;
mod numbers;
mod pool;
mod rarity;
mod shape;
mod shorten;
mod token;

/// Bytes at the end of a stream whose lines are all kept, whatever they are like.
const REREAD_BYTES: usize = 4 << 10;
/// Bytes of a stream that are read as a whole. After them, where most lines have a new shape, only lines that tell of an
/// error and a sample of the others are read: reading all of them would take longer than redacting them.
const FULLY_READ_BYTES: u64 = 4 << 20;
/// Bytes after which lines are sampled, whatever their shapes are.
const MAX_READ_BYTES: u64 = 64 << 20;
/// Characters of the beginning of a long line that stand before its pieces.
const BEGINNING_CHARS: usize = 60;
/// Lines right above a gap that are compared with the lines in it.
const MAX_LINES_ABOVE: usize = 6;

/// Reads a stream and chooses lines from it, in memory that does not depend on its length: about 3 MiB at most.
///
/// The text must have been redacted. The result does not depend on how the stream was divided.
pub struct Excerpts {
    lines: LineReader,
    pool: LinePool,
    last_bytes: Vec<u8>,
    /// Offset of the current line in the stream.
    line_start: u64,
    /// Bytes of the current line so far.
    line_bytes: u64,
    /// Whether the current line is read only where it belongs to the sample or tells of an error.
    selects_line: bool,
}

/// The chosen lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// The lines in their order. Where some are left out, a line such as `[12 lines]` counts them; it is `[12 lines like this]`
    /// or `[12 lines like these]` where all of them have the shape of the line, or of some of the lines, right above.
    pub text: String,
    /// Number of lines of the stream.
    pub total_lines: u64,
    /// Number of lines in the text, whole or shortened.
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
    /// A reader at the start of a stream.
    pub fn new() -> Self {
        Self {
            lines: LineReader::default(),
            pool: LinePool::new(),
            last_bytes: Vec::new(),
            line_start: 0,
            line_bytes: 0,
            selects_line: false,
        }
    }

    /// Takes the next bytes.
    pub fn push(&mut self, text: &[u8]) {
        self.read(text);
        let from = text.len().saturating_sub(REREAD_BYTES);
        if from > 0 {
            self.last_bytes.clear();
        }
        self.last_bytes.extend_from_slice(&text[from..]);
        if self.last_bytes.len() > 2 * REREAD_BYTES {
            self.last_bytes.drain(..self.last_bytes.len() - REREAD_BYTES);
        }
    }

    fn read(&mut self, mut text: &[u8]) {
        while !text.is_empty() {
            if self.line_bytes == 0 {
                self.selects_line = self.samples();
            }
            if self.selects_line {
                text = self.skim(text);
                continue;
            }
            let end = self.line_start + self.line_bytes + text.len() as u64;
            // The piece is read at once, or line by line where each may be the last one before a sample.
            let all = end <= FULLY_READ_BYTES;
            let end = if all { None } else { memchr::memchr(b'\n', text) };
            let (piece, rest) = text.split_at(end.map_or(text.len(), |end| end + 1));
            self.lines.push(piece, &mut |line| self.pool.push(line));
            self.advance(piece);
            text = rest;
        }
    }

    /// Whether only a sample of the next lines is read: the stream is long, and most shapes are new; or it is very long.
    fn samples(&self) -> bool {
        let is_long = self.line_start >= FULLY_READ_BYTES;
        is_long && (self.pool.finds_new_shapes() || self.line_start >= MAX_READ_BYTES)
    }

    /// Moves the offsets of the current line past this text.
    fn advance(&mut self, text: &[u8]) {
        let read = self.line_start + self.line_bytes + text.len() as u64;
        match memchr::memrchr(b'\n', text) {
            Some(end) => self.line_bytes = (text.len() - end - 1) as u64,
            None => self.line_bytes += text.len() as u64,
        }
        self.line_start = read - self.line_bytes;
    }

    /// Reads what is sampled or tells of an error, and skips the rest.
    fn read_selected(&mut self, text: &[u8]) {
        let pool = &mut self.pool;
        self.lines.push(text, &mut |line| {
            if pool.samples_next() || has_error_word(line.head) {
                pool.push(line);
            } else {
                pool.skip(line);
            }
        });
        self.advance(text);
    }

    /// Does the same for lines of which only a sample is read, without a copy of those that are skipped. Returns the text
    /// behind a line after which all are read.
    fn skim<'a>(&mut self, text: &'a [u8]) -> &'a [u8] {
        let next_error =
            |from: usize| next_error_word(&text[from..]).map_or(text.len(), |at| from + at);
        let mut error = next_error(0);
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', text) {
            let has_word = error < end;
            let line = &text[start..=end];
            if has_word || self.line_bytes > 0 || self.pool.samples_next() {
                self.read_selected(line);
            } else {
                self.pool.skip_line();
                self.line_start += line.len() as u64;
            }
            start = end + 1;
            if !self.samples() {
                return &text[start..];
            }
            if has_word {
                error = next_error(start);
            }
        }
        self.read_selected(&text[start..]);
        &[]
    }

    /// The chosen lines, within about `tokens` tokens.
    pub fn finish(mut self, tokens: usize) -> Excerpt {
        let lacks_line_end = self.lines.finish(&mut |line| self.pool.push(line));
        self.hold_last();
        let all_held = self.pool.lines.len() as u64 == self.pool.total;
        let chosen_within = |line_tokens: usize| {
            let features = Features::of(&self.pool, line_tokens);
            let whole: usize = features.rows.iter().map(|row| row.cost).sum();
            if all_held && whole <= tokens && line_tokens == usize::MAX {
                vec![true; features.rows.len()]
            } else {
                choose(&features, tokens)
            }
        };
        let mut line_tokens = usize::MAX;
        let mut chosen = chosen_within(line_tokens);
        if !chosen.contains(&true) {
            // Where no line has room, the beginning of one is more than nothing.
            line_tokens = tokens;
            chosen = chosen_within(line_tokens);
        }
        let mut excerpt = self.render(&chosen, line_tokens);
        if lacks_line_end && chosen.last() == Some(&true) {
            excerpt.text.pop();
        }
        excerpt
    }

    /// Keeps the lines in the last bytes, but for the first one, which may be incomplete.
    fn hold_last(&mut self) {
        let from = self.last_bytes.len().saturating_sub(REREAD_BYTES);
        let last_bytes = &self.last_bytes[from..];
        let last_bytes = last_bytes.strip_suffix(b"\n").unwrap_or(last_bytes);
        let lines: Vec<&[u8]> = last_bytes.split(|byte| *byte == b'\n').skip(1).collect();
        let first = self.pool.lines_read.saturating_sub(lines.len() as u64);
        for (number, line) in (first..).zip(lines) {
            self.pool.push_last(number, line);
        }
    }

    fn render(&self, chosen: &[bool], tokens: usize) -> Excerpt {
        let mut text = Vec::new();
        let mut above: Vec<u32> = Vec::new();
        let mut gap = TemplateSet::default();
        let mut next = 0;
        let mut shown_lines = 0;
        let mut is_shortened = false;
        // The piece that was shown last, while its line may go on.
        let mut open: Option<&HeldLine> = None;
        for (line, chosen) in self.pool.lines.iter().zip(chosen) {
            let continues = open.is_some_and(|last| last.line == line.line);
            if !continues {
                gap.add_all(line.skipped_before);
            }
            if !chosen {
                if !continues {
                    gap.add(line.template);
                }
                continue;
            }
            let start = open.filter(|_| continues).map_or(0, |last| last.chars.1);
            if !continues {
                is_shortened |= self.end_line(&mut text, open);
                write_gap(&mut text, line.line - next, gap, &above);
                if line.line > next {
                    above.clear();
                }
                gap = TemplateSet::default();
                next = line.line + 1;
                shown_lines += 1;
                above.push(line.template);
            }
            let start = if continues { start } else { self.write_beginning(&mut text, line) };
            is_shortened |= write_omitted(&mut text, line.chars.0 - start);
            let (head, tail) = self.pool.text(line);
            let is_rare = self.pool.templates[line.template as usize].count == 1;
            let shown = shorten::shortened(line, head, tail, is_rare, tokens);
            is_shortened |= shown.len() != head.len();
            text.extend_from_slice(&shown);
            open = Some(line);
        }
        is_shortened |= self.end_line(&mut text, open);
        gap.add_all(self.pool.after_last());
        write_gap(&mut text, self.pool.lines_read - next, gap, &above);
        Excerpt {
            text: String::from_utf8_lossy(&text).into_owned(),
            total_lines: self.pool.lines_read,
            shown_lines,
            truncated: is_shortened || shown_lines < self.pool.lines_read,
        }
    }

    /// Writes how the line of a piece begins, since that says what the piece is of. Returns the number of characters.
    fn write_beginning(&self, text: &mut Vec<u8>, piece: &HeldLine) -> u64 {
        let Some(first) = self.pool.first_piece(piece).filter(|_| piece.chars.0 > 0) else {
            return 0;
        };
        let head = self.pool.text(first).0;
        let end = counts::end_of_first(counts::Unit::Chars, BEGINNING_CHARS, head);
        let end = end.unwrap_or(head.len());
        let end = cut::mask_around(head, end).map_or(end, |mask| mask.start);
        text.extend_from_slice(&head[..end]);
        counts::chars(&head[..end])
    }

    /// Ends the line of the piece that was shown last. Returns whether pieces behind it are left out.
    fn end_line(&self, text: &mut Vec<u8>, open: Option<&HeldLine>) -> bool {
        let Some(last) = open else { return false };
        let is_shortened = write_omitted(text, self.pool.chars_of(last) - last.chars.1);
        text.push(b'\n');
        is_shortened
    }
}

/// Writes the sign for characters that are left out. Returns whether there are any.
fn write_omitted(text: &mut Vec<u8>, chars: u64) -> bool {
    if chars > 0 {
        text.extend_from_slice(format!("[... {chars} characters ...]").as_bytes());
    }
    chars > 0
}

/// Chooses lines of a finished text within about `tokens` tokens.
pub fn excerpt(text: &str, tokens: usize) -> Excerpt {
    let mut excerpts = Excerpts::new();
    excerpts.push(text.as_bytes());
    excerpts.finish(tokens)
}

/// Writes the line that counts left-out lines, whose templates are `gap`. `above` are the templates of the lines right above.
fn write_gap(text: &mut Vec<u8>, lines: u64, gap: TemplateSet, above: &[u32]) {
    if lines == 0 {
        return;
    }
    let lines_above = &above[above.len().saturating_sub(MAX_LINES_ABOVE)..];
    let is_alike = !gap.is_overflown() && gap.ids().iter().all(|kind| lines_above.contains(kind));
    let plural = if lines == 1 { "" } else { "s" };
    let likeness = match gap.ids() {
        [] => "",
        [_] if is_alike && above.last() == gap.ids().first() => " like this",
        _ if is_alike => " like these",
        _ => "",
    };
    text.extend_from_slice(format!("[{lines} line{plural}{likeness}]\n").as_bytes());
}
