//! The directories that tools work in.

use std::borrow::Cow;
use std::fs::Metadata;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use crate::platform::{
    canonical_beneath, canonical_in_layer, open_beneath, open_directory, path_beneath,
};
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

    /// Opens a directory that may lie outside of the roots, as commands find it.
    pub fn open_anywhere(&self, absolute: &Path) -> Result<OwnedFd, DirectoryRefusal> {
        let canonical = self.canonicalize(absolute)?;
        Ok(open_directory(&self.openable(&canonical))?)
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

    /// The paths of the roots that a layer gets folders for, in the order of its numbers: those that agents may change and that
    /// lie in no other such root.
    pub fn of_layer(&self) -> Vec<&Path> {
        let Roots::Only(roots) = self else { return Vec::new() };
        let writable = || roots.iter().filter(|root| root.is_writable()).map(Root::path);
        let mut found: Vec<&Path> = Vec::new();
        for path in writable() {
            let is_inner = writable().any(|other| path != other && path.starts_with(other));
            if !is_inner && !found.contains(&path) {
                found.push(path);
            }
        }
        found
    }

    /// The same roots where there is a layer, whose directories come with their canonical paths.
    pub fn in_layer(&self, layered: &[(PathBuf, OwnedFd)]) -> io::Result<Roots> {
        let Roots::Only(roots) = self else { return Err(io::ErrorKind::InvalidInput.into()) };
        Ok(Roots::Only(roots.iter().map(|root| root.in_layer(layered)).collect::<Result<_, _>>()?))
    }

    /// Whether files beneath a root are those of a layer, which this machine has not at their paths.
    pub fn are_in_layer(&self) -> bool {
        matches!(self, Roots::Only(roots) if roots.iter().any(Root::is_in_layer))
    }

    /// The path by which this machine opens what commands find at a canonical path. It is the same path unless that lies in a
    /// layer.
    pub fn openable<'p>(&self, canonical: &'p Path) -> Cow<'p, Path> {
        let Roots::Only(roots) = self else { return Cow::Borrowed(canonical) };
        path_beneath(roots, canonical).map_or(Cow::Borrowed(canonical), Cow::Owned)
    }

    /// The canonical path of what commands find at an absolute path, in a root or elsewhere. A second path of a root is none.
    pub fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        match self {
            Roots::Only(roots) if self.are_in_layer() => canonical_in_layer(roots, path),
            _ => std::fs::canonicalize(path),
        }
    }

    /// The status of what commands find at an absolute path. A link is followed.
    pub fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        if !self.are_in_layer() {
            return std::fs::metadata(path);
        }
        std::fs::metadata(self.openable(&self.canonicalize(path)?))
    }

    /// The status of what commands find at an absolute path, of a link itself.
    pub fn symlink_metadata(&self, path: &Path) -> io::Result<Metadata> {
        let (Some(above), Some(name)) = (path.parent(), path.file_name()) else {
            return std::fs::symlink_metadata(path);
        };
        if !self.are_in_layer() {
            return std::fs::symlink_metadata(path);
        }
        std::fs::symlink_metadata(self.openable(&self.canonicalize(above)?.join(name)))
    }

    /// Whether commands find one of the roots by a second path as well.
    pub fn have_second_paths(&self) -> bool {
        matches!(self, Roots::Only(roots) if roots.iter().any(|root| root.shown_as().is_some()))
    }

    /// The canonical path of a file beneath a root. Links lead where commands find what they name.
    pub fn canonical(&self, path: &Path) -> Result<PathBuf, DirectoryRefusal> {
        match self {
            Roots::Unrestricted => Ok(std::fs::canonicalize(path)?),
            Roots::Only(roots) => canonical_beneath(roots, path),
        }
    }

    /// What commands find at an absolute path, by its path on this machine. It is the same path unless a root has a second path.
    pub fn real_path<'p>(&self, path: &'p Path) -> Cow<'p, Path> {
        if !self.have_second_paths() {
            return Cow::Borrowed(path);
        }
        if let Ok(canonical) = self.canonical(path) {
            return Cow::Owned(canonical);
        }
        // There is nothing, or it lies outside of the roots.
        self.own_path(path)
    }

    /// The path beneath a root's own path for one beneath its second path. No link is followed.
    pub fn own_path<'p>(&self, path: &'p Path) -> Cow<'p, Path> {
        let Roots::Only(roots) = self else { return Cow::Borrowed(path) };
        let below = |root: &Root| Some(root.path().join(path.strip_prefix(root.shown_as()?).ok()?));
        roots.iter().find_map(below).map_or(Cow::Borrowed(path), Cow::Owned)
    }

    /// The path by which commands know what has this path: beneath a root that has a second path, that one.
    pub fn shown_path<'p>(&self, path: &'p Path) -> Cow<'p, Path> {
        let Roots::Only(roots) = self else { return Cow::Borrowed(path) };
        let below = roots.iter().filter_map(|root| Some((root.strip(path)?, root.shown_as())));
        let innermost = below.min_by_key(|(rest, _)| rest.components().count());
        match innermost {
            Some((rest, Some(shown_as))) => Cow::Owned(shown_as.join(rest)),
            _ => Cow::Borrowed(path),
        }
    }

    /// The paths of the writable roots, canonical, as the host wrote them and as commands find them; `None` without a restriction.
    pub fn writable_spellings(&self) -> Option<Vec<String>> {
        let Roots::Only(roots) = self else { return None };
        let writable = roots.iter().filter(|root| root.is_writable());
        let spellings = writable.flat_map(spellings_of);
        Some(spellings.map(|path| path.to_string_lossy().into_owned()).collect())
    }

    /// The paths of all roots, canonical, as the host wrote them and as commands find them; none without a restriction.
    pub fn spellings(&self) -> Vec<String> {
        let Roots::Only(roots) = self else { return Vec::new() };
        let paths = roots.iter().flat_map(spellings_of);
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

fn spellings_of(root: &Root) -> impl Iterator<Item = &Path> {
    [Some(root.path()), Some(root.given()), root.shown_as()].into_iter().flatten()
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
