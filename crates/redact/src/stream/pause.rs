//! What of an unfinished line can be shown when nothing more comes for a while: a prompt.
//!
//! What is shown can never be masked any more. A rule masks only at or behind its trigger, or in the word its trigger is
//! in: all before the first trigger is safe. A name that a prompt asks for is as well, as its value has not begun.

use super::lines::{Lines, Mode};
use super::write::Target;
use crate::engine::Engine;
use crate::escapes::{Shown, begun_sequence};
use crate::output::Output;
use crate::scanner::Marks;

/// A longer line asks for nothing: it is held.
const MAX_PROMPT_BYTES: usize = 4 << 10;

/// Behind one of these a word of letters is complete: it asks for something.
const MARKS: &[u8] = b":?>$#%)";

/// How a prompt may go on, with a value or without.
const ANSWERS: &[&[u8]] = &[b"a7Kq2Zx9Lm4W", b"=a7Kq2Zx9Lm4W", b": a7Kq2Zx9Lm4W", b"\n"];

/// Behind one of these a value may have begun.
const SEPARATORS: &[u8] = b"=:>,;|&\\\"`";

impl Lines {
    /// Emits what of the unfinished line is not masked, however it goes on. What follows is read together with it. A part of
    /// a known value begins `piece` bytes behind what is out.
    pub(super) fn pause(&mut self, piece: Option<usize>, target: &mut Target<'_, impl Output>) {
        if self.inside || self.unfinished().is_empty() {
            return;
        }
        let line = self.pending.as_slice();
        let end = piece.map_or(line.len(), |piece| self.shown + piece);
        let safe = safe(target.engine, &self.mode, line, &mut self.steps).min(end);
        if safe > self.shown {
            target.keep(&line[self.shown..safe]);
            self.shown = safe;
        }
    }

    /// How much of `line` [`Self::pause`] would emit, were it the next and unfinished one.
    pub(super) fn showable(&self, engine: &Engine, line: &[u8]) -> usize {
        let begins = !self.inside && self.pending.len() == 0;
        if begins { safe(engine, &self.mode, line, &mut 0) } else { 0 }
    }
}

/// How much of `line`, which `mode` reads, is not masked however it goes on. `steps` grows by the bytes that were read.
fn safe(engine: &Engine, mode: &Mode, line: &[u8], steps: &mut u64) -> usize {
    if line.len() > MAX_PROMPT_BYTES || engine.may_match_blanks() {
        return 0;
    }
    // A sequence that has not ended belongs to the last word, or is none.
    let end = begun_sequence(line).unwrap_or(line.len());
    let shown = Shown::of(&line[..end], 0);
    let text = &shown.text;
    let complete = end == line.len() && !engine.has_patterns() && ends_question(text);
    let safe = if complete { text.len() } else { word_start(text) };
    let safe = shown.end(safe.min(engine.begun_literal(text, 1).unwrap_or(safe)));
    let (first, limit) = match mode {
        Mode::Text => (engine.first_trigger(text), line.len()),
        // Each line below a name may hold its value.
        Mode::Block(block) => (Some(0), block.lead(line)),
        Mode::PrivateKey(_) | Mode::Swallow(_) => return 0,
    };
    *steps += line.len() as u64;
    let mut kept = |end: &[u8]| kept(engine, mode, &[line, end].concat(), steps);
    let mut asks = |first| asks(text, first) && ANSWERS.iter().all(|end| kept(end) >= line.len());
    let held = first.filter(|&first| !asks(first)).map(|first| word_start(&text[..first]));
    let safe = safe.min(limit).min(held.map_or(usize::MAX, |held| shown.end(held)));
    if safe == 0 { 0 } else { safe.min(kept(b"")) }
}

/// How much of a line is before the first mask in it.
fn kept(engine: &Engine, mode: &Mode, line: &[u8], steps: &mut u64) -> usize {
    let mut trial = Lines { mode: mode.clone(), ..Lines::default() };
    let mut marks = Marks::default();
    trial.read(engine, line, &mut marks);
    *steps += trial.steps;
    marks.found.first().map_or(line.len(), |first| first.start)
}

/// True when a line asks for what its first trigger, at `first`, names.
fn asks(text: &[u8], first: usize) -> bool {
    let Some((mark, asked)) = text[first..].trim_ascii_end().split_last() else { return false };
    let mut words = text[word_start(&text[..first])..].split(u8::is_ascii_whitespace);
    let count = |byte: u8| memchr::memchr_iter(byte, &text[first..]).count();
    MARKS.contains(mark)
        && !words.any(|word| word.starts_with(b"-"))
        && !asked.iter().any(|byte| SEPARATORS.contains(byte))
        && count(b'\'').is_multiple_of(2)
        && [b"[]", b"()", b"{}"].iter().all(|pair| count(pair[0]) <= count(pair[1]))
}

/// Where the last word begins.
fn word_start(text: &[u8]) -> usize {
    text.iter().rposition(|byte| matches!(byte, b' ' | b'\t')).map_or(0, |blank| blank + 1)
}

/// True when the last word is letters and then a mark.
fn ends_question(text: &[u8]) -> bool {
    let is_plain = |byte: &u8| byte.is_ascii_alphabetic() || b"'()[]/".contains(byte);
    let word = text[word_start(text)..].split_last();
    // A dollar that no letter precedes may begin a hash, or a token.
    let is_mark = |last: &u8, word: &[u8]| {
        MARKS.contains(last)
            && (*last != b'$' || word.last().is_some_and(u8::is_ascii_alphanumeric))
    };
    word.is_some_and(|(last, word)| is_mark(last, word) && word.iter().all(is_plain))
}
