//! Keeps what each call replaces, so that the call can be undone, and so that one that was killed half way leaves all of its
//! changes or none.
//!
//! A call has a file below the private folder of the journal, with what it replaced; removed and long contents have one of their
//! own beside it. While places are being changed it is called `ID.open`, and its lock says that the process lives. Once every
//! place has changed, its first letter says so: from then on the call counts as done. When no temporary name is left in the
//! roots, it becomes `ID.BYTES`. Whoever opens the journal next takes back what is pending without a lock, and removes the
//! temporary names of what is done.

mod back;
mod facts;
mod moves;
mod pending;
mod record;
mod recover;
mod renames;
mod sheet;
mod store;

use std::fs::DirBuilder;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

use crate::config::JournalConfig;
pub(crate) use back::{stands_unchanged, take_back};
pub(crate) use facts::{Facts, hash_of, hash_of_file};
pub(crate) use moves::{
    Aside, Move, Stamp, aside, finish, has_changed_within, last_change, moved_name, open_parent,
};
pub(crate) use pending::{ChangedPlace, Pending};
use record::Kept;
pub(crate) use record::{PathName, Record};
pub(crate) use recover::remove_empty;
pub(crate) use renames::{exchange_entries, rename_entry, with_writable_folder};
use store::{Entry, Lock, Usage};

/// Most records of a journal; the oldest goes first.
const MAX_RECORDS: usize = 1000;
/// Records that go at once when there is one too many: looking for the oldest takes longer than removing it.
const REMOVED_AT_ONCE: usize = 16;
/// Part of the bytes that is free after that.
const FREED_PART: u64 = 16;
/// Records that are begun before the journal is measured again, since other processes write to it too.
const MEASURED_EVERY: usize = 64;
const FOLDER_MODE: u32 = 0o700;
/// Mode bits that give others access.
const OTHERS_MODE: u32 = 0o077;

/// Who asks for changes, and with which tool.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JournalCall<'c> {
    pub(crate) journal: &'c Journal,
    pub(crate) tool: &'c str,
    pub(crate) caller: &'c str,
    /// The calls that this one takes back.
    pub(crate) undoes: &'c [String],
    /// Folders that go when the call is done, as far as they are empty then; the innermost first.
    pub(crate) emptied: &'c [PathName],
}

/// The records of one user.
#[derive(Debug)]
pub(crate) struct Journal {
    folder: OwnedFd,
    pub(crate) owner: String,
    max_bytes: u64,
    max_age: Duration,
    usage: Mutex<Usage>,
    /// Why the last call was not kept.
    failure: Mutex<Option<String>>,
}

impl Journal {
    /// Opens the folder, and makes it where there is none. Fails where others may use it.
    pub(crate) fn open(config: &JournalConfig) -> io::Result<Journal> {
        DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(&config.folder)?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let folder = rustix::fs::open(&config.folder, flags, Mode::empty())?;
        let stat = rustix::fs::fstat(&folder)?;
        if stat.st_uid != rustix::process::geteuid().as_raw() || stat.st_mode & OTHERS_MODE != 0 {
            let why = "other users may use the folder";
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
        }
        Ok(Journal {
            folder,
            owner: config.owner.clone(),
            max_bytes: config.max_bytes,
            max_age: config.max_age,
            usage: Mutex::default(),
            failure: Mutex::default(),
        })
    }

    /// Why the last call was not kept. `None` when it was.
    pub(crate) fn failure(&self) -> Option<String> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Begins the record of a call that replaces this many bytes, before the first of these folders is made. A call that cannot
    /// be kept goes on without.
    pub(crate) fn begin(
        call: &JournalCall<'_>,
        bytes: u64,
        folders: &[PathBuf],
    ) -> Option<Pending> {
        let begun = call.journal.try_to_begin(call, bytes, folders);
        call.journal.notes(begun.as_ref().map(drop).map_err(|error| *error));
        begun.ok()
    }

    fn try_to_begin(
        &self,
        call: &JournalCall<'_>,
        bytes: u64,
        folders: &[PathBuf],
    ) -> Result<Pending, Errno> {
        let is_kept = bytes <= self.max_bytes;
        self.make_room(if is_kept { bytes } else { 0 })?;
        Pending::begin(&self.folder, call, is_kept, folders)
    }

    /// Begins the record of a call that moves entries and replaces this many bytes, whether they are kept or not. Such a call
    /// does not go on without.
    pub(crate) fn begin_moves(
        call: &JournalCall<'_>,
        bytes: u64,
        moves: impl FnOnce(&OwnedFd) -> Result<Vec<Move>, Errno>,
    ) -> Result<Pending, Errno> {
        let mut pending = call.journal.try_to_begin(call, bytes, &[])?;
        pending.make_inside()?;
        let moves = moves(pending.inside())?;
        pending.announce(moves, bytes <= call.journal.max_bytes)?;
        Ok(pending)
    }

