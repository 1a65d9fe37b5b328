//! Links of processes in `/proc`, by the paths that those processes know.

use std::fs;
use std::path::{Path, PathBuf};

/// What a link of a process leads to, such as `cwd` or `fd/3`, as the process itself would read it. A view may have a root
/// directory that is not this process's own.
pub fn process_link(pid: i32, name: &str) -> Option<PathBuf> {
    let found = fs::read_link(format!("/proc/{pid}/{name}")).ok()?;
    let root = fs::read_link(format!("/proc/{pid}/root")).unwrap_or_default();
    match found.strip_prefix(&root) {
        Ok(rest) if root.parent().is_some() => Some(Path::new("/").join(rest)),
        _ => Some(found),
    }
}
