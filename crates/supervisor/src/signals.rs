//! Signals as readable descriptors, so that a loop waits for them like for everything else.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

/// Blocks these signals and returns a descriptor that becomes readable when one is pending.
pub(crate) fn descriptor(signals: &[i32]) -> io::Result<OwnedFd> {
    // SAFETY: an all-zero `sigset_t` is a valid value that the next call overwrites.
    let mut set: libc::sigset_t = unsafe { std::mem::zeroed() };
    // SAFETY: `set` is a live, writable set.
    unsafe { libc::sigemptyset(&raw mut set) };
    for &signal in signals {
        // SAFETY: as above; an unknown signal only makes the call fail.
        unsafe { libc::sigaddset(&raw mut set, signal) };
    }
    // SAFETY: both pointers are valid for the call.
    if unsafe { libc::sigprocmask(libc::SIG_BLOCK, &raw const set, std::ptr::null_mut()) } != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the set is valid for the call.
    let fd = unsafe { libc::signalfd(-1, &raw const set, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel just gave us this descriptor.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// Takes pending signals off the descriptor, one at a time. Allocates nothing: a worker does this while
/// a standby uses its heap.
pub(crate) fn pending(descriptor: &OwnedFd) -> impl Iterator<Item = i32> {
    const SIZE: usize = size_of::<libc::signalfd_siginfo>();
    std::iter::from_fn(|| {
        let mut buffer = [0_u8; SIZE];
        // SAFETY: the buffer is as long as said.
        let count = unsafe { libc::read(descriptor.as_raw_fd(), buffer.as_mut_ptr().cast(), SIZE) };
        if usize::try_from(count) != Ok(SIZE) {
            return None;
        }
        let number = u32::from_ne_bytes([buffer[0], buffer[1], buffer[2], buffer[3]]);
        Some(i32::try_from(number).unwrap_or(0))
    })
}

/// Takes every pending signal off the descriptor. Allocates nothing either.
pub(crate) fn clear(descriptor: &OwnedFd) {
    pending(descriptor).for_each(drop);
}

/// Blocked signals would stay blocked in the programs started.
pub(crate) fn unblock_all() {
    // SAFETY: an all-zero `sigset_t` is a valid value that the next call overwrites.
    let mut none: libc::sigset_t = unsafe { std::mem::zeroed() };
    // SAFETY: `none` is a live, writable set.
    unsafe { libc::sigemptyset(&raw mut none) };
    // SAFETY: the set is valid for the call; the old one is not asked for.
    unsafe { libc::sigprocmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut()) };
}

/// Gives every signal its default action: ignored ones would stay ignored in the programs started.
pub(crate) fn reset_actions() {
    for signal in 1..=libc::SIGRTMAX() {
        // SAFETY: restoring the default action is sound; SIGKILL and SIGSTOP only refuse.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
}
