//! A worker that is the first process of a PID namespace.
//!
//! The processes that such a worker starts can see, signal and end only each other. They also end with the worker, however it
//! ends: the kernel kills every process of a namespace when its first process ends. This needs no Landlock, so it also works
//! on kernels whose Landlock has no scope for signals. Process ids inside the namespace differ from those on the host, which
//! the worker reads in the host's /proc; it keeps that open.

use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::path::Path;

use handrail_supervisor::mount_table::{Mount, MountTable};
use handrail_supervisor::socket;
use rustix::fs::{Mode, OFlags};
use rustix::net::{RecvFlags, SendFlags};

use super::mount_tree::{MOUNT_ATTR_RDONLY, MountTree};
use super::processes;
use super::syscall::{check, owned_fd};
use super::users::unshare;

const FSOPEN_CLOEXEC: libc::c_uint = 1;
const FSMOUNT_CLOEXEC: libc::c_uint = 1;
const FSCONFIG_CMD_CREATE: libc::c_uint = 6;
const MOUNT_ATTR_NOSUID: u64 = 2;
const MOUNT_ATTR_NODEV: u64 = 4;
const MOUNT_ATTR_NOEXEC: u64 = 8;
/// The folder of /proc that something may be mounted over without hiding anything.
const BINFMT_FOLDER: &str = "/proc/sys/fs/binfmt_misc";
const PROC_FOLDER: &str = "/proc";
/// The first process ids of a namespace are above this number, and at another offset for each worker: programs of several runs
/// name temporary files in one folder by their process id.
const MIN_FIRST_PID: i32 = 300;
const PID_OFFSET_STRIDE: i32 = 997;
/// The highest process id that every kernel supports.
const MAX_PID_OFFSET: i32 = 32_000;

/// Whether a worker may get a /proc of its own here. It may not where a container hides a part of /proc by mounting over it,
/// because a new /proc would show that part.
pub(crate) fn is_possible() -> bool {
    let hides_nothing = |mount: &Mount| {
        let is_in_proc =
            mount.point.starts_with(PROC_FOLDER) && mount.point != Path::new(PROC_FOLDER);
        !is_in_proc || mount.point.starts_with(BINFMT_FOLDER)
    };
    // The process ids in /proc also have to be those of this process's own namespace.
    let mounts = MountTable::open().and_then(|table| table.mounts()).unwrap_or_default();
    mounts.iter().all(hides_nothing) && processes::host_pid() == Some(processes::own_pid())
}

/// Makes this worker the first process of a PID namespace. The worker continues in a child, and the supervisor becomes the
/// parent of that when this process has ended.
///
/// # Errors
/// When there can be no namespace, or no /proc for it. The worker must not serve then.
pub(crate) fn enter(view: &OwnedFd) -> io::Result<()> {
    unshare(libc::CLONE_NEWPID)?;
    // SAFETY: this process has one thread.
    let pid = unsafe { libc::fork() };
    check(pid)?;
    if pid != 0 {
        // SAFETY: ends this process without running anything that belongs to the child.
        unsafe { libc::_exit(0) }
    }
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let host_proc = rustix::fs::open("/proc", flags, Mode::empty())?;
    let own_proc = new_proc()?;
    processes::use_proc(host_proc);
    offset_pids(&own_proc);
    socket::send(view, &[], &[own_proc.as_fd()], SendFlags::empty())?;
    // The answer says that the /proc is mounted; it is empty.
    socket::receive(view, RecvFlags::empty())?.map(drop).ok_or(io::ErrorKind::BrokenPipe.into())
}

/// Makes a /proc for this namespace, which is not mounted yet.
fn new_proc() -> io::Result<OwnedFd> {
    // SAFETY: the name is a valid string.
    let context = unsafe { libc::syscall(libc::SYS_fsopen, c"proc".as_ptr(), FSOPEN_CLOEXEC) };
    let context = owned_fd(context)?;
    let (none, create) = (std::ptr::null::<libc::c_char>(), FSCONFIG_CMD_CREATE);
    let context_fd = context.as_raw_fd();
    // SAFETY: the descriptor is open; this command takes no key and no value.
    check(unsafe { libc::syscall(libc::SYS_fsconfig, context_fd, create, none, none, 0) })?;
    let attributes = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC;
    // SAFETY: as above.
    owned_fd(unsafe { libc::syscall(libc::SYS_fsmount, context_fd, FSMOUNT_CLOEXEC, attributes) })
}

/// Sets where the process ids of the namespace begin. If that fails they begin with 2.
fn offset_pids(own_proc: &OwnedFd) {
    let pid_offset = processes::host_pid()
        .unwrap_or(0)
        .wrapping_mul(PID_OFFSET_STRIDE)
        .rem_euclid(MAX_PID_OFFSET);
    let path = format!("/proc/self/fd/{}/sys/kernel/ns_last_pid", own_proc.as_raw_fd());
    let _ = std::fs::write(path, (MIN_FIRST_PID + pid_offset).to_string());
}

/// Mounts a worker's /proc over the host's. The process that made the view calls this.
pub(crate) fn mount_proc(processes: OwnedFd) -> io::Result<()> {
    let tree = MountTree(processes);
    tree.set_one(MOUNT_ATTR_RDONLY)?;
    tree.mount_at(Path::new("/proc"))
}
