//! The standby: a process that waits to become the leader of the next run.
//!
//! Making a process, its session and its Landlock layer takes longer than everything else between a request and the running
//! program. A worker therefore does it before a request comes: its standby waits on the worker's socket, receives the request
//! itself, and becomes the program.
//!
//! The standby shares the worker's memory until it executes the program, so nothing has to be copied or unmapped. As between
//! `vfork` and `exec`, only one of the two may be awake: the worker waits for the end of the standby, or for the timer that
//! the standby sets when it receives a request.

use std::cell::UnsafeCell;
use std::ffi::{OsStr, c_void};
use std::fs::File;
use std::io::{self, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, IntoRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::time::Duration;

use handrail_supervisor::message::{HomeFile, Kind, PlanRoot, Stage, Start, ToWorker};
use handrail_supervisor::socket;
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::net::RecvFlags;
use rustix::pipe::PipeFlags;
use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create,
    timerfd_settime,
};

use super::limits::ProcessLimits;
use super::program::{self, Program, StartFailure, StringList};
use super::view_root::ShownRoot;
use super::{confine, processes};

/// How long a program has to run until its start is reported. A program that ends earlier is reported with one message instead
/// of two, and nobody needs a pidfd of it.
const REPORT_DELAY: Duration = Duration::from_millis(3);
/// The size of the standby's stack, which is ample for reading a request and a dozen system calls.
const STACK_BYTES: usize = 128 * 1024;

/// What every run of a worker needs. It stays the same for all standbys.
pub(crate) struct RunContext {
    /// The socket that requests come from.
    pub(crate) host: OwnedFd,
    /// The null device, for streams that have no descriptor.
    pub(crate) null: OwnedFd,
    /// The Landlock layer that keeps programs away from their worker.
    pub(crate) layer: Option<OwnedFd>,
    /// The limits of a process that programs are started with.
    pub(crate) process_limits: ProcessLimits,
    /// Whether the worker has its own view of the file system.
    pub(crate) own_view: bool,
    /// The roots that the view shows by a second path.
    pub(crate) shown: Vec<ShownRoot>,
    /// The roots over which the view has a layer.
    pub(crate) layered: Vec<PlanRoot>,
    /// The entry `HOME=…` for programs with a private home.
    pub(crate) home: Vec<u8>,
    /// The entry `TMPDIR=…` for programs whose environment has none.
    pub(crate) temporary: Vec<u8>,
    /// The folder in which tool chains run what they build.
    pub(crate) build: Option<Vec<u8>>,
    /// The shell in `SHELL` of programs whose environment has none.
    pub(crate) shell: Option<Vec<u8>>,
}

const TEMPORARY_VARIABLE: &[u8] = b"TMPDIR=";
const SHELL_VARIABLE: &[u8] = b"SHELL=";
/// The variable that names the folder in which go builds and runs programs.
const BUILD_VARIABLE: &[u8] = b"GOTMPDIR=";

/// The memory that a worker and its current standby share.
pub(crate) struct SpawnSlot {
    context: RunContext,
    /// Fires when the program has run for [`REPORT_DELAY`].
    pub(crate) report_timer: OwnedFd,
    worker: i32,
    /// Only the standby may use this until it has executed the program or ended; from then on only the worker may.
    request: UnsafeCell<SpawnRequest>,
    stack: UnsafeCell<Box<[MaybeUninit<u128>]>>,
}

/// The request that the current standby has received, and what became of it.
#[derive(Default)]
struct SpawnRequest {
    run: Option<u64>,
    /// The program is kept here so that the worker can free it.
    program: Option<Program>,
    failure: Option<StartFailure>,
}

/// A process that waits to become the leader of a run.
pub(crate) struct Standby {
    pub(crate) pid: i32,
    /// A pipe that hangs up when the standby has executed a program, or has ended.
    pub(crate) handshake: OwnedFd,
}

/// What became of a standby when it stopped waiting.
pub(crate) enum StandbyEnd {
    /// It executed the program of this run, which may still be running.
    Executed(u64),
    /// It could not execute the program of this run, and has ended.
    Failed(u64, StartFailure),
    /// It has ended without a request, because the host is gone.
    Unused,
}

