//! A session: our side of its terminal, and the dialogue with the program on the other one.

use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use handrail_pty::{Read, Shown, Step};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::input_queue::{InputQueue, Waiter, tell};
use super::{Context, foreground, lock, pty};
use crate::linux::timers::Due;
use crate::live::LiveRequest;
use crate::outcome::{Event, RequestError, Stream};

/// Reads of a terminal before others get their turn, and the time after which they get it anyway. One read gives a page.
const READS_PER_TURN: usize = 64;
const TURN: Duration = Duration::from_millis(2);
/// How long the end of a terminal is waited for when nobody is left to write to it: the kernel hands its last bytes on by
/// itself.
const LAST_BYTES_LIMIT: Duration = Duration::from_millis(250);

/// A program on a terminal.
pub(crate) struct Session {
    terminal: Option<OwnedFd>,
    input: InputQueue,
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
        let input = InputQueue::new(input);
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
    pub(crate) fn started(&mut self, pid: i32, context: &mut Context<'_>) {
        self.leader.store(pid, Ordering::Relaxed);
        for request in std::mem::take(&mut self.awaiting_start) {
            (context.emit)(Event::Written { run: context.id, request, result: Ok(()) });
        }
    }

    fn await_start(&mut self, request: u64, context: &mut Context<'_>) {
        if self.leader.load(Ordering::Relaxed) == 0 {
            return self.awaiting_start.push(request);
        }
        (context.emit)(Event::Written { run: context.id, request, result: Ok(()) });
    }

    /// Whether the terminal takes this input whole, behind what was written before; what it takes is counted.
    fn takes(&mut self, shown: Shown, input: &[u8]) -> bool {
        if shown == Shown::ByProgram {
            self.line_bytes = 0;
            return true;
        }
        let Some(after) = pty::fits(self.line_bytes, input) else { return false };
        self.line_bytes = after;
        true
    }

    pub(crate) fn terminal(&self) -> Option<&OwnedFd> {
        self.terminal.as_ref()
    }

    pub(crate) fn request(&mut self, request: LiveRequest, context: &mut Context<'_>) {
        match request {
            LiveRequest::Read { request, read } => self.begin(request, None, read, context),
            LiveRequest::Send { request, input, read } => {
                self.begin(request, Some(input), read, context);
            }
            LiveRequest::Write { request, bytes } => {
                let shown = self.terminal.as_ref().map_or(Shown::ByProgram, pty::shown);
                let failure = if self.takes(shown, &bytes) {
                    self.input.push(bytes, Waiter::Request(request)).err()
                } else {
                    Some(RequestError::line_too_long())
                };
                match failure {
                    None => self.write(context),
                    Some(failure) => tell(context, vec![(Waiter::Request(request), Err(failure))]),
                }
            }
            LiveRequest::AwaitStart { request } => self.await_start(request, context),
            LiveRequest::Stop => self.stop(context),
            LiveRequest::Resize(size) => {
                if let Some(terminal) = &self.terminal {
                    // A terminal that is gone has no size.
                    let _ = pty::resize(terminal, size);
                }
            }
            LiveRequest::SetMarkers(markers) => {
                lock(&self.dialogue).set_markers(markers);
                self.advance(context);
            }
            // A terminal has no end of input but the one that is typed; signals are sent to the program itself.
            LiveRequest::EndInput | LiveRequest::Signal(_) => {}
        }
    }

    fn begin(
        &mut self,
        request: u64,
        input: Option<Vec<u8>>,
        read: Read,
        context: &mut Context<'_>,
    ) {
        if self.request.is_some() {
            let result = Err(RequestError::session_busy());
            return (context.emit)(Event::Answered { run: context.id, request, result });
        }
        self.request = Some(request);
        // What is there already counts as read.
        self.take_output(context);
        {
            let mut dialogue = lock(&self.dialogue);
            match input {
                Some(input) => dialogue.begin_send(input, read, Instant::now()),
                None => dialogue.begin_read(read, Instant::now()),
            }
        }
        self.advance(context);
    }

    /// Reads what is there, for at most one turn.
    pub(crate) fn read(&mut self, context: &mut Context<'_>) {
        self.take_output(context);
        self.advance(context);
    }

    fn take_output(&mut self, context: &mut Context<'_>) {
        let begun = Instant::now();
        for _ in 0..READS_PER_TURN {
            if self.read_once(context).is_none() || begun.elapsed() >= TURN {
                break;
            }
        }
    }

    fn read_once(&mut self, context: &mut Context<'_>) -> Option<usize> {
        match rustix::io::read(self.terminal.as_ref()?, &mut *context.buffer) {
            Ok(count) if count > 0 => {
                lock(&self.dialogue).output(&context.buffer[..count], Instant::now());
                Some(count)
            }
            Err(Errno::INTR) => Some(0),
            Err(Errno::AGAIN) => None,
            // Nobody has the other side open any more.
            Ok(_) | Err(_) => {
                self.hang_up(context);
                None
            }
        }
    }

