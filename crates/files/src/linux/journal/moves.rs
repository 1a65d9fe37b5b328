//! The part of a record that is about whole entries: files of any kind and folders with all that they hold, which change
//! places with what is kept of them.
//!
//! Before the first place changes, every entry that will have a place stands ready: in the folder of the record, or beside its
//! place where that lies in another file system. The file `staged` says so, and what they are. From then on each change is one
//! rename, and the name that the entry stood under has what was in the place before.

use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::Duration;

use rustix::fs::{FileType, Mode, OFlags, Stat};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use super::back::keep_beside;
use super::facts::hash_of_file;
use super::pending::Pending;
use super::record::{PathName, Record, kept_name};
use super::renames::{rename_entry, with_writable_folder};
use super::sheet::read_at;
use crate::linux::judge::file_id;
use crate::linux::open_file;
use crate::linux::publish::write_all;
use crate::linux::resolve::Resolver;
use crate::linux::tree::{
    self, Access, Time, changed_at, is_changed_since, is_folder, kind, modified_at, open_file_of,
    open_folder_at, status,
};

/// Most places of one record, so that its text can be read again.
const MAX_MOVES: usize = 100_000;
/// End of the name of an entry that is being copied to the folder of the record.
const COPIED: &str = "part";
/// Name of the file that says which entries stand ready.
const STAGED: &str = "staged";
/// Time between two looks at the clock of the file system.
const TICK_PAUSE: Duration = Duration::from_micros(500);
const PRIVATE_MODE: Mode = Mode::RUSR.union(Mode::WUSR);

/// A file, a link or a folder as it was at one moment, whatever its name is by now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stamp {
    device: u64,
    inode: u64,
    mode: u32,
    bytes: u64,
    modified: Time,
    /// Hash of the content of a file that is not large.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hash: Option<String>,
}

/// Largest file whose content is hashed. A larger one is told by its time.
const MAX_HASHED_BYTES: i64 = 8 << 20;

impl Stamp {
    pub(crate) fn of(stat: &Stat) -> Stamp {
        Stamp {
            device: stat.st_dev,
            inode: stat.st_ino,
            mode: stat.st_mode,
            bytes: stat.st_size.cast_unsigned(),
            modified: modified_at(stat),
            hash: None,
        }
    }

    /// The same, with the hash of a file that is not large.
    pub(crate) fn hashed(folder: &OwnedFd, name: &OsStr, stat: &Stat) -> Result<Stamp, Errno> {
        Ok(Stamp { hash: hash_of(folder, name, stat)?, ..Stamp::of(stat) })
    }

    /// Whether a file is another one with the same content and mode: taking a later call back made it.
    pub(crate) fn has_same_content(&self, folder: &OwnedFd, name: &OsStr, stat: &Stat) -> bool {
        self.mode == stat.st_mode
            && self.hash.is_some()
            && hash_of(folder, name, stat).is_ok_and(|hash| hash == self.hash)
    }

    /// Whether nothing has been written to an entry of this name since. The content tells it of a file that is not large: a
    /// writer may set its time back.
    pub(crate) fn is_unwritten(&self, folder: &OwnedFd, name: &OsStr, stat: &Stat) -> bool {
        if self.hash.is_some() { self.has_same_content(folder, name, stat) } else { self.is(stat) }
    }

    /// Whether this is the same entry, unchanged. An overlay file system may give it another device after a rename.
    pub(crate) fn is(&self, stat: &Stat) -> bool {
        self.is_same_entry(stat)
            && self.mode == stat.st_mode
            && self.modified == modified_at(stat)
            && (is_folder(stat) || self.bytes == stat.st_size.cast_unsigned())
    }

    pub(super) fn is_same_entry(&self, stat: &Stat) -> bool {
        self.inode == stat.st_ino || self.device != stat.st_dev
    }

    pub(crate) fn is_folder(&self) -> bool {
        FileType::from_raw_mode(self.mode) == FileType::Directory
    }
}

fn hash_of(folder: &OwnedFd, name: &OsStr, stat: &Stat) -> Result<Option<String>, Errno> {
    if kind(stat) != FileType::RegularFile || stat.st_size > MAX_HASHED_BYTES {
        return Ok(None);
    }
    hash_of_file(open_file_of(folder, name, stat)?, |_| Ok(())).map(Some)
}

