//! Who is at the other end of a Unix socket.

use std::fs;
use std::io;
use std::mem::size_of;
use std::os::fd::{FromRawFd as _, OwnedFd, RawFd};
use std::path::PathBuf;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};

use super::proc::{OWN_PROC, Stat};

/// Gives a descriptor of the process that connected, of which no later process can take the place (Linux 6.5).
const SO_PEERPIDFD: libc::c_int = 77;
/// The name of a supervisor and of its workers, as the kernel shortens it.
const SUPERVISOR: &str = "handrail-superv";
/// Most ancestors of a process that are looked at.
const MAX_ANCESTORS: usize = 1024;

/// Why a process is not talked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PeerRefusal {
    /// It belongs to another user.
    OtherUser,
    /// It is in another namespace of processes or users, has ended, or cannot be looked at.
    Unknown,
    /// It was started by a command, or is one.
    Command,
}

/// The id of the process at the other end of a connected socket: the one that connected, or that listens. It is refused unless
/// it belongs to this user or to root, lives in the same namespaces, and does not descend from a supervisor, ours or that of
/// another host.
pub fn peer(socket: RawFd) -> Result<i32, PeerRefusal> {
    let none = libc::ucred { pid: 0, uid: u32::MAX, gid: u32::MAX };
    let credentials = option(socket, libc::SO_PEERCRED, none).map_err(|_| PeerRefusal::Unknown)?;
    let own = rustix::process::geteuid().as_raw();
    if credentials.uid != own && credentials.uid != 0 {
        return Err(PeerRefusal::OtherUser);
    }
    // A process that this namespace does not know has the id 0.
    let pid = Pid::from_raw(credentials.pid).ok_or(PeerRefusal::Unknown)?;
    let process = process_of(socket, pid).map_err(|_| PeerRefusal::Unknown)?;
    let number = pid.as_raw_nonzero().get();
    if !is_beside(number) {
        return Err(PeerRefusal::Unknown);
    }
    if descends_from_supervisor(number).ok_or(PeerRefusal::Unknown)? {
        return Err(PeerRefusal::Command);
    }
    // Until now the id belonged to this process.
    if has_ended(&process) { Err(PeerRefusal::Unknown) } else { Ok(number) }
}

/// A descriptor of the process that connected. Older kernels give only its id, which another process may have by now.
fn process_of(socket: RawFd, pid: Pid) -> io::Result<OwnedFd> {
    match option::<libc::c_int>(socket, SO_PEERPIDFD, -1) {
        // SAFETY: the kernel has just made this descriptor for us.
        Ok(descriptor) if descriptor >= 0 => Ok(unsafe { OwnedFd::from_raw_fd(descriptor) }),
        Err(error) if error.raw_os_error() != Some(libc::ENOPROTOOPT) => Err(error),
        _ => Ok(pidfd_open(pid, PidfdFlags::empty())?),
    }
}

fn option<T: Copy>(socket: RawFd, name: libc::c_int, mut value: T) -> io::Result<T> {
    let mut length = libc::socklen_t::try_from(size_of::<T>()).map_err(io::Error::other)?;
    // SAFETY: the kernel writes at most `length` bytes, which `value` has, and any bytes are a value of these plain types.
    let result = unsafe {
        libc::getsockopt(socket, libc::SOL_SOCKET, name, (&raw mut value).cast(), &raw mut length)
    };
    if result == 0 { Ok(value) } else { Err(io::Error::last_os_error()) }
}

/// Whether a process is in the namespaces of this one. A process that may not be looked into is not.
fn is_beside(pid: i32) -> bool {
    let namespace = |process: &str, name| -> Option<PathBuf> {
        fs::read_link(format!("{OWN_PROC}/{process}/ns/{name}")).ok()
    };
    ["pid", "user"].iter().all(|name| {
        let own = namespace("self", name);
        own.is_some() && own == namespace(&pid.to_string(), name)
    })
}

/// `None` where an ancestor cannot be looked at.
fn descends_from_supervisor(pid: i32) -> Option<bool> {
    let mut pid = pid;
    for _ in 0..MAX_ANCESTORS {
        let name = fs::read(format!("{OWN_PROC}/{pid}/comm")).ok()?;
        if name.starts_with(SUPERVISOR.as_bytes()) {
            return Some(true);
        }
        match Stat::of(OWN_PROC, pid)?.parent()? {
            0 => return Some(false),
            parent => pid = parent,
        }
    }
    None
}

fn has_ended(process: &OwnedFd) -> bool {
    let mut polled = [PollFd::new(process, PollFlags::IN)];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    // An error is no sign of life.
    poll(&mut polled, Some(&now)) != Ok(0)
}
