//! Helpers for system calls that no library wraps.

use std::io;
use std::os::fd::{FromRawFd, OwnedFd, RawFd};

/// The error that the kernel reported when a call returned a negative number.
pub(crate) fn check(returned: impl Into<i64>) -> io::Result<()> {
    if returned.into() < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Takes ownership of the descriptor that a call returned.
pub(crate) fn owned_fd(returned: impl Into<i64>) -> io::Result<OwnedFd> {
    let descriptor = RawFd::try_from(returned.into()).unwrap_or(-1);
    check(descriptor)?;
    // SAFETY: the kernel just returned this descriptor, and nobody else has it.
    Ok(unsafe { OwnedFd::from_raw_fd(descriptor) })
}

/// Runs a function in a child of this single-threaded process, and ends the child with it. Returns the child's id.
pub(crate) fn fork(child: impl FnOnce() -> io::Result<()>) -> io::Result<i32> {
    // SAFETY: this process has one thread.
    let pid = unsafe { libc::fork() };
    check(pid)?;
    if pid == 0 {
        let code = i32::from(child().is_err());
        // SAFETY: ends the child without running anything that belongs to its parent.
        unsafe { libc::_exit(code) }
    }
    Ok(pid)
}

/// Names this process for people and tests. The kernel keeps at most 15 bytes.
pub(crate) fn set_process_name(name: &std::ffi::CStr) {
    // SAFETY: the name is a valid string.
    unsafe { libc::prctl(libc::PR_SET_NAME, name.as_ptr()) };
}
