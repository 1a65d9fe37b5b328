//! The process that will be the next run's leader.
//!
//! A process, a session of its own and a Landlock layer take longer than all else between a request
//! and its program. So a worker has them behind it when a request comes: its standby waits on the
//! worker's socket, takes the request itself, and becomes the program.
//!
//! The standby shares the worker's memory until it executes, so nothing is copied and nothing has to
//! be taken down. As between `vfork` and `exec`, only one of the two may be awake meanwhile: the
//! worker waits for the standby's end, or for the timer that the standby sets with a request.

use std::cell::UnsafeCell;
use std::ffi::c_void;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, IntoRawFd, OwnedFd, RawFd};
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use handrail_supervisor::message::{Kind, Stage, Start, ToWorker};
use handrail_supervisor::socket;
use rustix::net::RecvFlags;
use rustix::pipe::PipeFlags;
use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create,
    timerfd_settime,
};

use crate::program::{self, Program, Refused, Strings};
use crate::{confine, processes};

/// A program that ends sooner is reported with one message instead of two; until then nobody needs a
/// pidfd of it.
const FIRST_MOMENT: Duration = Duration::from_millis(3);
/// Ample for reading a request and a dozen system calls.
const STACK_BYTES: usize = 128 * 1024;

/// What a worker gives its standbys.
pub(crate) struct Supplies {
    /// Where requests come from.
    pub(crate) host: OwnedFd,
    /// Standard input of programs that get none.
    pub(crate) null: OwnedFd,
    /// Landlock layer that keeps programs from their worker.
    pub(crate) layer: Option<OwnedFd>,
    /// How many descriptors programs may have, where that is held.
    pub(crate) descriptors: Option<u64>,
    /// Whether this process has its own view of the file system.
    pub(crate) own_view: bool,
    /// `HOME=…`, for programs with a private home.
    pub(crate) home: Vec<u8>,
    /// `TMPDIR=…`, for programs without one of their own.
    pub(crate) temporary: Vec<u8>,
}

/// What a worker and its standby share.
pub(crate) struct Desk {
    supplies: Supplies,
    /// Fires when a request's first moment is over.
    pub(crate) first_moment: OwnedFd,
    worker: i32,
    /// The standby's as long as it is unsettled, then the worker's.
    order: UnsafeCell<Order>,
    stack: UnsafeCell<Box<[MaybeUninit<u128>]>>,
}

#[derive(Default)]
struct Order {
    run: Option<u64>,
    /// Kept here, where the worker frees it.
    program: Option<Program>,
    refused: Option<Refused>,
}

/// A process that waits to become a leader.
pub(crate) struct Standby {
    pub(crate) pid: i32,
    /// Hangs up when it has executed a program, or ended.
    pub(crate) settled: OwnedFd,
}

/// What became of a standby.
pub(crate) enum Settled {
    /// It ran this run's program, or still does.
    Executed(u64),
    /// It could not, and has ended.
    Refused(u64, Refused),
    /// It has ended because nobody asks any more.
    Unused,
}

