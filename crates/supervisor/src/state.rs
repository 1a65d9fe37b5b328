//! The directory that dies with the supervisor: private homes, temporary and spill folders.

use std::fs;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags, RawDir, SeekFrom};

/// A worker's own folders, empty at the start of every run.
pub(crate) struct Folders {
    root: PathBuf,
    pub(crate) home: Folder,
    pub(crate) temporary: Folder,
}

/// One private folder, held open so that finding it untouched costs four system calls.
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
    held: OwnedFd,
}

impl Folders {
    pub(crate) fn create(state_directory: &Path, worker: u32) -> io::Result<Folders> {
        let root = state_directory.join(format!("worker-{worker}"));
        make(&root)?;
        let home = Folder::create(root.join("home"))?;
        let temporary = Folder::create(root.join("tmp"))?;
        Ok(Folders { root, home, temporary })
    }

    /// Whether the last run left nothing behind.
    pub(crate) fn are_untouched(&self) -> bool {
        self.home.is_untouched() && self.temporary.is_untouched()
    }

    /// Removes what a run left behind, so that the next one starts with empty folders.
    pub(crate) fn clear(&mut self) -> io::Result<()> {
        self.home.clear()?;
        self.temporary.clear()
    }

    pub(crate) fn remove(&self) {
        remove(&self.root);
    }
}

impl Folder {
    fn create(path: PathBuf) -> io::Result<Folder> {
        make(&path)?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        let held = rustix::fs::open(&path, flags, Mode::empty())?;
        Ok(Folder { path, held })
    }

    fn clear(&mut self) -> io::Result<()> {
        if !self.is_untouched() {
            remove(&self.path);
            *self = Folder::create(std::mem::take(&mut self.path))?;
        }
        Ok(())
    }

    /// Still the folder at its path, with its first mode, and empty.
    fn is_untouched(&self) -> bool {
        let (Ok(held), Ok(named)) = (rustix::fs::fstat(&self.held), rustix::fs::lstat(&self.path))
        else {
            return false;
        };
        let same = held.st_ino == named.st_ino && held.st_dev == named.st_dev;
        same && Mode::from_raw_mode(named.st_mode) == FOLDER_MODE && self.is_empty()
    }

    fn is_empty(&self) -> bool {
        let mut space = [MaybeUninit::uninit(); ENTRY_BYTES];
        if rustix::fs::seek(&self.held, SeekFrom::Start(0)).is_err() {
            return false;
        }
        let mut entries = RawDir::new(&self.held, &mut space);
        while let Some(entry) = entries.next() {
            match entry {
                Ok(entry) if matches!(entry.file_name().to_bytes(), b"." | b"..") => {}
                _ => return false,
            }
        }
        true
    }
}

const FOLDER_MODE: Mode = Mode::RWXU;
/// Room for the first few entries; one that is neither `.` nor `..` ends the look.
const ENTRY_BYTES: usize = 1024;

fn make(directory: &Path) -> io::Result<()> {
    fs::DirBuilder::new().mode(FOLDER_MODE.as_raw_mode()).create(directory)
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
