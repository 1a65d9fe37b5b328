//! The files below a directory, each found in a folder that is held: no path is opened, no link is followed.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::ops::ControlFlow;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::fs::FileType;
use rustix::io::Errno;

use crate::linux::answer::SearchStop;
use crate::linux::directory::{entry_kind, sorted_entries};
use crate::linux::files::Files;
use crate::linux::ignore_rules::{IgnoreRules, REPOSITORY};
use crate::linux::request::Reach;
use crate::linux::{open_file, open_folder};

/// Entries that one search looks at.
pub(crate) const MAX_ENTRIES: usize = 200_000;
/// Folders within folders.
pub(crate) const MAX_DEPTH: usize = 64;
/// How long one search takes; what it has by then is given.
pub(crate) const MAX_DURATION: Duration = Duration::from_secs(30);

/// How far one search goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchBounds {
    pub(crate) entries: usize,
    pub(crate) depth: usize,
    pub(crate) deadline: Instant,
}

impl SearchBounds {
    pub(crate) fn from_now() -> SearchBounds {
        SearchBounds {
            entries: MAX_ENTRIES,
            depth: MAX_DEPTH,
            deadline: Instant::now() + MAX_DURATION,
        }
    }

    pub(crate) fn is_timed_out(&self) -> bool {
        Instant::now() >= self.deadline
    }
}

/// Something below the directory.
#[derive(Debug)]
pub(crate) struct WalkedEntry<'w> {
    directory: &'w OwnedFd,
    name: &'w OsStr,
    /// A file, a link, or a folder that is protected.
    pub(crate) kind: FileType,
    /// For judging and for messages, never to open.
    pub(crate) path: &'w Path,
    pub(crate) relative: &'w Path,
    /// It is reached only with hidden names, or only with ignored ones.
    pub(crate) required_reach: Reach,
    /// A rule keeps it from being read.
    pub(crate) protected: bool,
}

impl WalkedEntry<'_> {
    /// Opens the file without following or waiting.
    pub(crate) fn open(&self) -> Result<OwnedFd, Errno> {
        open_file(self.directory, self.name)
    }

    pub(crate) fn stat(&self) -> Result<rustix::fs::Stat, Errno> {
        rustix::fs::statat(self.directory, self.name, rustix::fs::AtFlags::SYMLINK_NOFOLLOW)
    }
}

/// Goes through a tree in the order of names, so that a second search finds the same in the same order.
pub(crate) struct TreeWalk<'f> {
    files: &'f Files,
    reach: Reach,
    bounds: &'f SearchBounds,
    rules: IgnoreRules,
    entries: usize,
    stopped: Option<SearchStop>,
}

impl<'f> TreeWalk<'f> {
    /// Shows `visit` every file and link beneath `directory`, and every folder that is protected; says why it ended early.
    pub(crate) fn run(
        files: &'f Files,
        (directory, path): (&OwnedFd, &Path),
        reach: Reach,
        bounds: &'f SearchBounds,
        visit: &mut dyn FnMut(&WalkedEntry<'_>) -> ControlFlow<SearchStop>,
    ) -> Result<Option<SearchStop>, Errno> {
        // One more than are looked at, so that it shows when there are more.
        let entries = sorted_entries(directory, bounds.entries + 1)?;
        let is_repository = entries.iter().any(|(name, _)| name == REPOSITORY);
        let rules = IgnoreRules::above(files, path, is_repository);
        let mut walk = TreeWalk { files, reach, bounds, rules, entries: 0, stopped: None };
        let within = WalkedFolder {
            path,
            relative: Path::new(""),
            depth: 1,
            required_reach: Reach::default(),
        };
        let _ = walk.folder(directory, &entries, &within, visit);
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
        within: &WalkedFolder<'_>,
        visit: &mut dyn FnMut(&WalkedEntry<'_>) -> ControlFlow<SearchStop>,
    ) -> ControlFlow<()> {
        let present: HashSet<&OsStr> = entries.iter().map(|(name, _)| name.as_os_str()).collect();
        self.rules
            .enter(self.files, directory, within.path, |name| present.contains(OsStr::new(name)));
        for (name, kind) in entries {
            if self.entries == self.bounds.entries {
                return self.stop(SearchStop::Entries);
            }
            self.entries += 1;
            if self.bounds.is_timed_out() {
                return self.stop(SearchStop::Deadline);
            }
            self.entry(directory, name, *kind, within, visit)?;
        }
        self.rules.leave();
        ControlFlow::Continue(())
    }

    fn entry(
        &mut self,
        directory: &OwnedFd,
        name: &OsStr,
        kind: FileType,
        within: &WalkedFolder<'_>,
        visit: &mut dyn FnMut(&WalkedEntry<'_>) -> ControlFlow<SearchStop>,
    ) -> ControlFlow<()> {
        if name == REPOSITORY {
            return ControlFlow::Continue(());
        }
        let kind = if kind == FileType::Unknown { entry_kind(directory, name) } else { kind };
        let is_directory = kind == FileType::Directory;
        if !is_directory && !matches!(kind, FileType::RegularFile | FileType::Symlink) {
            return ControlFlow::Continue(());
        }
        let (path, relative) = (within.path.join(name), within.relative.join(name));
        // Judged first: what is protected is counted, also where it is hidden or ignored.
        let protected = self.files.rules.judge_read(&path.to_string_lossy()).is_some();
        let required_reach = Reach {
            hidden: within.required_reach.hidden || name.as_encoded_bytes().starts_with(b"."),
            ignored: within.required_reach.ignored || self.rules.leave_out(&path, is_directory),
        };
        let is_left_out = (required_reach.hidden && !self.reach.hidden)
            || (required_reach.ignored && !self.reach.ignored);
        if is_left_out && !protected {
            return ControlFlow::Continue(());
        }
        if !is_directory || protected {
            let found = WalkedEntry {
                directory,
                name,
                kind,
                path: &path,
                relative: &relative,
                required_reach,
                protected,
            };
            return match visit(&found) {
                ControlFlow::Continue(()) => ControlFlow::Continue(()),
                ControlFlow::Break(why) => self.stop(why),
            };
        }
        if within.depth == self.bounds.depth {
            self.stopped = Some(SearchStop::Entries);
            return ControlFlow::Continue(());
        }
        let most = self.bounds.entries - self.entries + 1;
        let opened = open_folder(directory, name);
        // A folder that is gone, or that this user may not enter, has no files.
        let Ok((inner, entries)) =
            opened.and_then(|inner| sorted_entries(&inner, most).map(|entries| (inner, entries)))
        else {
            return ControlFlow::Continue(());
        };
        let within = WalkedFolder {
            path: &path,
            relative: &relative,
            depth: within.depth + 1,
            required_reach,
        };
        self.folder(&inner, &entries, &within, visit)
    }
}

/// A folder on the way.
struct WalkedFolder<'w> {
    path: &'w Path,
    relative: &'w Path,
    depth: usize,
    required_reach: Reach,
}
