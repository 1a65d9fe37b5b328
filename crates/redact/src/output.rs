//! The receiver of a scan's result.

use crate::span::RuleId;

/// Receives the input in order, in pieces that are kept, masked or removed.
pub(crate) trait Output {
    /// Receives bytes that are kept.
    fn keep(&mut self, bytes: &[u8]);
    /// Receives a mask that replaces `removed` bytes. `quoted` says that it needs quotes.
    fn mask(&mut self, rule: RuleId, removed: usize, quoted: bool);
    /// Receives further bytes that the last mask replaces.
    fn remove(&mut self, removed: usize);
}
