//! Signals as readable descriptors, so that a loop can wait for them as for everything else.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};

use super::syscall::{check, owned_fd};

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
    check(unsafe { libc::sigprocmask(libc::SIG_BLOCK, &raw const set, std::ptr::null_mut()) })?;
    // SAFETY: the set is valid for the call.
    owned_fd(unsafe { libc::signalfd(-1, &raw const set, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK) })
}

/// Takes pending signals off the descriptor, one at a time. Allocates nothing, because a worker does this while a standby
/// uses its heap.
pub(crate) fn pending(descriptor: &OwnedFd) -> impl Iterator<Item = i32> {
    const RECORD_BYTES: usize = size_of::<libc::signalfd_siginfo>();
    std::iter::from_fn(|| {
        let mut buffer = [0_u8; RECORD_BYTES];
        // SAFETY: the buffer is as long as said.
        let count =
            unsafe { libc::read(descriptor.as_raw_fd(), buffer.as_mut_ptr().cast(), RECORD_BYTES) };
        if usize::try_from(count) != Ok(RECORD_BYTES) {
            return None;
        }
        let number = u32::from_ne_bytes([buffer[0], buffer[1], buffer[2], buffer[3]]);
        Some(i32::try_from(number).unwrap_or(0))
    })
}

/// Takes every pending signal off the descriptor. Allocates nothing.
pub(crate) fn clear(descriptor: &OwnedFd) {
    pending(descriptor).for_each(drop);
}

/// Unblocks every signal: a blocked one would stay blocked in the program that this process becomes.
pub(crate) fn unblock_all() {
    // SAFETY: an all-zero `sigset_t` is a valid value that the next call overwrites.
    let mut empty_set: libc::sigset_t = unsafe { std::mem::zeroed() };
    // SAFETY: `empty_set` is a live, writable set.
    unsafe { libc::sigemptyset(&raw mut empty_set) };
    // SAFETY: the set is valid for the call; the old one is not asked for.
    unsafe { libc::sigprocmask(libc::SIG_SETMASK, &raw const empty_set, std::ptr::null_mut()) };
}

/// Gives every signal its default action: an ignored one would stay ignored in the programs that are started.
pub(crate) fn reset_actions() {
    for signal in 1..=libc::SIGRTMAX() {
        // SAFETY: restoring the default action is sound; SIGKILL and SIGSTOP only refuse.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
}
