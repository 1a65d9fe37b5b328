//! Removing what a hostile program may have left.
//!
//! A tree can be deeper than a process has descriptors, stack, or room for a path, so the walk holds
//! one folder open and goes back up by `..`. That may have become another folder meanwhile, if
//! somebody moves folders about; so it is compared with the one that was left.

use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, RawDir};
use rustix::io::Errno;

/// How often a folder that was emptied may turn out to have something in it.
const MAX_RETURNS: u32 = 16;
const ENTRY_BYTES: usize = 32 * 1024;

/// Removes a file, or a folder with all that is in it, without following links. One that does not
/// exist is removed already. Whoever may replace a folder above it decides what is removed: what
/// commands can reach is removed as a [`crate::folder::Folder`].
///
/// # Errors
/// The first thing that could not be removed, after everything else was; also when folders are moved
/// about meanwhile.
pub fn remove_tree(path: &Path) -> io::Result<()> {
    let top = match open_folder(CWD, path) {
        Ok(top) => top,
        Err(Errno::NOENT) => return Ok(()),
        Err(Errno::NOTDIR | Errno::LOOP) => return Ok(rustix::fs::unlink(path)?),
        Err(error) => return Err(error.into()),
    };
    Walk::start(top)?.finish()?;
    Ok(rustix::fs::rmdir(path)?)
}

/// Removes all that is in a folder, without following links.
///
/// # Errors
/// As [`remove_tree`].
pub fn empty(folder: BorrowedFd<'_>) -> io::Result<()> {
    // So that it can be opened anew: a descriptor has but one place that it is read from.
    rustix::fs::fchmod(folder, Mode::RWXU)?;
    Walk::start(rustix::fs::openat(folder, c".", FOLDER, Mode::empty())?)?.finish()
}

struct Walk {
    current: OwnedFd,
    /// The folders from the top to the current one. Never empty.
    levels: Vec<Level>,
    returns: u32,
    /// What could not be removed first.
    failed: Option<Errno>,
}

struct Level {
    /// In the folder above; empty for the top.
    name: CString,
    identity: (u64, u64),
    /// Folders in it that are not empty.
    folders: Vec<CString>,
}

impl Walk {
    fn start(top: OwnedFd) -> io::Result<Walk> {
        let mut failed = None;
        let level = Level::clear(&top, CString::default(), &mut failed)?;
        Ok(Walk { current: top, levels: vec![level], returns: 0, failed })
    }

    fn finish(mut self) -> io::Result<()> {
        loop {
            let next = self.levels.last_mut().and_then(|level| level.folders.pop());
            match next {
                Some(name) => self.enter(name)?,
                None if self.levels.len() > 1 => self.leave()?,
                None => break,
            }
        }
        self.failed.map_or(Ok(()), |error| Err(error.into()))
    }

    fn enter(&mut self, name: CString) -> io::Result<()> {
        match open_folder(self.current.as_fd(), name.as_c_str()) {
            Ok(folder) => {
                self.levels.push(Level::clear(&folder, name, &mut self.failed)?);
                self.current = folder;
            }
            // Somebody replaced it.
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => {}
            Err(error) => {
                self.failed.get_or_insert(error);
            }
        }
        Ok(())
    }

    /// Goes up, and removes the folder that was just emptied.
    fn leave(&mut self) -> io::Result<()> {
        let above = rustix::fs::openat(&self.current, c"..", FOLDER, Mode::empty())?;
        let left = self.levels.pop();
        let (Some(left), Some(level)) = (left, self.levels.last_mut()) else { return Ok(()) };
        if identity(&above)? != level.identity {
            return Err(io::Error::other("a folder was moved while it was being removed"));
        }
        self.current = above;
        match rustix::fs::unlinkat(&self.current, &left.name, AtFlags::REMOVEDIR) {
            Ok(()) | Err(Errno::NOENT) => {}
            Err(Errno::NOTEMPTY) if self.returns < MAX_RETURNS => {
                self.returns += 1;
                level.folders.push(left.name);
            }
            Err(error) => {
                self.failed.get_or_insert(error);
            }
        }
        Ok(())
    }
}

impl Level {
    /// Removes all that is no folder, and the folders that are empty.
    fn clear(folder: &OwnedFd, name: CString, failed: &mut Option<Errno>) -> io::Result<Level> {
        let mut level = Level { name, identity: identity(folder)?, folders: Vec::new() };
        // So that its entries can be removed, and `..` be reached.
        if let Err(error) = rustix::fs::fchmod(folder, Mode::RWXU) {
            failed.get_or_insert(error);
        }
        let mut space = Vec::with_capacity(ENTRY_BYTES);
        let mut entries = RawDir::new(folder, space.spare_capacity_mut());
        while let Some(entry) = entries.next() {
            let entry = entry?;
            let name = entry.file_name();
            if matches!(name.to_bytes(), b"." | b"..") {
                continue;
            }
            match remove_entry(folder, name, entry.file_type()) {
                Ok(()) | Err(Errno::NOENT) => {}
                Err(Errno::NOTEMPTY | Errno::EXIST) => level.folders.push(name.to_owned()),
                Err(error) => {
                    failed.get_or_insert(error);
                }
            }
        }
        Ok(level)
    }
}

/// [`Errno::NOTEMPTY`] for a folder with something in it.
fn remove_entry(folder: &OwnedFd, name: &CStr, kind: FileType) -> Result<(), Errno> {
    if kind != FileType::Directory {
        match rustix::fs::unlinkat(folder, name, AtFlags::empty()) {
            // File systems need not tell the kind.
            Err(Errno::ISDIR) => {}
            result => return result,
        }
    }
    rustix::fs::unlinkat(folder, name, AtFlags::REMOVEDIR)
}

const FOLDER: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Opens a folder, even if its owner took the right to read it away.
fn open_folder(
    parent: BorrowedFd<'_>,
    name: impl rustix::path::Arg + Copy,
) -> Result<OwnedFd, Errno> {
    match rustix::fs::openat(parent, name, FOLDER, Mode::empty()) {
        Err(Errno::ACCESS) => {}
        result => return result,
    }
    let handle = rustix::fs::openat(parent, name, FOLDER | OFlags::PATH, Mode::empty())?;
    // A handle cannot be changed itself; its link in /proc names the same folder for certain.
    rustix::fs::chmod(format!("/proc/self/fd/{}", handle.as_raw_fd()), Mode::RWXU)?;
    rustix::fs::openat(&handle, c".", FOLDER, Mode::empty())
}

fn identity(folder: &OwnedFd) -> io::Result<(u64, u64)> {
    let status = rustix::fs::fstat(folder)?;
    Ok((status.st_dev, status.st_ino))
}
