//! Finds names that are similar to one that does not exist.

use std::ffi::OsStr;

use handrail_policy::mistakes;
use handrail_policy::paths::fold;

use crate::linux::directory::sorted_entries;
use crate::linux::files::Files;
use crate::linux::open_folder;
use crate::linux::path::{RequestedPath, escaped};
use crate::linux::resolve::Handle;
use crate::refusal::{Refusal, code};

/// Most entries of the folder that are compared.
const MAX_COMPARED_ENTRIES: usize = 5000;
/// Longest name that is compared.
const MAX_NAME_CHARS: usize = 64;
/// Most names that are suggested.
const MAX_SUGGESTIONS: usize = 3;

impl Files {
    /// The refusal of a path that does not exist, with similar names in the folder of its place, which lies below a root.
    pub(crate) fn refuse_not_found(
        &self,
        requested: &RequestedPath,
        handle: Option<&Handle>,
    ) -> Refusal {
        let suggestions = handle.map(|handle| self.close_names(handle)).unwrap_or_default();
        let mut message = format!("{} does not exist", requested.shown);
        if !suggestions.is_empty() {
            message = format!("{message}. Close names: {}", suggestions.join(", "));
        }
        Refusal { suggestions: suggestions.into(), ..Refusal::new(code::NOT_FOUND, message) }
    }

    fn close_names(&self, handle: &Handle) -> Vec<String> {
        let wanted_name = handle.missing().first().map_or(handle.name(), |name| name.as_os_str());
        let Some(wanted_name) =
            wanted_name.to_str().filter(|name| name.chars().count() <= MAX_NAME_CHARS)
        else {
            return Vec::new();
        };
        let opened = open_folder(handle.parent(), OsStr::new("."));
        let Ok(entries) = opened.and_then(|folder| sorted_entries(&folder, MAX_COMPARED_ENTRIES))
        else {
            return Vec::new();
        };
        let depth = handle.missing().len() + 1;
        let Some(folder) = handle.canonical().ancestors().nth(depth) else { return Vec::new() };
        let wanted_name = fold(wanted_name);
        let mut close: Vec<(usize, String)> = entries
            .into_iter()
            .filter_map(|(name, _)| name.into_string().ok())
            .filter_map(|name| Some((close_distance(&wanted_name, &fold(&name))?, name)))
            .filter(|(_, name)| {
                let path = folder.join(OsStr::new(name));
                path.to_str().is_some_and(|path| self.rules.judge_read(path).is_none())
            })
            .collect();
        close.sort();
        let path = |(_, name): (usize, String)| escaped(&self.display(&folder.join(name)));
        close.into_iter().take(MAX_SUGGESTIONS).map(path).collect()
    }
}

/// The number of wrong characters; `None` when they are more than a third.
fn close_distance(a: &str, b: &str) -> Option<usize> {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let max_distance = (a.len().max(b.len()) / 3).clamp(1, 4);
    if a.len().abs_diff(b.len()) > max_distance || b.len() > MAX_NAME_CHARS {
        return None;
    }
    Some(mistakes(&a, &b)).filter(|&close_distance| close_distance <= max_distance)
}
