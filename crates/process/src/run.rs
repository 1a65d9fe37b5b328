//! One run while it lasts.

mod flood;
#[cfg(test)]
mod tests;

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use handrail_supervisor::message::{Done, Stage};
use rustix::io::Errno;

use crate::ahead::Helper;
use crate::outcome::{Failure, Outcome, Status, Stream};
use crate::recorder::{Recorded, Recorder};

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
    pub(crate) id: u64,
    pub(crate) grace: Duration,
    pub(crate) started: Instant,
    pub(crate) deadline: Instant,
    pub(crate) pipes: [Option<OwnedFd>; 2],
    pub(crate) recorder: Recorder,
    /// Why it is being ended before its own end.
    pub(crate) intent: Option<Status>,
    /// Its leader, once it outlived the first moment.
    pub(crate) leader: Option<OwnedFd>,
    /// Its worker does not answer any more.
    pub(crate) lost: bool,
    /// A bug of ours: why its output is not read on, and nothing that was recorded is used.
    broken: Option<Failure>,
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

/// How it ended, as far as the worker could say.
pub(crate) enum Ending {
    Done(Done),
    Failed {
        stage: Stage,
        errno: i32,
    },
    /// The worker or the supervisor did not live to tell.
    Lost(Failure),
    /// It had not begun.
    Withdrawn(Option<Failure>),
}

impl Run {
    pub(crate) fn new(
        id: u64,
        timeout: Duration,
        grace: Duration,
        pipes: [Option<OwnedFd>; 2],
        recorder: Recorder,
        streaming: bool,
    ) -> Run {
        let started = Instant::now();
        Run {
            id,
            grace,
            started,
            deadline: started + timeout,
            pipes,
            recorder,
            intent: None,
            leader: None,
            lost: false,
            broken: None,
            streaming,
            unconsumed: 0,
            read_at: [started; 2],
            pause_at: None,
            grown: [false; 2],
            is_flood: [false; 2],
            paused: false,
        }
    }

    /// Does something with the output of the run, unless that failed before. `None` when it panics: that costs this run its
    /// output, and nothing of the others.
    pub(crate) fn contain<T>(&mut self, work: impl FnOnce(&mut Run) -> T) -> Option<T> {
        if self.broken.is_some() {
            return None;
        }
        let done = catch_unwind(AssertUnwindSafe(|| work(self))).ok();
        if done.is_none() {
            self.broken = Some(Failure::internal());
            // Who writes on is told so.
            self.pipes = [None, None];
        }
        done
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

    /// The outcome, once the pipes are drained.
    pub(crate) fn conclude(self, ending: Ending) -> Outcome {
        let duration = self.started.elapsed();
        let Run { recorder, broken, intent, .. } = self;
        let recorded = match broken {
            None => catch_unwind(AssertUnwindSafe(|| recorder.finish()))
                .map_err(|_| Failure::internal()),
            Some(failure) => Err(failure),
        };
        let (recorded, bug) = match recorded {
            Ok(recorded) => (recorded, None),
            Err(failure) => (Recorded::default(), Some(failure)),
        };
        let (status, failure, done) = match ending {
            Ending::Done(done) => (wait_status(done.wait_status), None, done),
            Ending::Failed { stage, errno } => {
                (Status::SpawnFailed, Some(spawn_failure(stage, errno)), Done::default())
            }
            Ending::Lost(failure) => (Status::Signaled(SIGKILL), Some(failure), Done::default()),
            Ending::Withdrawn(None) => (Status::Cancelled, None, Done::default()),
            Ending::Withdrawn(failure) => (Status::SpawnFailed, failure, Done::default()),
        };
        // What the caller asked for, or its deadline, explains everything but a refused start.
        let refused = status == Status::SpawnFailed && intent != Some(Status::TimedOut);
        let status = if refused { status } else { intent.unwrap_or(status) };
        let truncated =
            recorded.stdout.truncated || recorded.stderr.truncated || recorded.combined.truncated;
        Outcome {
            status,
            failure: failure.or(bug),
            truncated,
            duration,
            stdout_bytes: recorded.raw_bytes[0],
            stderr_bytes: recorded.raw_bytes[1],
            kept_bytes: recorded.combined.kept_bytes,
            omitted_bytes: recorded.combined.omitted_bytes,
            omitted_lines: recorded.combined.omitted_lines,
            stdout: recorded.stdout.text,
            stderr: recorded.stderr.text,
            output: recorded.combined.text,
            spill: recorded.spill,
            redactions: recorded.redactions,
            leftovers: done.leftovers,
            survivors: done.survivors,
            user: Duration::from_micros(done.user_us),
            system: Duration::from_micros(done.system_us),
            max_rss_bytes: done.max_rss_bytes,
        }
    }
}

const SIGKILL: i32 = 9;

fn wait_status(status: i32) -> Status {
    // The kernel's encoding: low seven bits the signal, next byte the exit code.
    match status & 0x7f {
        0 => Status::Exited(status >> 8 & 0xff),
        signal => Status::Signaled(signal),
    }
}

fn spawn_failure(stage: Stage, errno: i32) -> Failure {
    let step = match stage {
        Stage::Request => "the request could not be used",
        Stage::Fork => "no process could be made",
        Stage::Confine => "the confinement could not be installed",
        Stage::Directory => "the working directory could not be entered",
        Stage::Terminal => "the terminal could not be attached",
        Stage::Streams => "the standard streams could not be set up",
        Stage::Execute => "the program could not be executed",
    };
    let error = io::Error::from_raw_os_error(errno);
    Failure { code: "ERR_SPAWN", message: format!("{step}: {error}") }
}
