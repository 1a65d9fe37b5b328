//! The streaming machine: cuts the input at places that depend on its bytes alone and emits what is decided.

use crate::block::{Block, Line};
use crate::engine::Engine;
use crate::output::Output;
use crate::pem::PrivateKey;
use crate::span::{Span, Swallow};
use crate::verify::{Region, Stop};

/// Longest piece of a line looked at together. Longer lines are read window by window.
pub const WINDOW_BYTES: usize = 64 << 10;

/// End of a window that is looked at again with what follows it.
pub const HOLD_BYTES: usize = 4 << 10;

/// Emitted bytes of a long line that the next window still sees before its own.
pub const LOOK_BEHIND_BYTES: usize = 1 << 10;

enum Mode {
    Text,
    /// Inside a private key block.
    PrivateKey(PrivateKey),
    /// Inside the lines of a block scalar.
    Block(Block),
    /// Inside a value too long to hold; its mask is written.
    Swallow(Swallow),
}

/// Bytes that are appended at one end and dropped at the other, each moved a bounded number of times.
#[derive(Default)]
struct Pending {
    bytes: Vec<u8>,
    /// Bytes before this are dropped; at most [`WINDOW_BYTES`].
    start: usize,
}

impl Pending {
    fn as_slice(&self) -> &[u8] {
        &self.bytes[self.start..]
    }

