//! From a process of ours to a running program.

use std::ffi::{CString, c_char};
use std::io;
use std::os::fd::{BorrowedFd, RawFd};

use handrail_supervisor::message::{MAX_EXTRA_DESCRIPTORS, Stage};

use rustix::process::{Resource, Rlimit, setrlimit};

use crate::{landlock, namespace, signals};

/// Everything a program is started with, as the kernel takes it. The descriptors are numbers, because
/// they belong to the standby and this is freed by the worker.
pub(crate) struct Program {
    pub(crate) executable: RawFd,
    pub(crate) directory: RawFd,
    pub(crate) streams: [RawFd; 3],
    /// Further descriptors: the number the program finds one under, and ours.
    pub(crate) extra: Vec<(RawFd, RawFd)>,
    pub(crate) arguments: Strings,
    pub(crate) environment: Strings,
    /// Standard input becomes the controlling terminal.
    pub(crate) terminal: bool,
    /// The directory is looked up in this process's own view of the file system.
    pub(crate) own_view: bool,
}

/// Strings with the list of pointers to them that ends with a null pointer.
pub(crate) struct Strings {
    _texts: Vec<CString>,
    pointers: Vec<*const c_char>,
}

/// Why it does not run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refused {
    pub(crate) stage: Stage,
    pub(crate) errno: i32,
}

impl Refused {
    pub(crate) fn from_error(stage: Stage, error: &io::Error) -> Refused {
        Refused { stage, errno: error.raw_os_error().unwrap_or(libc::EIO) }
    }

    fn last(stage: Stage) -> Refused {
        Refused::from_error(stage, &io::Error::last_os_error())
    }
}

impl Strings {
    /// `None` when one holds a NUL byte.
    pub(crate) fn new(texts: Vec<Vec<u8>>) -> Option<Strings> {
        let texts: Vec<CString> =
            texts.into_iter().map(|text| CString::new(text).ok()).collect::<Option<_>>()?;
        let pointers = texts.iter().map(|text| text.as_ptr()).chain([std::ptr::null()]).collect();
        Some(Strings { _texts: texts, pointers })
    }
}

/// What needs no request: a session of its own, the limit on what it may have open, and the layer that keeps
/// it from its worker.
pub(crate) fn prepare(
    layer: Option<BorrowedFd<'_>>,
    descriptors: Option<u64>,
) -> Result<(), Refused> {
    // SAFETY: no memory is involved.
    if unsafe { libc::setsid() } == -1 {
        return Err(Refused::last(Stage::Fork));
    }
    if let Some(descriptors) = descriptors {
        let limit = Rlimit { current: Some(descriptors), maximum: Some(descriptors) };
        let limited = setrlimit(Resource::Nofile, limit);
        limited.map_err(|error| Refused::from_error(Stage::Confine, &error.into()))?;
    }
    let layered = layer.map_or(Ok(()), landlock::restrict_self);
    layered.map_err(|error| Refused::from_error(Stage::Confine, &error))
}

impl Program {
    /// Becomes the program; returns only when that failed. Allocates nothing.
    pub(crate) fn execute(&self) -> Refused {
        // What was received never lies below 3, because 0, 1 and 2 are kept occupied: no target
        // overwrites a source.
        for (target, &stream) in (0..).zip(&self.streams) {
            // SAFETY: plain numbers.
            if unsafe { libc::dup2(stream, target) } == -1 {
                return Refused::last(Stage::Streams);
            }
        }
        let Some((executable, directory)) = self.place_extra() else {
            return Refused::last(Stage::Streams);
        };
        // SAFETY: plain numbers.
        if self.terminal && unsafe { libc::ioctl(0, libc::TIOCSCTTY, 0) } == -1 {
            return Refused::last(Stage::Terminal);
        }
        let entered = if self.own_view {
            namespace::enter_directory(directory)
        } else {
            // SAFETY: a plain number; the descriptor is open until the program is executed.
            rustix::process::fchdir(unsafe { BorrowedFd::borrow_raw(directory) })
                .map_err(Into::into)
        };
        if let Err(error) = entered {
            return Refused::from_error(Stage::Directory, &error);
        }
        let executable = if self.own_view {
            match namespace::open_executable(executable) {
                Ok(executable) => executable,
                Err(error) => return Refused::from_error(Stage::Execute, &error),
            }
        } else {
            executable
        };
        signals::unblock_all();
        // SAFETY: both lists end with a null pointer, and their strings live in `self`.
        unsafe {
            libc::syscall(
                libc::SYS_execveat,
                executable,
                c"".as_ptr(),
                self.arguments.pointers.as_ptr(),
                self.environment.pointers.as_ptr(),
                libc::AT_EMPTY_PATH,
            );
        }
        Refused::last(Stage::Execute)
    }

    /// Puts the further descriptors in their places. Gives where the program and its directory are then: what is in
    /// the way moves above all targets first.
    fn place_extra(&self) -> Option<(RawFd, RawFd)> {
        if self.extra.is_empty() {
            return Some((self.executable, self.directory));
        }
        let above = RawFd::from(u8::MAX) + 1;
        // SAFETY: plain numbers.
        let lift = |fd| unsafe { libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, above) };
        let moved = (lift(self.executable), lift(self.directory));
        let mut lifted = [(0, 0); MAX_EXTRA_DESCRIPTORS];
        let count = self.extra.len().min(lifted.len());
        for (slot, &(target, source)) in lifted.iter_mut().zip(&self.extra) {
            *slot = (target, lift(source));
        }
        for &(target, source) in &lifted[..count] {
            // SAFETY: plain numbers. The copy stays open when the program is executed.
            if source < 0 || unsafe { libc::dup2(source, target) } == -1 {
                return None;
            }
        }
        (moved.0 >= 0 && moved.1 >= 0).then_some(moved)
    }
}
