//! Bytes that wait until a program reads them.

use std::collections::VecDeque;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;

use rustix::event::epoll::{self, EventFlags};
use rustix::io::Errno;

use super::Context;
use crate::linux::shared::{Shared, Token};
use crate::live::LiveRequest;
use crate::outcome::{Event, RequestError, Stream};

/// Most bytes that wait for one program. More are refused: a program with so many does not read.
pub(crate) const MAX_QUEUED_BYTES: usize = 4 * 1024 * 1024;

/// Who is told when bytes were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waiter {
    /// A request of the caller.
    Request(u64),
    /// The dialogue of a session.
    Dialogue,
}

/// The end of a pipe or terminal that is written to, and the bytes that wait for it.
pub(crate) struct InputQueue {
    descriptor: Option<Arc<OwnedFd>>,
    /// The stream by which epoll names the descriptor, where it is also read from: one descriptor is watched only once.
    read_as: Option<Stream>,
    pieces: VecDeque<(Vec<u8>, Waiter)>,
    /// How many bytes of the first piece were written.
    written_bytes: usize,
    /// How many bytes the pieces have together.
    queued_bytes: usize,
    is_watched: bool,
    /// Whether the descriptor is closed when everything was written.
    closes_when_empty: bool,
}

impl InputQueue {
    /// The descriptor must not block.
    pub(crate) fn new(descriptor: OwnedFd) -> InputQueue {
        InputQueue::of(Arc::new(descriptor), None)
    }

    /// A queue for the terminal of a session, which is watched for reading by this name.
    pub(crate) fn of_terminal(terminal: Arc<OwnedFd>, read_as: Stream) -> InputQueue {
        InputQueue::of(terminal, Some(read_as))
    }

    fn of(descriptor: Arc<OwnedFd>, read_as: Option<Stream>) -> InputQueue {
        InputQueue {
            descriptor: Some(descriptor),
            read_as,
            pieces: VecDeque::new(),
            written_bytes: 0,
            queued_bytes: 0,
            is_watched: false,
            closes_when_empty: false,
        }
    }

    /// Serves a request to write or to end the input. Other requests do not concern a pipe.
    pub(crate) fn request(&mut self, request: LiveRequest, context: &mut Context<'_>) {
        match request {
            LiveRequest::Write { request, bytes } => {
                match self.push(bytes, Waiter::Request(request)) {
                    Ok(()) => self.write(context),
                    Err(failure) => {
                        emit_written(context, vec![(Waiter::Request(request), Err(failure))]);
                    }
                }
            }
            LiveRequest::EndInput => {
                self.end();
                self.write(context);
            }
            _ => {}
        }
    }

    /// Writes as much as the program takes now, and tells the caller.
    pub(crate) fn write(&mut self, context: &mut Context<'_>) {
        let results = self.flush(context.shared, context.id);
        emit_written(context, results);
    }

    /// The program is gone: tells the caller that the rest was not written.
    pub(crate) fn finish(&mut self, context: &mut Context<'_>) {
        let unwritten = self.close(context.shared);
        emit_written(context, unwritten);
    }

    /// Adds bytes to the queue.
    pub(crate) fn push(&mut self, bytes: Vec<u8>, waiter: Waiter) -> Result<(), RequestError> {
        if self.descriptor.is_none() || self.closes_when_empty {
            return Err(RequestError::input_closed());
        }
        if self.queued_bytes + bytes.len() > MAX_QUEUED_BYTES {
            return Err(RequestError::input_full(self.queued_bytes));
        }
        self.queued_bytes += bytes.len();
        self.pieces.push_back((bytes, waiter));
        Ok(())
    }

    /// Writes as much as the program takes now; the rest follows when the program takes more. Gives the results, in order.
    pub(crate) fn flush(
        &mut self,
        shared: &Shared,
        id: u64,
    ) -> Vec<(Waiter, Result<(), RequestError>)> {
        let mut results = Vec::new();
        while let (Some(descriptor), Some((bytes, waiter))) =
            (&self.descriptor, self.pieces.front())
        {
            match rustix::io::write(descriptor.as_fd(), &bytes[self.written_bytes..]) {
                Ok(count) => {
                    self.written_bytes += count;
                    if self.written_bytes == bytes.len() {
                        self.queued_bytes -= bytes.len();
                        self.written_bytes = 0;
                        results.push((*waiter, Ok(())));
                        self.pieces.pop_front();
                    }
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                Err(_) => results.extend(self.close(shared)),
            }
        }
        self.watch(shared, id);
        if self.closes_when_empty && self.pieces.is_empty() {
            self.descriptor = None;
        }
        results
    }

    /// Closes the descriptor once everything was written.
    pub(crate) fn end(&mut self) {
        self.closes_when_empty = true;
    }

    /// Closes the descriptor now. Gives a failure for each piece that was not written.
    pub(crate) fn close(&mut self, shared: &Shared) -> Vec<(Waiter, Result<(), RequestError>)> {
        let unwritten = std::mem::take(&mut self.pieces);
        self.written_bytes = 0;
        self.queued_bytes = 0;
        let is_watched = self.is_watched && self.read_as.is_none();
        if let Some(descriptor) = self.descriptor.take().filter(|_| is_watched) {
            shared.unwatch(descriptor.as_fd());
        }
        self.is_watched = false;
        unwritten
            .into_iter()
            .map(|(_, waiter)| (waiter, Err(RequestError::input_closed())))
            .collect()
    }

    fn watch(&mut self, shared: &Shared, id: u64) {
        let Some(descriptor) = &self.descriptor else {
            self.is_watched = false;
            return;
        };
        let has_pieces = !self.pieces.is_empty();
        if has_pieces == self.is_watched {
            return;
        }
        // Where it cannot be watched, the rest is written together with the next piece.
        let is_done = match (self.read_as, has_pieces) {
            (Some(stream), _) => {
                let out = if has_pieces { EventFlags::OUT } else { EventFlags::empty() };
                let token = Token::Pipe(id, stream).data();
                epoll::modify(&shared.epoll, descriptor, token, EventFlags::IN | out).is_ok()
            }
            (None, true) => {
                let token = Token::Input(id).data();
                epoll::add(&shared.epoll, descriptor, token, EventFlags::OUT).is_ok()
            }
            (None, false) => {
                shared.unwatch(descriptor.as_fd());
                true
            }
        };
        self.is_watched = has_pieces == is_done;
    }
}

/// Sends the caller the results of its writes.
pub(super) fn emit_written(
    context: &mut Context<'_>,
    results: Vec<(Waiter, Result<(), RequestError>)>,
) {
    for (waiter, result) in results {
        if let Waiter::Request(request) = waiter {
            (context.emit)(Event::Written { run: context.id, request, result });
        }
    }
}

/// Makes a pipe for input: its reading end, and a writing end that does not block.
pub(crate) fn pipe() -> std::io::Result<(OwnedFd, OwnedFd)> {
    let (reader, writer) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
    rustix::fs::fcntl_setfl(&writer, rustix::fs::OFlags::NONBLOCK)?;
    Ok((reader, writer))
}
