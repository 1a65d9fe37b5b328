//! Patching: what a text says of several files is done to all of them, or to none.
//!
//! All of it is understood, judged, found and written beside its places before the first of these is taken. A hunk is found
//! by its lines, exactly and once, as an edit is by its old text.

mod budget;
mod envelope;
mod parse;
mod place;
mod scope;
mod unified;

use crate::linux::answer::{PatchOperation, PatchedFile, PatchedFiles};
use crate::linux::edit::locate::Lead;
use crate::linux::edit::{MAX_REPLACED, in_order};
use crate::linux::files::Files;
use crate::linux::judge::{Effect, Purpose, file_id};
use crate::linux::ledger::{FileId, NewContent};
use crate::linux::path::Asked;
use crate::linux::publish::{Change, Staged};
use crate::linux::request::{Overwrite, PatchRequest, Text};
use crate::linux::resolve::Handle;
use crate::linux::text::{Document, count_lines, line_at};
use crate::linux::view::View;
use crate::linux::write::{NOT_WRITTEN, Undone, new_file, new_text_of};
use crate::refusal::{Refusal, code};
use budget::Budget;
use parse::{Action, FilePatch, Hunk, Sign, parse};
use place::places;

/// Longest patch.
const MAX_PATCH_BYTES: usize = 1 << 20;
/// Bytes of the files of one patch, old and new, unless one file may have more.
const MAX_TOTAL_BYTES: u64 = 64 << 20;
/// Tries when a file is exchanged between finding and opening it.
const MAX_TRIES: usize = 32;
/// Places of a patch that are shown.
const MAX_SNIPPETS: usize = 10;

/// What becomes of one file, ready for its place.
#[derive(Debug)]
struct Planned {
    /// Of a file that is moved: its new place, then the old one.
    changes: Vec<Change>,
    answer: PatchedFile,
    /// What is remembered of the new content.
    now: Option<NewContent>,
    /// Bytes that were read.
    read: usize,
}

impl Files {
    /// Changes several files as a patch says.
    pub fn patch(&self, request: &PatchRequest) -> Result<PatchedFiles, Refusal> {
        self.apply(request).map_err(|refusal| self.masked(refusal))
    }

    fn apply(&self, request: &PatchRequest) -> Result<PatchedFiles, Refusal> {
        let text = new_text_of(&request.patch, "The patch")?;
        if text.len() > MAX_PATCH_BYTES {
            let reason = format!("it is longer than {MAX_PATCH_BYTES} bytes");
            let refusal = Refusal::new(code::TOO_LARGE, reason).titled("Patch not applied");
            return Err(refusal.with_hint("Send it in parts."));
        }
        let files = parse(text).map_err(|refusal| refusal.titled("Patch not applied"))?;
        let not_applied = |refusal| not_applied(refusal, files.len());
        let budget = Budget::default();
        for _ in 0..MAX_TRIES {
            let tried = self.try_to_apply(&files, request, &budget);
            if let Some(files) = tried.map_err(not_applied)? {
                return Ok(PatchedFiles { files, dry_run: request.dry_run });
            }
        }
        let message = "a file is being replaced all the time";
        Err(not_applied(Refusal::new(code::CHANGED_ON_DISK, message)))
    }

    /// `None` when another file had one of the names meanwhile.
    fn try_to_apply(
        &self,
        files: &[FilePatch],
        request: &PatchRequest,
        budget: &Budget,
    ) -> Result<Option<Vec<PatchedFile>>, Refusal> {
        let (mut handles, mut purposes) = (Vec::new(), Vec::new());
        for file in files {
            for (path, purpose) in file.places() {
                handles.push(self.place(&Text(Some(path.to_owned())), purpose)?);
                purposes.push(purpose);
            }
        }
        check_apart(&handles)?;
        // Each was judged as if it were alone.
        let all = handles.iter().map(|(_, handle)| handle).zip(purposes);
        let effect = Effect::of(all);
        for (asked, handle) in &handles {
            self.check_repository(asked, handle, &effect)?;
        }
        let _locks = Files::lock_all(handles.iter().map(|(_, handle)| handle));
        let mut planned = Vec::with_capacity(files.len());
        let most = MAX_TOTAL_BYTES.max(2 * self.max_read_bytes);
        let mut bytes = 0;
        for file in files {
            let Some(plan) = self.plan(file, request.overwrite, budget)? else { return Ok(None) };
            bytes += (plan.read + plan.answer.bytes) as u64;
            if bytes > most {
                let message = format!("its files have more than {most} bytes together");
                return Err(Refusal::new(code::TOO_LARGE, message).with_hint("Send it in parts."));
            }
            planned.push(plan);
        }
        if !request.dry_run {
            self.publish(&planned)?;
        }
        let mut named = 0;
        let mut answers: Vec<PatchedFile> = planned.into_iter().map(|plan| plan.answer).collect();
        for answer in &mut answers {
            // Tried again and again it would say which guess of a secret is right.
            answer.version = answer.version.take().filter(|_| !request.dry_run);
            answer.edits.truncate(MAX_REPLACED - named);
            for edit in &mut answer.edits {
                named += 1;
                if named > MAX_SNIPPETS {
                    edit.snippet.clear();
                }
            }
        }
        Ok(Some(answers))
    }

