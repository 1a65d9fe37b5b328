//! A block list for places outside of any root: what no tool may write to, wherever a link leads.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use handrail_policy::paths::{PathRules, PathRulesConfig};

/// As many links as are followed.
const MAX_LINKS: usize = 40;

/// Whether a path is protected: the system's folders, `{data}/data`, `{data}/config.toml` and what is protected under any
/// folder. It is judged as it is written, and as the place that exists on the way there with the rest, so that neither a
/// link nor a name that does not exist yet hides it. What cannot be judged is blocked. This is no check of roots, and
/// opening the path afterwards may lead elsewhere: the tools themselves judge what they have opened.
pub fn is_write_blocked(path: &str, data: &Path, workspace: Option<&Path>) -> bool {
    let given = Path::new(path);
    let absolute = match workspace {
        _ if path.is_empty() || path.contains('\0') => return true,
        _ if given.is_absolute() => given.to_path_buf(),
        Some(workspace) if workspace.is_absolute() => workspace.join(given),
        _ => return true,
    };
    let spellings = |path: &Path| {
        let real = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        [path.to_string_lossy().into_owned(), real.to_string_lossy().into_owned()]
    };
    let protected = spellings(data)
        .iter()
        .flat_map(|data| [format!("{data}/data"), format!("{data}/config.toml")])
        .collect();
    let roots = workspace.into_iter().chain([data]).flat_map(spellings).collect();
    let config = PathRulesConfig { write: true, roots, protected, ..PathRulesConfig::default() };
    // Nothing is lifted, so nothing is unknown.
    let Ok(rules) = PathRules::new(config) else { return true };
    let is_blocked =
        |path: &Path| path.to_str().is_none_or(|path| rules.judge_write(path).is_some());
    is_blocked(&absolute) || real_place(&absolute).is_none_or(|place| is_blocked(&place))
}

/// Where the path leads: links are followed as far as something exists, the rest is kept. `None` for too many links.
fn real_place(path: &Path) -> Option<PathBuf> {
    let mut place = PathBuf::from("/");
    let mut rest: VecDeque<OsString> = parts(path).collect();
    let mut links = 0;
    while let Some(part) = rest.pop_front() {
        if part == ".." {
            place.pop();
            continue;
        }
        place.push(&part);
        // What cannot be looked at is taken as it is written.
        let Ok(target) = std::fs::read_link(&place) else { continue };
        links += 1;
        if links > MAX_LINKS {
            return None;
        }
        place.pop();
        if target.is_absolute() {
            place = PathBuf::from("/");
        }
        parts(&target).rev().for_each(|part| rest.push_front(part));
    }
    Some(place)
}

fn parts(path: &Path) -> impl DoubleEndedIterator<Item = OsString> + '_ {
    path.components().filter_map(|component| match component {
        Component::Normal(name) => Some(name.to_os_string()),
        Component::ParentDir => Some("..".into()),
        Component::CurDir | Component::RootDir | Component::Prefix(_) => None,
    })
}
