//! How much of an unfinished line can be shown when nothing more comes for a while: a prompt.
//!
//! What is shown can never be masked any more, so it has to be what no end of the line would mask.

use std::ops::Range;

use memchr::memmem;

use super::mode::Mode;
use super::settle::Settler;
use super::{Core, Target};
use crate::engine::Engine;
use crate::escapes::{Shown, begun_sequence};
use crate::output::Output;
use crate::pem::{BEGIN, PRIVATE_LINES};
use crate::span::RuleId;

/// How a line may go on: with a value, with the end of a quote or a list that makes what was before it one, or not at all.
const ENDS: &[&[u8]] = &[
    b"",
    b"a7Kq2Zx9",
    b"a7Kq2Zx9Lm4Wt6Rb8Yc1Nv3Hd5Jf0Pg7Kq2Zx9Lm4Wt6Rb8Yc1Nv3Hd5Jf0Pgx",
    b" a7Kq2Zx9",
    b"=a7Kq2Zx9",
    b":a7Kq2Zx9",
    b": a7Kq2Zx9",
    b"@host/",
    b"\"",
    b"'",
    b"`",
    b"\\\"",
    b"\\\\\\\"",
    b"&quot;",
    b"&#34;",
    b"&apos;",
    b"%22",
    b"%27",
    b"]",
    b"1]",
    b"\"]",
    b"']",
    b"\\\"]",
    b"</a>",
    b"1</a>",
    b"=\"a7Kq2Zx9\"",
    b"\" value=\"a7Kq2Zx9\"",
    b"\": \"a7Kq2Zx9\"",
    b"a=\"b\">",
    b"=\"b\">",
    b"\">",
    b");",
    b"\");",
    b"\n",
];

/// A longer line asks for nothing: it is held.
const MAX_PROMPT_BYTES: usize = 4 << 10;

/// More of them in a line than this are not looked at one by one.
const MAX_OPENERS: usize = 16;

/// A line with more triggers is held: each is looked at again for every way in which the line may go on.
const MAX_TRIGGERS: usize = 64;

/// Longest spelled quote.
const ENTITY_BYTES: usize = 8;

/// What a value is begun with, to know where one may stand.
const VALUE: &[u8] = b"a7Kq2Zx9Lm4W";

/// The same at the end of a list.
const LISTED: &[u8] = b"a7Kq2Zx9Lm4W]";

/// Behind one of these a word without digits is complete: it asks for something.
const PROMPTS: &[u8] = b":?>$#%)";

/// How much of `line`, which may go on and which `mode` reads, is not masked however it does.
fn settled(engine: &Engine, mode: &Mode, line: &[u8]) -> usize {
    if line.len() > MAX_PROMPT_BYTES {
        return 0;
    }
    // A sequence that has not ended is a part of the last word, or nothing.
    let whole = begun_sequence(line)
        .map_or(usize::MAX, |begin| settled_whole(engine, mode, &line[..begin]));
    if whole == 0 { 0 } else { whole.min(settled_whole(engine, mode, line)) }
}

/// The same of a line that ends with no part of a sequence, or where that part is text.
fn settled_whole(engine: &Engine, mode: &Mode, line: &[u8]) -> usize {
    let shown = Shown::of(line, 0);
    let mut settled = shown.end(settled_text(engine, &shown.text));
    if let Mode::Block(block) = mode {
        settled = settled.min(block.lead(line));
    }
    if settled == 0 {
        return 0;
    }
    // As it stands: what is left when sequences are taken out may look like another one.
    let mut trial = Trial { engine, mode, whole: Vec::with_capacity(line.len() + 80) };
    let elements: Vec<_> = Vec::<Vec<u8>>::new();
    let others = std::iter::empty::<&[u8]>();
    let ends = ENDS.iter().map(|end| -> &[u8] { end });
    for end in ends.chain(others).chain(elements.iter().map(Vec::as_slice)) {
        settled = settled.min(trial.kept(line, end));
        if settled == 0 {
            return 0;
        }
    }
    // A quoted value and a list are judged when they are whole.
    for (count, opener) in openers(&shown.text).enumerate() {
        let at = shown.end(opener.end);
        if at > settled {
            break;
        }
        if is_closed(&shown.text[opener.start..]) {
            continue;
        }
        let closed = [VALUE, &shown.text[opener]].concat();
        let opens = |end: &[u8]| trial.kept(&line[..at], end) <= at;
        if count == MAX_OPENERS || [VALUE, &closed, LISTED].into_iter().any(opens) {
            return at;
        }
    }
    settled
}

/// How much of what a terminal shows can be before any end of it is looked at.
fn settled_text(engine: &Engine, line: &[u8]) -> usize {
    let mut settled = last_word(line, !engine.has_patterns());
    if let Some(literal) = engine.begun_literal(line, 1) {
        settled = settled.min(literal);
    }
    let begins = [None::<usize>];
    for value in begins.into_iter().flatten() {
        settled = settled.min(value);
    }
    for marker in [PRIVATE_LINES.as_bytes(), BEGIN] {
        settled = settled.min(memmem::find(line, marker).unwrap_or(settled));
    }
    if engine.may_match_blanks() || engine.has_triggers(line, MAX_TRIGGERS + 1) {
        return 0;
    }
    settled
}

