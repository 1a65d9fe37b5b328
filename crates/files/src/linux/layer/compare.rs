//! Compares a layer with the roots below it: what has changed, what has to be moved for it, and what stands against that.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::hash::Hasher;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{FileType, Stat};
use rustix::io::Errno;
use siphasher::sip::SipHasher;

use super::contents::{changed, entry_type, file_bytes, loses_attributes, seen_of};
use super::guard::refused;
use super::{Layer, is_carried, is_copied, is_opaque, is_whiteout};
use crate::linux::answer::{
    FileDiff, LayerChange, LayerChangeKind, LayerChanges, LayerConflict,
    LayerConflictReason as Reason, LayerPaths,
};
use crate::linux::files::Files;
use crate::linux::journal::{Move, PathName, Stamp, last_change};
use crate::linux::judge::file_id;
use crate::linux::masked_diff::Diffs;
use crate::linux::tree::{
    Access, MAX_DEPTH, changed_at, is_folder, kind, modified_at, names, open_file_of,
    open_folder_at, status,
};
use crate::root::Root;

/// Most conflicts, and most entries that are left out, that an answer names.
const MAX_NAMED: usize = 100;
/// Permission bits of a mode.
const PERMISSIONS: u32 = 0o7777;

/// One entry or folder of a root that a commit changes.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) place: Move,
    /// Where the new entry is. `None` where there is none.
    pub(super) source: Option<Source>,
}

/// Where a new entry is before it is moved.
#[derive(Debug)]
pub(super) struct Source {
    /// Index of what holds it.
    pub(super) holder: usize,
    /// Its path below that.
    pub(super) path: PathBuf,
    /// Whether it holds what is not brought over, so that it has to be copied.
    pub(super) has_special: bool,
}

/// What a layer has, and what bringing it over takes.
#[derive(Debug, Default)]
pub(super) struct Compared {
    pub(super) changes: LayerChanges,
    pub(super) steps: Vec<Step>,
    /// Folders that stay, each after those below it.
    pub(super) folders: Vec<Step>,
    /// The places that the layer says are removed.
    pub(super) removed: BTreeSet<PathBuf>,
}

/// What was found of an entry that is moved as a whole.
#[derive(Default)]
struct Whole {
    has_rows: bool,
    has_special: bool,
    old_bytes: u64,
    new_bytes: u64,
    conflict: Option<(PathBuf, Reason)>,
    /// Whether the folder that is gone through has stayed as it was when the layer was last brought over.
    is_in_settled: bool,
}

struct Comparer<'c> {
    files: &'c Files,
    root: &'c Root,
    number: usize,
    layer: &'c Layer<'c>,
    limit: usize,
    /// What differs in files. `None` where nobody asked.
    diffs: Option<Diffs<'c>>,
    found: Compared,
    digest: SipHasher,
}

/// Compares all of a layer. The answer lists this many changes, and what differs in each file where that is wanted.
pub(super) fn compare(files: &Files, layer: &Layer<'_>, limit: usize, diff: bool) -> Compared {
    let mut diffs = diff.then(|| Diffs::of(files));
    let mut digest = SipHasher::new();
    let mut found = Compared::default();
    for (number, part) in layer.parts.iter().enumerate() {
        let root = part.root;
        let mut comparer = Comparer { files, root, number, layer, limit, diffs, found, digest };
        let merged = open_folder_at(part.root.directory(), Path::new(""))
            .and_then(|lower| comparer.merge(&part.upper, &lower, Path::new(""), 0, true));
        if let Err(error) = merged {
            comparer.conflict(Path::new(""), reason_of(error));
        }
        (found, digest, diffs) = (comparer.found, comparer.digest, comparer.diffs);
    }
    found.changes.digest = format!("{:016x}", digest.finish());
    found
}

/// Counts a path, and names it as long as there is room.
fn note(paths: &mut LayerPaths, shown: String) {
    paths.count += 1;
    if paths.paths.len() < MAX_NAMED {
        paths.paths.push(shown);
    }
}

fn reason_of(error: Errno) -> Reason {
    match error {
        Errno::XDEV | Errno::BUSY => Reason::Mounted,
        Errno::NAMETOOLONG => Reason::TooDeep,
        Errno::NOENT | Errno::NOTDIR | Errno::LOOP => Reason::Gone,
        _ => Reason::Refused,
    }
}

