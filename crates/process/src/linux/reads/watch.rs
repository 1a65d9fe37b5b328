//! Noticing that protected places came to be after a plan was resolved.

use std::collections::BTreeSet;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::search::expand;
use crate::linux::kernel_plan::TEMPORARY_FOLDER;

/// Most links that are followed from one place.
const MAX_LINKS: usize = 8;

/// A time of change in seconds and nanoseconds; zero for what is not there.
type ChangeTime = (i64, i64);

/// The folders in which protected places can come to be, as they were when it was made.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    folders: Vec<(PathBuf, ChangeTime)>,
    /// So much happens among temporary files that only the places of these patterns count there.
    temporary_patterns: Vec<String>,
    temporary_change: ChangeTime,
    temporary_places: Vec<PathBuf>,
}

impl Watch {
    pub(super) fn new(patterns: &[&str]) -> Watch {
        let is_temporary =
            |pattern: &&&str| fixed_folder(pattern) == Some(Path::new(TEMPORARY_FOLDER));
        let (temporary, others): (Vec<&str>, Vec<&str>) =
            patterns.iter().partition(|pattern| is_temporary(pattern));
        let folders: BTreeSet<PathBuf> = others
            .iter()
            .flat_map(|pattern| folders_of(pattern))
            .filter_map(|folder| existing(&folder))
            .collect();
        let timed = |folder: PathBuf| {
            let time = change_time(&folder);
            (folder, time)
        };
        let temporary_change = change_time(Path::new(TEMPORARY_FOLDER));
        Watch {
            folders: folders.into_iter().map(timed).collect(),
            temporary_places: places(&temporary),
            temporary_patterns: temporary.into_iter().map(str::to_owned).collect(),
            temporary_change,
        }
    }

    /// Whether no place can have come to be.
    pub(crate) fn is_current(&mut self) -> bool {
        if self.folders.iter().any(|(folder, time)| change_time(folder) != *time) {
            return false;
        }
        if self.temporary_patterns.is_empty() {
            return true;
        }
        let now = change_time(Path::new(TEMPORARY_FOLDER));
        if now == self.temporary_change {
            return true;
        }
        self.temporary_change = now;
        let patterns: Vec<&str> = self.temporary_patterns.iter().map(String::as_str).collect();
        places(&patterns) == self.temporary_places
    }
}

fn places(patterns: &[&str]) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = patterns.iter().flat_map(|pattern| expand(pattern)).collect();
    found.sort();
    found
}

fn change_time(folder: &Path) -> ChangeTime {
    std::fs::metadata(folder).map_or((0, 0), |status| (status.mtime(), status.mtime_nsec()))
}

/// The folder of a pattern that has no `*` in its path.
fn fixed_folder(pattern: &str) -> Option<&Path> {
    let fixed = pattern.split('*').next().unwrap_or_default();
    let (folder, _) = fixed.rsplit_once('/')?;
    Some(Path::new(if folder.is_empty() { "/" } else { folder }))
}

/// The folder, or the next one above that is there: making what is missing changes that one.
fn existing(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().find(|above| above.is_dir()).map(Path::to_path_buf)
}

/// The folders in which a place of this pattern can come to be: its own, and those that links lead to.
fn folders_of(pattern: &str) -> Vec<PathBuf> {
    let Some(folder) = fixed_folder(pattern) else { return Vec::new() };
    let mut folders = vec![folder.to_path_buf()];
    if pattern.contains('*') {
        return folders;
    }
    let mut place = PathBuf::from(pattern);
    for _ in 0..MAX_LINKS {
        let (Ok(target), Some(folder)) = (std::fs::read_link(&place), place.parent()) else {
            break;
        };
        place = folder.join(target);
        folders.extend(place.parent().map(Path::to_path_buf));
    }
    folders
}
