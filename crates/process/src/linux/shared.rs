//! State that callers share with the engine's thread: the epoll descriptor, the pool under its lock, and the queue of commands.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use rustix::event::{EventfdFlags, epoll};

use crate::linux::error::{Error, of_watching};
use crate::linux::live;
use crate::linux::pool::{EngineCommand, Limits, Pool};
use crate::linux::premade::{self, Pipe, Premade};
use crate::linux::spill::Budget;
use crate::linux::timers::Timers;
use crate::outcome::Stream;

/// State that callers share with the engine's thread.
pub(crate) struct Shared {
    pub(crate) epoll: OwnedFd,
    /// An event counter; writing to it wakes the thread.
    pub(crate) wake: OwnedFd,
    pool: Mutex<Pool>,
    pub(crate) pipes: Premade<Pipe>,
    /// Terminals for sessions; made ahead once there has been a session.
    pub(crate) terminals: Premade<live::Pty>,
    pub(crate) spills: Budget,
    /// Commands that the thread has not taken yet. They have a lock of their own, so that adding one never waits for the thread.
    commands: Mutex<Vec<EngineCommand>>,
    /// The state directory of the supervisor that runs; `None` when callers have to start one.
    state_directory: Mutex<Option<Arc<Path>>>,
}

/// What a readiness event is about, as a number that epoll carries.
#[derive(Clone, Copy)]
pub(crate) enum Token {
    Wake,
    Timer,
    Control,
    Worker(u32),
    Pipe(u64, Stream),
    Leader(u64),
    /// An input that bytes wait for.
    Input(u64),
}

/// The size that the descriptor table of this process is enlarged to; a run needs six descriptors at most.
const RESERVED_DESCRIPTORS: u64 = 4096;

const KIND_SHIFT: u32 = 60;

impl Token {
    pub(crate) fn data(self) -> epoll::EventData {
        let (kind, value) = match self {
            Token::Wake => (0, 0),
            Token::Timer => (1, 0),
            Token::Control => (2, 0),
            Token::Worker(number) => (3, u64::from(number)),
            Token::Pipe(run, Stream::Stdout) => (4, run),
            Token::Pipe(run, Stream::Stderr) => (5, run),
            Token::Leader(run) => (6, run),
            Token::Input(run) => (7, run),
        };
        epoll::EventData::new_u64(kind << KIND_SHIFT | value)
    }

    pub(crate) fn of(data: epoll::EventData) -> Token {
        let value = data.u64() & ((1 << KIND_SHIFT) - 1);
        match data.u64() >> KIND_SHIFT {
            1 => Token::Timer,
            2 => Token::Control,
            3 => Token::Worker(u32::try_from(value).unwrap_or(0)),
            4 => Token::Pipe(value, Stream::Stdout),
            5 => Token::Pipe(value, Stream::Stderr),
            6 => Token::Leader(value),
            7 => Token::Input(value),
            _ => Token::Wake,
        }
    }
}

impl Shared {
    pub(crate) fn new(limits: Limits, spills: Budget) -> Result<Arc<Shared>, Error> {
        let system = |error: io::Error| Error::system("the engine could not be set up", error);
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC).map_err(|e| system(e.into()))?;
        let flags = EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK;
        let wake = rustix::event::eventfd(0, flags).map_err(|e| system(e.into()))?;
        let timers = Timers::new().map_err(system)?;
        let pool = Mutex::new(Pool::new(limits, timers));
        let shared = Shared {
            epoll,
            wake,
            pool,
            pipes: premade::pipes(),
            terminals: premade::terminals(),
            spills,
            commands: Mutex::default(),
            state_directory: Mutex::default(),
        };
        shared.watch(shared.wake.as_fd(), Token::Wake).map_err(system)?;
        shared.watch(shared.pool().timers.descriptor(), Token::Timer).map_err(system)?;
        Ok(Arc::new(shared))
    }

    /// Enlarges the descriptor table of this process for many runs. In a process with several threads the kernel waits for all
    /// processors when it enlarges the table. That is better done here than in a caller that opens a file, where waits of
    /// 100 ms were seen.
    pub(crate) fn reserve_descriptors(&self) {
        let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
        let target_size = limit.unwrap_or(u64::MAX).min(RESERVED_DESCRIPTORS).saturating_sub(1);
        // An error says that the number is in use, or above the limit: then the table stays as it is.
        let highest = i32::try_from(target_size).unwrap_or(0);
        let _ = rustix::io::fcntl_dupfd_cloexec(&self.epoll, highest);
    }

    /// Locks the pool. A panic elsewhere does not make its data unusable.
    pub(crate) fn pool(&self) -> MutexGuard<'_, Pool> {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn watch(&self, descriptor: BorrowedFd<'_>, token: Token) -> io::Result<()> {
        let added = epoll::add(&self.epoll, descriptor, token.data(), epoll::EventFlags::IN);
        added.map_err(of_watching)
    }

    pub(crate) fn unwatch(&self, descriptor: BorrowedFd<'_>) {
        // An error says that it was not watched.
        let _ = epoll::delete(&self.epoll, descriptor);
    }

    /// Locks the pool, unless the thread has it.
    pub(crate) fn try_pool(&self) -> Option<MutexGuard<'_, Pool>> {
        match self.pool.try_lock() {
            Ok(pool) => Some(pool),
            Err(TryLockError::Poisoned(pool)) => Some(pool.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// The state directory of the supervisor that runs, if one does.
    pub(crate) fn state_directory(&self) -> Option<Arc<Path>> {
        self.state_directory.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn set_state_directory(&self, state_directory: Option<Arc<Path>>) {
        *self.state_directory.lock().unwrap_or_else(PoisonError::into_inner) = state_directory;
    }

    /// Adds a command; the thread takes it when it wakes.
    pub(crate) fn add_command(&self, command: EngineCommand) {
        self.commands.lock().unwrap_or_else(PoisonError::into_inner).push(command);
    }

    /// Takes all commands.
    pub(crate) fn take_commands(&self) -> Vec<EngineCommand> {
        std::mem::take(&mut *self.commands.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Adds a command and wakes the thread.
    pub(crate) fn send_command(&self, command: EngineCommand) {
        self.add_command(command);
        // An error says that the counter is full, and a full counter wakes the thread too.
        let _ = rustix::io::write(&self.wake, &1_u64.to_ne_bytes());
    }
}