    fn publish(&self, planned: &[Planned]) -> Result<(), Refusal> {
        let changes: Vec<&Change> = planned.iter().flat_map(|plan| &plan.changes).collect();
        let mut stats = Staged::new(&changes, self.way)?.publish()?.into_iter();
        let mut ledger = self.ledger();
        for plan in planned {
            let ids: Vec<FileId> =
                stats.by_ref().take(plan.changes.len()).map(|stat| file_id(&stat)).collect();
            if let (Some(&file), Some(now)) = (ids.first(), &plan.now) {
                ledger.record_change(file, now);
            }
        }
        Ok(())
    }

    fn plan(
        &self,
        file: &FilePatch,
        overwrite: Overwrite,
        budget: &Budget,
    ) -> Result<Option<Planned>, Refusal> {
        let path = Text(Some(file.path.clone()));
        match &file.action {
            Action::Add { content, is_executable } => {
                let (asked, handle) = self.place(&path, Purpose::Write)?;
                self.plan_new(asked, handle, content, *is_executable).map(Some)
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
                let (asked, handle) = self.place(&Text(Some(target.clone())), Purpose::Write)?;
                check_absent(&asked, &handle)?;
                let from = std::mem::replace(&mut planned.answer, self.named(&handle));
                planned.answer = PatchedFile {
                    operation: PatchOperation::Move,
                    path: std::mem::take(&mut planned.answer.path),
                    absolute: std::mem::take(&mut planned.answer.absolute),
                    removed: if hunks.is_empty() { 0 } else { from.removed },
                    from: Some(from.path),
                    ..from
                };
                if let Some(old) = planned.changes.pop() {
                    planned.changes.extend(old.moved_to(asked, handle));
                }
                Ok(Some(planned))
            }
            Action::Delete { hunks } => {
                let Some(planned) = self.plan_removal(&path, hunks, overwrite, budget)? else {
                    return Ok(None);
                };
                let Planned { changes, answer, now, read } = planned;
                // A byte order mark may be left.
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
                Ok(Some(Planned { changes, answer, now: None, read }))
            }
        }
    }

    fn plan_new(
        &self,
        asked: Asked,
        handle: Handle,
        content: &str,
        is_executable: bool,
    ) -> Result<Planned, Refusal> {
        check_absent(&asked, &handle)?;
        let bytes = new_file(&asked, content)?;
        let now = self.new_content(&bytes, content);
        let answer = PatchedFile {
            operation: PatchOperation::Add,
            bytes: bytes.len(),
            added: count_lines(content),
            version: Some(self.version(&handle, now.hash)),
            ..self.named(&handle)
        };
        let change = Change::creating(asked, handle, bytes, is_executable);
        Ok(Planned { changes: vec![change], answer, now: Some(now), read: 0 })
    }

    fn plan_update(
        &self,
        path: &Text,
        purpose: Purpose,
        hunks: &[Hunk],
        budget: &Budget,
    ) -> Result<Option<Planned>, Refusal> {
        let (asked, handle) = self.place(path, purpose)?;
        if purpose == Purpose::Remove {
            self.check_no_link(&asked, &handle)?;
        }
        let Some(old) = self.content(&asked, &handle, purpose)? else { return Ok(None) };
        self.check_identity(&asked, &old.stat, purpose)?;
        let read = old.bytes.len();
        let lead = Lead { title: None, ..Lead::of_edit() };
        let named = self.named(&handle);
        let texts = hunks.iter().flat_map(|hunk| &hunk.lines).map(|line| line.text.as_str());
        let prepared = self.replace_places((asked, handle, old), &lead, texts, |asked, text| {
            in_order(places(asked, text, hunks, budget)?).map_err(|(a, b, at)| {
                let line = line_at(text, at);
                let message = format!("{}: hunks {a} and {b} overlap at line {line}", asked.shown);
                Refusal::new(code::OVERLAP, message).with_lines(vec![line])
            })
        })?;
        if prepared.is_same {
            let message =
                format!("{}: the patch changes nothing in it", prepared.change.asked.shown);
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
            ..named
        };
        Ok(Some(Planned { changes: vec![prepared.change], answer, now: Some(prepared.now), read }))
    }