/// One place whose entry changes, or one folder whose owner, mode, attributes or time do.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Move {
    pub(crate) path: PathName,
    /// Device and inode of the folder that it lies in.
    pub(crate) folder: (u64, u64),
    /// Name in that folder under which the new entry, and then the old one, stands while the call runs. `None` where both
    /// stand in the folder of the record.
    pub(crate) beside: Option<PathName>,
    /// What was there. `None` for nothing.
    pub(crate) old: Option<Stamp>,
    /// Bytes of all files in it.
    pub(crate) old_bytes: u64,
    /// What is there after the call. `None` for nothing.
    pub(crate) new: Option<Stamp>,
    pub(crate) new_bytes: u64,
    /// Of a folder that stays: before and after.
    pub(crate) access: Option<Box<(Access, Access)>>,
    /// When the old entry was changed last, as far as that says something.
    #[serde(skip)]
    pub(crate) old_changed: Option<Time>,
    /// When the new entry was changed last, once it had its place, as far as that says something.
    #[serde(skip)]
    pub(crate) new_changed: Option<Time>,
}

impl Move {
    /// Name of the place in its folder.
    pub(crate) fn name(&self) -> &OsStr {
        self.path.0.file_name().unwrap_or(OsStr::new("."))
    }
}

/// When an entry was changed last. `None` where moving another name of the same file changes it too.
pub(crate) fn last_change(stat: &Stat) -> Option<Time> {
    (is_folder(stat) || stat.st_nlink == 1).then(|| changed_at(stat))
}

/// Where an entry stands that has no place, or no longer.
pub(crate) struct Aside<'a> {
    pub(crate) folder: &'a OwnedFd,
    pub(crate) name: OsString,
}

/// What the file `staged` says.
#[derive(Debug, Serialize, Deserialize)]
struct Staged {
    new: Vec<Option<Stamp>>,
}

impl Pending {
    /// Makes the folder in which entries stand. The record is there before it, and says nothing yet.
    pub(super) fn make_inside(&mut self) -> Result<(), Errno> {
        self.sheet()?;
        rustix::fs::mkdirat(&self.folder, kept_name(&self.record.id, 0), Mode::RWXU)?;
        self.inside = Some(open_inside(&self.folder, &self.record.id)?);
        Ok(())
    }

    /// Says which entries will change places. No entry stands ready yet.
    pub(crate) fn announce(&mut self, moves: Vec<Move>, is_kept: bool) -> Result<(), Errno> {
        if moves.len() > MAX_MOVES {
            return Err(Errno::TOOBIG);
        }
        self.record.moves = moves;
        self.record.keeps_moves = is_kept;
        self.write(&[])
    }

    /// The folder in which entries stand. Every record of moves has one.
    pub(crate) fn inside(&self) -> &OwnedFd {
        self.inside.as_ref().unwrap_or(&self.folder)
    }

    /// Says that every entry stands ready. Whatever changes in one of them from now on, changes after the time that this
    /// gives.
    pub(crate) fn staged(&mut self, new: Vec<Option<Stamp>>, newest: Time) -> Result<Time, Errno> {
        let text = serde_json::to_vec(&Staged { new: new.clone() }).map_err(|_| Errno::INVAL)?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let file = rustix::fs::openat(self.inside(), STAGED, flags, PRIVATE_MODE)?;
        write_all(&file, &text)?;
        for (place, new) in self.record.moves.iter_mut().zip(new) {
            place.new = new;
        }
        loop {
            let at = changed_at(&rustix::fs::fstat(&file)?);
            if at > newest {
                self.record.staged_at = Some(at);
                return Ok(at);
            }
            std::thread::sleep(TICK_PAUSE);
            // Sets the time of the change as well.
            rustix::fs::fchmod(&file, PRIVATE_MODE)?;
        }
    }

    pub(crate) fn moves(&self) -> &[Move] {
        &self.record.moves
    }

    /// Remembers what the new entry of a place was like once it had it.
    pub(crate) fn placed(&mut self, number: usize, stat: &Stat) {
        self.record.moves[number].new_changed = last_change(stat);
    }

    /// Whether the record keeps what the places had.
    pub(crate) fn keeps_moves(&self) -> bool {
        self.record.keeps_moves
    }
}

fn read_staged(inside: &OwnedFd) -> Option<Staged> {
    let file = open_file(inside, OsStr::new(STAGED)).ok()?;
    let length = rustix::fs::fstat(&file).ok()?.st_size.cast_unsigned();
    serde_json::from_slice(&read_at(&file, 0, length).ok()?).ok()
}

/// Opens the folder in which the entries of a record stand.
pub(super) fn open_inside(folder: &OwnedFd, id: &str) -> Result<OwnedFd, Errno> {
    open_folder_at(folder, Path::new(&kept_name(id, 0)))
}

