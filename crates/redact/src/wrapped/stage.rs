//! The stage before the lines: it notices when a line may end inside a known value, and waits for the next line.

use std::collections::VecDeque;
use std::ops::Range;

use aho_corasick::automaton::StateID;

use super::automaton::Wraps;
use super::overlay::Pieces;
use super::{MAX_INDENT_BYTES, MIN_CUT_LITERAL_BYTES, MIN_FIRST_PIECE_BYTES, MIN_WRAPPED_BYTES};
use crate::literal::MAX_LITERAL_BYTES;

/// The state between two pieces of input.
#[derive(Clone, Default)]
pub(crate) struct WrapStage {
    /// The end of the unfinished line, as much of it as a value may include.
    tail: Vec<u8>,
    /// The number of bytes taken so far.
    taken: u64,
    unfinished_value: Option<UnfinishedValue>,
    /// The bytes that were taken and not passed on. They begin with the line break that `unfinished_value` waits at.
    held: Vec<u8>,
    holding: bool,
}

/// The text ends with the beginning of a value that spans at least one line break.
#[derive(Clone)]
struct UnfinishedValue {
    node: StateID,
    /// The piece of the value on each line that has ended, the oldest first.
    pieces: VecDeque<ValuePiece>,
    /// Where the current line begins, in bytes from the start of the text.
    line: u64,
    position_in_line: LinePosition,
}

#[derive(Clone)]
struct ValuePiece {
    /// The offset after its last byte, where the line break follows.
    end: u64,
    length: usize,
}

#[derive(Clone)]
enum LinePosition {
    /// In the blanks at the start of a line, of which there were this many.
    Indent(usize),
    /// In the value: `length` bytes of it begin at `start`.
    Value { start: u64, length: usize },
    /// After the value and a carriage return.
    Returned { start: u64, length: usize },
}

impl UnfinishedValue {
    /// The first line break after a piece that may have to be masked.
    fn first_held_line_break(&self) -> Option<u64> {
        let short = |piece: &&ValuePiece| piece.length < MIN_FIRST_PIECE_BYTES;
        let first = usize::from(self.pieces.front().as_ref().is_some_and(short));
        self.pieces.get(first).map(|piece| piece.end)
    }

    /// Ends the line, whose piece is `length` bytes long and ends at `end`.
    fn break_line(&mut self, depth: usize, length: usize, end: u64, next: u64) {
        self.pieces.push_back(ValuePiece { end, length });
        let mut surplus = self.pieces.iter().map(|piece| piece.length).sum::<usize>() - depth;
        while let Some(first) = self.pieces.front_mut() {
            if first.length > surplus {
                first.length -= surplus;
                break;
            }
            surplus -= first.length;
            self.pieces.pop_front();
        }
        self.line = next;
        self.position_in_line = LinePosition::Indent(0);
    }
}

impl WrapStage {
    /// A new stage at `position`, where the unfinished line `line` can still be masked.
    pub(crate) fn after(position: u64, line: &[u8]) -> Self {
        let tail = line[line.len().saturating_sub(MAX_LITERAL_BYTES)..].to_vec();
        Self { tail, taken: position, ..Self::default() }
    }

    /// Whether some text was taken and not passed on.
    pub(crate) fn is_holding(&self) -> bool {
        !self.held.is_empty()
    }

    /// Whether the next bytes may continue a value that began on an earlier line.
    pub(crate) fn is_inside_value(&self) -> bool {
        self.unfinished_value.is_some()
    }

    /// Where the first part is of a value that may go on: of those that are held, or in the current line.
    pub(crate) fn value(&self) -> Option<Range<u64>> {
        let UnfinishedValue { pieces, position_in_line, .. } = self.unfinished_value.as_ref()?;
        let held_from = self.taken - self.held.len() as u64;
        let held = pieces.iter().find(|piece| !self.held.is_empty() && piece.end == held_from);
        Some(match (held, position_in_line) {
            (Some(piece), _) => piece.end - piece.length as u64..piece.end,
            (None, &LinePosition::Value { start, .. } | &LinePosition::Returned { start, .. }) => {
                start..self.taken
            }
            (None, LinePosition::Indent(_)) => self.taken..self.taken,
        })
    }

