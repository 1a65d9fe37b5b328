//! A stream as lines, of which huge ones are shortened or come in pieces.

use crate::capture::Capture;
use crate::counts::{Counts, Unit};
use crate::notice;

/// Longest line that is held to be compared with others, when no shorter limit is asked for.
pub(crate) const ROW_BYTES: usize = 16 << 10;

/// What the stream is cut into.
pub(crate) enum Row<'a> {
    /// A line with its end, or the last one without.
    Line(&'a [u8]),
    /// A line from the middle of which something was left out.
    Shortened {
        /// The line as it is shown.
        text: &'a [u8],
        /// Where the notice lies in it.
        notice: std::ops::Range<usize>,
        /// What the notice stands for.
        omitted: Counts,
    },
    /// The first [`ROW_BYTES`] of a line that is longer, but for a character they divide.
    Front(&'a [u8]),
    /// More of that line.
    Rest(&'a [u8]),
    /// A line that stands for lines that were left out.
    Notice {
        /// The line.
        text: &'a str,
        /// What it stands for.
        omitted: Counts,
    },
}

/// Cuts a stream into rows.
pub(crate) struct Rows {
    /// Characters kept of a line.
    max_chars: Option<usize>,
    /// The line so far. At most [`ROW_BYTES`], or as many as `max_chars` can have.
    line: Vec<u8>,
    /// The ends of a line of which `line` has become too small for the whole.
    long: Option<Capture>,
    /// The front of the line was handed on.
    passing: bool,
}

impl Rows {
    pub(crate) fn new(max_chars: Option<usize>) -> Self {
        Self { max_chars, line: Vec::new(), long: None, passing: false }
    }

    /// Takes the next bytes.
    pub(crate) fn push(&mut self, mut text: &[u8], sink: &mut impl FnMut(Row<'_>)) {
        while let Some(newline) = memchr::memchr(b'\n', text) {
            if newline <= self.short_bytes() && self.is_at_start() {
                sink(Row::Line(&text[..=newline]));
            } else {
                self.append(&text[..newline], sink);
                self.end(b"\n", sink);
            }
            text = &text[newline + 1..];
        }
        self.append(text, sink);
    }

    /// Ends the text.
    pub(crate) fn finish(&mut self, sink: &mut impl FnMut(Row<'_>)) {
        self.end(b"", sink);
    }

    fn is_at_start(&self) -> bool {
        self.line.is_empty() && self.long.is_none() && !self.passing
    }

    /// A line with at most this many bytes needs no counting.
    fn short_bytes(&self) -> usize {
        self.max_chars.unwrap_or(ROW_BYTES)
    }

    fn append(&mut self, text: &[u8], sink: &mut impl FnMut(Row<'_>)) {
        if text.is_empty() {
            return;
        }
        if let Some(long) = &mut self.long {
            return long.push(text);
        }
        if self.passing {
            return sink(Row::Rest(text));
        }
        let Some(max_chars) = self.max_chars else { return self.append_in_pieces(text, sink) };
        if self.line.len() + text.len() <= max_chars {
            return self.line.extend_from_slice(text);
        }
        let mut long = Capture::with_unit(Unit::Chars, max_chars / 2, max_chars - max_chars / 2);
        long.push(&self.line);
        long.push(text);
        self.line.clear();
        self.long = Some(long);
    }

    fn append_in_pieces(&mut self, text: &[u8], sink: &mut impl FnMut(Row<'_>)) {
        let room = ROW_BYTES - self.line.len();
        if text.len() <= room {
            return self.line.extend_from_slice(text);
        }
        self.line.extend_from_slice(&text[..room]);
        let valid =
            std::str::from_utf8(&self.line).map_or_else(|error| error.valid_up_to(), str::len);
        sink(Row::Front(&self.line[..valid]));
        sink(Row::Rest(&self.line[valid..]));
        sink(Row::Rest(&text[room..]));
        self.line.clear();
        self.passing = true;
    }

    /// Ends the line. Its end is no part of any limit.
    fn end(&mut self, newline: &[u8], sink: &mut impl FnMut(Row<'_>)) {
        if let Some(long) = self.long.take() {
            return finish_long(long, newline, sink);
        }
        if std::mem::take(&mut self.passing) {
            return sink(Row::Rest(newline));
        }
        self.line.extend_from_slice(newline);
        if !self.line.is_empty() {
            sink(Row::Line(&self.line));
            self.line.clear();
        }
    }
}

fn finish_long(line: Capture, newline: &[u8], sink: &mut impl FnMut(Row<'_>)) {
    let captured = line.finish();
    let omitted = captured.omitted();
    let words = if captured.truncated { notice::shortened(omitted) } else { String::new() };
    let (head, tail) = (&captured.text[captured.head], &captured.text[captured.tail]);
    let text = [head.as_bytes(), words.as_bytes(), tail.as_bytes(), newline].concat();
    if captured.truncated {
        let notice = head.len()..head.len() + words.len();
        sink(Row::Shortened { text: &text, notice, omitted });
    } else {
        sink(Row::Line(&text));
    }
}
