//! Moves entries into the roots and out of them: all of them, or none. Each new entry stands ready before the first place
//! changes, and each change is one rename, looked at again after it was made.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ffi::OsStr;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, FileType, StatxFlags};
use rustix::io::Errno;

use super::compare::{Source, Step};
use super::{OPAQUE, is_whiteout};
use crate::linux::files::Files;
use crate::linux::journal::{
    Aside, Journal, JournalCall, Move, Pending, Stamp, aside, exchange_entries, finish,
    has_changed_within, moved_name, open_parent, rename_entry, stands_unchanged, take_back,
    with_writable_folder,
};
use crate::linux::publish::temporary_name;
use crate::linux::tree::{
    self, Copier, Time, changed_at, kind, modified_at, names, open_file_of, open_folder_at,
    remove_overlay_attributes, set_attribute, status,
};

/// Why nothing was moved.
#[derive(Debug)]
pub(super) enum Stopped {
    /// The place has something else by now than what was compared.
    Changed(PathBuf),
    System(PathBuf, Errno),
    /// What was moved before could not be put back: somebody else had written there.
    InPart(PathBuf, Vec<PathBuf>),
}

/// Entries that are to be moved.
pub(super) struct Bringing<'b> {
    pub(super) files: &'b Files,
    /// What holds the new entries.
    pub(super) sources: &'b [&'b OwnedFd],
    /// Whether the new entries themselves get their places, and not copies of them.
    pub(super) takes: bool,
    /// Whether they are those of a layer, in which an overlay keeps more.
    pub(super) are_layered: bool,
    /// What changed at this time or later below an old folder was changed by others.
    pub(super) since: Time,
}

/// Entries that were moved.
#[derive(Debug)]
pub(super) struct Brought {
    pub(super) id: String,
    pub(super) is_kept: bool,
}

/// A new entry that was taken from where it stood.
struct Taken {
    number: usize,
    holder: usize,
    path: PathBuf,
    is_folder: bool,
}

/// What copies below each root, and what copies into the record: files with several names have them in the copies too.
#[derive(Default)]
struct Copiers(BTreeMap<Option<PathBuf>, Copier>);

impl Copiers {
    fn below(
        &mut self,
        root: Option<&Path>,
        open: impl FnOnce() -> Result<OwnedFd, Errno>,
    ) -> Result<&mut Copier, Errno> {
        Ok(match self.0.entry(root.map(Path::to_path_buf)) {
            Entry::Occupied(copier) => copier.into_mut(),
            Entry::Vacant(free) => free.insert(Copier::new(open()?)),
        })
    }
}

