//! Lists the calls that changed files below the roots.

use std::collections::HashSet;

use crate::linux::answer::{ChangeHistory, ChangeRecord, ChangeState, ChangedFile, FileChange};
use crate::linux::files::Files;
use crate::linux::journal::{Facts, Journal, PathName, Record};
use crate::linux::masked_diff::Diffs;
use crate::linux::record_diff::KeptCalls;
use crate::linux::request::{HistoryRequest, Text};
use crate::refusal::{Refusal, code};

/// Most files of one call that are listed.
pub(crate) const MAX_FILES: usize = 1000;

/// Which records a caller may see and take back.
pub(crate) struct Scope<'s> {
    /// Those of other hosts too.
    pub(crate) all: bool,
    pub(crate) caller: Option<&'s Text>,
}

impl Files {
    pub(super) fn list_changes(&self, request: &HistoryRequest) -> Result<ChangeHistory, Refusal> {
        let journal = self.open_journal()?;
        let scope = Scope { all: request.all, caller: request.caller.as_ref() };
        let records = self.records(journal, &scope)?;
        let truncated = records.len() > request.limit;
        let calls = KeptCalls { files: self, journal, records: &records };
        let mut diffs = request.diff.then(|| Diffs::of(self));
        let shown = records.iter().take(request.limit);
        let changes =
            shown.map(|(record, state)| self.described(&calls, record, *state, &mut diffs));
        let changes: Vec<_> = changes.collect();
        let (kept_bytes, max_bytes) = journal.usage().map_err(refuse_unread)?;
        Ok(ChangeHistory { changes, truncated, kept_bytes, max_bytes, failure: journal.failure() })
    }

    /// The journal, or the refusal that says why there is none.
    pub(crate) fn open_journal(&self) -> Result<&Journal, Refusal> {
        self.journal().map_err(|why| {
            Refusal::new(code::NOT_KEPT, format!("what changes replace is not kept: {why}"))
        })
    }

    /// The records of the scope whose places all lie below the roots, newest first, each with what can be done with it.
    pub(crate) fn records(
        &self,
        journal: &Journal,
        scope: &Scope<'_>,
    ) -> Result<Vec<(Record, ChangeState)>, Refusal> {
        // A call that was taken back does not count: what it took back itself is there again.
        let mut undone: HashSet<String> = HashSet::new();
        let mut found = Vec::new();
        for record in journal.records().map_err(refuse_unread)? {
            let is_undone = undone.contains(&record.id);
            if !is_undone {
                undone.extend(record.undoes.iter().cloned());
            }
            let state = if is_undone {
                ChangeState::Undone
            } else if record.is_interrupted {
                ChangeState::Interrupted
            } else if record.places.iter().any(|place| !place.is_kept)
                || !(record.moves.is_empty() || journal.has_kept(&record))
            {
                ChangeState::Unkept
            } else {
                ChangeState::Done
            };
            let is_beneath = |path: &PathName| self.resolver().root_of(&path.0).is_some();
            let is_of_caller = scope
                .caller
                .is_none_or(|caller| caller.0.as_deref() == Some(record.caller.as_str()));
            if (scope.all || record.owner == journal.owner)
                && is_of_caller
                && record.places.iter().map(|place| &place.path).all(is_beneath)
                && record.moves.iter().map(|place| &place.path).all(is_beneath)
            {
                found.push((record, state));
            }
        }
        Ok(found)
    }

    fn described(
        &self,
        calls: &KeptCalls<'_>,
        record: &Record,
        state: ChangeState,
        diffs: &mut Option<Diffs<'_>>,
    ) -> ChangeRecord {
        let files = self.files_of(calls, record, diffs, false);
        let moved = record.moves.iter().filter(|place| place.access.is_none());
        ChangeRecord {
            id: record.id.clone(),
            time_ms: record.time_ms(),
            tool: record.tool.clone(),
            caller: self.masked_text(&record.caller),
            own: record.owner == calls.journal.owner,
            state,
            undoes: record.undoes.clone(),
            file_count: record.places.len() + moved.count(),
            files,
        }
    }

    /// What a call did to files, or what taking it back does, as far as the record says.
    pub(crate) fn files_of(
        &self,
        calls: &KeptCalls<'_>,
        record: &Record,
        diffs: &mut Option<Diffs<'_>>,
        is_back: bool,
    ) -> Vec<ChangedFile> {
        let mut files = Vec::new();
        for (number, place) in record.places.iter().enumerate().take(MAX_FILES) {
            let bytes = |facts: &Option<_>| facts.as_ref().map(Facts::bytes);
            let (old, new) = (bytes(&place.old), bytes(&place.new));
            let (before, after) = if is_back { (new, old) } else { (old, new) };
            let file = self.changed_file(&place.path.0, before, after);
            let diff = diffs.as_mut().map(|diffs| calls.of_place(diffs, record, number, is_back));
            files.push(ChangedFile { diff, ..file });
        }
        let moved = record.moves.iter().enumerate().filter(|(_, place)| place.access.is_none());
        for (number, place) in moved.take(MAX_FILES - files.len()) {
            let diff = diffs.as_mut().map(|diffs| calls.of_move(diffs, record, number, is_back));
            files.push(ChangedFile { diff, ..self.moved_file(place, is_back) });
        }
        files
    }

    /// What becomes of a file with these sizes before and after.
    pub(crate) fn changed_file(
        &self,
        path: &std::path::Path,
        bytes_before: Option<u64>,
        bytes_after: Option<u64>,
    ) -> ChangedFile {
        let operation = match (bytes_before, bytes_after) {
            (None, _) => FileChange::Add,
            (_, None) => FileChange::Delete,
            _ => FileChange::Update,
        };
        let path = self.display_whole(path).0;
        ChangedFile { path, operation, bytes_before, bytes_after, diff: None }
    }
}

/// The refusal when the journal cannot be read.
pub(crate) fn refuse_unread(error: rustix::io::Errno) -> Refusal {
    let error = std::io::Error::from(error);
    Refusal::new(code::SYSTEM, format!("the record of changes cannot be read: {error}"))
}
