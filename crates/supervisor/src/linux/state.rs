//! The state directory, which the supervisor removes when it ends. It holds private homes, temporary folders and spilled output.
//!
//! Commands run as the same user, so they can move, remove and replace these folders. A folder is therefore removed by its
//! descriptors, and only if it is still where it was made (see `folder`).

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use handrail_supervisor::folder::{FOLDER_MODE, Folder, NameState};
use handrail_supervisor::removal;
use rustix::fs::{AtFlags, Mode, OFlags, Stat};

use super::sysv_ipc;

/// How many names are tried for a new state directory.
const MAX_NAME_TRIES: u32 = 100;

/// The state directory that is in use.
pub(crate) struct State {
    /// The path at which the host made it. A new one is made there again, or beside it.
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

    /// Whether the path still leads to the directory.
    pub(crate) fn is_in_place(&self) -> bool {
        self.folder.name_state() == NameState::Same
    }

    /// Makes a new state directory at the first path, or beside whatever is there now.
    pub(crate) fn replace(&mut self) -> io::Result<()> {
        let mut last_error = io::Error::from(io::ErrorKind::AlreadyExists);
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
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => last_error = error,
                Err(error) => return Err(error),
            }
        }
        Err(last_error)
    }

    /// The descriptors that have to stay open for [`State::remove`].
    pub(crate) fn descriptors(&self) -> [RawFd; 2] {
        self.folder.descriptors().map(|descriptor| descriptor.as_raw_fd())
    }

    /// Removes the directory. Returns whether nothing is left that may be removed.
    pub(crate) fn remove(&self) -> bool {
        self.folder.remove().is_ok() || !self.is_in_place()
    }
}

/// A worker's folder from the view of the supervisor, which makes and removes it.
pub(crate) struct WorkerFolder {
    path: PathBuf,
    /// The worker that is forked with this value uses the same folder.
    folder: Rc<Folder>,
}

const HOME_NAME: &str = "home";
/// Names of files that most private homes start with.
const FIRST_FILES: [&str; 2] = [".gitconfig", ".npmrc"];
/// A folder with one file that private homes may start with.
const FIRST_FOLDER: (&str, &str) = (".cargo", "config.toml");
const TEMPORARY_NAME: &str = "tmp";
/// The folder in which tool chains run what they have built.
pub(crate) const BUILD_NAME: &str = "build";
const NAMES: [&str; 3] = [HOME_NAME, TEMPORARY_NAME, BUILD_NAME];

impl WorkerFolder {
    /// Makes the folder and those in it. If one of them cannot be made, nothing is left.
    pub(crate) fn create(state: &State, worker: u32) -> io::Result<WorkerFolder> {
        let name = OsString::from(format!("worker-{worker}"));
        let folder = Rc::new(Folder::make(state.folder.held(), &name)?);
        let worker_folder = WorkerFolder { path: state.path.join(name), folder };
        for name in NAMES {
            let folder_result = rustix::fs::mkdirat(worker_folder.folder.held(), name, FOLDER_MODE);
            folder_result.inspect_err(|_| worker_folder.discard())?;
        }
        Ok(worker_folder)
    }

    /// Removes folders that nobody has used. This opens no descriptor, because the process may have none left.
    pub(crate) fn discard(&self) {
        for name in NAMES {
            // A folder that cannot be removed now was not made yet, or goes when the supervisor ends.
            let _ = rustix::fs::unlinkat(self.folder.held(), name, AtFlags::REMOVEDIR);
        }
        let _ = self.folder.remove_empty();
    }

    /// Whether somebody has removed the folder.
    pub(crate) fn is_missing(&self) -> bool {
        self.folder.name_state() == NameState::Missing
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The descriptors that have to stay open for a worker to use the folder.
    pub(crate) fn descriptors(&self) -> [RawFd; 2] {
        self.folder.descriptors().map(|descriptor| descriptor.as_raw_fd())
    }

    /// Removes the folder. Parts that cannot be removed stay until the supervisor ends, and a folder that was moved stays for
    /// good.
    pub(crate) fn remove(&self) {
        let _ = self.folder.remove();
    }
}

/// A worker's folders from the view of the worker. They are empty at the start of every run.
pub(crate) struct RunFolders {
    root: PathBuf,
    folder: Rc<Folder>,
    pub(crate) home: PrivateFolder,
    pub(crate) temporary: PrivateFolder,
    pub(crate) build: PrivateFolder,
    mounted: Vec<MountedFolder>,
    /// Whether the worker is in an IPC namespace of its own.
    own_ipc: bool,
}

/// A folder that was mounted for the worker: shared memory, temporary files. The worker cannot replace a mount, so a run that
/// changes the folder is the last one that the worker serves.
struct MountedFolder {
    folder: Folder,
    first_stamp: Stamp,
    /// The entry for the state directory, if that lies in the folder.
    state_name: Option<OsString>,
}

/// A private folder of a worker: the home, the temporary folder or the build folder of its runs.
pub(crate) struct PrivateFolder {
    pub(crate) path: PathBuf,
    folder: Folder,
    /// The stamp of the folder when it was last found empty, so that one system call shows that it is unchanged. It is set only
    /// some time after the last change, so that any later change has another time.
    empty_stamp: Option<Stamp>,
}

/// Properties of a folder of which at least one differs after any change of the folder.
#[derive(PartialEq, Eq)]
struct Stamp {
    device: u64,
    inode: u64,
    mode: Mode,
    changed_at: (i64, u64),
}

impl Stamp {
    fn of(status: &Stat) -> Stamp {
        Stamp {
            device: status.st_dev,
            inode: status.st_ino,
            // This bit is inherited from the parent folder.
            mode: Mode::from_raw_mode(status.st_mode).difference(Mode::SGID),
            changed_at: (status.st_ctime, status.st_ctime_nsec),
        }
    }

