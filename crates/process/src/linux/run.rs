//! The outputs and the input of one run while it lasts.

#[cfg(test)]
mod tests;

use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::io::Errno;

use crate::linux::live::InputQueue;
use crate::linux::recorder::Recorder;
use crate::outcome::Stream;

/// A pipe that once delivered this many bytes in one read gets a larger buffer.
const BUSY_READ_BYTES: usize = 64 * 1024;
/// The size of that buffer; the kernel may grant less to users who have many.
const BUSY_PIPE_BYTES: usize = 1024 * 1024;
/// Most reads of one stream before other runs get their turn.
const READS_PER_TURN: usize = 8;
/// Longest time that one stream is read before other runs get their turn.
const MAX_TURN: Duration = Duration::from_millis(2);
/// An output without a new byte for this long has paused: its unfinished line may be a prompt.
const PAUSE: Duration = Duration::from_millis(150);
/// Most streamed pieces that the caller has not consumed yet; at that number, reading stops.
const MAX_UNCONSUMED_PIECES: usize = 64;

const STREAMS: [Stream; 2] = [Stream::Stdout, Stream::Stderr];

/// The pipes of one run, and the recorder of its outputs.
pub(crate) struct Run {
    /// The reading ends of standard output and standard error; `None` after their end.
    pub(crate) pipes: [Option<OwnedFd>; 2],
    /// The standard input, when the caller writes it.
    pub(crate) input: Option<InputQueue>,
    pub(crate) recorder: Recorder,
    /// Whether the caller gets the output piece by piece while the run lasts.
    is_streaming: bool,
    unconsumed_pieces: usize,
    last_read_at: [Instant; 2],
    /// When the timer for the next look for a pause is due, if it is set.
    pause_timer_at: Option<Instant>,
    /// Whether the buffer of each pipe was enlarged.
    is_enlarged: [bool; 2],
    /// Whether nothing is read until the caller has consumed more.
    pub(crate) is_suspended: bool,
}

impl Run {
    pub(crate) fn new(
        pipes: [Option<OwnedFd>; 2],
        input: Option<OwnedFd>,
        recorder: Recorder,
        is_streaming: bool,
    ) -> Run {
        Run {
            pipes,
            input: input.map(InputQueue::new),
            recorder,
            is_streaming,
            unconsumed_pieces: 0,
            last_read_at: [Instant::now(); 2],
            pause_timer_at: None,
            is_enlarged: [false; 2],
            is_suspended: false,
        }
    }

    /// Reads what the pipe holds, for at most one turn.
    pub(crate) fn read(
        &mut self,
        stream: Stream,
        buffer: &mut [u8],
        emit: &mut impl FnMut(String),
    ) {
        let turn_start = Instant::now();
        self.last_read_at[stream as usize] = turn_start;
        for _ in 0..READS_PER_TURN {
            let can_continue = !self.is_suspended && turn_start.elapsed() < MAX_TURN;
            if !can_continue || self.read_once(stream, buffer, emit).is_none() {
                return;
            }
        }
    }

    /// Reads what is left after every writer is dead. Were one alive after all, it would be read no longer than a full pipe
    /// lasts. `is_cut`: some of them may have been ended while they wrote.
    pub(crate) fn drain(
        &mut self,
        is_cut: bool,
        buffer: &mut [u8],
        emit: &mut impl FnMut(Stream, String),
    ) {
        for stream in STREAMS {
            let mut emit = |text| emit(stream, text);
            let mut remaining_bytes = 2 * BUSY_PIPE_BYTES;
            while let Some(count) = self.read_once(stream, buffer, &mut emit) {
                remaining_bytes = remaining_bytes.saturating_sub(count.max(1));
                if remaining_bytes == 0 {
                    break;
                }
            }
            self.recorder.end(stream, is_cut || remaining_bytes == 0);
            if let Some(text) = self.recorder.take_streamed(stream) {
                emit(text);
            }
        }
    }

    /// Reads once. Gives the number of bytes, 0 when the read was interrupted; `None` when the pipe is empty or at its end.
    fn read_once(
        &mut self,
        stream: Stream,
        buffer: &mut [u8],
        emit: &mut impl FnMut(String),
    ) -> Option<usize> {
        let index = stream as usize;
        let pipe = self.pipes[index].as_ref()?;
        match rustix::io::read(pipe, &mut *buffer) {
            Ok(0) => {
                // A closed descriptor leaves epoll by itself.
                self.pipes[index] = None;
                None
            }
            Ok(count) => {
                if count >= BUSY_READ_BYTES && !self.is_enlarged[index] {
                    self.is_enlarged[index] = true;
                    // Fewer, larger reads follow. Where the kernel refuses, the pipe stays as it is.
                    let _ = rustix::pipe::fcntl_setpipe_size(pipe.as_fd(), BUSY_PIPE_BYTES);
                }
                self.recorder.push(stream, &buffer[..count]);
                self.emit_streamed(stream, emit);
                Some(count)
            }
            Err(Errno::INTR) => Some(0),
            Err(_) => None,
        }
    }

    /// Passes the text that is ready to a caller who wants the output piece by piece.
    fn emit_streamed(&mut self, stream: Stream, emit: &mut impl FnMut(String)) {
        if self.is_streaming
            && let Some(text) = self.recorder.take_streamed(stream)
        {
            self.unconsumed_pieces += 1;
            self.is_suspended |= self.unconsumed_pieces >= MAX_UNCONSUMED_PIECES;
            emit(text);
        }
    }

    /// When to look for a pause, if an output has an unfinished line and no timer is set yet.
    pub(crate) fn start_pause_timer(&mut self) -> Option<Instant> {
        let has_unfinished_line =
            self.is_streaming && STREAMS.iter().any(|&stream| self.recorder.is_unfinished(stream));
        if !has_unfinished_line || self.pause_timer_at.is_some() {
            return None;
        }
        self.pause_timer_at = Some(Instant::now() + PAUSE);
        self.pause_timer_at
    }

    /// Handles the end of the pause timer: passes on the visible part of the unfinished line of each output that paused.
    /// Gives when to look again, if an output has not paused yet.
    pub(crate) fn emit_paused(&mut self, emit: &mut impl FnMut(Stream, String)) -> Option<Instant> {
        let now = Instant::now();
        let mut next_look_at: Option<Instant> = None;
        for stream in STREAMS {
            if !self.recorder.is_unfinished(stream) {
                continue;
            }
            // While the caller does not keep up, nothing is read and nothing more is passed on.
            let quiet_since =
                if self.is_suspended { now } else { self.last_read_at[stream as usize] };
            let due = quiet_since + PAUSE;
            if due <= now {
                self.recorder.stream_unfinished_line(stream);
                self.emit_streamed(stream, &mut |text| emit(stream, text));
            } else {
                next_look_at = Some(next_look_at.map_or(due, |other| other.min(due)));
            }
        }
        self.pause_timer_at = next_look_at;
        next_look_at
    }

    /// The caller consumed one piece. True when reading resumes.
    pub(crate) fn acknowledge_piece(&mut self) -> bool {
        self.unconsumed_pieces = self.unconsumed_pieces.saturating_sub(1);
        let resumes = self.is_suspended && self.unconsumed_pieces <= MAX_UNCONSUMED_PIECES / 2;
        self.is_suspended &= !resumes;
        resumes
    }
}
