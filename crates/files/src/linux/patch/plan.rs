//! Plans what a patch does to one file, without changing the file.

use super::budget::SearchBudget;
use super::parse::{Action, FilePatch, Hunk, Sign};
use super::place::places;
use crate::linux::answer::{PatchOperation, PatchedFile};
use crate::linux::edit::locate::Wording;
use crate::linux::edit::sorted_apart;
use crate::linux::files::Files;
use crate::linux::judge::{Purpose, file_id};
use crate::linux::ledger::NewContent;
use crate::linux::path::RequestedPath;
use crate::linux::publish::Change;
use crate::linux::request::{Overwrite, Text};
use crate::linux::resolve::Handle;
use crate::linux::text::{Document, count_lines, line_at};
use crate::linux::view::MaskedView;
use crate::linux::write::{LossWording, NOT_WRITTEN, new_file_bytes};
use crate::refusal::{Refusal, code};

/// The changes of one file, ready to be published.
#[derive(Debug)]
pub(super) struct PlannedFile {
    /// One change; for a moved file that of its new place, then that of the old one.
    pub(super) changes: Vec<Change>,
    pub(super) answer: PatchedFile,
    /// The new content to remember.
    pub(super) now: Option<NewContent>,
    /// Number of bytes that were read.
    pub(super) bytes_read: usize,
}

impl Files {
    pub(super) fn plan_file(
        &self,
        file: &FilePatch,
        overwrite: Overwrite,
        budget: &SearchBudget,
    ) -> Result<Option<PlannedFile>, Refusal> {
        let path = Text(Some(file.path.clone()));
        match &file.action {
            Action::Add { content, is_executable } => {
                let (requested, handle) = self.place(&path, Purpose::Write)?;
                self.plan_new(requested, handle, content, *is_executable).map(Some)
            }
            Action::Update { hunks, move_to: None } => {
                self.plan_update(&path, Purpose::Edit, hunks, budget)
            }
            Action::Update { hunks, move_to: Some(target) } => {
                let Some(mut planned) =
                    self.plan_removal(&path, hunks, Overwrite::Always, budget)?
                else {
                    return Ok(None);
                };
                let (requested, handle) =
                    self.place(&Text(Some(target.clone())), Purpose::Write)?;
                check_is_new(&requested, &handle)?;
                let from = std::mem::replace(&mut planned.answer, self.names_of(&handle));
                planned.answer = PatchedFile {
                    operation: PatchOperation::Move,
                    path: std::mem::take(&mut planned.answer.path),
                    absolute: std::mem::take(&mut planned.answer.absolute),
                    removed: if hunks.is_empty() { 0 } else { from.removed },
                    from: Some(from.path),
                    ..from
                };
                if let Some(old) = planned.changes.pop() {
                    planned.changes.extend(old.moved_to(requested, handle));
                }
                Ok(Some(planned))
            }
            Action::Delete { hunks } => {
                let Some(planned) = self.plan_removal(&path, hunks, overwrite, budget)? else {
                    return Ok(None);
                };
                let PlannedFile { changes, answer, now, bytes_read } = planned;
                // Only a byte order mark may be left.
                if now.is_some_and(|now| !now.shown.is_empty()) {
                    let reason = format!(
                        "{} has further lines than those that the patch removes",
                        answer.path
                    );
                    let refusal = Refusal::new(code::NO_MATCH, reason).titled("Remove failed");
                    return Err(refusal.with_hint("Read it again."));
                }
                let answer = PatchedFile {
                    operation: PatchOperation::Delete,
                    removed: answer.removed,
                    path: answer.path,
                    absolute: answer.absolute,
                    ..PatchedFile::default()
                };
                let changes = changes.into_iter().map(Change::into_removal).collect();
                Ok(Some(PlannedFile { changes, answer, now: None, bytes_read }))
            }
        }
    }

    fn plan_new(
        &self,
        requested: RequestedPath,
        handle: Handle,
        content: &str,
        is_executable: bool,
    ) -> Result<PlannedFile, Refusal> {
        check_is_new(&requested, &handle)?;
        let bytes = new_file_bytes(&requested, content)?;
        let now = self.new_content(&bytes, content);
        let answer = PatchedFile {
            operation: PatchOperation::Add,
            bytes: bytes.len(),
            added: count_lines(content),
            version: Some(self.version(&handle, now.hash)),
            ..self.names_of(&handle)
        };
        let change = Change::creating(requested, handle, bytes, is_executable);
        Ok(PlannedFile { changes: vec![change], answer, now: Some(now), bytes_read: 0 })
    }

