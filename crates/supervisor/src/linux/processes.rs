//! Reading about processes in /proc, and signalling them.

use std::fs;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, IntoRawFd, OwnedFd};
use std::sync::OnceLock;

use handrail_supervisor::message::{MAX_LISTED_PROCESSES, Process};
use handrail_supervisor::proc::{self, OWN_PROC, Stat};

/// The path of the host's /proc, which a process in a PID namespace of its own reads instead of its /proc: the process ids
/// there are those that people and hosts know.
static HOST_PROC: OnceLock<String> = OnceLock::new();

/// Makes this process read about processes in this directory from now on.
pub(crate) fn use_proc(directory: OwnedFd) {
    // The descriptor stays open for as long as this process lives.
    let _ = HOST_PROC.set(format!("/proc/self/fd/{}", directory.into_raw_fd()));
}

/// The path of the /proc that this process reads.
pub(crate) fn proc_path() -> &'static str {
    HOST_PROC.get().map_or(OWN_PROC, String::as_str)
}

/// The id of this process in the /proc that it reads.
pub(crate) fn host_pid() -> Option<i32> {
    fs::read_link(format!("{}/self", proc_path())).ok()?.to_str()?.parse().ok()
}

/// The id of a pidfd's process in the /proc that this process reads.
pub(crate) fn host_pid_of(pidfd: BorrowedFd<'_>) -> Option<i32> {
    let path = format!("{}/self/fdinfo/{}", proc_path(), pidfd.as_raw_fd());
    let text = fs::read_to_string(path).ok()?;
    text.lines().find_map(|line| line.strip_prefix("Pid:"))?.trim().parse().ok()
}

/// Sends a signal to a process. It is no error if the process is gone.
pub(crate) fn signal(pid: i32, signal: i32) {
    if pid > 0 {
        // SAFETY: `kill` has no memory effects; the pid is a single process, never a group.
        unsafe { libc::kill(pid, signal) };
    }
}

/// Sends a signal to the process group of this leader.
pub(crate) fn signal_group(leader: i32, signal: i32) {
    // 0 and 1 would mean this process's own group and every process.
    if leader > 1 {
        // SAFETY: `kill` has no memory effects.
        unsafe { libc::kill(-leader, signal) };
    }
}

/// The id of this process in its own PID namespace.
pub(crate) fn own_pid() -> i32 {
    i32::try_from(std::process::id()).unwrap_or(0)
}

/// The children of this single-threaded process, including adopted ones and those that are dead and not reaped.
pub(crate) fn own_children() -> Vec<i32> {
    let parent = host_pid().unwrap_or_else(own_pid);
    if let Ok(text) = fs::read_to_string(format!("{}/{parent}/task/{parent}/children", proc_path()))
    {
        return text.split_ascii_whitespace().filter_map(|pid| pid.parse().ok()).collect();
    }
    // A kernel without CONFIG_PROC_CHILDREN has no such file, so the parent of every process is read.
    proc::parents(proc_path())
        .into_iter()
        .filter(|&(_, of)| of == parent)
        .map(|(pid, _)| pid)
        .collect()
}

/// The children of this process that are alive.
pub(crate) fn own_living_children() -> Vec<i32> {
    let is_alive = |pid: &i32| Stat::of(proc_path(), *pid).is_some_and(|stat| !stat.is_dead());
    own_children().into_iter().filter(is_alive).collect()
}

/// All descendants of this process; a process comes before its own children.
pub(crate) fn own_descendants() -> Vec<i32> {
    descendants_of(&[host_pid().unwrap_or_else(own_pid)])
}

/// All descendants of these processes; a process comes before its own children.
pub(crate) fn descendants_of(ancestors: &[i32]) -> Vec<i32> {
    proc::descendants_of(proc_path(), ancestors).into_iter().map(|(pid, _)| pid).collect()
}

/// All other processes of the PID namespace that this process is the first of.
pub(crate) fn others() -> Vec<i32> {
    let Ok(entries) = fs::read_dir(OWN_PROC) else { return Vec::new() };
    let pids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    pids.filter(|&pid| pid != own_pid()).collect()
}

/// Kills all descendants of this process. The children of a process that hangs are not orphans yet; they would outlive it if
/// it died later.
pub(crate) fn kill_descendants() {
    for pid in own_descendants() {
        signal(pid, libc::SIGKILL);
    }
}

/// The ids and names of the first few of these processes.
pub(crate) fn describe(pids: &[i32]) -> Vec<Process> {
    pids.iter()
        .take(MAX_LISTED_PROCESSES)
        .filter_map(|&pid| {
            let mut program = fs::read(format!("{}/{pid}/comm", proc_path())).ok()?;
            if program.last() == Some(&b'\n') {
                program.pop();
            }
            Some(Process { pid, program })
        })
        .collect()
}

pub(crate) fn open_pidfd(pid: i32) -> io::Result<OwnedFd> {
    let pid = rustix::process::Pid::from_raw(pid).ok_or(io::ErrorKind::InvalidInput)?;
    Ok(rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty())?)
}