/// Tries how a line could go on.
struct Trial<'e> {
    engine: &'e Engine,
    /// What reads the line.
    mode: &'e Mode,
    whole: Vec<u8>,
}

impl Trial<'_> {
    /// How much of `line` and `end` together comes before what is masked of it.
    fn kept(&mut self, line: &[u8], end: &[u8]) -> usize {
        self.whole.clear();
        self.whole.extend_from_slice(line);
        self.whole.extend_from_slice(end);
        let mut mode = self.mode.clone();
        let mut settler = Settler::default();
        mode.line(self.engine, &self.whole, 0, &mut Vec::new(), settler.begin());
        let mut first = First::default();
        settler.settle(self.engine, &self.whole, (self.mode, &mode), &mut first);
        first.kept
    }
}

/// What may open a quote, also one that is spelled or behind backslashes, or a list.
fn openers(line: &[u8]) -> impl Iterator<Item = Range<usize>> {
    line.iter().enumerate().filter_map(|(at, byte)| match byte {
        b'"' | b'\'' | b'`' | b'[' => {
            let backslashes = line[..at].iter().rev().take_while(|&&byte| byte == b'\\').count();
            Some(at - backslashes..at + 1)
        }
        b'&' => {
            let mut entity = line[at..].iter().take(ENTITY_BYTES);
            entity.position(|&byte| byte == b';').map(|end| at..at + end + 1)
        }
        b'%' if line[at..].starts_with(b"%2") => Some(at..line.len().min(at + 3)),
        _ => None,
    })
}

/// True when `text` begins with a bracket that is closed behind one word: what it holds is known.
fn is_closed(text: &[u8]) -> bool {
    let Some(inside) = text.strip_prefix(b"[") else { return false };
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || b" *_-/.".contains(byte);
    let length = inside.iter().position(|byte| !word(byte));
    length.is_some_and(|length| inside[length] == b']')
}

/// Where the last word of a line begins, or the line's end when that word asks for something and `prompts` says that
/// nothing begins with one that does.
fn last_word(line: &[u8], prompts: bool) -> usize {
    let blank = line.iter().rposition(|byte| matches!(byte, b' ' | b'\t'));
    let start = blank.map_or(0, |blank| blank + 1);
    match line[start..].split_last() {
        Some((last, word))
            if prompts && PROMPTS.contains(last) && word.iter().copied().all(is_plain) =>
        {
            line.len()
        }
        _ => start,
    }
}

/// Not a part of anything that is a secret by itself.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || b"'()[]/".contains(&byte)
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

impl Core {
    /// True when the line at hand is read as a whole: as text, or as what may hold the value of a name above it.
    fn reads_line(&self) -> bool {
        matches!(self.mode, Mode::Text | Mode::Block(_))
            && self.settler.is_at_rest()
            && !self.inside
    }

    /// How much of `line` [`Self::idle`] would show, were it the next and unfinished one.
    pub(crate) fn showable(&self, engine: &Engine, line: &[u8]) -> usize {
        let begins = self.reads_line() && self.pending.len() == 0 && self.waiting.is_none();
        if begins { settled(engine, &self.mode, line) } else { 0 }
    }

    /// Emits as much of the unfinished line as no end of it would mask. What follows is read together with it.
    pub(crate) fn idle(&mut self, engine: &Engine, target: &mut Target<'_, impl Output>) {
        if !self.reads_line() || !self.is_holding() || self.waiting.is_some() {
            return;
        }
        let line = self.pending.as_slice();
        let piece = target.pieces.next().map_or(usize::MAX, |ahead| self.context + ahead);
        let settled = settled(engine, &self.mode, line).min(piece);
        if settled > self.context {
            target.overlay(engine).keep(&line[self.context..settled]);
            self.context = settled;
        }
    }
}

/// An output that has the first bytes already.
pub(super) struct Behind<'a, Inner> {
    pub(super) shown: usize,
    pub(super) inner: &'a mut Inner,
}

impl<Inner: Output> Behind<'_, Inner> {
    /// How many of `length` bytes are not out yet.
    fn pass(&mut self, length: usize) -> usize {
        let shown = self.shown.min(length);
        self.shown -= shown;
        length - shown
    }
}

impl<Inner: Output> Output for Behind<'_, Inner> {
    fn keep(&mut self, bytes: &[u8]) {
        let left = self.pass(bytes.len());
        self.inner.keep(&bytes[bytes.len() - left..]);
    }

    fn mask(&mut self, rule: RuleId, removed: usize, quoted: bool) {
        let left = self.pass(removed);
        if left > 0 {
            self.inner.mask(rule, left, quoted);
        }
    }

    fn remove(&mut self, removed: usize) {
        let left = self.pass(removed);
        self.inner.remove(left);
    }
}
