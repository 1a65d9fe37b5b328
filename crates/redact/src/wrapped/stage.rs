//! What stands before the machine: notices when a line may end inside a known value, and waits for the next one.

use std::collections::VecDeque;

use aho_corasick::automaton::StateID;

use super::automaton::Wraps;
use super::overlay::Pieces;
use super::{FIRST_PIECE_BYTES, INDENT_BYTES};
use crate::literal::MAX_LITERAL_BYTES;

/// The state between two pieces of input.
#[derive(Clone, Default)]
pub(crate) struct Stage {
    /// The end of the unfinished line, as far as a value may reach back into it.
    tail: Vec<u8>,
    /// Bytes taken so far.
    taken: u64,
    crossing: Option<Crossing>,
    /// Bytes taken and not handed on: nothing, or from the break on that `crossing` waits behind.
    held: Vec<u8>,
    holding: bool,
}

/// The text ends with the beginning of a value that goes over at least one break.
#[derive(Clone)]
struct Crossing {
    node: StateID,
    /// The part of each line that ended, oldest first.
    pieces: VecDeque<Piece>,
    /// Where the current line begins, in bytes from the start of the text.
    line: u64,
    place: Place,
}

#[derive(Clone)]
struct Piece {
    /// Behind its last byte; the break follows.
    end: u64,
    length: usize,
}

#[derive(Clone)]
enum Place {
    /// Blanks at the beginning of a line, this many.
    Indent(usize),
    /// This many bytes of the value, from here on.
    Value { start: u64, length: usize },
    /// The same, and then a carriage return.
    Returned { start: u64, length: usize },
}

impl Crossing {
    /// The first break that may lie behind a byte to mask.
    fn waits_at(&self) -> Option<u64> {
        let short = |piece: &&Piece| piece.length < FIRST_PIECE_BYTES;
        let first = usize::from(self.pieces.front().as_ref().is_some_and(short));
        self.pieces.get(first).map(|piece| piece.end)
    }

    /// Ends the line: a piece of it is `length` bytes and ends at `end`.
    fn break_line(&mut self, depth: usize, length: usize, end: u64, next: u64) {
        self.pieces.push_back(Piece { end, length });
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
        self.place = Place::Indent(0);
    }
}

impl Stage {
    /// As new, where `tail` is the end of an unfinished line that can still be masked.
    pub(crate) fn after(position: u64, line: &[u8]) -> Self {
        let tail = line[line.len().saturating_sub(MAX_LITERAL_BYTES)..].to_vec();
        Self { tail, taken: position, ..Self::default() }
    }

    /// Whether something was taken and not handed on.
    pub(crate) fn is_holding(&self) -> bool {
        !self.held.is_empty()
    }

    /// Whether what comes next may be the rest of a value that began in an earlier line.
    pub(crate) fn is_crossing(&self) -> bool {
        self.crossing.is_some()
    }

