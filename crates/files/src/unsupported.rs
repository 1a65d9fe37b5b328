//! What stands in for the kernel's resolution beneath a descriptor on systems that have none: a root is
//! known there by its name, for judging commands, and nothing can be opened.

use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// An allowed directory, by name only.
#[derive(Debug)]
pub struct Root {
    /// Canonical when the root was named.
    path: PathBuf,
    /// As the host wrote it, absolute.
    given: PathBuf,
    writable: bool,
}

impl Root {
    /// Takes an absolute path. Fails when it is no directory, and for the root of the file system.
    pub fn open(path: &Path, writable: bool) -> io::Result<Root> {
        let root = Root::open_any(path, writable)?;
        if root.path == Path::new("/") {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        Ok(root)
    }

    /// The same, for a host that means it when it names the root of the file system.
    pub fn open_any(path: &Path, writable: bool) -> io::Result<Root> {
        if !path.is_absolute() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "a root must be absolute"));
        }
        let canonical = std::fs::canonicalize(path)?;
        if !canonical.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(Root { path: canonical, given: path.to_path_buf(), writable })
    }

    /// Where the root was when it was named.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// As the host wrote it.
    pub fn given(&self) -> &Path {
        &self.given
    }

    /// Whether the host lets agents change what is below.
    pub fn is_writable(&self) -> bool {
        self.writable
    }

    /// Refuses with `Unsupported`: this system does not keep a path below a directory.
    pub fn open_dir_beneath(&self, _relative: &Path) -> io::Result<OwnedFd> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// The relative path of an absolute one, if it is written as lying below this root.
    pub fn strip<'a>(&self, absolute: &'a Path) -> Option<&'a Path> {
        absolute.strip_prefix(&self.path).or_else(|_| absolute.strip_prefix(&self.given)).ok()
    }
}

/// Refuses with `Unsupported`.
pub fn open_directory(_path: &Path) -> io::Result<OwnedFd> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_is_an_absolute_directory() {
        let root = Root::open(Path::new("/usr/../usr/bin"), true).unwrap();
        assert_eq!(root.path(), std::fs::canonicalize("/usr/bin").unwrap());
        assert!(root.is_writable());
        assert_eq!(root.strip(&root.path().join("sub")), Some(Path::new("sub")));
        assert_eq!(root.strip(Path::new("/usr/../usr/bin/sub")), Some(Path::new("sub")));
        assert_eq!(root.strip(Path::new("/elsewhere")), None);
        for (path, kind) in [
            ("usr", io::ErrorKind::InvalidInput),
            ("/missing", io::ErrorKind::NotFound),
            ("/dev/null", io::ErrorKind::NotADirectory),
            ("/", io::ErrorKind::InvalidInput),
        ] {
            let error = Root::open(Path::new(path), false).unwrap_err();
            assert_eq!(error.kind(), kind, "{path}");
        }
    }

    #[test]
    fn nothing_is_opened() {
        let root = Root::open_any(Path::new("/"), false).unwrap();
        for refused in [root.open_dir_beneath(Path::new("usr")), open_directory(Path::new("/"))] {
            assert_eq!(refused.unwrap_err().kind(), io::ErrorKind::Unsupported);
        }
    }
}
