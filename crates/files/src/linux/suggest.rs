//! What does not exist, and what has a name like it.

use std::ffi::OsStr;

use handrail_policy::mistakes;
use handrail_policy::paths::fold;
use rustix::fs::{Dir, Mode, OFlags};

use crate::linux::files::Files;
use crate::linux::path::{Asked, escaped};
use crate::linux::resolve::Handle;
use crate::refusal::{Refusal, code};

/// Entries of the folder that are compared.
const MAX_ENTRIES: usize = 5000;
/// Longer names are not compared.
const MAX_NAME_CHARS: usize = 64;
const MAX_SUGGESTIONS: usize = 3;

impl Files {
    /// Names come from the folder of the place only, which lies beneath a root.
    pub(crate) fn not_found(&self, asked: &Asked, handle: Option<&Handle>) -> Refusal {
        let suggestions = handle.map(|handle| self.close_names(handle)).unwrap_or_default();
        let mut message = format!("{} does not exist", asked.shown);
        if !suggestions.is_empty() {
            message = format!("{message}. Close names: {}", suggestions.join(", "));
        }
        Refusal { suggestions: suggestions.into(), ..Refusal::new(code::NOT_FOUND, message) }
    }

    fn close_names(&self, handle: &Handle) -> Vec<String> {
        let wanted = handle.missing().first().map_or(handle.name(), |name| name.as_os_str());
        let Some(wanted) = wanted.to_str().filter(|name| name.chars().count() <= MAX_NAME_CHARS)
        else {
            return Vec::new();
        };
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let opened = rustix::fs::openat(handle.parent(), c".", flags, Mode::empty());
        let Ok(entries) = opened.and_then(Dir::new) else { return Vec::new() };
        let depth = handle.missing().len() + 1;
        let Some(folder) = handle.canonical().ancestors().nth(depth) else { return Vec::new() };
        let wanted = fold(wanted);
        let mut close: Vec<(usize, String)> = entries
            .take(MAX_ENTRIES)
            .flatten()
            .filter_map(|entry| Some(entry.file_name().to_str().ok()?.to_owned()))
            .filter(|name| name != "." && name != "..")
            .filter_map(|name| Some((distance(&wanted, &fold(&name))?, name)))
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

/// How many characters are wrong; `None` for more than a third of them.
fn distance(a: &str, b: &str) -> Option<usize> {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let most = (a.len().max(b.len()) / 3).clamp(1, 4);
    if a.len().abs_diff(b.len()) > most || b.len() > MAX_NAME_CHARS {
        return None;
    }
    Some(mistakes(&a, &b)).filter(|&distance| distance <= most)
}
