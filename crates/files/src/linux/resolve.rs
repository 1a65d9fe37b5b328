//! Resolves a path to an open directory below a root and a name in it that is no link.
//!
//! A path is walked one component at a time, each opened from the directory before it without following links. No path is
//! checked as a string and opened afterwards, so a folder that is exchanged for a link meanwhile leads nowhere else.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use crate::linux::{DIRECTORY_FLAGS, NO_FOLLOW_FLAGS};
use crate::root::Root;
use crate::roots::DirectoryRefusal;

/// Most symbolic links on the way of one path, as many as the kernel follows.
pub(crate) const MAX_LINKS: usize = 40;

/// Why a path leads to no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unresolved {
    /// The path leads out of the roots; whether a file is there is not told.
    Outside,
    NotFound,
    NotADirectory,
    TooManyLinks,
    System(Errno),
}

impl From<Errno> for Unresolved {
    fn from(errno: Errno) -> Unresolved {
        match errno {
            Errno::NOENT => Unresolved::NotFound,
            Errno::NOTDIR => Unresolved::NotADirectory,
            other => Unresolved::System(other),
        }
    }
}

/// A place below a root, whether a file is there or not. Only this module makes handles, and the tools open files only by
/// handles, so no tool can open a path.
#[derive(Debug)]
pub(crate) struct Handle {
    /// An existing directory below a root.
    parent: OwnedFd,
    /// Names of folders below `parent` that do not exist, the outermost first.
    missing: Vec<OsString>,
    /// Name of the place in `parent`, or in the last of the missing folders; `.` for `parent` itself.
    name: OsString,
    /// Canonical path of the place when it was resolved; used for judging and for messages, never to open.
    canonical: PathBuf,
    /// Status of the file that has the name; that of a link only where the last link was not to be followed.
    stat: Option<Stat>,
}

impl Handle {
    pub(crate) fn parent(&self) -> BorrowedFd<'_> {
        self.parent.as_fd()
    }

    pub(crate) fn missing(&self) -> &[OsString] {
        &self.missing
    }

    pub(crate) fn name(&self) -> &OsStr {
        &self.name
    }

    pub(crate) fn canonical(&self) -> &Path {
        &self.canonical
    }

    pub(crate) fn stat(&self) -> Option<&Stat> {
        self.stat.as_ref()
    }

    /// The kind of file that is there.
    pub(crate) fn kind(&self) -> Option<FileType> {
        self.stat.as_ref().map(|stat| FileType::from_raw_mode(stat.st_mode))
    }

    /// Opens the file without following a link, waiting for a pipe or making a terminal the controlling one.
    pub(crate) fn open(&self, flags: OFlags) -> Result<OwnedFd, Errno> {
        if !self.missing.is_empty() {
            return Err(Errno::NOENT);
        }
        rustix::fs::openat(&self.parent, &self.name, flags | NO_FOLLOW_FLAGS, Mode::empty())
    }
}

/// Resolves paths below these roots.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resolver<'a> {
    pub(crate) roots: &'a [Root],
}

impl<'a> Resolver<'a> {
    /// The root that a path is written as lying below, the innermost of several, and the path from there.
    pub(crate) fn root_of<'p>(&self, absolute: &'p Path) -> Option<(&'a Root, &'p Path)> {
        let below = self.roots.iter().filter_map(|root| Some((root, root.strip(absolute)?)));
        below.min_by_key(|(_, relative)| relative.components().count())
    }

    /// Resolves an absolute path, and follows a link at its end.
    pub(crate) fn resolve(&self, absolute: &Path) -> Result<Handle, Unresolved> {
        self.walk(absolute, true)
    }

    /// Resolves an absolute path. A link at its end is followed, or is itself the place.
    pub(crate) fn walk(&self, absolute: &Path, follows_last: bool) -> Result<Handle, Unresolved> {
        let (root, relative) = self.root_of(absolute).ok_or(Unresolved::Outside)?;
        let remaining = components(relative);
        let folders = Vec::new();
        PathWalk { resolver: self, root, folders, remaining, links: 0, follows_last }.run()
    }
}

/// Opens a directory that lies below one of the roots.
pub(crate) fn open_beneath(roots: &[Root], absolute: &Path) -> Result<OwnedFd, DirectoryRefusal> {
    let handle = Resolver { roots }.resolve(absolute)?;
    Ok(handle.open(DIRECTORY_FLAGS).map_err(io::Error::from)?)
}

/// The canonical path of a file that lies below one of the roots.
pub(crate) fn canonical_beneath(
    roots: &[Root],
    absolute: &Path,
) -> Result<PathBuf, DirectoryRefusal> {
    let handle = Resolver { roots }.resolve(absolute)?;
    let is_there = handle.stat().is_some();
    is_there.then(|| handle.canonical.clone()).ok_or(DirectoryRefusal::NotFound)
}

/// The canonical path of an absolute one, whose last names need not exist. `None` where it cannot be resolved.
pub(crate) fn real_place(path: &Path) -> Option<PathBuf> {
    let roots = [Root::open_any(Path::new("/"), false).ok()?];
    Some(Resolver { roots: &roots }.resolve(path).ok()?.canonical)
}

