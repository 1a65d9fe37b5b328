//! Whether the program in the foreground of a terminal waits for input. The kernel knows which process group is in the
//! foreground, and in which system call and on which descriptor each thread of the group is blocked.

use std::cell::LazyCell;
use std::fs;
use std::os::fd::AsFd;

use handrail_pty::{Look, Rest, Waiting};
use handrail_supervisor::proc::{OWN_PROC, Stat};

use super::activity;
use super::calls::{self, Limit, MAX_LINE_BYTES, Source, ThreadCall};
use super::tree::{MAX_THREADS, Tree, threads_of};

/// The name by which each process can open its own terminal.
const OWN_TERMINAL: &str = "/dev/tty";

/// What a look examines beside the wait for the terminal.
pub(crate) struct Wanted<Needs> {
    /// The program of the session, where a sample of what the foreground does may be taken now.
    pub(crate) sample_of: Option<i32>,
    /// Whether that sample is needed where the foreground waits for this.
    pub(crate) needs_sample: Needs,
    /// The TCP port that the session may listen on.
    pub(crate) port: Option<u16>,
}

/// Examines the foreground of this terminal, among the descendants of this worker. They are listed only where the first
/// process of the foreground does not tell enough: at a prompt of a shell it does.
pub(crate) fn examine(
    terminal: impl AsFd,
    worker: i32,
    wanted: Wanted<impl FnOnce(Waiting) -> bool>,
) -> Look {
    let tree = LazyCell::new(|| Tree::of(worker));
    let listens = wanted.port.map(|port| activity::tree_listens(&tree, port));
    let mut look = Look { listens, ..Look::at(Waiting::Unknown) };
    if !calls::ARE_KNOWN {
        return look;
    }
    let Ok(group) = rustix::termios::tcgetpgrp(&terminal) else { return look };
    let Ok(name) = rustix::pty::ptsname(&terminal, Vec::new()) else { return look };
    let Ok(name) = name.to_str() else { return look };
    let group = group.as_raw_nonzero().get();
    let found = waiting(&tree, group, name);
    (look.waiting, look.waiter, look.is_limited) = (found.waiting, found.waiter, found.is_limited);
    let sample_of = wanted.sample_of.filter(|_| (wanted.needs_sample)(look.waiting));
    look.activity = sample_of.map(|leader| {
        let foreground = tree.foreground(group, leader);
        let unknown = handrail_pty::Activity { rest: Rest::Unknown, ticks: 0, processes: 0 };
        foreground.map_or(unknown, |pids| activity::sample(&pids))
    });
    look
}

/// What a thread, or the one of several that tells most, waits for.
#[derive(Clone, Copy)]
struct Found {
    waiting: Waiting,
    /// The thread, and how often it has run.
    waiter: Option<(i32, u64)>,
    /// Whether the wait ends by itself.
    is_limited: bool,
}

const NOTHING: Found = Found { waiting: Waiting::No, waiter: None, is_limited: false };

/// What the group waits for, and the thread that does.
fn waiting(tree: &LazyCell<Tree, impl FnOnce() -> Tree>, group: i32, terminal: &str) -> Found {
    // The first process of the group is the most likely one to wait.
    let mut best = examine_process(group, terminal);
    if best.waiting == Waiting::Only {
        return best;
    }
    let others =
        tree.pids().into_iter().filter(|&pid| pid != group && group_of(pid) == Some(group));
    for pid in others {
        let found = examine_process(pid, terminal);
        if rank(found.waiting) > rank(best.waiting) {
            best = found;
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

fn examine_process(pid: i32, terminal: &str) -> Found {
    let mut best = examine_thread(pid, pid, terminal).unwrap_or(NOTHING);
    if best.waiting == Waiting::Only {
        return best;
    }
    for thread in threads_of(pid).take(MAX_THREADS).filter(|&thread| thread != pid) {
        let Some(found) = examine_thread(pid, thread, terminal) else { continue };
        if rank(found.waiting) > rank(best.waiting) {
            best = found;
        }
    }
    best
}

/// What a thread waits for; `None` for one that runs or has ended.
fn examine_thread(pid: i32, thread: i32, terminal: &str) -> Option<Found> {
    let (waiting, is_limited) = match calls::of(pid, thread) {
        ThreadCall::Gone | ThreadCall::Running => return None,
        ThreadCall::Hidden => (Waiting::Unknown, false),
        ThreadCall::In(call) => match call.source() {
            Source::Hidden => (Waiting::Unknown, false),
            Source::Nothing => (Waiting::No, false),
            Source::Descriptors(descriptors) => {
                let is_limited = call.limit(descriptors.len()) != Limit::None;
                (waits_on(pid, &descriptors, terminal), is_limited)
            }
        },
    };
    let is_known = matches!(waiting, Waiting::Only | Waiting::Also);
    let runs = if is_known { run_count(pid, thread) } else { None };
    Some(Found { waiting, waiter: runs.map(|count| (thread, count)), is_limited })
}

/// Whether a thread waits for the terminal, by the descriptors that can wake it.
fn waits_on(pid: i32, descriptors: &[u64], terminal: &str) -> Waiting {
    let terminals = descriptors.iter().filter(|&&fd| is_terminal(pid, fd, terminal)).count();
    match terminals {
        0 => Waiting::No,
        count if count == descriptors.len() => Waiting::Only,
        _ => Waiting::Also,
    }
}

fn is_terminal(pid: i32, descriptor: u64, terminal: &str) -> bool {
    let link = fs::read_link(format!("/proc/{pid}/fd/{descriptor}"));
    link.is_ok_and(|link| link.as_os_str() == terminal || link.as_os_str() == OWN_TERMINAL)
}

/// How often a thread has run. A higher number than before says that it was awake in between. Where the kernel does not
/// count that, how often it has gone to sleep by itself says the same.
fn run_count(pid: i32, thread: i32) -> Option<u64> {
    let mut buffer = [0; MAX_LINE_BYTES];
    let counts = calls::read_line(&format!("/proc/{pid}/task/{thread}/schedstat"), &mut buffer);
    if let Some(count) = counts.ok().and_then(|counts| counts.split_ascii_whitespace().nth(2)) {
        return count.parse().ok();
    }
    let status = fs::read_to_string(format!("/proc/{pid}/task/{thread}/status")).ok()?;
    let count = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"))?;
    count.trim().parse().ok()
}

fn group_of(pid: i32) -> Option<i32> {
    Stat::of(OWN_PROC, pid)?.group()
}
