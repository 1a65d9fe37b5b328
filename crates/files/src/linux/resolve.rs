//! From a path to a place that is held: a directory that lies beneath a root, and a name in it that is no link.
//!
//! A path is walked one component at a time, each opened from the one before without following. The walk's first step goes
//! over all folders at once where the kernel finds no link among them (`openat2` from the root's descriptor). No path is
//! checked as a string and opened afterwards, so exchanging a folder for a link leads nowhere else.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, ResolveFlags, Stat};
use rustix::io::Errno;

use crate::config::Resolution;
use crate::linux::DIRECTORY;
use crate::root::Root;
use crate::roots::DirectoryRefusal;

/// As many links as the kernel follows.
pub(crate) const MAX_LINKS: usize = 40;

/// Why a path leads nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unresolved {
    /// Out of the roots; whether anything is there is nobody's business.
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

/// A place beneath a root. Only this module makes one, and the tools take nothing else, so no tool can open a path.
#[derive(Debug)]
pub(crate) struct Handle {
    /// Lies beneath a root.
    parent: OwnedFd,
    /// Folders below the parent that do not exist.
    missing: Vec<OsString>,
    /// In the parent or in the last of the missing folders; `.` is the parent itself.
    name: OsString,
    /// Where that was when it was resolved; for judging and for messages, never to open.
    canonical: PathBuf,
    /// What has the name; a link only where the last one was not to be followed.
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

    /// What kind of thing is there.
    pub(crate) fn kind(&self) -> Option<FileType> {
        self.stat.as_ref().map(|stat| FileType::from_raw_mode(stat.st_mode))
    }

    /// Opens what is there without following, waiting or taking a terminal.
    pub(crate) fn open(&self, flags: OFlags) -> Result<OwnedFd, Errno> {
        if !self.missing.is_empty() {
            return Err(Errno::NOENT);
        }
        let safe = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        rustix::fs::openat(&self.parent, &self.name, flags | safe, Mode::empty())
    }
}

/// Resolves paths beneath roots.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resolver<'a> {
    pub(crate) roots: &'a [Root],
    pub(crate) resolution: Resolution,
}

impl<'a> Resolver<'a> {
    /// The root that a path is written as lying beneath, the longest of several, and the rest of the path.
    pub(crate) fn anchor<'p>(&self, absolute: &'p Path) -> Option<(&'a Root, &'p Path)> {
        let depth = |rest: &Path| rest.components().count();
        let found = self.roots.iter().filter_map(|root| Some((root, root.strip(absolute)?)));
        found.min_by_key(|(_, rest)| depth(rest))
    }

    /// Resolves an absolute path, through a link at its end as well.
    pub(crate) fn resolve(&self, absolute: &Path) -> Result<Handle, Unresolved> {
        self.walk(absolute, true)
    }

    /// Resolves an absolute path. A link at its end is followed, or is the place itself.
    pub(crate) fn walk(&self, absolute: &Path, follows_last: bool) -> Result<Handle, Unresolved> {
        let (root, rest) = self.anchor(absolute).ok_or(Unresolved::Outside)?;
        let rest = parts(rest);
        Walk { resolver: self, root, stack: Vec::new(), rest, links: 0, follows_last }.run()
    }
}

/// Opens a directory that lies beneath one of the roots.
pub(crate) fn open_beneath(roots: &[Root], absolute: &Path) -> Result<OwnedFd, DirectoryRefusal> {
    let handle = Resolver { roots, resolution: Resolution::Kernel }.resolve(absolute)?;
    Ok(handle.open(DIRECTORY).map_err(io::Error::from)?)
}

