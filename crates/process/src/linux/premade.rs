//! Pipes and terminals that are made before they are needed: making two pipes takes a tenth of the time that the caller of a
//! start waits, and a terminal takes longer.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::fs::OFlags;
use rustix::pipe::PipeFlags;

use crate::linux::live;

/// A reading end that does not block, and its writing end.
pub(crate) type Pipe = (OwnedFd, OwnedFd);

/// Values of one type that are made before they are needed.
pub(crate) struct Premade<T> {
    make: fn() -> io::Result<T>,
    /// How many are kept.
    target_count: usize,
    kept: Mutex<Vec<T>>,
}

impl<T> Premade<T> {
    /// A fresh value.
    pub(crate) fn take(&self) -> io::Result<T> {
        let kept = self.kept().pop();
        kept.map_or_else(self.make, Ok)
    }

    /// Makes as many as are kept. Where that fails now, `take` tries again later.
    pub(crate) fn refill(&self) {
        while self.kept().len() < self.target_count {
            let Ok(made) = (self.make)() else { return };
            self.kept().push(made);
        }
    }

    pub(crate) fn clear(&self) {
        self.kept().clear();
    }

    fn kept(&self) -> MutexGuard<'_, Vec<T>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The two pipes of one run.
pub(crate) fn pipes() -> Premade<Pipe> {
    Premade { make: make_pipe, target_count: 2, kept: Mutex::default() }
}

/// The terminal of one session.
pub(crate) fn terminals() -> Premade<live::Pty> {
    Premade { make: live::Pty::open, target_count: 1, kept: Mutex::default() }
}

fn make_pipe() -> io::Result<Pipe> {
    let (reader, writer) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
    rustix::fs::fcntl_setfl(&reader, OFlags::NONBLOCK)?;
    Ok((reader, writer))
}
