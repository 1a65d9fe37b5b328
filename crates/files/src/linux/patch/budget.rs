//! Limits the work of finding the hunks of a patch.

use std::cell::Cell;

use crate::refusal::{Refusal, code};

/// Most bytes that are compared for one patch; each takes some nanoseconds.
const MAX_BYTES: u64 = 4 << 30;

/// The bytes that may still be compared for a patch.
#[derive(Debug)]
pub(super) struct SearchBudget(Cell<u64>);

impl Default for SearchBudget {
    fn default() -> SearchBudget {
        SearchBudget(Cell::new(MAX_BYTES))
    }
}

impl SearchBudget {
    pub(super) fn spend(&self, bytes: usize) -> Result<(), Refusal> {
        let unspent = self.0.get().checked_sub(bytes as u64);
        self.0.set(unspent.unwrap_or(0));
        if unspent.is_some() {
            return Ok(());
        }
        let message = "finding its hunks takes too long";
        let hint = "Send it in parts, with fewer hunks for large files.";
        Err(Refusal::new(code::TOO_LARGE, message).with_hint(hint))
    }

    #[cfg(test)]
    pub(super) fn of(bytes: u64) -> SearchBudget {
        SearchBudget(Cell::new(bytes))
    }

    #[cfg(test)]
    pub(super) fn unspent(&self) -> u64 {
        self.0.get()
    }
}
