//! Where the result of a scan goes.

use crate::span::RuleId;

/// Receives the input in order, as pieces kept, masked or removed.
pub(crate) trait Output {
    /// Bytes that stay.
    fn keep(&mut self, bytes: &[u8]);
    /// `removed` bytes whose place a mask takes.
    fn mask(&mut self, rule: RuleId, removed: usize, quoted: bool);
    /// Bytes that belong to the last mask.
    fn remove(&mut self, removed: usize);
}
