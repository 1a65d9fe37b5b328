//! Pipes and terminals that are made ahead: making two pipes takes a tenth of what starting a command takes its caller, a
//! terminal takes more.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::fs::OFlags;
use rustix::pipe::PipeFlags;

use crate::linux::live;

/// A reading end that does not block, and its writing end.
pub(crate) type Pipe = (OwnedFd, OwnedFd);

/// Things that are made alike, some of them ahead.
pub(crate) struct Premade<T> {
    make: fn() -> io::Result<T>,
    /// As many are kept.
    most: usize,
    kept: Mutex<Vec<T>>,
}

impl<T> Premade<T> {
    /// One that nobody has used.
    pub(crate) fn take(&self) -> io::Result<T> {
        let kept = self.kept().pop();
        kept.map_or_else(self.make, Ok)
    }

    /// Makes some ahead. One that cannot be made now is made, or missed, when it is needed.
    pub(crate) fn refill(&self) {
        while self.kept().len() < self.most {
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

/// Those of one run.
pub(crate) fn pipes() -> Premade<Pipe> {
    Premade { make: make_pipe, most: 2, kept: Mutex::default() }
}

/// That of one session.
pub(crate) fn terminals() -> Premade<live::Pty> {
    Premade { make: live::Pty::open, most: 1, kept: Mutex::default() }
}

fn make_pipe() -> io::Result<Pipe> {
    let (reader, writer) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
    rustix::fs::fcntl_setfl(&reader, OFlags::NONBLOCK)?;
    Ok((reader, writer))
}
