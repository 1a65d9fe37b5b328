//! Lists what a layer has changed, and brings it over.

use std::os::fd::OwnedFd;
use std::time::Duration;

use rustix::io::Errno;

use super::bring::{Bringing, Brought, Stopped};
use super::compare::{Compared, compare};
use super::{BEGUN, Layer, refuse_error};
use crate::linux::answer::{
    CommittedLayer, LayerChanges, LayerConflict, LayerConflictReason as Reason,
};
use crate::linux::files::Files;
use crate::linux::journal::JournalCall;
use crate::linux::request::{LayerChangesRequest, LayerCommitRequest};
use crate::linux::tree::changed_at;
use crate::refusal::{Refusal, code};

/// The tool that the record of a commit names.
const TOOL: &str = "layer_commit";
/// Time between two looks at the clock of the file system.
const TICK_PAUSE: Duration = Duration::from_micros(500);

impl Files {
    pub(crate) fn list_layer_changes(
        &self,
        request: &LayerChangesRequest,
    ) -> Result<LayerChanges, Refusal> {
        let layer = self.open_layer(&request.layer)?;
        Ok(compare(self, &layer, request.limit).changes)
    }

    pub(crate) fn commit_layer(
        &self,
        request: &LayerCommitRequest,
    ) -> Result<CommittedLayer, Refusal> {
        let layer = self.open_layer(&request.layer)?;
        let Compared { changes, mut steps, folders } = compare(self, &layer, request.limit);
        let wanted = request.digest.as_ref().map(|digest| digest.0.as_deref().unwrap_or_default());
        if wanted.is_some_and(|wanted| wanted != changes.digest) {
            let reason = "the layer has other changes by now than those that were seen";
            return Err(Refusal::new(code::CHANGED_ON_DISK, reason));
        }
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
                since: layer.since,
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
                Err(Stopped::InPart(path)) => {
                    let path = self.display_whole(&path).0;
                    let reason = format!(
                        "applied in part: somebody else was writing to {path} and other places meanwhile, which could not all be \
                         put back"
                    );
                    return Err(Refusal::new(code::APPLIED_IN_PART, reason));
                }
            }
        }
        answer.committed = true;
        layer.begin_anew().map_err(refuse_error)?;
        Ok(answer)
    }
}

impl Layer<'_> {
    /// What was committed counts as what lay below the layer from the beginning: changes of others are those after now.
    fn begin_anew(&self) -> Result<(), Errno> {
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        let touch = || {
            rustix::fs::chmodat(&self.folder, BEGUN, mode, rustix::fs::AtFlags::empty())?;
            let flags = rustix::fs::AtFlags::SYMLINK_NOFOLLOW;
            Ok::<_, Errno>(changed_at(&rustix::fs::statat(&self.folder, BEGUN, flags)?))
        };
        // What the commit has just changed is older than the second of these times.
        let first = touch()?;
        while touch()? == first {
            std::thread::sleep(TICK_PAUSE);
        }
        Ok(())
    }
}
