//! Divides a stream into lines of bounded length, and long lines into pieces.

use crate::counts;

/// Most bytes kept of the beginning of a line; the middle of a longer line is only counted.
const HEAD_BYTES: usize = 4 << 10;
/// Bytes kept of the end of a longer line.
const TAIL_BYTES: usize = 512;

/// A longer line is divided.
const LONG_LINE_BYTES: usize = 1_000;
/// What a long line is divided behind: the coarsest of these that gives pieces of a readable length.
const SEPARATORS: [&[u8]; 5] = [b"},{", b"},", b";", b",", b" "];
/// Readable lengths of pieces, on average. Where there are only shorter ones, several are one piece.
const PIECE_BYTES: std::ops::RangeInclusive<usize> = 40..=600;
const MAX_SEPARATOR_BYTES: usize = 3;

/// The two ends of a line, or of a piece of one, without its line end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineEnds<'a> {
    pub(crate) head: &'a [u8],
    /// The end of a line that is longer than `head`; else empty.
    pub(crate) tail: &'a [u8],
    /// Number of characters between head and tail.
    pub(crate) omitted_chars: u64,
    /// Number of characters of the line before this piece.
    pub(crate) start: u64,
    /// Whether no piece of the line follows.
    pub(crate) ends_line: bool,
}

impl LineEnds<'_> {
    /// Number of characters, with those between head and tail.
    pub(crate) fn chars(&self) -> u64 {
        counts::chars(self.head) + self.omitted_chars + counts::chars(self.tail)
    }
}

