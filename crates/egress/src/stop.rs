//! Waiting for bytes until a deadline, or until the way out is closed.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// The reading end of a pipe. The other end is closed when everything is to end.
#[derive(Debug)]
pub(crate) struct Stop(OwnedFd);

/// Closing this ends every wait.
#[derive(Debug)]
pub(crate) struct StopHandle {
    _writer: OwnedFd,
}

impl Stop {
    pub(crate) fn new() -> io::Result<(Self, StopHandle)> {
        let (reader, writer) = io::pipe()?;
        Ok((Self(reader.into()), StopHandle { _writer: writer.into() }))
    }

    /// Waits for events on descriptors. An error tells that the deadline has passed (`TimedOut`), or that everything is to end
    /// (`ConnectionAborted`).
    pub(crate) fn wait(
        &self,
        watched: &[(BorrowedFd<'_>, PollFlags)],
        deadline: Option<Instant>,
    ) -> io::Result<()> {
        let mut descriptors: Vec<PollFd<'_>> = vec![PollFd::new(&self.0, PollFlags::IN)];
        // A descriptor that nobody waits for would report its end again and again.
        let wanted = watched.iter().filter(|(_, flags)| !flags.is_empty());
        descriptors.extend(wanted.map(|(fd, flags)| PollFd::from_borrowed_fd(*fd, *flags)));
        poll_all(&mut descriptors, deadline)
    }

    /// Waits until a descriptor can be read, or its other side has ended.
    pub(crate) fn wait_readable(&self, descriptor: impl AsFd, deadline: Instant) -> io::Result<()> {
        self.wait(&[(descriptor.as_fd(), PollFlags::IN)], Some(deadline))
    }
}

/// Waits for descriptors, of which the first tells that everything is to end.
fn poll_all(descriptors: &mut [PollFd<'_>], deadline: Option<Instant>) -> io::Result<()> {
    loop {
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        match poll(descriptors, left.map(timespec).as_ref()) {
            Ok(0) => return Err(io::ErrorKind::TimedOut.into()),
            Ok(_) => break,
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    if descriptors[0].revents().is_empty() {
        Ok(())
    } else {
        Err(io::ErrorKind::ConnectionAborted.into())
    }
}

fn timespec(duration: Duration) -> Timespec {
    Timespec {
        tv_sec: i64::try_from(duration.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: duration.subsec_nanos().into(),
    }
}
