//! A worker's own view of the file system. Commands find read-only what they must not write, they cannot execute what they can
//! write, and the folders of other runs are missing. The view has terminals of its own and few devices.
//!
//! The Landlock layer is effective without a view. The view adds what Landlock has no right for: it protects the modes and
//! times of files, keeps programs from mapping libraries that commands wrote, and hides the files of other runs.

use std::ffi::{CStr, CString, OsStr};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use handrail_supervisor::message::{Plan, PlanPlace, PlanRoot};
use rustix::fs::{Mode, OFlags};

use super::confine::{ALLOWED_DEVICES, TERMINAL_FOLDER};
use super::mount_tree::{MOUNT_ATTR_NODEV, MOUNT_ATTR_NOEXEC, MOUNT_ATTR_RDONLY, MountTree};
use super::reads::Mounted;
use super::state::BUILD_NAME;
use super::syscall::check;
use super::users::{unshare_users, unshare_with_users};
use super::view_root::ShownRoot;
use super::{layer, loader, reads, ssh, view_root};

/// The options of the view's own small file system, which holds the copies of loaders and the mount points of folders.
pub(crate) const VIEW_OPTIONS: &CStr = c"size=16m,mode=0755";
/// The folder in which programs share memory and semaphores by name.
pub(crate) const SHARED_MEMORY_FOLDER: &str = "/dev/shm";
/// The folder of temporary files that all users share.
pub(crate) const TEMPORARY_FOLDER: &str = "/tmp";
/// The most bytes in each of the two, where the plan allows no less, and the other options that they are mounted with.
const MAX_TEMPORARY_BYTES: u64 = 512 << 20;
const MAX_SHARED_MEMORY_BYTES: u64 = 256 << 20;
/// How many bytes such a folder takes more than a run may write to disk: its own entries, and a page by which the limit is
/// exceeded.
const FOLDER_BYTES: u64 = 64 << 10;
const TEMPORARY_OPTIONS: &str = "nr_inodes=64k,mode=1777";
const SHARED_MEMORY_OPTIONS: &str = "nr_inodes=64k,mode=0700";
/// The options of the worker's own terminals, and the device in their folder that makes terminals. It is mounted over the
/// device that programs open.
const TERMINAL_OPTIONS: &CStr = c"newinstance,ptmxmode=0666,mode=0620,max=1024";
const TERMINAL_MAKER: &str = "/dev/pts/ptmx";
const KNOWN_TERMINAL_MAKER: &str = "/dev/ptmx";
/// The largest loader that is copied.
const MAX_LOADER_BYTES: u64 = 8 * 1024 * 1024;

/// The parts of a view that is to be made.
pub(crate) struct View<'a> {
    pub(crate) plan: &'a Plan,
    /// The state directory, whose contents are hidden.
    pub(crate) state: &'a Path,
    /// The worker's folder beneath it, which stays visible.
    pub(crate) own: &'a Path,
    /// Whether it gets a user namespace of its own even where it does not need one, if there can be one more.
    pub(crate) own_users: bool,
}

/// The properties of a view that was made.
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub(crate) struct EnteredView {
    /// Whether every loader of the plan is a copy that cannot be run by name.
    pub(crate) loaders_bound: bool,
    /// Whether [`SHARED_MEMORY_FOLDER`] is this worker's own.
    pub(crate) own_memory: bool,
    /// Whether [`TEMPORARY_FOLDER`] is.
    pub(crate) own_temporary: bool,
    /// Whether the view has a user namespace of its own.
    pub(crate) own_users: bool,
    /// Whether the view has a root directory of its own, see [`view_root`].
    pub(crate) own_root: bool,
    /// The plan with its roots and places as they are in its layer, if it has one.
    pub(crate) layered: Option<Plan>,
}

