//! Finds files by their names; the files that were changed last come first.

use std::ops::ControlFlow;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{FileType, OFlags, Stat};

use crate::linux::answer::{FoundFiles, LeftOutFiles};
use crate::linux::files::Files;
use crate::linux::judge::{Purpose, refuse_system_error};
use crate::linux::path_pattern::PathPattern;
use crate::linux::request::{GlobRequest, SearchReach};
use crate::linux::view::MaskedView;
use crate::linux::walk::{SearchBounds, TreeWalk, WalkedEntry};
use crate::refusal::{Refusal, code};

impl Files {
    pub(super) fn find_files(&self, request: &GlobRequest) -> Result<FoundFiles, Refusal> {
        self.glob_within(request, &SearchBounds::from_now())
    }

    pub(crate) fn glob_within(
        &self,
        request: &GlobRequest,
        bounds: &SearchBounds,
    ) -> Result<FoundFiles, Refusal> {
        let pattern = PathPattern::parse(&request.pattern).map_err(|refusal| {
            self.refuse_leading_pattern(refusal, "pattern", &request.pattern, &request.path)
        })?;
        let (requested, handle) = self.place(&request.path, Purpose::List).map_err(|refusal| {
            let hint = "Give the directory as path, and the name of the file as pattern.";
            if refusal.code == code::NOT_A_DIRECTORY { refusal.with_hint(hint) } else { refusal }
        })?;
        let failed = |error| refuse_system_error(&requested, error, Purpose::List);
        let directory = handle.open(OFlags::RDONLY | OFlags::DIRECTORY).map_err(failed)?;
        let start = (&directory, handle.canonical());
        let reach = request.reach;
        let mut answer = FoundFiles {
            path: self.display(handle.canonical()),
            directory: self.masked_text(&handle.canonical().to_string_lossy()),
            ..FoundFiles::default()
        };
        let mut found_files: Vec<(ModificationTime, PathBuf)> = Vec::new();
        answer.stopped = TreeWalk::run(self, start, reach, bounds, &mut |entry| {
            if entry.protected && entry.kind == FileType::Directory {
                answer.protected += 1;
            } else if self.matches(&pattern, entry.relative) {
                match self.visibility_of(entry) {
                    Visibility::Visible(status) => {
                        found_files.push((modification_time(&status), entry.path.to_path_buf()));
                    }
                    Visibility::Protected => answer.protected += 1,
                    Visibility::NoFile => {}
                }
            }
            ControlFlow::Continue(())
        })
        .map_err(failed)?;
        answer.total = found_files.len();
        found_files
            .sort_unstable_by(|(a, first), (b, second)| b.cmp(a).then_with(|| first.cmp(second)));
        for (_, path) in found_files.iter().skip(request.offset).take(request.limit) {
            let (path, masks) = self.display_whole(path);
            answer.redactions += masks;
            answer.paths.push(path);
        }
        let end = request.offset.saturating_add(answer.paths.len());
        answer.truncated = end < answer.total || answer.stopped.is_some();
        if answer.total == 0 && !(reach.hidden && reach.ignored) {
            answer.left_out = self.left_out(&pattern, start, reach, bounds);
        }
        Ok(answer)
    }

    /// Whether a path below the directory matches. The masked path is compared, so that a secret in it cannot be guessed letter
    /// by letter.
    pub(crate) fn matches(&self, pattern: &PathPattern, relative: &Path) -> bool {
        pattern.matches(&MaskedView::unnumbered(&self.redactor, &relative.to_string_lossy()).text)
    }

    /// Whether an entry is a file that may be read, or a link to such a file in the roots.
    fn visibility_of(&self, entry: &WalkedEntry<'_>) -> Visibility {
        if entry.protected {
            return Visibility::Protected;
        }
        let stat = if entry.kind == FileType::Symlink {
            let Ok(target) = self.resolver().resolve(entry.path) else { return Visibility::NoFile };
            if self.rules.judge_read(&target.canonical().to_string_lossy()).is_some() {
                return Visibility::Protected;
            }
            target.stat().copied()
        } else {
            entry.stat().ok()
        };
        match stat {
            Some(stat) if self.is_secret_file(&stat) => Visibility::Protected,
            Some(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile => {
                Visibility::Visible(stat)
            }
            _ => Visibility::NoFile,
        }
    }

    /// Numbers of files that a search of hidden or ignored files would find.
    fn left_out(
        &self,
        pattern: &PathPattern,
        start: (&OwnedFd, &Path),
        reach: SearchReach,
        bounds: &SearchBounds,
    ) -> LeftOutFiles {
        let mut left_out = LeftOutFiles::default();
        let everything = SearchReach { hidden: true, ignored: true };
        // When the time is over, the numbers so far are given.
        let _ = TreeWalk::run(self, start, everything, bounds, &mut |entry| {
            let hidden = entry.required_reach.hidden && !reach.hidden;
            let ignored = entry.required_reach.ignored && !reach.ignored;
            if (hidden || ignored)
                && self.matches(pattern, entry.relative)
                && matches!(self.visibility_of(entry), Visibility::Visible(_))
            {
                match (hidden, ignored) {
                    (true, true) => left_out.both += 1,
                    (true, false) => left_out.hidden += 1,
                    _ => left_out.ignored += 1,
                }
            }
            ControlFlow::Continue(())
        });
        left_out
    }
}

/// Whether a search shows an entry.
enum Visibility {
    Visible(Stat),
    Protected,
    NoFile,
}

/// Time of the last change of a file: seconds and nanoseconds.
type ModificationTime = (i64, u64);

fn modification_time(stat: &Stat) -> ModificationTime {
    (stat.st_mtime, stat.st_mtime_nsec)
}
