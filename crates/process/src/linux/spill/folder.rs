//! The folder of the spill files. It must be this user's own and private, and no link may lead to it.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Mode, OFlags, Stat};
use rustix::io::Errno;
use rustix::path::Arg;

/// The mode of the folder: only this user may enter it.
const FOLDER_MODE: Mode = Mode::RWXU;

/// Opens the folder, and makes it again if somebody removed it.
pub(super) fn open(path: &Path) -> io::Result<OwnedFd> {
    let (above, name) = path.parent().zip(path.file_name()).ok_or(io::ErrorKind::InvalidInput)?;
    let above = open_private(CWD, above)?;
    match rustix::fs::mkdirat(&above, name, FOLDER_MODE) {
        Ok(()) | Err(Errno::EXIST) => open_private(above.as_fd(), Path::new(name)),
        Err(error) => Err(error.into()),
    }
}

/// Opens the folder if it exists.
pub(super) fn open_existing(path: &Path) -> io::Result<OwnedFd> {
    let (above, name) = path.parent().zip(path.file_name()).ok_or(io::ErrorKind::InvalidInput)?;
    open_private(open_private(CWD, above)?.as_fd(), Path::new(name))
}

/// Identifies a file, whatever its name is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Identity {
    device: u64,
    inode: u64,
}

impl Identity {
    pub(super) fn of(status: &Stat) -> Identity {
        Identity { device: status.st_dev, inode: status.st_ino }
    }
}

/// Removes the file, unless its name leads to another one by now.
pub(super) fn remove(folder: &OwnedFd, name: impl Arg + Copy, file: Identity) {
    let named = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW);
    if named.is_ok_and(|named| Identity::of(&named) == file) {
        // A file that cannot be removed now is removed with the folder.
        let _ = rustix::fs::unlinkat(folder, name, AtFlags::empty());
    }
}

fn open_private(above: BorrowedFd<'_>, path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = rustix::fs::openat(above, path, flags, Mode::empty())?;
    let status = rustix::fs::fstat(&folder)?;
    let own = status.st_uid == rustix::process::geteuid().as_raw();
    let shared = Mode::from_raw_mode(status.st_mode).intersects(Mode::RWXG | Mode::RWXO);
    if own && !shared { Ok(folder) } else { Err(io::ErrorKind::PermissionDenied.into()) }
}
