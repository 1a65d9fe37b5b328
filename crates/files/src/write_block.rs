//! A block list for places outside of any root: what no tool may write to, wherever a link leads.

use std::path::Path;

use handrail_policy::paths::{PathRules, PathRulesConfig};

use crate::platform::real_place;

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