    /// Takes the next bytes; `hand_on` gets them, at once or later, after the pieces in them were noted.
    pub(crate) fn push(
        &mut self,
        wraps: &Wraps,
        input: &[u8],
        pieces: &mut Pieces,
        hand_on: &mut impl FnMut(&mut Pieces, &[u8]),
    ) {
        let base = self.taken;
        let mut feed = Feed { base, input, from: 0 };
        let mut line = 0;
        let mut at = 0;
        while at < input.len() {
            if let Some(crossing) = &mut self.crossing {
                match cross(wraps, crossing, &input[at..], base + at as u64, pieces) {
                    Crossed::All => at = input.len(),
                    Crossed::Broken(used) => {
                        at += used;
                        line = at;
                        let waits_at = crossing.waits_at();
                        self.hold_from(waits_at, &mut feed, pieces, hand_on);
                    }
                    Crossed::Ended(used) => {
                        let begun = crossing.line.checked_sub(base);
                        line = begun.and_then(|at| usize::try_from(at).ok()).unwrap_or(0);
                        at += used;
                        self.crossing = None;
                        self.hold_from(None, &mut feed, pieces, hand_on);
                    }
                }
                continue;
            }
            let Some(length) = memchr::memchr(b'\n', &input[at..]) else { break };
            let end = at + length;
            let before = if line == 0 { self.tail.as_slice() } else { &[] };
            let text = &input[line..end];
            // The carriage return of a break is not part of the line. It may have come before this input.
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
            let piece = Piece { end: behind, length: depth };
            let crossing = Crossing {
                node,
                pieces: VecDeque::from([piece]),
                line: base + line as u64,
                place: Place::Indent(0),
            };
            let waits_at = crossing.waits_at();
            self.crossing = Some(crossing);
            self.hold_from(waits_at, &mut feed, pieces, hand_on);
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

impl Stage {
    /// Hands on what was held.
    pub(crate) fn finish(
        &mut self,
        pieces: &mut Pieces,
        hand_on: &mut impl FnMut(&mut Pieces, &[u8]),
    ) {
        hand_on(pieces, &self.take_held());
        *self = Self::default();
    }

    /// What was held; it is no longer.
    pub(crate) fn take_held(&mut self) -> Vec<u8> {
        self.holding = false;
        std::mem::take(&mut self.held)
    }

    /// Holds everything from `position` on, or nothing, and hands on what lies before.
    fn hold_from(
        &mut self,
        position: Option<u64>,
        feed: &mut Feed<'_>,
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
        let free = usize::try_from(position.saturating_sub(held_from)).unwrap_or(usize::MAX);
        let from_held = free.min(self.held.len());
        if from_held > 0 {
            hand_on(pieces, &self.held[..from_held]);
            self.held.drain(..from_held);
        }
        let to = (feed.from + free - from_held).min(feed.input.len());
        hand_on(pieces, &feed.input[feed.from..to]);
        feed.from = to;
        self.holding = true;
    }

    /// Keeps the end of the unfinished line.
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

/// The input at hand.
struct Feed<'a> {
    /// Position of its first byte.
    base: u64,
    input: &'a [u8],
    /// Bytes handed on already.
    from: usize,
}

/// How far the text belongs to a crossing.
enum Crossed {
    All,
    /// So many bytes, the last a break behind which it may go on.
    Broken(usize),
    /// So many bytes, and not behind them.
    Ended(usize),
}

fn cross(
    wraps: &Wraps,
    crossing: &mut Crossing,
    text: &[u8],
    position: u64,
    pieces: &mut Pieces,
) -> Crossed {
    for (index, &byte) in text.iter().enumerate() {
        let here = position + index as u64;
        let (start, length) = match crossing.place {
            // A blank of the value itself, where the line is not indented.
            Place::Indent(0) if wraps.goes_on(crossing.node, byte) => (here, 0),
            Place::Indent(count) if matches!(byte, b' ' | b'\t') && count < INDENT_BYTES => {
                crossing.place = Place::Indent(count + 1);
                continue;
            }
            Place::Indent(_) if matches!(byte, b'\r' | b'\n') => return Crossed::Ended(index),
            Place::Indent(_) => (here, 0),
            Place::Value { start, length } if byte == b'\r' => {
                crossing.place = Place::Returned { start, length };
                continue;
            }
            Place::Value { start, length } | Place::Returned { start, length } if byte == b'\n' => {
                let depth = wraps.depth(crossing.node);
                crossing.break_line(depth, length, start + length as u64, here + 1);
                return Crossed::Broken(index + 1);
            }
            Place::Value { start, length } => (start, length),
            Place::Returned { .. } => return Crossed::Ended(index),
        };
        let length = length + 1;
        crossing.node = wraps.step(crossing.node, byte);
        crossing.place = Place::Value { start, length };
        if let Some(found) = wraps.found(crossing.node).filter(|&found| found > length) {
            pieces.add(start..here + 1);
            note_earlier(&crossing.pieces, found - length, pieces);
        }
        if wraps.depth(crossing.node) <= length {
            return Crossed::Ended(index + 1);
        }
    }
    Crossed::All
}

/// Notes the last `length` bytes of the lines that ended.
fn note_earlier(lines: &VecDeque<Piece>, mut length: usize, pieces: &mut Pieces) {
    for piece in lines.iter().rev() {
        let part = piece.length.min(length);
        length -= part;
        if length > 0 || part >= FIRST_PIECE_BYTES {
            pieces.add(piece.end - part as u64..piece.end);
        }
        if length == 0 {
            return;
        }
    }
}
