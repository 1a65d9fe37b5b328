//! How a standby process becomes the program that was requested.

use std::ffi::{CString, c_char};
use std::io;
use std::os::fd::{BorrowedFd, RawFd};

use handrail_supervisor::message::{MAX_EXTRA_DESCRIPTORS, PlanRoot, Stage};

use rustix::process::Resource;

use super::view_root::ShownRoot;
use super::{landlock, limits, namespace, signals};

/// Everything that a program is started with, in the form that the kernel takes. The descriptors are plain numbers because they
/// belong to the standby, while the worker frees this value.
pub(crate) struct Program {
    pub(crate) executable: RawFd,
    pub(crate) directory: RawFd,
    pub(crate) streams: [RawFd; 3],
    /// Further descriptors: the number that the program finds each under, and its number in this process.
    pub(crate) extra: Vec<(RawFd, RawFd)>,
    pub(crate) arguments: StringList,
    pub(crate) environment: StringList,
    /// Whether standard input becomes the controlling terminal.
    pub(crate) terminal: bool,
    /// Whether this process has its own view of the file system, in which the program and the directory have to be found
    /// again.
    pub(crate) own_view: bool,
}

/// Strings, and a list of pointers to them that ends with a null pointer.
pub(crate) struct StringList {
    _texts: Vec<CString>,
    pointers: Vec<*const c_char>,
}

/// The reason why a program was not started.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StartFailure {
    pub(crate) stage: Stage,
    pub(crate) errno: i32,
}

impl StartFailure {
    pub(crate) fn from_error(stage: Stage, error: &io::Error) -> StartFailure {
        StartFailure { stage, errno: error.raw_os_error().unwrap_or(libc::EIO) }
    }

    fn from_last_error(stage: Stage) -> StartFailure {
        StartFailure::from_error(stage, &io::Error::last_os_error())
    }
}

impl StringList {
    /// `None` if one of the strings contains a NUL byte.
    pub(crate) fn new(texts: Vec<Vec<u8>>) -> Option<StringList> {
        let texts: Vec<CString> =
            texts.into_iter().map(|text| CString::new(text).ok()).collect::<Option<_>>()?;
        let pointers = texts.iter().map(|text| text.as_ptr()).chain([std::ptr::null()]).collect();
        Some(StringList { _texts: texts, pointers })
    }
}

/// Does everything that needs no request: starts a session, and adds the Landlock layer that keeps the program away from its
/// worker.
pub(crate) fn prepare(layer: Option<BorrowedFd<'_>>) -> Result<(), StartFailure> {
    // SAFETY: no memory is involved.
    if unsafe { libc::setsid() } == -1 {
        return Err(StartFailure::from_last_error(Stage::Fork));
    }
    let layer_result = layer.map_or(Ok(()), landlock::restrict_self);
    layer_result.map_err(|error| StartFailure::from_error(Stage::Confine, &error))
}

impl Program {
    /// Becomes the program, under these limits. Returns only if that failed. Allocates nothing.
    /// `shown`: the roots that its view shows by a second path. `layered`: those over which it has a layer.
    pub(crate) fn execute(
        &self,
        process_limits: &[(Resource, u64)],
        shown: &[ShownRoot],
        layered: &[PlanRoot],
    ) -> StartFailure {
        // 0, 1 and 2 are always open, so no descriptor that was received has such a number, and no target overwrites a source.
        for (target, &stream) in (0..).zip(&self.streams) {
            // SAFETY: plain numbers.
            if unsafe { libc::dup2(stream, target) } == -1 {
                return StartFailure::from_last_error(Stage::Streams);
            }
        }
        let Some((executable, directory)) = self.place_extra() else {
            return StartFailure::from_last_error(Stage::Streams);
        };
        // SAFETY: plain numbers.
        if self.terminal && unsafe { libc::ioctl(0, libc::TIOCSCTTY, 0) } == -1 {
            return StartFailure::from_last_error(Stage::Terminal);
        }
        let directory_result = if self.own_view {
            namespace::enter_directory(directory, shown, layered)
        } else {
            // SAFETY: a plain number; the descriptor is open until the program is executed.
            rustix::process::fchdir(unsafe { BorrowedFd::borrow_raw(directory) })
                .map_err(Into::into)
        };
        if let Err(error) = directory_result {
            return StartFailure::from_error(Stage::Directory, &error);
        }
        let executable = if self.own_view {
            match namespace::open_executable(executable, layered) {
                Ok(executable) => executable,
                Err(error) => return StartFailure::from_error(Stage::Execute, &error),
            }
        } else {
            executable
        };
        // Receiving the request and writing the files of a home would count, so the limits come last.
        if let Err(error) = limits::limit_process(process_limits) {
            return StartFailure::from_error(Stage::Confine, &error.into());
        }
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
        StartFailure::from_last_error(Stage::Execute)
    }

    /// Gives the further descriptors the numbers that the program expects. All descriptors are first moved above those numbers.
    /// Returns the new numbers of the program and its directory.
    fn place_extra(&self) -> Option<(RawFd, RawFd)> {
        if self.extra.is_empty() {
            return Some((self.executable, self.directory));
        }
        let min_descriptor = RawFd::from(u8::MAX) + 1;
        // SAFETY: plain numbers.
        let duplicate_above =
            |fd| unsafe { libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, min_descriptor) };
        let moved_descriptors = (duplicate_above(self.executable), duplicate_above(self.directory));
        let mut duplicates = [(0, 0); MAX_EXTRA_DESCRIPTORS];
        let count = self.extra.len().min(duplicates.len());
        for (slot, &(target, source)) in duplicates.iter_mut().zip(&self.extra) {
            *slot = (target, duplicate_above(source));
        }
        for &(target, source) in &duplicates[..count] {
            // SAFETY: plain numbers. The copy stays open when the program is executed.
            if source < 0 || unsafe { libc::dup2(source, target) } == -1 {
                return None;
            }
        }
        (moved_descriptors.0 >= 0 && moved_descriptors.1 >= 0).then_some(moved_descriptors)
    }
}
