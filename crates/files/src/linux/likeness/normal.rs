//! A text as it is compared: without what a kind of difference is about, and with the way back to its bytes.

use std::ops::Range;

use super::letters::{Code, Dashes, is_blank, typed};

/// What two texts may differ in and still count as alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tolerance {
    /// Blanks at line ends.
    pub(super) line_ends: bool,
    /// Blanks at the beginning of lines.
    pub(super) indentation: bool,
    /// Typographic characters and those that are typed in their place.
    pub(super) typography: Option<Dashes>,
    /// The file writes characters in this code.
    pub(super) code: Option<Code>,
}

impl Tolerance {
    /// The same without what concerns whole lines and without the code, for a text of the caller.
    pub(super) fn of_letters(self) -> Tolerance {
        Tolerance { typography: self.typography, ..Tolerance::default() }
    }
}

/// What became of some bytes of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// Nothing.
    None,
    /// They were typographic.
    Typography,
    /// They were a code.
    Code,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// Where it begins in the normal text.
    pub(super) normal: usize,
    normal_length: usize,
    /// Where it begins in the source.
    source: usize,
    source_length: usize,
    pub(super) change: Change,
}

/// A text in the form that is compared. Without pieces that were left out, its pieces are those of the source, in order.
#[derive(Debug)]
pub(super) struct Normal {
    pub(super) text: String,
    pieces: Vec<Piece>,
}

impl Normal {
    pub(super) fn of(source: &str, tolerance: Tolerance) -> Normal {
        let mut normal = Normal { text: String::with_capacity(source.len()), pieces: Vec::new() };
        let mut at = 0;
        // Where blanks begin that may be those at a line end.
        let mut blanks = None;
        let mut at_line_start = true;
        while let Some(char) = source[at..].chars().next() {
            let length = char.len_utf8();
            let is_plain_blank = matches!(char, ' ' | '\t' | '\u{b}' | '\u{c}');
            let blank = is_plain_blank || tolerance.typography.is_some() && is_blank(char);
            if blank && at_line_start && tolerance.indentation {
                at += length;
                continue;
            }
            if blank && tolerance.line_ends {
                blanks.get_or_insert(at);
                at += length;
                continue;
            }
            if let Some(from) = blanks.take().filter(|_| char != '\n') {
                normal.push_letters(source, from..at, tolerance);
            }
            at_line_start = char == '\n';
            let code = tolerance.code.and_then(|code| code.first(&source[at..]));
            let taken = if let Some((char, taken)) = code {
                let mut bytes = [0; 4];
                let decoded = &*char.encode_utf8(&mut bytes);
                let typed = tolerance.typography.and_then(|dashes| typed(char, dashes));
                normal.push(typed.unwrap_or(decoded), at..at + taken, Change::Code);
                taken
            } else {
                normal.push_letters(source, at..at + length, tolerance);
                length
            };
            at += taken;
        }
        normal
    }

    /// Adds a part of the source in which only the letters may change.
    fn push_letters(&mut self, source: &str, range: Range<usize>, tolerance: Tolerance) {
        let mut at = range.start;
        for char in source[range].chars() {
            let taken = at..at + char.len_utf8();
            at = taken.end;
            if let Some(typed) = tolerance.typography.and_then(|dashes| typed(char, dashes)) {
                self.push(typed, taken, Change::Typography);
                continue;
            }
            let length = taken.len();
            let normal = self.text.len();
            self.text.push(char);
            match self.pieces.last_mut() {
                Some(last)
                    if last.change == Change::None
                        && last.source + last.source_length == taken.start =>
                {
                    last.normal_length += length;
                    last.source_length += length;
                }
                _ => self.pieces.push(Piece {
                    normal,
                    normal_length: length,
                    source: taken.start,
                    source_length: length,
                    change: Change::None,
                }),
            }
        }
    }

    fn push(&mut self, text: &str, source: Range<usize>, change: Change) {
        self.pieces.push(Piece {
            normal: self.text.len(),
            normal_length: text.len(),
            source: source.start,
            source_length: source.len(),
            change,
        });
        self.text.push_str(text);
    }

    /// The place in the source of the character at this place; `None` within what stands for one character.
    pub(super) fn source_start(&self, normal: usize) -> Option<usize> {
        let piece = self.piece_at(normal)?;
        let within = normal - piece.normal;
        (piece.change == Change::None || within == 0).then_some(piece.source + within)
    }

    /// The place in the source after the character that ends here; `None` within what stands for one character.
    pub(super) fn source_end(&self, normal: usize) -> Option<usize> {
        let piece = self.piece_at(normal.checked_sub(1)?)?;
        let within = normal - piece.normal;
        match piece.change {
            Change::None => Some(piece.source + within),
            _ => (within == piece.normal_length).then_some(piece.source + piece.source_length),
        }
    }

    /// The place in the normal text where the source has come to `source`; `None` within what became another text.
    pub(super) fn normal_end(&self, source: usize) -> Option<usize> {
        let after = self.pieces.partition_point(|piece| piece.source < source);
        let Some(piece) = after.checked_sub(1).map(|before| self.pieces[before]) else {
            return Some(0);
        };
        let within = source - piece.source;
        if within >= piece.source_length {
            return Some(piece.normal + piece.normal_length);
        }
        (piece.change == Change::None).then_some(piece.normal + within)
    }

    fn piece_at(&self, normal: usize) -> Option<Piece> {
        let after = self.pieces.partition_point(|piece| piece.normal <= normal);
        let piece = self.pieces[..after].last().copied()?;
        (normal < piece.normal + piece.normal_length).then_some(piece)
    }

    /// The changed pieces of a range of the normal text, each with its range there.
    pub(super) fn changed(
        &self,
        normal: Range<usize>,
    ) -> impl Iterator<Item = (Change, Range<usize>)> {
        let first = self.pieces.partition_point(|piece| piece.normal < normal.start);
        let pieces = self.pieces[first..].iter().take_while(move |piece| piece.normal < normal.end);
        pieces
            .filter(|piece| piece.change != Change::None)
            .map(|piece| (piece.change, piece.normal..piece.normal + piece.normal_length))
    }
}
