//! Looking at processes through /proc, and signalling them.

use std::fs;
use std::os::fd::{AsRawFd, BorrowedFd, IntoRawFd, OwnedFd};
use std::sync::OnceLock;

use handrail_supervisor::message::{MAX_LISTED_PROCESSES, Process};

/// Where `/proc/PID/stat` has the number of threads, counted from the field after the state.
const THREADS_AFTER_STATE: usize = 16;

/// Where this process looks: in a PID namespace of its own at the host's /proc, whose numbers are those
/// that people and hosts know.
static HOSTS: OnceLock<String> = OnceLock::new();

/// Looks at processes through this directory from now on.
pub(crate) fn look_through(directory: OwnedFd) {
    // Open as long as this process lives.
    let _ = HOSTS.set(format!("/proc/self/fd/{}", directory.into_raw_fd()));
}

fn proc() -> &'static str {
    HOSTS.get().map_or("/proc", String::as_str)
}

/// This process's number where it looks.
pub(crate) fn shown_id() -> Option<i32> {
    fs::read_link(format!("{}/self", proc())).ok()?.to_str()?.parse().ok()
}

/// The number of the process behind a pidfd of ours, where this process looks.
pub(crate) fn shown(pidfd: BorrowedFd<'_>) -> Option<i32> {
    let path = format!("{}/self/fdinfo/{}", proc(), pidfd.as_raw_fd());
    let text = fs::read_to_string(path).ok()?;
    text.lines().find_map(|line| line.strip_prefix("Pid:"))?.trim().parse().ok()
}

/// Sends a signal; a process that is gone is not an error.
pub(crate) fn signal(pid: i32, signal: i32) {
    if pid > 0 {
        // SAFETY: `kill` has no memory effects; the pid is a single process, never a group.
        unsafe { libc::kill(pid, signal) };
    }
}

/// Sends a signal to the process group that this process leads.
pub(crate) fn signal_group(leader: i32, signal: i32) {
    // 0 and 1 would name our own group and everybody.
    if leader > 1 {
        // SAFETY: `kill` has no memory effects.
        unsafe { libc::kill(-leader, signal) };
    }
}

/// The id of this process.
pub(crate) fn own_id() -> i32 {
    i32::try_from(std::process::id()).unwrap_or(0)
}

/// The living and dead children of this (single-threaded) process, adopted ones included.
pub(crate) fn own_children() -> Vec<i32> {
    let parent = shown_id().unwrap_or_else(own_id);
    if let Ok(text) = fs::read_to_string(format!("{}/{parent}/task/{parent}/children", proc())) {
        return text.split_ascii_whitespace().filter_map(|pid| pid.parse().ok()).collect();
    }
    // Kernels without CONFIG_PROC_CHILDREN: read everybody's parent instead.
    parents().into_iter().filter(|&(_, of)| of == parent).map(|(pid, _)| pid).collect()
}

/// Those of [`own_children`] that are not dead.
pub(crate) fn own_living_children() -> Vec<i32> {
    own_children().into_iter().filter(|&pid| !is_dead(pid)).collect()
}

/// Everything below this process, children first.
pub(crate) fn own_descendants() -> Vec<i32> {
    descendants_of(&[shown_id().unwrap_or_else(own_id)])
}

/// Everything below these processes, children first.
pub(crate) fn descendants_of(ancestors: &[i32]) -> Vec<i32> {
    let all = parents();
    let mut found = ancestors.to_vec();
    let mut next = 0;
    while next < found.len() {
        let parent = found[next];
        found.extend(all.iter().filter(|&&(_, of)| of == parent).map(|&(pid, _)| pid));
        next += 1;
    }
    found.split_off(ancestors.len())
}

/// Kills everything below this process. What hangs keeps its children from coming to us: they would
/// outlive it, were it to die later.
pub(crate) fn kill_descendants() {
    for pid in own_descendants() {
        signal(pid, libc::SIGKILL);
    }
}

/// `(pid, parent)` of every process that /proc shows.
fn parents() -> Vec<(i32, i32)> {
    let Ok(entries) = fs::read_dir(proc()) else { return Vec::new() };
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<i32>().ok())
        .filter_map(|pid| Some((pid, parent(pid)?)))
        .collect()
}

fn parent(pid: i32) -> Option<i32> {
    fields(pid)?.split_ascii_whitespace().nth(1)?.parse().ok()
}

/// One that is gone is dead too. A leader whose threads live on looks dead as well, and is not.
fn is_dead(pid: i32) -> bool {
    fields(pid).is_none_or(|fields| {
        let mut fields = fields.split_ascii_whitespace();
        matches!(fields.next(), Some("Z" | "X"))
            && matches!(fields.nth(THREADS_AFTER_STATE), Some("0" | "1"))
    })
}

/// The state, the parent and so on of a process.
fn fields(pid: i32) -> Option<String> {
    let stat = fs::read(format!("{}/{pid}/stat", proc())).ok()?;
    // The name in parentheses may hold anything; the fields start after the last one.
    let after = stat.iter().rposition(|&byte| byte == b')')? + 1;
    String::from_utf8(stat[after..].to_vec()).ok()
}

/// The first few of these processes with their names.
pub(crate) fn describe(pids: &[i32]) -> Vec<Process> {
    pids.iter()
        .take(MAX_LISTED_PROCESSES)
        .filter_map(|&pid| {
            let mut program = fs::read(format!("{}/{pid}/comm", proc())).ok()?;
            if program.last() == Some(&b'\n') {
                program.pop();
            }
            Some(Process { pid, program })
        })
        .collect()
}
