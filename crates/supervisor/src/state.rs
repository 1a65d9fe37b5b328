//! The directory that dies with the supervisor: private homes, temporary and spill folders.
//!
//! Commands run as this user: they can move and remove these folders, and put others in their place.
//! What is removed is removed beneath descriptors, and only where it was made (see `folder`).

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use handrail_supervisor::folder::{FOLDER_MODE, Folder, Place};
use rustix::fs::{AtFlags, Mode, Stat};

use crate::keyed;

/// Tries at a name for a state directory whose own was taken.
const MAX_NAME_TRIES: u32 = 100;

/// The state directory, wherever it is at the moment.
pub(crate) struct State {
    /// Where the host made it, and where it is made anew.
    first_path: PathBuf,
    path: PathBuf,
    folder: Folder,
}

impl State {
    pub(crate) fn open(path: PathBuf) -> io::Result<State> {
        Ok(State { folder: Folder::open_path(&path)?, first_path: path.clone(), path })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it is where its path says.
    pub(crate) fn is_in_place(&self) -> bool {
        self.folder.place() == Place::Its
    }

    /// Makes it anew where it was, or beside what is there now.
    pub(crate) fn replace(&mut self) -> io::Result<()> {
        let mut last = io::Error::from(io::ErrorKind::AlreadyExists);
        for count in 0..MAX_NAME_TRIES {
            let mut path = self.first_path.clone().into_os_string();
            if count > 0 {
                path.push(format!("-{count}"));
            }
            let path = PathBuf::from(path);
            let Some(name) = path.file_name() else { break };
            match Folder::make(self.folder.above(), name) {
                Ok(folder) => {
                    (self.folder, self.path) = (folder, path);
                    return Ok(());
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => last = error,
                Err(error) => return Err(error),
            }
        }
        Err(last)
    }

    /// What has to stay open for [`State::remove`].
    pub(crate) fn descriptors(&self) -> [RawFd; 2] {
        self.folder.descriptors().map(|descriptor| descriptor.as_raw_fd())
    }

    /// Whether it is gone, as far as it may be removed. What resists stays; the tests of the host would
    /// show it.
    pub(crate) fn remove(&self) -> bool {
        self.folder.remove().is_ok() || !self.is_in_place()
    }
}

/// A worker's own folders as the supervisor knows them: it makes and removes them.
pub(crate) struct WorkerFolder {
    path: PathBuf,
    /// Shared with the worker that is forked with it.
    folder: Rc<Folder>,
}

const HOME: &str = "home";
const TEMPORARY: &str = "tmp";

impl WorkerFolder {
    /// Makes all of them, or leaves nothing.
    pub(crate) fn create(state: &State, worker: u32) -> io::Result<WorkerFolder> {
        let name = OsString::from(format!("worker-{worker}"));
        let folder = Rc::new(Folder::make(state.folder.held(), &name)?);
        let made = WorkerFolder { path: state.path.join(name), folder };
        for name in [HOME, TEMPORARY] {
            let beneath = rustix::fs::mkdirat(made.folder.held(), name, FOLDER_MODE);
            beneath.inspect_err(|_| made.discard())?;
        }
        Ok(made)
    }

    /// Takes back what nobody has used. Needs no further descriptor: there may be none left.
    pub(crate) fn discard(&self) {
        for name in [HOME, TEMPORARY] {
            // Not made yet, or the supervisor's end removes it.
            let _ = rustix::fs::unlinkat(self.folder.held(), name, AtFlags::REMOVEDIR);
        }
        let _ = self.folder.remove_empty();
    }

    /// Whether somebody removed it.
    pub(crate) fn is_missing(&self) -> bool {
        self.folder.place() == Place::Empty
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// What has to stay open for a worker to use it.
    pub(crate) fn descriptors(&self) -> [RawFd; 2] {
        self.folder.descriptors().map(|descriptor| descriptor.as_raw_fd())
    }

    /// What resists or was moved stays, for the supervisor's end or for good.
    pub(crate) fn remove(&self) {
        let _ = self.folder.remove();
    }
}

/// A worker's own folders as the worker has them, empty at the start of every run.
pub(crate) struct Folders {
    root: PathBuf,
    folder: Rc<Folder>,
    pub(crate) home: Private,
    pub(crate) temporary: Private,
    memory: Option<Memory>,
    /// Whether what is shared by a key is this worker's own.
    own_keys: bool,
}

/// The worker's own place of shared memory. It is mounted, so no other can be made in its stead: who
/// changes it is the last whom this worker serves.
struct Memory {
    folder: Folder,
    first: Stamp,
}

/// One private folder.
pub(crate) struct Private {
    pub(crate) path: PathBuf,
    folder: Folder,
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
            // It is inherited from a folder above that has it.
            mode: Mode::from_raw_mode(status.st_mode).difference(Mode::SGID),
            changed: (status.st_ctime, status.st_ctime_nsec),
        }
    }

    fn is_old(&self) -> bool {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        i64::try_from(now).is_ok_and(|now| now > self.changed.0.saturating_add(COARSEST_CLOCK_S))
    }
}

impl Folders {
    pub(crate) fn open(worker: &WorkerFolder) -> io::Result<Folders> {
        let open = |name| Private::open(&worker.path, worker.folder.held(), name);
        Ok(Folders {
            root: worker.path.clone(),
            folder: Rc::clone(&worker.folder),
            home: open(HOME)?,
            temporary: open(TEMPORARY)?,
            memory: None,
            own_keys: false,
        })
    }

