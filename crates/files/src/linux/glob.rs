//! Files by their names, those changed last first.

use std::ops::ControlFlow;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{FileType, OFlags, Stat};

use crate::linux::answer::{FoundFiles, LeftOutFiles};
use crate::linux::files::Files;
use crate::linux::judge::{Purpose, system};
use crate::linux::path_pattern::PathPattern;
use crate::linux::request::{GlobRequest, Reach};
use crate::linux::view::View;
use crate::linux::walk::{Bounds, Found, Walk};
use crate::refusal::{Refusal, code};

impl Files {
    /// Files whose paths match a pattern.
    pub fn glob(&self, request: &GlobRequest) -> Result<FoundFiles, Refusal> {
        self.glob_within(request, &Bounds::from_now()).map_err(|refusal| self.masked(refusal))
    }

    pub(crate) fn glob_within(
        &self,
        request: &GlobRequest,
        bounds: &Bounds,
    ) -> Result<FoundFiles, Refusal> {
        let pattern = PathPattern::parse(&request.pattern)?;
        let (asked, handle) = self.place(&request.path, Purpose::List).map_err(|refusal| {
            let hint = "Give the directory as path, and the name of the file as pattern.";
            if refusal.code == code::NOT_A_DIRECTORY { refusal.with_hint(hint) } else { refusal }
        })?;
        let failed = |error| system(&asked, error, Purpose::List);
        let directory = handle.open(OFlags::RDONLY | OFlags::DIRECTORY).map_err(failed)?;
        let start = (&directory, handle.canonical());
        let reach = request.reach;
        let mut answer = FoundFiles {
            path: self.display(handle.canonical()),
            directory: self.masked_text(&handle.canonical().to_string_lossy()),
            ..FoundFiles::default()
        };
        let mut found: Vec<(Changed, PathBuf)> = Vec::new();
        answer.stopped = Walk::run(self, start, reach, bounds, &mut |entry| {
            if entry.protected && entry.kind == FileType::Directory {
                answer.protected += 1;
            } else if self.matches(&pattern, entry.relative) {
                match self.shown_file(entry) {
                    Shown::Yes(status) => found.push((changed(&status), entry.path.to_path_buf())),
                    Shown::Protected => answer.protected += 1,
                    Shown::No => {}
                }
            }
            ControlFlow::Continue(())
        })
        .map_err(failed)?;
        answer.total = found.len();
        found.sort_unstable_by(|(a, first), (b, second)| b.cmp(a).then_with(|| first.cmp(second)));
        for (_, path) in found.iter().take(request.limit) {
            let (path, masks) = self.display_whole(path);
            answer.redactions += masks;
            answer.paths.push(path);
        }
        answer.truncated = answer.paths.len() < answer.total || answer.stopped.is_some();
        if answer.total == 0 && !(reach.hidden && reach.ignored) {
            answer.left_out = self.left_out(&pattern, start, reach, bounds);
        }
        Ok(answer)
    }

    /// Whether a path below the directory matches. A name is judged as it is shown: nobody finds out what a mask hides by
    /// asking for it letter by letter.
    pub(crate) fn matches(&self, pattern: &PathPattern, relative: &Path) -> bool {
        pattern.matches(&View::of_name(&self.redactor, &relative.to_string_lossy()).text)
    }

    /// A file that may be read, or a link to one in the roots.
    fn shown_file(&self, entry: &Found<'_>) -> Shown {
        if entry.protected {
            return Shown::Protected;
        }
        let stat = if entry.kind == FileType::Symlink {
            let Ok(target) = self.resolver().resolve(entry.path) else { return Shown::No };
            if self.rules.judge_read(&target.canonical().to_string_lossy()).is_some() {
                return Shown::Protected;
            }
            target.stat().copied()
        } else {
            entry.stat().ok()
        };
        match stat {
            Some(stat) if self.is_secret(&stat) => Shown::Protected,
            Some(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile => {
                Shown::Yes(stat)
            }
            _ => Shown::No,
        }
    }

    /// What a search that reaches further would find.
    fn left_out(
        &self,
        pattern: &PathPattern,
        start: (&OwnedFd, &Path),
        reach: Reach,
        bounds: &Bounds,
    ) -> LeftOutFiles {
        let mut left_out = LeftOutFiles::default();
        let everything = Reach { hidden: true, ignored: true };
        // What was counted before the time was over is there.
        let _ = Walk::run(self, start, everything, bounds, &mut |entry| {
            let hidden = entry.needs.hidden && !reach.hidden;
            let ignored = entry.needs.ignored && !reach.ignored;
            if (hidden || ignored)
                && self.matches(pattern, entry.relative)
                && matches!(self.shown_file(entry), Shown::Yes(_))
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

enum Shown {
    Yes(Stat),
    Protected,
    No,
}

/// When a file was changed last: seconds and nanoseconds.
type Changed = (i64, u64);

fn changed(stat: &Stat) -> Changed {
    (stat.st_mtime, stat.st_mtime_nsec)
}
