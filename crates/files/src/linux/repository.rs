//! Git repositories without a `.git` of their own: no call changes a folder that git takes for a repository, nor makes one.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use handrail_policy::paths::{Blocked, fold, rule_id};
use rustix::fs::{AtFlags, FileType};

use crate::linux::files::Files;
use crate::linux::judge::{Purpose, normal, refuse_blocked};
use crate::linux::open_file;
use crate::linux::path::RequestedPath;
use crate::linux::resolve::Handle;
use crate::refusal::{Refusal, code};
use crate::root::Root;

/// Longest file `.git` that is read for the folder it names.
const MAX_GIT_POINTER_BYTES: usize = 4096;

/// Entries by which git takes a folder for a repository: it has its own, or a file that names the folder that has them.
const REPOSITORY_ENTRIES: [&[&str]; 2] = [&["refs", "objects", "HEAD"], &["commondir", "HEAD"]];

impl Files {
    /// Refuses to change a file in a folder that git takes for a repository, before the call or after it: the folder has the
    /// entries of one, or a file `.git` names it.
    pub(crate) fn check_repository(
        &self,
        requested: &RequestedPath,
        handle: &Handle,
        tree_after: &TreeAfter,
    ) -> Result<(), Refusal> {
        let path = handle.canonical();
        let Some(root) = self.roots().iter().find(|root| path.starts_with(root.path())) else {
            return Ok(());
        };
        if !self.rules.holds_for_writes(rule_id::GIT_METADATA) {
            return Ok(());
        }
        let nothing = TreeAfter::default();
        let below = path.ancestors().skip(1).take_while(|folder| folder.starts_with(root.path()));
        for folder in below {
            let is_repository = |tree_after: &TreeAfter| {
                REPOSITORY_ENTRIES
                    .iter()
                    .any(|names| names.iter().all(|name| tree_after.has_entry(root, folder, name)))
            };
            let relative = folder.strip_prefix(root.path()).unwrap_or(folder);
            if is_repository(&nothing)
                || is_repository(tree_after)
                || git_folder_named_in(root, relative)
                    .is_some_and(|git| path.starts_with(normal(&folder.join(git))))
            {
                let hint =
                    "Git takes the folder for a repository; use git commands, or ask the user.";
                let blocked = Blocked { rule: rule_id::GIT_METADATA, hint, later: None };
                return Err(refuse_blocked(
                    requested,
                    Purpose::Write,
                    code::BLOCKED_WRITE,
                    blocked,
                ));
            }
        }
        Ok(())
    }
}

/// The tree of files as it will be after a call, before anything is changed: which places the call fills and removes.
#[derive(Debug, Default)]
pub(crate) struct TreeAfter {
    /// Places that will have a file, and the missing folders above them, in case-folded form: the file system may not tell
    /// upper from lower case.
    present: BTreeSet<PathBuf>,
    removed: BTreeSet<PathBuf>,
}

impl TreeAfter {
    pub(crate) fn of<'h>(places: impl IntoIterator<Item = (&'h Handle, Purpose)>) -> TreeAfter {
        let mut tree_after = TreeAfter::default();
        for (handle, purpose) in places {
            let path = handle.canonical();
            if purpose == Purpose::Remove {
                tree_after.removed.insert(path.to_path_buf());
                continue;
            }
            tree_after
                .present
                .extend(path.ancestors().take(handle.missing().len() + 1).map(case_folded));
        }
        tree_after
    }

    /// Whether a folder will have an entry with this name.
    fn has_entry(&self, root: &Root, folder: &Path, name: &str) -> bool {
        let path = folder.join(name);
        let is_on_disk = || {
            let relative = path.strip_prefix(root.path()).unwrap_or(&path);
            let flags = AtFlags::SYMLINK_NOFOLLOW;
            rustix::fs::statat(root.directory(), relative, flags).is_ok()
        };
        self.present.contains(&case_folded(&path))
            || (!self.removed.contains(&path) && is_on_disk())
    }
}

fn case_folded(path: &Path) -> PathBuf {
    path.iter().map(|name| fold(&name.to_string_lossy())).collect()
}

/// The path of the repository that the file `.git` in a folder names.
fn git_folder_named_in(root: &Root, folder: &Path) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;

    let file = open_file(root.directory(), folder.join(".git").as_os_str()).ok()?;
    let status = rustix::fs::fstat(&file).ok()?;
    if FileType::from_raw_mode(status.st_mode) != FileType::RegularFile {
        return None;
    }
    let mut start = [0; MAX_GIT_POINTER_BYTES];
    let length = rustix::io::read(&file, &mut start).ok()?;
    let named = start[..length].strip_prefix(b"gitdir:")?.trim_ascii();
    Some(Path::new(std::ffi::OsStr::from_bytes(named)).components().collect())
}
