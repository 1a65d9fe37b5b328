//! Masking pieces that were found before the pipeline writes their bytes.

use std::collections::VecDeque;
use std::ops::Range;

use crate::output::Output;
use crate::span::RuleId;

/// The ranges of the text that have to be masked, and how much of the text was written.
#[derive(Clone, Default)]
pub(crate) struct Pieces {
    /// The ranges, in order. They neither overlap nor touch.
    ahead: VecDeque<Range<u64>>,
    /// The number of bytes written so far.
    position: u64,
    last: LastByte,
}

/// How the last byte was written.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum LastByte {
    #[default]
    Kept,
    /// The pipeline masked it.
    Masked,
    /// It was masked as part of a piece.
    Piece,
}

impl Pieces {
    /// The number of bytes before the next piece.
    pub(crate) fn next(&self) -> Option<usize> {
        let piece = self.ahead.front()?;
        usize::try_from(piece.start.saturating_sub(self.position)).ok()
    }

    /// The number of bytes written so far.
    pub(crate) fn position(&self) -> u64 {
        self.position
    }

    pub(crate) fn add(&mut self, mut piece: Range<u64>) {
        let mut at = self.ahead.partition_point(|other| other.end < piece.start);
        while let Some(other) = self.ahead.get(at).filter(|other| other.start <= piece.end) {
            piece = piece.start.min(other.start)..piece.end.max(other.end);
            self.ahead.remove(at);
        }
        at = at.min(self.ahead.len());
        self.ahead.insert(at, piece);
    }
}

/// An output that masks the pieces in addition to what it is told to mask.
pub(crate) struct Overlay<'a, Inner> {
    pub(crate) pieces: &'a mut Pieces,
    pub(crate) rule: RuleId,
    pub(crate) inner: &'a mut Inner,
}

impl<Inner: Output> Overlay<'_, Inner> {
    fn keep_plain(&mut self, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.pieces.last = LastByte::Kept;
            self.pieces.position += bytes.len() as u64;
            self.inner.keep(bytes);
        }
    }

    /// Masks bytes of a piece. Directly after a mask they belong to that mask.
    fn hide(&mut self, rule: RuleId, removed: usize) {
        self.pieces.position += removed as u64;
        if self.pieces.last == LastByte::Kept {
            self.inner.mask(rule, removed, false);
        } else {
            self.inner.remove(removed);
        }
        self.pieces.last = LastByte::Piece;
    }

    /// Drops the pieces that were written.
    fn pass(&mut self) {
        let position = self.pieces.position;
        while self.pieces.ahead.front().is_some_and(|piece| piece.end <= position) {
            self.pieces.ahead.pop_front();
        }
    }
}

impl<Inner: Output> Output for Overlay<'_, Inner> {
    fn keep(&mut self, mut bytes: &[u8]) {
        while let Some(piece) = self.pieces.ahead.front().cloned() {
            let position = self.pieces.position;
            let length = bytes.len() as u64;
            if bytes.is_empty() || piece.start >= position + length {
                break;
            }
            let offset =
                |at: u64| usize::try_from(at.saturating_sub(position)).unwrap_or(bytes.len());
            let (start, end) = (offset(piece.start), offset(piece.end).min(bytes.len()));
            self.keep_plain(&bytes[..start]);
            if end > start {
                self.hide(self.rule, end - start);
            }
            bytes = &bytes[end..];
            self.pass();
        }
        self.keep_plain(bytes);
    }

    fn mask(&mut self, rule: RuleId, removed: usize, quoted: bool) {
        self.pieces.position += removed as u64;
        if self.pieces.last == LastByte::Piece && !quoted {
            self.inner.remove(removed);
        } else {
            self.inner.mask(rule, removed, quoted);
        }
        self.pieces.last = LastByte::Masked;
        self.pass();
    }

    fn remove(&mut self, removed: usize) {
        self.pieces.position += removed as u64;
        self.inner.remove(removed);
        self.pass();
    }
}
