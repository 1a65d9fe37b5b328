//! Takes calls that changed files back: every file gets what it had before the oldest of them, or none does.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use rustix::io::Errno;

use crate::linux::answer::{ChangeState, ChangedFile, UndoneChanges};
use crate::linux::files::Files;
use crate::linux::history::{MAX_FILES, Scope, refuse_unread};
use crate::linux::journal::{
    Facts, Journal, JournalCall, PathName, Pending, Record, hash_of, hash_of_file, remove_empty,
};
use crate::linux::judge::{Purpose, refuse_system_error};
use crate::linux::masked_diff::{Diffs, Entry, Side};
use crate::linux::path::RequestedPath;
use crate::linux::publish::{Change, Staged};
use crate::linux::record_diff::KeptCalls;
use crate::linux::repository::TreeAfter;
use crate::linux::request::{Text, UndoRequest};
use crate::linux::resolve::Handle;
use crate::refusal::{Refusal, code};

const NOT_UNDONE: &str = "Nothing undone";
/// Most files that a refusal names.
const MAX_NAMED_FILES: usize = 10;

/// What a file has to get.
struct Wanted<'r> {
    /// What it has after the newest of the calls; `None` for no file.
    now: Option<&'r Facts>,
    /// What it had before the oldest of them, and where that is kept.
    before: Option<(&'r Facts, &'r Record, usize)>,
    /// The newest of them, with its number for the file: where the file is gone, it says what owner and mode the file had.
    last: (&'r Record, usize),
}

impl Wanted<'_> {
    fn purpose(&self) -> Purpose {
        if self.before.is_some() { Purpose::Write } else { Purpose::Remove }
    }
}

impl Files {
    pub(super) fn undo_changes(&self, request: &UndoRequest) -> Result<UndoneChanges, Refusal> {
        self.try_to_undo(request).map_err(|refusal| match refusal.code {
            code::APPLIED_IN_PART => refusal,
            _ => refusal.titled(NOT_UNDONE),
        })
    }

    fn try_to_undo(&self, request: &UndoRequest) -> Result<UndoneChanges, Refusal> {
        let journal = self.open_journal()?;
        let scope = Scope { all: request.all, caller: request.of_caller.as_ref() };
        let records = self.records(journal, &scope)?;
        let chosen = chosen(&records, request)?;
        if chosen.iter().any(|record| !record.moves.is_empty()) {
            let calls = KeptCalls { files: self, journal, records: &records };
            return self.undo_one_by_one(&calls, &chosen, request);
        }
        let mut diffs = request.diff.then(|| Diffs::of(self));
        self.undo_files(journal, &chosen, request.caller.as_str(), request.dry_run, &mut diffs)
    }

    /// Takes calls back of which one is a commit. Where one of them cannot be taken back, those before are made again.
    fn undo_one_by_one(
        &self,
        calls: &KeptCalls<'_>,
        chosen: &[&Record],
        request: &UndoRequest,
    ) -> Result<UndoneChanges, Refusal> {
        let mut all = UndoneChanges { dry_run: request.dry_run, ..UndoneChanges::default() };
        let mut done: Vec<String> = Vec::new();
        let journal = calls.journal;
        self.check_all(journal, chosen)?;
        let mut diffs = request.diff.then(|| Diffs::of(self));
        for record in chosen {
            let would_change = if request.dry_run || request.diff {
                self.files_of(calls, record, &mut diffs, true)
            } else {
                Vec::new()
            };
            if request.dry_run {
                all.undone.push(record.id.clone());
                all.files.extend(would_change);
                continue;
            }
            match self.undo_record(journal, record, request) {
                Ok(undone) => {
                    all.undone.push(record.id.clone());
                    all.files.extend(if request.diff { would_change } else { undone.files });
                    done.extend(undone.id);
                }
                Err(refusal) => {
                    let is_none = done.iter().rev().all(|id| self.make_again(journal, id, request));
                    return Err(if is_none {
                        refusal
                    } else {
                        Refusal { code: code::APPLIED_IN_PART, ..refusal }
                    });
                }
            }
        }
        all.files.truncate(MAX_FILES);
        all.id = done.pop();
        Ok(all)
    }

