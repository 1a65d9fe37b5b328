//! The folders of records in the folder of the journal.

use std::ffi::OsStr;
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{AtFlags, Dir, FlockOperation, Mode, OFlags};
use rustix::io::Errno;

use super::{MAX_RECORDS, MEASURED_EVERY};
use crate::linux::open_folder;

/// End of the name of a folder whose call is not over.
pub(super) const OPEN: &str = "open";

/// The folder of one record.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) id: String,
    /// Whether the call is not over.
    pub(super) is_open: bool,
    /// Bytes that the record keeps.
    pub(super) bytes: u64,
}

/// What is known of the size of the journal.
#[derive(Debug, Default)]
pub(super) struct Usage {
    bytes: u64,
    count: usize,
    /// Records that may be begun before the journal is measured again.
    left: usize,
}

impl Usage {
    pub(super) fn measured(bytes: u64, count: usize) -> Usage {
        Usage { bytes, count, left: MEASURED_EVERY }
    }

    pub(super) fn has_room(&self, bytes: u64, max_bytes: u64) -> bool {
        self.left > 0 && self.bytes + bytes <= max_bytes && self.count < MAX_RECORDS
    }

    pub(super) fn add(&mut self, bytes: u64) {
        self.bytes += bytes;
        self.count += 1;
        self.left -= 1;
    }
}

/// A lock of the folder, until this is dropped. Who begins a record shares it, so that nobody takes one for abandoned before
/// its own lock is held.
#[derive(Debug)]
pub(super) struct Lock(#[expect(dead_code, reason = "closing it releases the lock")] OwnedFd);

impl Lock {
    pub(super) fn shared(folder: &OwnedFd) -> Result<Lock, Errno> {
        Lock::take(folder, FlockOperation::LockShared)
    }

    pub(super) fn exclusive(folder: &OwnedFd) -> Result<Lock, Errno> {
        Lock::take(folder, FlockOperation::LockExclusive)
    }

    fn take(folder: &OwnedFd, operation: FlockOperation) -> Result<Lock, Errno> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let own = rustix::fs::openat(folder, ".", flags, Mode::empty())?;
        rustix::io::retry_on_intr(|| rustix::fs::flock(&own, operation))?;
        Ok(Lock(own))
    }
}

/// Every record; files of other names are not looked at.
pub(super) fn entries(folder: &OwnedFd) -> Result<Vec<Entry>, Errno> {
    let mut entries = Vec::new();
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().to_str() else { continue };
        let Some((id, end)) = name.split_once('.') else { continue };
        if id.is_empty() {
            continue;
        }
        let is_open = end == OPEN;
        let bytes = if is_open { Some(0) } else { end.parse().ok() };
        let Some(bytes) = bytes else { continue };
        entries.push(Entry { name: name.to_owned(), id: id.to_owned(), is_open, bytes });
    }
    Ok(entries)
}

pub(super) fn open_entry(folder: impl AsFd, name: &str) -> Result<OwnedFd, Errno> {
    open_folder(folder, OsStr::new(name))
}

/// Removes a record with its files.
pub(super) fn remove(folder: &OwnedFd, name: &str) -> Result<(), Errno> {
    let record = open_entry(folder, name)?;
    for entry in Dir::read_from(&record)? {
        let entry = entry?;
        if !matches!(entry.file_name().to_bytes(), b"." | b"..") {
            rustix::fs::unlinkat(&record, entry.file_name(), AtFlags::empty())?;
        }
    }
    rustix::fs::unlinkat(folder, name, AtFlags::REMOVEDIR)
}
