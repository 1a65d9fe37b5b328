//! What is to be written to a program that takes it when it likes.

use std::collections::VecDeque;
use std::os::fd::{AsFd, OwnedFd};

use rustix::event::epoll;
use rustix::io::Errno;

use super::Context;
use crate::linux::shared::{Shared, Token};
use crate::live::LiveRequest;
use crate::outcome::{Event, RequestError};

/// Bytes that may wait for one program. More is refused: it does not read.
pub(crate) const MAX_QUEUED_BYTES: usize = 4 * 1024 * 1024;

/// Whom it concerns that something was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waiter {
    /// A request of the caller.
    Request(u64),
    /// The dialogue of a session.
    Dialogue,
}

/// The end of a pipe or terminal that is written to, and what waits for it.
pub(crate) struct InputQueue {
    descriptor: Option<OwnedFd>,
    pieces: VecDeque<(Vec<u8>, Waiter)>,
    /// Of the first piece.
    written: usize,
    bytes: usize,
    watched: bool,
    /// Close it when everything is written.
    ending: bool,
}

impl InputQueue {
    /// The descriptor must not block.
    pub(crate) fn new(descriptor: OwnedFd) -> InputQueue {
        InputQueue {
            descriptor: Some(descriptor),
            pieces: VecDeque::new(),
            written: 0,
            bytes: 0,
            watched: false,
            ending: false,
        }
    }

    /// Writes for the caller, or ends the input. Nothing else concerns a pipe.
    pub(crate) fn request(&mut self, request: LiveRequest, context: &mut Context<'_>) {
        match request {
            LiveRequest::Write { request, bytes } => {
                match self.push(bytes, Waiter::Request(request)) {
                    Ok(()) => self.write(context),
                    Err(failure) => tell(context, vec![(Waiter::Request(request), Err(failure))]),
                }
            }
            LiveRequest::EndInput => {
                self.end();
                self.write(context);
            }
            _ => {}
        }
    }

    /// Writes what the program takes now, and tells the caller.
    pub(crate) fn write(&mut self, context: &mut Context<'_>) {
        let done = self.flush(context.shared, context.id);
        tell(context, done);
    }

    /// The program is gone: tells the caller what was not written.
    pub(crate) fn finish(&mut self, context: &mut Context<'_>) {
        let unwritten = self.close(context.shared);
        tell(context, unwritten);
    }

    /// Lets these bytes wait for their turn.
    pub(crate) fn push(&mut self, bytes: Vec<u8>, waiter: Waiter) -> Result<(), RequestError> {
        if self.descriptor.is_none() || self.ending {
            return Err(RequestError::input_closed());
        }
        if self.bytes + bytes.len() > MAX_QUEUED_BYTES {
            return Err(RequestError::input_full(self.bytes));
        }
        self.bytes += bytes.len();
        self.pieces.push_back((bytes, waiter));
        Ok(())
    }

    /// Writes what the program takes now, and has the rest written when it takes more. Gives what was done, in order.
    pub(crate) fn flush(
        &mut self,
        shared: &Shared,
        id: u64,
    ) -> Vec<(Waiter, Result<(), RequestError>)> {
        let mut done = Vec::new();
        while let (Some(descriptor), Some((bytes, waiter))) =
            (&self.descriptor, self.pieces.front())
        {
            match rustix::io::write(descriptor, &bytes[self.written..]) {
                Ok(count) => {
                    self.written += count;
                    if self.written == bytes.len() {
                        self.bytes -= bytes.len();
                        self.written = 0;
                        done.push((*waiter, Ok(())));
                        self.pieces.pop_front();
                    }
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                Err(_) => done.extend(self.close(shared)),
            }
        }
        self.watch(shared, id);
        if self.ending && self.pieces.is_empty() {
            self.descriptor = None;
        }
        done
    }

    /// Closes the descriptor once everything is written.
    pub(crate) fn end(&mut self) {
        self.ending = true;
    }

    /// Closes it now. Gives what was not written.
    pub(crate) fn close(&mut self, shared: &Shared) -> Vec<(Waiter, Result<(), RequestError>)> {
        let unwritten = std::mem::take(&mut self.pieces);
        self.written = 0;
        self.bytes = 0;
        // Before it is closed: another descriptor may name the same terminal, and would keep it in epoll.
        if let Some(descriptor) = self.descriptor.take().filter(|_| self.watched) {
            shared.unwatch(descriptor.as_fd());
        }
        self.watched = false;
        unwritten
            .into_iter()
            .map(|(_, waiter)| (waiter, Err(RequestError::input_closed())))
            .collect()
    }

    fn watch(&mut self, shared: &Shared, id: u64) {
        let Some(descriptor) = &self.descriptor else {
            self.watched = false;
            return;
        };
        let wanted = !self.pieces.is_empty();
        if wanted && !self.watched {
            let token = Token::Input(id).data();
            // Unwatched, it is written with the next piece.
            self.watched =
                epoll::add(&shared.epoll, descriptor, token, epoll::EventFlags::OUT).is_ok();
        } else if !wanted && self.watched {
            shared.unwatch(descriptor.as_fd());
            self.watched = false;
        }
    }
}

/// Tells the caller what became of what it wrote.
pub(super) fn tell(context: &mut Context<'_>, done: Vec<(Waiter, Result<(), RequestError>)>) {
    for (waiter, result) in done {
        if let Waiter::Request(request) = waiter {
            (context.emit)(Event::Written { run: context.id, request, result });
        }
    }
}

/// A pipe for input: its reading end, and a writing end that does not block.
pub(crate) fn pipe() -> std::io::Result<(OwnedFd, OwnedFd)> {
    let (reader, writer) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
    rustix::fs::fcntl_setfl(&writer, rustix::fs::OFlags::NONBLOCK)?;
    Ok((reader, writer))
}
