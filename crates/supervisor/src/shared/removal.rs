//! Removing a tree that a hostile program may have left.
//!
//! A tree can be deeper than a process's descriptors, its stack or the longest path allow. The walk therefore holds only one
//! folder open and goes back up by `..`. If somebody moves folders meanwhile, `..` may be another folder, so it is compared
//! with the one that the walk came from.

use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, RawDir};
use rustix::io::Errno;

/// How often the walk returns to folders that have new entries after they were emptied.
const MAX_RETURNS: u32 = 16;
const ENTRY_BUFFER_BYTES: usize = 32 * 1024;

/// Removes a file, or a folder and everything in it, without following links. A path that does not exist counts as removed.
/// Whoever can replace a parent of the path decides what is removed, so a tree that commands can reach is removed as a
/// [`crate::folder::Folder`] instead.
///
/// # Errors
/// When something could not be removed: everything else is removed first, and the first error is returned. Also when
/// somebody moves folders meanwhile.
pub fn remove_tree(path: &Path) -> io::Result<()> {
    let top = match open_folder(CWD, path) {
        Ok(top) => top,
        Err(Errno::NOENT) => return Ok(()),
        Err(Errno::NOTDIR | Errno::LOOP) => return Ok(rustix::fs::unlink(path)?),
        Err(error) => return Err(error.into()),
    };
    TreeRemoval::start(top)?.finish()?;
    Ok(rustix::fs::rmdir(path)?)
}

/// Removes everything in a folder, without following links.
///
/// # Errors
/// As for [`remove_tree`].
pub fn empty(folder: BorrowedFd<'_>) -> io::Result<()> {
    // The folder is opened again, because a descriptor has only one reading position. That may need other permissions.
    rustix::fs::fchmod(folder, Mode::RWXU)?;
    TreeRemoval::start(rustix::fs::openat(folder, c".", FOLDER_FLAGS, Mode::empty())?)?.finish()
}

struct TreeRemoval {
    current: OwnedFd,
    /// The folders from the top to the current one, which is the last. Never empty.
    levels: Vec<OpenFolder>,
    return_count: u32,
    /// The first error of something that could not be removed.
    first_error: Option<Errno>,
}

struct OpenFolder {
    /// The folder's name in its parent; empty for the top.
    name: CString,
    identity: (u64, u64),
    /// The folders in it that are not empty.
    folders: Vec<CString>,
}

impl TreeRemoval {
    fn start(top: OwnedFd) -> io::Result<TreeRemoval> {
        let mut first_error = None;
        let level = OpenFolder::clear(&top, CString::default(), &mut first_error)?;
        Ok(TreeRemoval { current: top, levels: vec![level], return_count: 0, first_error })
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
        self.first_error.map_or(Ok(()), |error| Err(error.into()))
    }

    fn enter(&mut self, name: CString) -> io::Result<()> {
        match open_folder(self.current.as_fd(), name.as_c_str()) {
            Ok(folder) => {
                self.levels.push(OpenFolder::clear(&folder, name, &mut self.first_error)?);
                self.current = folder;
            }
            // Somebody replaced or removed the folder.
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => {}
            Err(error) => {
                self.first_error.get_or_insert(error);
            }
        }
        Ok(())
    }

    /// Goes up to the parent, and removes the folder that was just emptied.
    fn leave(&mut self) -> io::Result<()> {
        let above = rustix::fs::openat(&self.current, c"..", FOLDER_FLAGS, Mode::empty())?;
        let left = self.levels.pop();
        let (Some(left), Some(level)) = (left, self.levels.last_mut()) else { return Ok(()) };
        if identity(&above)? != level.identity {
            return Err(io::Error::other("a folder was moved while it was being removed"));
        }
        self.current = above;
        match rustix::fs::unlinkat(&self.current, &left.name, AtFlags::REMOVEDIR) {
            Ok(()) | Err(Errno::NOENT) => {}
            Err(Errno::NOTEMPTY) if self.return_count < MAX_RETURNS => {
                self.return_count += 1;
                level.folders.push(left.name);
            }
            Err(error) => {
                self.first_error.get_or_insert(error);
            }
        }
        Ok(())
    }
}

impl OpenFolder {
    /// Removes everything in a folder except folders that are not empty, which it lists.
    fn clear(
        folder: &OwnedFd,
        name: CString,
        first_error: &mut Option<Errno>,
    ) -> io::Result<OpenFolder> {
        let mut level = OpenFolder { name, identity: identity(folder)?, folders: Vec::new() };
        // Removing its entries and opening `..` needs these permissions.
        if let Err(error) = rustix::fs::fchmod(folder, Mode::RWXU) {
            first_error.get_or_insert(error);
        }
        let mut entry_buffer = Vec::with_capacity(ENTRY_BUFFER_BYTES);
        let mut entries = RawDir::new(folder, entry_buffer.spare_capacity_mut());
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
                    first_error.get_or_insert(error);
                }
            }
        }
        Ok(level)
    }
}

/// Removes a file or an empty folder. Fails with [`Errno::NOTEMPTY`] for a folder that is not empty.
fn remove_entry(folder: &OwnedFd, name: &CStr, kind: FileType) -> Result<(), Errno> {
    if kind != FileType::Directory {
        match rustix::fs::unlinkat(folder, name, AtFlags::empty()) {
            // A file system need not report the type of an entry.
            Err(Errno::ISDIR) => {}
            result => return result,
        }
    }
    rustix::fs::unlinkat(folder, name, AtFlags::REMOVEDIR)
}

const FOLDER_FLAGS: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Opens a folder, even if its permissions forbid reading it.
fn open_folder(
    parent: BorrowedFd<'_>,
    name: impl rustix::path::Arg + Copy,
) -> Result<OwnedFd, Errno> {
    match rustix::fs::openat(parent, name, FOLDER_FLAGS, Mode::empty()) {
        Err(Errno::ACCESS) => {}
        result => return result,
    }
    let handle = rustix::fs::openat(parent, name, FOLDER_FLAGS | OFlags::PATH, Mode::empty())?;
    // The mode of such a handle cannot be changed directly. Its link in /proc leads to the same folder for certain.
    rustix::fs::chmod(format!("/proc/self/fd/{}", handle.as_raw_fd()), Mode::RWXU)?;
    rustix::fs::openat(&handle, c".", FOLDER_FLAGS, Mode::empty())
}

/// The device and inode of an open folder.
fn identity(folder: &OwnedFd) -> io::Result<(u64, u64)> {
    let status = rustix::fs::fstat(folder)?;
    Ok((status.st_dev, status.st_ino))
}