/// Where an absolute path leads, with what does not exist yet. `None` where that cannot be found out.
pub(crate) fn real_place(path: &Path) -> Option<PathBuf> {
    let roots = [Root::open_any(Path::new("/"), false).ok()?];
    let handle = Resolver { roots: &roots, resolution: Resolution::Kernel }.resolve(path).ok()?;
    Some(handle.canonical)
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

/// The components that mean something, with `..`.
fn parts(path: &Path) -> VecDeque<OsString> {
    let part = |component| match component {
        Component::Normal(name) => Some(name.to_os_string()),
        Component::ParentDir => Some("..".into()),
        Component::CurDir | Component::RootDir | Component::Prefix(_) => None,
    };
    path.components().filter_map(part).collect()
}

/// The place with this name in a directory.
fn handle(parent: OwnedFd, mut canonical: PathBuf, name: OsString) -> Result<Handle, Unresolved> {
    let stat = match rustix::fs::statat(&parent, &name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Some(stat),
        Err(Errno::NOENT) => None,
        Err(error) => return Err(error.into()),
    };
    if name != "." {
        canonical.push(&name);
    }
    Ok(Handle { parent, missing: Vec::new(), name, canonical, stat })
}

/// The way from a root to where it has come.
struct Walk<'r, 'a> {
    resolver: &'r Resolver<'a>,
    root: &'a Root,
    /// Folders below the root, so that `..` never asks the kernel.
    stack: Vec<(OwnedFd, OsString)>,
    rest: VecDeque<OsString>,
    links: usize,
    /// Whether a link at the end is followed.
    follows_last: bool,
}

impl Walk<'_, '_> {
    fn run(mut self) -> Result<Handle, Unresolved> {
        if self.resolver.resolution == Resolution::Kernel
            && let Some(found) = self.leap()
        {
            return Ok(found);
        }
        while let Some(part) = self.rest.pop_front() {
            if part == ".." {
                self.up()?;
                continue;
            }
            let is_last = self.rest.is_empty();
            let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let opened = match rustix::fs::openat(self.here(), &part, flags, Mode::empty()) {
                Ok(opened) => opened,
                Err(Errno::NOENT) => return self.missing(part),
                Err(error) => return Err(error.into()),
            };
            match FileType::from_raw_mode(rustix::fs::fstat(&opened)?.st_mode) {
                FileType::Symlink if self.follows_last || !is_last => self.follow(&opened)?,
                _ if is_last => return self.found(part),
                FileType::Directory => self.stack.push((opened, part)),
                _ => return Err(Unresolved::NotADirectory),
            }
        }
        self.found(".".into())
    }

    /// Over all folders at once. `None` where a link or a `..` is on the way, where something is missing or changes meanwhile,
    /// and on kernels before 5.6: what it is, the single steps find out.
    fn leap(&self) -> Option<Handle> {
        let mut folders = PathBuf::from(".");
        folders.extend(&self.rest);
        if self.rest.is_empty() || self.rest.iter().any(|part| part == "..") {
            return None;
        }
        folders.pop();
        let resolve =
            ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS | ResolveFlags::NO_SYMLINKS;
        let root = self.root.held();
        let parent = rustix::fs::openat2(root, &folders, DIRECTORY, Mode::empty(), resolve).ok()?;
        // No link was crossed, so the name as it is written is the canonical one.
        let canonical = self.root.path().join(folders.strip_prefix(".").ok()?);
        let handle = handle(parent, canonical, self.rest.back()?.clone()).ok()?;
        (handle.kind() != Some(FileType::Symlink) || !self.follows_last).then_some(handle)
    }

    fn here(&self) -> BorrowedFd<'_> {
        self.stack.last().map_or(self.root.held().as_fd(), |(folder, _)| folder.as_fd())
    }

    fn canonical(&self) -> PathBuf {
        let mut path = self.root.path().to_path_buf();
        path.extend(self.stack.iter().map(|(_, name)| name));
        path
    }

    fn up(&mut self) -> Result<(), Unresolved> {
        let above = self.stack.pop();
        // Above the root of the file system is that root.
        if above.is_none() && self.root.path() != Path::new("/") {
            return Err(Unresolved::Outside);
        }
        Ok(())
    }

    /// Goes on with the text of a link.
    fn follow(&mut self, link: &OwnedFd) -> Result<(), Unresolved> {
        self.links += 1;
        if self.links > MAX_LINKS {
            return Err(Unresolved::TooManyLinks);
        }
        let text = rustix::fs::readlinkat(link, c"", Vec::new())?;
        let target = PathBuf::from(OsString::from_vec(text.into_bytes()));
        let mut rest = if target.is_absolute() {
            let (root, rest) = self.resolver.anchor(&target).ok_or(Unresolved::Outside)?;
            self.root = root;
            self.stack.clear();
            parts(rest)
        } else {
            parts(&target)
        };
        rest.append(&mut self.rest);
        self.rest = rest;
        Ok(())
    }

    fn found(self, name: OsString) -> Result<Handle, Unresolved> {
        let canonical = self.canonical();
        let parent = self.here().try_clone_to_owned();
        let parent = parent.map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))?;
        handle(parent, canonical, name)
    }

    /// A place that does not exist, below the last folder that does.
    fn missing(mut self, first: OsString) -> Result<Handle, Unresolved> {
        if self.rest.iter().any(|part| part == "..") {
            return Err(Unresolved::NotFound);
        }
        let mut names = std::mem::take(&mut self.rest);
        names.push_front(first);
        let mut canonical = self.canonical();
        canonical.extend(&names);
        let name = names.pop_back().unwrap_or_default();
        let parent = self.here().try_clone_to_owned();
        let parent = parent.map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))?;
        Ok(Handle { parent, missing: names.into(), name, canonical, stat: None })
    }
}
