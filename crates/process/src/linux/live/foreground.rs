//! Whether the program in the foreground of a terminal waits for input. The kernel knows which process group is in the
//! foreground, and in which system call and on which descriptor each thread of the group is blocked.

use std::fs;
use std::os::fd::AsFd;
use std::os::unix::fs::FileExt;

use handrail_pty::{Look, Waiting};
use handrail_supervisor::proc::{OWN_PROC, Stat};

/// Most processes of one session that are examined.
const MAX_PROCESSES: usize = 256;
/// Most threads of one process that are examined.
const MAX_THREADS: usize = 64;
/// Most descriptors that are examined of a set that a thread polls.
const MAX_POLLED_DESCRIPTORS: usize = 64;
/// The size of a `pollfd`: the descriptor, the requested events and the returned events.
const POLLFD_BYTES: usize = 8;
/// The event that a descriptor can be read.
const POLL_IN: u16 = 1;
/// The name by which each process can open its own terminal.
const OWN_TERMINAL: &str = "/dev/tty";

/// The system calls in which a thread waits for input.
#[derive(Clone, Copy)]
enum WaitingCall {
    Read,
    Poll,
    Select,
    Epoll,
}

/// The numbers of these calls on this processor.
const CALL_NUMBERS: &[(i64, WaitingCall)] = call_numbers();

#[cfg(target_arch = "x86_64")]
const fn call_numbers() -> &'static [(i64, WaitingCall)] {
    &[
        (0, WaitingCall::Read),
        (19, WaitingCall::Read),
        (7, WaitingCall::Poll),
        (271, WaitingCall::Poll),
        (23, WaitingCall::Select),
        (270, WaitingCall::Select),
        (232, WaitingCall::Epoll),
        (281, WaitingCall::Epoll),
        (441, WaitingCall::Epoll),
    ]
}

#[cfg(target_arch = "aarch64")]
const fn call_numbers() -> &'static [(i64, WaitingCall)] {
    &[
        (63, WaitingCall::Read),
        (65, WaitingCall::Read),
        (73, WaitingCall::Poll),
        (72, WaitingCall::Select),
        (22, WaitingCall::Epoll),
        (441, WaitingCall::Epoll),
    ]
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const fn call_numbers() -> &'static [(i64, WaitingCall)] {
    // Where no call is recognised, a read ends when the program is quiet.
    &[]
}

const UNKNOWN: Look = Look { waiting: Waiting::Unknown, waiter: None };

/// Examines the foreground of this terminal, among the descendants of this worker.
pub(crate) fn examine(terminal: impl AsFd, worker: i32) -> Look {
    if CALL_NUMBERS.is_empty() {
        return UNKNOWN;
    }
    let Ok(group) = rustix::termios::tcgetpgrp(&terminal) else { return UNKNOWN };
    let Ok(name) = rustix::pty::ptsname(&terminal, Vec::new()) else { return UNKNOWN };
    let Ok(name) = name.to_str() else { return UNKNOWN };
    let group = group.as_raw_nonzero().get();
    let mut best = Look { waiting: Waiting::No, waiter: None };
    // The first process of the group is the most likely one to wait.
    let first = std::iter::once(group);
    let others =
        descendants(worker).into_iter().filter(|&pid| pid != group && group_of(pid) == Some(group));
    for pid in first.chain(others) {
        let look = examine_process(pid, name);
        if rank(look.waiting) > rank(best.waiting) {
            best = look;
        }
        if best.waiting == Waiting::Only {
            break;
        }
    }
    best
}

/// How much a thread says about its group: one that waits says more than one that works.
fn rank(waiting: Waiting) -> u8 {
    match waiting {
        Waiting::No => 0,
        Waiting::Unknown => 1,
        Waiting::Also => 2,
        Waiting::Only => 3,
    }
}

fn examine_process(pid: i32, terminal: &str) -> Look {
    let mut best = Look { waiting: Waiting::No, waiter: None };
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else { return best };
    let threads =
        threads.filter_map(|thread| thread.ok()?.file_name().to_str()?.parse::<i32>().ok());
    for thread in threads.take(MAX_THREADS) {
        let call = match fs::read_to_string(format!("/proc/{pid}/task/{thread}/syscall")) {
            Ok(call) => call,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            // The thread has ended meanwhile.
            Err(error) if error.raw_os_error() == Some(rustix::io::Errno::SRCH.raw_os_error()) => {
                continue;
            }
            Err(_) => {
                best = if best.waiting == Waiting::No { UNKNOWN } else { best };
                continue;
            }
        };
        let waiting = blocked_on(pid, &call, terminal);
        if rank(waiting) > rank(best.waiting) {
            best = Look { waiting, waiter: sleep_count(pid, thread).map(|count| (thread, count)) };
        }
    }
    best
}

