//! A session: our side of its terminal, and the dialogue with the program on the other one.

use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use handrail_pty::{Read, Shown, Step};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::queue::{Queue, Waiter, tell};
use super::{LiveCommand, Turn, lock, pair, waiting};
use crate::outcome::{Event, RequestError, Stream};
use crate::timers::Due;

/// Reads of a terminal before others get their turn, and the time after which they get it anyway. One read gives a page.
const READS_PER_TURN: usize = 64;
const TURN: Duration = Duration::from_millis(2);
/// How long the end of a terminal is waited for when nobody is left to write to it: the kernel hands its last bytes on by
/// itself.
const LAST_BYTES_LIMIT: Duration = Duration::from_millis(250);

/// A program on a terminal.
pub(crate) struct Session {
    terminal: Option<OwnedFd>,
    input: Queue,
    dialogue: Arc<Mutex<handrail_pty::Session>>,
    /// The read or send that is going on.
    request: Option<u64>,
    /// When the timer ends that the dialogue asked for.
    planned: Option<Instant>,
    /// The process id of the program, for the owner; 0 before it runs.
    leader: Arc<AtomicI32>,
    /// Requests that are answered when it runs.
    awaiting_start: Vec<u64>,
    /// Bytes that were written since the last line end: what a terminal that edits lines holds.
    line_bytes: usize,
}

impl Session {
    /// `input` names the same terminal once more.
    pub(crate) fn new(
        terminal: OwnedFd,
        input: OwnedFd,
        dialogue: Arc<Mutex<handrail_pty::Session>>,
        leader: Arc<AtomicI32>,
    ) -> Session {
        let input = Queue::new(input);
        Session {
            terminal: Some(terminal),
            input,
            dialogue,
            request: None,
            planned: None,
            leader,
            awaiting_start: Vec::new(),
            line_bytes: 0,
        }
    }

    /// Its program runs, under this process id.
    pub(crate) fn started(&mut self, pid: i32, turn: &mut Turn<'_>) {
        self.leader.store(pid, Ordering::Relaxed);
        for request in std::mem::take(&mut self.awaiting_start) {
            (turn.emit)(Event::Written { run: turn.id, request, result: Ok(()) });
        }
    }

    fn await_start(&mut self, request: u64, turn: &mut Turn<'_>) {
        if self.leader.load(Ordering::Relaxed) == 0 {
            return self.awaiting_start.push(request);
        }
        (turn.emit)(Event::Written { run: turn.id, request, result: Ok(()) });
    }

    /// Whether the terminal takes this input whole, behind what was written before; what it takes is counted.
    fn takes(&mut self, shown: Shown, input: &[u8]) -> bool {
        if shown == Shown::ByProgram {
            self.line_bytes = 0;
            return true;
        }
        let Some(after) = pair::fits(self.line_bytes, input) else { return false };
        self.line_bytes = after;
        true
    }

    pub(crate) fn terminal(&self) -> Option<&OwnedFd> {
        self.terminal.as_ref()
    }

    pub(crate) fn command(&mut self, command: LiveCommand, turn: &mut Turn<'_>) {
        match command {
            LiveCommand::Read { request, read } => self.begin(request, None, read, turn),
            LiveCommand::Send { request, input, read } => {
                self.begin(request, Some(input), read, turn);
            }
            LiveCommand::Write { request, bytes } => {
                let shown = self.terminal.as_ref().map_or(Shown::ByProgram, pair::shown);
                let failure = if self.takes(shown, &bytes) {
                    self.input.push(bytes, Waiter::Request(request)).err()
                } else {
                    Some(RequestError::line_too_long())
                };
                match failure {
                    None => self.write(turn),
                    Some(failure) => tell(turn, vec![(Waiter::Request(request), Err(failure))]),
                }
            }
            LiveCommand::AwaitStart { request } => self.await_start(request, turn),
            LiveCommand::Stop => self.stop(turn),
            LiveCommand::Resize(size) => {
                if let Some(terminal) = &self.terminal {
                    // A terminal that is gone has no size.
                    let _ = pair::resize(terminal, size);
                }
            }
            LiveCommand::Markers(markers) => {
                lock(&self.dialogue).set_markers(markers);
                self.advance(turn);
            }
            // A terminal has no end of input but the one that is typed; signals are sent to the program itself.
            LiveCommand::EndInput | LiveCommand::Signal(_) => {}
        }
    }

    fn begin(&mut self, request: u64, input: Option<Vec<u8>>, read: Read, turn: &mut Turn<'_>) {
        if self.request.is_some() {
            let result = Err(RequestError::session_busy());
            return (turn.emit)(Event::Answered { run: turn.id, request, result });
        }
        self.request = Some(request);
        // What is there already counts as read.
        self.take_output(turn);
        {
            let mut dialogue = lock(&self.dialogue);
            match input {
                Some(input) => dialogue.begin_send(input, read, Instant::now()),
                None => dialogue.begin_read(read, Instant::now()),
            }
        }
        self.advance(turn);
    }

    /// Reads what is there, for at most one turn.
    pub(crate) fn read(&mut self, turn: &mut Turn<'_>) {
        self.take_output(turn);
        self.advance(turn);
    }

    fn take_output(&mut self, turn: &mut Turn<'_>) {
        let begun = Instant::now();
        for _ in 0..READS_PER_TURN {
            if self.read_once(turn).is_none() || begun.elapsed() >= TURN {
                break;
            }
        }
    }

