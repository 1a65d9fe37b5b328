//! Deciding how much of an unfinished line can be shown when nothing more arrives for a while, as with a prompt.
//!
//! Text that is shown can never be masked any more. A rule masks only text at or after its trigger, or in the word of
//! its trigger, so all text before the first trigger is safe. The name that a prompt asks for is safe too, because its
//! value has not begun.

use super::lines::{Lines, ReadMode};
use super::write::Target;
use crate::engine::Engine;
use crate::escapes::{ScreenText, begun_sequence};
use crate::output::Output;
use crate::scanner::MarkCollector;

/// The longest line that is taken for a prompt.
const MAX_PROMPT_BYTES: usize = 4 << 10;

/// The marks that end a prompt. A word of letters before one of them is complete.
const PROMPT_SUFFIXES: &[u8] = b":?>$#%)";

/// The longest word of letters that is taken for a word of a language.
const MAX_WORD_BYTES: usize = 16;

/// The longest number that is taken for a count or a port.
const MAX_NUMBER_DIGITS: usize = 5;

/// The longest last word that is shown.
const MAX_LAST_WORD_BYTES: usize = 24;

/// Texts that may follow a prompt, with a value or without.
const SAMPLE_ANSWERS: &[&[u8]] = &[b"a7Kq2Zx9Lm4W", b"=a7Kq2Zx9Lm4W", b": a7Kq2Zx9Lm4W", b"\n"];

/// Bytes after which a value may have begun.
const SEPARATORS: &[u8] = b"=:>,;|&\\\"`";

/// Whether the last word of an unfinished line is shown although the word may go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastWord {
    /// It is held, unless it is that of a prompt.
    Held,
    /// It is shown where it looks like a word of a language or a number, and not like the beginning of a token.
    IfPlain,
}

impl Lines {
    /// Writes the part of the unfinished line that is not masked however the line continues. What follows is still
    /// searched together with it. A part of a known value begins `piece` bytes after what is written.
    pub(super) fn pause(
        &mut self,
        piece: Option<usize>,
        last_word: LastWord,
        target: &mut Target<'_, impl Output>,
    ) {
        if self.inside || self.unfinished().is_empty() {
            return;
        }
        let line = self.pending.as_slice();
        let end = piece.map_or(line.len(), |piece| self.shown + piece);
        let showable_length =
            showable_length(target.engine, &self.mode, line, last_word, &mut self.steps).min(end);
        if showable_length > self.shown {
            target.keep(&line[self.shown..showable_length]);
            self.shown = showable_length;
        }
    }

    /// How much of `line` [`Self::pause`] would write if it were the next, unfinished line.
    pub(super) fn showable(&self, engine: &Engine, line: &[u8], last_word: LastWord) -> usize {
        let is_at_line_start = !self.inside && self.pending.len() == 0;
        if !is_at_line_start {
            return 0;
        }
        showable_length(engine, &self.mode, line, last_word, &mut 0)
    }
}

/// How much of `line`, which is read in `mode`, is not masked however it continues. `steps` grows by the number of
/// bytes read.
fn showable_length(
    engine: &Engine,
    mode: &ReadMode,
    line: &[u8],
    last_word: LastWord,
    steps: &mut u64,
) -> usize {
    if line.len() > MAX_PROMPT_BYTES || engine.may_match_blanks() {
        return 0;
    }
    // A sequence that has not ended belongs to the last word, or is no sequence.
    let end = begun_sequence(line).unwrap_or(line.len());
    let shown = ScreenText::of(&line[..end], 0);
    let text = &shown.text;
    *steps += line.len() as u64;
    let mut length_before_mask =
        |end: &[u8]| length_before_mask(engine, mode, &[line, end].concat(), steps);
    let is_whole = end == line.len() && !engine.has_patterns();
    let is_prompt = is_whole && ends_question(text);
    let is_plain = is_whole
        && last_word == LastWord::IfPlain
        && plain_word(&text[word_start(text)..]).is_some_and(|word| !engine.may_begin_token(word))
        && SAMPLE_ANSWERS.iter().all(|end| length_before_mask(end) >= line.len());
    let showable_length = if is_prompt || is_plain { text.len() } else { word_start(text) };
    let showable_length = shown
        .end(showable_length.min(engine.literal_cut_at_end(text, 1).unwrap_or(showable_length)));
    let (first, limit) = match mode {
        ReadMode::Text => (engine.first_trigger(text), line.len()),
        // Only what stands in a column of secrets may be one beside what other lines have.
        ReadMode::Block(block) if block.is_table() => {
            let lead = block.lead(line);
            (engine.first_trigger(text).filter(|&first| first < lead), lead)
        }
        // Each line below a name may hold its value.
        ReadMode::Block(block) => (Some(0), block.lead(line)),
        ReadMode::PrivateKey(_) | ReadMode::Continuation(_) => return 0,
    };
    let mut asks_for_value = |first| {
        asks_for_value(text, first)
            && SAMPLE_ANSWERS.iter().all(|end| length_before_mask(end) >= line.len())
    };
    let held_from =
        first.filter(|&first| !asks_for_value(first)).map(|first| word_start(&text[..first]));
    let showable_length = showable_length
        .min(limit)
        .min(held_from.map_or(usize::MAX, |held_from| shown.end(held_from)));
    if showable_length == 0 {
        return 0;
    }
    showable_length.min(length_before_mask(b""))
}

