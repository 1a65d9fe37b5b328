//! Cuts the input at places that depend on its bytes alone, and emits what is decided: whole lines, and windows of a line
//! that is longer than one.

use super::write::{Target, emit};
use crate::block::{Block, Line};
use crate::detect::scan::{Region, Stop};
use crate::engine::Engine;
use crate::limits::{HOLD_BYTES, LOOK_BEHIND_BYTES, WINDOW_BYTES};
use crate::output::Output;
use crate::pem::PrivateKey;
use crate::span::{Span, Swallow};

/// Lines of a shorter input are copied behind the unfinished line: searching that line alone takes longer.
const JOINED_BYTES: usize = 16 << 10;

/// What the text at hand is part of.
#[derive(Clone, Default)]
pub(super) enum Mode {
    #[default]
    Text,
    /// A private key.
    PrivateKey(PrivateKey),
    /// The lines below a name that may hold its value.
    Block(Block),
    /// A value too long to hold; its mask is written.
    Swallow(Swallow),
}

impl Mode {
    /// What comes after a scan that stopped at the end of `text`.
    fn after(engine: &Engine, stop: Stop, text: &[u8]) -> Self {
        match stop.region {
            Region::PrivateKey => {
                let start = memchr::memrchr(b'\n', text).map_or(0, |newline| newline + 1);
                Self::PrivateKey(PrivateKey::new(engine.private_key_rule(), &text[start..]))
            }
            Region::Block(block) => Self::Block(block),
        }
    }
}

/// The state between two pieces of input.
#[derive(Clone, Default)]
pub(super) struct Lines {
    pub(super) mode: Mode,
    /// The unfinished line from the last cut on; shorter than [`WINDOW_BYTES`].
    pub(super) pending: Pending,
    /// Bytes at the start of `pending` that are out already: of a long line, or shown at a pause.
    pub(super) shown: usize,
    /// What is pending continues a line that is longer than a window.
    pub(super) inside: bool,
    /// Scratch space for findings.
    pub(super) spans: Vec<Span>,
    /// Bytes read by all searches.
    pub(super) steps: u64,
}

impl Lines {
    pub(super) fn push(&mut self, mut input: &[u8], target: &mut Target<'_, impl Output>) {
        if target.engine.is_passthrough() {
            return target.keep(input);
        }
        while !input.is_empty() {
            let used = if let Mode::Swallow(swallow) = self.mode {
                self.swallow(swallow, input, target)
            } else if self.pending.len() == 0 {
                self.push_in_place(input, target)
            } else {
                self.push_pending(input, target)
            };
            input = &input[used..];
        }
    }

    pub(super) fn finish(&mut self, target: &mut Target<'_, impl Output>) {
        self.pending_lines(target);
        if let Mode::Swallow(swallow) = self.mode {
            target.remove(swallow.held().len());
        }
    }

    /// The unfinished line, as far as it was not emitted.
    pub(super) fn unfinished(&self) -> &[u8] {
        &self.pending.as_slice()[self.shown..]
    }

    /// Removes the next part of a value whose mask is written.
    fn swallow(&mut self, mut swallow: Swallow, input: &[u8], output: &mut impl Output) -> usize {
        let held = swallow.held().len();
        let (length, ended) = swallow.run(input);
        self.steps += length as u64;
        let closing = swallow.held();
        output.remove(held + length - closing.len());
        output.keep(if ended { closing } else { b"" });
        self.mode = if ended { Mode::Text } else { Mode::Swallow(swallow) };
        length
    }

    /// Takes whole lines or a whole window from the input without copying it.
    fn push_in_place(&mut self, input: &[u8], target: &mut Target<'_, impl Output>) -> usize {
        let reach = &input[..input.len().min(WINDOW_BYTES)];
        if let Some(last) = memchr::memrchr(b'\n', reach) {
            self.lines(&reach[..=last], 0, target);
            return last + 1;
        }
        let used = if reach.len() == WINDOW_BYTES { self.window(reach, 0, target) } else { 0 };
        self.pending.append(&reach[used..]);
        reach.len()
    }

    /// Completes the pending line or window.
    fn push_pending(&mut self, input: &[u8], target: &mut Target<'_, impl Output>) -> usize {
        let reach = &input[..input.len().min(WINDOW_BYTES - self.pending.len())];
        let is_short = input.len() <= JOINED_BYTES;
        let end =
            if is_short { memchr::memrchr(b'\n', reach) } else { memchr::memchr(b'\n', reach) };
        let used = end.map_or(reach.len(), |end| end + 1);
        self.pending.append(&reach[..used]);
        if end.is_some() {
            self.pending_lines(target);
        } else if self.pending.len() == WINDOW_BYTES {
            let mut pending = std::mem::take(&mut self.pending);
            let shown = std::mem::take(&mut self.shown);
            pending.drop_front(self.window(pending.as_slice(), shown, target));
            self.pending = pending;
        }
        used
    }

    fn pending_lines(&mut self, target: &mut Target<'_, impl Output>) {
        let mut pending = std::mem::take(&mut self.pending);
        let shown = std::mem::take(&mut self.shown);
        self.lines(pending.as_slice(), shown, target);
        pending.drop_front(pending.len());
        self.pending = pending;
    }

