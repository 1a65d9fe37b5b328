//! Handrail's own folders, which commands of the same user can move, replace or remove.
//!
//! The path of such a folder proves nothing: it may lead to another folder by now. The folder and its parent are therefore held
//! open, and everything is done relative to these descriptors. Before a folder is removed, its name must still lead to it.

use std::ffi::{CString, OsStr};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use rustix::fs::{AtFlags, Mode, OFlags, RawDir, SeekFrom, Stat};
use rustix::io::Errno;

use crate::removal;

/// The mode that a folder is made with: nobody else may enter it.
pub const FOLDER_MODE: Mode = Mode::RWXU;
/// The size of a buffer for the first few entries. The first entry other than `.` and `..` shows that a folder is not empty.
const ENTRY_BUFFER_BYTES: usize = 1024;
const OPEN_FLAGS: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// A folder that is held open, and the name that it was made with.
#[derive(Debug)]
pub struct Folder {
    above: Arc<OwnedFd>,
    name: CString,
    held: Arc<OwnedFd>,
}

/// What the name of a folder leads to now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameState {
    /// The folder itself.
    Same,
    /// Nothing: the name is free.
    Missing,
    /// Something else than the folder.
    Replaced,
}

impl Folder {
    /// Makes a folder that only this user may enter.
    ///
    /// # Errors
    /// When the name exists, or when another process interfered.
    pub fn make(above: &Arc<OwnedFd>, name: &OsStr) -> io::Result<Folder> {
        rustix::fs::mkdirat(above, name, FOLDER_MODE)?;
        let folder = Folder::open(above, name).inspect_err(|_| {
            // This removes only an empty folder, and the folder cannot be used.
            let _ = rustix::fs::unlinkat(above, name, AtFlags::REMOVEDIR);
        })?;
        // Another folder may have been moved here before this one was opened. Its contents are not ours.
        if folder.is_empty() { Ok(folder) } else { Err(io::ErrorKind::AlreadyExists.into()) }
    }

    /// Opens the folder of this name.
    ///
    /// # Errors
    /// When there is no such folder. A link to a folder is not followed.
    pub fn open(above: &Arc<OwnedFd>, name: &OsStr) -> io::Result<Folder> {
        let held = Arc::new(rustix::fs::openat(above, name, OPEN_FLAGS, Mode::empty())?);
        let name = CString::new(name.as_bytes())?;
        Ok(Folder { above: Arc::clone(above), name, held })
    }

    /// Opens the folder at this path.
    ///
    /// # Errors
    /// As for [`Folder::open`], and for a path without a name, such as `/`.
    pub fn open_path(path: &Path) -> io::Result<Folder> {
        let (above, name) =
            path.parent().zip(path.file_name()).ok_or(io::ErrorKind::InvalidInput)?;
        // The host chose the path of the parent, which may be a link.
        let flags = OPEN_FLAGS.difference(OFlags::NOFOLLOW) | OFlags::PATH;
        let above = Arc::new(rustix::fs::open(above, flags, Mode::empty())?);
        Folder::open(&above, name)
    }

    /// The descriptor of the folder.
    pub fn held(&self) -> &Arc<OwnedFd> {
        &self.held
    }

    /// The descriptor of its parent.
    pub fn above(&self) -> &Arc<OwnedFd> {
        &self.above
    }

    /// What the name of the folder leads to now.
    pub fn name_state(&self) -> NameState {
        match rustix::fs::statat(&self.above, &self.name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(named) if self.is(&named) => NameState::Same,
            Err(Errno::NOENT) => NameState::Missing,
            _ => NameState::Replaced,
        }
    }

    /// Whether this status is the folder's.
    pub fn is(&self, status: &Stat) -> bool {
        rustix::fs::fstat(&self.held)
            .is_ok_and(|held| held.st_dev == status.st_dev && held.st_ino == status.st_ino)
    }

    /// Whether the folder is empty. False also if that cannot be read.
    pub fn is_empty(&self) -> bool {
        self.holds_only(None)
    }

    /// Whether the folder holds nothing, or nothing but the entry of this name. False also if that cannot be read.
    pub fn holds_only(&self, name: Option<&OsStr>) -> bool {
        let mut entry_buffer = [MaybeUninit::uninit(); ENTRY_BUFFER_BYTES];
        if rustix::fs::seek(&self.held, SeekFrom::Start(0)).is_err() {
            return false;
        }
        let mut entries = RawDir::new(&self.held, &mut entry_buffer);
        while let Some(entry) = entries.next() {
            match entry {
                Ok(entry) if matches!(entry.file_name().to_bytes(), b"." | b"..") => {}
                Ok(entry) if name.is_some_and(|n| n.as_bytes() == entry.file_name().to_bytes()) => {
                }
                _ => return false,
            }
        }
        true
    }

    /// Removes the folder and everything in it. A folder that is gone counts as removed, and a folder that was moved stays
    /// where it is.
    ///
    /// # Errors
    /// When something else has its name, in which case nothing is removed, or when a part of it could not be removed.
    pub fn remove(&self) -> io::Result<()> {
        match self.name_state() {
            NameState::Same => {
                removal::empty(self.held.as_fd())?;
                self.remove_empty()
            }
            NameState::Missing => Ok(()),
            NameState::Replaced => Err(io::Error::other("a folder was replaced by something else")),
        }
    }

    /// Removes the folder if it is empty. This opens no descriptor, because the process may have none left.
    ///
    /// # Errors
    /// When the system refuses it.
    pub fn remove_empty(&self) -> io::Result<()> {
        // Even if another folder has taken its place by now, only an empty one is lost.
        Ok(rustix::fs::unlinkat(&self.above, &self.name, AtFlags::REMOVEDIR)?)
    }

    /// The descriptors that have to stay open for [`Folder::remove`].
    pub fn descriptors(&self) -> [BorrowedFd<'_>; 2] {
        [self.above.as_fd(), self.held.as_fd()]
    }
}