impl Desk {
    /// A desk for the rest of this process's life.
    pub(crate) fn new(supplies: Supplies) -> io::Result<&'static Desk> {
        let flags = TimerfdFlags::CLOEXEC | TimerfdFlags::NONBLOCK;
        Ok(Box::leak(Box::new(Desk {
            supplies,
            first_moment: timerfd_create(TimerfdClockId::Monotonic, flags)?,
            worker: processes::own_id(),
            order: UnsafeCell::default(),
            stack: UnsafeCell::new(Box::new_uninit_slice(STACK_BYTES / size_of::<u128>())),
        })))
    }

    /// The worker's socket to the host. A standby that is unsettled is the one to read from it.
    pub(crate) fn host(&self) -> &OwnedFd {
        &self.supplies.host
    }

    /// Starts a standby. The one before it, if any, has settled.
    pub(crate) fn start(&'static self) -> io::Result<Standby> {
        self.set_timer(Duration::ZERO)?;
        let (settled, unsettled) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
        // SAFETY: no standby is unsettled, so the order is this process's.
        unsafe { *self.order.get() = Order::default() };
        // SAFETY: likewise the stack.
        let stack = unsafe { &mut *self.stack.get() };
        let top = stack.as_mut_ptr_range().end;
        let desk = std::ptr::from_ref(self).cast_mut().cast::<c_void>();
        let flags = libc::CLONE_VM | libc::SIGCHLD;
        // SAFETY: the stack is used by one standby at a time, the desk lives on, and this process
        // leaves the memory alone until the standby has settled. `stand_by` never returns.
        let pid = unsafe { libc::clone(stand_by, top.cast(), flags, desk) };
        if pid < 0 {
            return Err(io::Error::last_os_error());
        }
        drop(unsettled);
        Ok(Standby { pid, settled })
    }

    /// What became of the standby, once it has settled.
    pub(crate) fn settle(&self) -> Settled {
        // SAFETY: a settled standby does not touch the order any more.
        let order = unsafe { std::mem::take(&mut *self.order.get()) };
        match (order.run, order.refused) {
            (Some(run), Some(refused)) => Settled::Refused(run, refused),
            (Some(run), None) => Settled::Executed(run),
            (None, _) => Settled::Unused,
        }
    }

    /// The run whose request a settled standby has taken.
    pub(crate) fn run(&self) -> Option<u64> {
        // SAFETY: a settled standby does not touch the order any more.
        unsafe { (*self.order.get()).run }
    }

    fn set_timer(&self, after: Duration) -> io::Result<()> {
        let none = Timespec { tv_sec: 0, tv_nsec: 0 };
        let it_value = Timespec::try_from(after).unwrap_or(none);
        let time = Itimerspec { it_interval: none, it_value };
        timerfd_settime(&self.first_moment, TimerfdTimerFlags::empty(), &time)?;
        Ok(())
    }

    /// In the standby: returns when there is nothing, or no more, to do.
    fn stand_by(&self) {
        if confine::die_with(self.worker).is_err() {
            return;
        }
        let prepared = program::prepare(
            self.supplies.layer.as_ref().map(AsFd::as_fd),
            self.supplies.descriptors,
        );
        // SAFETY: unsettled, this process is the order's only user.
        let order = unsafe { &mut *self.order.get() };
        while order.run.is_none() {
            let Ok(Some(received)) = socket::receive(&self.supplies.host, RecvFlags::empty())
            else {
                return;
            };
            match ToWorker::decode(&received.message) {
                // A late word about a run that is over.
                Some(ToWorker::Terminate { .. } | ToWorker::Kill { .. }) => {}
                Some(ToWorker::Start(start)) => self.take(start, received.descriptors, order),
                None => return,
            }
        }
        // Only what the desk holds is left: whatever else is alive here would never be freed.
        if order.refused.is_none() {
            order.refused = match (&prepared, &order.program) {
                (Err(refused), _) => Some(*refused),
                (Ok(()), Some(program)) => Some(program.execute()),
                (Ok(()), None) => Some(Refused { stage: Stage::Request, errno: libc::EINVAL }),
            };
        }
    }

    fn take(&self, start: Start, descriptors: Vec<OwnedFd>, order: &mut Order) {
        order.run = Some(start.run);
        if let Err(error) = self.set_timer(FIRST_MOMENT) {
            // The host would not hear of a program that goes on.
            order.refused = Some(Refused::from_error(Stage::Request, &error));
            return;
        }
        order.program = self.program(start, descriptors);
    }

    fn program(&self, mut start: Start, descriptors: Vec<OwnedFd>) -> Option<Program> {
        let complete = descriptors.len() == start.descriptors();
        // They stay open until the exec or the end closes them.
        let mut descriptors = descriptors.into_iter().map(IntoRawFd::into_raw_fd);
        let (executable, directory) = (descriptors.next()?, descriptors.next()?);
        let given: Vec<RawFd> = descriptors.by_ref().take(start.stream_descriptors()).collect();
        let null = self.supplies.null.as_raw_fd();
        let streams = start.streams.map(|stream| {
            stream.map_or(Some(null), |index| given.get(usize::from(index)).copied())
        });
        let [Some(stdin), Some(stdout), Some(stderr)] = streams else { return None };
        let extra = start.extra.iter().copied().map(RawFd::from).zip(descriptors).collect();
        if !start.environment.iter().any(|entry| entry.starts_with(b"TMPDIR=")) {
            start.environment.push(self.supplies.temporary.clone());
        }
        if start.private_home {
            start.environment.push(self.supplies.home.clone());
        }
        complete.then_some(Program {
            executable,
            directory,
            streams: [stdin, stdout, stderr],
            extra,
            arguments: Strings::new(start.arguments)?,
            environment: Strings::new(start.environment)?,
            terminal: start.kind == Kind::Session,
            own_view: self.supplies.own_view,
        })
    }
}

extern "C" fn stand_by(desk: *mut c_void) -> i32 {
    // SAFETY: the worker passes its desk, which lives as long as it does.
    let desk = unsafe { &*desk.cast::<Desk>() };
    // The worker's frames are below on another stack: nothing may unwind into them.
    let _ = std::panic::catch_unwind(AssertUnwindSafe(|| desk.stand_by()));
    // SAFETY: ends the standby without running anything of the worker's.
    unsafe { libc::_exit(127) }
}