    /// Whether a record still has what its places had: taking it back moves that to another one.
    pub(crate) fn has_kept(&self, record: &Record) -> bool {
        let Ok(inside) = self.open_record(record) else { return false };
        let is_there = |number| {
            let name = moved_name(number);
            rustix::fs::statat(&inside, name, rustix::fs::AtFlags::SYMLINK_NOFOLLOW).is_ok()
        };
        let mut places = record.moves.iter().enumerate();
        record.keeps_moves && places.all(|(number, place)| place.old.is_none() || is_there(number))
    }

    /// The folder of a record with what it keeps.
    pub(crate) fn open_record(&self, record: &Record) -> Result<OwnedFd, Errno> {
        moves::open_inside(&self.folder, &record.id)
    }

    /// Remembers why the last call was not kept. Whether it was.
    pub(crate) fn notes(&self, kept: Result<(), Errno>) -> bool {
        let failure = kept.err().map(|error| io::Error::from(error).to_string());
        let is_kept = failure.is_none();
        *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = failure;
        is_kept
    }

    /// Removes the oldest records until one with this many bytes has room. What was not made here is never removed.
    fn make_room(&self, bytes: u64) -> Result<(), Errno> {
        let mut usage = self.usage.lock().unwrap_or_else(PoisonError::into_inner);
        if usage.has_room(bytes, self.max_bytes) {
            usage.add(bytes);
            return Ok(());
        }
        let _lock = Lock::exclusive(&self.folder)?;
        let mut entries = store::entries(&self.folder)?;
        entries.retain(|entry| !entry.is_open);
        entries.sort_by(|a, b| a.id.cmp(&b.id));
        let mut kept_bytes: u64 = entries.iter().map(|entry| entry.bytes).sum();
        let mut count = entries.len();
        let oldest =
            now_ms().saturating_sub(u64::try_from(self.max_age.as_millis()).unwrap_or(u64::MAX));
        let is_full = kept_bytes + bytes > self.max_bytes || count >= MAX_RECORDS;
        let (most_bytes, most) = if is_full {
            (self.max_bytes - self.max_bytes / FREED_PART, MAX_RECORDS - REMOVED_AT_ONCE)
        } else {
            (self.max_bytes, MAX_RECORDS)
        };
        for Entry { id, name, bytes: entry_bytes, .. } in &entries {
            let is_old = record::time_of(id).is_none_or(|time| time < oldest);
            if !is_old && kept_bytes + bytes <= most_bytes && count < most {
                break;
            }
            store::remove(&self.folder, id, name)?;
            (kept_bytes, count) = (kept_bytes - entry_bytes, count - 1);
        }
        *usage = Usage::measured(kept_bytes + bytes, count + 1);
        Ok(())
    }

    /// The records, newest first, as long as `is_wanted` says so.
    pub(crate) fn records(&self) -> Result<impl Iterator<Item = Record> + '_, Errno> {
        let mut entries = store::entries(&self.folder)?;
        entries.sort_by(|a, b| b.id.cmp(&a.id));
        let records = entries.into_iter().filter(|entry| !entry.is_open);
        Ok(records.filter_map(|entry| Record::read(&self.folder, &entry)))
    }

    /// The content that a place had before the call.
    pub(crate) fn kept(&self, record: &Record, place: usize) -> Result<Vec<u8>, Errno> {
        let place = record.places.get(place).ok_or(Errno::NOENT)?;
        let length = place.old.as_ref().map_or(0, Facts::bytes);
        match place.kept {
            Kept::Nowhere => Err(Errno::NOENT),
            Kept::Inside(offset) => {
                let file = crate::linux::open_file(&self.folder, record.entry.as_ref())?;
                sheet::read_at(file, offset, length)
            }
            Kept::Beside(number) => sheet::read_at(self.open_kept(record, number)?, 0, length),
        }
    }

    /// The file that was removed from a place, with its owner, mode and attributes.
    pub(crate) fn removed(&self, record: &Record, place: usize) -> Result<OwnedFd, Errno> {
        match record.places.get(place).map(|place| place.kept) {
            Some(Kept::Beside(number)) => self.open_kept(record, number),
            _ => Err(Errno::NOENT),
        }
    }

    fn open_kept(&self, record: &Record, number: usize) -> Result<OwnedFd, Errno> {
        crate::linux::open_file(&self.folder, record::kept_name(&record.id, number).as_ref())
    }

    /// Number of bytes that records hold, and the most that they may.
    pub(crate) fn usage(&self) -> Result<(u64, u64), Errno> {
        let entries = store::entries(&self.folder)?;
        Ok((entries.iter().map(|entry| entry.bytes).sum(), self.max_bytes))
    }
}

fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