    /// Looks at every place as it is, but for those that a later one of the calls has changed: what that leaves is not there yet.
    fn check_all(&self, journal: &Journal, chosen: &[&Record]) -> Result<(), Refusal> {
        let mut later: BTreeSet<&Path> = BTreeSet::new();
        for record in chosen {
            let is_later = |path: &Path| {
                let below = (Bound::Included(path), Bound::Unbounded);
                path.ancestors().any(|above| later.contains(above))
                    || later.range::<Path, _>(below).next().is_some_and(|one| one.starts_with(path))
            };
            if !record.moves.is_empty() {
                let changed = self.plan_commit_back(record)?.err().unwrap_or_default();
                let theirs: Vec<PathBuf> =
                    changed.into_iter().filter(|path| !is_later(path)).collect();
                if !theirs.is_empty() {
                    return Err(self.refuse_changed_since(&theirs));
                }
            } else if !record.places.iter().any(|place| is_later(&place.path.0)) {
                self.undo_files(journal, &[record], "", true, &mut None)?;
            }
            later.extend(record.places.iter().map(|place| place.path.0.as_path()));
            let entries = record.moves.iter().filter(|place| place.access.is_none());
            later.extend(entries.map(|place| place.path.0.as_path()));
        }
        Ok(())
    }

    /// Takes back the call that took another one back. Whether that could be done.
    fn make_again(&self, journal: &Journal, id: &str, request: &UndoRequest) -> bool {
        let scope = Scope { all: true, caller: None };
        let records = self.records(journal, &scope).unwrap_or_default();
        let record = records.iter().find(|(record, _)| record.id == id);
        record.is_some_and(|(record, _)| self.undo_record(journal, record, request).is_ok())
    }

    fn undo_record(
        &self,
        journal: &Journal,
        record: &Record,
        request: &UndoRequest,
    ) -> Result<UndoneChanges, Refusal> {
        if record.moves.is_empty() {
            let caller = request.caller.as_str();
            return self.undo_files(journal, &[record], caller, false, &mut None);
        }
        let changed = |paths: Vec<PathBuf>| self.refuse_changed_since(&paths);
        let back = self.plan_commit_back(record)?.map_err(changed)?;
        let files = back.files.clone();
        let caller = request.caller.as_str();
        let id = Some(self.take_commit_back(journal, caller, back)?.map_err(changed)?);
        Ok(UndoneChanges { id, files, ..UndoneChanges::default() })
    }

    /// Takes calls back that changed files one by one.
    fn undo_files(
        &self,
        journal: &Journal,
        chosen: &[&Record],
        caller: &str,
        dry_run: bool,
        diffs: &mut Option<Diffs<'_>>,
    ) -> Result<UndoneChanges, Refusal> {
        let wanted = wanted(chosen).map_err(|paths| self.refuse_changed_since(&paths))?;
        let mut answer = UndoneChanges {
            undone: chosen.iter().map(|record| record.id.clone()).collect(),
            dry_run,
            ..UndoneChanges::default()
        };
        let mut places = Vec::new();
        for (path, wanted) in &wanted {
            places.push((self.place_of(path, wanted)?, wanted));
        }
        let tree_after =
            TreeAfter::of(places.iter().map(|((_, handle), wanted)| (handle, wanted.purpose())));
        for ((requested, handle), _) in &places {
            self.check_repository(requested, handle, &tree_after)?;
        }
        let _locks = Files::lock_all(places.iter().map(|((_, handle), _)| handle));
        let (mut changes, mut changed_since) = (Vec::new(), Vec::new());
        for ((requested, handle), wanted) in places {
            let path = handle.canonical().to_path_buf();
            match self.change_back(journal, requested, handle, wanted, diffs)? {
                Back::Done => {}
                Back::ChangedSince => changed_since.push(path),
                Back::Change(change, file) => {
                    changes.push(*change);
                    answer.files.push(file);
                }
            }
        }
        if !changed_since.is_empty() {
            return Err(self.refuse_changed_since(&changed_since));
        }
        if dry_run {
            return Ok(answer);
        }
        let changes: Vec<&Change> = changes.iter().collect();
        let folders = chosen.iter().flat_map(|record| record.folders.iter().rev());
        let emptied: Vec<PathName> = folders.cloned().collect();
        let call = JournalCall {
            journal,
            tool: "changes_undo",
            caller,
            undoes: &answer.undone,
            emptied: &emptied,
        };
        let staged = Staged::new(&changes, self.publish_options, Some(call))?;
        answer.id = staged.id();
        let pending = staged.publish_open()?;
        remove_empty(&emptied, self.resolver());
        // Where the record cannot get its last name, the next start gives it.
        let _ = pending.map(Pending::close);
        Ok(answer)
    }

