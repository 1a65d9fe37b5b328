//! Lists what a layer has changed, and brings it over.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

use super::bring::{Bringing, Brought, Stopped};
use super::compare::{Compared, compare};
use super::{BEGUN, BROUGHT, Layer, REMOVED, refuse_error};
use crate::linux::answer::{
    CommittedLayer, LayerChanges, LayerConflict, LayerConflictReason as Reason,
};
use crate::linux::files::Files;
use crate::linux::journal::JournalCall;
use crate::linux::request::{LayerChangesRequest, LayerCommitRequest, Text};
use crate::linux::tree::{Time, changed_at};
use crate::refusal::{Refusal, code};

/// The file by which the time of the file system is read.
const CLOCK: &str = "clock";
/// The tool that the record of a commit names.
const TOOL: &str = "layer_commit";
/// Most kept entries that a refusal names.
const MAX_NAMED: usize = 10;
/// Time between two looks at the clock of the file system.
const TICK_PAUSE: Duration = Duration::from_micros(500);

impl Files {
    pub(crate) fn list_layer_changes(
        &self,
        request: &LayerChangesRequest,
    ) -> Result<LayerChanges, Refusal> {
        let layer = self.open_layer(&request.layer)?;
        let changes = compare(self, &layer, request.limit, request.diff).changes;
        check_seen(request.digest.as_ref(), &changes)?;
        Ok(changes)
    }

    pub(crate) fn commit_layer(
        &self,
        request: &LayerCommitRequest,
    ) -> Result<CommittedLayer, Refusal> {
        let layer = self.open_layer(&request.layer)?;
        // What lives in the layer may write while it is looked at, and goes on after it.
        let looked_at = (!request.takes).then(|| layer.next_time(CLOCK));
        let looked_at = looked_at.transpose().map_err(refuse_error)?;
        let Compared { changes, mut steps, folders, removed } =
            compare(self, &layer, request.limit, request.diff);
        check_seen(request.digest.as_ref(), &changes)?;
        let mut answer = CommittedLayer { changes, ..CommittedLayer::default() };
        if answer.changes.conflict_count > 0 && !request.partly {
            return Ok(answer);
        }
        steps.extend(folders);
        // Times of folders alone, of what was made and removed again in them, are no change.
        let LayerChanges { created, changed, deleted, attributes, .. } = answer.changes;
        if created + changed + deleted + attributes > 0 && !steps.is_empty() {
            let journal = self.open_journal()?;
            let caller = request.caller.as_str();
            let call = JournalCall { journal, tool: TOOL, caller, undoes: &[], emptied: &[] };
            let sources: Vec<&OwnedFd> = layer.parts.iter().map(|part| &part.upper).collect();
            let bringing = Bringing {
                files: self,
                sources: &sources,
                takes: request.takes,
                are_layered: true,
                since: layer.brought.last().map_or(layer.since, |(_, end)| *end),
            };
            match bringing.bring(&call, steps) {
                Ok(Brought { id, is_kept }) => {
                    answer.id = Some(id);
                    answer.undoable = is_kept;
                }
                Err(Stopped::Changed(path)) => {
                    let path = self.display_whole(&path).0;
                    let conflict = LayerConflict { path, reason: Reason::Changed };
                    answer.changes.conflicts.push(conflict);
                    answer.changes.conflict_count += 1;
                    return Ok(answer);
                }
                Err(Stopped::System(path, error)) => {
                    let (path, error) = (self.display_whole(&path).0, std::io::Error::from(error));
                    return Err(Refusal::new(code::SYSTEM, format!("{path}: {error}")));
                }
                Err(Stopped::InPart(path, kept)) => return Err(self.refuse_in_part(&path, &kept)),
            }
        }
        answer.committed = true;
        layer.begin_anew(looked_at, &removed).map_err(refuse_error)?;
        Ok(answer)
    }
}

/// Refuses other changes than those with this digest.
fn check_seen(seen: Option<&Text>, changes: &LayerChanges) -> Result<(), Refusal> {
    if seen.is_none_or(|seen| seen.0.as_deref() == Some(&changes.digest)) {
        return Ok(());
    }
    let reason = "the layer has other changes by now than those that were seen";
    Err(Refusal::new(code::CHANGED_ON_DISK, reason))
}

impl Files {
    /// Says that not all places could be put back, and by which names what others wrote is kept.
    pub(super) fn refuse_in_part(&self, path: &Path, kept: &[PathBuf]) -> Refusal {
        let mut reason = format!(
            "applied in part: somebody else was writing to {} and other places meanwhile, which could not all be put back",
            self.display_whole(path).0
        );
        if !kept.is_empty() {
            let names = kept.iter().take(MAX_NAMED).map(|path| self.display_whole(path).0);
            let mut names: Vec<String> = names.collect();
            if kept.len() > names.len() {
                names.push(format!("{} more", kept.len() - names.len()));
            }
            reason.push_str("; what they wrote is kept as ");
            reason.push_str(&names.join(", "));
        }
        Refusal::new(code::APPLIED_IN_PART, reason)
    }
}

impl Layer<'_> {
    /// A time by which everything that was written so far is older, and nothing that will be.
    fn next_time(&self, name: &str) -> Result<Time, Errno> {
        let mode = Mode::RUSR | Mode::WUSR;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = rustix::fs::openat(&self.folder, name, flags, mode)?;
        let touch = || {
            rustix::fs::fchmod(&file, mode)?;
            Ok::<_, Errno>(changed_at(&rustix::fs::fstat(&file)?))
        };
        let first = touch()?;
        loop {
            let time = touch()?;
            if time != first {
                return Ok(time);
            }
            std::thread::sleep(TICK_PAUSE);
        }
    }

    /// What was committed counts as what lay below the layer from the beginning.
    fn begin_anew(
        &self,
        looked_at: Option<Time>,
        removed: &BTreeSet<PathBuf>,
    ) -> Result<(), Errno> {
        let Some(from) = looked_at else { return self.next_time(BEGUN).map(drop) };
        let to = self.next_time(CLOCK)?;
        let paths: Vec<u8> =
            removed.iter().flat_map(|path| [path.as_os_str().as_bytes(), b"\0"].concat()).collect();
        self.write_note(REMOVED, OFlags::TRUNC, &paths)?;
        let line = format!("{} {} {} {}\n", from.0, from.1, to.0, to.1);
        self.write_note(BROUGHT, OFlags::APPEND, line.as_bytes())
    }

    fn write_note(&self, name: &str, how: OFlags, bytes: &[u8]) -> Result<(), Errno> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mode = Mode::RUSR | Mode::WUSR;
        let file = rustix::fs::openat(&self.folder, name, flags | how, mode)?;
        let written = File::from(file).write_all(bytes);
        written.map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))
    }
}
