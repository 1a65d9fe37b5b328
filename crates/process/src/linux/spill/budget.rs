//! What all spill files of an engine may take together.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::folder::{self, Identity};

/// Files are counted in blocks, as file systems give them: many small ones take more than they hold.
pub(crate) const BLOCK_BYTES: u64 = 4096;

/// Shared by the runs of an engine.
#[derive(Clone)]
pub(crate) struct Budget(Arc<Mutex<Ledger>>);

struct Ledger {
    total: u64,
    used: u64,
    /// Files of runs that are over, in the order of their ends.
    kept: VecDeque<Kept>,
}

struct Kept {
    path: PathBuf,
    file: Identity,
    bytes: u64,
}

/// The part of the budget that one file takes; given back when it is dropped.
pub(crate) struct Claim {
    budget: Budget,
    bytes: u64,
}

impl Budget {
    /// Whole blocks of this many bytes.
    pub(crate) fn new(total: u64) -> Budget {
        Budget(Arc::new(Mutex::new(Ledger { total, used: 0, kept: VecDeque::new() })))
    }

    /// The part of a file that is empty yet.
    pub(crate) fn claim(&self) -> Claim {
        Claim { budget: self.clone(), bytes: 0 }
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Claim {
    /// How large the file may be, if it is to have `size` bytes. Removes files of runs that are over, the
    /// oldest first, while that is less; never one of a run that goes on.
    pub(crate) fn grow(&mut self, size: u64) -> u64 {
        let wanted = size.div_ceil(BLOCK_BYTES).saturating_mul(BLOCK_BYTES);
        if wanted > self.bytes {
            let mut ledger = self.budget.ledger();
            let more = ledger.take(wanted - self.bytes);
            self.bytes += more;
        }
        size.min(self.bytes)
    }

    /// Leaves the file to whoever reads it, until its place is needed.
    pub(super) fn keep(mut self, path: PathBuf, file: Identity) {
        let bytes = std::mem::take(&mut self.bytes);
        self.budget.ledger().kept.push_back(Kept { path, file, bytes });
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.budget.ledger().used -= self.bytes;
    }
}

impl Ledger {
    /// Takes up to this many bytes in whole blocks; gives how many.
    fn take(&mut self, wanted: u64) -> u64 {
        while self.total - self.used < wanted {
            let Some(oldest) = self.kept.pop_front() else { break };
            self.used -= oldest.bytes;
            oldest.remove();
        }
        let free = (self.total - self.used) / BLOCK_BYTES * BLOCK_BYTES;
        let taken = wanted.min(free);
        self.used += taken;
        taken
    }
}

impl Kept {
    /// What commands have put in its place, or moved, stays.
    fn remove(&self) {
        let Some((folder, name)) = self.path.parent().zip(self.path.file_name()) else { return };
        if let Ok(folder) = folder::open_existing(folder) {
            folder::remove(&folder, name, self.file);
        }
    }
}
