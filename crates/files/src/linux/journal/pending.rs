//! The record of a call whose places are being changed.

use std::ffi::OsStr;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, FlockOperation, Mode, OFlags, Stat};
use rustix::io::Errno;

use super::JournalCall;
use super::facts::{Facts, hash_of, hash_of_file};
use super::record::{PENDING, Place, RECORD, Record, kept_name, new_id};
use super::store::{self, Lock, OPEN, open_entry};
use crate::linux::judge::file_id;
use crate::linux::publish::write_all;

const KEPT_MODE: Mode = Mode::RUSR.union(Mode::WUSR);

/// A place that is about to change.
pub(crate) struct ChangedPlace<'p> {
    pub(crate) path: &'p Path,
    pub(crate) parent: BorrowedFd<'p>,
    pub(crate) temporary: &'p OsStr,
    /// The file that is there, as it was read, and opened where it may be.
    pub(crate) old: Option<(&'p Stat, Option<BorrowedFd<'p>>)>,
    /// The file that will be there, and its content.
    pub(crate) new: Option<(Stat, &'p [u8])>,
    /// Gives the kept content the owner, mode and attributes of the old file.
    pub(crate) keep_access: &'p dyn Fn(BorrowedFd<'_>),
}

impl ChangedPlace<'_> {
    /// Copies the old content to a file of the record.
    fn keep(&self, inside: &OwnedFd, number: usize) -> Result<Facts, Errno> {
        let Some((stat, Some(old))) = self.old else { return Err(Errno::ACCESS) };
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let kept = rustix::fs::openat(inside, kept_name(number), flags, KEPT_MODE)?;
        rustix::fs::seek(old, rustix::fs::SeekFrom::Start(0))?;
        // A file system that can share the blocks of two files copies nothing.
        let is_shared = rustix::fs::ioctl_ficlone(&kept, old).is_ok();
        let copy = |piece: &[u8]| if is_shared { Ok(()) } else { write_all(&kept, piece) };
        let hash = hash_of_file(old, copy)?;
        if self.new.is_none() {
            (self.keep_access)(kept.as_fd());
        }
        Ok(Facts::new(stat, hash))
    }

    fn place(&self, inside: &OwnedFd, number: usize, is_kept: bool) -> Result<Place, Errno> {
        let (old, is_kept) = match self.old {
            None => (None, true),
            Some(_) if is_kept => (Some(self.keep(inside, number)?), true),
            Some((stat, _)) => (Some(Facts::new(stat, String::new())), false),
        };
        Ok(Place {
            path: self.path.into(),
            folder: file_id(&rustix::fs::fstat(self.parent)?),
            temporary: self.temporary.into(),
            old,
            is_kept,
            new: self.new.map(|(stat, bytes)| Facts::new(&stat, hash_of(bytes))),
        })
    }
}

/// A record that is not done. Dropping it removes it: nothing was changed, or everything is as before.
#[derive(Debug)]
pub(crate) struct Pending {
    folder: OwnedFd,
    inside: OwnedFd,
    /// The file of the record, which is locked.
    file: OwnedFd,
    record: Record,
    /// Whether the old contents are kept: they are not too large.
    is_kept: bool,
    is_done: bool,
}

impl Pending {
    pub(super) fn begin(
        folder: &OwnedFd,
        call: &JournalCall<'_>,
        is_kept: bool,
        folders: &[PathBuf],
        _lock: &Lock,
    ) -> Result<Pending, Errno> {
        let id = new_id();
        let name = format!("{id}.{OPEN}");
        rustix::fs::mkdirat(folder, &name, Mode::RWXU)?;
        let begun = || {
            let inside = open_entry(folder, &name)?;
            let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
            let file = rustix::fs::openat(&inside, PENDING, flags, KEPT_MODE)?;
            rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive)?;
            let record = Record {
                tool: call.tool.to_owned(),
                owner: call.journal.owner.clone(),
                caller: call.caller.to_owned(),
                undoes: call.undoes.to_vec(),
                places: Vec::new(),
                folders: folders.iter().map(|path| path.as_path().into()).collect(),
                emptied: call.emptied.to_vec(),
                is_interrupted: false,
                id: id.clone(),
                entry: name.clone(),
            };
            let folder = rustix::io::fcntl_dupfd_cloexec(folder, 0)?;
            let pending = Pending { folder, inside, file, record, is_kept, is_done: false };
            if !folders.is_empty() {
                pending.write()?;
            }
            Ok(pending)
        };
        begun().inspect_err(|_| {
            let _ = store::remove(folder, &name);
        })
    }

    /// Keeps what these places have, before the first of them is changed.
    pub(crate) fn keep(&mut self, places: &[ChangedPlace<'_>]) -> Result<(), Errno> {
        let kept = places.iter().enumerate();
        let kept = kept.map(|(number, place)| place.place(&self.inside, number, self.is_kept));
        self.record.places = kept.collect::<Result<_, Errno>>()?;
        self.write()
    }

    /// The record that a killed process left.
    pub(super) fn of(
        folder: &OwnedFd,
        inside: OwnedFd,
        file: OwnedFd,
        record: Record,
        is_done: bool,
    ) -> Result<Pending, Errno> {
        let folder = rustix::io::fcntl_dupfd_cloexec(folder, 0)?;
        Ok(Pending { folder, inside, file, record, is_kept: true, is_done })
    }

    pub(crate) fn id(&self) -> &str {
        &self.record.id
    }

    fn write(&self) -> Result<(), Errno> {
        let text = serde_json::to_vec(&self.record).map_err(|_| Errno::INVAL)?;
        rustix::fs::seek(&self.file, rustix::fs::SeekFrom::Start(0))?;
        write_all(&self.file, &text)?;
        rustix::fs::ftruncate(&self.file, text.len() as u64)
    }

    /// The call is done: every place has changed. Temporary names may still be there.
    pub(crate) fn done(&mut self) -> Result<(), Errno> {
        rustix::fs::renameat(&self.inside, PENDING, &self.inside, RECORD)?;
        self.is_done = true;
        Ok(())
    }

    /// The call ended half way, and what it changed could not be put back as a whole.
    pub(crate) fn interrupted(mut self) -> Result<(), Errno> {
        self.record.is_interrupted = true;
        self.write()?;
        self.done()?;
        self.close()
    }

    /// No temporary name is left.
    pub(crate) fn close(self) -> Result<(), Errno> {
        let kept = self.record.places.iter().filter(|place| place.is_kept);
        let bytes: u64 = kept.filter_map(|place| place.old.as_ref()).map(Facts::bytes).sum();
        let name = format!("{}.{bytes}", self.record.id);
        rustix::fs::renameat(&self.folder, &self.record.entry, &self.folder, name)
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if !self.is_done {
            // Where this fails the next start finds nothing to take back, and removes it.
            let _ = rustix::fs::unlinkat(&self.inside, PENDING, AtFlags::empty());
            let _ = store::remove(&self.folder, &self.record.entry);
        }
    }
}