impl SpawnSlot {
    /// Makes the slot, which exists for the rest of this process's life.
    pub(crate) fn new(context: RunContext) -> io::Result<&'static SpawnSlot> {
        let flags = TimerfdFlags::CLOEXEC | TimerfdFlags::NONBLOCK;
        Ok(Box::leak(Box::new(SpawnSlot {
            context,
            report_timer: timerfd_create(TimerfdClockId::Monotonic, flags)?,
            worker: processes::own_pid(),
            request: UnsafeCell::default(),
            stack: UnsafeCell::new(Box::new_uninit_slice(STACK_BYTES / size_of::<u128>())),
        })))
    }

    /// The worker's socket to the host. While a standby waits, only the standby reads from it.
    pub(crate) fn host(&self) -> &OwnedFd {
        &self.context.host
    }

    /// Starts a standby. The previous one must have executed its program or ended.
    pub(crate) fn start(&'static self) -> io::Result<Standby> {
        self.set_timer(Duration::ZERO)?;
        let (handshake, standby_end) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
        // SAFETY: no standby is waiting, so only this process uses the request.
        unsafe { *self.request.get() = SpawnRequest::default() };
        // SAFETY: for the same reason only this process uses the stack.
        let stack = unsafe { &mut *self.stack.get() };
        let top = stack.as_mut_ptr_range().end;
        let slot = std::ptr::from_ref(self).cast_mut().cast::<c_void>();
        let flags = libc::CLONE_VM | libc::SIGCHLD;
        // SAFETY: only one standby at a time uses the stack, the slot is never freed, and this process does not touch the
        // shared memory until the standby has executed a program or ended. `stand_by` never returns.
        let pid = unsafe { libc::clone(stand_by, top.cast(), flags, slot) };
        if pid < 0 {
            return Err(io::Error::last_os_error());
        }
        drop(standby_end);
        Ok(Standby { pid, handshake })
    }

    /// What became of the standby. It must have executed its program or ended.
    pub(crate) fn resolve(&self) -> StandbyEnd {
        // SAFETY: such a standby does not use the request any more.
        let request = unsafe { std::mem::take(&mut *self.request.get()) };
        match (request.run, request.failure) {
            (Some(run), Some(failure)) => StandbyEnd::Failed(run, failure),
            (Some(run), None) => StandbyEnd::Executed(run),
            (None, _) => StandbyEnd::Unused,
        }
    }

    /// The run that the standby has received a request for. The standby must have executed its program or ended.
    pub(crate) fn run(&self) -> Option<u64> {
        // SAFETY: such a standby does not use the request any more.
        unsafe { (*self.request.get()).run }
    }

    fn set_timer(&self, after: Duration) -> io::Result<()> {
        let no_time = Timespec { tv_sec: 0, tv_nsec: 0 };
        let it_value = Timespec::try_from(after).unwrap_or(no_time);
        let time = Itimerspec { it_interval: no_time, it_value };
        timerfd_settime(&self.report_timer, TimerfdTimerFlags::empty(), &time)?;
        Ok(())
    }

    /// Waits for a request and executes its program. The standby calls this; it returns if there is no request, or if the
    /// program could not be executed.
    fn stand_by(&self) {
        if confine::die_with(self.worker).is_err() {
            return;
        }
        let prepared = program::prepare(self.context.layer.as_ref().map(AsFd::as_fd));
        // SAFETY: while the standby waits, only the standby uses the request.
        let request = unsafe { &mut *self.request.get() };
        while request.run.is_none() {
            let Ok(Some(received)) = socket::receive(&self.context.host, RecvFlags::empty()) else {
                return;
            };
            match ToWorker::decode(&received.message) {
                // The message came late, and its run is over.
                Some(ToWorker::Terminate { .. } | ToWorker::Kill { .. }) => {}
                Some(ToWorker::Start(start)) => self.take(start, received.descriptors, request),
                None => return,
            }
        }
        // From here on only values in the slot are alive: nobody would free others after the exec.
        if request.failure.is_none() {
            request.failure = match (&prepared, &request.program) {
                (Err(failure), _) => Some(*failure),
                (Ok(()), Some(program)) => {
                    let RunContext { process_limits, shown, layered, .. } = &self.context;
                    Some(program.execute(process_limits, shown, layered))
                }
                (Ok(()), None) => Some(StartFailure { stage: Stage::Request, errno: libc::EINVAL }),
            };
        }
    }

    fn take(&self, start: Start, descriptors: Vec<OwnedFd>, request: &mut SpawnRequest) {
        request.run = Some(start.run);
        if let Err(error) = self.set_timer(REPORT_DELAY) {
            // Without the timer the host would never learn that the program runs.
            request.failure = Some(StartFailure::from_error(Stage::Request, &error));
            return;
        }
        if start.private_home
            && let Err(error) = self.write_home_files(&start.home_files)
        {
            request.failure = Some(StartFailure::from_error(Stage::Request, &error));
            return;
        }
        request.program = self.program(start, descriptors);
    }

    /// Writes the files that a private home starts with, each in the home or in folders of it. A home that a command removed stays
    /// away: this run goes without.
    fn write_home_files(&self, files: &[HomeFile]) -> io::Result<()> {
        const FOLDER_FLAGS: OFlags =
            OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
        let home = self.context.home.strip_prefix(b"HOME=").unwrap_or_default();
        let home = match rustix::fs::open(OsStr::from_bytes(home), FOLDER_FLAGS, Mode::empty()) {
            Err(Errno::NOENT) => return Ok(()),
            opened => opened?,
        };
        for file in files {
            let path = Path::new(OsStr::from_bytes(&file.path));
            let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
            let mut folder = None;
            for name in path.parent().into_iter().flat_map(Path::components) {
                let above = folder.as_ref().unwrap_or(&home);
                match rustix::fs::mkdirat(above, name.as_os_str(), Mode::RWXU) {
                    Ok(()) | Err(Errno::EXIST) => {}
                    Err(error) => return Err(error.into()),
                }
                folder =
                    Some(rustix::fs::openat(above, name.as_os_str(), FOLDER_FLAGS, Mode::empty())?);
            }
            // A run that could not start may have left the file.
            let flags = OFlags::WRONLY
                | OFlags::CREATE
                | OFlags::TRUNC
                | OFlags::NOFOLLOW
                | OFlags::CLOEXEC;
            let mode = Mode::RUSR | Mode::WUSR;
            let opened = rustix::fs::openat(folder.as_ref().unwrap_or(&home), name, flags, mode)?;
            File::from(opened).write_all(&file.content)?;
        }
        Ok(())
    }

    fn program(&self, mut start: Start, descriptors: Vec<OwnedFd>) -> Option<Program> {
        let has_all_descriptors = descriptors.len() == start.descriptors();
        // The descriptors stay open until the exec or the end of the process closes them.
        let mut descriptors = descriptors.into_iter().map(IntoRawFd::into_raw_fd);
        let (executable, directory) = (descriptors.next()?, descriptors.next()?);
        let stream_descriptors: Vec<RawFd> =
            descriptors.by_ref().take(start.stream_descriptors()).collect();
        let null = self.context.null.as_raw_fd();
        let streams = start.streams.map(|stream| {
            stream.map_or(Some(null), |index| stream_descriptors.get(usize::from(index)).copied())
        });
        let [Some(stdin), Some(stdout), Some(stderr)] = streams else { return None };
        let extra = start.extra.iter().copied().map(RawFd::from).zip(descriptors).collect();
        let has = |name: &[u8]| start.environment.iter().any(|entry| entry.starts_with(name));
        let [has_temporary, has_build, has_shell] =
            [TEMPORARY_VARIABLE, BUILD_VARIABLE, SHELL_VARIABLE].map(has);
        let build = self.context.build.as_deref();
        if !has_temporary {
            start.environment.push(self.context.temporary.clone());
        }
        if let Some(build) = build.filter(|_| !has_build) {
            start.environment.push([BUILD_VARIABLE, build].concat());
        }
        if let Some(shell) = self.context.shell.as_deref().filter(|_| !has_shell) {
            start.environment.push([SHELL_VARIABLE, shell].concat());
        }
        if start.private_home {
            start.environment.push(self.context.home.clone());
        }
        has_all_descriptors.then_some(Program {
            executable,
            directory,
            streams: [stdin, stdout, stderr],
            extra,
            arguments: StringList::new(start.arguments)?,
            environment: StringList::new(start.environment)?,
            terminal: start.kind == Kind::Session,
            own_view: self.context.own_view,
        })
    }
}

extern "C" fn stand_by(slot: *mut c_void) -> i32 {
    // SAFETY: the worker passes its slot, which lives as long as the worker.
    let slot = unsafe { &*slot.cast::<SpawnSlot>() };
    // A panic must not unwind out of this function: there is no caller on this stack.
    let _ = std::panic::catch_unwind(AssertUnwindSafe(|| slot.stand_by()));
    // SAFETY: ends the standby without running anything that belongs to the worker.
    unsafe { libc::_exit(127) }
}