impl View<'_> {
    /// Makes the view and enters it, for good.
    ///
    /// # Errors
    /// When the view could not be made, or not completely. The process must not serve then.
    pub(crate) fn enter(&self) -> io::Result<EnteredView> {
        let own_users = unshare_mounts(self.own_users)?;
        let Some(layer) = &self.plan.layer else { return self.make(own_users) };
        let laid = layer::enter_of(self.plan, layer, self.state)?;
        let entered = View { plan: &laid, ..*self }.make(own_users)?;
        Ok(EnteredView { layered: Some(laid), ..entered })
    }

    fn make(&self, own_users: bool) -> io::Result<EnteredView> {
        let has_program_list = self.plan.execute.is_some();
        let noexec_flag = if has_program_list { MOUNT_ATTR_NOEXEC } else { 0 };
        // The worker's folder is cloned before everything is made read-only.
        let own = MountTree::clone(self.own, noexec_flag)?;
        // Programs that a run builds are executed in this folder alone.
        let build = self.own.join(BUILD_NAME);
        let build_tree = if self.plan.build && noexec_flag != 0 {
            Some(MountTree::clone(&build, 0)?)
        } else {
            None
        };
        // So that a root without execution does not hold it back, wherever it is installed.
        let connector = self.plan.proxy_port.and_then(|port| ssh::Connector::open(port).ok());
        let spill_tree = MountTree::clone(
            &self.state.join(self.plan.spill_folder()),
            noexec_flag | MOUNT_ATTR_RDONLY,
        )
        .ok();
        let limits_writes = !self.plan.writes_anywhere;
        let nodev_flag = if limits_writes { MOUNT_ATTR_NODEV } else { 0 };
        let mut trees = reads::mounts(self.plan, self.state)?;
        let is_beneath_cover = |path: &Path| {
            trees
                .iter()
                .any(|(cover, one)| matches!(one, Mounted::Cover) && path.starts_with(cover))
        };
        let mut root_trees = Vec::new();
        for root in self.plan.roots.iter().filter(|root| root.path != b"/") {
            // A root whose path leads to another folder by now is left out.
            let path = Path::new(OsStr::from_bytes(&root.path));
            if let Some(folder) = open_root(root)
                && (has_program_list || limits_writes || is_beneath_cover(path))
            {
                // A file system that is mounted beneath a root may be written only if its mount point is a root itself.
                let read_only = if limits_writes { MOUNT_ATTR_RDONLY } else { 0 };
                // Landlock alone keeps the rest of a root with places from being executed.
                let root_flags = if root.writable && !root.has_places { noexec_flag } else { 0 };
                let tree =
                    MountTree::clone_held(folder.as_fd(), read_only | root_flags | nodev_flag)?;
                if root.writable && limits_writes {
                    tree.make_writable()?;
                }
                root_trees.push((path.to_path_buf(), Mounted::Tree(tree)));
            }
        }
        trees.extend(root_trees);
        if limits_writes {
            let read_only = if self.plan.writes_everywhere() { 0 } else { MOUNT_ATTR_RDONLY };
            // A device that does not exist is left out.
            let device = |path| {
                let tree = MountTree::clone(Path::new(path), read_only).ok()?;
                Some((PathBuf::from(path), Mounted::Tree(tree)))
            };
            trees.extend(ALLOWED_DEVICES.into_iter().filter_map(device));
            MountTree::open(Path::new("/"))?.set_all(read_only | nodev_flag)?;
        }
        // A root inside another one is mounted after that.
        reads::mount_all(trees, self.state)?;
        mount_own_terminals()?;
        let own_memory = self.share_memory(has_program_list);
        let own_temporary = self.own_temporary_folder(has_program_list)?;
        let loaders_bound =
            self.cover_state_directory(&own, spill_tree.as_ref(), connector.as_ref())?;
        if let Some(tree) = build_tree {
            tree.mount_at(&build)?;
        }
        // It has copies of all mounts, so nothing is mounted outside of it any more.
        let own_root = view_root::enter_new(self.plan)?;
        Ok(EnteredView {
            loaders_bound,
            own_memory,
            own_temporary,
            own_users,
            own_root,
            layered: None,
        })
    }

    /// Mounts a folder of shared memory that is the worker's own, if commands may not write in the host's. Returns whether it
    /// did. Otherwise nothing changes, and commands cannot write there.
    fn share_memory(&self, has_program_list: bool) -> bool {
        let place = Path::new(SHARED_MEMORY_FOLDER);
        let is_wanted = |root: &PlanRoot| {
            let root_path = Path::new(OsStr::from_bytes(&root.path));
            root_path.starts_with(place) || root.writable && place.starts_with(root_path)
        };
        let is_in_use = self.state.starts_with(place) || self.plan.roots.iter().any(is_wanted);
        let is_folder = std::fs::symlink_metadata(place).is_ok_and(|status| status.is_dir());
        let noexec_flag = if has_program_list { libc::MS_NOEXEC } else { 0 };
        let flags = libc::MS_NOSUID | libc::MS_NODEV | noexec_flag;
        is_folder
            && !is_in_use
            && !self.plan.writes_anywhere
            && self
                .memory_options(MAX_SHARED_MEMORY_BYTES, SHARED_MEMORY_OPTIONS)
                .and_then(|options| mount(c"handrail", c"/dev/shm", c"tmpfs", flags, &options))
                .is_ok()
    }

    /// The options of a file system in memory: no larger than `max_bytes`, and little larger than what a run may write to disk.
    fn memory_options(&self, max_bytes: u64, options: &str) -> io::Result<CString> {
        let disk = self.plan.limits.disk_bytes;
        let bytes = disk.map_or(max_bytes, |disk| disk.saturating_add(FOLDER_BYTES).min(max_bytes));
        CString::new(format!("size={bytes},{options}")).map_err(io::Error::other)
    }

    /// Mounts a folder of temporary files that is the worker's own, if the plan asks for one. The state directory may lie
    /// right beneath the folder, and nothing else that commands need. Returns whether it did.
    fn own_temporary_folder(&self, has_program_list: bool) -> io::Result<bool> {
        let place = Path::new(TEMPORARY_FOLDER);
        let is_folder = std::fs::symlink_metadata(place).is_ok_and(|status| status.is_dir());
        let is_state_beside = self.state.parent() == Some(place)
            || std::fs::canonicalize(self.state).is_ok_and(|state| !state.starts_with(place));
        if !self.plan.own_temporary || self.plan.writes_anywhere || !is_folder || !is_state_beside {
            return Ok(false);
        }
        let noexec_flag = if has_program_list { libc::MS_NOEXEC } else { 0 };
        let flags = libc::MS_NOSUID | libc::MS_NODEV | noexec_flag;
        let options = self.memory_options(MAX_TEMPORARY_BYTES, TEMPORARY_OPTIONS)?;
        mount(c"handrail", c"/tmp", c"tmpfs", flags, &options)?;
        if self.state.starts_with(place) {
            rustix::fs::mkdir(self.state, Mode::RWXU)?;
        }
        Ok(true)
    }

    /// Covers the state directory with a file system that holds only this worker's folder and the spilled output. Returns
    /// whether every loader is a copy that cannot be run by name.
    fn cover_state_directory(
        &self,
        own: &MountTree,
        spill_tree: Option<&MountTree>,
        connector: Option<&ssh::Connector>,
    ) -> io::Result<bool> {
        let state = c_path(self.state)?;
        mount(c"handrail", &state, c"tmpfs", libc::MS_NOSUID | libc::MS_NODEV, VIEW_OPTIONS)?;
        let folder = rustix::fs::open(self.state, OFlags::PATH | OFlags::DIRECTORY, Mode::empty())?;
        let mount_at = |tree: &MountTree, path: &Path| -> io::Result<()> {
            let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
            rustix::fs::mkdirat(&folder, name, Mode::RWXU)?;
            tree.mount_at(path)
        };
        mount_at(own, self.own)?;
        if let Some(spill_tree) = spill_tree {
            mount_at(spill_tree, &self.state.join(self.plan.spill_folder()))?;
        }
        let mut loaders_bound = true;
        if self.plan.execute.is_some() {
            for (index, path) in self.plan.loaders.iter().enumerate() {
                let path = Path::new(OsStr::from_bytes(path));
                loaders_bound &= self.bind_loader(path, index, folder.as_fd()).is_ok();
            }
        }
        if let Some(connector) = connector {
            connector.announce(self.state)?;
        }
        MountTree::open(self.state)?.set_one(MOUNT_ATTR_RDONLY)?;
        Ok(loaders_bound)
    }

    /// Mounts a copy that cannot be run by name over a loader.
    fn bind_loader(&self, path: &Path, index: usize, folder: BorrowedFd<'_>) -> io::Result<()> {
        if std::fs::metadata(path)?.len() > MAX_LOADER_BYTES {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let copy =
            loader::load_only_copy(&std::fs::read(path)?).ok_or(io::ErrorKind::InvalidData)?;
        let name = format!("loader-{index}");
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let file = rustix::fs::openat(folder, &name, flags, Mode::from_raw_mode(0o555))?;
        let mut written_bytes = 0;
        while written_bytes < copy.len() {
            written_bytes += rustix::io::write(&file, &copy[written_bytes..])?;
        }
        // The kernel does not execute a file that is open for writing.
        drop(file);
        let tree = MountTree::clone(&self.state.join(&name), MOUNT_ATTR_RDONLY)?;
        tree.mount_at(path)
    }
}

