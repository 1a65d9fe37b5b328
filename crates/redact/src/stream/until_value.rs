//! The output of a line whose end may be a part of a known value.

use std::ops::Range;

use crate::output::Output;
use crate::span::RuleId;

/// An output that ends where a byte of the value would be shown. A value that is masked in any case does not end it.
pub(super) struct UntilValue<'a, Inner> {
    /// The position of the next byte.
    pub(super) position: u64,
    /// Where the part of the value is.
    pub(super) value: Range<u64>,
    pub(super) is_over: bool,
    pub(super) inner: &'a mut Inner,
}

impl<Inner> UntilValue<'_, Inner> {
    fn pass(&mut self, length: usize) -> Range<u64> {
        let start = self.position;
        self.position += length as u64;
        start..self.position
    }
}

impl<Inner: Output> Output for UntilValue<'_, Inner> {
    fn keep(&mut self, bytes: &[u8]) {
        let range = self.pass(bytes.len());
        if self.is_over || bytes.is_empty() {
            return;
        }
        let is_of_value = range.start < self.value.end && range.end > self.value.start;
        if !is_of_value {
            return self.inner.keep(bytes);
        }
        self.is_over = true;
        let before = self.value.start.saturating_sub(range.start);
        self.inner.keep(&bytes[..usize::try_from(before).unwrap_or(0)]);
    }

    fn mask(&mut self, rule: RuleId, removed: usize, quoted: bool) {
        self.pass(removed);
        if !self.is_over {
            self.inner.mask(rule, removed, quoted);
        }
    }

    fn remove(&mut self, removed: usize) {
        self.pass(removed);
        if !self.is_over {
            self.inner.remove(removed);
        }
    }
}
