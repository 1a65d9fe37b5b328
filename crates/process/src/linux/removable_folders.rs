//! The folders in which a command of rewriters may remove files: those of certain names beneath the writable roots.
//!
//! A folder is granted by its identity and never through a link. One that is made within a run is granted in the next.

use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use handrail_files::Roots;
use handrail_supervisor::message::PlanPlace;

/// How deep beneath a root they are looked for: that of a package of a workspace (`packages/NAME/node_modules`) is three deep.
const MAX_DEPTH: usize = 4;
/// Most folders that are looked into.
const MAX_FOLDERS: usize = 4096;

/// The folders of these names beneath the writable roots. Without roots, beneath the folder that the host runs in.
pub(crate) fn find(names: &[&str], roots: &Roots) -> Vec<PlanPlace> {
    let mut waiting: Vec<(PathBuf, usize)> = match roots {
        Roots::Unrestricted => std::env::current_dir().into_iter().map(|path| (path, 0)).collect(),
        Roots::Only(roots) => {
            let writable = roots.iter().filter(|root| root.is_writable());
            writable.map(|root| (root.path().to_path_buf(), 0)).collect()
        }
    };
    let mut found = BTreeSet::new();
    // Nearest first, so that a large tree does not keep its siblings from being looked at.
    let mut next = 0;
    while let Some((folder, depth)) = waiting.get(next).cloned() {
        next += 1;
        for entry in std::fs::read_dir(roots.openable(&folder)).into_iter().flatten().flatten() {
            if !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                continue;
            }
            let name = entry.file_name();
            if names.iter().any(|known| name == *known) {
                found.insert(folder.join(&name));
            } else if depth + 1 < MAX_DEPTH
                && waiting.len() < MAX_FOLDERS
                && !name.as_bytes().starts_with(b".")
                && !KNOWN_TREES.iter().any(|known| name == *known)
            {
                waiting.push((folder.join(&name), depth + 1));
            }
        }
    }
    found.iter().filter_map(|path| identified(path, roots)).collect()
}

/// Where folders of these names would lie that are not there: in the directory of a command, and in the writable roots.
pub(crate) fn missing(names: &[&str], directory: &Path, roots: &Roots) -> Vec<PathBuf> {
    let Roots::Only(roots) = roots else { return Vec::new() };
    let writable = roots.iter().filter(|root| root.is_writable()).map(handrail_files::Root::path);
    let parents = writable.chain([directory]);
    parents.flat_map(|parent| names.iter().map(|name| parent.join(name))).collect()
}

/// Folders of dependencies and build results, whose packages have folders of these names that are theirs.
const KNOWN_TREES: [&str; 4] = ["node_modules", "target", "vendor", "venv"];

fn identified(path: &Path, roots: &Roots) -> Option<PlanPlace> {
    let status = roots.symlink_metadata(path).ok()?;
    let (device, inode) = (status.dev(), status.ino());
    Some(PlanPlace { path: path.as_os_str().as_bytes().to_vec(), device, inode })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use handrail_files::Root;

    use super::*;

    #[test]
    fn folders_of_the_names_are_found_beneath_writable_roots_and_not_through_links() {
        let base = std::env::temp_dir().join(format!("handrail-removable-{}", std::process::id()));
        let folders = [
            "work/node_modules/a/node_modules",
            "work/packages/a/node_modules",
            "work/a/b/c/d/node_modules",
            "work/.hidden/node_modules",
            "read/node_modules",
        ];
        for folder in folders {
            fs::create_dir_all(base.join(folder)).unwrap();
        }
        std::os::unix::fs::symlink(base.join("read"), base.join("work/linked")).unwrap();
        let root = |name: &str, writable| Root::open(&base.join(name), writable).unwrap();
        let roots = Roots::Only(vec![root("work", true), root("read", false)]);
        let real = fs::canonicalize(&base).unwrap();
        let paths: Vec<_> = find(&["node_modules"], &roots)
            .into_iter()
            .map(|place| PathBuf::from(std::ffi::OsStr::from_bytes(&place.path)))
            .collect();
        fs::remove_dir_all(&base).unwrap();
        let expected =
            ["work/node_modules", "work/packages/a/node_modules"].map(|path| real.join(path));
        assert_eq!(paths, expected);
    }
}
