//! Each case closes descriptors of a forked child, which tells by its exit code what is left.

use std::os::fd::AsRawFd;

use super::*;

type Close = fn(&mut [RawFd]) -> io::Result<()>;

fn is_open(descriptor: RawFd) -> bool {
    // SAFETY: only asks.
    unsafe { libc::fcntl(descriptor, libc::F_GETFD) != -1 }
}

/// Opens five descriptors, closes all but `kept` of them in a child: which of the five are open?
fn left_open(close: Close, kept: &[usize]) -> Vec<usize> {
    let null = std::fs::File::open("/dev/null").unwrap();
    let copies: Vec<_> = (0..5).map(|_| null.try_clone().unwrap()).collect();
    let numbers: Vec<RawFd> = copies.iter().map(AsRawFd::as_raw_fd).collect();
    let mut kept: Vec<RawFd> = kept.iter().rev().map(|&index| numbers[index]).collect();
    // SAFETY: the child only closes, looks and exits.
    let pid = unsafe { libc::fork() };
    if pid == 0 {
        let mut bits = 0;
        if close(&mut kept).is_err() {
            bits = 0x80;
        }
        for (index, &number) in numbers.iter().enumerate() {
            bits |= i32::from(is_open(number)) << index;
        }
        // SAFETY: ends the child.
        unsafe { libc::_exit(bits) };
    }
    let mut status = 0;
    // SAFETY: the pointer is valid for the call.
    assert_eq!(unsafe { libc::waitpid(pid, &raw mut status, 0) }, pid);
    let bits = libc::WEXITSTATUS(status);
    assert_eq!(bits & 0x80, 0, "closing failed");
    (0..5).filter(|index| bits & (1 << index) != 0).collect()
}

#[test]
fn only_those_kept_stay_open() {
    let ways: [Close; 2] = [close_all_but, |kept| close_gaps(kept, close_listed)];
    for close in ways {
        for kept in [&[][..], &[0], &[4], &[1, 2], &[0, 2, 4], &[0, 1, 2, 3, 4]] {
            assert_eq!(left_open(close, kept), kept);
        }
    }
}
