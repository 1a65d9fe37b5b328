//! Taking an output that comes faster than it can be redacted.

use std::time::{Duration, Instant};

use super::{Run, TURN};
use crate::linux::ahead::{Ahead, Answer, Job, Piece};
use crate::outcome::Stream;

/// Where a piece takes longer, what was read ahead would make the turn too long.
const SLOW: Duration = Duration::from_millis(1);

impl Run {
    /// Reads what is there for one turn, with a second thread that reads what comes next meanwhile.
    pub(super) fn read_ahead(&mut self, stream: Stream, begun: Instant, ahead: &mut Ahead) {
        let mut first = ahead.take_first();
        if let Some(true) = self.read_first(stream, &mut first) {
            self.follow(stream, begun, &first, ahead);
        }
        ahead.put_first(first);
    }

    /// Reads one piece here. Gives whether it is full and more may follow.
    fn read_first(&mut self, stream: Stream, first: &mut Piece) -> Option<bool> {
        let read = first.read(self.pipes[stream as usize].as_ref()?);
        let count = self.heard(stream, read)?;
        let cleaner = self.recorder.cleaner(stream);
        let (whole, full) = (first.clean(count, cleaner), first.is_full());
        if whole && full {
            return Some(true);
        }
        self.recorder.push_cleaned(stream, first);
        self.recorder.push(stream, first.rest());
        Some(false)
    }

    /// Takes the first piece and those that the second thread reads from then on.
    fn follow(&mut self, stream: Stream, begun: Instant, first: &Piece, ahead: &mut Ahead) {
        let Some(pipe) = self.pipes[stream as usize].take() else { return };
        ahead.begin(Job { pipe, cleaner: std::mem::take(self.recorder.cleaner(stream)) });
        self.take_piece(stream, begun, first, ahead);
        let mut rest = None;
        while let Some(answer) = ahead.next() {
            match answer {
                Answer::Piece(piece) => {
                    self.take_piece(stream, begun, &piece, ahead);
                    if piece.rest().is_empty() {
                        ahead.give_back(piece);
                    } else {
                        rest = Some(piece);
                    }
                }
                Answer::End(pipe, cleaner) => {
                    self.pipes[stream as usize] = pipe;
                    *self.recorder.cleaner(stream) = cleaner;
                    break;
                }
            }
        }
        if let Some(piece) = rest {
            self.recorder.push(stream, piece.rest());
            ahead.give_back(piece);
        }
    }

    fn take_piece(&mut self, stream: Stream, begun: Instant, piece: &Piece, ahead: &Ahead) {
        let came = Instant::now();
        self.recorder.push_cleaned(stream, piece);
        let slow = came.elapsed() >= SLOW;
        self.is_flood[stream as usize] &= !slow;
        if slow || begun.elapsed() >= TURN {
            ahead.stop();
        }
    }
}
