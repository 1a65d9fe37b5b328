//! Head and tail of a stream in constant memory.

use std::ops::Range;

use crate::cut::{self, MASK_BYTES};

/// Keeps the first `head_bytes` and the last `tail_bytes` of a stream and counts all of it.
///
/// Memory is bounded by the two budgets, whatever is pushed. Feed it text that has been redacted: what it keeps is
/// shown.
pub struct Capture {
    /// The head's budget and a little of what follows it, to see what a cut would divide.
    head: Vec<u8>,
    head_bytes: usize,
    /// The last bytes after the head: at most `ring_bytes`, oldest at `ring_start` once it is full.
    ring: Vec<u8>,
    ring_start: usize,
    /// The tail's budget and a little of what precedes it, to see what a cut would divide.
    ring_bytes: usize,
    tail_bytes: usize,
    total_bytes: u64,
    total_lines: u64,
}

/// What a [`Capture`] kept.
#[derive(Clone, PartialEq, Eq)]
pub struct Captured {
    /// The whole text, or head, a line saying what is missing, and tail.
    pub text: String,
    /// Bytes that were pushed.
    pub total_bytes: u64,
    /// Bytes of those that are in `text`. `kept_bytes + omitted_bytes == total_bytes`.
    pub kept_bytes: u64,
    /// Bytes of those that are not.
    pub omitted_bytes: u64,
    /// Line ends among the omitted bytes.
    pub omitted_lines: u64,
    /// True when anything was omitted.
    pub truncated: bool,
    /// Where the head lies in `text`; all of it when nothing was omitted.
    pub head: Range<usize>,
    /// Where the tail lies in `text`; empty when nothing was omitted.
    pub tail: Range<usize>,
}

impl std::fmt::Debug for Capture {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Capture")
            .field("total_bytes", &self.total_bytes)
            .finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Captured {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Captured")
            .field("total_bytes", &self.total_bytes)
            .field("omitted_bytes", &self.omitted_bytes)
            .finish_non_exhaustive()
    }
}

impl Capture {
    /// An empty capture with these budgets. Buffers grow with what arrives.
    pub fn new(head_bytes: usize, tail_bytes: usize) -> Self {
        Self {
            head: Vec::new(),
            head_bytes,
            ring: Vec::new(),
            ring_start: 0,
            ring_bytes: tail_bytes.saturating_add(MASK_BYTES),
            tail_bytes,
            total_bytes: 0,
            total_lines: 0,
        }
    }

    /// Bytes pushed so far.
    pub fn total_bytes(&self) -> u64 {
        self.total_bytes
    }

    /// True when what was pushed so far no longer fits.
    pub fn is_truncated(&self) -> bool {
        self.total_bytes > self.head_bytes as u64 + self.tail_bytes as u64
    }

    /// Takes the next bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.total_bytes += bytes.len() as u64;
        self.total_lines += count_lines(bytes);
        let held = self.head.len();
        let ahead = self.head_bytes.saturating_add(MASK_BYTES) - held;
        self.head.extend_from_slice(&bytes[..bytes.len().min(ahead)]);
        let after_head = self.head_bytes.saturating_sub(held).min(bytes.len());
        self.push_tail(&bytes[after_head..]);
    }

    fn push_tail(&mut self, bytes: &[u8]) {
        if bytes.len() >= self.ring_bytes {
            self.ring.clear();
            self.ring.extend_from_slice(&bytes[bytes.len() - self.ring_bytes..]);
            self.ring_start = 0;
            return;
        }
        let (grow, rest) = bytes.split_at(bytes.len().min(self.ring_bytes - self.ring.len()));
        self.ring.extend_from_slice(grow);
        let (first, second) = rest.split_at(rest.len().min(self.ring.len() - self.ring_start));
        self.ring[self.ring_start..][..first.len()].copy_from_slice(first);
        self.ring[..second.len()].copy_from_slice(second);
        if !rest.is_empty() {
            self.ring_start = (self.ring_start + rest.len()) % self.ring.len();
        }
    }

    /// What was kept.
    pub fn finish(mut self) -> Captured {
        self.ring.rotate_left(self.ring_start);
        if !self.is_truncated() {
            return self.whole();
        }
        let head = &self.head[..cut::head_end(&self.head, self.head_bytes)];
        // The part of the ring before the tail only shows what the cut would divide.
        let mut before = self.ring.len() - self.tail_bytes.min(self.ring.len());
        let mut view = std::mem::take(&mut self.ring);
        if before < MASK_BYTES {
            // The stream is so short that the tail begins within reach of the head.
            let missing = (MASK_BYTES - before).min(self.head_bytes);
            let shown = self.head_bytes - missing..self.head_bytes;
            view.splice(0..0, self.head[shown].iter().copied());
            before += missing;
        }
        let tail = &view[cut::tail_start(&view, before)..];
        let kept_bytes = (head.len() + tail.len()) as u64;
        let omitted_bytes = self.total_bytes - kept_bytes;
        let omitted_lines = self.total_lines - count_lines(head) - count_lines(tail);
        let notice = cut::notice(omitted_bytes, "bytes", omitted_lines);
        let (text, head, tail) = cut::join(head, &notice, tail);
        Captured {
            text: crate::cleaner::into_string(text),
            total_bytes: self.total_bytes,
            kept_bytes,
            omitted_bytes,
            omitted_lines,
            truncated: true,
            head,
            tail,
        }
    }

    fn whole(mut self) -> Captured {
        self.head.truncate(self.head_bytes);
        self.head.extend_from_slice(&self.ring);
        let text = crate::cleaner::into_string(self.head);
        Captured {
            total_bytes: self.total_bytes,
            kept_bytes: self.total_bytes,
            omitted_bytes: 0,
            omitted_lines: 0,
            truncated: false,
            head: 0..text.len(),
            tail: text.len()..text.len(),
            text,
        }
    }
}

fn count_lines(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}