    /// Takes the next bytes. They are passed to `hand_on`, now or later, after the pieces in them were found.
    pub(crate) fn push(
        &mut self,
        wraps: &Wraps,
        input: &[u8],
        pieces: &mut Pieces,
        hand_on: &mut impl FnMut(&mut Pieces, &[u8]),
    ) {
        let base = self.taken;
        let mut feed = InputView { base, input, from: 0 };
        let mut line = 0;
        let mut at = 0;
        while at < input.len() {
            if let Some(unfinished_value) = &mut self.unfinished_value {
                match read_line(wraps, unfinished_value, &input[at..], base + at as u64, pieces) {
                    LineOutcome::All => at = input.len(),
                    LineOutcome::Broken(used) => {
                        at += used;
                        line = at;
                        let first_held_line_break = unfinished_value.first_held_line_break();
                        self.hold_back_from(first_held_line_break, &mut feed, pieces, hand_on);
                    }
                    LineOutcome::Ended(used) => {
                        let begun = unfinished_value.line.checked_sub(base);
                        line = begun.and_then(|at| usize::try_from(at).ok()).unwrap_or(0);
                        at += used;
                        self.unfinished_value = None;
                        self.hold_back_from(None, &mut feed, pieces, hand_on);
                    }
                }
                continue;
            }
            let Some(length) = memchr::memchr(b'\n', &input[at..]) else { break };
            let end = at + length;
            let before = if line == 0 { self.tail.as_slice() } else { &[] };
            let text = &input[line..end];
            // The carriage return of a line break is not part of the line. It may have been in an earlier input.
            let is_cut = text.is_empty() && before.ends_with(b"\r");
            let before = &before[..before.len() - usize::from(is_cut)];
            let text = text.strip_suffix(b"\r").unwrap_or(text);
            let node = wraps.at_end(before, text);
            let depth = wraps.depth(node);
            let behind = base + (line + text.len()) as u64 - u64::from(is_cut);
            line = end + 1;
            at = line;
            if depth == 0 {
                continue;
            }
            let piece = ValuePiece { end: behind, length: depth };
            let unfinished_value = UnfinishedValue {
                node,
                pieces: VecDeque::from([piece]),
                line: base + line as u64,
                position_in_line: LinePosition::Indent(0),
            };
            let first_held_line_break = unfinished_value.first_held_line_break();
            self.unfinished_value = Some(unfinished_value);
            self.hold_back_from(first_held_line_break, &mut feed, pieces, hand_on);
        }
        let rest = &input[feed.from..];
        if self.holding {
            self.held.extend_from_slice(rest);
        } else {
            hand_on(pieces, rest);
        }
        self.taken += input.len() as u64;
        self.remember(input);
    }
}

impl WrapStage {
    /// Passes on the text that was held.
    pub(crate) fn finish(
        &mut self,
        pieces: &mut Pieces,
        hand_on: &mut impl FnMut(&mut Pieces, &[u8]),
    ) {
        hand_on(pieces, &self.take_held());
        *self = Self::default();
    }

    /// Masks a value that has begun, because the text was cut there. A text that ends with a line is taken for cut only
    /// where that line ends with much of a value.
    pub(crate) fn mask_begun_value(&self, wraps: &Wraps, pieces: &mut Pieces) {
        let Some(UnfinishedValue { node, pieces: lines, position_in_line, .. }) =
            &self.unfinished_value
        else {
            return;
        };
        let (start, length) = match *position_in_line {
            LinePosition::Indent(_) => (self.taken, 0),
            LinePosition::Value { start, length } | LinePosition::Returned { start, length } => {
                (start, length)
            }
        };
        let begun = wraps.depth(*node);
        let shortest = if length == 0 { MIN_WRAPPED_BYTES } else { MIN_CUT_LITERAL_BYTES };
        if begun < shortest {
            return;
        }
        if length > 0 {
            pieces.add(start..start + length as u64);
        }
        record_earlier_pieces(lines, begun.saturating_sub(length), pieces);
    }

    /// Takes the text that was held.
    pub(crate) fn take_held(&mut self) -> Vec<u8> {
        self.holding = false;
        std::mem::take(&mut self.held)
    }