impl From<Unresolved> for DirectoryRefusal {
    fn from(why: Unresolved) -> DirectoryRefusal {
        match why {
            Unresolved::Outside => DirectoryRefusal::OutsideRoot,
            Unresolved::NotFound => DirectoryRefusal::NotFound,
            Unresolved::NotADirectory => DirectoryRefusal::NotADirectory,
            Unresolved::TooManyLinks => DirectoryRefusal::System(Errno::LOOP.into()),
            Unresolved::System(errno) => DirectoryRefusal::System(errno.into()),
        }
    }
}

/// The names of a path and its `..`, without `.` and the root.
fn components(path: &Path) -> VecDeque<OsString> {
    let name = |component| match component {
        Component::Normal(name) => Some(name.to_os_string()),
        Component::ParentDir => Some("..".into()),
        Component::CurDir | Component::RootDir | Component::Prefix(_) => None,
    };
    path.components().filter_map(name).collect()
}

/// The walk of one path from a root.
struct PathWalk<'r, 'a> {
    resolver: &'r Resolver<'a>,
    root: &'a Root,
    /// Folders from the root to the current one, so that `..` is answered without the kernel.
    folders: Vec<(OwnedFd, OsString)>,
    /// Components that are still to be walked.
    remaining: VecDeque<OsString>,
    /// Number of links that were followed.
    links: usize,
    /// Whether a link at the end is followed.
    follows_last: bool,
}

impl PathWalk<'_, '_> {
    fn run(mut self) -> Result<Handle, Unresolved> {
        while let Some(name) = self.remaining.pop_front() {
            if name == ".." {
                self.go_up()?;
                continue;
            }
            let is_last = self.remaining.is_empty();
            let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let opened = match rustix::fs::openat(self.current(), &name, flags, Mode::empty()) {
                Ok(opened) => opened,
                Err(Errno::NOENT) => return self.handle_of_missing(name),
                Err(error) => return Err(error.into()),
            };
            match FileType::from_raw_mode(rustix::fs::fstat(&opened)?.st_mode) {
                FileType::Symlink if self.follows_last || !is_last => self.follow(&opened)?,
                _ if is_last => return self.handle_of(name),
                FileType::Directory => self.folders.push((opened, name)),
                _ => return Err(Unresolved::NotADirectory),
            }
        }
        self.handle_of(".".into())
    }

    /// The directory that the walk has come to.
    fn current(&self) -> BorrowedFd<'_> {
        self.folders.last().map_or(self.root.directory().as_fd(), |(folder, _)| folder.as_fd())
    }

    fn current_path(&self) -> PathBuf {
        let mut path = self.root.path().to_path_buf();
        path.extend(self.folders.iter().map(|(_, name)| name));
        path
    }

    fn go_up(&mut self) -> Result<(), Unresolved> {
        // The parent of the root of the file system is that root itself.
        if self.folders.pop().is_some() || self.root.path() == Path::new("/") {
            return Ok(());
        }
        // The way out of a root may lead into another one, and what lies between is no link: the path of a root is canonical.
        // A second path begins nowhere on this machine.
        let mut outside = self.root.path().parent().unwrap_or(Path::new("/")).to_path_buf();
        while self.remaining.front().is_some_and(|name| name == "..") {
            self.remaining.pop_front();
            outside.pop();
        }
        if self.root.shown_as().is_some() {
            return Err(Unresolved::Outside);
        }
        outside.extend(self.remaining.drain(..));
        self.enter(&outside)
    }

    /// Goes on with an absolute path, from the root that it is written as lying below.
    fn enter(&mut self, absolute: &Path) -> Result<(), Unresolved> {
        let (root, relative) = self.resolver.root_of(absolute).ok_or(Unresolved::Outside)?;
        self.root = root;
        self.folders.clear();
        self.remaining = components(relative);
        Ok(())
    }

    /// Puts the components of a link's text before the remaining ones.
    fn follow(&mut self, link: &OwnedFd) -> Result<(), Unresolved> {
        self.links += 1;
        if self.links > MAX_LINKS {
            return Err(Unresolved::TooManyLinks);
        }
        let text = rustix::fs::readlinkat(link, c"", Vec::new())?;
        let target = PathBuf::from(OsString::from_vec(text.into_bytes()));
        let mut rest = std::mem::take(&mut self.remaining);
        if target.is_absolute() {
            self.enter(&target)?;
        } else {
            self.remaining = components(&target);
        }
        self.remaining.append(&mut rest);
        Ok(())
    }

    /// The place with this name in the current directory.
    fn handle_of(self, name: OsString) -> Result<Handle, Unresolved> {
        let parent = rustix::io::fcntl_dupfd_cloexec(self.current(), 0)?;
        let stat = match rustix::fs::statat(&parent, &name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Some(stat),
            Err(Errno::NOENT) => None,
            Err(error) => return Err(error.into()),
        };
        let mut canonical = self.current_path();
        if name != "." {
            canonical.push(&name);
        }
        Ok(Handle { parent, missing: Vec::new(), name, canonical, stat })
    }

    /// A place that does not exist, whose first missing name is this one in the current directory.
    fn handle_of_missing(mut self, first: OsString) -> Result<Handle, Unresolved> {
        if self.remaining.iter().any(|name| name == "..") {
            return Err(Unresolved::NotFound);
        }
        let mut missing = std::mem::take(&mut self.remaining);
        missing.push_front(first);
        let mut canonical = self.current_path();
        canonical.extend(&missing);
        let name = missing.pop_back().unwrap_or_default();
        let parent = rustix::io::fcntl_dupfd_cloexec(self.current(), 0)?;
        Ok(Handle { parent, missing: missing.into(), name, canonical, stat: None })
    }
}
