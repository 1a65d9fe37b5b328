//! The unfinished line.

use super::WINDOW_BYTES;

/// Bytes that are appended at one end and dropped at the other, each moved a bounded number of times.
#[derive(Clone, Default)]
pub(super) struct Pending {
    bytes: Vec<u8>,
    /// Bytes before this are dropped; at most [`WINDOW_BYTES`].
    start: usize,
}

impl Pending {
    pub(super) fn as_slice(&self) -> &[u8] {
        &self.bytes[self.start..]
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len() - self.start
    }

    pub(super) fn append(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    pub(super) fn drop_front(&mut self, count: usize) {
        self.start += count;
        if self.start >= WINDOW_BYTES || self.len() == 0 {
            self.bytes.drain(..self.start);
            self.start = 0;
        }
    }
}