    /// Holds everything from `position` on, or nothing without a position, and passes on the text before it.
    fn hold_back_from(
        &mut self,
        position: Option<u64>,
        feed: &mut InputView<'_>,
        pieces: &mut Pieces,
        hand_on: &mut impl FnMut(&mut Pieces, &[u8]),
    ) {
        let Some(position) = position else {
            if self.holding {
                hand_on(pieces, &self.take_held());
            }
            return;
        };
        let held_from = feed.base + feed.from as u64 - self.held.len() as u64;
        let released_bytes =
            usize::try_from(position.saturating_sub(held_from)).unwrap_or(usize::MAX);
        let released_from_held = released_bytes.min(self.held.len());
        if released_from_held > 0 {
            hand_on(pieces, &self.held[..released_from_held]);
            self.held.drain(..released_from_held);
        }
        let to = (feed.from + released_bytes - released_from_held).min(feed.input.len());
        hand_on(pieces, &feed.input[feed.from..to]);
        feed.from = to;
        self.holding = true;
    }

    /// Remembers the end of the unfinished line.
    fn remember(&mut self, input: &[u8]) {
        let line = match memchr::memrchr(b'\n', input) {
            Some(at) => {
                self.tail.clear();
                &input[at + 1..]
            }
            None => input,
        };
        let kept = &line[line.len().saturating_sub(MAX_LITERAL_BYTES)..];
        let surplus = (self.tail.len() + kept.len()).saturating_sub(MAX_LITERAL_BYTES);
        self.tail.drain(..surplus);
        self.tail.extend_from_slice(kept);
    }
}

/// The current input.
struct InputView<'a> {
    /// The position of its first byte in the text.
    base: u64,
    input: &'a [u8],
    /// The number of bytes passed on already.
    from: usize,
}

/// How much of the text belongs to a crossing.
enum LineOutcome {
    All,
    /// This many bytes; the last is a line break after which the value may continue.
    Broken(usize),
    /// This many bytes were read; the value does not continue after them.
    Ended(usize),
}

fn read_line(
    wraps: &Wraps,
    unfinished_value: &mut UnfinishedValue,
    text: &[u8],
    position: u64,
    pieces: &mut Pieces,
) -> LineOutcome {
    for (index, &byte) in text.iter().enumerate() {
        let here = position + index as u64;
        let (start, length) = match unfinished_value.position_in_line {
            // The value itself contains this blank, and the line is not indented.
            LinePosition::Indent(0) if wraps.continues_value(unfinished_value.node, byte) => {
                (here, 0)
            }
            LinePosition::Indent(count)
                if matches!(byte, b' ' | b'\t') && count < MAX_INDENT_BYTES =>
            {
                unfinished_value.position_in_line = LinePosition::Indent(count + 1);
                continue;
            }
            LinePosition::Indent(_) if matches!(byte, b'\r' | b'\n') => {
                return LineOutcome::Ended(index);
            }
            LinePosition::Indent(_) => (here, 0),
            LinePosition::Value { start, length } if byte == b'\r' => {
                unfinished_value.position_in_line = LinePosition::Returned { start, length };
                continue;
            }
            LinePosition::Value { start, length } | LinePosition::Returned { start, length }
                if byte == b'\n' =>
            {
                let depth = wraps.depth(unfinished_value.node);
                unfinished_value.break_line(depth, length, start + length as u64, here + 1);
                return LineOutcome::Broken(index + 1);
            }
            LinePosition::Value { start, length } => (start, length),
            LinePosition::Returned { .. } => return LineOutcome::Ended(index),
        };
        let length = length + 1;
        unfinished_value.node = wraps.step(unfinished_value.node, byte);
        unfinished_value.position_in_line = LinePosition::Value { start, length };
        if let Some(found) = wraps.found(unfinished_value.node).filter(|&found| found > length) {
            pieces.add(start..here + 1);
            record_earlier_pieces(&unfinished_value.pieces, found - length, pieces);
        }
        if wraps.depth(unfinished_value.node) <= length {
            return LineOutcome::Ended(index + 1);
        }
    }
    LineOutcome::All
}

/// Adds the last `length` bytes of the lines that have ended to the pieces.
fn record_earlier_pieces(lines: &VecDeque<ValuePiece>, mut length: usize, pieces: &mut Pieces) {
    for piece in lines.iter().rev() {
        let part = piece.length.min(length);
        length -= part;
        if length > 0 || part >= MIN_FIRST_PIECE_BYTES {
            pieces.add(piece.end - part as u64..piece.end);
        }
        if length == 0 {
            return;
        }
    }
}
