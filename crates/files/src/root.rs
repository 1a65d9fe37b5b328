//! An allowed directory, held open.

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags, ResolveFlags};
use rustix::io::Errno;

const DIRECTORY: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// An allowed directory, held open.
#[derive(Debug)]
pub struct Root {
    directory: OwnedFd,
    /// Canonical when the root was opened; used to read absolute paths, never to open them.
    path: PathBuf,
    /// As the host wrote it, absolute.
    given: PathBuf,
    writable: bool,
}

impl Root {
    /// Opens an absolute path. Fails when it is no directory, and for the root of the file system.
    pub fn open(path: &Path, writable: bool) -> io::Result<Root> {
        let root = Root::open_any(path, writable)?;
        if root.path == Path::new("/") {
            let message = "the whole file system is a root only where that is asked for";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        Ok(root)
    }

    /// The same, for a host that means it when it names the root of the file system.
    pub fn open_any(path: &Path, writable: bool) -> io::Result<Root> {
        if !path.is_absolute() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "a root must be absolute"));
        }
        let directory = open_directory(path)?;
        let canonical = real_path(&directory)?;
        Ok(Root { directory, path: canonical, given: path.to_path_buf(), writable })
    }

    /// Where the root was when it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// As the host wrote it.
    pub(crate) fn given(&self) -> &Path {
        &self.given
    }

    /// Whether the host lets agents change what is below.
    pub fn is_writable(&self) -> bool {
        self.writable
    }

    /// Its device and inode.
    pub fn identity(&self) -> io::Result<(u64, u64)> {
        let status = rustix::fs::fstat(&self.directory)?;
        Ok((status.st_dev, status.st_ino))
    }

    pub(crate) fn directory(&self) -> BorrowedFd<'_> {
        self.directory.as_fd()
    }

    /// Opens a directory below this root, through links that do not leave it.
    pub(crate) fn open_beneath(&self, relative: &Path) -> Result<OwnedFd, Errno> {
        let relative = if relative.as_os_str().is_empty() { Path::new(".") } else { relative };
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
        rustix::fs::openat2(&self.directory, relative, DIRECTORY, Mode::empty(), resolve)
    }

    /// The relative path of an absolute one, if it is written as lying below this root.
    pub fn strip<'a>(&self, absolute: &'a Path) -> Option<&'a Path> {
        absolute.strip_prefix(&self.path).or_else(|_| absolute.strip_prefix(&self.given)).ok()
    }
}

/// Opens a directory by path, for callers that are not restricted to roots.
pub fn open_directory(path: &Path) -> io::Result<OwnedFd> {
    Ok(rustix::fs::open(path, DIRECTORY, Mode::empty())?)
}

fn real_path(directory: &OwnedFd) -> io::Result<PathBuf> {
    std::fs::read_link(format!("/proc/self/fd/{}", directory.as_raw_fd()))
}
