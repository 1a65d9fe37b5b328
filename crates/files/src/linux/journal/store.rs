//! The files of records in the folder of the journal.

use std::ffi::OsStr;
use std::os::fd::OwnedFd;

use rustix::fs::{AtFlags, Dir, FileType, FlockOperation, Mode, OFlags};
use rustix::io::Errno;

use super::record::kept_name;
use super::{MAX_RECORDS, MEASURED_EVERY};
use crate::linux::tree;

/// More contents than a call has beside its record.
const MAX_CONTENTS: usize = 1 << 20;
/// End of the name of a record whose call is not over.
pub(super) const OPEN: &str = "open";

/// The file of one record.
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

/// Every record; files of other names and kinds are not looked at.
pub(super) fn entries(folder: &OwnedFd) -> Result<Vec<Entry>, Errno> {
    let mut entries = Vec::new();
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().to_str() else { continue };
        let Some((id, end)) = name.split_once('.') else { continue };
        if id.is_empty() || entry.file_type() == FileType::Directory {
            continue;
        }
        let is_open = end == OPEN;
        let bytes = if is_open { Some(0) } else { end.parse().ok() };
        let Some(bytes) = bytes else { continue };
        entries.push(Entry { name: name.to_owned(), id: id.to_owned(), is_open, bytes });
    }
    Ok(entries)
}

/// Removes a record with the contents beside it, and itself at last: what is left of a removal that was cut off is found again.
pub(super) fn remove(folder: &OwnedFd, id: &str, name: &str) -> Result<(), Errno> {
    let is_there = |number: &usize| {
        let flags = AtFlags::SYMLINK_NOFOLLOW;
        rustix::fs::statat(folder, kept_name(id, *number), flags).is_ok()
    };
    let count = (0..MAX_CONTENTS).take_while(is_there).count();
    for number in (0..count).rev() {
        tree::remove(folder, OsStr::new(&kept_name(id, number)))?;
    }
    rustix::fs::unlinkat(folder, name, AtFlags::empty())
}