    /// Emits text that ends with a line or with the input; the first `shown` bytes are out already.
    fn lines(&mut self, text: &[u8], shown: usize, target: &mut Target<'_, impl Output>) {
        let engine = target.engine;
        target.skip(shown);
        let mut rest = text;
        if std::mem::take(&mut self.inside) && matches!(self.mode, Mode::Text) {
            // What was shown of a long line is only context.
            let line = &text[..line_end(text, shown)];
            rest = &text[self.text(engine, line, shown, target)..];
        }
        self.read(engine, rest, target);
    }

    /// Emits text that ends with a line or with the input.
    pub(super) fn read(&mut self, engine: &Engine, mut text: &[u8], output: &mut impl Output) {
        // Length of the first line, where it is known: of a line with many markers, the end is looked for once.
        let mut first = 0;
        while !text.is_empty() {
            let (spans, steps) = (&mut self.spans, &mut self.steps);
            let used = match &mut self.mode {
                Mode::Text | Mode::Swallow(_) => self.text(engine, text, 0, output),
                Mode::PrivateKey(key) => {
                    if first == 0 {
                        first = line_end(text, 0);
                        *steps += first as u64;
                    }
                    let line = &text[..first];
                    let before =
                        |text: &[u8], output: &mut _| prefix(engine, text, spans, output, steps);
                    let (used, ended) = key.line(line, output, before);
                    self.steps += key.take_steps();
                    if ended {
                        self.mode = Mode::Text;
                    }
                    used
                }
                Mode::Block(block) => {
                    let line = &text[..line_end(text, 0)];
                    *steps += line.len() as u64;
                    let kind = block.line(line, output);
                    if matches!(kind, Line::Last | Line::Outside) {
                        self.mode = Mode::Text;
                    }
                    match kind {
                        Line::Taken | Line::Last => line.len(),
                        Line::Text => self.text(engine, line, 0, output),
                        Line::Outside => 0,
                    }
                }
            };
            text = &text[used..];
            first = first.saturating_sub(used);
        }
    }

    /// Emits lines of text, of which the first `from` bytes are only context, up to a place where something else begins.
    fn text(&mut self, engine: &Engine, text: &[u8], from: usize, to: &mut impl Output) -> usize {
        self.spans.clear();
        let stop = engine.scan(text, from, true, &mut self.spans, &mut self.steps);
        let end = stop.as_ref().map_or(text.len(), |stop| stop.end);
        emit(&text[..end], &self.spans, to);
        if let Some(stop) = stop {
            self.mode = Mode::after(engine, stop, &text[..end]);
        }
        end
    }

    /// Emits what is decided of a window without a newline, of which the first `shown` bytes are out already. Gives how
    /// much of it nobody has to look at again.
    fn window(&mut self, text: &[u8], shown: usize, to: &mut Target<'_, impl Output>) -> usize {
        // What was shown at a pause is not behind the line's start.
        let from = if std::mem::replace(&mut self.inside, true) { shown } else { 0 };
        to.skip(shown);
        if let Mode::PrivateKey(key) = &mut self.mode {
            let (used, ended) = key.window(text, to);
            self.steps += key.take_steps();
            if ended {
                self.mode = Mode::Text;
            }
            if used > 0 {
                return used;
            }
        }
        if let Mode::Block(block) = &mut self.mode {
            self.steps += text.len() as u64;
            if block.window(text, to) {
                return text.len();
            }
            self.mode = Mode::Text;
        }
        self.spans.clear();
        let stop = to.engine.scan(text, from, false, &mut self.spans, &mut self.steps);
        if let Some(stop) = stop {
            let end = stop.end;
            emit(&text[..end], &self.spans, to);
            // What would be repeated before each line of a block is shorter than this one.
            self.mode = Mode::after(to.engine, stop, b"");
            return end;
        }
        let last = self.spans.last();
        if let Some((end, swallow)) = last.and_then(|span| Some((span.end, span.open?))) {
            emit(&text[..end], &self.spans, to);
            self.mode = Mode::Swallow(swallow);
            return text.len();
        }
        let found = last.map_or(0, |span| span.end);
        let decided = found.max(text.len() - HOLD_BYTES).max(shown);
        emit(&text[..decided], &self.spans, to);
        let keep_from = decided.saturating_sub(LOOK_BEHIND_BYTES);
        self.shown = decided - keep_from;
        keep_from
    }
}

/// Bytes that are appended at one end and dropped at the other, each moved a bounded number of times.
#[derive(Clone, Default)]
pub(super) struct Pending {
    bytes: Vec<u8>,
    /// Bytes before this are dropped; at most [`WINDOW_BYTES`].
    start: usize,
}

impl Pending {
    pub(super) fn as_slice(&self) -> &[u8] {
        &self.bytes[self.start..]
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len() - self.start
    }

    fn append(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    fn drop_front(&mut self, count: usize) {
        self.start += count;
        if self.start >= WINDOW_BYTES || self.len() == 0 {
            self.bytes.drain(..self.start);
            self.start = 0;
        }
    }
}

/// Emits what stands in a line before a part of a private key: text in which nothing begins.
fn prefix(
    engine: &Engine,
    mut text: &[u8],
    spans: &mut Vec<Span>,
    output: &mut impl Output,
    steps: &mut u64,
) {
    while !text.is_empty() {
        spans.clear();
        let stop = engine.scan(text, 0, true, spans, steps);
        let end = stop.map_or(text.len(), |stop| stop.end);
        emit(&text[..end], spans, output);
        text = &text[end..];
    }
}

/// Where the line of the byte at `at` ends, its newline included.
fn line_end(text: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |length| at + length + 1)
}
