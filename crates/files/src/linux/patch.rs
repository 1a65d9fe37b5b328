//! Applies a patch to several files: to all of them, or to none.
//!
//! The whole patch is parsed, its paths are judged, its hunks are found and the new contents are written to temporary files
//! before the first file is changed. A hunk is found by its lines, exactly and once, as an edit is by its old text.

mod alike;
mod budget;
mod envelope;
mod parse;
mod place;
mod plan;
mod scope;
mod unified;
mod wrapping;

use crate::linux::answer::{PatchedFile, PatchedFiles};
use crate::linux::edit::MAX_REPLACED;
use crate::linux::files::Files;
use crate::linux::judge::file_id;
use crate::linux::ledger::FileId;
use crate::linux::path::RequestedPath;
use crate::linux::publish::{Change, Staged};
use crate::linux::repository::TreeAfter;
use crate::linux::request::{PatchRequest, Text};
use crate::linux::resolve::Handle;
use crate::linux::until_stable;
use crate::linux::write::new_text;
use crate::refusal::{Refusal, code};
use budget::SearchBudget;
use parse::{FilePatch, parse};
use plan::PlannedFile;

/// Longest text of a patch.
const MAX_PATCH_BYTES: usize = 1 << 20;
/// Most bytes of all files of one patch, old and new, unless two files of the largest size have more.
const MAX_TOTAL_BYTES: u64 = 64 << 20;
/// Most places of a patch that are shown with a snippet.
const MAX_SNIPPETS: usize = 10;

impl Files {
    pub(super) fn apply_patch(&self, request: &PatchRequest) -> Result<PatchedFiles, Refusal> {
        let text = new_text(&request.patch, "The patch")?;
        if text.len() > MAX_PATCH_BYTES {
            let reason = format!("it is longer than {MAX_PATCH_BYTES} bytes");
            let refusal = Refusal::new(code::TOO_LARGE, reason).titled("Patch not applied");
            return Err(refusal.with_hint("Send it in parts."));
        }
        let files = parse(text).map_err(|refusal| refusal.titled("Patch not applied"))?;
        let not_applied = |refusal| not_applied(refusal, files.len());
        let budget = SearchBudget::default();
        let applied = until_stable(None, || self.try_to_apply(&files, request, &budget));
        Ok(PatchedFiles { files: applied.map_err(not_applied)?, dry_run: request.dry_run })
    }

    /// Applies the patch; `None` when another file took one of the names meanwhile.
    fn try_to_apply(
        &self,
        files: &[FilePatch],
        request: &PatchRequest,
        budget: &SearchBudget,
    ) -> Result<Option<Vec<PatchedFile>>, Refusal> {
        let (mut handles, mut purposes) = (Vec::new(), Vec::new());
        for file in files {
            for (path, purpose) in file.places() {
                handles.push(self.place(&Text(Some(path.to_owned())), purpose)?);
                purposes.push(purpose);
            }
        }
        check_apart(&handles)?;
        // Until here each place was judged as if the patch changed no other.
        let handles_and_purposes = handles.iter().map(|(_, handle)| handle).zip(purposes);
        let tree_after = TreeAfter::of(handles_and_purposes);
        for (requested, handle) in &handles {
            self.check_repository(requested, handle, &tree_after)?;
        }
        let _locks = Files::lock_all(handles.iter().map(|(_, handle)| handle));
        let mut planned = Vec::with_capacity(files.len());
        let max_bytes = MAX_TOTAL_BYTES.max(2 * self.max_read_bytes);
        let mut bytes = 0;
        for file in files {
            let Some(planned_file) = self.plan_file(file, request.overwrite, budget)? else {
                return Ok(None);
            };
            bytes += (planned_file.bytes_read + planned_file.answer.bytes) as u64;
            if bytes > max_bytes {
                let message = format!("its files have more than {max_bytes} bytes together");
                return Err(Refusal::new(code::TOO_LARGE, message).with_hint("Send it in parts."));
            }
            planned.push(planned_file);
        }
        if !request.dry_run {
            self.publish(&planned, request.caller.as_str())?;
        }
        let mut named_places = 0;
        let mut answers: Vec<PatchedFile> =
            planned.into_iter().map(|planned_file| planned_file.answer).collect();
        for answer in &mut answers {
            // The versions of dry runs would tell which guess of a secret is right.
            answer.version = answer.version.take().filter(|_| !request.dry_run);
            answer.edits.truncate(MAX_REPLACED - named_places);
            for edit in &mut answer.edits {
                named_places += 1;
                if named_places > MAX_SNIPPETS {
                    edit.snippet.clear();
                }
            }
        }
        Ok(Some(answers))
    }

    fn publish(&self, planned: &[PlannedFile], caller: &str) -> Result<(), Refusal> {
        let changes: Vec<&Change> =
            planned.iter().flat_map(|planned_file| &planned_file.changes).collect();
        let call = self.journal_call("file_patch", caller);
        let mut stats = Staged::new(&changes, self.publish_options, call)?.publish()?.into_iter();
        let mut ledger = self.ledger();
        for planned_file in planned {
            let ids: Vec<FileId> = stats
                .by_ref()
                .take(planned_file.changes.len())
                .map(|stat| file_id(&stat))
                .collect();
            if let (Some(&file), Some(now)) = (ids.first(), &planned_file.now) {
                ledger.record_change(file, now);
            }
        }
        Ok(())
    }
}

/// The refusal of a patch of this many files, from the refusal of one file.
fn not_applied(refusal: Refusal, count: usize) -> Refusal {
    if refusal.code == code::APPLIED_IN_PART {
        return refusal;
    }
    let files = if count == 1 { "file" } else { "files" };
    let message = format!("Patch not applied (0 of {count} {files}). {}", refusal.message);
    Refusal { message: message.into(), ..refusal }
}

/// Refuses a patch that names a file twice, or a file and a folder above it.
fn check_apart(places: &[(RequestedPath, Handle)]) -> Result<(), Refusal> {
    let mut sorted: Vec<&(RequestedPath, Handle)> = places.iter().collect();
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