    fn read_once(&mut self, turn: &mut Turn<'_>) -> Option<usize> {
        match rustix::io::read(self.terminal.as_ref()?, &mut *turn.buffer) {
            Ok(count) if count > 0 => {
                lock(&self.dialogue).output(&turn.buffer[..count], Instant::now());
                Some(count)
            }
            Err(Errno::INTR) => Some(0),
            Err(Errno::AGAIN) => None,
            // Nobody has the other side open any more.
            Ok(_) | Err(_) => {
                self.hang_up(turn);
                None
            }
        }
    }

    /// Writes what the program takes now.
    pub(crate) fn write(&mut self, turn: &mut Turn<'_>) {
        let done = self.input.flush(turn.shared, turn.id);
        self.told(done, turn);
    }

    fn told(&mut self, done: Vec<(Waiter, Result<(), RequestError>)>, turn: &mut Turn<'_>) {
        let (dialogue, others): (Vec<_>, Vec<_>) =
            done.into_iter().partition(|(waiter, _)| *waiter == Waiter::Dialogue);
        if others.iter().any(|(_, result)| result.is_ok()) {
            lock(&self.dialogue).touched(Instant::now());
        }
        tell(turn, others);
        for (_, result) in dialogue {
            match result {
                Ok(()) => {
                    lock(&self.dialogue).written(Instant::now());
                    self.advance(turn);
                }
                Err(failure) => self.give_up(failure, turn),
            }
        }
    }

    /// Goes on with the read or send as far as possible now.
    pub(crate) fn advance(&mut self, turn: &mut Turn<'_>) {
        while let Some(request) = self.request {
            let step = lock(&self.dialogue).step(Instant::now());
            match step {
                Step::Wait(at) => return self.plan(at, turn),
                Step::Look => {
                    let look = self.look(turn);
                    // What was written before the program fell asleep may still be on its way here.
                    self.take_output(turn);
                    lock(&self.dialogue).looked(look, Instant::now());
                }
                Step::Write(input) => {
                    let shown = self.terminal.as_ref().map_or(Shown::No, pair::shown);
                    lock(&self.dialogue).shown(shown);
                    if !self.takes(shown, &input) {
                        return self.give_up(RequestError::line_too_long(), turn);
                    }
                    match self.input.push(input, Waiter::Dialogue) {
                        Ok(()) => return self.write(turn),
                        Err(failure) => return self.give_up(failure, turn),
                    }
                }
                Step::Done(answer) => {
                    self.request = None;
                    let result = Ok(Box::new(answer));
                    (turn.emit)(Event::Answered { run: turn.id, request, result });
                }
            }
        }
    }

    /// The timer ended.
    pub(crate) fn step_due(&mut self, turn: &mut Turn<'_>) {
        self.planned = None;
        self.advance(turn);
    }

    fn plan(&mut self, at: Option<Instant>, turn: &mut Turn<'_>) {
        if let Some(at) = at
            && self.planned.is_none_or(|planned| at < planned)
        {
            self.planned = Some(at);
            turn.shared.pool().timers.add(at, turn.id, Due::Step);
        }
    }

    fn look(&self, turn: &Turn<'_>) -> handrail_pty::Look {
        let not_yet = handrail_pty::Look { waiting: handrail_pty::Waiting::No, waiter: None };
        let worker = turn.shared.pool().worker_of(turn.id).map(|worker| worker.pid);
        match (&self.terminal, worker) {
            (Some(terminal), Some(worker)) => waiting::look(terminal.as_fd(), worker),
            _ => not_yet,
        }
    }

    fn stop(&mut self, turn: &mut Turn<'_>) {
        let answer = lock(&self.dialogue).cancel();
        if let (Some(request), Some(answer)) = (self.request.take(), answer) {
            let result = Ok(Box::new(answer));
            (turn.emit)(Event::Answered { run: turn.id, request, result });
        }
    }

    /// The request cannot be served.
    fn give_up(&mut self, failure: RequestError, turn: &mut Turn<'_>) {
        // What it would have been is not wanted any more.
        let _ = lock(&self.dialogue).cancel();
        if let Some(request) = self.request.take() {
            (turn.emit)(Event::Answered { run: turn.id, request, result: Err(failure) });
        }
    }

    /// Lets go of the terminal, so that the kernel tells everybody on it.
    pub(crate) fn hang_up(&mut self, turn: &mut Turn<'_>) {
        let unwritten = self.input.close(turn.shared);
        // Unwatched first: the terminal may be known to epoll under two numbers.
        if let Some(terminal) = self.terminal.take() {
            turn.shared.unwatch(terminal.as_fd());
        }
        let dialogue = unwritten.iter().any(|(waiter, _)| *waiter == Waiter::Dialogue);
        tell(turn, unwritten);
        if dialogue {
            // It was not written, and will not be: the program's end says why.
            lock(&self.dialogue).written(Instant::now());
        }
    }

    /// Everybody who wrote is dead: reads to the true end, and answers who still waits.
    pub(crate) fn finish(&mut self, turn: &mut Turn<'_>) {
        let limit = Instant::now() + LAST_BYTES_LIMIT;
        while let Some(terminal) = &self.terminal {
            let left = limit.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let mut polled = [PollFd::new(terminal, PollFlags::IN)];
            let left = Timespec::try_from(left).ok();
            // Interrupted, the loop comes back.
            let _ = poll(&mut polled, left.as_ref());
            while self.read_once(turn).is_some_and(|count| count > 0) {}
        }
        self.hang_up(turn);
        lock(&self.dialogue).exited(Instant::now());
        self.advance(turn);
        // Who waits is answered by now, unless the dialogue is of another mind.
        self.give_up(RequestError::input_closed(), turn);
    }

    pub(crate) fn take_descriptors(&mut self) -> Vec<OwnedFd> {
        self.terminal.take().into_iter().collect()
    }

    /// What it reads, as a stream that epoll names.
    pub(crate) const STREAM: Stream = Stream::Stdout;
}
