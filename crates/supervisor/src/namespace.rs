//! A worker's own view of the file system: what commands must not write is read-only in it, what they
//! can write holds nothing to execute, and the folders of other runs are not in it. Its terminals are
//! its own, and devices there are few.
//!
//! The Landlock layer holds by itself; this adds what it has no right for: modes and times of files,
//! libraries that a program maps, and reading what belongs to other runs.

use std::ffi::{CStr, CString, OsStr};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use handrail_supervisor::message::{Plan, PlanRoot};
use rustix::fs::{Mode, OFlags};

use crate::confine::{self, DEVICES, TERMINALS};
use crate::loader;

const OPEN_TREE_CLONE: libc::c_uint = 1;
const MOVE_MOUNT_F_EMPTY_PATH: libc::c_uint = 4;
const MOVE_MOUNT_T_EMPTY_PATH: libc::c_uint = 0x40;
pub(crate) const MOUNT_ATTR_RDONLY: u64 = 1;
const MOUNT_ATTR_NODEV: u64 = 4;
const MOUNT_ATTR_NOEXEC: u64 = 8;
/// The view's own small file system, which holds the bound loaders and the places of folders.
const OWN_OPTIONS: &CStr = c"size=16m,mode=0755";
/// Where programs share memory and semaphores by name.
pub(crate) const MEMORY: &str = "/dev/shm";
const MEMORY_OPTIONS: &CStr = c"size=256m,nr_inodes=64k,mode=0700";
/// Terminals that are the worker's own, and the device in their folder that makes them. It takes the
/// place of the one that everybody knows.
const TERMINAL_OPTIONS: &CStr = c"newinstance,ptmxmode=0666,mode=0620,max=1024";
const TERMINAL_MAKER: &str = "/dev/pts/ptmx";
const KNOWN_TERMINAL_MAKER: &str = "/dev/ptmx";
/// No loader is larger.
const MAX_LOADER_BYTES: u64 = 8 * 1024 * 1024;

#[repr(C)]
struct MountAttributes {
    set: u64,
    clear: u64,
    propagation: u64,
    userns_fd: u64,
}

/// What the view is made of.
pub(crate) struct View<'a> {
    pub(crate) plan: &'a Plan,
    /// The state directory, whose contents are hidden.
    pub(crate) state: &'a Path,
    /// The worker's folder beneath it, which is not.
    pub(crate) own: &'a Path,
}

/// What came of it.
pub(crate) struct Entered {
    /// Whether every loader of the plan only loads.
    pub(crate) loaders_bound: bool,
    /// Whether [`MEMORY`] is this worker's own.
    pub(crate) own_memory: bool,
    /// Whether it took a namespace of users.
    pub(crate) own_users: bool,
}

