//! What `.gitignore` leaves out, folder by folder: the innermost file that says something decides, and a repository knows
//! nothing of the one that it lies in. The files are read through the folders that are held, like all others.

use std::ffi::OsStr;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use rustix::fs::{AtFlags, FileType, OFlags};

use crate::linux::files::Files;
use crate::linux::open_file;
use crate::linux::read::read_all;

/// Name of the files that count.
pub(crate) const IGNORE_FILE: &str = ".gitignore";
/// What makes a folder a repository.
pub(crate) const REPOSITORY: &str = ".git";
/// A larger file does not count: its patterns are compiled before anything is found.
pub(crate) const MAX_IGNORE_BYTES: u64 = 64 << 10;

/// The rules of a folder and of those above it.
#[derive(Debug, Default)]
pub(crate) struct IgnoreRules {
    /// The outermost first.
    folders: Vec<Folder>,
}

#[derive(Debug)]
struct Folder {
    rules: Option<Gitignore>,
    is_repository: bool,
}

impl IgnoreRules {
    /// Those of the folders above this one, as far as they lie in a root and in the same repository.
    pub(crate) fn above(files: &Files, start: &Path, is_repository: bool) -> IgnoreRules {
        let mut folders = Vec::new();
        let is_within =
            |folder: &&Path| files.roots().iter().any(|root| folder.starts_with(root.path()));
        for folder in start.ancestors().skip(1).take_while(is_within) {
            if is_repository || folders.last().is_some_and(|above: &Folder| above.is_repository) {
                break;
            }
            let handle = files.resolver().resolve(folder).ok();
            let opened =
                handle.and_then(|handle| handle.open(OFlags::RDONLY | OFlags::DIRECTORY).ok());
            let Some(directory) = opened else { break };
            let git = rustix::fs::statat(&directory, REPOSITORY, AtFlags::SYMLINK_NOFOLLOW);
            folders.push(Folder {
                rules: rules_in(files, &directory, folder),
                is_repository: git.is_ok(),
            });
        }
        folders.reverse();
        IgnoreRules { folders }
    }

    /// Goes into a folder.
    pub(crate) fn enter(
        &mut self,
        files: &Files,
        directory: &OwnedFd,
        path: &Path,
        names: impl Fn(&str) -> bool,
    ) {
        let rules = if names(IGNORE_FILE) { rules_in(files, directory, path) } else { None };
        self.folders.push(Folder { rules, is_repository: names(REPOSITORY) });
    }

    /// Leaves it again.
    pub(crate) fn leave(&mut self) {
        self.folders.pop();
    }

    /// Whether what has this name in the folder entered last is left out.
    pub(crate) fn leave_out(&self, path: &Path, is_directory: bool) -> bool {
        for folder in self.folders.iter().rev() {
            if let Some(rules) = &folder.rules {
                match rules.matched(path, is_directory) {
                    Match::Ignore(_) => return true,
                    Match::Whitelist(_) => return false,
                    Match::None => {}
                }
            }
            if folder.is_repository {
                return false;
            }
        }
        false
    }
}

/// Lines that are no patterns are passed over, as git does.
fn rules_in(files: &Files, directory: &impl AsFd, path: &Path) -> Option<Gitignore> {
    let file = open_file(directory, OsStr::new(IGNORE_FILE)).ok()?;
    let stat = rustix::fs::fstat(&file).ok()?;
    let is_file = FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile;
    if !is_file || files.is_secret_file(&stat) {
        return None;
    }
    let bytes = read_all(&file, &stat, MAX_IGNORE_BYTES).ok()?;
    let mut builder = GitignoreBuilder::new(path);
    for line in String::from_utf8_lossy(&bytes).lines() {
        let _ = builder.add_line(None, line);
    }
    builder.build().ok()
}