impl Comparer<'_> {
    fn absolute(&self, path: &Path) -> PathBuf {
        if path.as_os_str().is_empty() {
            self.root.path().to_path_buf()
        } else {
            self.root.path().join(path)
        }
    }

    fn shown(&self, path: &Path) -> String {
        self.files.display_whole(&self.absolute(path)).0
    }

    fn conflict(&mut self, path: &Path, reason: Reason) {
        let shown = self.shown(path);
        self.digest.write(shown.as_bytes());
        let changes = &mut self.found.changes;
        changes.conflict_count += 1;
        if changes.conflicts.len() < MAX_NAMED {
            changes.conflicts.push(LayerConflict { path: shown, reason });
        }
    }

    fn left_out(&mut self, path: &Path) {
        let shown = self.shown(path);
        note(&mut self.found.changes.left_out, shown);
    }

    /// Compares a folder that shows what lies below it.
    fn merge(
        &mut self,
        upper: &OwnedFd,
        lower: &OwnedFd,
        path: &Path,
        depth: usize,
        is_same_folder: bool,
    ) -> Result<(), Errno> {
        let (upper_stat, lower_stat) = (rustix::fs::fstat(upper)?, rustix::fs::fstat(lower)?);
        let first = self.found.steps.len();
        let mut has_direct_steps = false;
        for name in names(upper)? {
            let path = path.join(&name);
            let before = self.found.steps.len();
            let below = (lower, &lower_stat, is_same_folder);
            match self.entry(upper, below, &name, &path, depth) {
                Ok(is_merged) => has_direct_steps |= !is_merged && self.found.steps.len() > before,
                Err(error) => self.conflict(&path, reason_of(error)),
            }
        }
        if depth == 0 {
            // The upper folder of a root is made with the layer: only its time follows from what was done in it.
            if has_direct_steps {
                let before = Access::of(lower, &lower_stat)?;
                let after = Access { modified: Some(modified_at(&upper_stat)), ..before.clone() };
                self.folder_step(path, &lower_stat, before, after);
            }
            return Ok(());
        }
        let replaces = |step: &Step| step.place.old.is_some();
        if !is_same_folder && self.found.steps[first..].iter().any(replaces) {
            self.found.steps.truncate(first);
            self.conflict(path, Reason::Gone);
            return Ok(());
        }
        self.merged_folder((upper, &upper_stat), (lower, &lower_stat), path, has_direct_steps)
    }

    /// Whether a folder may be another one than when the layer began: a rename changes the folder that gets a name, and the one
    /// in which it gets it.
    fn may_be_another(&self, above: &Stat, folder: Option<&Stat>) -> bool {
        self.layer.is_newer(above) && folder.is_none_or(|folder| self.layer.is_newer(folder))
    }

    /// Whether somebody has set the time of an entry of the layer: a change in a folder gives it that of the change.
    fn has_set_time(&self, stat: &Stat) -> bool {
        let modified = modified_at(stat);
        modified < self.layer.born || modified > changed_at(stat)
    }

    /// Compares the folder itself, once what it holds is compared.
    fn merged_folder(
        &mut self,
        (upper, upper_stat): (&OwnedFd, &Stat),
        (lower, lower_stat): (&OwnedFd, &Stat),
        path: &Path,
        has_direct_steps: bool,
    ) -> Result<(), Errno> {
        let (before, mut after) = (Access::of(lower, lower_stat)?, Access::of(upper, upper_stat)?);
        if self.layer.is_settled(&self.absolute(path), upper_stat) {
            after = before.clone();
        }
        let is_like = before.is_like(&after);
        let is_newer = self.layer.is_newer(lower_stat);
        let is_set =
            !is_newer && before.modified != after.modified && self.has_set_time(upper_stat);
        if !is_like || is_set {
            let at = (Some(upper_stat), Some(lower_stat));
            let seen = seen_of(upper, OsStr::new("."), upper_stat)?;
            self.row(path, LayerChangeKind::Attributes, at, &seen, None);
        }
        if !is_like {
            if is_newer {
                self.conflict(path, Reason::Changed);
                return Ok(());
            }
            if let Some(reason) = self.refused(path) {
                self.conflict(path, reason);
                return Ok(());
            }
        }
        let is_later = after.modified > before.modified;
        if is_newer && !is_later {
            // Others have changed what it holds since.
            after.modified = before.modified;
        }
        if !is_like || has_direct_steps || before.modified != after.modified {
            self.folder_step(path, lower_stat, before, after);
        }
        Ok(())
    }

    fn folder_step(&mut self, path: &Path, lower: &Stat, before: Access, after: Access) {
        let place = Move {
            path: PathName(self.absolute(path)),
            folder: file_id(lower),
            beside: None,
            old: None,
            old_bytes: 0,
            new: None,
            new_bytes: 0,
            access: Some(Box::new((before, after))),
            old_changed: None,
            new_changed: None,
        };
        self.found.folders.push(Step { place, source: None });
    }

    /// Compares one entry of a folder that shows what lies below it. Whether it is such a folder itself.
    fn entry(
        &mut self,
        upper: &OwnedFd,
        (lower, lower_stat, is_same_folder): (&OwnedFd, &Stat, bool),
        name: &OsStr,
        path: &Path,
        depth: usize,
    ) -> Result<bool, Errno> {
        let Some(new) = status(upper, name)? else { return Ok(false) };
        if is_whiteout(&new) {
            self.found.removed.insert(self.absolute(path));
        }
        let old = status(lower, name)?;
        if is_folder(&new) {
            if depth == MAX_DEPTH {
                return Err(Errno::NAMETOOLONG);
            }
            let inner = open_folder_at(upper, Path::new(name))?;
            let is_merged = !is_opaque(&inner)?;
            let is_below = old.as_ref().is_some_and(is_folder);
            let was_made = self.layer.made.contains(&self.absolute(path));
            if is_merged && !is_below && !was_made && is_copied(&inner)? {
                self.conflict(path, Reason::Gone);
                return Ok(false);
            }
            if is_merged && is_below {
                let inner_lower = open_folder_at(lower, Path::new(name))?;
                let is_same = is_same_folder && !self.may_be_another(lower_stat, old.as_ref());
                self.merge(&inner, &inner_lower, path, depth + 1, is_same)?;
                return Ok(true);
            }
        } else if self.layer.is_settled(&self.absolute(path), &new) {
            return Ok(false);
        } else if old.is_none()
            && kind(&new) == FileType::RegularFile
            && self.layer.is_newer(lower_stat)
            && is_copied(open_file_of(upper, name, &new)?)?
        {
            // It was made from a file that is no longer here.
            self.conflict(path, Reason::Gone);
            return Ok(false);
        }
        let is_removed = is_whiteout(&new);
        if !is_removed && !is_carried(&new) {
            self.left_out(path);
            return Ok(false);
        }
        let new = (!is_removed).then_some(new);
        self.whole((upper, new), (lower, old), lower_stat, name, path, depth)?;
        Ok(false)
    }

    /// Compares an entry that is moved as a whole.
    fn whole(
        &mut self,
        (upper, new): (&OwnedFd, Option<Stat>),
        (lower, old): (&OwnedFd, Option<Stat>),
        lower_folder: &Stat,
        name: &OsStr,
        path: &Path,
        depth: usize,
    ) -> Result<(), Errno> {
        let mut whole = Whole::default();
        let at = |folder, stat: &Option<Stat>| stat.map(|stat| (folder, stat));
        self.rows(at(upper, &new), at(lower, &old), name, path, depth, &mut whole)?;
        if !whole.has_rows {
            return Ok(());
        }
        let refused = self.refused(path).map(|reason| (path.to_path_buf(), reason));
        if let Some((path, reason)) = refused.or(whole.conflict) {
            self.conflict(&path, reason);
            return Ok(());
        }
        let place = Move {
            path: PathName(self.absolute(path)),
            folder: file_id(lower_folder),
            beside: None,
            old: old.as_ref().map(Stamp::of),
            old_bytes: whole.old_bytes,
            new: new.as_ref().map(Stamp::of),
            new_bytes: whole.new_bytes,
            access: None,
            old_changed: old.as_ref().and_then(last_change),
            new_changed: None,
        };
        let (holder, has_special) = (self.number, whole.has_special);
        let source = new.map(|_| Source { holder, path: path.to_path_buf(), has_special });
        self.found.steps.push(Step { place, source });
        Ok(())
    }

    /// Goes through an entry and what is below it, in the layer and in the root.
    fn rows(
        &mut self,
        new: Option<(&OwnedFd, Stat)>,
        old: Option<(&OwnedFd, Stat)>,
        name: &OsStr,
        path: &Path,
        depth: usize,
        whole: &mut Whole,
    ) -> Result<(), Errno> {
        if depth > MAX_DEPTH {
            return Err(Errno::NAMETOOLONG);
        }
        let is_settled =
            new.as_ref().is_some_and(|(_, stat)| self.layer.is_settled(&self.absolute(path), stat));
        let new = new.filter(|(_, stat)| !is_whiteout(stat));
        let new = match new {
            Some((_, stat)) if !is_carried(&stat) => {
                self.left_out(path);
                whole.has_special = true;
                None
            }
            new => new,
        };
        if let Some((_, stat)) = &old {
            whole.old_bytes += file_bytes(stat).unwrap_or(0);
            if whole.conflict.is_none() && self.layer.is_newer(stat) {
                whole.conflict = Some((path.to_path_buf(), Reason::Changed));
            }
        }
        if let Some((_, stat)) = &new {
            whole.new_bytes += file_bytes(stat).unwrap_or(0);
        }
        let stats = (new.as_ref().map(|(_, stat)| stat), old.as_ref().map(|(_, stat)| stat));
        let change = match (&new, &old) {
            (None, None) => return Ok(()),
            _ if is_settled || whole.is_in_settled && new.is_none() => None,
            (Some(_), None) => Some(LayerChangeKind::Created),
            (None, Some(_)) => Some(LayerChangeKind::Deleted),
            (Some((upper, new)), Some((lower, old))) => changed(upper, new, lower, old, name)?,
        };
        if let Some(change) = change {
            whole.has_rows = true;
            if loses_attributes(new.as_ref(), old.as_ref(), name) {
                let shown = self.shown(path);
                note(&mut self.found.changes.lost_attributes, shown);
            }
            let seen = new.map(|(upper, stat)| seen_of(upper, name, &stat)).transpose()?;
            let is_shown = change != LayerChangeKind::Attributes && self.has_room();
            let place = self.absolute(path);
            let diffs = self.diffs.as_mut().filter(|_| is_shown);
            let diff = diffs.and_then(|diffs| diffs.between(&place, name, old, new));
            self.row(path, change, stats, &seen.unwrap_or_default(), diff);
        }
        let open = |side: Option<(&OwnedFd, Stat)>| {
            let folder = side.filter(|(_, stat)| is_folder(stat)).map(|(folder, _)| folder);
            folder.map(|folder| open_folder_at(folder, Path::new(name))).transpose()
        };
        // What is beneath something that only the root has stays with it.
        let is_settled = is_settled || whole.is_in_settled && new.is_none();
        let (upper, lower) = (open(new)?, open(old)?);
        let all: BTreeSet<OsString> = [&upper, &lower]
            .into_iter()
            .flatten()
            .map(names)
            .collect::<Result<Vec<_>, Errno>>()?
            .into_iter()
            .flatten()
            .collect();
        let is_above = std::mem::replace(&mut whole.is_in_settled, is_settled);
        for name in all {
            let at = |folder: &Option<OwnedFd>| match folder {
                Some(folder) => status(folder, &name),
                None => Ok(None),
            };
            let (new, old) = (at(&upper)?, at(&lower)?);
            let new = upper.as_ref().zip(new);
            let old = lower.as_ref().zip(old);
            self.rows(new, old, &name, &path.join(&name), depth + 1, whole)?;
        }
        whole.is_in_settled = is_above;
        Ok(())
    }

    /// Whether another change is listed.
    fn has_room(&self) -> bool {
        self.found.changes.changes.len() < self.limit
    }

    fn row(
        &mut self,
        path: &Path,
        kind: LayerChangeKind,
        (new, old): (Option<&Stat>, Option<&Stat>),
        seen: &[u8],
        diff: Option<FileDiff>,
    ) {
        let changes = &mut self.found.changes;
        *match kind {
            LayerChangeKind::Created => &mut changes.created,
            LayerChangeKind::Changed => &mut changes.changed,
            LayerChangeKind::Deleted => &mut changes.deleted,
            LayerChangeKind::Attributes => &mut changes.attributes,
        } += 1;
        if matches!(kind, LayerChangeKind::Created | LayerChangeKind::Changed) {
            changes.bytes += new.and_then(file_bytes).unwrap_or(0);
        }
        for text in [path.as_os_str().as_bytes(), seen] {
            self.digest.write_usize(text.len());
            self.digest.write(text);
        }
        for stat in [new, old].into_iter().flatten() {
            let (seconds, nanoseconds) = modified_at(stat);
            self.digest.write_i64(seconds);
            self.digest.write_i64(nanoseconds);
            self.digest.write_u64(stat.st_ino);
            self.digest.write_i64(stat.st_size);
            self.digest.write_u32(stat.st_mode);
            self.digest.write_u32(stat.st_uid);
            self.digest.write_u32(stat.st_gid);
        }
        if !self.has_room() {
            self.found.changes.truncated = true;
            return;
        }
        let types = (new.map(entry_type), old.map(entry_type));
        let change = LayerChange {
            path: self.shown(path),
            kind,
            entry_type: types.0.or(types.1).unwrap_or_default(),
            was: types.1.filter(|_| types.0.is_some() && types.0 != types.1),
            bytes_before: old.and_then(file_bytes),
            bytes_after: new.and_then(file_bytes),
            mode: new.map(|stat| stat.st_mode & PERMISSIONS),
            diff,
        };
        self.found.changes.changes.push(change);
    }

    /// Why a place is not written to, by the host's word.
    fn refused(&self, path: &Path) -> Option<Reason> {
        refused(self.files, self.root, &self.absolute(path))
    }
}