impl View<'_> {
    /// Enters the view, for good.
    ///
    /// # Errors
    /// When this process may have none, or only half of it: it must not serve then.
    pub(crate) fn enter(&self) -> io::Result<Entered> {
        let own_users = detach()?;
        let listed = self.plan.execute.is_some();
        let not_executed = if listed { MOUNT_ATTR_NOEXEC } else { 0 };
        // Taken before all is made read-only.
        let own = Tree::clone(self.own, not_executed)?;
        let spilled = Tree::clone(&self.state.join(SPILL), not_executed | MOUNT_ATTR_RDONLY).ok();
        let held = !self.plan.writes_anywhere;
        let no_devices = if held { MOUNT_ATTR_NODEV } else { 0 };
        let mut trees = Vec::new();
        for root in self.plan.roots.iter().filter(|root| root.path != b"/") {
            // One whose path leads elsewhere by now is no root any more.
            if let Some(folder) = open_root(root)
                && (listed || held)
            {
                let path = Path::new(OsStr::from_bytes(&root.path));
                // What else is mounted beneath a root lies elsewhere, and may be written only where it
                // is a root itself.
                let read_only = if held { MOUNT_ATTR_RDONLY } else { 0 };
                let written = if root.writable { not_executed } else { 0 };
                let tree = Tree::clone_held(folder.as_fd(), read_only | written | no_devices)?;
                if root.writable && held {
                    tree.make_writable()?;
                }
                trees.push((path, tree));
            }
        }
        // Those within others come later.
        trees.sort_by_key(|(path, _)| path.as_os_str().len());
        if held {
            let read_only = if self.plan.writes_everywhere() { 0 } else { MOUNT_ATTR_RDONLY };
            // One that is not there is not missed.
            let device =
                |path| Some((Path::new(path), Tree::clone(Path::new(path), read_only).ok()?));
            trees.extend(DEVICES.into_iter().filter_map(device));
            Tree::open(Path::new("/"))?.set(read_only | no_devices)?;
        }
        for (path, tree) in trees {
            tree.put(path)?;
        }
        own_terminals()?;
        let own_memory = self.share_memory(listed);
        let loaders_bound = self.hide_others(&own, spilled.as_ref())?;
        Ok(Entered { loaders_bound, own_memory, own_users })
    }

    /// Gives the worker a place to share memory at, where the host's may not be written. Without one
    /// all is as it was: nothing there is written.
    fn share_memory(&self, listed: bool) -> bool {
        let place = Path::new(MEMORY);
        let is_wanted = |root: &PlanRoot| {
            let root_path = Path::new(OsStr::from_bytes(&root.path));
            root_path.starts_with(place) || root.writable && place.starts_with(root_path)
        };
        let is_taken = self.state.starts_with(place) || self.plan.roots.iter().any(is_wanted);
        let is_folder = std::fs::symlink_metadata(place).is_ok_and(|status| status.is_dir());
        let not_executed = if listed { libc::MS_NOEXEC } else { 0 };
        let flags = libc::MS_NOSUID | libc::MS_NODEV | not_executed;
        is_folder
            && !is_taken
            && !self.plan.writes_anywhere
            && mount(c"handrail", c"/dev/shm", c"tmpfs", flags, MEMORY_OPTIONS).is_ok()
    }

    /// Covers the state directory, with only this worker's folder and what was spilled in it. Gives
    /// whether every loader only loads.
    fn hide_others(&self, own: &Tree, spilled: Option<&Tree>) -> io::Result<bool> {
        let state = c_path(self.state)?;
        mount(c"handrail", &state, c"tmpfs", libc::MS_NOSUID | libc::MS_NODEV, OWN_OPTIONS)?;
        let folder = rustix::fs::open(self.state, OFlags::PATH | OFlags::DIRECTORY, Mode::empty())?;
        let put = |tree: &Tree, path: &Path| -> io::Result<()> {
            let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
            rustix::fs::mkdirat(&folder, name, Mode::RWXU)?;
            tree.put(path)
        };
        put(own, self.own)?;
        if let Some(spilled) = spilled {
            put(spilled, &self.state.join(SPILL))?;
        }
        let mut loaders_bound = true;
        if self.plan.execute.is_some() {
            for (index, path) in self.plan.loaders.iter().enumerate() {
                let path = Path::new(OsStr::from_bytes(path));
                loaders_bound &= self.bind_loader(path, index, folder.as_fd()).is_ok();
            }
        }
        Tree::open(self.state)?.set_one(MOUNT_ATTR_RDONLY)?;
        Ok(loaders_bound)
    }

    /// Puts a copy that only loads in a loader's place.
    fn bind_loader(&self, path: &Path, index: usize, folder: BorrowedFd<'_>) -> io::Result<()> {
        if std::fs::metadata(path)?.len() > MAX_LOADER_BYTES {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let copy = loader::bind(&std::fs::read(path)?).ok_or(io::ErrorKind::InvalidData)?;
        let name = format!("loader-{index}");
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let file = rustix::fs::openat(folder, &name, flags, Mode::from_raw_mode(0o555))?;
        let mut written = 0;
        while written < copy.len() {
            written += rustix::io::write(&file, &copy[written..])?;
        }
        // A file that is open for writing cannot be executed.
        drop(file);
        let tree = Tree::clone(&self.state.join(&name), MOUNT_ATTR_RDONLY)?;
        tree.put(path)
    }
}

