//! Takes back what a killed process left half done, and removes the temporary names that it left.

use std::ffi::OsStr;
use std::os::fd::BorrowedFd;

use rustix::fs::{AtFlags, RenameFlags, Stat};
use rustix::io::Errno;

use super::Journal;
use super::back::take_back;
use super::moves::{finish, open_inside};
use super::pending::Pending;
use super::record::{PathName, Place, Record};
use super::sheet::{Abandoned, Sheet, Stage};
use super::store::{self, Entry, Lock};
use crate::linux::judge::file_id;
use crate::linux::publish::rename_new;
use crate::linux::resolve::{Handle, Resolver};

impl Journal {
    /// Goes through the calls that are not over and whose process is gone, as far as their places lie below the roots.
    pub(crate) fn recover(&self, resolver: Resolver<'_>) -> Result<(), Errno> {
        let entries = store::entries(&self.folder)?;
        if entries.iter().all(|entry| !entry.is_open) {
            return Ok(());
        }
        let _lock = Lock::exclusive(&self.folder)?;
        for entry in store::entries(&self.folder)?.iter().filter(|entry| entry.is_open) {
            // What cannot be read or put back stays for the next start.
            let _ = self.recover_entry(entry, resolver);
        }
        Ok(())
    }

    fn recover_entry(&self, entry: &Entry, resolver: Resolver<'_>) -> Result<(), Errno> {
        let Some(Abandoned { sheet, said }) = Sheet::abandoned(&self.folder, &entry.name)? else {
            return Ok(());
        };
        // No place is changed before the whole record is written.
        let Some((stage, record)) = said else {
            return store::remove(&self.folder, &entry.id, &entry.name);
        };
        let mut record = Record { id: entry.id.clone(), entry: entry.name.clone(), ..record };
        if !record.moves.is_empty() {
            let inside = open_inside(&self.folder, &entry.id)?;
            record.read_staged(&inside);
            let mut pending = Pending::of(&self.folder, sheet, record, stage == Stage::Done)?;
            pending.inside = Some(inside);
            return recover_moves(pending, resolver);
        }
        let Some(places) = places_of(&record, resolver) else { return Ok(()) };
        if stage == Stage::Done {
            for (place, handle) in &places {
                if let Some(handle) = handle {
                    remove_temporary(place, handle.parent());
                }
            }
            remove_empty(&record.emptied, resolver);
            return Pending::of(&self.folder, sheet, record.clone(), true)?.close();
        }
        let mut is_whole = true;
        for (place, handle) in places.iter().rev() {
            is_whole &= handle.as_ref().is_some_and(|handle| {
                taken_back(place, handle.parent(), handle.name()).unwrap_or(false)
            });
        }
        let made: Vec<PathName> = record.folders.iter().rev().cloned().collect();
        remove_empty(&made, resolver);
        let pending = Pending::of(&self.folder, sheet, record.clone(), false)?;
        // Dropping the record removes it.
        if is_whole { Ok(()) } else { pending.interrupted() }
    }
}

/// Puts back what a call has moved, or ends what is done.
fn recover_moves(pending: Pending, resolver: Resolver<'_>) -> Result<(), Errno> {
    if pending.moves().iter().any(|place| resolver.root_of(&place.path.0).is_none()) {
        pending.leave();
        return Ok(());
    }
    if pending.is_done() {
        finish(&pending, resolver)?;
        return pending.close();
    }
    if take_back(&pending, resolver).is_whole { Ok(()) } else { pending.interrupted() }
}

/// Removes these folders, the innermost first; one that is not empty stays.
pub(crate) fn remove_empty(folders: &[PathName], resolver: Resolver<'_>) {
    for folder in folders {
        let Ok(handle) = resolver.walk(&folder.0, false) else { continue };
        if handle.canonical() == folder.0 && handle.missing().is_empty() {
            let _ = rustix::fs::unlinkat(handle.parent(), handle.name(), AtFlags::REMOVEDIR);
        }
    }
}

type FoundPlace<'r> = (&'r Place, Option<Handle>);

/// The places of a record below the roots, each in the folder that it was changed in, `None` where that is another by now.
/// Nothing when one of them lies outside.
fn places_of<'r>(record: &'r Record, resolver: Resolver<'_>) -> Option<Vec<FoundPlace<'r>>> {
    let find = |place: &'r Place| {
        resolver.root_of(&place.path.0)?;
        let handle = resolver.walk(&place.path.0, false).ok().filter(|handle| {
            let folder = rustix::fs::fstat(handle.parent()).map(|stat| file_id(&stat));
            handle.missing().is_empty()
                && handle.canonical() == place.path.0
                && folder.is_ok_and(|folder| folder == place.folder)
        });
        Some((place, handle))
    };
    record.places.iter().map(find).collect()
}

fn status(parent: BorrowedFd<'_>, name: &OsStr) -> Option<Stat> {
    rustix::fs::statat(parent, name, AtFlags::SYMLINK_NOFOLLOW).ok()
}

/// Removes the temporary name of a call that is done, unless another file has it.
fn remove_temporary(place: &Place, parent: BorrowedFd<'_>) {
    let name = place.temporary.0.as_os_str();
    let is_ours =
        |stat: Stat| [&place.old, &place.new].into_iter().flatten().any(|facts| facts.is(&stat));
    if status(parent, name).is_some_and(is_ours) {
        let _ = rustix::fs::unlinkat(parent, name, AtFlags::empty());
    }
}

/// Puts one place back. False when somebody else has written there since.
fn taken_back(place: &Place, parent: BorrowedFd<'_>, name: &OsStr) -> Result<bool, Errno> {
    let temporary = place.temporary.0.as_os_str();
    let (now, aside) = (status(parent, name), status(parent, temporary));
    let is_new =
        |stat: Option<&Stat>| stat.zip(place.new.as_ref()).is_some_and(|(stat, new)| new.is(stat));
    let is_old =
        |stat: Option<&Stat>| stat.zip(place.old.as_ref()).is_some_and(|(stat, old)| old.is(stat));
    let remove_temporary = || rustix::fs::unlinkat(parent, temporary, AtFlags::empty());
    if is_new(aside.as_ref()) {
        // The new file has not taken its place.
        remove_temporary()?;
        return Ok(true);
    }
    if is_old(aside.as_ref()) {
        if is_new(now.as_ref()) {
            let flags = RenameFlags::EXCHANGE;
            rustix::fs::renameat_with(parent, temporary, parent, name, flags)?;
            remove_temporary()?;
            return Ok(true);
        }
        if now.is_none() {
            rename_new(parent, temporary, name)?;
            // Where a new file had the name, somebody has removed it since.
            return Ok(place.new.is_none());
        }
        if place.is_kept {
            remove_temporary()?;
        }
        return Ok(false);
    }
    if place.old.is_none() && is_new(now.as_ref()) {
        rustix::fs::unlinkat(parent, name, AtFlags::empty())?;
        return Ok(true);
    }
    // A place that was never reached, or one that was changed without a temporary name.
    let unchanged = match &place.old {
        Some(_) => is_old(now.as_ref()),
        None => true,
    };
    Ok(unchanged)
}
