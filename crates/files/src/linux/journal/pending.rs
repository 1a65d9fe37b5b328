//! The record of a call whose places are being changed.

use std::ffi::OsStr;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{OFlags, Stat};
use rustix::io::Errno;

use super::JournalCall;
use super::facts::{Facts, hash_of, hash_of_file};
use super::record::{Kept, Place, Record, kept_name, new_id};
use super::sheet::{KEPT_MODE, Sheet, read_at};
use super::store::{self, Lock, OPEN};
use crate::linux::judge::file_id;
use crate::linux::publish::write_all;

/// Longest content that the file of the record holds.
const MAX_INSIDE_BYTES: u64 = 64 << 10;
/// Most bytes of contents in the file of one record.
const MAX_ALL_INSIDE_BYTES: usize = 1 << 20;

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

/// What is kept of the places of one call.
struct Keeping<'k> {
    folder: &'k OwnedFd,
    id: &'k str,
    /// Where the contents go in the file of the record.
    offset: u64,
    contents: Vec<u8>,
    /// Files of their own.
    beside: usize,
}

impl Keeping<'_> {
    /// Keeps the old content of a place. A removed file is kept with its owner, mode and attributes, and so in a file of its own;
    /// so is a long one, which a file system that can share the blocks of two files does not copy.
    fn keep(&mut self, place: &ChangedPlace<'_>) -> Result<(Facts, Kept), Errno> {
        let Some((stat, Some(old))) = place.old else { return Err(Errno::ACCESS) };
        let length = stat.st_size.cast_unsigned();
        let has_room = length <= MAX_INSIDE_BYTES && self.contents.len() < MAX_ALL_INSIDE_BYTES;
        if place.new.is_some() && has_room {
            let offset = self.offset + self.contents.len() as u64;
            // One that has changed since it was read is not replaced.
            let content = read_at(old, 0, length)?;
            let hash = hash_of(&content);
            self.contents.extend(content);
            return Ok((Facts::new(stat, hash), Kept::Inside(offset)));
        }
        let number = self.beside;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let kept = rustix::fs::openat(self.folder, kept_name(self.id, number), flags, KEPT_MODE)?;
        self.beside += 1;
        rustix::fs::seek(old, rustix::fs::SeekFrom::Start(0))?;
        let is_shared = rustix::fs::ioctl_ficlone(&kept, old).is_ok();
        let copy = |piece: &[u8]| if is_shared { Ok(()) } else { write_all(&kept, piece) };
        let hash = hash_of_file(old, copy)?;
        if place.new.is_none() {
            (place.keep_access)(kept.as_fd());
        }
        Ok((Facts::new(stat, hash), Kept::Beside(number)))
    }

    fn place(&mut self, changed: &ChangedPlace<'_>, keeps: bool) -> Result<Place, Errno> {
        let (old, kept) = match changed.old {
            None => (None, Kept::Nowhere),
            Some(_) if keeps => {
                let (facts, kept) = self.keep(changed)?;
                (Some(facts), kept)
            }
            Some((stat, _)) => (Some(Facts::new(stat, String::new())), Kept::Nowhere),
        };
        Ok(Place {
            path: changed.path.into(),
            folder: file_id(&rustix::fs::fstat(changed.parent)?),
            temporary: changed.temporary.into(),
            is_kept: old.is_none() || keeps,
            old,
            kept,
            new: changed.new.map(|(stat, bytes)| Facts::new(&stat, hash_of(bytes))),
        })
    }
}

