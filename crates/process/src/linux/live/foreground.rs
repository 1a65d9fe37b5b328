//! Whether the program in the foreground of a terminal waits for input. The kernel knows which process group is in the
//! foreground, and in which system call and on which descriptor each thread of the group is blocked.

use std::fs;
use std::os::fd::AsFd;

use handrail_pty::{Look, Rest, Waiting};
use handrail_supervisor::proc::{OWN_PROC, Stat};

use super::activity;
use super::calls::{self, Source, ThreadCall};
use super::tree::{MAX_THREADS, Tree, threads_of};

/// The name by which each process can open its own terminal.
const OWN_TERMINAL: &str = "/dev/tty";

/// What a look examines beside the wait for the terminal.
#[derive(Clone, Copy)]
pub(crate) struct Wanted {
    /// The program of the session, where a sample of what the foreground does is wanted.
    pub(crate) sample_of: Option<i32>,
    /// The TCP port that the session may listen on.
    pub(crate) port: Option<u16>,
}

/// Examines the foreground of this terminal, among the descendants of this worker.
pub(crate) fn examine(terminal: impl AsFd, worker: i32, wanted: Wanted) -> Look {
    let tree = Tree::of(worker);
    let listens = wanted.port.map(|port| activity::tree_listens(&tree, port));
    let mut look = Look { listens, ..Look::at(Waiting::Unknown) };
    if !calls::ARE_KNOWN {
        return look;
    }
    let Ok(group) = rustix::termios::tcgetpgrp(&terminal) else { return look };
    let Ok(name) = rustix::pty::ptsname(&terminal, Vec::new()) else { return look };
    let Ok(name) = name.to_str() else { return look };
    let group = group.as_raw_nonzero().get();
    (look.waiting, look.waiter) = waiting(&tree, group, name);
    look.activity = wanted.sample_of.map(|leader| {
        let foreground = tree.foreground(group, leader);
        let unknown = handrail_pty::Activity { rest: Rest::Unknown, ticks: 0, processes: 0 };
        foreground.map_or(unknown, |pids| activity::sample(&pids))
    });
    look
}

/// What the group waits for, and the thread that does.
fn waiting(tree: &Tree, group: i32, terminal: &str) -> (Waiting, Option<(i32, u64)>) {
    let mut best = (Waiting::No, None);
    // The first process of the group is the most likely one to wait.
    let first = std::iter::once(group);
    let others =
        tree.pids().into_iter().filter(|&pid| pid != group && group_of(pid) == Some(group));
    for pid in first.chain(others) {
        let found = examine_process(pid, terminal);
        if rank(found.0) > rank(best.0) {
            best = found;
        }
        if best.0 == Waiting::Only {
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

fn examine_process(pid: i32, terminal: &str) -> (Waiting, Option<(i32, u64)>) {
    let mut best = (Waiting::No, None);
    for thread in threads_of(pid).take(MAX_THREADS) {
        let waiting = match calls::of(pid, thread) {
            ThreadCall::Gone | ThreadCall::Running => continue,
            ThreadCall::Hidden => Waiting::Unknown,
            ThreadCall::In(call) => waits_on(pid, call.source(), terminal),
        };
        if rank(waiting) > rank(best.0) {
            let sleeps = sleep_count(pid, thread).filter(|_| waiting != Waiting::Unknown);
            best = (waiting, sleeps.map(|count| (thread, count)));
        }
    }
    best
}

/// Whether a thread waits for the terminal, by the descriptors that can wake it.
fn waits_on(pid: i32, source: Source, terminal: &str) -> Waiting {
    let descriptors = match source {
        Source::Descriptors(descriptors) => descriptors,
        Source::Nothing => return Waiting::No,
        Source::Hidden => return Waiting::Unknown,
    };
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

/// How often a thread has gone to sleep by itself. A higher number than before says that it was awake in between.
fn sleep_count(pid: i32, thread: i32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/task/{thread}/status")).ok()?;
    let count = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"))?;
    count.trim().parse().ok()
}

fn group_of(pid: i32) -> Option<i32> {
    Stat::of(OWN_PROC, pid)?.group()
}
