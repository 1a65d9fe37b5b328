//! The outputs of one run while it lasts.

mod flood;
#[cfg(test)]
mod tests;

use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::io::Errno;

use crate::linux::ahead::Helper;
use crate::linux::live::InputQueue;
use crate::linux::recorder::Recorder;
use crate::outcome::Stream;

/// A pipe that once delivered this much at a time gets a larger buffer.
const BUSY_READ_BYTES: usize = 64 * 1024;
/// Size asked for then; the kernel may grant less to users who hold many.
const BUSY_PIPE_BYTES: usize = 1024 * 1024;
/// Reads of one stream before other runs get their turn, and the time after which they get it anyway.
const READS_PER_TURN: usize = 8;
const TURN: Duration = Duration::from_millis(2);
/// A buffer that was taken within this is worth the help of a second thread.
const FAST: Duration = Duration::from_micros(500);
/// An output of which nothing came for so long pauses: its unfinished line may be a prompt.
const PAUSE: Duration = Duration::from_millis(150);
/// Streamed pieces that the caller has not consumed yet; more stops the reading.
const MAX_UNCONSUMED_PIECES: usize = 64;

pub(crate) struct Run {
    pub(crate) pipes: [Option<OwnedFd>; 2],
    /// What it reads, when the caller writes it.
    pub(crate) input: Option<InputQueue>,
    pub(crate) recorder: Recorder,
    streaming: bool,
    unconsumed: usize,
    /// When each output was read last.
    read_at: [Instant; 2],
    /// When the timer ends that looks for a pause.
    pause_at: Option<Instant>,
    grown: [bool; 2],
    /// Outputs that come faster than they are taken, and are taken fast.
    is_flood: [bool; 2],
    /// Not read until the caller has caught up.
    pub(crate) paused: bool,
}

impl Run {
    pub(crate) fn new(
        pipes: [Option<OwnedFd>; 2],
        input: Option<OwnedFd>,
        recorder: Recorder,
        streaming: bool,
    ) -> Run {
        let now = Instant::now();
        Run {
            pipes,
            input: input.map(InputQueue::new),
            recorder,
            streaming,
            unconsumed: 0,
            read_at: [now; 2],
            pause_at: None,
            grown: [false; 2],
            is_flood: [false; 2],
            paused: false,
        }
    }

    /// Reads what is there, for at most one turn.
    pub(crate) fn read(
        &mut self,
        stream: Stream,
        buffer: &mut [u8],
        ahead: &mut Helper,
        emit: &mut impl FnMut(String),
    ) {
        let begun = Instant::now();
        self.read_at[stream as usize] = begun;
        let mut last = begun;
        for _ in 0..READS_PER_TURN {
            if self.paused {
                return;
            }
            if self.is_flood[stream as usize]
                && let Some(ahead) = ahead.get()
            {
                return self.read_ahead(stream, begun, ahead);
            }
            let Some(count) = self.read_once(stream, buffer, emit) else { return };
            let now = Instant::now();
            if now - begun >= TURN {
                return;
            }
            self.is_flood[stream as usize] = count == buffer.len()
                && now - last < FAST
                && !self.streaming
                && self.recorder.is_searching();
            last = now;
        }
    }

    /// Reads what is left: everybody who wrote is dead. Were one alive after all, it would be heard no
    /// longer than a full pipe lasts.
    pub(crate) fn drain(&mut self, buffer: &mut [u8], emit: &mut impl FnMut(Stream, String)) {
        for stream in [Stream::Stdout, Stream::Stderr] {
            let mut emit = |text| emit(stream, text);
            let mut left = 2 * BUSY_PIPE_BYTES;
            while let Some(count) = self.read_once(stream, buffer, &mut emit) {
                left = left.saturating_sub(count.max(1));
                if left == 0 {
                    break;
                }
            }
            self.recorder.end(stream);
            if let Some(text) = self.recorder.take_outgoing(stream) {
                emit(text);
            }
        }
    }

    /// How much was read; `None` when there is nothing now, or nothing will come any more.
    fn read_once(
        &mut self,
        stream: Stream,
        buffer: &mut [u8],
        emit: &mut impl FnMut(String),
    ) -> Option<usize> {
        let read = rustix::io::read(self.pipes[stream as usize].as_ref()?, &mut *buffer);
        let count = self.heard(stream, read)?;
        if count > 0 {
            self.recorder.push(stream, &buffer[..count]);
            self.tell(stream, emit);
        }
        Some(count)
    }

    /// What a read of this output says: how much came, 0 when it was interrupted.
    fn heard(&mut self, stream: Stream, read: rustix::io::Result<usize>) -> Option<usize> {
        let index = stream as usize;
        match read {
            Ok(0) => {
                // A closed descriptor leaves epoll by itself.
                self.pipes[index] = None;
                None
            }
            Ok(count) => {
                if count >= BUSY_READ_BYTES && !self.grown[index] {
                    self.grown[index] = true;
                    let pipe = self.pipes[index].as_ref()?;
                    // Fewer, larger reads; where it is refused the pipe stays as it is.
                    let _ = rustix::pipe::fcntl_setpipe_size(pipe.as_fd(), BUSY_PIPE_BYTES);
                }
                Some(count)
            }
            Err(Errno::INTR) => Some(0),
            Err(_) => None,
        }
    }

    /// Hands on what is ready, if the caller wants it.
    fn tell(&mut self, stream: Stream, emit: &mut impl FnMut(String)) {
        if self.streaming
            && let Some(text) = self.recorder.take_outgoing(stream)
        {
            self.unconsumed += 1;
            self.paused |= self.unconsumed >= MAX_UNCONSUMED_PIECES;
            emit(text);
        }
    }

    /// When to look for a pause, if a line has not ended and no timer runs for it yet.
    pub(crate) fn await_pause(&mut self) -> Option<Instant> {
        let streams = [Stream::Stdout, Stream::Stderr];
        let unfinished =
            self.streaming && streams.iter().any(|&stream| self.recorder.is_unfinished(stream));
        if !unfinished || self.pause_at.is_some() {
            return None;
        }
        self.pause_at = Some(Instant::now() + PAUSE);
        self.pause_at
    }

    /// The timer is over: tells what can be told of the unfinished line of an output that paused. Gives when to look again,
    /// should one not have paused yet.
    pub(crate) fn pause(&mut self, emit: &mut impl FnMut(Stream, String)) -> Option<Instant> {
        let now = Instant::now();
        let mut again = None;
        for stream in [Stream::Stdout, Stream::Stderr] {
            if !self.recorder.is_unfinished(stream) {
                continue;
            }
            // While the caller does not keep up, nothing is read and nothing more is told.
            let begun = if self.paused { now } else { self.read_at[stream as usize] };
            let due = begun + PAUSE;
            if due <= now {
                self.recorder.pause(stream);
                self.tell(stream, &mut |text| emit(stream, text));
            } else {
                again = Some(again.map_or(due, |other: Instant| other.min(due)));
            }
        }
        self.pause_at = again;
        again
    }

    /// The caller consumed one piece; true when reading can go on.
    pub(crate) fn consumed(&mut self) -> bool {
        self.unconsumed = self.unconsumed.saturating_sub(1);
        let resume = self.paused && self.unconsumed <= MAX_UNCONSUMED_PIECES / 2;
        self.paused &= !resume;
        resume
    }
}