    /// Judges the place of a file as a call that writes or removes it would be.
    fn place_of(
        &self,
        path: &Path,
        wanted: &Wanted<'_>,
    ) -> Result<(RequestedPath, Handle), Refusal> {
        let text = Text(path.to_str().map(str::to_owned));
        // A file that is gone already needs no permission to be removed.
        let purpose = match wanted.purpose() {
            Purpose::Remove if path.symlink_metadata().is_ok() => Purpose::Remove,
            _ => Purpose::Restore,
        };
        let (requested, handle) = self.place(&text, purpose)?;
        if handle.canonical() == path {
            return Ok((requested, handle));
        }
        Err(self.refuse_changed_since(&[path.to_path_buf()]))
    }

    /// The change that gives a file what it had.
    fn change_back(
        &self,
        journal: &Journal,
        requested: RequestedPath,
        handle: Handle,
        wanted: &Wanted<'_>,
        diffs: &mut Option<Diffs<'_>>,
    ) -> Result<Back, Refusal> {
        let failed = |requested: &RequestedPath, error| {
            refuse_system_error(requested, error, Purpose::Write)
        };
        let now = handle.stat().copied();
        let hash = match now {
            None => None,
            Some(_) => Some(hash_now(&handle).map_err(|error| failed(&requested, error))?),
        };
        let has = |facts: Option<&Facts>| facts.map(Facts::hash) == hash.as_deref();
        let before = wanted.before.map(|(facts, ..)| facts);
        if has(before) {
            return Ok(Back::Done);
        }
        if !has(wanted.now) {
            return Ok(Back::ChangedSince);
        }
        let file = self.changed_file(
            handle.canonical(),
            wanted.now.map(Facts::bytes),
            before.map(Facts::bytes),
        );
        let diff = diffs.as_mut().map(|diffs| {
            let kept = |(facts, record, place): (&Facts, _, _)| {
                KeptCalls::read(journal, record, place, facts)
            };
            diffs.diff(
                handle.canonical(),
                || content_now(self, &handle),
                || wanted.before.map(kept).transpose(),
            )
        });
        let file = ChangedFile { diff, ..file };
        let Some((facts, record, place)) = wanted.before else {
            let Some(stat) = now else { return Ok(Back::Done) };
            let change = Change::replacing(requested, handle, stat, Vec::new()).into_removal();
            return Ok(Back::Change(Box::new(change), file));
        };
        let bytes = journal.kept(record, place).map_err(refuse_unread)?;
        if hash_of(&bytes) != facts.hash() {
            let reason = format!("what is kept of {} is damaged", requested.shown);
            return Err(Refusal::new(code::NOT_KEPT, reason));
        }
        let change = if let Some(stat) = now {
            Change::replacing(requested, handle, stat, bytes)
        } else {
            let (record, place) = wanted.last;
            let like = journal.removed(record, place).map_err(refuse_unread)?;
            Change::creating_like(requested, handle, bytes, like).map_err(refuse_unread)?
        };
        Ok(Back::Change(Box::new(change), file))
    }