/// How much of a line comes before its first mask.
fn length_before_mask(engine: &Engine, mode: &ReadMode, line: &[u8], steps: &mut u64) -> usize {
    let mut trial = Lines { mode: mode.clone(), ..Lines::default() };
    let mut marks = MarkCollector::default();
    trial.read(engine, line, &mut marks);
    *steps += trial.steps;
    marks.found.first().map_or(line.len(), |first| first.start)
}

/// Whether a line asks for the value of the name at its first trigger, `first`.
fn asks_for_value(text: &[u8], first: usize) -> bool {
    let Some((mark, asked)) = text[first..].trim_ascii_end().split_last() else { return false };
    let mut words = text[word_start(&text[..first])..].split(u8::is_ascii_whitespace);
    let count = |byte: u8| memchr::memchr_iter(byte, &text[first..]).count();
    PROMPT_SUFFIXES.contains(mark)
        && !words.any(|word| word.starts_with(b"-"))
        && !asked.iter().any(|byte| SEPARATORS.contains(byte))
        && count(b'\'').is_multiple_of(2)
        && [b"[]", b"()", b"{}"].iter().all(|pair| count(pair[0]) <= count(pair[1]))
}

/// Where the last word begins.
fn word_start(text: &[u8]) -> usize {
    text.iter().rposition(|byte| matches!(byte, b' ' | b'\t')).map_or(0, |blank| blank + 1)
}

/// Whether the last word is letters followed by a mark.
fn ends_question(text: &[u8]) -> bool {
    let is_plain = |byte: &u8| byte.is_ascii_alphabetic() || b"'()[]/".contains(byte);
    let word = text[word_start(text)..].split_last();
    // A dollar sign after no letter may begin a hash or a token.
    let is_mark = |last: &u8, word: &[u8]| {
        PROMPT_SUFFIXES.contains(last)
            && (*last != b'$' || word.last().is_some_and(u8::is_ascii_alphanumeric))
    };
    word.is_some_and(|(last, word)| is_mark(last, word) && word.iter().all(is_plain))
}

/// A word without the marks around it, if it is letters as in a language, or numbers joined by dots and colons. A token
/// that is masked as a whole may begin so, but only with a few of its bytes.
fn plain_word(word: &[u8]) -> Option<&[u8]> {
    if word.len() > MAX_LAST_WORD_BYTES {
        return None;
    }
    let is_outer = |byte: &u8| b"([\"'.,;:!?%)]".contains(byte);
    let start = word.iter().position(|byte| !is_outer(byte))?;
    let end = word.iter().rposition(|byte| !is_outer(byte)).map_or(start, |last| last + 1);
    let inner = &word[start..end];
    let is_number =
        |run: &[u8]| run.len() <= MAX_NUMBER_DIGITS && run.iter().all(u8::is_ascii_digit);
    let is_numbers = inner.split(|byte| matches!(byte, b'.' | b':')).all(is_number);
    let is_letters = (2..=MAX_WORD_BYTES).contains(&inner.len())
        && inner[0].is_ascii_alphabetic()
        && (inner[1..].iter().all(u8::is_ascii_lowercase)
            || inner.iter().all(u8::is_ascii_uppercase));
    (is_numbers || is_letters).then_some(inner)
}