impl Bringing<'_> {
    /// Moves the entries, and gives the folders what they are to have.
    pub(super) fn bring(
        &self,
        call: &JournalCall<'_>,
        steps: Vec<Step>,
    ) -> Result<Brought, Stopped> {
        let first = steps.first().map(|step| step.place.path.0.clone()).unwrap_or_default();
        let system = |error| Stopped::System(first.clone(), error);
        let old_bytes = steps.iter().map(|step| step.place.old_bytes).sum();
        let (mut moves, mut sources) = (Vec::new(), Vec::new());
        for step in steps {
            moves.push(step.place);
            sources.push(step.source);
        }
        let mut pending = Journal::begin_moves(call, old_bytes, |inside| {
            self.choose_asides(inside, &mut moves).map(|()| moves)
        })
        .map_err(system)?;
        let mut taken = Vec::new();
        let staged = self.stage(&mut pending, &sources, &mut taken);
        let done = staged.and_then(|()| self.publish(&mut pending)).and_then(|()| {
            pending.done().map_err(system)?;
            Ok(())
        });
        if let Err(stopped) = done {
            let back = take_back(&pending, self.files.resolver());
            self.give_back(&pending, &taken);
            if back.is_whole {
                return Err(stopped);
            }
            let path = match stopped {
                Stopped::Changed(path) | Stopped::System(path, _) | Stopped::InPart(path, _) => {
                    path
                }
            };
            let _ = pending.interrupted();
            return Err(Stopped::InPart(path, back.kept));
        }
        let brought = Brought { id: pending.id().to_owned(), is_kept: pending.keeps_moves() };
        // Where this fails the next start does it.
        if finish(&pending, self.files.resolver()).is_ok() {
            let _ = pending.close();
        }
        Ok(brought)
    }

    /// Entries stand beside their places where those lie in another file system than the record.
    fn choose_asides(&self, inside: &OwnedFd, moves: &mut [Move]) -> Result<(), Errno> {
        let own = mount_of(inside)?;
        let mut mounts: BTreeMap<PathBuf, bool> = BTreeMap::new();
        for place in moves.iter_mut().filter(|place| place.access.is_none()) {
            let Some((root, _)) = self.files.resolver().root_of(&place.path.0) else {
                return Err(Errno::NOENT);
            };
            let is_other = if let Some(is_other) = mounts.get(root.path()) {
                *is_other
            } else {
                let is_other = mount_of(root.directory())? != own;
                mounts.insert(root.path().to_path_buf(), is_other);
                is_other
            };
            place.beside = is_other.then(|| (*temporary_name()).into());
        }
        Ok(())
    }

    /// Has every new entry stand ready, and on the disk where the host says so.
    fn stage(
        &self,
        pending: &mut Pending,
        sources: &[Option<Source>],
        taken: &mut Vec<Taken>,
    ) -> Result<(), Stopped> {
        let mut newest = (i64::MIN, 0);
        let mut stamps = Vec::with_capacity(sources.len());
        let mut copiers = Copiers::default();
        for (number, (place, source)) in pending.moves().iter().zip(sources).enumerate() {
            let Some(source) = source else {
                stamps.push(None);
                continue;
            };
            let staged = self.stage_one(pending, number, source, &mut copiers, taken);
            let (stamp, changed) =
                staged.map_err(|error| Stopped::System(place.path.0.clone(), error))?;
            newest = newest.max(changed);
            stamps.push(Some(stamp));
        }
        let first = pending.moves().first().map(|place| place.path.0.clone()).unwrap_or_default();
        let synced = self.sync(pending).and_then(|()| pending.staged(stamps, newest));
        synced.map(drop).map_err(|error| Stopped::System(first, error))
    }

    fn stage_one(
        &self,
        pending: &Pending,
        number: usize,
        source: &Source,
        copiers: &mut Copiers,
        taken: &mut Vec<Taken>,
    ) -> Result<(Stamp, Time), Errno> {
        let place = &pending.moves()[number];
        let name = source.path.file_name().ok_or(Errno::INVAL)?;
        let above = source.path.parent().unwrap_or(Path::new(""));
        let from = open_folder_at(self.sources[source.holder], above)?;
        let parent = open_parent(place, self.files.resolver())?;
        let aside = aside(place, number, pending.inside(), &parent);
        let is_moved = self.takes && !source.has_special && place.beside.is_none();
        if is_moved && self.are_layered {
            clean(&from, name)?;
        }
        if is_moved && taken_over(&from, name, &aside)? {
            let is_folder = place.new.as_ref().is_some_and(Stamp::is_folder);
            let (holder, path) = (source.holder, source.path.clone());
            taken.push(Taken { number, holder, path, is_folder });
        } else if place.beside.is_some() {
            let (root, below) = self.files.resolver().root_of(&place.path.0).ok_or(Errno::NOENT)?;
            let path = below.with_file_name(&aside.name);
            let base = || open_folder_at(root.directory(), Path::new(""));
            let copier = copiers.below(Some(root.path()), base)?;
            with_writable_folder(&parent, &mut || copier.copy(&from, name, &path))?;
        } else {
            let base = || open_folder_at(pending.inside(), Path::new(""));
            copiers.below(None, base)?.copy(&from, name, Path::new(&aside.name))?;
        }
        let stat = status(aside.folder, &aside.name)?.ok_or(Errno::NOENT)?;
        let mut newest = changed_at(&stat);
        tree::visit(aside.folder, &aside.name, Path::new(""), 0, &mut |_, stat| {
            newest = newest.max(changed_at(stat));
            Ok(())
        })?;
        Ok((Stamp::hashed(aside.folder, &aside.name, &stat)?, newest))
    }

    fn sync(&self, pending: &Pending) -> Result<(), Errno> {
        if !self.files.publish_options.sync {
            return Ok(());
        }
        rustix::fs::syncfs(pending.inside())?;
        for root in self.files.roots() {
            let is_changed =
                |place: &&Move| place.beside.is_some() && place.path.0.starts_with(root.path());
            if pending.moves().iter().any(|place| is_changed(&place)) {
                let folder = open_folder_at(root.directory(), Path::new(""))?;
                rustix::fs::syncfs(folder)?;
            }
        }
        Ok(())
    }

    fn publish(&self, pending: &mut Pending) -> Result<(), Stopped> {
        for number in 0..pending.moves().len() {
            let path = pending.moves()[number].path.0.clone();
            let published = match &pending.moves()[number] {
                place if place.access.is_some() => self.publish_access(place),
                _ => self.publish_entry(pending, number),
            };
            match published {
                Ok(true) => {}
                Ok(false) | Err(Errno::NOENT | Errno::EXIST | Errno::STALE | Errno::LOOP) => {
                    return Err(Stopped::Changed(path));
                }
                Err(error) => return Err(Stopped::System(path, error)),
            }
        }
        Ok(())
    }

    /// Changes one place. False when it had something else than was compared: taking back gives that its name again.
    fn publish_entry(&self, pending: &mut Pending, number: usize) -> Result<bool, Errno> {
        let place = pending.moves()[number].clone();
        let parent = open_parent(&place, self.files.resolver())?;
        let inside = open_folder_at(pending.inside(), Path::new(""))?;
        let aside = aside(&place, number, &inside, &parent);
        let Some(old) = &place.old else {
            rename_entry(aside.folder, &aside.name, &parent, place.name())?;
            note_placed(pending, number, &parent, &place);
            return Ok(true);
        };
        let now = status(&parent, place.name())?;
        let is_compared = now.is_some_and(|now| {
            old.is(&now) && place.old_changed.is_none_or(|changed| changed == changed_at(&now))
        });
        if !is_compared {
            return Ok(false);
        }
        if place.new.is_some() {
            exchange_entries(aside.folder, &aside.name, &parent, place.name())?;
            note_placed(pending, number, &parent, &place);
        } else {
            rename_entry(&parent, place.name(), aside.folder, &aside.name)?;
        }
        let came = status(aside.folder, &aside.name)?;
        Ok(came.is_some_and(|came| old.is(&came))
            && !(old.is_folder() && has_changed_within(aside.folder, &aside.name, self.since)?))
    }

    fn publish_access(&self, place: &Move) -> Result<bool, Errno> {
        let Some(access) = &place.access else { return Ok(true) };
        let folder = open_parent(place, self.files.resolver())?;
        let now = tree::Access::of(&folder, &rustix::fs::fstat(&folder)?)?;
        if !now.is_like(&access.0) {
            return Ok(false);
        }
        access.1.apply(&folder)?;
        Ok(true)
    }

    /// Gives the layer the entries again that were taken from it.
    fn give_back(&self, pending: &Pending, taken: &[Taken]) {
        // What others have written to is not the layer's.
        let ours = taken.iter().filter(|taken| stands_unchanged(pending, taken.number));
        for Taken { number, holder, path, is_folder } in ours {
            let parent = path.parent().unwrap_or(Path::new(""));
            let (Ok(folder), Some(name)) =
                (open_folder_at(self.sources[*holder], parent), path.file_name())
            else {
                continue;
            };
            let stands = moved_name(*number);
            if rename_entry(pending.inside(), OsStr::new(&stands), &folder, name).is_ok()
                && *is_folder
                && self.are_layered
                && let Ok(whole) = open_folder_at(&folder, Path::new(name))
            {
                // It hides what lies below it, as it did.
                let _ = set_attribute(whole, OPAQUE.0, OPAQUE.1);
            }
        }
    }
}

