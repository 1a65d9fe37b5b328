//! Cuts the input at places that depend only on its bytes, and writes what is decided: whole lines, and windows of a
//! line that is longer than a window.

use super::write::{Target, emit};
use crate::block::{Block, BlockRule, LineRole};
use crate::detect::alone;
use crate::detect::scan::{Region, Stop};
use crate::engine::Engine;
use crate::limits::{HOLD_BYTES, LOOK_BEHIND_BYTES, WINDOW_BYTES};
use crate::output::Output;
use crate::pem::PrivateKey;
use crate::span::{Continuation, RuleId, Span};

/// The lines of an input up to this length are copied after the unfinished line, because searching that line alone
/// takes longer.
const MAX_JOINED_BYTES: usize = 16 << 10;

/// What kind of block the next text belongs to.
#[derive(Clone, Default)]
pub(super) enum ReadMode {
    #[default]
    Text,
    /// A private key.
    PrivateKey(PrivateKey),
    /// The lines below a name, which may hold its value.
    Block(Block),
    /// A value that is too long to hold. Its mask is written.
    Continuation(Continuation),
}

impl ReadMode {
    /// The mode after a scan that stopped at the end of `text`.
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
    pub(super) mode: ReadMode,
    /// The unfinished line, or its part after the last cut. It is shorter than [`WINDOW_BYTES`].
    pub(super) pending: Pending,
    /// The number of bytes at the start of `pending` that are written already: the context of a long line, or text
    /// shown at a pause.
    pub(super) shown: usize,
    /// Whether `pending` continues a line that is longer than a window.
    pub(super) inside: bool,
    /// A buffer for findings.
    pub(super) spans: Vec<Span>,
    /// The number of bytes read by all searches.
    pub(super) steps: u64,
}

impl Lines {
    /// The state before the output of a command that prints a secret alone.
    pub(super) fn of_secret(rule: RuleId) -> Self {
        let block_rule = BlockRule { rule, is_value: alone::is_printed_secret };
        Self { mode: ReadMode::Block(Block::Alone(block_rule)), ..Self::default() }
    }