/// Mounts terminals of the worker's own over the user's terminals. A system without terminals has nothing to hide.
fn mount_own_terminals() -> io::Result<()> {
    if !Path::new(TERMINAL_FOLDER).is_dir() {
        return Ok(());
    }
    let flags = libc::MS_NOSUID | libc::MS_NOEXEC;
    mount(c"handrail", c"/dev/pts", c"devpts", flags, TERMINAL_OPTIONS)?;
    match MountTree::clone(Path::new(TERMINAL_MAKER), 0)?.mount_at(Path::new(KNOWN_TERMINAL_MAKER))
    {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

/// Finds an executable that the host opened in the view of this process, so that opening it through `/proc/self/exe` does not
/// lead out of the view. Fails for a file that the view does not have, such as a file in memory. Allocates nothing.
/// `layered`: the roots over which the view has a layer.
pub(crate) fn open_executable(executable: RawFd, layered: &[PlanRoot]) -> io::Result<RawFd> {
    let mut link = *b"/proc/self/fd/0000000000\0";
    let digits = &mut link[b"/proc/self/fd/".len()..];
    let mut rest = executable.unsigned_abs();
    for digit in digits[..10].iter_mut().rev() {
        *digit = b'0' + u8::try_from(rest % 10).unwrap_or(0);
        rest /= 10;
    }
    // The kernel does not accept leading zeros.
    let first = digits[..9].iter().position(|&digit| digit != b'0').unwrap_or(9);
    digits.copy_within(first.., 0);
    let mut path = [0_u8; libc::PATH_MAX as usize];
    // SAFETY: the link's name ends with a NUL byte, and the buffer is one byte longer than the given length.
    let length =
        unsafe { libc::readlink(link.as_ptr().cast(), path.as_mut_ptr().cast(), path.len() - 1) };
    check(length as i64)?;
    // SAFETY: the bytes of the buffer after the path are zero.
    let reopened_fd = unsafe { libc::open(path.as_ptr().cast(), libc::O_PATH | libc::O_CLOEXEC) };
    check(reopened_fd)?;
    if is_meant(reopened_fd, executable, &path, layered)? {
        return Ok(reopened_fd);
    }
    Err(io::Error::from_raw_os_error(libc::ESTALE))
}

/// Enters a directory that the host opened, as the view of this process has it. Where the view shows it by a second path, it is
/// entered by that. Allocates nothing. `layered`: the roots over which the view has a layer.
pub(crate) fn enter_directory(
    directory: RawFd,
    shown: &[ShownRoot],
    layered: &[PlanRoot],
) -> io::Result<()> {
    const UNREACHABLE_PREFIX: &[u8] = b"(unreachable)";
    let mut path = [0_u8; libc::PATH_MAX as usize];
    // SAFETY: a plain number.
    check(unsafe { libc::fchdir(directory) })?;
    // glibc's `getcwd` refuses a path that does not begin with a slash.
    // SAFETY: the buffer is valid for the call and has the given length.
    check(unsafe { libc::syscall(libc::SYS_getcwd, path.as_mut_ptr(), path.len()) })?;
    let real_path = path.strip_prefix(UNREACHABLE_PREFIX).unwrap_or(&path);
    let mut second_path = [0_u8; libc::PATH_MAX as usize];
    let path = view_root::shown_path(real_path, shown, &mut second_path).unwrap_or(real_path);
    let flags = libc::O_PATH | libc::O_DIRECTORY | libc::O_CLOEXEC;
    // SAFETY: the path ends with a NUL byte.
    let reopened_fd = unsafe { libc::open(path.as_ptr().cast(), flags) };
    check(reopened_fd)?;
    // The root directory of a view that shows something by a second path is its own.
    let is_own_root = !shown.is_empty() && path.starts_with(b"/\0");
    if !is_own_root && !is_meant(reopened_fd, directory, real_path, layered)? {
        return Err(io::Error::from_raw_os_error(libc::ESTALE));
    }
    // SAFETY: a plain number. The descriptor stays open until the program is executed.
    check(unsafe { libc::fchdir(reopened_fd) })
}

/// Whether what this process has opened by a path, which ends with a NUL byte, is what the host has opened by it. A layer in which
/// nothing was written yet shows a file under another device, with everything else that a file has: the time of its last change
/// is given by the kernel alone. A folder may have another inode number as well, and is known by its path within the layer, where
/// no link leads out of it. Allocates nothing.
fn is_meant(opened: RawFd, meant: RawFd, path: &[u8], layered: &[PlanRoot]) -> io::Result<bool> {
    let (found, wanted) = (status(opened)?, status(meant)?);
    if (found.st_dev, found.st_ino) == (wanted.st_dev, wanted.st_ino) {
        return Ok(true);
    }
    let path = path.split(|&byte| byte == 0).next().unwrap_or_default();
    for root in layered {
        let Some(rest) = path.strip_prefix(&root.path[..]) else { continue };
        if rest.is_empty() {
            return Ok((found.st_dev, found.st_ino) == (root.device, root.inode));
        }
        if rest.starts_with(b"/") {
            let times = |stat: &libc::stat| {
                [stat.st_ctime, stat.st_ctime_nsec, stat.st_mtime, stat.st_mtime_nsec]
            };
            let access = |stat: &libc::stat| [stat.st_mode, stat.st_uid, stat.st_gid];
            let is_same = if wanted.st_mode & libc::S_IFMT == libc::S_IFDIR {
                found.st_dev == root.device
            } else {
                (found.st_ino, found.st_size) == (wanted.st_ino, wanted.st_size)
            };
            return Ok(is_same
                && times(&found) == times(&wanted)
                && access(&found) == access(&wanted));
        }
    }
    Ok(false)
}

/// The device and inode of what a path names; of a link itself.
pub(crate) fn identity_of(path: &Path) -> io::Result<(u64, u64)> {
    let status = rustix::fs::lstat(path)?;
    Ok((status.st_dev, status.st_ino))
}

/// The device and inode of an open file.
fn identity(file: RawFd) -> io::Result<(libc::dev_t, libc::ino_t)> {
    let status = status(file)?;
    Ok((status.st_dev, status.st_ino))
}

fn status(file: RawFd) -> io::Result<libc::stat> {
    // SAFETY: an all-zero status is valid.
    let mut status: libc::stat = unsafe { std::mem::zeroed() };
    // SAFETY: the status is valid for the call.
    check(unsafe { libc::fstat(file, &raw mut status) })?;
    Ok(status)
}

/// Opens the directory of a root, if its path still leads to the directory that was meant.
pub(crate) fn open_root(root: &PlanRoot) -> Option<OwnedFd> {
    let opened = open_path(&root.path, OFlags::DIRECTORY)?;
    (identity(opened.as_raw_fd()).ok()? == (root.device, root.inode)).then_some(opened)
}

/// Opens a place, if its path still leads to the file or folder that was meant.
pub(crate) fn open_place(place: &PlanPlace) -> Option<OwnedFd> {
    let opened = open_path(&place.path, OFlags::NOFOLLOW)?;
    (identity(opened.as_raw_fd()).ok()? == (place.device, place.inode)).then_some(opened)
}

fn open_path(path: &[u8], flags: OFlags) -> Option<OwnedFd> {
    let flags = OFlags::PATH | OFlags::CLOEXEC | flags;
    rustix::fs::open(OsStr::from_bytes(path), flags, Mode::empty()).ok()
}

/// Leaves the host's view of the file system. An ordinary user needs a user namespace of its own for that; returns whether this
/// process entered one.
pub(crate) fn unshare_mounts(wants_users: bool) -> io::Result<bool> {
    let kind = libc::CLONE_NEWNS;
    let own_users =
        if wants_users && unshare_users(kind)? { true } else { unshare_with_users(kind)? };
    // The view does not get what the host mounts later, because nothing would limit writing and executing there.
    mount(c"none", c"/", c"", libc::MS_REC | libc::MS_PRIVATE, c"")?;
    Ok(own_users)
}

/// Tests whether this process could make a view: enters a namespace of the same kind, for good, and mounts something.
pub(crate) fn try_view() -> io::Result<()> {
    unshare_mounts(false)?;
    mount(c"handrail", c"/tmp", c"tmpfs", libc::MS_NOSUID | libc::MS_NODEV, VIEW_OPTIONS)
}

pub(crate) fn mount(
    source: &CStr,
    target: &CStr,
    kind: &CStr,
    flags: libc::c_ulong,
    options: &CStr,
) -> io::Result<()> {
    // SAFETY: all arguments are strings that are valid for the call.
    let done = unsafe {
        libc::mount(source.as_ptr(), target.as_ptr(), kind.as_ptr(), flags, options.as_ptr().cast())
    };
    check(done)
}

pub(crate) fn c_path(path: &Path) -> io::Result<CString> {
    Ok(CString::new(path.as_os_str().as_bytes())?)
}

#[cfg(test)]
mod tests;
