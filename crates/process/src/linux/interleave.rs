//! Two outputs as one text, in the order read.
//!
//! Each output is cleaned and redacted by itself, and both steps hold back a line that has not ended. Text of the other output
//! waits here meanwhile, so that every line stands where it began.

use crate::outcome::Stream;

/// Most bytes that wait. Where more would wait for a line that does not end, that line loses its place.
const MAX_WAITING_BYTES: usize = 64 * 1024;

/// Puts the texts of two outputs in order.
#[derive(Default)]
pub(crate) struct Interleaver {
    /// How many pieces were read, of both outputs.
    piece_count: u64,
    /// For each output that holds text back, the number of the piece in which that text began.
    held_since: [Option<u64>; 2],
    /// Text of one output that waits for the line that the other holds back.
    waiting: Vec<u8>,
}

/// One piece that is being processed.
pub(crate) struct Piece {
    stream: Stream,
    /// The number of the piece in which the output's unfinished line began: this piece or an earlier one.
    line_began: u64,
    /// Whether its text waits for an older line of the other output.
    must_wait: bool,
    has_text: bool,
}

impl Interleaver {
    /// A piece of this output was read, or its end.
    pub(crate) fn begin_piece(&mut self, stream: Stream) -> Piece {
        self.piece_count += 1;
        let line_began = self.held_since[stream as usize].unwrap_or(self.piece_count);
        let other_since = self.held_since[1 - stream as usize];
        let must_wait = other_since.is_some_and(|other| other < line_began);
        Piece { stream, line_began, must_wait, has_text: false }
    }

    /// Takes text that this piece made final.
    pub(crate) fn push(&mut self, piece: &mut Piece, text: &[u8], sink: &mut impl FnMut(&[u8])) {
        piece.has_text = true;
        if !piece.must_wait {
            return sink(text);
        }
        if self.waiting.len() + text.len() > MAX_WAITING_BYTES {
            self.release(sink);
            return sink(text);
        }
        self.waiting.extend_from_slice(text);
    }

    /// The piece was processed; `is_holding` says whether its output holds text back now.
    pub(crate) fn end_piece(
        &mut self,
        piece: &Piece,
        is_holding: bool,
        sink: &mut impl FnMut(&[u8]),
    ) {
        let since = if piece.has_text { self.piece_count } else { piece.line_began };
        self.held_since[piece.stream as usize] = is_holding.then_some(since);
        // Where this piece did not have to wait, the waiting text is the other output's.
        if !piece.must_wait && (piece.has_text || !is_holding) {
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
    use super::{Interleaver, MAX_WAITING_BYTES};
    use crate::outcome::Stream::{self, Stderr, Stdout};

    /// Two outputs whose unfinished lines are held back, as cleaning does.
    #[derive(Default)]
    struct Outputs {
        interleaver: Interleaver,
        held: [String; 2],
        text: String,
    }

    impl Outputs {
        fn read(&mut self, stream: Stream, piece: &str) {
            let Outputs { interleaver, held, text } = self;
            let mut sink = |bytes: &[u8]| text.push_str(std::str::from_utf8(bytes).unwrap());
            let held = &mut held[stream as usize];
            let mut current_piece = interleaver.begin_piece(stream);
            held.push_str(piece);
            if let Some(end) = held.rfind('\n') {
                let rest = held.split_off(end + 1);
                interleaver.push(&mut current_piece, held.as_bytes(), &mut sink);
                *held = rest;
            }
            interleaver.end_piece(&current_piece, !held.is_empty(), &mut sink);
        }

        fn end(&mut self, stream: Stream) {
            let Outputs { interleaver, held, text } = self;
            let mut sink = |bytes: &[u8]| text.push_str(std::str::from_utf8(bytes).unwrap());
            let held = std::mem::take(&mut held[stream as usize]);
            let mut current_piece = interleaver.begin_piece(stream);
            if !held.is_empty() {
                interleaver.push(&mut current_piece, held.as_bytes(), &mut sink);
            }
            interleaver.end_piece(&current_piece, false, &mut sink);
        }
    }

    fn join(pieces: &[(Stream, &str)]) -> String {
        let mut outputs = Outputs::default();
        for &(stream, piece) in pieces {
            outputs.read(stream, piece);
        }
        outputs.end(Stdout);
        outputs.end(Stderr);
        outputs.text
    }

    #[test]
    fn whole_lines_come_as_read() {
        let pieces = [(Stdout, "a\n"), (Stderr, "b\n"), (Stdout, "c\n"), (Stderr, "d\n")];
        assert_eq!(join(&pieces), "a\nb\nc\nd\n");
    }

    #[test]
    fn a_line_stands_where_it_began() {
        assert_eq!(join(&[(Stdout, "a"), (Stderr, "b\n"), (Stdout, "A\n")]), "aA\nb\n");
        assert_eq!(join(&[(Stderr, "b"), (Stdout, "a\n"), (Stderr, "B\n")]), "bB\na\n");
        assert_eq!(join(&[(Stdout, "prompt> "), (Stderr, "oops\n")]), "prompt> oops\n");
    }

    #[test]
    fn two_unfinished_lines_come_in_the_order_they_began() {
        assert_eq!(join(&[(Stderr, "b"), (Stdout, "a")]), "ba");
        assert_eq!(join(&[(Stdout, "a"), (Stderr, "b"), (Stdout, "A\nx")]), "aA\nbx");
        let pieces = [(Stdout, "a"), (Stderr, "b"), (Stderr, "B\n"), (Stdout, "A\n")];
        assert_eq!(join(&pieces), "aA\nbB\n");
    }

    #[test]
    fn a_line_that_does_not_end_holds_back_no_more_than_a_bound() {
        let line = format!("{}\n", "e".repeat(999));
        let mut outputs = Outputs::default();
        outputs.read(Stdout, "waits");
        for _ in 0..1000 {
            outputs.read(Stderr, &line);
            assert!(outputs.interleaver.waiting.len() <= MAX_WAITING_BYTES);
        }
        assert!(outputs.text.len() > 900_000);
        outputs.end(Stdout);
        outputs.end(Stderr);
        assert_eq!(outputs.text.len(), 1_000_005);
    }
}
