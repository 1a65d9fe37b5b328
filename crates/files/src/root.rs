//! A directory that tools may work in, kept open.

use std::io;
use std::path::{Path, PathBuf};

use crate::platform::{RootDirectory, open_root};

/// A directory that tools may work in. It is kept open where the system can resolve names below a descriptor.
#[derive(Debug)]
pub struct Root {
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "nothing is opened there"))]
    pub(crate) directory: RootDirectory,
    /// Canonical path of the directory when it was opened; used to read absolute paths, never to open them.
    path: PathBuf,
    /// Absolute path of the directory as the host wrote it.
    given: PathBuf,
    writable: bool,
}

impl Root {
    /// Opens an absolute path. Fails when it is no directory, and for the root of the file system.
    pub fn open(path: &Path, writable: bool) -> io::Result<Root> {
        let root = Root::open_any(path, writable)?;
        if root.path == Path::new("/") {
            let message = "the whole file system is a root only where the host sets `allowFilesystemRoot`; name a folder in it";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        Ok(root)
    }

    /// Opens an absolute path that may be the root of the file system, for a host that asks for it.
    pub fn open_any(path: &Path, writable: bool) -> io::Result<Root> {
        if !path.is_absolute() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "a root must be absolute"));
        }
        let (directory, canonical) = open_root(path)?;
        Ok(Root { directory, path: canonical, given: path.to_path_buf(), writable })
    }

    /// Canonical path of the directory when it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Absolute path of the directory as the host wrote it.
    pub(crate) fn given(&self) -> &Path {
        &self.given
    }

    /// Whether the host lets agents change files below the root.
    pub fn is_writable(&self) -> bool {
        self.writable
    }

    /// The path from this root to an absolute path that is written as lying below it.
    pub fn strip<'a>(&self, absolute: &'a Path) -> Option<&'a Path> {
        absolute.strip_prefix(&self.path).or_else(|_| absolute.strip_prefix(&self.given)).ok()
    }
}
