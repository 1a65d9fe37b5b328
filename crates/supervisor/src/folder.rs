//! Folders of our own that commands of the same user can move, replace or remove.
//!
//! Names of such a folder say nothing: what a path led to when the folder was made, it may lead to
//! elsewhere now. So the folder and the one above it are held open, and everything is done beneath
//! those. Before anything is removed, the name must still be the folder's.

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

/// What a folder of ours is made with: nobody else may enter it.
pub const FOLDER_MODE: Mode = Mode::RWXU;
/// Room for the first few entries; one that is neither `.` nor `..` ends the look.
const ENTRY_BYTES: usize = 1024;
const FLAGS: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// A folder by what it is, with the name it was made under.
#[derive(Debug)]
pub struct Folder {
    above: Arc<OwnedFd>,
    name: CString,
    held: Arc<OwnedFd>,
}

/// What a folder's name names now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The folder.
    Its,
    /// Nothing.
    Empty,
    /// Something else.
    Taken,
}

impl Folder {
    /// Makes it, for this user only.
    ///
    /// # Errors
    /// When the name is taken, or somebody interfered meanwhile.
    pub fn make(above: &Arc<OwnedFd>, name: &OsStr) -> io::Result<Folder> {
        rustix::fs::mkdirat(above, name, FOLDER_MODE)?;
        let folder = Folder::open(above, name).inspect_err(|_| {
            // Only an empty one goes, and it could not be used.
            let _ = rustix::fs::unlinkat(above, name, AtFlags::REMOVEDIR);
        })?;
        // Another one may have been moved here before it was opened: what is in it is not ours.
        if folder.is_empty() { Ok(folder) } else { Err(io::ErrorKind::AlreadyExists.into()) }
    }

    /// Opens one that was just made.
    ///
    /// # Errors
    /// When there is no such folder; a link to one is none.
    pub fn open(above: &Arc<OwnedFd>, name: &OsStr) -> io::Result<Folder> {
        let held = Arc::new(rustix::fs::openat(above, name, FLAGS, Mode::empty())?);
        let name = CString::new(name.as_bytes())?;
        Ok(Folder { above: Arc::clone(above), name, held })
    }

    /// The same with its path.
    ///
    /// # Errors
    /// As [`Folder::open`]; also for a path without a name, such as `/`.
    pub fn open_path(path: &Path) -> io::Result<Folder> {
        let (above, name) =
            path.parent().zip(path.file_name()).ok_or(io::ErrorKind::InvalidInput)?;
        // The host chose what is above: it may be a link.
        let flags = FLAGS.difference(OFlags::NOFOLLOW);
        let above = Arc::new(rustix::fs::open(above, flags, Mode::empty())?);
        Folder::open(&above, name)
    }

    /// The folder itself, for those beneath it.
    pub fn held(&self) -> &Arc<OwnedFd> {
        &self.held
    }

    /// The folder above it.
    pub fn above(&self) -> &Arc<OwnedFd> {
        &self.above
    }

    /// What its name names now.
    pub fn place(&self) -> Place {
        match rustix::fs::statat(&self.above, &self.name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(named) if self.is(&named) => Place::Its,
            Err(Errno::NOENT) => Place::Empty,
            _ => Place::Taken,
        }
    }

    /// Whether this is the status of the folder.
    pub fn is(&self, status: &Stat) -> bool {
        rustix::fs::fstat(&self.held)
            .is_ok_and(|held| held.st_dev == status.st_dev && held.st_ino == status.st_ino)
    }

    /// Whether there is nothing in it. False also when that cannot be found out.
    pub fn is_empty(&self) -> bool {
        let mut space = [MaybeUninit::uninit(); ENTRY_BYTES];
        if rustix::fs::seek(&self.held, SeekFrom::Start(0)).is_err() {
            return false;
        }
        let mut entries = RawDir::new(&self.held, &mut space);
        while let Some(entry) = entries.next() {
            match entry {
                Ok(entry) if matches!(entry.file_name().to_bytes(), b"." | b"..") => {}
                _ => return false,
            }
        }
        true
    }

    /// Removes it with all that is in it. One that is gone is removed already, and one that was moved
    /// is left to whoever did that.
    ///
    /// # Errors
    /// When something else has its name: everything is left as it is. Otherwise the first thing that
    /// could not be removed.
    pub fn remove(&self) -> io::Result<()> {
        match self.place() {
            Place::Its => {
                removal::empty(self.held.as_fd())?;
                self.remove_empty()
            }
            Place::Empty => Ok(()),
            Place::Taken => Err(io::Error::other("a folder was replaced by something else")),
        }
    }

    /// Removes it if nothing is in it. Needs no further descriptor: there may be none left.
    ///
    /// # Errors
    /// The system's.
    pub fn remove_empty(&self) -> io::Result<()> {
        // Should another have come in its place just now, nothing is lost with that either.
        Ok(rustix::fs::unlinkat(&self.above, &self.name, AtFlags::REMOVEDIR)?)
    }

    /// What has to stay open for [`Folder::remove`].
    pub fn descriptors(&self) -> [BorrowedFd<'_>; 2] {
        [self.above.as_fd(), self.held.as_fd()]
    }
}
