//! Puts back what a call that is not done has moved. Only what is provably its own, the entries that it brought and that nobody has
//! written to since, is ever removed or taken from its place.

use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::path::PathBuf;

use rustix::fs::{Mode, Stat};
use rustix::io::Errno;

use super::moves::{Aside, Move, aside, has_changed_within, moved_name, open_parent};
use super::pending::Pending;
use super::renames::{exchange_entries, rename_entry, with_writable_folder};
use crate::linux::publish::random;
use crate::linux::resolve::Resolver;
use crate::linux::tree::{self, Time, changed_at, status};

/// What follows the name of a place in that of an entry that is kept beside it, before a number.
const KEPT_BESIDE: &str = ".kept-";
/// Longest name that file systems have.
const MAX_NAME_BYTES: usize = 255;

/// What became of a place that was to be put back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PutBack {
    /// It has what it had before.
    Done,
    /// Somebody else has written there since, and what they wrote stays.
    ChangedSince,
}

/// Whether an entry is the new one of a place, and nobody has written to it since it stood ready.
fn is_ours(
    place: &Move,
    folder: &OwnedFd,
    name: &OsStr,
    stat: &Stat,
    staged_at: Option<Time>,
) -> Result<bool, Errno> {
    let (Some(new), Some(since)) = (&place.new, staged_at) else { return Ok(false) };
    if !new.is(stat) || !new.is_unwritten(folder, name, stat) {
        return Ok(false);
    }
    Ok(!new.is_folder() || !has_changed_within(folder, name, since)?)
}

/// The entries of one place that a call is moving.
struct Moving<'m> {
    place: &'m Move,
    parent: &'m OwnedFd,
    aside: &'m Aside<'m>,
    staged_at: Option<Time>,
}

impl Moving<'_> {
    fn stands_ours(&self) -> Result<bool, Errno> {
        let Aside { folder, name } = self.aside;
        let Some(stat) = status(folder, name)? else { return Ok(false) };
        is_ours(self.place, folder, name, &stat, self.staged_at)
    }

    fn has_ours(&self, now: &Stat) -> Result<bool, Errno> {
        let is_as_placed = self.place.new_changed.is_none_or(|time| time == changed_at(now));
        Ok(is_as_placed
            && is_ours(self.place, self.parent, self.place.name(), now, self.staged_at)?)
    }

    /// Puts the entry back that the place had before the call. The new one stands aside then, or never had the place. What stands
    /// aside and is not the new entry came from the place, whatever was written to it since: it gets the place again.
    fn put_back(&self) -> Result<PutBack, Errno> {
        let Moving { place, parent, aside, .. } = self;
        let now = status(parent, place.name())?;
        let stands = status(aside.folder, &aside.name)?;
        if stands.is_some() && self.stands_ours()? {
            // Its place was never reached.
            return Ok(PutBack::Done);
        }
        match (&stands, &now) {
            (Some(_), None) => {
                rename_entry(aside.folder, &aside.name, parent, place.name())?;
                // Where a new entry had the place, somebody has removed it.
                Ok(if place.new.is_none() { PutBack::Done } else { PutBack::ChangedSince })
            }
            (Some(_), Some(now)) => {
                if !self.has_ours(now)? {
                    return Ok(PutBack::ChangedSince);
                }
                exchange_entries(aside.folder, &aside.name, parent, place.name())?;
                if self.stands_ours()? {
                    return Ok(PutBack::Done);
                }
                // Somebody wrote to it at this moment.
                exchange_entries(aside.folder, &aside.name, parent, place.name())?;
                Ok(PutBack::ChangedSince)
            }
            (None, Some(now)) if place.new.is_some() && self.has_ours(now)? => {
                if place.old.is_some() {
                    // Somebody has taken away what stood aside.
                    return Ok(PutBack::ChangedSince);
                }
                rename_entry(parent, place.name(), aside.folder, &aside.name)?;
                if self.stands_ours()? {
                    return Ok(PutBack::Done);
                }
                rename_entry(aside.folder, &aside.name, parent, place.name())?;
                Ok(PutBack::ChangedSince)
            }
            (None, now) => {
                // The place was not reached, or somebody else has it.
                let is_as_before = match (&place.old, now) {
                    (Some(old), Some(now)) => old.is_same_entry(now),
                    (None, None) => true,
                    _ => false,
                };
                Ok(if is_as_before { PutBack::Done } else { PutBack::ChangedSince })
            }
        }
    }

    /// Removes a new entry that stands beside its place, and gives anything else that stands aside a name beside the place, where
    /// nothing removes it. That name.
    fn settle(&self) -> Result<Option<PathBuf>, Errno> {
        let Moving { place, parent, aside, staged_at } = self;
        if status(aside.folder, &aside.name)?.is_none() {
            return Ok(None);
        }
        // Before all entries stand ready no place changes: it is a copy, or a part of one.
        if staged_at.is_some() && !self.stands_ours()? {
            return keep_beside(place, parent, aside).map(Some);
        }
        if place.beside.is_some() {
            let remove = &mut || tree::remove(aside.folder, &aside.name);
            with_writable_folder(aside.folder, remove)?;
        }
        Ok(None)
    }
}

