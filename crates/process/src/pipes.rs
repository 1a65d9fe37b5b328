//! Pipes for the outputs of runs, a few of them made ahead: making two takes a tenth of what starting a
//! command takes its caller.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::fs::OFlags;
use rustix::pipe::PipeFlags;

/// Those of one run.
const KEPT: usize = 2;

/// A reading end that does not block, and its writing end.
pub(crate) type Pipe = (OwnedFd, OwnedFd);

#[derive(Default)]
pub(crate) struct Pipes {
    kept: Mutex<Vec<Pipe>>,
}

impl Pipes {
    /// One that nobody has used.
    pub(crate) fn take(&self) -> io::Result<Pipe> {
        let kept = self.kept().pop();
        kept.map_or_else(make, Ok)
    }

    /// Makes some ahead. One that cannot be made now is made, or missed, when it is needed.
    pub(crate) fn refill(&self) {
        while self.kept().len() < KEPT {
            let Ok(pipe) = make() else { return };
            self.kept().push(pipe);
        }
    }

    pub(crate) fn clear(&self) {
        self.kept().clear();
    }

    fn kept(&self) -> MutexGuard<'_, Vec<Pipe>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn make() -> io::Result<Pipe> {
    let (reader, writer) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
    rustix::fs::fcntl_setfl(&reader, OFlags::NONBLOCK)?;
    Ok((reader, writer))
}
