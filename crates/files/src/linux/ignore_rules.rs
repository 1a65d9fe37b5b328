//! Which files `.gitignore` leaves out. The innermost `.gitignore` with a pattern that matches decides, and those above the
//! repository do not count. They are opened from their folders, as all files are.

use std::ffi::OsStr;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use rustix::fs::{AtFlags, FileType, OFlags};

use crate::linux::files::Files;
use crate::linux::open_file;
use crate::linux::read::read_all;

/// Name of the files with patterns.
pub(crate) const IGNORE_FILE: &str = ".gitignore";
/// Name of the entry that makes a folder a repository.
pub(crate) const REPOSITORY: &str = ".git";
/// Largest `.gitignore` that is read, since its patterns are compiled before the search begins.
pub(crate) const MAX_IGNORE_BYTES: u64 = 64 << 10;

/// The patterns of a folder and of the folders above it.
#[derive(Debug, Default)]
pub(crate) struct IgnoreRules {
    /// The folders, the outermost first.
    folders: Vec<Folder>,
}

#[derive(Debug)]
struct Folder {
    rules: Option<Gitignore>,
    is_repository: bool,
}

impl IgnoreRules {
    /// The patterns of the folders above this one, as far as they lie in a root and in the same repository.
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

    /// Adds the patterns of the next folder.
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

    /// Removes the patterns of the last folder.
    pub(crate) fn leave(&mut self) {
        self.folders.pop();
    }

    /// Whether the patterns leave out the entry with this path in the last folder.
    pub(crate) fn leaves_out(&self, path: &Path, is_directory: bool) -> bool {
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

/// Reads the patterns in a folder. Lines that are no patterns are skipped, as git does.
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
