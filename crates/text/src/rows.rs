//! A stream as lines, of which huge ones are shortened.

use crate::capture::Capture;
use crate::counts::{Counts, Unit};
use crate::notice;

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
}

/// Cuts a stream into rows.
pub(crate) struct Rows {
    /// Characters kept of a line.
    max_chars: usize,
    /// The line so far, of at most so many bytes.
    line: Vec<u8>,
    /// The ends of a line of which `line` has become too small for the whole.
    long: Option<Capture>,
}

impl Rows {
    pub(crate) fn new(max_chars: usize) -> Self {
        Self { max_chars, line: Vec::new(), long: None }
    }

    /// Takes the next bytes.
    pub(crate) fn push(&mut self, mut text: &[u8], sink: &mut impl FnMut(Row<'_>)) {
        while let Some(newline) = memchr::memchr(b'\n', text) {
            if newline <= self.max_chars && self.is_at_start() {
                sink(Row::Line(&text[..=newline]));
            } else {
                self.append(&text[..newline]);
                self.end(b"\n", sink);
            }
            text = &text[newline + 1..];
        }
        self.append(text);
    }

    /// Ends the text.
    pub(crate) fn finish(&mut self, sink: &mut impl FnMut(Row<'_>)) {
        self.end(b"", sink);
    }

    fn is_at_start(&self) -> bool {
        self.line.is_empty() && self.long.is_none()
    }

    fn append(&mut self, text: &[u8]) {
        if let Some(long) = &mut self.long {
            return long.push(text);
        }
        if self.line.len() + text.len() <= self.max_chars {
            return self.line.extend_from_slice(text);
        }
        let head = self.max_chars / 2;
        let mut long = Capture::with_unit(Unit::Chars, head, self.max_chars - head);
        long.push(&self.line);
        long.push(text);
        self.line.clear();
        self.long = Some(long);
    }

    /// Ends the line. Its end is no part of any limit.
    fn end(&mut self, newline: &[u8], sink: &mut impl FnMut(Row<'_>)) {
        if let Some(long) = self.long.take() {
            return finish_long(long, newline, sink);
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
