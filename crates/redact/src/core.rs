//! The streaming machine: cuts the input at places that depend on its bytes alone and emits what is decided.

mod idle;
mod mode;
mod pending;
mod record;
mod settle;

use std::num::NonZeroU16;

use crate::engine::Engine;
use crate::output::Output;
use crate::rows::{Ahead, Rows, Waiting};
use crate::span::{Alone, RuleId, Span, unite};
use crate::wrapped::{Overlay, Pieces};
use idle::Behind;
use mode::{Mode, emit};
use pending::Pending;
use settle::Settler;

/// Longest piece of a line looked at together. Longer lines are read window by window.
pub const WINDOW_BYTES: usize = 64 << 10;

/// End of a window that is looked at again with what follows it.
pub const HOLD_BYTES: usize = 4 << 10;

/// Emitted bytes of a long line that the next window still sees before its own.
pub const LOOK_BEHIND_BYTES: usize = 1 << 10;

/// Longest line that is not looked at a second time because of what is known of its findings.
/// Its result is shorter than a window.
const MAX_ALONE_BYTES: usize = 8 << 10;

/// The state between two pieces of input.
#[derive(Clone)]
pub(crate) struct Core {
    mode: Mode,
    /// The unfinished line from the last cut on, behind the rows that wait for it; shorter than [`WINDOW_BYTES`].
    pending: Pending,
    /// Bytes at the start of `pending` that are emitted already: of a long line, or shown by [`Self::idle`].
    context: usize,
    rows: Rows,
    /// The rows that wait at the start of `pending`.
    waiting: Option<Waiting>,
    /// The first bytes of `pending` are the end of a finding in the rows before.
    begun: Option<(usize, RuleId)>,
    /// What comes next continues a line that is longer than a window.
    inside: bool,
    /// Scratch space for findings.
    spans: Vec<Span>,
    settler: Settler,
}

/// Where the core writes: pieces are masked besides what it finds.
pub(crate) struct Target<'a, Inner> {
    pub(crate) pieces: &'a mut Pieces,
    pub(crate) output: &'a mut Inner,
}

impl<Inner: Output> Target<'_, Inner> {
    fn overlay(&mut self, engine: &Engine) -> Overlay<'_, Inner> {
        overlay(engine, self.pieces, self.output)
    }
}

/// An output that masks the pieces as well.
fn overlay<'a, Inner: Output>(
    engine: &Engine,
    pieces: &'a mut Pieces,
    inner: &'a mut Inner,
) -> Overlay<'a, Inner> {
    Overlay { pieces, rule: engine.wraps().map(|wraps| wraps.rule), inner }
}

impl Core {
    pub(crate) fn new(columns: Option<NonZeroU16>) -> Self {
        Self {
            mode: Mode::Text,
            pending: Pending::default(),
            context: 0,
            rows: Rows::new(columns),
            waiting: None,
            begun: None,
            inside: false,
            spans: Vec::new(),
            settler: Settler::default(),
        }
    }

    pub(crate) fn push(
        &mut self,
        engine: &Engine,
        mut input: &[u8],
        target: &mut Target<'_, impl Output>,
    ) {
        if engine.is_passthrough() {
            return target.overlay(engine).keep(input);
        }
        while !input.is_empty() {
            let used = if let Mode::Swallow(swallow) = &mut self.mode {
                let mut output = target.overlay(engine);
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
                self.push_in_place(engine, input, target)
            } else {
                self.push_pending(engine, input, target)
            };
            input = &input[used..];
        }
    }

    pub(crate) fn finish(&mut self, engine: &Engine, target: &mut Target<'_, impl Output>) {
        let pending = std::mem::take(&mut self.pending);
        self.lines(engine, pending.as_slice(), Ahead::End, self.context, target);
        if let Mode::Swallow(swallow) = &self.mode {
            target.overlay(engine).remove(swallow.held().len());
        }
        *self = Self::new(self.rows.columns());
    }