    pub(super) fn push(&mut self, mut input: &[u8], target: &mut Target<'_, impl Output>) {
        if target.engine.is_passthrough() {
            return target.keep(input);
        }
        while !input.is_empty() {
            let used = if let ReadMode::Continuation(continuation) = self.mode {
                self.continuation(continuation, input, target)
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
        if let ReadMode::Continuation(continuation) = self.mode {
            target.remove(continuation.held().len());
        }
    }

    /// The part of the unfinished line that is not written yet.
    pub(super) fn unfinished(&self) -> &[u8] {
        &self.pending.as_slice()[self.shown..]
    }

    /// Removes the next part of a value whose mask is written.
    fn continuation(
        &mut self,
        mut continuation: Continuation,
        input: &[u8],
        output: &mut impl Output,
    ) -> usize {
        let held = continuation.held().len();
        let (length, ended) = continuation.run(input);
        self.steps += length as u64;
        let closing = continuation.held();
        output.remove(held + length - closing.len());
        output.keep(if ended { closing } else { b"" });
        self.mode = if ended { ReadMode::Text } else { ReadMode::Continuation(continuation) };
        length
    }

    /// Takes whole lines or a whole window from the input without copying them.
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
        let is_short = input.len() <= MAX_JOINED_BYTES;
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

    /// Writes text that ends with a line or with the input. The first `shown` bytes are written already.
    fn lines(&mut self, text: &[u8], shown: usize, target: &mut Target<'_, impl Output>) {
        let engine = target.engine;
        target.skip(shown);
        let mut rest = text;
        if std::mem::take(&mut self.inside) && matches!(self.mode, ReadMode::Text) {
            // The written part of a long line is only context.
            let line = &text[..line_end(text, shown)];
            rest = &text[self.text(engine, line, shown, target)..];
        }
        self.read(engine, rest, target);
    }

    /// Writes text that ends with a line or with the input.
    pub(super) fn read(&mut self, engine: &Engine, mut text: &[u8], output: &mut impl Output) {
        // The length of the first line if it is known, so that the end of a line with many markers is searched only
        // once.
        let mut first = 0;
        while !text.is_empty() {
            let (spans, steps) = (&mut self.spans, &mut self.steps);
            let used = match &mut self.mode {
                ReadMode::Text | ReadMode::Continuation(_) => self.text(engine, text, 0, output),
                ReadMode::PrivateKey(key) => {
                    if first == 0 {
                        first = line_end(text, 0);
                        *steps += first as u64;
                    }
                    let line = &text[..first];
                    let before =
                        |text: &[u8], output: &mut _| prefix(engine, text, spans, output, steps);
                    let (used, ended) = key.line(line, output, before);
                    self.steps += key.take_count();
                    if ended {
                        self.mode = ReadMode::Text;
                    }
                    used
                }
                ReadMode::Block(block) => {
                    let line = &text[..line_end(text, 0)];
                    *steps += line.len() as u64;
                    spans.clear();
                    let role = block.line(line, output, spans);
                    let is_table = block.is_table();
                    if matches!(role, LineRole::Last | LineRole::LastCells | LineRole::Outside) {
                        self.mode = ReadMode::Text;
                    }
                    match role {
                        LineRole::Taken | LineRole::Last => line.len(),
                        LineRole::Text | LineRole::Cells | LineRole::LastCells => {
                            self.found(engine, line, 0, is_table, output)
                        }
                        LineRole::Outside => 0,
                    }
                }
            };
            text = &text[used..];
            first = first.saturating_sub(used);
        }
    }

    /// Writes lines of text up to the place where a block begins, and returns that place. The first `from` bytes are
    /// only context.
    fn text(&mut self, engine: &Engine, text: &[u8], from: usize, to: &mut impl Output) -> usize {
        self.spans.clear();
        self.found(engine, text, from, false, to)
    }

    /// The same for text of which some secrets are found already. A row of a table is no header of another.
    fn found(
        &mut self,
        engine: &Engine,
        text: &[u8],
        from: usize,
        is_row: bool,
        to: &mut impl Output,
    ) -> usize {
        let stop = engine.scan(text, from, true, &mut self.spans, &mut self.steps);
        let end = stop.as_ref().map_or(text.len(), |stop| stop.end);
        emit(&text[..end], &self.spans, to);
        let heads = |stop: &Stop| matches!(&stop.region, Region::Block(block) if block.is_table());
        if let Some(stop) = stop.filter(|stop| !is_row || !heads(stop)) {
            self.mode = ReadMode::after(engine, stop, &text[..end]);
        }
        end
    }

    /// Writes what is decided of a window without a newline. The first `shown` bytes are written already. Returns how
    /// much of the window need not be searched again.
    fn window(&mut self, text: &[u8], shown: usize, to: &mut Target<'_, impl Output>) -> usize {
        // Text that was shown at a pause is not context: the line still begins with it.
        let from = if std::mem::replace(&mut self.inside, true) { shown } else { 0 };
        to.skip(shown);
        if let ReadMode::PrivateKey(key) = &mut self.mode {
            let (used, ended) = key.window(text, to);
            self.steps += key.take_count();
            if ended {
                self.mode = ReadMode::Text;
            }
            if used > 0 {
                return used;
            }
        }
        if let ReadMode::Block(block) = &mut self.mode {
            self.steps += text.len() as u64;
            if block.window(text, to) {
                return text.len();
            }
            self.mode = ReadMode::Text;
        }
        self.spans.clear();
        let stop = to.engine.scan(text, from, false, &mut self.spans, &mut self.steps);
        if let Some(stop) = stop {
            let end = stop.end;
            emit(&text[..end], &self.spans, to);
            // A private key in a line this long has no prefix.
            self.mode = ReadMode::after(to.engine, stop, b"");
            return end;
        }
        let last = self.spans.last();
        if let Some((end, continuation)) = last.and_then(|span| Some((span.end, span.open?))) {
            emit(&text[..end], &self.spans, to);
            self.mode = ReadMode::Continuation(continuation);
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

/// A buffer to which bytes are appended at the end and removed at the front. Each byte is moved a limited number of
/// times.
#[derive(Clone, Default)]
pub(super) struct Pending {
    bytes: Vec<u8>,
    /// The number of bytes at the front that were removed; at most [`WINDOW_BYTES`].
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

/// Writes the text before a part of a private key on its line. No block begins in it.
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

/// Where the line ends that contains the byte at `at`, including its newline.
fn line_end(text: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |length| at + length + 1)
}
