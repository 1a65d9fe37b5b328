//! Divides a stream into lines of bounded length.

use crate::counts;

/// Most bytes kept of the beginning of a line; the middle of a longer line is only counted.
const HEAD_BYTES: usize = 4 << 10;
/// Bytes kept of the end of a longer line.
const TAIL_BYTES: usize = 512;

/// The two ends of a line, without its line end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineEnds<'a> {
    pub(crate) head: &'a [u8],
    /// The end of a line that is longer than `head`; else empty.
    pub(crate) tail: &'a [u8],
    /// Number of characters between head and tail.
    pub(crate) omitted_chars: u64,
}

/// Reads lines from a stream.
#[derive(Default)]
pub(crate) struct LineReader {
    head: Vec<u8>,
    /// The end of the line so far, at most twice `TAIL_BYTES`.
    tail: Vec<u8>,
    omitted_chars: u64,
}

impl LineReader {
    pub(crate) fn push(&mut self, mut text: &[u8], sink: &mut impl FnMut(LineEnds<'_>)) {
        while let Some(end_line) = memchr::memchr(b'\n', text) {
            if self.head.is_empty() && end_line <= HEAD_BYTES {
                sink(LineEnds { head: &text[..end_line], tail: &[], omitted_chars: 0 });
            } else {
                self.append(&text[..end_line]);
                self.end_line(sink);
            }
            text = &text[end_line + 1..];
        }
        self.append(text);
    }

    /// Ends the text. Returns whether its last line had no end.
    pub(crate) fn finish(&mut self, sink: &mut impl FnMut(LineEnds<'_>)) -> bool {
        let lacks_line_end = !self.head.is_empty();
        if lacks_line_end {
            self.end_line(sink);
        }
        lacks_line_end
    }

    fn append(&mut self, text: &[u8]) {
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
        self.shorten();
        let continued = |byte: &&u8| counts::is_continuation(**byte);
        // A character may be divided at the end of the head and at the start of the tail: its parts count as left out.
        let continued_bytes = self.tail.iter().take_while(continued).count();
        let head = if self.tail.is_empty() { self.head.len() } else { whole_chars(&self.head) };
        self.omitted_chars += counts::chars(&self.head[head..]);
        if self.omitted_chars == 0 && !self.tail.is_empty() {
            self.head.append(&mut self.tail);
            sink(LineEnds { head: &self.head, tail: &[], omitted_chars: 0 });
        } else {
            let (head, tail) = (&self.head[..head], &self.tail[continued_bytes..]);
            sink(LineEnds { head, tail, omitted_chars: self.omitted_chars });
        }
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
