//! From a request to a running program.
//!
//! The child shares the worker's memory until it executes (`CLONE_VM | CLONE_VFORK`), so it copies
//! no page table; between the two it makes system calls and touches nothing else.

use std::ffi::{CString, c_char, c_void};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

use handrail_supervisor::message::Stage;

use crate::confine;

/// The child makes a dozen system calls; this is ample.
const STACK_BYTES: usize = 64 * 1024;

/// The stack of the next child; one is enough because the worker waits for the exec.
pub(crate) struct Stack(Box<[MaybeUninit<u128>]>);

impl Stack {
    pub(crate) fn new() -> Stack {
        Stack(Box::new_uninit_slice(STACK_BYTES / size_of::<u128>()))
    }

    fn top(&mut self) -> *mut c_void {
        self.0.as_mut_ptr_range().end.cast()
    }
}

/// Everything the program is started with.
pub(crate) struct Program<'a> {
    pub(crate) executable: BorrowedFd<'a>,
    pub(crate) directory: BorrowedFd<'a>,
    pub(crate) streams: [BorrowedFd<'a>; 3],
    pub(crate) arguments: &'a [CString],
    pub(crate) environment: &'a [CString],
    /// Landlock layer to add, if any.
    pub(crate) layer: Option<BorrowedFd<'a>>,
    /// Standard input becomes the controlling terminal.
    pub(crate) terminal: bool,
}

/// A program that runs.
#[derive(Debug)]
pub(crate) struct Leader {
    pub(crate) pid: i32,
    pub(crate) pidfd: OwnedFd,
}

/// Why it does not run.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) stage: Stage,
    pub(crate) errno: i32,
}

/// What the child reads, and where it leaves its error. Plain numbers and pointers only.
struct Plan {
    executable: i32,
    directory: i32,
    streams: [i32; 3],
    arguments: *const *const c_char,
    environment: *const *const c_char,
    layer: i32,
    terminal: bool,
    stage: Stage,
    errno: i32,
}

fn pointers(strings: &[CString]) -> Vec<*const c_char> {
    strings.iter().map(|string| string.as_ptr()).chain([std::ptr::null()]).collect()
}

/// Starts the program; returns when it has been executed or has failed to.
pub(crate) fn start(program: &Program<'_>, stack: &mut Stack) -> Result<Leader, Refused> {
    let arguments = pointers(program.arguments);
    let environment = pointers(program.environment);
    let mut plan = Plan {
        executable: program.executable.as_raw_fd(),
        directory: program.directory.as_raw_fd(),
        streams: program.streams.map(|stream| stream.as_raw_fd()),
        arguments: arguments.as_ptr(),
        environment: environment.as_ptr(),
        layer: confine::layer_number(program.layer),
        terminal: program.terminal,
        stage: Stage::Fork,
        errno: 0,
    };
    let mut pidfd = -1_i32;
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PIDFD | libc::SIGCHLD;
    // SAFETY: the stack is large enough and used by one child at a time; `plan` outlives the child's
    // use of it because the call returns only after exec or exit; `child` never returns.
    let pid =
        unsafe { libc::clone(child, stack.top(), flags, (&raw mut plan).cast(), &raw mut pidfd) };
    if pid < 0 {
        let errno = io::Error::last_os_error().raw_os_error().unwrap_or(0);
        return Err(Refused { stage: Stage::Fork, errno });
    }
    // SAFETY: the kernel just gave us this descriptor.
    let pidfd = unsafe { OwnedFd::from_raw_fd(pidfd) };
    // SAFETY: written by the child through the pointer it got; the read must not be optimised away.
    let errno = unsafe { (&raw const plan.errno).read_volatile() };
    if errno != 0 {
        // SAFETY: as above.
        let stage = unsafe { (&raw const plan.stage).read_volatile() };
        // SAFETY: reaps the child that has just exited.
        unsafe { libc::waitpid(pid, std::ptr::null_mut(), libc::__WALL) };
        return Err(Refused { stage, errno });
    }
    Ok(Leader { pid, pidfd })
}

/// Runs in the child, on its own stack, in the worker's memory.
extern "C" fn child(argument: *mut c_void) -> i32 {
    // SAFETY: the parent passes a plan that it does not touch until this child is gone.
    let plan = unsafe { &mut *argument.cast::<Plan>() };
    // SAFETY: the worker is suspended and single-threaded; only system calls follow.
    let failed = unsafe { prepare_and_execute(plan) };
    plan.stage = failed;
    plan.errno = io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO);
    // SAFETY: ends the child without running anything of the worker's.
    unsafe { libc::_exit(127) }
}

/// Returns the stage that failed; does not return otherwise.
///
/// # Safety
/// Only in a child between clone and exec, with a plan whose pointers are valid.
unsafe fn prepare_and_execute(plan: &Plan) -> Stage {
    // SAFETY (for the block): system calls on plain numbers and on the plan's valid pointers.
    #[expect(clippy::multiple_unsafe_ops_per_block, reason = "one sequence of system calls")]
    #[expect(clippy::undocumented_unsafe_blocks, reason = "documented above the attributes")]
    unsafe {
        if libc::setsid() == -1 {
            return Stage::Fork;
        }
        // Standard streams first: what was received never lies below 3, because the worker keeps
        // 0, 1 and 2 occupied, so no target overwrites a source.
        for (target, &source) in (0..).zip(&plan.streams) {
            if libc::dup2(source, target) == -1 {
                return Stage::Streams;
            }
        }
        if plan.terminal && libc::ioctl(0, libc::TIOCSCTTY, 0) == -1 {
            return Stage::Terminal;
        }
        if libc::fchdir(plan.directory) == -1 {
            return Stage::Directory;
        }
        if plan.layer >= 0 && confine::restrict(plan.layer) == -1 {
            return Stage::Confine;
        }
        let mut empty = MaybeUninit::<libc::sigset_t>::uninit();
        libc::sigemptyset(empty.as_mut_ptr());
        libc::sigprocmask(libc::SIG_SETMASK, empty.as_ptr(), std::ptr::null_mut());
        libc::syscall(
            libc::SYS_execveat,
            plan.executable,
            c"".as_ptr(),
            plan.arguments,
            plan.environment,
            libc::AT_EMPTY_PATH,
        );
        Stage::Execute
    }
}