/// How the current line is divided.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Division {
    /// The line is short so far.
    #[default]
    Undecided,
    /// No separator gives readable pieces.
    Whole,
    /// Behind each of these separators.
    Behind(&'static [u8]),
    /// Behind such a separator, once a piece is long enough to be read.
    Joined(&'static [u8]),
}

/// Reads lines from a stream.
#[derive(Default)]
pub(crate) struct LineReader {
    head: Vec<u8>,
    /// The end of the line so far, at most twice `TAIL_BYTES`.
    tail: Vec<u8>,
    omitted_chars: u64,
    division: Division,
    /// Number of characters of the current line before the current piece.
    start: u64,
}

impl LineReader {
    pub(crate) fn push(&mut self, mut text: &[u8], sink: &mut impl FnMut(LineEnds<'_>)) {
        while let Some(end_line) = memchr::memchr(b'\n', text) {
            let is_whole = self.head.is_empty() && self.division == Division::Undecided;
            if is_whole && end_line <= LONG_LINE_BYTES {
                let head = &text[..end_line];
                sink(LineEnds { head, tail: &[], omitted_chars: 0, start: 0, ends_line: true });
            } else {
                self.append(&text[..end_line], sink);
                self.end_line(sink);
            }
            text = &text[end_line + 1..];
        }
        self.append(text, sink);
    }

    /// Ends the text. Returns whether its last line had no end.
    pub(crate) fn finish(&mut self, sink: &mut impl FnMut(LineEnds<'_>)) -> bool {
        let lacks_line_end = !self.head.is_empty() || self.division != Division::Undecided;
        if lacks_line_end {
            self.end_line(sink);
        }
        lacks_line_end
    }

    fn append(&mut self, text: &[u8], sink: &mut impl FnMut(LineEnds<'_>)) {
        match self.division {
            Division::Undecided => {
                let room = HEAD_BYTES.saturating_sub(self.head.len());
                let (head, rest) = text.split_at(room.min(text.len()));
                self.head.extend_from_slice(head);
                if !rest.is_empty() {
                    self.decide(sink);
                    self.append(rest, sink);
                }
            }
            Division::Whole => self.lengthen(text),
            Division::Behind(separator) | Division::Joined(separator) => {
                self.divide(text, separator, sink);
            }
        }
    }

    /// Decides how the line is divided, whose beginning is in `head`, and divides that.
    fn decide(&mut self, sink: &mut impl FnMut(LineEnds<'_>)) {
        let length = |separator: &'static [u8]| {
            let pieces = memchr::memmem::find_iter(&self.head, separator).count() + 1;
            self.head.len() / pieces
        };
        let lengths = SEPARATORS.map(|separator| (separator, length(separator)));
        let readable = lengths.iter().find(|(_, length)| PIECE_BYTES.contains(length));
        let short = || lengths.iter().find(|(_, length)| length < PIECE_BYTES.start());
        self.division = match readable {
            Some((separator, _)) => Division::Behind(separator),
            None => short().map_or(Division::Whole, |(separator, _)| Division::Joined(separator)),
        };
        if let Division::Behind(separator) | Division::Joined(separator) = self.division {
            let head = std::mem::take(&mut self.head);
            self.divide(&head, separator, sink);
        }
    }

    /// Adds to a line behind each of whose separators a piece ends.
    fn divide(&mut self, mut text: &[u8], separator: &[u8], sink: &mut impl FnMut(LineEnds<'_>)) {
        while let Some(end) = self.separator_end(text, separator) {
            self.lengthen(&text[..end]);
            let is_readable = self.head.len() >= *PIECE_BYTES.start();
            if is_readable || matches!(self.division, Division::Behind(_)) {
                self.end_piece(false, sink);
            }
            text = &text[end..];
        }
        self.lengthen(text);
    }

    /// Where the first separator in `text` ends; it may begin at the end of the current piece.
    fn separator_end(&self, text: &[u8], separator: &[u8]) -> Option<usize> {
        let piece = if self.tail.is_empty() { &self.head } else { &self.tail };
        let before = &piece[piece.len().saturating_sub(separator.len() - 1)..];
        let mut border = [0; 2 * MAX_SEPARATOR_BYTES];
        let after = text.len().min(separator.len() - 1);
        let length = before.len() + after;
        border[..before.len()].copy_from_slice(before);
        border[before.len()..length].copy_from_slice(&text[..after]);
        let at_border = memchr::memmem::find(&border[..length], separator);
        let inside = || memchr::memmem::find(text, separator).map(|at| at + separator.len());
        at_border.map(|at| at + separator.len() - before.len()).or_else(inside)
    }

    fn lengthen(&mut self, text: &[u8]) {
        let room = HEAD_BYTES.saturating_sub(self.head.len());
        let (head, rest) = text.split_at(room.min(text.len()));
        self.head.extend_from_slice(head);
        // Most of a long piece is only counted.
        let skipped = rest.len().saturating_sub(TAIL_BYTES);
        if skipped > 0 {
            self.omitted_chars += counts::chars(&self.tail) + counts::chars(&rest[..skipped]);
            self.tail.clear();
        }
        self.tail.extend_from_slice(&rest[skipped..]);
        if self.tail.len() > 2 * TAIL_BYTES {
            self.shorten();
        }
    }

    fn shorten(&mut self) {
        let skipped = self.tail.len().saturating_sub(TAIL_BYTES);
        self.omitted_chars += counts::chars(&self.tail[..skipped]);
        self.tail.drain(..skipped);
    }

    fn end_line(&mut self, sink: &mut impl FnMut(LineEnds<'_>)) {
        if self.division == Division::Undecided && self.head.len() > LONG_LINE_BYTES {
            self.decide(sink);
        }
        self.end_piece(true, sink);
        self.division = Division::Undecided;
        self.start = 0;
    }

    fn end_piece(&mut self, ends_line: bool, sink: &mut impl FnMut(LineEnds<'_>)) {
        self.shorten();
        let start = self.start;
        let continued = |byte: &&u8| counts::is_continuation(**byte);
        // A character may be divided at the end of the head and at the start of the tail: its parts count as left out.
        let continued_bytes = self.tail.iter().take_while(continued).count();
        let head = if self.tail.is_empty() { self.head.len() } else { whole_chars(&self.head) };
        self.omitted_chars += counts::chars(&self.head[head..]);
        let is_joined = self.omitted_chars == 0 && !self.tail.is_empty();
        if is_joined {
            self.head.append(&mut self.tail);
        }
        let (head, tail) = if is_joined {
            (self.head.as_slice(), &[][..])
        } else {
            (&self.head[..head], &self.tail[continued_bytes..])
        };
        let piece = LineEnds { head, tail, omitted_chars: self.omitted_chars, start, ends_line };
        let chars = piece.chars();
        sink(piece);
        self.start += chars;
        self.head.clear();
        self.tail.clear();
        self.omitted_chars = 0;
    }
}

/// The length of `text` without an incomplete character at its end.
fn whole_chars(text: &[u8]) -> usize {
    let last = text.iter().rposition(|byte| !counts::is_continuation(*byte)).unwrap_or(0);
    if std::str::from_utf8(&text[last..]).is_ok() { text.len() } else { last }
}
