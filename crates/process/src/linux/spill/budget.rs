//! The limit on what all spill files of an engine take together.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::folder::{self, Identity};

/// Files are counted in blocks, as file systems allocate them: many small files take more space than they have content.
pub(crate) const BLOCK_BYTES: u64 = 4096;

/// Shared by the runs of an engine.
#[derive(Clone)]
pub(crate) struct Budget(Arc<Mutex<Ledger>>);

struct Ledger {
    total: u64,
    used: u64,
    /// Files of runs that have ended, in the order of their ends.
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
    /// A budget of this many bytes, in whole blocks.
    pub(crate) fn new(total: u64) -> Budget {
        Budget(Arc::new(Mutex::new(Ledger { total, used: 0, kept: VecDeque::new() })))
    }

    /// The claim of a new, empty file.
    pub(crate) fn claim(&self) -> Claim {
        Claim { budget: self.clone(), bytes: 0 }
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Claim {
    /// Asks for room for `size` bytes, and gives how large the file may be. To make room, files of runs that have ended are
    /// removed, the oldest first; never one of a run that goes on.
    pub(crate) fn grow(&mut self, size: u64) -> u64 {
        let wanted = size.div_ceil(BLOCK_BYTES).saturating_mul(BLOCK_BYTES);
        if wanted > self.bytes {
            let mut ledger = self.budget.ledger();
            let more = ledger.take(wanted - self.bytes);
            self.bytes += more;
        }
        size.min(self.bytes)
    }

    /// Keeps the file for its readers until its room is needed.
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
    /// Takes up to this many bytes, in whole blocks. Gives how many were taken.
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
    /// Removes the file. A file that commands have put in its place stays, and so does one that they have moved.
    fn remove(&self) {
        let Some((folder, name)) = self.path.parent().zip(self.path.file_name()) else { return };
        if let Ok(folder) = folder::open_existing(folder) {
            folder::remove(&folder, name, self.file);
        }
    }
}