    fn is_old(&self) -> bool {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        i64::try_from(now)
            .is_ok_and(|now| now > self.changed_at.0.saturating_add(MAX_CLOCK_RESOLUTION_S))
    }
}

impl RunFolders {
    pub(crate) fn open(worker: &WorkerFolder) -> io::Result<RunFolders> {
        let open = |name| PrivateFolder::open(&worker.path, worker.folder.held(), name);
        Ok(RunFolders {
            root: worker.path.clone(),
            folder: Rc::clone(&worker.folder),
            home: open(HOME_NAME)?,
            temporary: open(TEMPORARY_NAME)?,
            build: open(BUILD_NAME)?,
            mounted: Vec::new(),
            own_ipc: false,
        })
    }

    /// Adds a folder that was mounted for this worker.
    pub(crate) fn add_mounted(&mut self, path: &Path) -> io::Result<()> {
        let folder = Folder::open_path(path)?;
        let first_stamp = Stamp::of(&rustix::fs::fstat(folder.held())?);
        let state = self.root.parent().filter(|state| state.parent() == Some(path));
        let state_name = state.and_then(Path::file_name).map(OsStr::to_owned);
        self.mounted.push(MountedFolder { folder, first_stamp, state_name });
        Ok(())
    }

    /// Makes the System V objects of the worker's own IPC namespace count as left behind.
    pub(crate) fn add_ipc(&mut self) {
        self.own_ipc = true;
    }

    /// Whether the last run left nothing in the folders. The files that its home started with are removed.
    pub(crate) fn are_untouched(&mut self) -> bool {
        self.home.remove_first_files();
        self.home.is_untouched()
            && self.temporary.is_untouched()
            && self.build.is_untouched()
            && self.are_mounted_untouched()
    }

    fn are_mounted_untouched(&self) -> bool {
        if self.own_ipc && !sysv_ipc::is_empty() {
            return false;
        }
        self.mounted.iter().all(|MountedFolder { folder, first_stamp, state_name }| {
            let now = rustix::fs::fstat(folder.held());
            now.is_ok_and(|now| Stamp::of(&now) == *first_stamp)
                && folder.holds_only(state_name.as_deref())
        })
    }

    /// Removes everything that a run left, so that the next run starts with empty folders.
    ///
    /// # Errors
    /// When the folders cannot be used again. A folder that was moved or replaced is left as it is.
    pub(crate) fn clear(&mut self) -> io::Result<()> {
        if !self.are_mounted_untouched() {
            return Err(io::Error::other(
                "shared memory or the folder of temporary files was used",
            ));
        }
        // Programs find their folders by path, so the path has to lead to this folder.
        if !self.folder.is(&rustix::fs::lstat(&self.root)?) {
            return Err(io::Error::other("the worker's folder was replaced"));
        }
        self.home.clear(self.folder.held())?;
        self.temporary.clear(self.folder.held())?;
        self.build.empty()
    }
}

impl PrivateFolder {
    fn open(root: &Path, above: &Arc<OwnedFd>, name: &str) -> io::Result<PrivateFolder> {
        let folder = Folder::open(above, OsStr::new(name))?;
        Ok(PrivateFolder { path: root.join(name), folder, empty_stamp: None })
    }

    fn clear(&mut self, above: &Arc<OwnedFd>) -> io::Result<()> {
        if self.is_untouched() {
            return Ok(());
        }
        self.folder.remove()?;
        let name = self.path.file_name().unwrap_or_default();
        self.folder = Folder::make(above, name)?;
        self.empty_stamp = None;
        Ok(())
    }

    /// Removes the files that a private home starts with, unless the folder was moved. Others are left, which `clear` removes
    /// with the folder.
    fn remove_first_files(&self) {
        if rustix::fs::lstat(&self.path).is_ok_and(|status| self.folder.is(&status)) {
            let home = self.folder.held();
            for name in FIRST_FILES {
                let _ = rustix::fs::unlinkat(home, name, AtFlags::empty());
            }
            let (folder, name) = FIRST_FOLDER;
            // A command may have put a link in the place of the folder.
            let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            if let Ok(opened) = rustix::fs::openat(home, folder, flags, Mode::empty()) {
                let _ = rustix::fs::unlinkat(opened, name, AtFlags::empty());
                let _ = rustix::fs::unlinkat(home, folder, AtFlags::REMOVEDIR);
            }
        }
    }

    /// Removes everything in the folder, and keeps the folder itself: what may be executed in it was granted once.
    fn empty(&mut self) -> io::Result<()> {
        if self.is_untouched() {
            return Ok(());
        }
        removal::empty(self.folder.held().as_fd())?;
        self.empty_stamp = None;
        if self.is_untouched() { Ok(()) } else { Err(io::Error::other("a folder was replaced")) }
    }

    /// Whether the path still leads to the folder, the folder has its first mode, and it is empty. The path is checked because
    /// programs use the path.
    fn is_untouched(&mut self) -> bool {
        let Ok(path_status) = rustix::fs::lstat(&self.path) else { return false };
        let stamp = Stamp::of(&path_status);
        if self.empty_stamp.as_ref() == Some(&stamp) {
            return true;
        }
        let untouched =
            self.folder.is(&path_status) && stamp.mode == FOLDER_MODE && self.folder.is_empty();
        self.empty_stamp = (untouched && stamp.is_old()).then_some(stamp);
        untouched
    }
}

/// The coarsest resolution, in seconds, with which a file system records the time of a change.
const MAX_CLOCK_RESOLUTION_S: i64 = 2;