/// Remembers the new entry of a place as it is once it has it. What somebody has written there already is none of ours.
fn note_placed(pending: &mut Pending, number: usize, parent: &OwnedFd, place: &Move) {
    if let Ok(Some(stat)) = status(parent, place.name()) {
        pending.placed(number, &stat);
    }
}

/// What tells mounts of file systems apart: renames do not cross them.
fn mount_of(folder: &OwnedFd) -> Result<(u64, u32, u32), Errno> {
    let flags = AtFlags::EMPTY_PATH;
    let stat = rustix::fs::statx(folder, c"", flags, StatxFlags::MNT_ID)?;
    Ok((stat.stx_mnt_id, stat.stx_dev_major, stat.stx_dev_minor))
}

/// Takes a new entry to where it stands ready. False where that lies in another file system.
fn taken_over(from: &OwnedFd, name: &OsStr, aside: &Aside<'_>) -> Result<bool, Errno> {
    match rename_entry(from, name, aside.folder, &aside.name) {
        Err(Errno::XDEV) => Ok(false),
        renamed => renamed.map(|()| true),
    }
}

/// Removes what the overlay keeps in an entry, which nothing lies below any more.
fn clean(folder: &OwnedFd, name: &OsStr) -> Result<(), Errno> {
    let stat = status(folder, name)?.ok_or(Errno::NOENT)?;
    match kind(&stat) {
        FileType::Directory => {
            let inner = open_folder_at(folder, Path::new(name))?;
            for name in names(&inner)? {
                clean(&inner, &name)?;
            }
            remove_overlay_attributes(&inner)?;
            if modified_at(&rustix::fs::fstat(&inner)?) == modified_at(&stat) {
                return Ok(());
            }
            // A whiteout was in it.
            tree::Access::of(&inner, &stat)?.apply(&inner)
        }
        FileType::RegularFile => remove_overlay_attributes(open_file_of(folder, name, &stat)?),
        _ if is_whiteout(&stat) => rustix::fs::unlinkat(folder, name, AtFlags::empty()),
        _ => Ok(()),
    }
}
