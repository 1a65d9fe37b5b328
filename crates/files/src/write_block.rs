//! Judges whether a path outside of any root may be written, wherever its links lead.

use std::path::Path;

use handrail_policy::paths::{Blocked, PathRules, PathRulesConfig};

use crate::platform::real_place;

/// Whether a path is protected: it lies in a folder of the system, is `{data}/data` or `{data}/config.toml`, or has a name that
/// is protected in any folder. The path is judged as it is written and as it resolves, so that neither a link nor a name
/// that does not exist yet hides a protected place. A path that cannot be judged is blocked. Roots are not checked, and
/// opening the path later may lead elsewhere; the file tools themselves judge the file that they have opened.
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
    let is_new = std::fs::metadata(&absolute).is_err();
    let is_blocked = |path: &Path| {
        let blocked = |path: &str| rules.judge_write(path);
        let holds = |blocked: Blocked| is_new || !blocked.is_only_new();
        path.to_str().is_none_or(|path| blocked(path).is_some_and(holds))
    };
    is_blocked(&absolute) || real_place(&absolute).is_none_or(|place| is_blocked(&place))
}