    fn plan_update(
        &self,
        path: &Text,
        purpose: Purpose,
        hunks: &[Hunk],
        budget: &SearchBudget,
    ) -> Result<Option<PlannedFile>, Refusal> {
        let (requested, handle) = self.place(path, purpose)?;
        if purpose == Purpose::Remove {
            self.check_no_link(&requested, &handle)?;
        }
        let Some(old) = self.content(&requested, &handle, purpose)? else { return Ok(None) };
        self.check_identity(&requested, &old.stat, purpose)?;
        let bytes_read = old.bytes.len();
        let wording = Wording { title: None, ..Wording::of_edit() };
        let names_of = self.names_of(&handle);
        let texts = hunks.iter().flat_map(|hunk| &hunk.lines).map(|line| line.text.as_str());
        let prepared =
            self.replace_places((requested, handle, old), &wording, texts, |requested, text| {
                sorted_apart(places(requested, text, hunks, budget)?).map_err(|(a, b, at)| {
                    let line = line_at(text, at);
                    let message =
                        format!("{}: hunks {a} and {b} overlap at line {line}", requested.shown);
                    Refusal::new(code::OVERLAP, message).with_lines(vec![line])
                })
            })?;
        if prepared.is_same {
            let message =
                format!("{}: the patch changes nothing in it", prepared.change.requested.shown);
            return Err(Refusal::new(code::UNCHANGED, message));
        }
        let count = |sign| {
            hunks.iter().flat_map(|hunk| &hunk.lines).filter(|line| line.sign == sign).count()
        };
        let answer = PatchedFile {
            operation: PatchOperation::Update,
            bytes: prepared.answer.bytes,
            added: count(Sign::Added),
            removed: count(Sign::Removed),
            places: prepared.answer.places,
            edits: prepared.answer.edits,
            restored_masks: prepared.answer.restored_masks,
            version: Some(prepared.answer.version),
            ..names_of
        };
        Ok(Some(PlannedFile {
            changes: vec![prepared.change],
            answer,
            now: Some(prepared.now),
            bytes_read,
        }))
    }

    /// Plans to remove or move a file, after its hunks are applied.
    fn plan_removal(
        &self,
        path: &Text,
        hunks: &[Hunk],
        overwrite: Overwrite,
        budget: &SearchBudget,
    ) -> Result<Option<PlannedFile>, Refusal> {
        if !hunks.is_empty() {
            return self.plan_update(path, Purpose::Remove, hunks, budget);
        }
        let (requested, handle) = self.place(path, Purpose::Remove)?;
        self.check_no_link(&requested, &handle)?;
        let Some(old) = self.content(&requested, &handle, Purpose::Remove)? else {
            return Ok(None);
        };
        self.check_identity(&requested, &old.stat, Purpose::Remove)?;
        if overwrite == Overwrite::Known {
            let document = Document::decode(old.bytes.clone());
            let view = MaskedView::of(&self.redactor, &document.text);
            let content = (file_id(&old.stat), old.hash);
            self.check_known(&requested, content, &document, &view, &LossWording::REMOVE)?;
        }
        let answer = PatchedFile {
            bytes: old.bytes.len(),
            removed: count_lines(&String::from_utf8_lossy(&old.bytes)),
            version: Some(self.version(&handle, old.hash)),
            ..self.names_of(&handle)
        };
        let bytes_read = old.bytes.len();
        let change = Change::replacing(requested, handle, old.stat, old.bytes);
        Ok(Some(PlannedFile { changes: vec![change], answer, now: None, bytes_read }))
    }

    /// Refuses to remove or move a link, since the file that it leads to would be removed or moved.
    fn check_no_link(&self, requested: &RequestedPath, handle: &Handle) -> Result<(), Refusal> {
        let entry = self.resolver().walk(&requested.absolute, false);
        if entry.is_ok_and(|entry| entry.canonical() == handle.canonical()) {
            return Ok(());
        }
        let hint = format!("It leads to {}; name that file.", self.display(handle.canonical()));
        Err(requested
            .refuse(code::SPECIAL_FILE, "is a link")
            .titled("Remove denied")
            .with_hint(hint))
    }

    /// An answer with the paths of a place only.
    fn names_of(&self, handle: &Handle) -> PatchedFile {
        PatchedFile {
            path: self.display(handle.canonical()),
            absolute: self.masked_text(&handle.canonical().to_string_lossy()),
            ..PatchedFile::default()
        }
    }
}

impl FilePatch {
    /// The paths that the patch names for this file, and what it does with each.
    pub(super) fn places(&self) -> Vec<(&str, Purpose)> {
        let path = self.path.as_str();
        match &self.action {
            Action::Add { .. } => vec![(path, Purpose::Write)],
            Action::Update { move_to: None, .. } => vec![(path, Purpose::Edit)],
            Action::Update { move_to: Some(to), .. } => {
                vec![(path, Purpose::Remove), (to, Purpose::Write)]
            }
            Action::Delete { .. } => vec![(path, Purpose::Remove)],
        }
    }
}

fn check_is_new(requested: &RequestedPath, handle: &Handle) -> Result<(), Refusal> {
    if handle.stat().is_none() {
        return Ok(());
    }
    let hint = "Update it, or name a file that does not exist.";
    Err(requested.refuse(code::EXISTS, "exists").titled(NOT_WRITTEN).with_hint(hint))
}