    /// A file that is to lose its name, with the content that it would have.
    fn plan_removal(
        &self,
        path: &Text,
        hunks: &[Hunk],
        overwrite: Overwrite,
        budget: &Budget,
    ) -> Result<Option<Planned>, Refusal> {
        if !hunks.is_empty() {
            return self.plan_update(path, Purpose::Remove, hunks, budget);
        }
        let (asked, handle) = self.place(path, Purpose::Remove)?;
        self.check_no_link(&asked, &handle)?;
        let Some(old) = self.content(&asked, &handle, Purpose::Remove)? else { return Ok(None) };
        self.check_identity(&asked, &old.stat, Purpose::Remove)?;
        if overwrite == Overwrite::Known {
            let document = Document::decode(old.bytes.clone());
            let view = View::of(&self.redactor, &document.text);
            self.check_known((file_id(&old.stat), old.hash), &document, &view)
                .map_err(|unknown| unknown.refuse(&asked, &Undone::REMOVE))?;
        }
        let answer = PatchedFile {
            bytes: old.bytes.len(),
            removed: count_lines(&String::from_utf8_lossy(&old.bytes)),
            version: Some(self.version(&handle, old.hash)),
            ..self.named(&handle)
        };
        let read = old.bytes.len();
        let change = Change::replacing(asked, handle, old.stat, old.bytes);
        Ok(Some(Planned { changes: vec![change], answer, now: None, read }))
    }

    /// A link is neither removed nor moved: what it leads to would be.
    fn check_no_link(&self, asked: &Asked, handle: &Handle) -> Result<(), Refusal> {
        let entry = self.resolver().walk(&asked.absolute, false);
        if entry.is_ok_and(|entry| entry.canonical() == handle.canonical()) {
            return Ok(());
        }
        let reason = format!("{} is a link", asked.shown);
        let hint = format!("It leads to {}; name that file.", self.display(handle.canonical()));
        Err(Refusal::new(code::SPECIAL_FILE, reason).titled("Remove denied").with_hint(hint))
    }

    /// The names of a place.
    fn named(&self, handle: &Handle) -> PatchedFile {
        PatchedFile {
            path: self.display(handle.canonical()),
            absolute: self.masked_text(&handle.canonical().to_string_lossy()),
            ..PatchedFile::default()
        }
    }
}

/// A refusal of one file, as that of a patch.
fn not_applied(refusal: Refusal, count: usize) -> Refusal {
    if refusal.code == code::APPLIED_IN_PART {
        return refusal;
    }
    let files = if count == 1 { "file" } else { "files" };
    let message = format!("Patch not applied (0 of {count} {files}). {}", refusal.message);
    Refusal { message: message.into(), ..refusal }
}

impl FilePatch {
    /// The places that it is about.
    fn places(&self) -> Vec<(&str, Purpose)> {
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

fn check_absent(asked: &Asked, handle: &Handle) -> Result<(), Refusal> {
    if handle.stat().is_none() {
        return Ok(());
    }
    let reason = format!("{} exists", asked.shown);
    let hint = "Update it, or name a file that does not exist.";
    Err(Refusal::new(code::EXISTS, reason).titled(NOT_WRITTEN).with_hint(hint))
}

/// A patch speaks of each file once, and of none as a folder of another.
fn check_apart(places: &[(Asked, Handle)]) -> Result<(), Refusal> {
    let mut sorted: Vec<&(Asked, Handle)> = places.iter().collect();
    sorted.sort_by_key(|(_, handle)| handle.canonical());
    for pair in sorted.windows(2) {
        let [(a, first), (b, second)] = pair else { continue };
        if second.canonical().starts_with(first.canonical()) {
            let message =
                format!("{} and {} are one file, or one lies in the other", a.shown, b.shown);
            let hint = "Put all hunks of a file below one header.";
            return Err(Refusal::new(code::INVALID_PATCH, message).with_hint(hint));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
