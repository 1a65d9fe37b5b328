//! A worker as the first process of a PID namespace.
//!
//! What it starts sees, signals and ends nothing else, and ends with it, whoever ends it: the kernel kills
//! whatever is left in a namespace when its first process goes. That needs no Landlock, so it holds on
//! kernels whose Landlock has no scope for signals. A run has no number twice, but its numbers are not the
//! host's: those are read through the host's /proc, which this process keeps open.

use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::path::Path;

use handrail_supervisor::socket;
use rustix::fs::{Mode, OFlags};
use rustix::net::{RecvFlags, SendFlags};

use crate::namespace::{MOUNT_ATTR_RDONLY, Tree, check, mounts, owned, unshare};
use crate::processes;

const FSOPEN_CLOEXEC: libc::c_uint = 1;
const FSMOUNT_CLOEXEC: libc::c_uint = 1;
const FSCONFIG_CMD_CREATE: libc::c_uint = 6;
const MOUNT_ATTR_NOSUID: u64 = 2;
const MOUNT_ATTR_NODEV: u64 = 4;
const MOUNT_ATTR_NOEXEC: u64 = 8;
/// What may lie over a part of /proc: it hides nothing.
const FORMATS: &[u8] = b"/proc/sys/fs/binfmt_misc";
/// The numbers of a namespace begin here, so far apart for one worker and the next: programs of several
/// runs name temporary files in one folder by their numbers.
const FIRST_NUMBER: i32 = 300;
const APART: i32 = 997;
/// The highest number that every kernel has.
const MAX_NUMBER: i32 = 32_000;

/// Whether it can be had here: a /proc of its own would show what a container lays something over.
pub(crate) fn is_possible() -> bool {
    let whole = |place: &Vec<u8>| !place.starts_with(b"/proc/") || place.starts_with(FORMATS);
    // The numbers of /proc are those of this process's own namespace.
    mounts().iter().all(whole) && processes::shown_id() == Some(processes::own_id())
}

/// Becomes that process: it goes on in a child, whose parent is the supervisor when this one has ended.
///
/// # Errors
/// When there can be none, or no /proc that shows it: this process must not serve then.
pub(crate) fn enter(view: &OwnedFd) -> io::Result<()> {
    unshare(libc::CLONE_NEWPID)?;
    // SAFETY: this process has one thread.
    let pid = unsafe { libc::fork() };
    check(pid.into())?;
    if pid != 0 {
        // SAFETY: ends this process without running anything of the other's.
        unsafe { libc::_exit(0) }
    }
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let hosts = rustix::fs::open("/proc", flags, Mode::empty())?;
    let own = mount()?;
    processes::look_through(hosts);
    spread(&own);
    socket::send(view, &[], &[own.as_fd()], SendFlags::empty())?;
    // Its answer is empty.
    socket::receive(view, RecvFlags::empty())?.map(drop).ok_or(io::ErrorKind::BrokenPipe.into())
}

/// A /proc that shows this namespace, not yet anywhere.
fn mount() -> io::Result<OwnedFd> {
    // SAFETY: the name is a valid string.
    let context = unsafe { libc::syscall(libc::SYS_fsopen, c"proc".as_ptr(), FSOPEN_CLOEXEC) };
    let context = owned(context)?;
    let (none, create) = (std::ptr::null::<libc::c_char>(), FSCONFIG_CMD_CREATE);
    let context_fd = context.as_raw_fd();
    // SAFETY: the descriptor is open; this command takes no key and no value.
    check(unsafe { libc::syscall(libc::SYS_fsconfig, context_fd, create, none, none, 0) })?;
    let attributes = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC;
    // SAFETY: as above.
    owned(unsafe { libc::syscall(libc::SYS_fsmount, context_fd, FSMOUNT_CLOEXEC, attributes) })
}

/// Where it cannot be said, numbers begin with 2.
fn spread(own: &OwnedFd) {
    let number = processes::shown_id().unwrap_or(0).wrapping_mul(APART).rem_euclid(MAX_NUMBER);
    let path = format!("/proc/self/fd/{}/sys/kernel/ns_last_pid", own.as_raw_fd());
    let _ = std::fs::write(path, (FIRST_NUMBER + number).to_string());
}

/// In the process that made the view: puts it in the place of the host's.
pub(crate) fn show(processes: OwnedFd) -> io::Result<()> {
    let tree = Tree(processes);
    tree.set_one(MOUNT_ATTR_RDONLY)?;
    tree.put(Path::new("/proc"))
}
