//! Closing the descriptors that a process was not meant to have.

use std::io;
use std::os::fd::RawFd;

/// The first descriptor after the standard streams.
const FIRST_AFTER_STREAMS: RawFd = 3;

/// Closes everything from 3 on. It is called when a process starts, before that has opened anything: a host may leak
/// descriptors that lack `FD_CLOEXEC`, and every command would inherit them.
pub(crate) fn close_inherited() -> io::Result<()> {
    close_all_but(&mut [])
}

/// Closes everything from 3 on except `kept`. After a fork the others include sockets of other workers: while a copy is open
/// here, nobody would notice that they were closed elsewhere.
pub(crate) fn close_all_but(kept: &mut [RawFd]) -> io::Result<()> {
    close_gaps(kept, close_range)
}

fn close_gaps(
    kept: &mut [RawFd],
    close: impl Fn(RawFd, RawFd) -> io::Result<()>,
) -> io::Result<()> {
    kept.sort_unstable();
    let mut first = FIRST_AFTER_STREAMS;
    for &mut descriptor in kept {
        close(first, descriptor - 1)?;
        first = first.max(descriptor + 1);
    }
    close(first, RawFd::MAX)
}

fn close_range(first: RawFd, last: RawFd) -> io::Result<()> {
    if first > last {
        return Ok(());
    }
    // SAFETY: only called where nothing that is still used lies in the range.
    if unsafe { libc::syscall(libc::SYS_close_range, first, last, 0_u32) } == 0 {
        return Ok(());
    }
    // The call is missing before Linux 5.9, and a filter of the host may forbid it.
    close_listed(first, last)
}

fn close_listed(first: RawFd, last: RawFd) -> io::Result<()> {
    let mut open_descriptors = Vec::new();
    for entry in std::fs::read_dir("/proc/self/fd")? {
        open_descriptors
            .extend(entry?.file_name().to_str().and_then(|name| name.parse::<RawFd>().ok()));
    }
    for descriptor in open_descriptors.into_iter().filter(|number| (first..=last).contains(number))
    {
        // SAFETY: as above. The descriptor that the list was read with is closed already, so closing it only fails.
        unsafe { libc::close(descriptor) };
    }
    Ok(())
}

#[cfg(test)]
mod tests;
