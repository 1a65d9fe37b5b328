//! The directory that dies with the supervisor: private homes, temporary and spill folders.

use std::fs;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use handrail_supervisor::removal;
use rustix::fs::{Mode, OFlags, RawDir, SeekFrom, Stat};

/// A worker's own folders as the supervisor knows them: it makes and removes them.
pub(crate) struct WorkerFolder {
    root: PathBuf,
}

/// A worker's own folders as the worker has them, empty at the start of every run.
pub(crate) struct Folders {
    pub(crate) home: Folder,
    pub(crate) temporary: Folder,
}

/// One private folder.
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
    held: OwnedFd,
    /// What it looked like when it was last found empty, so that finding it untouched costs one system
    /// call. Only set long after its last change: a later one then has another time.
    empty: Option<Stamp>,
}

/// What no change of a folder leaves as it was.
#[derive(PartialEq, Eq)]
struct Stamp {
    device: u64,
    inode: u64,
    mode: Mode,
    changed: (i64, u64),
}

impl Stamp {
    fn of(status: &Stat) -> Stamp {
        Stamp {
            device: status.st_dev,
            inode: status.st_ino,
            mode: Mode::from_raw_mode(status.st_mode),
            changed: (status.st_ctime, status.st_ctime_nsec),
        }
    }

    fn is_old(&self) -> bool {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        i64::try_from(now).is_ok_and(|now| now > self.changed.0.saturating_add(COARSEST_CLOCK_S))
    }
}

impl WorkerFolder {
    /// Makes all of them, or leaves nothing.
    pub(crate) fn create(state_directory: &Path, worker: u32) -> io::Result<WorkerFolder> {
        let root = state_directory.join(format!("worker-{worker}"));
        make(&root)?;
        let folder = WorkerFolder { root };
        let made = make(&folder.home()).and_then(|()| make(&folder.temporary()));
        made.inspect_err(|_| folder.discard())?;
        Ok(folder)
    }

    /// Takes back what nobody has used. Needs no descriptor: there may be none left.
    pub(crate) fn discard(&self) {
        for empty in [&self.home(), &self.temporary(), &self.root] {
            // Not made yet, or the supervisor's end removes it.
            let _ = fs::remove_dir(empty);
        }
    }

    fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    fn temporary(&self) -> PathBuf {
        self.root.join("tmp")
    }

    pub(crate) fn remove(&self) {
        remove(&self.root);
    }
}

impl Folders {
    pub(crate) fn open(folder: &WorkerFolder) -> io::Result<Folders> {
        let home = Folder::open(folder.home())?;
        Ok(Folders { home, temporary: Folder::open(folder.temporary())? })
    }

    /// Whether the last run left nothing behind.
    pub(crate) fn are_untouched(&mut self) -> bool {
        self.home.is_untouched() && self.temporary.is_untouched()
    }

    /// Removes what a run left behind, so that the next one starts with empty folders.
    pub(crate) fn clear(&mut self) -> io::Result<()> {
        self.home.clear()?;
        self.temporary.clear()
    }
}

impl Folder {
    fn open(path: PathBuf) -> io::Result<Folder> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        let held = rustix::fs::open(&path, flags, Mode::empty())?;
        Ok(Folder { path, held, empty: None })
    }

    fn clear(&mut self) -> io::Result<()> {
        if !self.is_untouched() {
            remove(&self.path);
            make(&self.path)?;
            *self = Folder::open(std::mem::take(&mut self.path))?;
        }
        Ok(())
    }

    /// Still the folder at its path, with its first mode, and empty.
    fn is_untouched(&mut self) -> bool {
        let Ok(named) = rustix::fs::lstat(&self.path) else { return false };
        let stamp = Stamp::of(&named);
        if self.empty.as_ref() == Some(&stamp) {
            return true;
        }
        let Ok(held) = rustix::fs::fstat(&self.held) else { return false };
        let same = held.st_ino == named.st_ino && held.st_dev == named.st_dev;
        let untouched = same && stamp.mode == FOLDER_MODE && self.is_empty();
        self.empty = (untouched && stamp.is_old()).then_some(stamp);
        untouched
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

/// File systems note the time of a change at least this exactly, in seconds.
const COARSEST_CLOCK_S: i64 = 2;
const FOLDER_MODE: Mode = Mode::RWXU;
/// Room for the first few entries; one that is neither `.` nor `..` ends the look.
const ENTRY_BYTES: usize = 1024;

fn make(directory: &Path) -> io::Result<()> {
    fs::DirBuilder::new().mode(FOLDER_MODE.as_raw_mode()).create(directory)
}

/// What resists stays; the tests of the host would show it.
pub(crate) fn remove(directory: &Path) {
    let _ = removal::remove_tree(directory);
}