    fn refuse_changed_since(&self, paths: &[PathBuf]) -> Refusal {
        let mut named: Vec<String> =
            paths.iter().take(MAX_NAMED_FILES).map(|path| self.display(path)).collect();
        if paths.len() > named.len() {
            named.push(format!("{} others", paths.len() - named.len()));
        }
        let reason = format!("changed since by somebody else: {}", named.join(", "));
        let hint = "What is there now stays. Undo other calls by their ids, or change these files by hand.";
        Refusal::new(code::CHANGED_SINCE, reason).with_hint(hint)
    }
}

/// What taking calls back does to a file.
enum Back {
    /// It has what it had already.
    Done,
    ChangedSince,
    Change(Box<Change>, ChangedFile),
}

fn content_now(files: &Files, handle: &Handle) -> Side {
    let Some(stat) = handle.stat().copied() else { return Ok(None) };
    Entry { folder: handle.parent(), name: handle.name(), stat }.read(files).map(Some)
}

fn hash_now(handle: &Handle) -> Result<String, Errno> {
    hash_of_file(handle.open(OFlags::RDONLY)?, |_| Ok(()))
}

/// The records that are to be taken back, newest first.
fn chosen<'r>(
    records: &'r [(Record, ChangeState)],
    request: &UndoRequest,
) -> Result<Vec<&'r Record>, Refusal> {
    let position = |id: &Text| {
        let id = id.0.as_deref().unwrap_or_default();
        records.iter().position(|(record, _)| record.id == id).ok_or_else(|| {
            Refusal::new(code::UNKNOWN_CHANGE, "no call that changed files here has this id")
                .with_hint("List the changes for their ids.")
        })
    };
    let is_left = |(_, state): &&(Record, ChangeState)| *state != ChangeState::Undone;
    let mut chosen: Vec<&(Record, ChangeState)> = if let Some(since) = &request.since {
        let end = position(since)?;
        records[..end].iter().filter(is_left).collect()
    } else if request.ids.is_empty() {
        let is_call = |(record, _): &&(Record, ChangeState)| record.undoes.is_empty();
        let calls = records.iter().filter(is_left).filter(is_call);
        calls.take(request.last.unwrap_or(1)).collect()
    } else {
        let positions = request.ids.iter().map(position).collect::<Result<Vec<_>, _>>()?;
        positions.into_iter().map(|at| &records[at]).collect()
    };
    chosen.sort_by(|(a, _), (b, _)| b.id.cmp(&a.id));
    chosen.dedup_by(|(a, _), (b, _)| a.id == b.id);
    for (record, state) in &chosen {
        let id = &record.id;
        match state {
            ChangeState::Done | ChangeState::Interrupted => {}
            ChangeState::Undone => {
                let reason = format!("{id} was taken back before");
                return Err(Refusal::new(code::ALREADY_UNDONE, reason));
            }
            ChangeState::Unkept => {
                let reason = format!("what {id} replaced was too large to be kept");
                return Err(Refusal::new(code::NOT_KEPT, reason));
            }
        }
    }
    if chosen.is_empty() {
        return Err(Refusal::new(code::UNKNOWN_CHANGE, "no call has changed files here"));
    }
    Ok(chosen.into_iter().map(|(record, _)| record).collect())
}

/// What each file has to get. Fails with the files that somebody changed between two of the calls.
fn wanted<'r>(chosen: &[&'r Record]) -> Result<BTreeMap<&'r Path, Wanted<'r>>, Vec<PathBuf>> {
    let mut all: BTreeMap<&Path, Wanted<'_>> = BTreeMap::new();
    let mut changed_between = Vec::new();
    for record in chosen {
        for (number, place) in record.places.iter().enumerate() {
            let before = place.old.as_ref().map(|old| (old, *record, number));
            let path = place.path.0.as_path();
            match all.get_mut(path) {
                None => {
                    let last = (*record, number);
                    all.insert(path, Wanted { now: place.new.as_ref(), before, last });
                }
                Some(wanted) => {
                    let left = place.new.as_ref().map(Facts::hash);
                    if wanted.before.map(|(facts, ..)| facts.hash()) != left {
                        changed_between.push(path.to_path_buf());
                    }
                    wanted.before = before;
                }
            }
        }
    }
    if changed_between.is_empty() { Ok(all) } else { Err(changed_between) }
}
