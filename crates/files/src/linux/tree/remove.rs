//! Removes a tree of files, however deep it is and whatever modes its folders have.

use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use rustix::fs::{AtFlags, Mode};
use rustix::io::Errno;

use super::{MAX_DEPTH, is_folder, names, open_folder_at, status};
use crate::linux::publish::random;

/// Removes an entry and everything below it. One that is not there is removed.
pub(crate) fn remove(folder: &impl AsFd, name: &OsStr) -> Result<(), Errno> {
    let mut left: Vec<OsString> = vec![name.to_owned()];
    while let Some(name) = left.pop() {
        remove_levels(folder, &name, 0, &mut |inner: &OwnedFd, deep: &OsStr| {
            // What lies deeper goes to the top, and from there in another round.
            let moved = OsString::from(format!("deep-{:016x}", random()));
            rustix::fs::renameat(inner, deep, folder, &moved)?;
            left.push(moved);
            Ok(())
        })?;
    }
    Ok(())
}

fn remove_levels(
    folder: &impl AsFd,
    name: &OsStr,
    depth: usize,
    deeper: &mut dyn FnMut(&OwnedFd, &OsStr) -> Result<(), Errno>,
) -> Result<(), Errno> {
    let Some(stat) = status(folder, name)? else { return Ok(()) };
    if !is_folder(&stat) {
        return gone(rustix::fs::unlinkat(folder, name, AtFlags::empty()));
    }
    let is_own = stat.st_mode & Mode::RWXU.bits() == Mode::RWXU.bits();
    if !is_own {
        let mode = Mode::from_raw_mode(stat.st_mode & 0o7777) | Mode::RWXU;
        // Who may not change the mode may still be able to remove it.
        let _ = rustix::fs::chmodat(folder, name, mode, AtFlags::empty());
    }
    let inner = open_folder_at(folder, Path::new(name))?;
    for entry in names(&inner)? {
        let is_inner = status(&inner, &entry)?.is_some_and(|stat| is_folder(&stat));
        if depth == MAX_DEPTH && is_inner {
            deeper(&inner, &entry)?;
        } else {
            remove_levels(&inner, &entry, depth + 1, deeper)?;
        }
    }
    gone(rustix::fs::unlinkat(folder, name, AtFlags::REMOVEDIR))
}

fn gone(removed: Result<(), Errno>) -> Result<(), Errno> {
    if removed == Err(Errno::NOENT) { Ok(()) } else { removed }
}
