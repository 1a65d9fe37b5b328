//! A service: its standard output is passed to the caller as it is, the end of its standard error is kept.

use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Arc, Mutex};

use rustix::io::Errno;

use super::input_queue::InputQueue;
use super::{Context, ServiceStderr, lock};
use crate::linux::shared::Token;
use crate::live::LiveRequest;
use crate::outcome::{Event, Stream};

/// Most pieces that the caller has not consumed yet; at that number, reading stops.
const MAX_UNCONSUMED_PIECES: usize = 16;
/// Most reads of one pipe before others get their turn.
const READS_PER_TURN: usize = 8;
/// More bytes than any full pipe has.
const MAX_FINAL_BYTES: usize = 2 * 1024 * 1024;

/// A service's pipes.
pub(crate) struct Service {
    input: InputQueue,
    output: Option<OwnedFd>,
    error_output: Option<OwnedFd>,
    stderr_text: Arc<Mutex<ServiceStderr>>,
    unconsumed_pieces: usize,
    /// Whether its standard output is not read until the caller has consumed more.
    is_suspended: bool,
}

impl Service {
    pub(crate) fn new(
        input: OwnedFd,
        output: OwnedFd,
        error_output: OwnedFd,
        stderr_text: Arc<Mutex<ServiceStderr>>,
    ) -> Service {
        Service {
            input: InputQueue::new(input),
            output: Some(output),
            error_output: Some(error_output),
            stderr_text,
            unconsumed_pieces: 0,
            is_suspended: false,
        }
    }

    /// The pipes that it writes to.
    pub(crate) fn outputs(&self) -> [(Stream, Option<&OwnedFd>); 2] {
        [(Stream::Stdout, self.output.as_ref()), (Stream::Stderr, self.error_output.as_ref())]
    }

    pub(crate) fn request(&mut self, request: LiveRequest, context: &mut Context<'_>) {
        self.input.request(request, context);
    }

    /// Writes as much of the queue as it takes now.
    pub(crate) fn write(&mut self, context: &mut Context<'_>) {
        self.input.write(context);
    }

    /// Reads what the pipe has, for at most one turn.
    pub(crate) fn read(&mut self, stream: Stream, context: &mut Context<'_>) {
        for _ in 0..READS_PER_TURN {
            if (stream == Stream::Stdout && self.is_suspended)
                || self.read_once(stream, context).is_none()
            {
                break;
            }
        }
        if self.is_suspended
            && let Some(output) = &self.output
        {
            context.shared.unwatch(output.as_fd());
        }
    }

    fn read_once(&mut self, stream: Stream, context: &mut Context<'_>) -> Option<usize> {
        let pipe = match stream {
            Stream::Stdout => &mut self.output,
            Stream::Stderr => &mut self.error_output,
        };
        match rustix::io::read(pipe.as_ref()?, &mut *context.buffer) {
            Ok(0) => {
                *pipe = None;
                None
            }
            Ok(count) => {
                let bytes = &context.buffer[..count];
                if stream == Stream::Stdout {
                    self.unconsumed_pieces += 1;
                    self.is_suspended |= self.unconsumed_pieces >= MAX_UNCONSUMED_PIECES;
                    (context.emit)(Event::Data { run: context.id, bytes: bytes.to_vec() });
                } else {
                    lock(&self.stderr_text).push(bytes);
                }
                Some(count)
            }
            Err(Errno::INTR) => Some(0),
            Err(_) => None,
        }
    }

    /// The caller consumed one piece.
    pub(crate) fn acknowledge_piece(&mut self, context: &mut Context<'_>) {
        self.unconsumed_pieces = self.unconsumed_pieces.saturating_sub(1);
        if self.is_suspended && self.unconsumed_pieces <= MAX_UNCONSUMED_PIECES / 2 {
            self.is_suspended = false;
            if let Some(output) = &self.output {
                // An error says that it is watched already.
                let _ =
                    context.shared.watch(output.as_fd(), Token::Pipe(context.id, Stream::Stdout));
            }
        }
    }

    /// Reads what is left after every writer is dead.
    pub(crate) fn finish(&mut self, context: &mut Context<'_>) {
        for stream in [Stream::Stdout, Stream::Stderr] {
            let mut remaining_bytes = MAX_FINAL_BYTES;
            while let Some(count) = self.read_once(stream, context) {
                remaining_bytes = remaining_bytes.saturating_sub(count.max(1));
                if remaining_bytes == 0 {
                    break;
                }
            }
        }
        lock(&self.stderr_text).finish();
        self.input.finish(context);
    }

    pub(crate) fn take_descriptors(&mut self) -> Vec<OwnedFd> {
        self.output.take().into_iter().chain(self.error_output.take()).collect()
    }
}
