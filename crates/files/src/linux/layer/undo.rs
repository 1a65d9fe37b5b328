//! Takes a commit back: every place gets what is kept of it, or none does.

use std::path::{Path, PathBuf};

use super::bring::{Bringing, Stopped};
use super::compare::{Source, Step};
use super::guard::refused;
use crate::linux::answer::{ChangedFile, FileChange};
use crate::linux::files::Files;
use crate::linux::history::refuse_unread;
use crate::linux::journal::{
    Journal, JournalCall, Move, Record, Stamp, has_changed_within, last_change, moved_name,
    open_parent,
};
use crate::linux::judge::file_id;
use crate::linux::tree::{Access, status};
use crate::refusal::{Refusal, code};

/// What taking one commit back does.
pub(crate) struct CommitBack<'r> {
    record: &'r Record,
    steps: Vec<Step>,
    pub(crate) files: Vec<ChangedFile>,
}

impl Files {
    /// Looks whether a commit can be taken back. Fails with the places that somebody has changed since.
    pub(crate) fn plan_commit_back<'r>(
        &self,
        record: &'r Record,
    ) -> Result<Result<CommitBack<'r>, Vec<PathBuf>>, Refusal> {
        let (mut steps, mut folders, mut changed) = (Vec::new(), Vec::new(), Vec::new());
        let mut files = Vec::new();
        for (number, place) in record.moves.iter().enumerate() {
            let path = &place.path.0;
            let root = self.resolver().root_of(path).map(|(root, _)| root);
            let root = root.filter(|root| root.is_writable());
            let Some(root) = root else {
                return Err(Refusal::new(code::READ_ONLY_ROOT, "a root is read-only by now"));
            };
            if refused(self, root, path).is_some() && place.access.is_none() {
                let reason = format!("{} is protected by now", self.display(path));
                return Err(Refusal::new(code::BLOCKED_WRITE, reason));
            }
            match (step_back(self, record, number, place), place.access.is_some()) {
                (None, _) => changed.push(path.clone()),
                (Some(step), true) => folders.push(step),
                (Some(step), false) => {
                    files.push(self.moved_file(place, true));
                    steps.push(step);
                }
            }
        }
        if !changed.is_empty() {
            return Ok(Err(changed));
        }
        steps.reverse();
        steps.extend(folders);
        Ok(Ok(CommitBack { record, steps, files }))
    }

    /// Takes a commit back. The id of the call that did.
    pub(crate) fn take_commit_back(
        &self,
        journal: &Journal,
        caller: &str,
        back: CommitBack<'_>,
    ) -> Result<Result<String, Vec<PathBuf>>, Refusal> {
        let kept = journal.open_record(back.record).map_err(refuse_unread)?;
        let undoes = [back.record.id.clone()];
        let tool = "changes_undo";
        let call = JournalCall { journal, tool, caller, undoes: &undoes, emptied: &[] };
        let since = back.record.staged_at.unwrap_or((i64::MIN, 0));
        let bringing =
            Bringing { files: self, sources: &[&kept], takes: true, are_layered: false, since };
        match bringing.bring(&call, back.steps) {
            Ok(brought) => Ok(Ok(brought.id)),
            Err(Stopped::Changed(path)) => Ok(Err(vec![path])),
            Err(Stopped::System(path, error)) => {
                let (path, error) = (self.display(&path), std::io::Error::from(error));
                Err(Refusal::new(code::SYSTEM, format!("{path}: {error}")))
            }
            Err(Stopped::InPart(path, kept)) => Err(self.refuse_in_part(&path, &kept)),
        }
    }

    /// What a commit, or taking it back, does to an entry.
    pub(crate) fn moved_file(&self, place: &Move, is_back: bool) -> ChangedFile {
        let before = place.old.as_ref().map(|_| place.old_bytes);
        let after = place.new.as_ref().map(|_| place.new_bytes);
        let (bytes_before, bytes_after) = if is_back { (after, before) } else { (before, after) };
        let operation = match (bytes_before, bytes_after) {
            (None, Some(_)) => FileChange::Add,
            (Some(_), None) => FileChange::Delete,
            _ => FileChange::Update,
        };
        let path = self.display_whole(&place.path.0).0;
        ChangedFile { path, operation, bytes_before, bytes_after, diff: None }
    }
}

/// The step that takes one place back. `None` when it is not as the commit left it.
fn step_back(files: &Files, record: &Record, number: usize, place: &Move) -> Option<Step> {
    let parent = open_parent(place, files.resolver()).ok()?;
    let folder = file_id(&rustix::fs::fstat(&parent).ok()?);
    if let Some(access) = &place.access {
        let now = Access::of(&parent, &rustix::fs::fstat(&parent).ok()?).ok()?;
        if !now.is_like(&access.1) {
            return None;
        }
        let mut before = access.0.clone();
        if now.modified != access.1.modified {
            // Somebody has put something else into it, or taken something out of it.
            before.modified = None;
        }
        let access = Some(Box::new((now, before)));
        return Some(Step { place: Move { folder, access, ..place.clone() }, source: None });
    }
    let now = status(&parent, place.name()).ok()?;
    let is_as_left = match (&place.new, &now) {
        (None, None) => true,
        (Some(new), Some(now)) => {
            let since = record.staged_at?;
            let is_same = new.is_unwritten(&parent, place.name(), now);
            is_same
                && !(new.is_folder() && has_changed_within(&parent, place.name(), since).ok()?)
        }
        _ => false,
    };
    let holder = 0;
    let path = Path::new(&moved_name(number)).to_path_buf();
    let source = place.old.as_ref().map(|_| Source { holder, path, has_special: false });
    let back = Move {
        path: place.path.clone(),
        folder,
        beside: None,
        old: now.as_ref().map(Stamp::of),
        old_bytes: place.new_bytes,
        new: place.old.clone(),
        new_bytes: place.old_bytes,
        access: None,
        old_changed: now.as_ref().and_then(last_change),
        new_changed: None,
    };
    is_as_left.then_some(Step { place: back, source })
}