    fn len(&self) -> usize {
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

/// The state between two pieces of input.
pub(crate) struct Core {
    mode: Mode,
    /// The unfinished line from the last cut on; shorter than [`WINDOW_BYTES`].
    pending: Pending,
    /// Bytes at the start of `pending` that are emitted already.
    context: usize,
    /// Scratch space for findings.
    spans: Vec<Span>,
}

impl Core {
    pub(crate) fn new() -> Self {
        Self { mode: Mode::Text, pending: Pending::default(), context: 0, spans: Vec::new() }
    }

    pub(crate) fn push(&mut self, engine: &Engine, mut input: &[u8], output: &mut impl Output) {
        if engine.is_passthrough() {
            return output.keep(input);
        }
        while !input.is_empty() {
            let used = if let Mode::Swallow(swallow) = &mut self.mode {
                let held = swallow.held().len();
                let (length, ended) = swallow.run(input);
                let closing = swallow.held();
                output.remove(held + length - closing.len());
                if ended {
                    output.keep(closing);
                    self.mode = Mode::Text;
                }
                length
            } else if self.pending.len() == 0 {
                self.push_in_place(engine, input, output)
            } else {
                self.push_pending(engine, input, output)
            };
            input = &input[used..];
        }
    }

    pub(crate) fn finish(&mut self, engine: &Engine, output: &mut impl Output) {
        let pending = std::mem::take(&mut self.pending);
        self.lines(engine, pending.as_slice(), self.context, output);
        if let Mode::Swallow(swallow) = &self.mode {
            output.remove(swallow.held().len());
        }
        *self = Self::new();
    }

    /// Takes whole lines or a whole window from the input without copying it.
    fn push_in_place(&mut self, engine: &Engine, input: &[u8], output: &mut impl Output) -> usize {
        let reach = &input[..input.len().min(WINDOW_BYTES)];
        if let Some(last) = memchr::memrchr(b'\n', reach) {
            self.lines(engine, &reach[..=last], 0, output);
            last + 1
        } else if reach.len() == WINDOW_BYTES {
            let used = self.window(engine, reach, output);
            self.pending.append(&reach[used..]);
            WINDOW_BYTES
        } else {
            self.pending.append(reach);
            reach.len()
        }
    }

    /// Whether something is pending that has not been emitted.
    pub(crate) fn is_holding(&self) -> bool {
        self.pending.len() > self.context
    }

    /// The unfinished line, as far as it was not emitted.
    pub(crate) fn unfinished(&self) -> &[u8] {
        &self.pending.as_slice()[self.context..]
    }

    /// Completes the pending line or window.
    fn push_pending(&mut self, engine: &Engine, input: &[u8], output: &mut impl Output) -> usize {
        let reach = &input[..input.len().min(WINDOW_BYTES - self.pending.len())];
        let newline = memchr::memchr(b'\n', reach);
        let used = newline.map_or(reach.len(), |at| at + 1);
        self.pending.append(&reach[..used]);
        if newline.is_some() {
            let mut pending = std::mem::take(&mut self.pending);
            let context = std::mem::take(&mut self.context);
            self.lines(engine, pending.as_slice(), context, output);
            pending.drop_front(pending.len());
            self.pending = pending;
        } else if self.pending.len() == WINDOW_BYTES {
            let mut pending = std::mem::take(&mut self.pending);
            pending.drop_front(self.window(engine, pending.as_slice(), output));
            self.pending = pending;
        }
        used
    }

    /// Emits text that ends with a line or with the input; the first `from` bytes are out already.
    fn lines(
        &mut self,
        engine: &Engine,
        mut text: &[u8],
        mut from: usize,
        output: &mut impl Output,
    ) {
        while from < text.len() {
            if let Mode::PrivateKey(key) = &mut self.mode {
                let line = memchr::memchr(b'\n', text).map_or(text.len(), |at| at + 1);
                let (used, ended) = key.line(&text[..line], output);
                if ended {
                    self.mode = Mode::Text;
                }
                text = &text[used..];
                continue;
            }
            let mut piece = text;
            if let Mode::Block(block) = &mut self.mode {
                let line = memchr::memchr(b'\n', text).map_or(text.len(), |at| at + 1);
                match block.line(&text[..line], output) {
                    Line::Taken => {
                        text = &text[line..];
                        continue;
                    }
                    Line::Text => piece = &text[..line],
                    Line::Outside => self.mode = Mode::Text,
                }
            }
            self.spans.clear();
            let stop = engine.scan(piece, from, true, &mut self.spans);
            let end = stop.as_ref().map_or(piece.len(), |stop| stop.end);
            emit(&text[..end], from, &self.spans, output);
            if let Some(stop) = stop {
                self.mode = after(engine, stop);
            }
            text = &text[end..];
            from = 0;
        }
    }

    /// Emits what is decided of a window without a newline. Gives how much of it nobody has to look at again.
    fn window(&mut self, engine: &Engine, text: &[u8], output: &mut impl Output) -> usize {
        let from = std::mem::take(&mut self.context);
        if let Mode::PrivateKey(key) = &mut self.mode {
            let (used, ended) = key.window(text, output);
            if ended {
                self.mode = Mode::Text;
            }
            if used > 0 {
                return used;
            }
        }
        if let Mode::Block(block) = &mut self.mode {
            if block.window(text, output) {
                return text.len();
            }
            self.mode = Mode::Text;
        }
        self.spans.clear();
        if let Some(stop) = engine.scan(text, from, false, &mut self.spans) {
            let end = stop.end;
            emit(&text[..end], from, &self.spans, output);
            self.mode = after(engine, stop);
            return end;
        }
        let last = self.spans.last();
        if let Some((end, swallow)) = last.and_then(|span| Some((span.end, span.open?))) {
            emit(&text[..end], from, &self.spans, output);
            self.mode = Mode::Swallow(swallow);
            return text.len();
        }
        let found = last.map_or(0, |span| span.end);
        let decided = found.max(text.len() - HOLD_BYTES).max(from);
        emit(&text[..decided], from, &self.spans, output);
        let keep_from = decided.saturating_sub(LOOK_BEHIND_BYTES);
        self.context = decided - keep_from;
        keep_from
    }
}

/// What comes after a scan that stopped.
fn after(engine: &Engine, stop: Stop) -> Mode {
    match stop.region {
        Region::PrivateKey => Mode::PrivateKey(PrivateKey::new(engine.private_key_rule())),
        Region::Block(block) => Mode::Block(block),
    }
}

/// Emits `text[from..]`, with a mask for each span.
fn emit(text: &[u8], from: usize, spans: &[Span], output: &mut impl Output) {
    let mut at = from;
    for span in spans {
        let start = span.start.max(at);
        let end = span.end.min(text.len());
        if start < end {
            output.keep(&text[at..start]);
            output.mask(span.rule, end - start, span.quoted);
            at = end;
        }
    }
    output.keep(&text[at..]);
}