/// Name under which the entry of a place stands in the folder of the record.
pub(crate) fn moved_name(number: usize) -> String {
    format!("old-{number}")
}

impl Record {
    /// Reads which entries stood ready. False where they did not all, so that no place was changed.
    pub(super) fn read_staged(&mut self, inside: &OwnedFd) -> bool {
        let Some(staged) = read_staged(inside) else { return false };
        if staged.new.len() != self.moves.len() {
            return false;
        }
        for (place, new) in self.moves.iter_mut().zip(staged.new) {
            place.new = new;
        }
        self.staged_at =
            status(inside, OsStr::new(STAGED)).ok().flatten().map(|stat| changed_at(&stat));
        true
    }
}

/// Whether something below an entry was changed at this time or later; the entry itself does not count, since a rename
/// changes it. Of a file with several names the content counts alone, since moving another one of them changes the rest.
pub(crate) fn has_changed_within(
    folder: &OwnedFd,
    name: &OsStr,
    since: Time,
) -> Result<bool, Errno> {
    let mut has_changed = false;
    tree::visit(folder, name, Path::new(""), 0, &mut |path, stat| {
        let has_names = !is_folder(stat) && stat.st_nlink > 1;
        let is_newer =
            if has_names { modified_at(stat) >= since } else { is_changed_since(stat, since) };
        has_changed |= !path.as_os_str().is_empty() && is_newer;
        Ok(())
    })?;
    Ok(has_changed)
}

/// Where the entry of a place stands that has none.
pub(crate) fn aside<'a>(
    place: &Move,
    number: usize,
    inside: &'a OwnedFd,
    parent: &'a OwnedFd,
) -> Aside<'a> {
    match &place.beside {
        Some(name) => Aside { folder: parent, name: name.0.as_os_str().to_owned() },
        None => Aside { folder: inside, name: moved_name(number).into() },
    }
}

/// Opens the folder of a place, as long as it is the one that it was.
pub(crate) fn open_parent(place: &Move, resolver: Resolver<'_>) -> Result<OwnedFd, Errno> {
    let (root, below) = resolver.root_of(&place.path.0).ok_or(Errno::NOENT)?;
    let below = if place.access.is_some() { below } else { below.parent().ok_or(Errno::NOENT)? };
    let folder = open_folder_at(root.directory(), below)?;
    let is_same = file_id(&rustix::fs::fstat(&folder)?) == place.folder;
    if is_same { Ok(folder) } else { Err(Errno::STALE) }
}

/// Takes what places had out of the way of others, once a call is done: to the folder of the record, or away where nothing of
/// it is kept.
pub(crate) fn finish(pending: &Pending, resolver: Resolver<'_>) -> Result<(), Errno> {
    let (inside, is_kept) = (pending.inside(), pending.record.keeps_moves);
    let places = pending.moves().iter().enumerate().filter(|(_, place)| place.old.is_some());
    for (number, place) in places {
        let kept = moved_name(number);
        let Ok(parent) = open_parent(place, resolver) else { continue };
        let aside = aside(place, number, inside, &parent);
        let stands = status(aside.folder, &aside.name)?;
        let Some((old, stat)) = place.old.as_ref().zip(stands) else { continue };
        let is_wanted = if is_kept { old.is_same_entry(&stat) } else { old.is(&stat) };
        if !is_wanted {
            // What others have written to it since is not removed with it.
            keep_beside(place, &parent, &aside)?;
            continue;
        }
        let Some(beside) = &place.beside else {
            if !is_kept {
                tree::remove(inside, OsStr::new(&kept))?;
            }
            continue;
        };
        let beside = beside.0.as_os_str();
        // What is kept is whole once it has its name; what stands beside may be removed in part already.
        if is_kept && status(inside, OsStr::new(&kept))?.is_none() {
            let copied = format!("{kept}.{COPIED}");
            tree::remove(inside, OsStr::new(&copied))?;
            let base = open_folder_at(inside, Path::new(""))?;
            tree::Copier::new(base).copy(&parent, beside, Path::new(&copied))?;
            rename_entry(inside, OsStr::new(&copied), inside, OsStr::new(&kept))?;
        }
        with_writable_folder(&parent, &mut || tree::remove(&parent, beside))?;
    }
    // The names that were removed beside the places have changed the times of their folders.
    for place in pending.moves().iter().filter(|place| place.access.is_some()) {
        let Some(access) = &place.access else { continue };
        if let (Some(modified), Ok(folder)) = (access.1.modified, open_parent(place, resolver)) {
            let _ = tree::set_modified(folder, modified);
        }
    }
    Ok(())
}
