//! Dependency folders that are made for a program before it starts, empty, so that its plan can grant them: `node_modules`
//! in a fresh clone. Those that stayed empty are removed after it.
//!
//! Only folders that the plan grants are made: those of places that rules name, and those in which the program may remove
//! files. Each is made in an open folder whose path leads through no link. So nothing is made outside of a root, whatever is
//! exchanged meanwhile, and the plan grants nothing that it would not grant in the next run.

use std::collections::{BTreeSet, HashMap};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use handrail_files::Roots;
use handrail_policy::{FolderMakers, Made};
use rustix::fs::{AtFlags, FileType, Mode, Stat};
use rustix::io::Errno;

use crate::linux::program::real_path;

/// Most folders that are made for one program: those of the packages of a monorepo.
const MAX_FOLDERS: usize = 128;

/// The device and the inode of a folder.
type Identity = (u64, u64);

/// The folders that were made for the programs of one runner, each with the number of programs that use it.
#[derive(Debug, Default)]
pub(crate) struct FolderRegister(Mutex<HashMap<Identity, usize>>);

/// The folders that were made for one program. Dropped after its end.
#[derive(Debug)]
pub(crate) struct MadeFolders {
    roots: Arc<Roots>,
    register: Arc<FolderRegister>,
    folders: Vec<(PathBuf, Identity)>,
}

impl FolderRegister {
    fn counts(&self) -> MutexGuard<'_, HashMap<Identity, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl MadeFolders {
    /// Makes those of these folders that the program would make. `build_folder`: the value of the variable that names the folder
    /// of build results.
    pub(crate) fn make(
        makers: &FolderMakers,
        build_folder: Option<&str>,
        wanted: BTreeSet<PathBuf>,
        roots: &Arc<Roots>,
        register: &Arc<FolderRegister>,
    ) -> MadeFolders {
        let mut made = MadeFolders {
            roots: Arc::clone(roots),
            register: Arc::clone(register),
            folders: Vec::new(),
        };
        for path in wanted {
            let name = path.file_name().and_then(|name| name.to_str());
            let rule = name.and_then(|name| makers.made(name, build_folder));
            if let Some(rule) = rule.filter(|_| made.folders.len() < MAX_FOLDERS) {
                made.add(&path, rule);
            }
        }
        made
    }

    /// Makes a folder, or joins the programs that it was made for.
    fn add(&mut self, path: &Path, rule: Made) {
        let Some((parent, name)) = open_parent(&self.roots, path) else { return };
        if let Made::Beside(manifests) = rule
            && !manifests.split(' ').any(|manifest| is_file(&parent, manifest))
        {
            return;
        }
        let mut counts = self.register.counts();
        // The folder gets the owner and the mode that a command would give it.
        let mode = Mode::RWXU | Mode::RWXG | Mode::RWXO;
        let is_new = match rustix::fs::mkdirat(&parent, name, mode) {
            Ok(()) => true,
            Err(Errno::EXIST) => false,
            // The command will be told the same.
            Err(_) => return,
        };
        let Some(identity) = folder_identity(&parent, name) else { return };
        if is_new || counts.contains_key(&identity) {
            *counts.entry(identity).or_default() += 1;
            self.folders.push((path.to_path_buf(), identity));
        }
    }
}

impl MadeFolders {
    /// The paths of the folders that are removed after the program if nothing else fills them.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.folders.iter().map(|(path, _)| path.as_path())
    }
}

impl Drop for MadeFolders {
    fn drop(&mut self) {
        let mut counts = self.register.counts();
        for (path, identity) in &self.folders {
            match counts.get_mut(identity) {
                Some(count) if *count > 1 => {
                    *count -= 1;
                    continue;
                }
                _ => counts.remove(identity),
            };
            let Some((parent, name)) = open_parent(&self.roots, path) else { continue };
            if folder_identity(&parent, name) == Some(*identity) {
                // A folder that is not empty stays, as does one that this user may not remove.
                let _ = rustix::fs::unlinkat(&parent, name, AtFlags::REMOVEDIR);
            }
        }
    }
}

/// Opens the folder that a place beneath a writable root lies in, where its path leads through no link. Gives the name in it
/// as well.
fn open_parent<'p>(roots: &Roots, path: &'p Path) -> Option<(OwnedFd, &'p str)> {
    let (parent, name) = (path.parent()?, path.file_name()?.to_str()?);
    let opened = roots.open_directory(parent, parent).ok().filter(|_| roots.is_writable(parent))?;
    real_path(opened.as_fd()).is_ok_and(|real| real == parent).then_some((opened, name))
}

fn status(parent: &OwnedFd, name: &str) -> Option<Stat> {
    rustix::fs::statat(parent, name, AtFlags::SYMLINK_NOFOLLOW).ok()
}

fn is_file(parent: &OwnedFd, name: &str) -> bool {
    status(parent, name)
        .is_some_and(|status| FileType::from_raw_mode(status.st_mode) == FileType::RegularFile)
}

/// The identity of the folder that has this name. `None` for a link.
fn folder_identity(parent: &OwnedFd, name: &str) -> Option<Identity> {
    let status = status(parent, name)?;
    let is_folder = FileType::from_raw_mode(status.st_mode) == FileType::Directory;
    is_folder.then_some((status.st_dev, status.st_ino))
}

#[cfg(test)]
mod tests;