    /// Takes whole lines or a whole window from the input without copying it.
    fn push_in_place(
        &mut self,
        engine: &Engine,
        input: &[u8],
        target: &mut Target<'_, impl Output>,
    ) -> usize {
        let reach = &input[..input.len().min(WINDOW_BYTES)];
        if let Some(last) = memchr::memrchr(b'\n', reach) {
            let (text, rest) = input.split_at(last + 1);
            let used = self.lines(engine, text, Ahead::Begun(rest), 0, target);
            self.pending.append(&text[used..]);
            self.wait_behind(text.len() - used);
            text.len()
        } else if reach.len() == WINDOW_BYTES {
            let used = self.window(engine, reach, &mut target.overlay(engine));
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
        let row = self.waiting.as_ref().map_or(0, |waiting| waiting.row);
        &self.pending.as_slice()[self.context.max(row)..]
    }

    /// Completes the pending line or window.
    fn push_pending(
        &mut self,
        engine: &Engine,
        input: &[u8],
        target: &mut Target<'_, impl Output>,
    ) -> usize {
        let row = self.waiting.as_ref().map_or(0, |waiting| waiting.row);
        let limit = self.waiting.as_ref().map_or(WINDOW_BYTES, |waiting| waiting.open.row_limit());
        let reach = &input[..input.len().min(row + limit - self.pending.len())];
        let newline = memchr::memchr(b'\n', reach);
        let mut used = newline.map_or(reach.len(), |at| at + 1);
        self.pending.append(&reach[..used]);
        let length = self.pending.len();
        if newline.is_some() {
            let text = self.pending.as_slice();
            match &mut self.waiting {
                Some(waiting) if waiting.open.goes_on(row, &text[row..]) => waiting.row = length,
                waiting => {
                    if waiting.is_some() && self.context == 0 {
                        used += self.append_lines(&input[used..]);
                    }
                    self.pending_lines(engine, self.pending.len(), target);
                }
            }
        } else if row > 0 && length == row + limit {
            self.pending_lines(engine, row, target);
        } else if row == 0 && length == WINDOW_BYTES {
            let mut pending = std::mem::take(&mut self.pending);
            let output = &mut target.overlay(engine);
            pending.drop_front(self.window(engine, pending.as_slice(), output));
            self.pending = pending;
        }
        used
    }

    /// Takes whole lines behind rows that waited: the last of them may be one that waits, and then would each of them alone.
    fn append_lines(&mut self, input: &[u8]) -> usize {
        let reach = &input[..input.len().min(WINDOW_BYTES.saturating_sub(self.pending.len()))];
        let used = memchr::memrchr(b'\n', reach).map_or(0, |last| last + 1);
        self.pending.append(&reach[..used]);
        used
    }

    /// Emits the lines that end before `end` in `pending`, but for rows that wait.
    fn pending_lines(&mut self, engine: &Engine, end: usize, target: &mut Target<'_, impl Output>) {
        let mut pending = std::mem::take(&mut self.pending);
        let context = std::mem::take(&mut self.context);
        let (text, rest) = pending.as_slice().split_at(end);
        let used = self.lines(engine, text, Ahead::Begun(rest), context, target);
        pending.drop_front(used);
        self.pending = pending;
        self.wait_behind(end - used);
        if used == 0 {
            // The row that was shown in part waits.
            self.context = context;
        }
    }

    /// The row that the waiting ones need begins at `row` in `pending`.
    fn wait_behind(&mut self, row: usize) {
        if let Some(waiting) = &mut self.waiting {
            waiting.row = row;
        }
    }

    /// Emits text that ends with a line or with the input; the first `from` bytes are out already. Gives how much is out
    /// now: all, or up to rows that wait for what follows.
    fn lines(
        &mut self,
        engine: &Engine,
        all: &[u8],
        ahead: Ahead<'_>,
        mut from: usize,
        target: &mut Target<'_, impl Output>,
    ) -> usize {
        let mut text = all;
        self.waiting = None;
        if self.inside {
            let end = line_end(text, from);
            let output = &mut target.overlay(engine);
            self.mode.line(engine, &text[..end], from, &mut self.spans, output);
            self.settler.forget(&self.mode);
            self.inside = false;
            self.rows.forget();
            (text, from) = (&text[end..], 0);
        }
        let before = all.len() - text.len();
        let used = if from > 0 && !text.is_empty() {
            // A part of the line was shown while it was waited for.
            target.pieces.rewind(from);
            let output = &mut Behind { shown: from, inner: &mut *target.output };
            let mut target = Target { pieces: target.pieces, output };
            let used = self.whole_lines(engine, text, ahead, &mut target);
            if used == 0 {
                target.pieces.skip(from);
            }
            used
        } else {
            self.whole_lines(engine, text, ahead, target)
        };
        before + used
    }

    fn whole_lines(
        &mut self,
        engine: &Engine,
        all: &[u8],
        ahead: Ahead<'_>,
        target: &mut Target<'_, impl Output>,
    ) -> usize {
        let mut text = all;
        while !text.is_empty() && self.waiting.is_none() {
            let used = if self.mode.is_text() {
                self.text(engine, text, ahead, target)
            } else {
                let line = &text[..line_end(text, 0)];
                let before = self.mode.clone();
                let output = &mut overlay(engine, target.pieces, self.settler.begin());
                self.mode.line(engine, line, 0, &mut self.spans, output);
                self.settler.settle(engine, line, (&before, &self.mode), target.output);
                line.len()
            };
            self.rows.leave(&text[..used]);
            text = &text[used..];
        }
        all.len() - text.len()
    }

    /// Emits lines of text, up to and with one in which something else begins, or up to rows that wait. Gives how much that
    /// is.
    fn text(
        &mut self,
        engine: &Engine,
        text: &[u8],
        ahead: Ahead<'_>,
        target: &mut Target<'_, impl Output>,
    ) -> usize {
        let mut spans = std::mem::take(&mut self.spans);
        spans.clear();
        self.rows.begin();
        let mut stop = engine.scan(text, 0, true, &mut spans, Some(&mut self.rows));
        let mut end = stop.as_ref().map_or(text.len(), |stop| line_start(text, stop.end - 1));
        if self.rows.is_any() || self.begun.is_some() {
            let lines_to = end;
            // A line in which something else begins is no row of these.
            let ahead = if stop.is_some() { Ahead::End } else { ahead };
            end = self.join_rows(engine, &text[..end], ahead, &mut spans);
            stop = stop.filter(|_| self.waiting.is_none());
            debug_assert!(self.waiting.is_some() || end == lines_to, "nothing else ends earlier");
        }
        let settler = &mut self.settler;
        let leaves_masks = engine.leaves_masks();
        let mut rest = spans.as_slice();
        let mut flushed = 0;
        let mut at = 0_usize;
        loop {
            // The next line with something in it.
            let piece = target.pieces.next().map_or(end, |ahead| at.saturating_add(ahead).min(end));
            let next = rest.first().map_or(end, |span| span.start).min(piece);
            if next >= end {
                break;
            }
            let start = line_start(text, next);
            target.pieces.skip(start - at);
            if leaves_masks && settler.is_idle() {
                let (end, count) = left_alone(&text[..piece.min(end)], start, rest);
                if end > start {
                    let found = &rest[..count];
                    debug_assert!(settle::is_left_alone(engine, &text[..end], start, found));
                    target.output.keep(&text[flushed..start]);
                    emit(&text[..end], start, found, &mut target.overlay(engine));
                    rest = &rest[count..];
                    (at, flushed) = (end, end);
                    continue;
                }
            }
            at = line_end(text, next);
            let in_line = rest.iter().position(|span| span.start >= at).unwrap_or(rest.len());
            let found;
            (found, rest) = rest.split_at(in_line);
            let record = settler.add(start..at);
            emit(&text[..at], start, found, &mut overlay(engine, target.pieces, record));
            if settler.added(engine, text) {
                settler.flush(engine, text, flushed..at, target.output);
                flushed = at;
            }
        }
        target.pieces.skip(end - at);
        settler.flush(engine, text, flushed..end, target.output);
        let mut used = end;
        if let Some(stop) = stop {
            used = line_end(text, stop.end - 1);
            let output = &mut overlay(engine, target.pieces, settler.begin());
            emit(&text[..stop.end], end, rest, output);
            let (before, behind) = text[end..used].split_at(stop.end - end);
            self.mode = Mode::after(engine, stop, before);
            self.mode.line(engine, behind, 0, &mut spans, output);
            settler.settle(engine, &text[end..used], (&Mode::Text, &self.mode), target.output);
        }
        self.spans = spans;
        used
    }

    /// Adds what is found across the rows of `text` to the findings in its lines. Gives where the rows begin that wait.
    #[cold]
    fn join_rows(
        &mut self,
        engine: &Engine,
        text: &[u8],
        ahead: Ahead<'_>,
        spans: &mut Vec<Span>,
    ) -> usize {
        let open = self.rows.join(engine, text, ahead, spans);
        // Not before: it was found across a break, and not in this line.
        if let Some((end, rule)) = self.begun.take() {
            spans.push(Span {
                start: 0,
                end,
                rule,
                open: None,
                quoted: false,
                alone: Alone::NOWHERE,
            });
            unite(spans);
        }
        let Some(open) = open else { return text.len() };
        let end = open.start;
        let first = spans.iter().find(|span| span.start <= end && span.end > end);
        self.begun = first.map(|span| (span.end - end, span.rule));
        spans.retain(|span| span.start < end);
        self.waiting = Some(Waiting { open, row: 0 });
        end
    }

    /// Emits what is decided of a window without a newline. Gives how much of it nobody has to look at again.
    fn window(&mut self, engine: &Engine, text: &[u8], output: &mut impl Output) -> usize {
        self.inside = true;
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
            if block.window(text, &mut Behind { shown: from, inner: &mut *output }) {
                return text.len();
            }
            self.mode = Mode::Text;
        }
        self.spans.clear();
        if let Some(stop) = engine.scan(text, from, false, &mut self.spans, None) {
            let end = stop.end;
            emit(&text[..end], from, &self.spans, output);
            // What would be repeated before each line of a block is shorter than this one.
            self.mode = Mode::after(engine, stop, b"");
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

/// The whole lines from the one at `start` on, which holds the first of `spans`, in whose results a second pass finds nothing
/// new: where they end, and how many of the findings are in them.
fn left_alone(text: &[u8], start: usize, spans: &[Span]) -> (usize, usize) {
    let named = |span: &&Span| span.alone != Alone::ANYWHERE;
    let from = spans.iter().find(named).map_or(usize::MAX, |span| span.alone.from);
    let is_alike = |span: &&Span| span.alone.from == from || span.alone == Alone::ANYWHERE;
    let alike = spans.iter().take_while(is_alike).count();
    let mut end = start;
    if from <= start {
        let next = spans.get(alike).map_or(text.len(), |next| next.start);
        let last = spans[..alike].iter().rfind(named);
        let reach = last.map_or(0, |last| last.alone.to).min(next).min(text.len());
        while let Some(last) = memchr::memrchr(b'\n', &text[end..reach.min(end + MAX_ALONE_BYTES)])
        {
            end += last + 1;
        }
    }
    (end, spans[..alike].partition_point(|span| span.start < end))
}

/// Where the line of the byte at `at` begins.
fn line_start(text: &[u8], at: usize) -> usize {
    memchr::memrchr(b'\n', &text[..at]).map_or(0, |newline| newline + 1)
}

/// Where the line of the byte at `at` ends, its newline included.
fn line_end(text: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |length| at + length + 1)
}
