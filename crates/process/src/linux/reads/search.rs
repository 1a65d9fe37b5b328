//! Files and folders by patterns and names.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Most entries that are looked at beneath one folder.
pub(crate) const MAX_WALKED: usize = 200_000;

/// The existing paths that an absolute pattern matches.
pub(super) fn expand(pattern: &str) -> Vec<PathBuf> {
    let mut found = vec![PathBuf::from("/")];
    for part in pattern.split('/').filter(|part| !part.is_empty() && *part != ".") {
        found = match part.split_once('*') {
            None => found.into_iter().map(|above| above.join(part)).collect(),
            Some(around) => found.iter().flat_map(|above| matching(above, around)).collect(),
        };
    }
    found.retain(|path| std::fs::symlink_metadata(path).is_ok());
    found
}

fn matching(folder: &Path, around: (&str, &str)) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter(|entry| matches(&entry.file_name(), around)).map(|entry| entry.path()).collect()
}

/// Whether a name begins and ends so. Only a pattern that begins with a dot matches a name that does.
fn matches(name: &OsStr, (start, end): (&str, &str)) -> bool {
    let (name, start, end) = (name.as_bytes(), start.as_bytes(), end.as_bytes());
    name.len() >= start.len() + end.len()
        && name.starts_with(start)
        && name.ends_with(end)
        && (!name.starts_with(b".") || start.starts_with(b"."))
}

/// The files and folders of a name, which may have a `*`, at any depth beneath a folder. `None` when the folder has more
/// entries than are looked at.
pub(super) fn named_beneath(folder: &Path, name: &str) -> Option<Vec<PathBuf>> {
    let is_named = |found: &OsStr| match name.split_once('*') {
        Some(around) => matches(found, around),
        None => found == name,
    };
    let mut found = Vec::new();
    let is_complete = walk(folder, usize::MAX, |entry, _| {
        let is_match = is_named(&entry.file_name());
        if is_match {
            found.push(entry.path());
        }
        !is_match
    });
    is_complete.then_some(found)
}

/// Visits what lies beneath a folder; `visit` says whether to look into an entry. Links are not followed. Gives whether all
/// of it was visited.
pub(super) fn walk(
    folder: &Path,
    depth: usize,
    mut visit: impl FnMut(&std::fs::DirEntry, std::fs::FileType) -> bool,
) -> bool {
    let mut waiting = vec![(folder.to_path_buf(), depth)];
    let mut left = MAX_WALKED;
    while let Some((folder, depth)) = waiting.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let Some(rest) = usize::checked_sub(left, 1) else { return false };
            left = rest;
            let Ok(kind) = entry.file_type() else { continue };
            if visit(&entry, kind) && kind.is_dir() && depth > 1 {
                waiting.push((entry.path(), depth - 1));
            }
        }
    }
    true
}
