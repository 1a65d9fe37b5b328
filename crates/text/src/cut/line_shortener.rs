//! Shortens long lines of a stream.

use super::head_and_tail::HeadAndTail;
use crate::counts::Unit;

/// Passes a stream on line by line.
#[derive(Clone)]
pub(super) struct LineShortener {
    /// Most characters kept of a line.
    max_chars: usize,
    /// The line so far, of at most `max_chars` bytes.
    line: Vec<u8>,
    /// The two ends of a line that is too long for `line`.
    long_line: Option<Box<HeadAndTail>>,
}

impl LineShortener {
    pub(super) fn new(max_chars: usize) -> Self {
        Self { max_chars, line: Vec::new(), long_line: None }
    }

    /// Takes the next bytes.
    pub(super) fn push(&mut self, mut text: &[u8], sink: &mut HeadAndTail) {
        while let Some(newline) = memchr::memchr(b'\n', text) {
            if newline <= self.max_chars && self.line.is_empty() && self.long_line.is_none() {
                sink.push(&text[..=newline]);
            } else {
                self.append(&text[..newline]);
                self.finish(sink);
                sink.push(b"\n");
            }
            text = &text[newline + 1..];
        }
        self.append(text);
    }

    fn append(&mut self, text: &[u8]) {
        if let Some(long_line) = &mut self.long_line {
            return long_line.push(text);
        }
        if self.line.len() + text.len() <= self.max_chars {
            return self.line.extend_from_slice(text);
        }
        let head = self.max_chars / 2;
        let mut long_line = HeadAndTail::new(Unit::Chars, head, self.max_chars - head);
        long_line.push(&self.line);
        long_line.push(text);
        self.line.clear();
        self.long_line = Some(Box::new(long_line));
    }

    /// Ends the line. Its line end is passed on apart, since it does not count.
    pub(super) fn finish(&mut self, sink: &mut HeadAndTail) {
        let Some(long_line) = self.long_line.take() else {
            sink.push(&self.line);
            return self.line.clear();
        };
        let cut = long_line.finish();
        sink.push(cut.head().as_bytes());
        if cut.is_truncated() {
            let notice = format!("[... {} characters omitted ...]", cut.omitted.chars);
            sink.push_notice(notice.as_bytes(), cut.omitted);
        }
        sink.push(cut.tail().as_bytes());
    }
}
