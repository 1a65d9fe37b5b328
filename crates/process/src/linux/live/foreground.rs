//! Does the program in the foreground of a terminal wait for it? The kernel knows: which group of processes is in the
//! foreground, and in which system call each of its threads is blocked on which descriptor.

use std::fs;
use std::os::fd::AsFd;
use std::os::unix::fs::FileExt;

use handrail_pty::{Look, Waiting};
use handrail_supervisor::proc::{OWN_PROC, Stat};

/// Processes of one session that are looked at; in a larger one the rest is not.
const MAX_PROCESSES: usize = 256;
/// Threads of one process that are looked at.
const MAX_THREADS: usize = 64;
/// Entries of a set that a thread polls which are looked at.
const MAX_POLLED: usize = 64;
/// Bytes of one entry of that set: a descriptor, what is asked and what is answered.
const POLLED_BYTES: usize = 8;
/// Asked of a descriptor: whether it can be read.
const POLL_IN: u16 = 1;
/// What a process calls its own terminal.
const OWN_TERMINAL: &str = "/dev/tty";

/// What a thread that is blocked in one of these waits for.
#[derive(Clone, Copy)]
enum Call {
    Read,
    Poll,
    Select,
    Epoll,
}

const NUMBERS: &[(i64, Call)] = numbers();

#[cfg(target_arch = "x86_64")]
const fn numbers() -> &'static [(i64, Call)] {
    &[
        (0, Call::Read),
        (19, Call::Read),
        (7, Call::Poll),
        (271, Call::Poll),
        (23, Call::Select),
        (270, Call::Select),
        (232, Call::Epoll),
        (281, Call::Epoll),
        (441, Call::Epoll),
    ]
}

#[cfg(target_arch = "aarch64")]
const fn numbers() -> &'static [(i64, Call)] {
    &[
        (63, Call::Read),
        (65, Call::Read),
        (73, Call::Poll),
        (72, Call::Select),
        (22, Call::Epoll),
        (441, Call::Epoll),
    ]
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const fn numbers() -> &'static [(i64, Call)] {
    // Nothing is recognised: quiet decides.
    &[]
}

const UNKNOWN: Look = Look { waiting: Waiting::Unknown, waiter: None };

/// Looks at what is in the foreground of this terminal, among what this worker has started.
pub(crate) fn look(terminal: impl AsFd, worker: i32) -> Look {
    if NUMBERS.is_empty() {
        return UNKNOWN;
    }
    let Ok(group) = rustix::termios::tcgetpgrp(&terminal) else { return UNKNOWN };
    let Ok(name) = rustix::pty::ptsname(&terminal, Vec::new()) else { return UNKNOWN };
    let Ok(name) = name.to_str() else { return UNKNOWN };
    let group = group.as_raw_nonzero().get();
    let mut best = Look { waiting: Waiting::No, waiter: None };
    // Its first process is most likely the one.
    let first = std::iter::once(group);
    let others =
        descendants(worker).into_iter().filter(|&pid| pid != group && group_of(pid) == Some(group));
    for pid in first.chain(others) {
        let found = look_at(pid, name);
        if rank(found.waiting) > rank(best.waiting) {
            best = found;
        }
        if best.waiting == Waiting::Only {
            break;
        }
    }
    best
}

/// What one thread that waits says more about a group than one that works.
fn rank(waiting: Waiting) -> u8 {
    match waiting {
        Waiting::No => 0,
        Waiting::Unknown => 1,
        Waiting::Also => 2,
        Waiting::Only => 3,
    }
}

fn look_at(pid: i32, terminal: &str) -> Look {
    let mut best = Look { waiting: Waiting::No, waiter: None };
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else { return best };
    let threads =
        threads.filter_map(|thread| thread.ok()?.file_name().to_str()?.parse::<i32>().ok());
    for thread in threads.take(MAX_THREADS) {
        let call = match fs::read_to_string(format!("/proc/{pid}/task/{thread}/syscall")) {
            Ok(call) => call,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            // It has ended meanwhile.
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
            best = Look { waiting, waiter: wakes(pid, thread).map(|wakes| (thread, wakes)) };
        }
    }
    best
}

/// What the system call of a thread, as /proc shows it, waits for.
fn blocked_on(pid: i32, call: &str, terminal: &str) -> Waiting {
    let mut words = call.split_ascii_whitespace();
    let number = words.next().and_then(|word| word.parse::<i64>().ok());
    let mut argument = || {
        let word = words.next()?;
        u64::from_str_radix(word.strip_prefix("0x").unwrap_or(word), 16).ok()
    };
    let kind = number.and_then(|number| NUMBERS.iter().find(|&&(known, _)| known == number));
    // `running`, or another call.
    let Some(&(_, kind)) = kind else { return Waiting::No };
    let (Some(first), Some(second)) = (argument(), argument()) else { return Waiting::No };
    match kind {
        Call::Read if is_terminal(pid, first, terminal) => Waiting::Only,
        Call::Read => Waiting::No,
        Call::Poll => set(pid, polled(pid, first, second), terminal),
        Call::Select => set(pid, selected(pid, first, second), terminal),
        Call::Epoll => set(pid, watched(pid, first), terminal),
    }
}

/// A set of descriptors of which one that can be read wakes the thread; `None` where it cannot be seen.
fn set(pid: i32, descriptors: Option<Vec<u64>>, terminal: &str) -> Waiting {
    let Some(descriptors) = descriptors else { return Waiting::Unknown };
    let found = descriptors.iter().filter(|&&fd| is_terminal(pid, fd, terminal)).count();
    match found {
        0 => Waiting::No,
        all if all == descriptors.len() => Waiting::Only,
        _ => Waiting::Also,
    }
}

fn polled(pid: i32, address: u64, count: u64) -> Option<Vec<u64>> {
    let count = usize::try_from(count).unwrap_or(usize::MAX).min(MAX_POLLED);
    let entries = memory(pid, address, count * POLLED_BYTES)?;
    let entries = entries.chunks_exact(POLLED_BYTES).filter_map(|entry| {
        let descriptor = i32::from_ne_bytes(entry[..4].try_into().ok()?);
        let asked = u16::from_ne_bytes(entry[4..6].try_into().ok()?);
        (asked & POLL_IN != 0).then(|| u64::try_from(descriptor).ok()).flatten()
    });
    Some(entries.collect())
}

fn selected(pid: i32, count: u64, address: u64) -> Option<Vec<u64>> {
    if address == 0 {
        return Some(Vec::new());
    }
    let count = count.min(MAX_POLLED as u64);
    let bits = memory(pid, address, MAX_POLLED / 8)?;
    let is_set = |fd: &u64| {
        let byte = usize::try_from(fd / 8).ok().and_then(|index| bits.get(index));
        byte.is_some_and(|byte| byte >> (fd % 8) & 1 == 1)
    };
    Some((0..count).filter(is_set).collect())
}

/// The kernel lists what an epoll descriptor watches, one `tfd:` line each.
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

/// How often a thread has gone to sleep by itself: one more than before, and it has been awake since.
fn wakes(pid: i32, thread: i32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/task/{thread}/status")).ok()?;
    let count = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"))?;
    count.trim().parse().ok()
}

/// Everything below a process, as its threads list their children.
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