/// A record that is not done. Dropping it removes it: nothing was changed, or everything is as before.
#[derive(Debug)]
pub(crate) struct Pending {
    pub(super) folder: OwnedFd,
    /// The file of the record. `None` before there is anything to take back.
    sheet: Option<Sheet>,
    pub(super) record: Record,
    /// The folder with what its moves keep.
    pub(super) inside: Option<OwnedFd>,
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
    ) -> Result<Pending, Errno> {
        let id = new_id();
        let record = Record {
            tool: call.tool.to_owned(),
            owner: call.journal.owner.clone(),
            caller: call.caller.to_owned(),
            undoes: call.undoes.to_vec(),
            places: Vec::new(),
            folders: folders.iter().map(|path| path.as_path().into()).collect(),
            emptied: call.emptied.to_vec(),
            moves: Vec::new(),
            keeps_moves: true,
            is_interrupted: false,
            staged_at: None,
            entry: format!("{id}.{OPEN}"),
            id,
        };
        let folder = rustix::io::fcntl_dupfd_cloexec(folder, 0)?;
        let mut pending =
            Pending { folder, sheet: None, record, inside: None, is_kept, is_done: false };
        // Where no folder is made, nothing is changed before the contents are kept. What is written until then would be synced to
        // the disk with the new content.
        if !folders.is_empty() {
            pending.write(&[])?;
        }
        Ok(pending)
    }

    /// Keeps what these places have, before the first of them is changed.
    pub(crate) fn keep(&mut self, places: &[ChangedPlace<'_>]) -> Result<(), Errno> {
        let keeps = self.is_kept;
        let mut keeping = Keeping {
            offset: self.sheet()?.next_offset(),
            folder: &self.folder,
            id: &self.record.id,
            contents: Vec::new(),
            beside: 0,
        };
        let kept = places.iter().map(|place| keeping.place(place, keeps));
        let places = kept.collect::<Result<_, Errno>>()?;
        let contents = keeping.contents;
        self.record.places = places;
        self.write(&contents)
    }

    /// The record that a killed process left.
    pub(super) fn of(
        folder: &OwnedFd,
        sheet: Sheet,
        record: Record,
        is_done: bool,
    ) -> Result<Pending, Errno> {
        let folder = rustix::io::fcntl_dupfd_cloexec(folder, 0)?;
        let (sheet, inside) = (Some(sheet), None);
        Ok(Pending { folder, sheet, record, inside, is_kept: true, is_done })
    }

    pub(crate) fn id(&self) -> &str {
        &self.record.id
    }

    /// The file of the record, which is made when it is first needed.
    pub(super) fn sheet(&mut self) -> Result<&mut Sheet, Errno> {
        if self.sheet.is_none() {
            // Nobody takes the record for abandoned before its own lock is held.
            let _lock = Lock::shared(&self.folder)?;
            self.sheet = Some(Sheet::create(&self.folder, &self.record.entry)?);
        }
        self.sheet.as_mut().ok_or(Errno::BADF)
    }

    pub(super) fn write(&mut self, contents: &[u8]) -> Result<(), Errno> {
        self.sheet()?;
        let Pending { sheet: Some(sheet), record, .. } = self else { return Err(Errno::BADF) };
        sheet.write(contents, record)
    }

    /// The call is done: every place has changed. Temporary names may still be there.
    pub(crate) fn done(&mut self) -> Result<(), Errno> {
        self.sheet()?.done()?;
        self.is_done = true;
        Ok(())
    }

    /// The call ended half way, and what it changed could not be put back as a whole.
    pub(crate) fn interrupted(mut self) -> Result<(), Errno> {
        self.record.is_interrupted = true;
        self.write(&[])?;
        self.done()?;
        self.close()
    }

    pub(super) fn is_done(&self) -> bool {
        self.is_done
    }

    /// Leaves the record as it is, for a later start.
    pub(super) fn leave(mut self) {
        self.is_done = true;
    }

    /// No temporary name is left.
    pub(crate) fn close(self) -> Result<(), Errno> {
        let kept = self.record.places.iter().filter(|place| place.is_kept);
        let mut bytes: u64 = kept.filter_map(|place| place.old.as_ref()).map(Facts::bytes).sum();
        if self.record.keeps_moves {
            bytes += self.record.moves.iter().map(|place| place.old_bytes).sum::<u64>();
        }
        let name = format!("{}.{bytes}", self.record.id);
        rustix::fs::renameat(&self.folder, &self.record.entry, &self.folder, name)
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if !self.is_done && self.sheet.is_some() {
            // Where this fails, the next start finds nothing to take back and removes the record.
            let _ = store::remove(&self.folder, &self.record.id, &self.record.entry);
        }
    }
}
