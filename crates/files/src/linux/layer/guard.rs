//! Which places no layer changes.

use std::path::Path;

use handrail_policy::paths::{Blocked, rule_id};

use crate::linux::answer::LayerConflictReason as Reason;
use crate::linux::files::Files;
use crate::root::Root;

/// Why an entry of a root is not written to, removed or exchanged, whatever wrote to the layer: the plan of commands holds them
/// off the places that the host keeps to itself, and off roots that are another's or read-only.
pub(super) fn refused(files: &Files, root: &Root, path: &Path) -> Option<Reason> {
    let holds_root = |other: &Root| other.path() != root.path() && other.path().starts_with(path);
    let innermost = files.resolver().root_of(path).map(|(root, _)| root.path());
    if innermost != Some(root.path()) || files.roots().iter().any(holds_root) {
        return Some(Reason::OtherRoot);
    }
    let is_kept = |blocked: Blocked| blocked.rule == rule_id::HOST_PROTECTED;
    let holds_kept = || {
        let places = files.rules.secret_places().iter();
        places
            .into_iter()
            .any(|(place, blocked)| is_kept(*blocked) && Path::new(place).starts_with(path))
    };
    let judged = files.rules.judge_write(&path.to_string_lossy());
    (judged.is_some_and(is_kept) || holds_kept()).then_some(Reason::Protected)
}
