//! What is left to do when the supervisor itself was killed.
//!
//! A worker that dies is buried by the supervisor, and when the supervisor dies the workers end their
//! runs. When both are killed at once, as when memory runs out, what a run started would go to the
//! first process of the machine. The watchdog shares the supervisor's Landlock domain, whose signal
//! scope was verified, so one `kill(-1)` of its reaches all of it: parents do not matter.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::time::Duration;

use crate::descriptors;
use crate::reaper::{self, Means};
use crate::state::State;

/// The process name, for people and tests. At most 15 bytes are kept by the kernel.
const NAME: &std::ffi::CStr = c"handrail-watch";
/// A supervisor whose host has ended needs at most 2 s, and then the time to remove its folders.
const SUPERVISOR_LIMIT: Duration = Duration::from_secs(3);
/// A host that is killed together with its supervisor ends about when it does.
const HOST_LIMIT: Duration = Duration::from_secs(1);
/// Processes that were killed may still be making files: how often, and how long between.
const REMOVE_TRIES: u32 = 50;
const REMOVE_PAUSE: Duration = Duration::from_millis(10);

/// Forks the watchdog of this process, which has a domain of its own with a verified signal scope.
pub(crate) fn fork(host: &OwnedFd, state: &State) -> io::Result<i32> {
    let flags = rustix::process::PidfdFlags::empty();
    let supervisor = rustix::process::pidfd_open(rustix::process::getpid(), flags)?;
    // SAFETY: this process has one thread.
    let pid = unsafe { libc::fork() };
    if pid < 0 {
        return Err(io::Error::last_os_error());
    }
    if pid == 0 {
        let code = i32::from(watch(&supervisor, host, state).is_err());
        // SAFETY: ends the watchdog without running anything of the supervisor's.
        unsafe { libc::_exit(code) }
    }
    Ok(pid)
}

/// In the forked child, until the supervisor is gone. One that ends in order ends its watchdog first.
fn watch(supervisor: &OwnedFd, host: &OwnedFd, state: &State) -> io::Result<()> {
    // A copy of the control socket or of a leash would hide the supervisor's end from others.
    let [above, own] = state.descriptors();
    let (supervisor_fd, host_fd) = (supervisor.as_raw_fd(), host.as_raw_fd());
    descriptors::close_all_but(&mut [supervisor_fd, host_fd, above, own])?;
    // SAFETY: the name is a valid string.
    unsafe { libc::prctl(libc::PR_SET_NAME, NAME.as_ptr()) };
    loop {
        let [supervisor_gone, host_gone] = reaper::wait_readable(&[supervisor, host], None);
        if supervisor_gone {
            break;
        }
        if host_gone {
            // One that is stopped will not do its work; it is in the domain too.
            reaper::wait_readable(&[supervisor], Some(SUPERVISOR_LIMIT));
            break;
        }
    }
    reaper::kill_all(Means::Domain);
    let [host_gone] = reaper::wait_readable(&[host], Some(HOST_LIMIT));
    if host_gone {
        // A living host still reads spilled output there, and removes it itself.
        for _ in 0..REMOVE_TRIES {
            if state.remove() {
                break;
            }
            std::thread::sleep(REMOVE_PAUSE);
        }
    }
    Ok(())
}
