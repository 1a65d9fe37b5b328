//! Looking at processes through /proc, and signalling them.

use std::fs;

use handrail_supervisor::message::{MAX_LISTED_PROCESSES, Process};

/// Where `/proc/PID/stat` has the number of threads, counted from the field after the state.
const THREADS_AFTER_STATE: usize = 16;

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
    let me = std::process::id();
    if let Ok(text) = fs::read_to_string(format!("/proc/{me}/task/{me}/children")) {
        return text.split_ascii_whitespace().filter_map(|pid| pid.parse().ok()).collect();
    }
    // Kernels without CONFIG_PROC_CHILDREN: read everybody's parent instead.
    let parent = own_id();
    parents().into_iter().filter(|&(_, of)| of == parent).map(|(pid, _)| pid).collect()
}

/// Those of [`own_children`] that are not dead.
pub(crate) fn own_living_children() -> Vec<i32> {
    own_children().into_iter().filter(|&pid| !is_dead(pid)).collect()
}

/// Everything below this process, children first.
pub(crate) fn own_descendants() -> Vec<i32> {
    descendants_of(&[own_id()])
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
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
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
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may hold anything; the fields start after the last one.
    let after = stat.iter().rposition(|&byte| byte == b')')? + 1;
    String::from_utf8(stat[after..].to_vec()).ok()
}

/// The first few of these processes with their names.
pub(crate) fn describe(pids: &[i32]) -> Vec<Process> {
    pids.iter()
        .take(MAX_LISTED_PROCESSES)
        .filter_map(|&pid| {
            let mut program = fs::read(format!("/proc/{pid}/comm")).ok()?;
            if program.last() == Some(&b'\n') {
                program.pop();
            }
            Some(Process { pid, program })
        })
        .collect()
}