/// Whether a thread waits for the terminal, by its system call as /proc shows it.
fn blocked_on(pid: i32, call: &str, terminal: &str) -> Waiting {
    let mut words = call.split_ascii_whitespace();
    let number = words.next().and_then(|word| word.parse::<i64>().ok());
    let mut argument = || {
        let word = words.next()?;
        u64::from_str_radix(word.strip_prefix("0x").unwrap_or(word), 16).ok()
    };
    let kind = number.and_then(|number| CALL_NUMBERS.iter().find(|&&(known, _)| known == number));
    // The thread is running, or in another call.
    let Some(&(_, kind)) = kind else { return Waiting::No };
    let (Some(first), Some(second)) = (argument(), argument()) else { return Waiting::No };
    match kind {
        WaitingCall::Read if is_terminal(pid, first, terminal) => Waiting::Only,
        WaitingCall::Read => Waiting::No,
        WaitingCall::Poll => waits_on(pid, polled(pid, first, second), terminal),
        WaitingCall::Select => waits_on(pid, selected(pid, first, second), terminal),
        WaitingCall::Epoll => waits_on(pid, watched(pid, first), terminal),
    }
}

/// Whether a thread waits for the terminal, by the descriptors that can wake it; `None` where these cannot be read.
fn waits_on(pid: i32, descriptors: Option<Vec<u64>>, terminal: &str) -> Waiting {
    let Some(descriptors) = descriptors else { return Waiting::Unknown };
    let terminals = descriptors.iter().filter(|&&fd| is_terminal(pid, fd, terminal)).count();
    match terminals {
        0 => Waiting::No,
        count if count == descriptors.len() => Waiting::Only,
        _ => Waiting::Also,
    }
}

/// The descriptors of a `poll` call.
fn polled(pid: i32, address: u64, count: u64) -> Option<Vec<u64>> {
    let count = usize::try_from(count).unwrap_or(usize::MAX).min(MAX_POLLED_DESCRIPTORS);
    let entries = memory(pid, address, count * POLLFD_BYTES)?;
    let entries = entries.chunks_exact(POLLFD_BYTES).filter_map(|entry| {
        let descriptor = i32::from_ne_bytes(entry[..4].try_into().ok()?);
        let asked = u16::from_ne_bytes(entry[4..6].try_into().ok()?);
        (asked & POLL_IN != 0).then(|| u64::try_from(descriptor).ok()).flatten()
    });
    Some(entries.collect())
}

/// The descriptors of a `select` call.
fn selected(pid: i32, count: u64, address: u64) -> Option<Vec<u64>> {
    if address == 0 {
        return Some(Vec::new());
    }
    let count = count.min(MAX_POLLED_DESCRIPTORS as u64);
    let bits = memory(pid, address, MAX_POLLED_DESCRIPTORS / 8)?;
    let is_set = |fd: &u64| {
        let byte = usize::try_from(fd / 8).ok().and_then(|index| bits.get(index));
        byte.is_some_and(|byte| byte >> (fd % 8) & 1 == 1)
    };
    Some((0..count).filter(is_set).collect())
}

/// The descriptors that an epoll descriptor watches for reading: the kernel lists each in a `tfd:` line.
fn watched(pid: i32, epoll: u64) -> Option<Vec<u64>> {
    let list = fs::read_to_string(format!("/proc/{pid}/fdinfo/{epoll}")).ok()?;
    let watched = list.lines().filter_map(|line| {
        let mut words = line.strip_prefix("tfd:")?.split_ascii_whitespace();
        let descriptor = words.next()?.parse().ok()?;
        let events = u32::from_str_radix(words.nth(1)?, 16).ok()?;
        (events & u32::from(POLL_IN) != 0).then_some(descriptor)
    });
    Some(watched.collect())
}

fn memory(pid: i32, address: u64, length: usize) -> Option<Vec<u8>> {
    let mut bytes = vec![0; length];
    fs::File::open(format!("/proc/{pid}/mem")).ok()?.read_exact_at(&mut bytes, address).ok()?;
    Some(bytes)
}

fn is_terminal(pid: i32, descriptor: u64, terminal: &str) -> bool {
    let link = fs::read_link(format!("/proc/{pid}/fd/{descriptor}"));
    link.is_ok_and(|link| link.as_os_str() == terminal || link.as_os_str() == OWN_TERMINAL)
}

/// How often a thread has gone to sleep by itself. A higher number than before says that it was awake in between.
fn sleep_count(pid: i32, thread: i32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/task/{thread}/status")).ok()?;
    let count = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"))?;
    count.trim().parse().ok()
}

/// The descendants of a process, as the threads of each process list their children.
fn descendants(of: i32) -> Vec<i32> {
    let mut found = vec![of];
    let mut next = 0;
    while let Some(&parent) = found.get(next) {
        next += 1;
        let Ok(threads) = fs::read_dir(format!("/proc/{parent}/task")) else { continue };
        for thread in threads.filter_map(Result::ok) {
            let list = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            found.extend(list.split_ascii_whitespace().filter_map(|pid| pid.parse::<i32>().ok()));
        }
        if found.len() > MAX_PROCESSES {
            break;
        }
    }
    found.remove(0);
    found
}

fn group_of(pid: i32) -> Option<i32> {
    Stat::of(OWN_PROC, pid)?.group()
}
