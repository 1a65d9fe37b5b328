//! The directory that dies with the supervisor: private homes, temporary and spill folders.

use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// A worker's own folders, empty at the start of every run.
pub(crate) struct Folders {
    root: PathBuf,
    pub(crate) home: PathBuf,
    pub(crate) temporary: PathBuf,
}

impl Folders {
    pub(crate) fn create(state_directory: &Path, worker: u32) -> io::Result<Folders> {
        let root = state_directory.join(format!("worker-{worker}"));
        let folders =
            Folders { home: root.join("home"), temporary: root.join("tmp"), root: root.clone() };
        for directory in [&root, &folders.home, &folders.temporary] {
            make(directory)?;
        }
        Ok(folders)
    }

    /// Removes what a run left behind, so that the next one starts with empty folders.
    pub(crate) fn clear(&self) -> io::Result<()> {
        for directory in [&self.home, &self.temporary] {
            if !is_empty_directory(directory) {
                remove(directory);
                make(directory)?;
            }
        }
        Ok(())
    }

    pub(crate) fn remove(&self) {
        remove(&self.root);
    }
}

fn make(directory: &Path) -> io::Result<()> {
    fs::DirBuilder::new().mode(0o700).create(directory)
}

fn is_empty_directory(directory: &Path) -> bool {
    let real = fs::symlink_metadata(directory).is_ok_and(|found| found.is_dir());
    real && fs::read_dir(directory).is_ok_and(|mut entries| entries.next().is_none())
}

/// Removes a tree without following links. Folders that were made unwritable are opened up first;
/// what still resists stays, which the host's tests would show.
pub(crate) fn remove(directory: &Path) {
    if fs::symlink_metadata(directory).is_ok_and(|found| !found.is_dir()) {
        let _ = fs::remove_file(directory);
        return;
    }
    if fs::remove_dir_all(directory).is_err() {
        open_up(directory);
        let _ = fs::remove_dir_all(directory);
    }
}

fn open_up(directory: &Path) {
    let _ = fs::set_permissions(directory, fs::Permissions::from_mode(0o700));
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            open_up(&entry.path());
        }
    }
}
