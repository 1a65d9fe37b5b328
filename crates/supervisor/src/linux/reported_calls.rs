//! The calls of commands that the kernel reports to the worker before it makes them, and who looks at which of them.

use std::os::fd::{AsRawFd, OwnedFd};

use super::exec_watch::ExecWatch;
use super::renames::Renames;
use super::seccomp::{is_program_call, is_rename_call};

const SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP: libc::c_ulong = 1;

/// What looks at the reported calls of a worker's commands.
#[derive(Default)]
pub(crate) struct ReportedCalls {
    /// The descriptor that calls are reported by. Absent where the kernel reports none.
    listener: Option<OwnedFd>,
    pub(crate) execs: ExecWatch,
    renames: Renames,
}

impl ReportedCalls {
    pub(crate) fn new(listener: Option<OwnedFd>, execs: ExecWatch) -> ReportedCalls {
        if let Some(listener) = &listener {
            wake_at_once(listener);
        }
        ReportedCalls { listener, execs, renames: Renames::default() }
    }

    /// The descriptor that is readable when a call was reported.
    pub(crate) fn listener(&self) -> Option<&OwnedFd> {
        self.listener.as_ref()
    }

    /// Forgets what is known of the processes of the run before.
    pub(crate) fn begin(&mut self) {
        self.renames = Renames::default();
    }

    /// Handles the report of a call. `judged` is a process whose next program was judged; it is none any more afterwards.
    /// Allocates nothing before that process has executed a program: until then it may be a standby, which uses the heap, and
    /// makes no other call that is reported.
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
        if is_program_call(call.data.nr) {
            self.execs.on_call(&call, judged, || go_on(listener, call.id));
        } else if !(is_rename_call(call.data.nr) && self.renames.on_call(listener, &call)) {
            self.renames.notes(&call);
            go_on(listener, call.id);
        }
    }

    /// Answers the calls whose helpers have ended without an answer.
    pub(crate) fn on_children(&mut self) {
        if let Some(listener) = &self.listener {
            self.renames.on_children(|call| go_on(listener, call));
        }
    }
}

/// Has the kernel make the call itself.
fn go_on(listener: &OwnedFd, call: u64) {
    let flags = u32::try_from(libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE).unwrap_or(1);
    answer(listener, libc::seccomp_notif_resp { id: call, val: 0, error: 0, flags });
}

/// Has a call return 0, or this error, and not be made.
pub(crate) fn answer_with(listener: &OwnedFd, call: u64, result: Result<(), i32>) {
    let error = result.err().map_or(0, |errno| -errno);
    answer(listener, libc::seccomp_notif_resp { id: call, val: 0, error, flags: 0 });
}

/// A call that was answered before, or whose process is gone, stays as it is.
fn answer(listener: &OwnedFd, answer: libc::seccomp_notif_resp) {
    // SAFETY: the answer is valid for the call.
    unsafe { libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &raw const answer) };
}

/// Whether the process still waits for the answer to a call, and so is the one that made it.
pub(crate) fn still_waits(listener: &OwnedFd, call: u64) -> bool {
    // SAFETY: the id is valid for the call.
    let found = unsafe {
        libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_ID_VALID, &raw const call)
    };
    found == 0
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
