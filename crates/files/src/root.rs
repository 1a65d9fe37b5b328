//! A directory that tools may work in, kept open.

use std::io;
use std::os::fd::OwnedFd;
use std::path::{Component, Path, PathBuf};

use crate::platform::{RootDirectory, open_in_layer, open_root};

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
    /// Absolute path by which commands find the directory as well.
    shown_as: Option<PathBuf>,
    is_named: bool,
    /// Whether the directory is that of a layer, which this machine has not at its path.
    is_in_layer: bool,
}

/// Longest path by which commands find a root as well, in bytes.
pub const MAX_SHOWN_PATH_BYTES: usize = 1024;

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
        Ok(Root {
            directory,
            path: canonical,
            given: path.to_path_buf(),
            writable,
            shown_as: None,
            is_named: true,
            is_in_layer: false,
        })
    }

    /// Gives the root a second path, which commands find in a view of the file system. Fails unless that is absolute and plain,
    /// and this machine has nothing at its first name.
    pub fn shown_at(self, path: &Path) -> io::Result<Root> {
        let refuse = |why| Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        let plain: PathBuf = path.components().collect();
        let mut names = path.components();
        let is_plain = names.next() == Some(Component::RootDir)
            && names.all(|name| matches!(name, Component::Normal(_)))
            && plain.as_os_str() == path.as_os_str();
        if !is_plain || path.as_os_str().len() > MAX_SHOWN_PATH_BYTES {
            return refuse(
                "a second path of a root is absolute, without `.` and `..`, and not long",
            );
        }
        let Some(first) = path.ancestors().filter(|above| above.parent().is_some()).last() else {
            return refuse("the root of the file system is no second path of a root");
        };
        match std::fs::symlink_metadata(first) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Ok(Root { shown_as: Some(plain), ..self })
            }
            Err(error) => Err(error),
            Ok(_) => refuse("this machine has something at the first name of the second path"),
        }
    }

    /// The same root, which refusals do not name: it is no place to work in.
    #[must_use]
    pub fn unnamed(self) -> Root {
        Root { is_named: false, ..self }
    }

    /// The same root where there is a layer, whose directories come with their canonical paths. Its names are resolved beneath one
    /// of them if it lies there.
    pub(crate) fn in_layer(&self, layered: &[(PathBuf, OwnedFd)]) -> io::Result<Root> {
        let below = layered
            .iter()
            .filter_map(|(path, held)| Some((held, self.path.strip_prefix(path).ok()?)));
        let innermost = below.min_by_key(|(_, rest)| rest.components().count());
        let directory = match innermost {
            Some((held, rest)) => open_in_layer(held, rest)?,
            None => open_root(&self.path)?.0,
        };
        Ok(Root {
            directory,
            path: self.path.clone(),
            given: self.given.clone(),
            writable: self.writable,
            shown_as: self.shown_as.clone(),
            is_named: self.is_named,
            is_in_layer: innermost.is_some(),
        })
    }

    /// Whether its files are those of a layer, which this machine has not at its path.
    pub(crate) fn is_in_layer(&self) -> bool {
        self.is_in_layer
    }

    /// Whether refusals name the root as a place to work in.
    pub(crate) fn is_named(&self) -> bool {
        self.is_named
    }

    /// Absolute path by which commands find the directory as well, where they have a view of the file system.
    pub fn shown_as(&self) -> Option<&Path> {
        self.shown_as.as_deref()
    }

    /// Refuses: nothing is opened here.
    #[cfg(not(target_os = "linux"))]
    pub fn identity(&self) -> io::Result<(u64, u64)> {
        Err(io::ErrorKind::Unsupported.into())
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
        let paths = [Some(&self.path), Some(&self.given), self.shown_as.as_ref()];
        paths.into_iter().flatten().find_map(|path| absolute.strip_prefix(path).ok())
    }
}
