//! A service: its standard output goes to the caller as it is, its standard error is kept.

use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Arc, Mutex};

use rustix::io::Errno;

use super::input_queue::InputQueue;
use super::{Context, ServiceStderr, lock};
use crate::linux::shared::Token;
use crate::live::LiveRequest;
use crate::outcome::{Event, Stream};

/// Pieces that the caller has not consumed yet; more stops the reading.
const MAX_UNCONSUMED_PIECES: usize = 16;
/// Reads of one pipe before others get their turn.
const READS_PER_TURN: usize = 8;
/// A full pipe holds no more, whatever its size is.
const MAX_LAST_BYTES: usize = 2 * 1024 * 1024;

/// A service's pipes.
pub(crate) struct Service {
    input: InputQueue,
    output: Option<OwnedFd>,
    error_output: Option<OwnedFd>,
    errors: Arc<Mutex<ServiceStderr>>,
    unconsumed: usize,
    paused: bool,
}

impl Service {
    pub(crate) fn new(
        input: OwnedFd,
        output: OwnedFd,
        error_output: OwnedFd,
        errors: Arc<Mutex<ServiceStderr>>,
    ) -> Service {
        Service {
            input: InputQueue::new(input),
            output: Some(output),
            error_output: Some(error_output),
            errors,
            unconsumed: 0,
            paused: false,
        }
    }

    /// What it writes to, to be watched.
    pub(crate) fn outputs(&self) -> [(Stream, Option<&OwnedFd>); 2] {
        [(Stream::Stdout, self.output.as_ref()), (Stream::Stderr, self.error_output.as_ref())]
    }

    pub(crate) fn request(&mut self, request: LiveRequest, context: &mut Context<'_>) {
        self.input.request(request, context);
    }

    /// Writes what it takes now.
    pub(crate) fn write(&mut self, context: &mut Context<'_>) {
        self.input.write(context);
    }

    /// Reads what is there, for at most one turn.
    pub(crate) fn read(&mut self, stream: Stream, context: &mut Context<'_>) {
        for _ in 0..READS_PER_TURN {
            if (stream == Stream::Stdout && self.paused)
                || self.read_once(stream, context).is_none()
            {
                break;
            }
        }
        if self.paused
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
                    self.unconsumed += 1;
                    self.paused |= self.unconsumed >= MAX_UNCONSUMED_PIECES;
                    (context.emit)(Event::Data { run: context.id, bytes: bytes.to_vec() });
                } else {
                    lock(&self.errors).push(bytes);
                }
                Some(count)
            }
            Err(Errno::INTR) => Some(0),
            Err(_) => None,
        }
    }

    /// The caller consumed one piece.
    pub(crate) fn consumed(&mut self, context: &mut Context<'_>) {
        self.unconsumed = self.unconsumed.saturating_sub(1);
        if self.paused && self.unconsumed <= MAX_UNCONSUMED_PIECES / 2 {
            self.paused = false;
            if let Some(output) = &self.output {
                // Already watched is what is wanted.
                let _ =
                    context.shared.watch(output.as_fd(), Token::Pipe(context.id, Stream::Stdout));
            }
        }
    }

    /// Everybody who wrote is dead: reads what is left.
    pub(crate) fn finish(&mut self, context: &mut Context<'_>) {
        for stream in [Stream::Stdout, Stream::Stderr] {
            let mut left = MAX_LAST_BYTES;
            while let Some(count) = self.read_once(stream, context) {
                left = left.saturating_sub(count.max(1));
                if left == 0 {
                    break;
                }
            }
        }
        lock(&self.errors).finish();
        self.input.finish(context);
    }

    pub(crate) fn take_descriptors(&mut self) -> Vec<OwnedFd> {
        self.output.take().into_iter().chain(self.error_output.take()).collect()
    }
}
