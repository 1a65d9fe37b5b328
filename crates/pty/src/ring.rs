//! The newest text of a session, at positions that never change.

use std::collections::VecDeque;

/// Keeps the last bytes of a text. Positions count from the start of the text.
#[derive(Debug)]
pub(crate) struct RingBuffer {
    /// At most `capacity` bytes, which begin with a whole character.
    bytes: VecDeque<u8>,
    capacity: usize,
    /// The position after the last byte.
    end: u64,
}

impl RingBuffer {
    pub(crate) fn new(capacity: usize) -> Self {
        Self { bytes: VecDeque::new(), capacity, end: 0 }
    }

    /// Appends text, and drops text from the front that no longer fits. A character may arrive in two pieces.
    pub(crate) fn push(&mut self, text: &[u8]) {
        self.end += text.len() as u64;
        let kept = &text[text.len().saturating_sub(self.capacity)..];
        let excess = (self.bytes.len() + kept.len()).saturating_sub(self.capacity);
        self.bytes.drain(..excess.min(self.bytes.len()));
        self.bytes.extend(kept);
        if excess > 0 || kept.len() < text.len() {
            while self.bytes.front().is_some_and(|byte| byte & 0xc0 == 0x80) {
                self.bytes.pop_front();
            }
        }
    }

    pub(crate) fn start(&self) -> u64 {
        self.end - self.bytes.len() as u64
    }

    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    /// Up to `limit` bytes from a position on, or from the first byte that is kept.
    pub(crate) fn copy(&self, from: u64, limit: usize) -> Vec<u8> {
        let skip = from.saturating_sub(self.start()).min(self.bytes.len() as u64);
        let skip = usize::try_from(skip).unwrap_or(self.bytes.len());
        let (first, second) = self.bytes.as_slices();
        let mut copy = Vec::with_capacity(limit.min(self.bytes.len() - skip));
        let from_first = &first[skip.min(first.len())..];
        copy.extend_from_slice(&from_first[..limit.min(from_first.len())]);
        let from_second = &second[skip.saturating_sub(first.len())..];
        copy.extend_from_slice(&from_second[..(limit - copy.len()).min(from_second.len())]);
        copy
    }
}
