//! What of an unfinished line can be shown when nothing more comes for a while: a prompt.
//!
//! What is shown can never be masked any more. A rule masks only at or behind its trigger, or in the word its trigger is
//! in: all before the first trigger is safe. What follows it is, when no value has begun that is judged when it is whole,
//! and what may come next would be masked itself and nothing before it.

use super::lines::{Lines, Mode};
use super::output::{Output, Target};
use super::span::RuleId;
use crate::engine::Engine;
use crate::escapes::{Shown, begun_sequence};

/// A longer line asks for nothing: it is held.
const MAX_PROMPT_BYTES: usize = 4 << 10;

/// Behind one of these a word of letters is complete: it asks for something.
const MARKS: &[u8] = b":?>$#%)";

/// How a line goes on with a value: at once, as what its last word names, or not at all.
const ENDS: &[&[u8]] = &[b"", b"a7Kq2Zx9Lm4W", b"=a7Kq2Zx9Lm4W", b": a7Kq2Zx9Lm4W"];

impl Lines {
    /// Emits what of the unfinished line is not masked, however it goes on. What follows is read together with it. A part of
    /// a known value begins `piece` bytes behind what is out.
    pub(super) fn pause(
        &mut self,
        engine: &Engine,
        piece: Option<usize>,
        target: &mut Target<'_, impl Output>,
    ) {
        if self.inside || !self.is_holding() {
            return;
        }
        let line = self.pending.as_slice();
        let end = piece.map_or(line.len(), |piece| self.shown + piece);
        let safe = safe(engine, &self.mode, line).min(end);
        if safe > self.shown {
            target.keep(&line[self.shown..safe]);
            self.shown = safe;
        }
    }

    /// How much of `line` [`Self::pause`] would emit, were it the next and unfinished one.
    pub(super) fn showable(&self, engine: &Engine, line: &[u8]) -> usize {
        let begins = !self.inside && self.pending.is_empty();
        if begins { safe(engine, &self.mode, line) } else { 0 }
    }
}

/// How much of `line`, which `mode` reads, is not masked however it goes on.
fn safe(engine: &Engine, mode: &Mode, line: &[u8]) -> usize {
    if line.len() > MAX_PROMPT_BYTES || engine.may_match_blanks() {
        return 0;
    }
    // A sequence that has not ended belongs to the last word, or is none.
    let end = begun_sequence(line).unwrap_or(line.len());
    let shown = Shown::of(&line[..end], 0);
    let text = &shown.text;
    let is_whole = end == line.len() && !engine.has_patterns();
    let mut safe = if is_whole && asks(text) { text.len() } else { word_start(text) };
    safe = safe.min(engine.begun_literal(text, 1).unwrap_or(safe));
    let (first, limit) = match mode {
        Mode::Text => match engine.first_trigger(text) {
            Some(first) => (word_start(&text[..first]), line.len()),
            None => return shown.end(safe),
        },
        // Each line below a name may hold its value.
        Mode::Block(block) => (0, block.lead(line)),
        Mode::PrivateKey(_) | Mode::Swallow(_) => return 0,
    };
    if safe > first && is_open(&text[first..]) {
        safe = first;
    }
    let mut safe = shown.end(safe).min(limit);
    for end in ENDS {
        if safe > shown.end(first) {
            safe = safe.min(kept(engine, mode, &[line, end].concat()).max(shown.end(first)));
        }
    }
    safe
}

/// How much of a line is before the first mask in it, or the body of a private key.
fn kept(engine: &Engine, mode: &Mode, line: &[u8]) -> usize {
    let mut trial = Lines { mode: mode.clone(), ..Lines::default() };
    let mut first = First::default();
    trial.read(engine, line, &mut first);
    if matches!(trial.mode, Mode::PrivateKey(_)) { 0 } else { first.kept }
}

/// Where the last word begins.
fn word_start(text: &[u8]) -> usize {
    text.iter().rposition(|byte| matches!(byte, b' ' | b'\t')).map_or(0, |blank| blank + 1)
}

/// True when the last word is letters and then a mark.
fn asks(text: &[u8]) -> bool {
    let is_plain = |byte: &u8| byte.is_ascii_alphabetic() || b"'()[]/".contains(byte);
    let word = text[word_start(text)..].split_last();
    word.is_some_and(|(last, word)| MARKS.contains(last) && word.iter().all(is_plain))
}

/// True when a quote or a bracket is not closed, or something may be one in another writing.
fn is_open(text: &[u8]) -> bool {
    let count = |wanted: u8| text.iter().filter(|&&byte| byte == wanted).count();
    let is_letter =
        |at: Option<usize>| at.and_then(|at| text.get(at)).is_some_and(u8::is_ascii_alphanumeric);
    let apostrophe = |at: &usize| is_letter(at.checked_sub(1)) && is_letter(Some(at + 1));
    let single = (0..text.len()).filter(|&at| text[at] == b'\'' && !apostrophe(&at)).count();
    single % 2 == 1
        || [b'"', b'`'].into_iter().any(|quote| count(quote) % 2 == 1)
        || [b"[]", b"()", b"{}", b"<>"].iter().any(|pair| count(pair[0]) > count(pair[1]))
        || text.iter().any(|byte| matches!(byte, b'\\' | b'&'))
        || memchr::memmem::find(text, b"%2").is_some()
}

/// Counts the bytes before the first that is masked.
#[derive(Default)]
struct First {
    kept: usize,
    ended: bool,
}

impl Output for First {
    fn keep(&mut self, bytes: &[u8]) {
        if !self.ended {
            self.kept += bytes.len();
        }
    }

    fn mask(&mut self, _rule: RuleId, _removed: usize, _quoted: bool) {
        self.ended = true;
    }

    fn remove(&mut self, _removed: usize) {
        self.ended = true;
    }
}
