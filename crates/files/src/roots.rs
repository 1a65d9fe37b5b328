//! The directories that tools work in.

use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use crate::platform::{open_beneath, open_directory};
use crate::root::Root;

/// The directories an agent may work in.
#[derive(Debug)]
pub enum Roots {
    /// The host did not restrict the directories.
    Unrestricted,
    /// Only these roots; an empty list allows nothing.
    Only(Vec<Root>),
}

/// Why a directory was not opened.
#[derive(Debug)]
pub enum DirectoryRefusal {
    /// The path leads out of the roots.
    OutsideRoot,
    /// Nothing has that name.
    NotFound,
    /// The file is no directory.
    NotADirectory,
    /// The system refused, for example for lack of permission.
    System(io::Error),
}

impl Roots {
    /// Opens a working directory. A relative path starts at `base`.
    pub fn open_directory(&self, path: &Path, base: &Path) -> Result<OwnedFd, DirectoryRefusal> {
        let absolute = base.join(path);
        match self {
            Roots::Unrestricted => open_directory(&absolute).map_err(DirectoryRefusal::from),
            Roots::Only(roots) => open_beneath(roots, &absolute),
        }
    }

    /// Whether this canonical path lies in a root that agents may change.
    pub fn is_writable(&self, canonical: &Path) -> bool {
        match self {
            Roots::Unrestricted => false,
            Roots::Only(roots) => {
                roots.iter().any(|root| root.is_writable() && canonical.starts_with(root.path()))
            }
        }
    }

    /// The paths of the writable roots, canonical and as the host wrote them; `None` without a restriction.
    pub fn writable_spellings(&self) -> Option<Vec<String>> {
        let Roots::Only(roots) = self else { return None };
        let writable = roots.iter().filter(|root| root.is_writable());
        let spellings = writable.flat_map(|root| [root.path(), root.given()]);
        Some(spellings.map(|path| path.to_string_lossy().into_owned()).collect())
    }

    /// The paths of all roots, canonical and as the host wrote them; none without a restriction.
    pub fn spellings(&self) -> Vec<String> {
        let Roots::Only(roots) = self else { return Vec::new() };
        let paths = roots.iter().flat_map(|root| [root.path(), root.given()]);
        let mut spellings: Vec<String> =
            paths.map(|path| path.to_string_lossy().into_owned()).collect();
        spellings.dedup();
        spellings
    }

    /// The path of the first root, where relative paths start by default.
    pub fn first(&self) -> Option<PathBuf> {
        match self {
            Roots::Unrestricted => None,
            Roots::Only(roots) => roots.first().map(|root| root.path().to_path_buf()),
        }
    }
}

impl From<io::Error> for DirectoryRefusal {
    fn from(error: io::Error) -> DirectoryRefusal {
        match error.kind() {
            io::ErrorKind::NotFound => DirectoryRefusal::NotFound,
            io::ErrorKind::NotADirectory => DirectoryRefusal::NotADirectory,
            _ => DirectoryRefusal::System(error),
        }
    }
}
