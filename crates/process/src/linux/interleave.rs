//! Two outputs as one text, in the order read.
//!
//! Each output is cleaned and redacted by itself, and both steps hold back a line that has not ended.
//! What the other output says meanwhile waits here, so that every line stands where it began.

use crate::outcome::Stream;

/// More than this does not wait: an output whose line does not end loses its place.
const MAX_WAITING_BYTES: usize = 64 * 1024;

/// Puts the texts of two outputs in order.
#[derive(Default)]
pub(crate) struct Order {
    /// Counts the pieces read.
    read: u64,
    /// When the text that an output holds back began, if it holds any.
    began: [Option<u64>; 2],
    waiting: Vec<u8>,
}

/// What one piece may do, decided before it is processed.
pub(crate) struct Turn {
    stream: Stream,
    began: u64,
    waits: bool,
    passed: bool,
}

impl Order {
    /// A piece of this output was read, or its end.
    pub(crate) fn turn(&mut self, stream: Stream) -> Turn {
        self.read += 1;
        let began = self.began[stream as usize].unwrap_or(self.read);
        let other = self.began[1 - stream as usize];
        Turn { stream, began, waits: other.is_some_and(|other| other < began), passed: false }
    }

    /// Text that this piece made final.
    pub(crate) fn pass(&mut self, turn: &mut Turn, text: &[u8], sink: &mut impl FnMut(&[u8])) {
        turn.passed = true;
        if !turn.waits {
            return sink(text);
        }
        if self.waiting.len() + text.len() > MAX_WAITING_BYTES {
            self.release(sink);
            return sink(text);
        }
        self.waiting.extend_from_slice(text);
    }

    /// The piece was processed; `holding` says whether its output holds something back now.
    pub(crate) fn done(&mut self, turn: &Turn, holding: bool, sink: &mut impl FnMut(&[u8])) {
        let began = if turn.passed { self.read } else { turn.began };
        self.began[turn.stream as usize] = holding.then_some(began);
        // What waits is the other output's, if this one did not have to wait itself.
        if !turn.waits && (turn.passed || !holding) {
            self.release(sink);
        }
    }

    fn release(&mut self, sink: &mut impl FnMut(&[u8])) {
        if !self.waiting.is_empty() {
            sink(&self.waiting);
            self.waiting.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_WAITING_BYTES, Order};
    use crate::outcome::Stream::{self, Stderr, Stdout};

    /// Holds back unfinished lines, as cleaning does.
    #[derive(Default)]
    struct Both {
        order: Order,
        held: [String; 2],
        text: String,
    }

    impl Both {
        fn read(&mut self, stream: Stream, piece: &str) {
            let Both { order, held, text } = self;
            let mut sink = |bytes: &[u8]| text.push_str(std::str::from_utf8(bytes).unwrap());
            let held = &mut held[stream as usize];
            let mut turn = order.turn(stream);
            held.push_str(piece);
            if let Some(end) = held.rfind('\n') {
                let rest = held.split_off(end + 1);
                order.pass(&mut turn, held.as_bytes(), &mut sink);
                *held = rest;
            }
            order.done(&turn, !held.is_empty(), &mut sink);
        }

        fn end(&mut self, stream: Stream) {
            let Both { order, held, text } = self;
            let mut sink = |bytes: &[u8]| text.push_str(std::str::from_utf8(bytes).unwrap());
            let held = std::mem::take(&mut held[stream as usize]);
            let mut turn = order.turn(stream);
            if !held.is_empty() {
                order.pass(&mut turn, held.as_bytes(), &mut sink);
            }
            order.done(&turn, false, &mut sink);
        }
    }

    fn together(pieces: &[(Stream, &str)]) -> String {
        let mut both = Both::default();
        for &(stream, piece) in pieces {
            both.read(stream, piece);
        }
        both.end(Stdout);
        both.end(Stderr);
        both.text
    }

    #[test]
    fn whole_lines_come_as_read() {
        let pieces = [(Stdout, "a\n"), (Stderr, "b\n"), (Stdout, "c\n"), (Stderr, "d\n")];
        assert_eq!(together(&pieces), "a\nb\nc\nd\n");
    }

    #[test]
    fn a_line_stands_where_it_began() {
        assert_eq!(together(&[(Stdout, "a"), (Stderr, "b\n"), (Stdout, "A\n")]), "aA\nb\n");
        assert_eq!(together(&[(Stderr, "b"), (Stdout, "a\n"), (Stderr, "B\n")]), "bB\na\n");
        assert_eq!(together(&[(Stdout, "prompt> "), (Stderr, "oops\n")]), "prompt> oops\n");
    }

    #[test]
    fn two_unfinished_lines_come_in_the_order_they_began() {
        assert_eq!(together(&[(Stderr, "b"), (Stdout, "a")]), "ba");
        assert_eq!(together(&[(Stdout, "a"), (Stderr, "b"), (Stdout, "A\nx")]), "aA\nbx");
        let pieces = [(Stdout, "a"), (Stderr, "b"), (Stderr, "B\n"), (Stdout, "A\n")];
        assert_eq!(together(&pieces), "aA\nbB\n");
    }

    #[test]
    fn a_line_that_does_not_end_holds_back_no_more_than_a_bound() {
        let line = format!("{}\n", "e".repeat(999));
        let mut both = Both::default();
        both.read(Stdout, "waits");
        for _ in 0..1000 {
            both.read(Stderr, &line);
            assert!(both.order.waiting.len() <= MAX_WAITING_BYTES);
        }
        assert!(both.text.len() > 900_000);
        both.end(Stdout);
        both.end(Stderr);
        assert_eq!(both.text.len(), 1_000_005);
    }
}
