//! A stream as lines of bounded length.

use crate::counts;

/// Bytes of a line that are held; what lies between its two ends is counted.
const HEAD_BYTES: usize = 4 << 10;
const TAIL_BYTES: usize = 512;

/// A line without its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    pub(crate) head: &'a [u8],
    /// The end of a line that is longer.
    pub(crate) tail: &'a [u8],
    /// Characters between the two.
    pub(crate) omitted_chars: u64,
}

/// Cuts a stream into lines.
#[derive(Default)]
pub(crate) struct Lines {
    head: Vec<u8>,
    /// At most twice as much as is needed.
    tail: Vec<u8>,
    omitted_chars: u64,
}

impl Lines {
    pub(crate) fn push(&mut self, mut text: &[u8], sink: &mut impl FnMut(Line<'_>)) {
        while let Some(end) = memchr::memchr(b'\n', text) {
            if self.head.is_empty() && end <= HEAD_BYTES {
                sink(Line { head: &text[..end], tail: &[], omitted_chars: 0 });
            } else {
                self.append(&text[..end]);
                self.end(sink);
            }
            text = &text[end + 1..];
        }
        self.append(text);
    }

    /// Ends the text. Returns whether its last line had no end.
    pub(crate) fn finish(&mut self, sink: &mut impl FnMut(Line<'_>)) -> bool {
        let unended = !self.head.is_empty();
        if unended {
            self.end(sink);
        }
        unended
    }

    fn append(&mut self, text: &[u8]) {
        let room = HEAD_BYTES.saturating_sub(self.head.len());
        let (head, rest) = text.split_at(room.min(text.len()));
        self.head.extend_from_slice(head);
        // Of a long piece most is only counted.
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

    fn end(&mut self, sink: &mut impl FnMut(Line<'_>)) {
        self.shorten();
        let continued = |byte: &&u8| counts::is_continuation(**byte);
        // A character may be divided at both places: what is left of it belongs to what is left out.
        let begun = self.tail.iter().take_while(continued).count();
        let head = if self.tail.is_empty() { self.head.len() } else { whole_chars(&self.head) };
        self.omitted_chars += counts::chars(&self.head[head..]);
        if self.omitted_chars == 0 && !self.tail.is_empty() {
            self.head.append(&mut self.tail);
            sink(Line { head: &self.head, tail: &[], omitted_chars: 0 });
        } else {
            let (head, tail) = (&self.head[..head], &self.tail[begun..]);
            sink(Line { head, tail, omitted_chars: self.omitted_chars });
        }
        self.head.clear();
        self.tail.clear();
        self.omitted_chars = 0;
    }
}

/// The length of `text` without a character at its end that goes on elsewhere.
fn whole_chars(text: &[u8]) -> usize {
    let last = text.iter().rposition(|byte| !counts::is_continuation(*byte)).unwrap_or(0);
    if std::str::from_utf8(&text[last..]).is_ok() { text.len() } else { last }
}