    /// Writes what the program takes now.
    pub(crate) fn write(&mut self, context: &mut Context<'_>) {
        let done = self.input.flush(context.shared, context.id);
        self.told(done, context);
    }

    fn told(&mut self, done: Vec<(Waiter, Result<(), RequestError>)>, context: &mut Context<'_>) {
        let (dialogue, others): (Vec<_>, Vec<_>) =
            done.into_iter().partition(|(waiter, _)| *waiter == Waiter::Dialogue);
        if others.iter().any(|(_, result)| result.is_ok()) {
            lock(&self.dialogue).touched(Instant::now());
        }
        tell(context, others);
        for (_, result) in dialogue {
            match result {
                Ok(()) => {
                    lock(&self.dialogue).written(Instant::now());
                    self.advance(context);
                }
                Err(failure) => self.give_up(failure, context),
            }
        }
    }

    /// Goes on with the read or send as far as possible now.
    pub(crate) fn advance(&mut self, context: &mut Context<'_>) {
        while let Some(request) = self.request {
            let step = lock(&self.dialogue).step(Instant::now());
            match step {
                Step::Wait(at) => return self.plan(at, context),
                Step::Look => {
                    let look = self.look(context);
                    // What was written before the program fell asleep may still be on its way here.
                    self.take_output(context);
                    lock(&self.dialogue).looked(look, Instant::now());
                }
                Step::Write(input) => {
                    let shown = self.terminal.as_ref().map_or(Shown::No, pty::shown);
                    lock(&self.dialogue).shown(shown);
                    if !self.takes(shown, &input) {
                        return self.give_up(RequestError::line_too_long(), context);
                    }
                    match self.input.push(input, Waiter::Dialogue) {
                        Ok(()) => return self.write(context),
                        Err(failure) => return self.give_up(failure, context),
                    }
                }
                Step::Done(answer) => {
                    self.request = None;
                    let result = Ok(Box::new(answer));
                    (context.emit)(Event::Answered { run: context.id, request, result });
                }
            }
        }
    }

    /// The timer ended.
    pub(crate) fn step_due(&mut self, context: &mut Context<'_>) {
        self.planned = None;
        self.advance(context);
    }

    fn plan(&mut self, at: Option<Instant>, context: &mut Context<'_>) {
        if let Some(at) = at
            && self.planned.is_none_or(|planned| at < planned)
        {
            self.planned = Some(at);
            context.shared.pool().timers.add(at, context.id, Due::Step);
        }
    }

    fn look(&self, context: &Context<'_>) -> handrail_pty::Look {
        let not_yet = handrail_pty::Look { waiting: handrail_pty::Waiting::No, waiter: None };
        let worker = context.shared.pool().worker_of(context.id).map(|worker| worker.pid);
        match (&self.terminal, worker) {
            (Some(terminal), Some(worker)) => foreground::look(terminal.as_fd(), worker),
            _ => not_yet,
        }
    }

    fn stop(&mut self, context: &mut Context<'_>) {
        let answer = lock(&self.dialogue).cancel();
        if let (Some(request), Some(answer)) = (self.request.take(), answer) {
            let result = Ok(Box::new(answer));
            (context.emit)(Event::Answered { run: context.id, request, result });
        }
    }

    /// The request cannot be served.
    fn give_up(&mut self, failure: RequestError, context: &mut Context<'_>) {
        // What it would have been is not wanted any more.
        let _ = lock(&self.dialogue).cancel();
        if let Some(request) = self.request.take() {
            (context.emit)(Event::Answered { run: context.id, request, result: Err(failure) });
        }
    }

    /// Lets go of the terminal, so that the kernel tells everybody on it.
    pub(crate) fn hang_up(&mut self, context: &mut Context<'_>) {
        let unwritten = self.input.close(context.shared);
        // Unwatched first: the terminal may be known to epoll under two numbers.
        if let Some(terminal) = self.terminal.take() {
            context.shared.unwatch(terminal.as_fd());
        }
        let dialogue = unwritten.iter().any(|(waiter, _)| *waiter == Waiter::Dialogue);
        tell(context, unwritten);
        if dialogue {
            // It was not written, and will not be: the program's end says why.
            lock(&self.dialogue).written(Instant::now());
        }
    }

    /// Everybody who wrote is dead: reads to the true end, and answers who still waits.
    pub(crate) fn finish(&mut self, context: &mut Context<'_>) {
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
            while self.read_once(context).is_some_and(|count| count > 0) {}
        }
        self.hang_up(context);
        lock(&self.dialogue).exited(Instant::now());
        self.advance(context);
        // Who waits is answered by now, unless the dialogue is of another mind.
        self.give_up(RequestError::input_closed(), context);
    }

    pub(crate) fn take_descriptors(&mut self) -> Vec<OwnedFd> {
        self.terminal.take().into_iter().collect()
    }

    /// What it reads, as a stream that epoll names.
    pub(crate) const STREAM: Stream = Stream::Stdout;
}
