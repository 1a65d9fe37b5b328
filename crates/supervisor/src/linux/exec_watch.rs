//! Ends a run that hands a file to the dynamic loader by name, where no view binds the loaders.
//!
//! The kernel executes the loader of every dynamic program, so Landlock grants it, and `ld.so program` runs any file that it
//! can read. A view mounts copies over the loaders that cannot be run by name. Without one, the filter of system calls reports
//! each `execve` to the worker before it happens. The worker attaches to the process as its tracer, lets it go on, and is told
//! by the kernel when another program is in its place and has not begun. If that program is a loader, nothing of it runs.
//! Otherwise the worker detaches. A process that somebody else traces cannot be attached to: then, and where the kernel
//! reports no calls, the worker looks at what its processes run from time to time, and some of it has run by then.

use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, Instant};

use handrail_supervisor::message::Plan;
use handrail_supervisor::proc::OWN_PROC;

use super::processes;
use super::syscall::check;

const SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP: libc::c_ulong = 1;
/// The pause between two looks at all processes of a run.
const LOOK_PAUSE: Duration = Duration::from_millis(50);
/// A look may take one in this many parts of the time.
const LOOK_SHARE: u32 = 20;

/// The loaders of a plan, and the descriptor that the kernel reports calls by.
#[derive(Default)]
pub(crate) struct ExecWatch {
    /// The device and inode of each loader that no program of the plan is.
    loaders: Vec<(u64, u64)>,
    /// Absent where the kernel reports no calls.
    listener: Option<OwnedFd>,
    /// Whether a call was reported of a process that could not be attached to.
    has_missed: bool,
    next_look_at: Option<Instant>,
}

/// A process that stopped because this one traces it: its id, and the status that `wait4` gave.
pub(crate) type TraceStop = (i32, i32);

impl ExecWatch {
    /// A watch over the loaders of a plan.
    pub(crate) fn new(plan: &Plan, listener: Option<OwnedFd>) -> ExecWatch {
        let listed = plan.execute.as_deref().unwrap_or_default();
        let identity = |path: &Vec<u8>| {
            let status = std::fs::metadata(Path::new(OsStr::from_bytes(path))).ok()?;
            Some((status.dev(), status.ino()))
        };
        if let Some(listener) = &listener {
            wake_at_once(listener);
        }
        let unlisted = plan.loaders.iter().filter(|path| !listed.contains(path));
        ExecWatch { loaders: unlisted.filter_map(identity).collect(), listener, ..Self::default() }
    }

    /// The descriptor that is readable when a call was reported.
    pub(crate) fn listener(&self) -> Option<&OwnedFd> {
        self.listener.as_ref()
    }

    /// Handles the report of a call. `judged` is a process whose next program was judged; it is none any more afterwards.
    /// Allocates nothing, because that process may be a standby, which uses the heap.
    pub(crate) fn on_call(&mut self, judged: &mut Option<i32>) {
        let Some(listener) = &self.listener else { return };
        // SAFETY: an all-zero notification is what the kernel wants to be given.
        let mut call: libc::seccomp_notif = unsafe { std::mem::zeroed() };
        // SAFETY: the notification is valid for the call. It fails if the process is gone meanwhile.
        let received = unsafe {
            libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut call)
        };
        if received != 0 {
            return;
        }
        let pid = i32::try_from(call.pid).unwrap_or(0);
        let is_judged = judged.take_if(|judged| *judged == pid).is_some();
        let is_attached =
            !is_judged && trace(libc::PTRACE_SEIZE, pid, libc::PTRACE_O_TRACEEXEC).is_ok();
        self.has_missed |= !is_judged && !is_attached;
        let flags = libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE;
        let answer = libc::seccomp_notif_resp {
            id: call.id,
            val: 0,
            error: 0,
            flags: u32::try_from(flags).unwrap_or(1),
        };
        // SAFETY: the answer is valid for the call.
        unsafe {
            libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &raw const answer)
        };
        if is_attached {
            // A call that fails leads to no other stop.
            let _ = trace(libc::PTRACE_INTERRUPT, pid, 0);
        }
    }

    /// Handles the stops of traced processes. Returns a process that has executed a loader, and that loader's path. The process
    /// stays stopped: killed alone, its parent could take its end for a failure and end by itself before it is killed.
    pub(crate) fn on_stops(&self, stops: &mut Vec<TraceStop>) -> Option<(i32, Vec<u8>)> {
        let mut executed = None;
        for (pid, status) in stops.drain(..) {
            // After the first stop nothing more is to be learned: either the program is there, or the call has failed.
            let [signal, event] = [status >> 8 & 0xff, status >> 16];
            if event == libc::PTRACE_EVENT_EXEC
                && let Some(loader) = self.loader_run_by(OWN_PROC, pid)
            {
                executed = Some((pid, loader));
            } else {
                let passed = if event == 0 { signal } else { 0 };
                let _ = trace(libc::PTRACE_DETACH, pid, passed);
            }
        }
        executed
    }

    /// How long the worker may wait before it has to look at all processes.
    pub(crate) fn pause(&self) -> Option<Duration> {
        let is_needed = !self.loaders.is_empty() && (self.listener.is_none() || self.has_missed);
        let remaining_time = |at: Instant| at.saturating_duration_since(Instant::now());
        is_needed.then(|| self.next_look_at.map_or(Duration::ZERO, remaining_time))
    }

    /// The path of a loader that some process of the run has executed, if the time for a look has come.
    pub(crate) fn look(&mut self) -> Option<Vec<u8>> {
        let start = Instant::now();
        if self.pause().is_none_or(|pause| !pause.is_zero()) {
            return None;
        }
        let proc = processes::proc_path();
        let mut pids = processes::own_descendants().into_iter();
        let executed = pids.find_map(|pid| self.loader_run_by(proc, pid));
        self.next_look_at = Some(start + LOOK_PAUSE.max(start.elapsed() * LOOK_SHARE));
        executed
    }

    /// The path of the loader that this process has executed, if its program is one.
    fn loader_run_by(&self, proc: &str, pid: i32) -> Option<Vec<u8>> {
        let link = format!("{proc}/{pid}/exe");
        let status = std::fs::metadata(&link).ok()?;
        if !self.loaders.contains(&(status.dev(), status.ino())) {
            return None;
        }
        let path = std::fs::read_link(&link).ok()?;
        Some(path.into_os_string().into_vec())
    }
}

/// Asks the kernel to go on with this process on the same processor when it reports a call, and with the caller after the
/// answer: each waits for the other. Before Linux 6.6 it does not.
fn wake_at_once(listener: &OwnedFd) {
    // SAFETY: the request takes a plain number.
    unsafe {
        libc::ioctl(
            listener.as_raw_fd(),
            libc::SECCOMP_IOCTL_NOTIF_SET_FLAGS,
            SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP,
        )
    };
}

/// Sends a request about another process to the kernel.
fn trace(request: impl Into<libc::c_long>, pid: i32, data: i32) -> io::Result<()> {
    const NO_ADDRESS: libc::c_long = 0;
    let (request, pid, data) = (request.into(), libc::c_long::from(pid), libc::c_long::from(data));
    // SAFETY: these requests take plain numbers in the place of pointers.
    check(unsafe { libc::syscall(libc::SYS_ptrace, request, pid, NO_ADDRESS, data) })
}
