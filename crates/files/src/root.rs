//! An allowed directory, held open.

use std::io;
use std::path::{Path, PathBuf};

use crate::platform::{Held, hold};

/// An allowed directory, held open where the system can resolve names beneath it.
#[derive(Debug)]
pub struct Root {
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "nothing is opened there"))]
    pub(crate) held: Held,
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
        let (held, canonical) = hold(path)?;
        Ok(Root { held, path: canonical, given: path.to_path_buf(), writable })
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

    /// The relative path of an absolute one, if it is written as lying below this root.
    pub fn strip<'a>(&self, absolute: &'a Path) -> Option<&'a Path> {
        absolute.strip_prefix(&self.path).or_else(|_| absolute.strip_prefix(&self.given)).ok()
    }
}
