//! Whether the program in the foreground of a terminal waits for input. The kernel knows which process group is in the
//! foreground, and in which system call and on which descriptor each thread of the group is blocked.

use std::cell::LazyCell;
use std::ffi::OsStr;
use std::fs;
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::time::Duration;

use handrail_pty::{Look, Rest, Waiting};
use handrail_supervisor::proc::{OWN_PROC, Stat};

use super::activity;
use super::calls::{self, Limit, MAX_LINE_BYTES, Source, ThreadCall};
use super::links::process_link;
use super::tree::{MAX_THREADS, Tree, threads_of};

/// The folder of such terminals.
const PTY_FOLDER: &str = "/dev/pts/";
/// The number of their driver.
const PTY_MAJOR: u32 = 136;
/// Most programs that pass on to one another what is typed.
const MAX_RELAYS: usize = 4;
/// The links of the folder with the threads of a process that has one.
const LINKS_OF_ONE_THREAD: u64 = 3;
/// The pause between two samples of what the foreground does.
pub(super) const SAMPLE_PAUSE: Duration = Duration::from_millis(100);

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
    let found = waiting(&tree, group, name, MAX_RELAYS);
    (look.waiting, look.waiter, look.is_limited) = (found.waiting, found.waiter, found.is_limited);
    let sample_of = wanted.sample_of.filter(|_| (wanted.needs_sample)(look.waiting));
    look.activity = sample_of.map(|leader| {
        let foreground = tree.foreground(group, leader);
        let unknown =
            handrail_pty::Activity { rest: Rest::Unknown, ticks: 0, processes: 0, pause: None };
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
    /// The number of another terminal whose other side the thread waits for too.
    relayed: Option<u32>,
}

const NOTHING: Found =
    Found { waiting: Waiting::No, waiter: None, is_limited: false, relayed: None };

/// What the foreground waits for, and the thread that does. Where that passes on what is typed to another terminal, as
/// `script`, `sudo` and `tmux` do, what the foreground of that terminal waits for.
fn waiting(
    tree: &LazyCell<Tree, impl FnOnce() -> Tree>,
    group: i32,
    terminal: &str,
    relays: usize,
) -> Found {
    let found = waiting_here(tree, group, terminal);
    let Some(number) = found.relayed.filter(|_| found.waiting == Waiting::Also && relays > 0)
    else {
        return found;
    };
    let device = device_of(number);
    let inner = tree.pids().into_iter().find_map(|pid| {
        let (terminal, group) = Stat::of(OWN_PROC, pid)?.terminal()?;
        (terminal == device && group > 0).then_some(group)
    });
    inner.map_or(found, |group| waiting(tree, group, &format!("{PTY_FOLDER}{number}"), relays - 1))
}

/// What the group waits for, and the processes that have another terminal: these may read this one at any time.
fn waiting_here(tree: &LazyCell<Tree, impl FnOnce() -> Tree>, group: i32, terminal: &str) -> Found {
    // The first process of the group is the most likely one to wait.
    let mut best = examine_process(group, terminal);
    if best.waiting == Waiting::Only {
        return best;
    }
    let number = terminal.strip_prefix(PTY_FOLDER).and_then(|number| number.parse().ok());
    let own_device = number.map(device_of);
    let may_read = |pid| {
        let Some(stat) = Stat::of(OWN_PROC, pid) else { return false };
        stat.group() == Some(group) || stat.terminal().map(|(device, _)| device) != own_device
    };
    for pid in tree.pids().into_iter().filter(|&pid| pid != group && may_read(pid)) {
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

/// The device of such a terminal, as the kernel encodes it for `/proc/PID/stat`.
fn device_of(number: u32) -> i32 {
    (PTY_MAJOR << 8 | number & 0xff | (number & !0xff) << 12).cast_signed()
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
    let has_threads = fs::metadata(format!("/proc/{pid}/task"))
        .is_ok_and(|folder| folder.nlink() > LINKS_OF_ONE_THREAD);
    if !has_threads {
        return best;
    }
    for thread in threads_of(pid).take(MAX_THREADS).filter(|&thread| thread != pid) {
        if best.waiting == Waiting::Only {
            break;
        }
        let Some(found) = examine_thread(pid, thread, terminal) else { continue };
        if rank(found.waiting) > rank(best.waiting) {
            best = found;
        }
    }
    if best.waiting == Waiting::Only {
        // The other threads may write by themselves.
        best.waiting = Waiting::Also;
    }
    best
}

/// What a thread waits for; `None` for one that runs or has ended.
fn examine_thread(pid: i32, thread: i32, terminal: &str) -> Option<Found> {
    let mut found = NOTHING;
    let call = calls::of(pid, thread);
    match &call {
        ThreadCall::Gone | ThreadCall::Running => return None,
        ThreadCall::Hidden => found.waiting = Waiting::Unknown,
        ThreadCall::In(call) => match call.source() {
            Source::Hidden => found.waiting = Waiting::Unknown,
            Source::Nothing => {}
            Source::Descriptors(descriptors) => {
                found.is_limited = call.limit(descriptors.len()) != Limit::None;
                found.waiting = waits_on(pid, &descriptors, terminal);
                if found.waiting == Waiting::Also {
                    // Of several it is not known which one gets what is typed.
                    let mut others = descriptors.iter().filter_map(|&fd| other_side(pid, fd));
                    found.relayed = others.next().filter(|_| others.next().is_none());
                }
            }
        },
    }
    if matches!(found.waiting, Waiting::Only | Waiting::Also) {
        found.waiter = run_count(pid, thread).map(|count| (thread, count));
    }
    // A thread that was woken meanwhile has run once more, and yet does not wait. What cannot be read of one that has gone
    // on says nothing.
    (found.waiting == Waiting::No || calls::of(pid, thread) == call).then_some(found)
}

/// The number of the terminal whose other side this descriptor is.
fn other_side(pid: i32, descriptor: u64) -> Option<u32> {
    let link = fs::read_link(format!("/proc/{pid}/fd/{descriptor}")).ok()?;
    if !link.ends_with("ptmx") {
        return None;
    }
    let info = fs::read_to_string(format!("/proc/{pid}/fdinfo/{descriptor}")).ok()?;
    info.lines().find_map(|line| line.strip_prefix("tty-index:"))?.trim().parse().ok()
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
    let name = format!("fd/{descriptor}");
    let Ok(link) = fs::read_link(format!("/proc/{pid}/{name}")) else { return false };
    let is_either = |link: &OsStr| link == terminal || link == OWN_TERMINAL;
    // Below a root directory of its own the name is longer here.
    is_either(link.as_os_str())
        || link.ends_with(&OWN_TERMINAL[1..])
            && process_link(pid, &name).is_some_and(|link| is_either(link.as_os_str()))
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