    /// Counts a mounted folder among them.
    pub(crate) fn add_memory(&mut self, path: &Path) -> io::Result<()> {
        let folder = Folder::open_path(path)?;
        let first = Stamp::of(&rustix::fs::fstat(folder.held())?);
        self.memory = Some(Memory { folder, first });
        Ok(())
    }

    /// Counts what is shared by a key among them, in a namespace of the worker's own.
    pub(crate) fn add_keys(&mut self) {
        self.own_keys = true;
    }

    /// Whether the last run left nothing behind.
    pub(crate) fn are_untouched(&mut self) -> bool {
        self.home.is_untouched() && self.temporary.is_untouched() && self.is_memory_untouched()
    }

    fn is_memory_untouched(&self) -> bool {
        if self.own_keys && !keyed::are_none() {
            return false;
        }
        self.memory.as_ref().is_none_or(|Memory { folder, first }| {
            let now = rustix::fs::fstat(folder.held());
            now.is_ok_and(|now| Stamp::of(&now) == *first) && folder.is_empty()
        })
    }

    /// Removes what a run left behind, so that the next one starts with empty folders.
    ///
    /// # Errors
    /// When they cannot be used again. What was moved or replaced is left as it is.
    pub(crate) fn clear(&mut self) -> io::Result<()> {
        if !self.is_memory_untouched() {
            return Err(io::Error::other("shared memory was used"));
        }
        // Programs get their folders by path, so it has to lead here.
        if !self.folder.is(&rustix::fs::lstat(&self.root)?) {
            return Err(io::Error::other("the worker's folder was replaced"));
        }
        self.home.clear(self.folder.held())?;
        self.temporary.clear(self.folder.held())
    }
}

impl Private {
    fn open(root: &Path, above: &Arc<OwnedFd>, name: &str) -> io::Result<Private> {
        let folder = Folder::open(above, OsStr::new(name))?;
        Ok(Private { path: root.join(name), folder, empty: None })
    }

    fn clear(&mut self, above: &Arc<OwnedFd>) -> io::Result<()> {
        if self.is_untouched() {
            return Ok(());
        }
        self.folder.remove()?;
        let name = self.path.file_name().unwrap_or_default();
        self.folder = Folder::make(above, name)?;
        self.empty = None;
        Ok(())
    }

    /// Still the folder at its path, with its first mode, and empty. By path, because that is what
    /// programs get; nothing is changed here.
    fn is_untouched(&mut self) -> bool {
        let Ok(named) = rustix::fs::lstat(&self.path) else { return false };
        let stamp = Stamp::of(&named);
        if self.empty.as_ref() == Some(&stamp) {
            return true;
        }
        let untouched =
            self.folder.is(&named) && stamp.mode == FOLDER_MODE && self.folder.is_empty();
        self.empty = (untouched && stamp.is_old()).then_some(stamp);
        untouched
    }
}

/// File systems note the time of a change at least this exactly, in seconds.
const COARSEST_CLOCK_S: i64 = 2;