/// Gives the worker terminals of its own: of the user's it sees none. Where there are none at all,
/// there is nothing to hide.
fn own_terminals() -> io::Result<()> {
    if !Path::new(TERMINALS).is_dir() {
        return Ok(());
    }
    let flags = libc::MS_NOSUID | libc::MS_NOEXEC;
    mount(c"handrail", c"/dev/pts", c"devpts", flags, TERMINAL_OPTIONS)?;
    match Tree::clone(Path::new(TERMINAL_MAKER), 0)?.put(Path::new(KNOWN_TERMINAL_MAKER)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

/// The executable of the host's view in the view of this process: it is a file of that view to whoever
/// opens it through `/proc/self/exe`. What is not there, such as a file in memory, is none. Allocates
/// nothing.
pub(crate) fn open_executable(executable: RawFd) -> io::Result<RawFd> {
    let mut link = *b"/proc/self/fd/0000000000\0";
    let digits = &mut link[b"/proc/self/fd/".len()..];
    let mut rest = executable.unsigned_abs();
    for digit in digits[..10].iter_mut().rev() {
        *digit = b'0' + u8::try_from(rest % 10).unwrap_or(0);
        rest /= 10;
    }
    // The kernel takes no zeros in front of a number.
    let first = digits[..9].iter().position(|&digit| digit != b'0').unwrap_or(9);
    digits.copy_within(first.., 0);
    let mut path = [0_u8; libc::PATH_MAX as usize];
    // SAFETY: the link's name ends with a NUL byte, and the buffer is as long as said; one byte is left.
    let length =
        unsafe { libc::readlink(link.as_ptr().cast(), path.as_mut_ptr().cast(), path.len() - 1) };
    check(length as libc::c_long)?;
    // SAFETY: the buffer was zero behind what was read.
    let here = unsafe { libc::open(path.as_ptr().cast(), libc::O_PATH | libc::O_CLOEXEC) };
    check(here.into())?;
    if identity(here)? == identity(executable)? {
        return Ok(here);
    }
    Err(io::Error::from_raw_os_error(libc::ESTALE))
}

/// Goes to where a directory of the host's view is in the view of this process. Allocates nothing.
pub(crate) fn enter_directory(directory: RawFd) -> io::Result<()> {
    const UNREACHABLE: &[u8] = b"(unreachable)";
    let mut path = [0_u8; libc::PATH_MAX as usize];
    // SAFETY: a plain number.
    check(unsafe { libc::fchdir(directory) }.into())?;
    // glibc's would look for a path that begins with a slash.
    // SAFETY: the buffer is valid for the call and as long as said.
    check(unsafe { libc::syscall(libc::SYS_getcwd, path.as_mut_ptr(), path.len()) })?;
    let path = path.strip_prefix(UNREACHABLE).unwrap_or(&path);
    let flags = libc::O_PATH | libc::O_DIRECTORY | libc::O_CLOEXEC;
    // SAFETY: the kernel ended the path with a NUL byte.
    let here = unsafe { libc::open(path.as_ptr().cast(), flags) };
    check(here.into())?;
    if identity(here)? != identity(directory)? {
        return Err(io::Error::from_raw_os_error(libc::ESTALE));
    }
    // SAFETY: a plain number. It stays open until the program is executed.
    check(unsafe { libc::fchdir(here) }.into())
}

fn identity(directory: RawFd) -> io::Result<(libc::dev_t, libc::ino_t)> {
    // SAFETY: an all-zero status is valid.
    let mut status: libc::stat = unsafe { std::mem::zeroed() };
    // SAFETY: the status is valid for the call.
    check(unsafe { libc::fstat(directory, &raw mut status) }.into())?;
    Ok((status.st_dev, status.st_ino))
}

pub(crate) fn check(answer: libc::c_long) -> io::Result<()> {
    if answer < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Where something is mounted. None that can be read is none.
pub(crate) fn mounts() -> Vec<Vec<u8>> {
    let mounts = std::fs::read("/proc/self/mountinfo").unwrap_or_default();
    let lines = mounts.split(|&byte| byte == b'\n');
    lines.filter_map(|line| line.split(|&byte| byte == b' ').nth(4)).map(unescaped).collect()
}

/// A path of `mountinfo`: blanks, line ends and backslashes stand there as `\\ooo`.
fn unescaped(path: &[u8]) -> Vec<u8> {
    let mut rest = path;
    let mut plain = Vec::with_capacity(path.len());
    while let [first, left @ ..] = rest {
        let code = |digits: &[u8]| {
            digits.iter().try_fold(0_u8, |code, digit| {
                code.checked_mul(8)?.checked_add(digit.checked_sub(b'0').filter(|d| *d < 8)?)
            })
        };
        match (
            first,
            left.split_at_checked(3).and_then(|(digits, left)| Some((code(digits)?, left))),
        ) {
            (b'\\', Some((byte, left))) => (plain.push(byte), rest = left).0,
            _ => (plain.push(*first), rest = left).0,
        }
    }
    plain
}

/// The directory of a root, if its path still leads to the one that was meant.
pub(crate) fn open_root(root: &PlanRoot) -> Option<OwnedFd> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let path = OsStr::from_bytes(&root.path);
    let held = rustix::fs::open(path, flags, Mode::empty()).ok()?;
    let status = rustix::fs::fstat(&held).ok()?;
    ((status.st_dev, status.st_ino) == (root.device, root.inode)).then_some(held)
}

/// The folder of files that did not fit into results.
const SPILL: &str = "spill";

/// Leaves the host's view. An ordinary user needs a user namespace for that, with itself in it; gives
/// whether it took one.
fn detach() -> io::Result<bool> {
    let (user, group) = (rustix::process::geteuid(), rustix::process::getegid());
    let own_users = unshare(libc::CLONE_NEWNS).is_err();
    if own_users {
        // The files that say who is who in the namespace belong to root while this process is opaque.
        confine::become_opaque(false)?;
        let entered = unshare(libc::CLONE_NEWUSER | libc::CLONE_NEWNS).and_then(|()| {
            std::fs::write("/proc/self/setgroups", "deny")?;
            std::fs::write("/proc/self/uid_map", format!("{0} {0} 1", user.as_raw()))?;
            std::fs::write("/proc/self/gid_map", format!("{0} {0} 1", group.as_raw()))
        });
        confine::become_opaque(true)?;
        entered?;
    }
    // What the host mounts later is not seen: nothing would keep it from being written or executed.
    mount(c"none", c"/", c"", libc::MS_REC | libc::MS_PRIVATE, c"")?;
    Ok(own_users)
}

/// Enters a namespace as views are made in, and mounts something there.
pub(crate) fn try_view() -> io::Result<()> {
    detach()?;
    mount(c"handrail", c"/tmp", c"tmpfs", libc::MS_NOSUID | libc::MS_NODEV, OWN_OPTIONS)
}

pub(crate) fn unshare(what: libc::c_int) -> io::Result<()> {
    // SAFETY: a plain number; this process has one thread.
    check(unsafe { libc::unshare(what) }.into())
}

fn mount(
    source: &CStr,
    target: &CStr,
    kind: &CStr,
    flags: libc::c_ulong,
    options: &CStr,
) -> io::Result<()> {
    // SAFETY: all are strings that are valid for the call.
    let done = unsafe {
        libc::mount(source.as_ptr(), target.as_ptr(), kind.as_ptr(), flags, options.as_ptr().cast())
    };
    check(done.into())
}

fn c_path(path: &Path) -> io::Result<CString> {
    Ok(CString::new(path.as_os_str().as_bytes())?)
}

/// A mounted tree, by descriptor.
pub(crate) struct Tree(pub(crate) OwnedFd);

impl Tree {
    /// A copy of what is mounted at and beneath a path, not yet anywhere, with these attributes.
    fn clone(path: &Path, attributes: u64) -> io::Result<Tree> {
        let held = rustix::fs::open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
        Tree::clone_held(held.as_fd(), attributes)
    }

    fn clone_held(place: BorrowedFd<'_>, attributes: u64) -> io::Result<Tree> {
        let flags = OPEN_TREE_CLONE
            | (libc::AT_RECURSIVE | libc::AT_EMPTY_PATH | libc::O_CLOEXEC).cast_unsigned();
        // SAFETY: the descriptor is open, and the path empty.
        let fd =
            unsafe { libc::syscall(libc::SYS_open_tree, place.as_raw_fd(), c"".as_ptr(), flags) };
        let tree = Tree(owned(fd)?);
        if attributes != 0 {
            tree.set(attributes)?;
        }
        Ok(tree)
    }

    fn open(path: &Path) -> io::Result<Tree> {
        let flags = OFlags::PATH | OFlags::CLOEXEC;
        Ok(Tree(rustix::fs::open(path, flags, Mode::empty())?))
    }

    fn set(&self, attributes: u64) -> io::Result<()> {
        self.change(attributes, 0, libc::AT_RECURSIVE)
    }

    pub(crate) fn set_one(&self, attributes: u64) -> io::Result<()> {
        self.change(attributes, 0, 0)
    }

    /// This mount alone.
    fn make_writable(&self) -> io::Result<()> {
        self.change(0, MOUNT_ATTR_RDONLY, 0)
    }

    fn change(&self, set: u64, clear: u64, flags: libc::c_int) -> io::Result<()> {
        let attributes = MountAttributes { set, clear, propagation: 0, userns_fd: 0 };
        // SAFETY: the attributes are valid for the call and as long as said.
        let done = unsafe {
            libc::syscall(
                libc::SYS_mount_setattr,
                self.0.as_raw_fd(),
                c"".as_ptr(),
                flags | libc::AT_EMPTY_PATH,
                &raw const attributes,
                size_of::<MountAttributes>(),
            )
        };
        check(done)
    }

    /// Mounts it at this path.
    pub(crate) fn put(&self, path: &Path) -> io::Result<()> {
        let place = rustix::fs::open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
        let flags = MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH;
        // SAFETY: both descriptors are open, and both paths empty.
        let done = unsafe {
            libc::syscall(
                libc::SYS_move_mount,
                self.0.as_raw_fd(),
                c"".as_ptr(),
                place.as_raw_fd(),
                c"".as_ptr(),
                flags,
            )
        };
        check(done)
    }
}

pub(crate) fn owned(fd: libc::c_long) -> io::Result<OwnedFd> {
    let fd = RawFd::try_from(fd).unwrap_or(-1);
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel just gave us this descriptor.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}
