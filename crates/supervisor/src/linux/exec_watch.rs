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
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, Instant};

use handrail_supervisor::message::Plan;
use handrail_supervisor::proc::OWN_PROC;

use super::processes;
use super::syscall::check;

/// The pause between two looks at all processes of a run.
const LOOK_PAUSE: Duration = Duration::from_millis(50);
/// A look may take one in this many parts of the time.
const LOOK_SHARE: u32 = 20;

/// The loaders of a plan.
#[derive(Default)]
pub(crate) struct ExecWatch {
    /// The device and inode of each loader that no program of the plan is.
    loaders: Vec<(u64, u64)>,
    /// Whether the kernel reports the calls that execute a program.
    is_told: bool,
    /// Whether a call was reported of a process that could not be attached to.
    has_missed: bool,
    next_look_at: Option<Instant>,
}

/// A process that stopped because this one traces it: its id, and the status that `wait4` gave.
pub(crate) type TraceStop = (i32, i32);

impl ExecWatch {
    /// A watch over the loaders of a plan.
    pub(crate) fn new(plan: &Plan, is_told: bool) -> ExecWatch {
        let listed = plan.execute.as_deref().unwrap_or_default();
        let identity = |path: &Vec<u8>| {
            let status = std::fs::metadata(Path::new(OsStr::from_bytes(path))).ok()?;
            Some((status.dev(), status.ino()))
        };
        let unlisted = plan.loaders.iter().filter(|path| !listed.contains(path));
        ExecWatch { loaders: unlisted.filter_map(identity).collect(), is_told, ..Self::default() }
    }

    /// Handles the report of a call that executes a program, which goes on with `go_on`. `judged` is a process whose next program
    /// was judged; it is none any more afterwards. Allocates nothing, because that process may be a standby, which uses the heap.
    pub(crate) fn on_call(
        &mut self,
        call: &libc::seccomp_notif,
        judged: &mut Option<i32>,
        go_on: impl FnOnce(),
    ) {
        let pid = i32::try_from(call.pid).unwrap_or(0);
        let is_judged = judged.take_if(|judged| *judged == pid).is_some();
        let is_attached =
            !is_judged && trace(libc::PTRACE_SEIZE, pid, libc::PTRACE_O_TRACEEXEC).is_ok();
        self.has_missed |= !is_judged && !is_attached;
        go_on();
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
        let is_needed = !self.loaders.is_empty() && (!self.is_told || self.has_missed);
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

/// Sends a request about another process to the kernel.
fn trace(request: impl Into<libc::c_long>, pid: i32, data: i32) -> io::Result<()> {
    const NO_ADDRESS: libc::c_long = 0;
    let (request, pid, data) = (request.into(), libc::c_long::from(pid), libc::c_long::from(data));
    // SAFETY: these requests take plain numbers in the place of pointers.
    check(unsafe { libc::syscall(libc::SYS_ptrace, request, pid, NO_ADDRESS, data) })
}
