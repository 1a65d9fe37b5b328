//! The files below a directory, each found in a folder that is held: no path is opened, no link is followed.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::ops::ControlFlow;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::Errno;

use crate::linux::answer::SearchStop;
use crate::linux::directory::{kind_of, names};
use crate::linux::files::Files;
use crate::linux::ignore_rules::{IgnoreRules, REPOSITORY};
use crate::linux::request::Reach;

/// Entries that one search looks at.
pub(crate) const MAX_ENTRIES: usize = 200_000;
/// Folders within folders.
pub(crate) const MAX_DEPTH: usize = 64;
/// How long one search takes; what it has by then is given.
pub(crate) const DEADLINE: Duration = Duration::from_secs(30);

/// How far one search goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) entries: usize,
    pub(crate) depth: usize,
    pub(crate) until: Instant,
}

impl Bounds {
    pub(crate) fn from_now() -> Bounds {
        Bounds { entries: MAX_ENTRIES, depth: MAX_DEPTH, until: Instant::now() + DEADLINE }
    }

    pub(crate) fn are_over(&self) -> bool {
        Instant::now() >= self.until
    }
}

/// Something below the directory.
#[derive(Debug)]
pub(crate) struct Found<'w> {
    directory: &'w OwnedFd,
    name: &'w OsStr,
    /// A file, a link, or a folder that is protected.
    pub(crate) kind: FileType,
    /// For judging and for messages, never to open.
    pub(crate) path: &'w Path,
    pub(crate) relative: &'w Path,
    /// It is reached only with hidden names, or only with ignored ones.
    pub(crate) needs: Reach,
    /// A rule keeps it from being read.
    pub(crate) protected: bool,
}

impl Found<'_> {
    /// Opens the file without following or waiting.
    pub(crate) fn open(&self) -> Result<OwnedFd, Errno> {
        let flags =
            OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        rustix::fs::openat(self.directory, self.name, flags, Mode::empty())
    }

    pub(crate) fn stat(&self) -> Result<rustix::fs::Stat, Errno> {
        rustix::fs::statat(self.directory, self.name, rustix::fs::AtFlags::SYMLINK_NOFOLLOW)
    }
}

/// Goes through a tree in the order of names, so that a second search finds the same in the same order.
pub(crate) struct Walk<'f> {
    files: &'f Files,
    reach: Reach,
    bounds: &'f Bounds,
    rules: IgnoreRules,
    entries: usize,
    stopped: Option<SearchStop>,
}

impl<'f> Walk<'f> {
    /// Shows `visit` every file and link beneath `directory`, and every folder that is protected; says why it ended early.
    pub(crate) fn run(
        files: &'f Files,
        (directory, path): (&OwnedFd, &Path),
        reach: Reach,
        bounds: &'f Bounds,
        visit: &mut dyn FnMut(&Found<'_>) -> ControlFlow<SearchStop>,
    ) -> Result<Option<SearchStop>, Errno> {
        // One more than are looked at, so that it shows when there are more.
        let entries = names(directory, bounds.entries + 1)?;
        let is_repository = entries.iter().any(|(name, _)| name == REPOSITORY);
        let rules = IgnoreRules::above(files, path, is_repository);
        let mut walk = Walk { files, reach, bounds, rules, entries: 0, stopped: None };
        let place = Place { path, relative: Path::new(""), depth: 1, needs: Reach::default() };
        let _ = walk.folder(directory, &entries, &place, visit);
        Ok(walk.stopped)
    }

    fn stop(&mut self, why: SearchStop) -> ControlFlow<()> {
        self.stopped = Some(why);
        ControlFlow::Break(())
    }

    fn folder(
        &mut self,
        directory: &OwnedFd,
        entries: &[(OsString, FileType)],
        place: &Place<'_>,
        visit: &mut dyn FnMut(&Found<'_>) -> ControlFlow<SearchStop>,
    ) -> ControlFlow<()> {
        let present: HashSet<&OsStr> = entries.iter().map(|(name, _)| name.as_os_str()).collect();
        self.rules
            .enter(self.files, directory, place.path, |name| present.contains(OsStr::new(name)));
        for (name, kind) in entries {
            if self.entries == self.bounds.entries {
                return self.stop(SearchStop::Entries);
            }
            self.entries += 1;
            if self.bounds.are_over() {
                return self.stop(SearchStop::Deadline);
            }
            self.entry(directory, name, *kind, place, visit)?;
        }
        self.rules.leave();
        ControlFlow::Continue(())
    }

    fn entry(
        &mut self,
        directory: &OwnedFd,
        name: &OsStr,
        kind: FileType,
        place: &Place<'_>,
        visit: &mut dyn FnMut(&Found<'_>) -> ControlFlow<SearchStop>,
    ) -> ControlFlow<()> {
        if name == REPOSITORY {
            return ControlFlow::Continue(());
        }
        let kind = if kind == FileType::Unknown { kind_of(directory, name) } else { kind };
        let is_directory = kind == FileType::Directory;
        if !is_directory && !matches!(kind, FileType::RegularFile | FileType::Symlink) {
            return ControlFlow::Continue(());
        }
        let (path, relative) = (place.path.join(name), place.relative.join(name));
        // Judged first: what is protected is counted, also where it is hidden or ignored.
        let protected = self.files.rules.judge_read(&path.to_string_lossy()).is_some();
        let needs = Reach {
            hidden: place.needs.hidden || name.as_encoded_bytes().starts_with(b"."),
            ignored: place.needs.ignored || self.rules.leave_out(&path, is_directory),
        };
        let is_left_out =
            (needs.hidden && !self.reach.hidden) || (needs.ignored && !self.reach.ignored);
        if is_left_out && !protected {
            return ControlFlow::Continue(());
        }
        if !is_directory || protected {
            let found =
                Found { directory, name, kind, path: &path, relative: &relative, needs, protected };
            return match visit(&found) {
                ControlFlow::Continue(()) => ControlFlow::Continue(()),
                ControlFlow::Break(why) => self.stop(why),
            };
        }
        if place.depth == self.bounds.depth {
            self.stopped = Some(SearchStop::Entries);
            return ControlFlow::Continue(());
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        // A folder that is gone, or that this user may not enter, has no files.
        let Ok(inner) = rustix::fs::openat(directory, name, flags, Mode::empty()) else {
            return ControlFlow::Continue(());
        };
        let Ok(entries) = names(&inner, self.bounds.entries - self.entries + 1) else {
            return ControlFlow::Continue(());
        };
        let place = Place { path: &path, relative: &relative, depth: place.depth + 1, needs };
        self.folder(&inner, &entries, &place, visit)
    }
}

/// A folder on the way.
struct Place<'w> {
    path: &'w Path,
    relative: &'w Path,
    depth: usize,
    needs: Reach,
}
