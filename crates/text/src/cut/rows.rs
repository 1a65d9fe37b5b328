//! A stream as lines, of which huge ones are shortened.

use super::ends::Ends;
use crate::counts::Unit;

/// Hands on a stream line by line.
#[derive(Clone)]
pub(super) struct Rows {
    /// Characters kept of a line.
    max_chars: usize,
    /// The line so far, of at most so many bytes.
    line: Vec<u8>,
    /// The ends of a line of which `line` has become too small for the whole.
    long: Option<Box<Ends>>,
}

impl Rows {
    pub(super) fn new(max_chars: usize) -> Self {
        Self { max_chars, line: Vec::new(), long: None }
    }

    /// Takes the next bytes.
    pub(super) fn push(&mut self, mut text: &[u8], sink: &mut Ends) {
        while let Some(newline) = memchr::memchr(b'\n', text) {
            if newline <= self.max_chars && self.line.is_empty() && self.long.is_none() {
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
        if let Some(long) = &mut self.long {
            return long.push(text);
        }
        if self.line.len() + text.len() <= self.max_chars {
            return self.line.extend_from_slice(text);
        }
        let head = self.max_chars / 2;
        let mut long = Ends::new(Unit::Chars, head, self.max_chars - head);
        long.push(&self.line);
        long.push(text);
        self.line.clear();
        self.long = Some(Box::new(long));
    }

    /// Ends the line, without its line end, which is no part of any limit.
    pub(super) fn finish(&mut self, sink: &mut Ends) {
        let Some(long) = self.long.take() else {
            sink.push(&self.line);
            return self.line.clear();
        };
        let cut = long.finish();
        sink.push(cut.head().as_bytes());
        if cut.is_truncated() {
            let notice = format!("[... {} characters omitted ...]", cut.omitted.chars);
            sink.push_notice(notice.as_bytes(), cut.omitted);
        }
        sink.push(cut.tail().as_bytes());
    }
}
