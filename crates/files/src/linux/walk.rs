//! Visits the files below a directory. Each folder is opened from the one above it: no path is opened, no link is followed.

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
use crate::linux::request::SearchReach;
use crate::linux::{open_file, open_folder};

/// Most entries that one search visits.
pub(crate) const MAX_ENTRIES: usize = 200_000;
/// Most levels of folders.
pub(crate) const MAX_DEPTH: usize = 64;
/// Longest time of one search; after that it gives the results that it has.
pub(crate) const MAX_DURATION: Duration = Duration::from_secs(30);

/// Limits of one search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchBounds {
    pub(crate) entries: usize,
    pub(crate) depth: usize,
    pub(crate) deadline: Instant,
}

impl SearchBounds {
    /// The limits of a search that begins now.
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

/// An entry below the directory that is walked: a file, a link, or a folder that is protected.
#[derive(Debug)]
pub(crate) struct WalkedEntry<'w> {
    directory: &'w OwnedFd,
    name: &'w OsStr,
    pub(crate) kind: FileType,
    /// Canonical path; used for judging and for messages, never to open.
    pub(crate) path: &'w Path,
    pub(crate) relative: &'w Path,
    /// Whether only a search of hidden names, or of ignored files, comes to the entry.
    pub(crate) required_reach: SearchReach,
    /// Whether a rule keeps the entry from being read.
    pub(crate) protected: bool,
}

impl WalkedEntry<'_> {
    /// Opens the file without following a link or waiting for a pipe.
    pub(crate) fn open(&self) -> Result<OwnedFd, Errno> {
        open_file(self.directory, self.name)
    }

    pub(crate) fn stat(&self) -> Result<rustix::fs::Stat, Errno> {
        rustix::fs::statat(self.directory, self.name, rustix::fs::AtFlags::SYMLINK_NOFOLLOW)
    }
}

/// Visits a tree in the order of names, so that a second search finds the same files in the same order.
pub(crate) struct TreeWalk<'f> {
    files: &'f Files,
    reach: SearchReach,
    bounds: &'f SearchBounds,
    rules: IgnoreRules,
    entries: usize,
    stopped: Option<SearchStop>,
}

impl<'f> TreeWalk<'f> {
    /// Calls `visit` with every file and link below `directory`, and every folder that is protected. Returns why it ended
    /// early.
    pub(crate) fn run(
        files: &'f Files,
        (directory, path): (&OwnedFd, &Path),
        reach: SearchReach,
        bounds: &'f SearchBounds,
        visit: &mut dyn FnMut(&WalkedEntry<'_>) -> ControlFlow<SearchStop>,
    ) -> Result<Option<SearchStop>, Errno> {
        // One more than the limit is read, so that a larger directory is noticed.
        let entries = sorted_entries(directory, bounds.entries + 1)?;
        let is_repository = entries.iter().any(|(name, _)| name == REPOSITORY);
        let rules = IgnoreRules::above(files, path, is_repository);
        let mut walk = TreeWalk { files, reach, bounds, rules, entries: 0, stopped: None };
        let within = WalkedFolder {
            path,
            relative: Path::new(""),
            depth: 1,
            required_reach: SearchReach::default(),
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
        // Protected entries are visited even where they are hidden or ignored: they are counted.
        let protected = self.files.rules.judge_read(&path.to_string_lossy()).is_some();
        let required_reach = SearchReach {
            hidden: within.required_reach.hidden || name.as_encoded_bytes().starts_with(b"."),
            ignored: within.required_reach.ignored || self.rules.leaves_out(&path, is_directory),
        };
        let is_left_out = (required_reach.hidden && !self.reach.hidden)
            || (required_reach.ignored && !self.reach.ignored);
        if is_left_out && !protected {
            return ControlFlow::Continue(());
        }
        if !is_directory || protected {
            let walked = WalkedEntry {
                directory,
                name,
                kind,
                path: &path,
                relative: &relative,
                required_reach,
                protected,
            };
            return match visit(&walked) {
                ControlFlow::Continue(()) => ControlFlow::Continue(()),
                ControlFlow::Break(why) => self.stop(why),
            };
        }
        if within.depth == self.bounds.depth {
            self.stopped = Some(SearchStop::Entries);
            return ControlFlow::Continue(());
        }
        let max_entries = self.bounds.entries - self.entries + 1;
        let opened = open_folder(directory, name);
        // A folder that is gone, or that this user may not enter, has no files.
        let Ok((inner, entries)) = opened
            .and_then(|inner| sorted_entries(&inner, max_entries).map(|entries| (inner, entries)))
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

/// The folder whose entries are visited.
struct WalkedFolder<'w> {
    path: &'w Path,
    relative: &'w Path,
    depth: usize,
    required_reach: SearchReach,
}
