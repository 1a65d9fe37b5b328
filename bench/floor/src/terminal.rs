//! A loop that only reads the output of a command from a terminal, until no process has it open.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::Taken;

const READ_BYTES: usize = 128 * 1024;

/// Lets this program write `bytes` to a terminal and reads them to the end. A newline comes as two bytes.
pub(crate) fn read(bytes: u64) -> io::Result<Taken> {
    let mut buffer = vec![0_u8; READ_BYTES];
    let mut total = 0;
    let begun = Instant::now();
    let (ours, theirs) = open()?;
    let mut child = Command::new(std::env::current_exe()?)
        .args(["write", &bytes.to_string()])
        .stdin(Stdio::null())
        .stdout(Stdio::from(theirs))
        .spawn()?;
    loop {
        // SAFETY: the buffer is as long as is said.
        let count =
            unsafe { libc::read(ours.as_raw_fd(), buffer.as_mut_ptr().cast(), buffer.len()) };
        match u64::try_from(count) {
            Ok(count) if count > 0 => total += count,
            // No process has the terminal open any more.
            _ => break,
        }
    }
    let status = child.wait()?;
    let nanoseconds = begun.elapsed().as_nanos();
    if !status.success() {
        return Err(io::ErrorKind::Other.into());
    }
    Ok(Taken { nanoseconds, bytes: total })
}

fn open() -> io::Result<(OwnedFd, OwnedFd)> {
    let (mut ours, mut theirs) = (-1, -1);
    let none = std::ptr::null_mut();
    // SAFETY: both numbers are written to valid memory; no name, modes or size are given.
    let done = unsafe {
        libc::openpty(&raw mut ours, &raw mut theirs, none, std::ptr::null(), std::ptr::null())
    };
    if done == -1 {
        return Err(io::Error::last_os_error());
    }
    for descriptor in [ours, theirs] {
        // SAFETY: plain numbers. The command gets its copies by name only.
        unsafe { libc::fcntl(descriptor, libc::F_SETFD, libc::FD_CLOEXEC) };
    }
    // SAFETY: the descriptor was opened above and has no other owner.
    let ours = unsafe { OwnedFd::from_raw_fd(ours) };
    // SAFETY: the same.
    let theirs = unsafe { OwnedFd::from_raw_fd(theirs) };
    Ok((ours, theirs))
}