/// Gives what stands aside a name beside its place that nobody else has.
pub(super) fn keep_beside(
    place: &Move,
    parent: &OwnedFd,
    aside: &Aside<'_>,
) -> Result<PathBuf, Errno> {
    let ending = format!("{KEPT_BESIDE}{:016x}", random());
    let mut name = place.name().to_owned();
    if name.len() + ending.len() > MAX_NAME_BYTES {
        name = OsString::from("entry");
    }
    name.push(ending);
    rename_entry(aside.folder, &aside.name, parent, &name)?;
    Ok(place.path.0.with_file_name(name))
}

/// What became of the places of a call that is not done.
pub(crate) struct TakenBack {
    /// Whether every place has what it had.
    pub(crate) is_whole: bool,
    /// What others had written to meanwhile and could not get its place again, by the names that it has now.
    pub(crate) kept: Vec<PathBuf>,
}

/// Puts back what a call that is not done has moved so far, and removes what stands ready in the roots. Only what is the call's
/// own, and unchanged, is removed or stands aside afterwards.
pub(crate) fn take_back(pending: &Pending, resolver: Resolver<'_>) -> TakenBack {
    let (moves, staged_at) = (pending.moves(), pending.record.staged_at);
    let mut back = TakenBack { is_whole: true, kept: Vec::new() };
    let entries = moves.iter().enumerate().filter(|(_, place)| place.access.is_none());
    for (number, place) in entries.rev() {
        let Ok(parent) = open_parent(place, resolver) else {
            // Before all entries stand ready no place changes.
            back.is_whole &= staged_at.is_none();
            continue;
        };
        let aside = &aside(place, number, pending.inside(), &parent);
        let moving = Moving { place, parent: &parent, aside, staged_at };
        if staged_at.is_some() {
            back.is_whole &= moving.put_back() == Ok(PutBack::Done);
        }
        match moving.settle() {
            Ok(None) => {}
            Ok(Some(path)) => back.kept.push(path),
            // It stays in the record where it is not the call's own.
            Err(_) => back.is_whole &= staged_at.is_none(),
        }
    }
    back.is_whole &= back.kept.is_empty();
    put_access_back(moves, resolver);
    back
}

/// Whether what stands in the folder of the record for a place is its new entry, and unchanged.
pub(crate) fn stands_unchanged(pending: &Pending, number: usize) -> bool {
    let (name, place) = (moved_name(number), &pending.moves()[number]);
    let (name, staged_at) = (OsStr::new(&name), pending.record.staged_at);
    if staged_at.is_none() {
        return true;
    }
    let Ok(Some(stat)) = status(pending.inside(), name) else { return false };
    is_ours(place, pending.inside(), name, &stat, staged_at).unwrap_or(false)
}

/// Gives the folders that stay what they had, as far as they are there.
fn put_access_back(moves: &[Move], resolver: Resolver<'_>) {
    for place in moves {
        let Some(access) = &place.access else { continue };
        let Ok(folder) = open_parent(place, resolver) else { continue };
        let (before, after) = (access.0.mode, access.1.mode);
        let writable = Mode::RWXU.bits();
        let ours = [before, after, before | writable, after | writable];
        let is_ours = |stat: Stat| ours.contains(&(stat.st_mode & 0o7777));
        if rustix::fs::fstat(&folder).is_ok_and(is_ours) {
            let _ = access.0.apply(folder);
        }
    }
}
