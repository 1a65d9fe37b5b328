//! Trees of files beneath an open folder: each folder is opened from the one above it, no link is followed, and nothing that
//! is mounted in a tree is entered.

mod access;
mod copy;
mod remove;

use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use rustix::fs::{AtFlags, FileType, Mode, OFlags, ResolveFlags, Stat};
use rustix::io::Errno;

use crate::linux::NO_FOLLOW_FLAGS;
use crate::linux::directory::sorted_entries;

pub(crate) use access::{
    Access, has_overlay_attributes, remove_overlay_attributes, set_attribute, set_modified,
};
pub(crate) use copy::Copier;
pub(crate) use remove::remove;

/// Most levels of folders below one another that are gone through.
pub(crate) const MAX_DEPTH: usize = 200;

/// Time of a change: seconds and nanoseconds.
pub(crate) type Time = (i64, i64);

/// Names of the entries of a folder, sorted.
pub(crate) fn names(folder: &impl AsFd) -> Result<Vec<OsString>, Errno> {
    let sorted = sorted_entries(folder, usize::MAX)?;
    Ok(sorted.into_iter().map(|(name, _)| name).collect())
}

/// Status of an entry; `None` where there is none.
pub(crate) fn status(folder: impl AsFd, name: &OsStr) -> Result<Option<Stat>, Errno> {
    match rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Ok(Some(stat)),
        Err(Errno::NOENT) => Ok(None),
        Err(error) => Err(error),
    }
}

pub(crate) fn kind(stat: &Stat) -> FileType {
    FileType::from_raw_mode(stat.st_mode)
}

pub(crate) fn is_folder(stat: &Stat) -> bool {
    kind(stat) == FileType::Directory
}

pub(crate) fn changed_at(stat: &Stat) -> Time {
    (stat.st_ctime, stat.st_ctime_nsec.cast_signed())
}

pub(crate) fn modified_at(stat: &Stat) -> Time {
    (stat.st_mtime, stat.st_mtime_nsec.cast_signed())
}

/// Whether the entry was not changed before this time. On file systems that count whole seconds, a time says no more than
/// its second.
pub(crate) fn is_changed_since(stat: &Stat, since: Time) -> bool {
    let (seconds, nanoseconds) = changed_at(stat);
    if nanoseconds == 0 { seconds >= since.0 } else { (seconds, nanoseconds) >= since }
}

/// Opens a folder below another one, to read it. Fails where a link or a mounted file system is on the way.
pub(crate) fn open_folder_at(folder: impl AsFd, below: &Path) -> Result<OwnedFd, Errno> {
    let below = if below.as_os_str().is_empty() { Path::new(".") } else { below };
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let resolve = ResolveFlags::BENEATH
        | ResolveFlags::NO_SYMLINKS
        | ResolveFlags::NO_MAGICLINKS
        | ResolveFlags::NO_XDEV;
    // The kernel asks for another try when something was renamed meanwhile.
    for _ in 0..MAX_OPENS {
        match rustix::fs::openat2(&folder, below, flags, Mode::empty(), resolve) {
            Err(Errno::AGAIN | Errno::INTR) => {}
            opened => return opened,
        }
    }
    Err(Errno::AGAIN)
}

/// Tries to open a folder while others are renamed.
const MAX_OPENS: usize = 1000;

/// Opens a file to read it. One that its owner may not read is made readable for that moment.
pub(crate) fn open_file_of(folder: impl AsFd, name: &OsStr, stat: &Stat) -> Result<OwnedFd, Errno> {
    let open = || {
        let flags = OFlags::RDONLY | NO_FOLLOW_FLAGS;
        rustix::fs::openat(&folder, name, flags, Mode::empty())
    };
    match open() {
        Err(Errno::ACCESS) => {
            let set = |mode: Mode| rustix::fs::chmodat(&folder, name, mode, AtFlags::empty());
            let mode = Mode::from_raw_mode(stat.st_mode & 0o7777);
            set(mode | Mode::RUSR)?;
            let opened = open();
            set(mode)?;
            opened
        }
        opened => opened,
    }
}

/// Visits an entry and everything below it, folders before what they hold. Gives the path below `path`.
pub(crate) fn visit(
    folder: &impl AsFd,
    name: &OsStr,
    path: &Path,
    depth: usize,
    each: &mut dyn FnMut(&Path, &Stat) -> Result<(), Errno>,
) -> Result<(), Errno> {
    let Some(stat) = status(folder, name)? else { return Err(Errno::NOENT) };
    each(path, &stat)?;
    if !is_folder(&stat) {
        return Ok(());
    }
    if depth == MAX_DEPTH {
        return Err(Errno::NAMETOOLONG);
    }
    let inner = open_folder_at(folder, Path::new(name))?;
    for name in names(&inner)? {
        visit(&inner, &name, &path.join(&name), depth + 1, each)?;
    }
    Ok(())
}
