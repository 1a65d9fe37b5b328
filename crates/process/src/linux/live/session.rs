//! A session: our side of its terminal, and the dialogue with the program on the other one.

use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use handrail_pty::{Read, Shown, Step, Waiting};
use rustix::io::Errno;
use rustix::termios::{Termios, tcgetattr};

use super::foreground::Wanted;
use super::input_queue::{InputQueue, Waiter, emit_written};
use super::onlookers::Onlookers;
use super::question::Questions;
use super::replies::{Next, Replies};
use super::{Context, foreground, lock, pty, tree, typing};
use crate::linux::timers::Due;
use crate::live::LiveRequest;
use crate::outcome::{Event, RequestError, Stream};

/// Most reads of a terminal before others get their turn. One read gives a page.
const READS_PER_TURN: usize = 64;
/// Longest time that a terminal is read before others get their turn.
const MAX_TURN: Duration = Duration::from_millis(2);
/// Longest wait for the end of a terminal that nobody is left to write to: the kernel delivers the last bytes later.
const FINAL_BYTES_LIMIT: Duration = Duration::from_millis(250);

/// A program on a terminal.
pub(crate) struct Session {
    terminal: Option<Arc<OwnedFd>>,
    input: InputQueue,
    pub(crate) dialogue: Arc<Mutex<handrail_pty::Session>>,
    pub(crate) onlookers: Onlookers,
    /// The number of the read or send that is going on.
    request: Option<u64>,
    /// Whether its input is for the first program alone.
    is_for_first: bool,
    /// When the timer is due that the dialogue asked for.
    step_at: Option<Instant>,
    /// The process id of the program, shared with the caller; 0 before it runs.
    leader: Arc<AtomicI32>,
    /// The numbers of requests that are answered when the program runs.
    awaiting_start: Vec<u64>,
    /// The modes of the terminal before any program ran.
    first_modes: Option<Termios>,
    /// How many bytes were written since the last line end: a terminal that edits lines has them in its buffer.
    line_bytes: usize,
    /// When the foreground was last sampled.
    sampled_at: Option<Instant>,
    replies: Replies,
    /// Whether keys were written since the last line.
    had_keys: bool,
    questions: Questions,
}

impl Session {
    pub(crate) fn new(
        terminal: OwnedFd,
        dialogue: Arc<Mutex<handrail_pty::Session>>,
        leader: Arc<AtomicI32>,
        questions: Questions,
    ) -> Session {
        let first_modes = tcgetattr(&terminal).ok();
        let terminal = Arc::new(terminal);
        let input = InputQueue::of_terminal(Arc::clone(&terminal), Session::STREAM);
        Session {
            terminal: Some(terminal),
            input,
            dialogue,
            onlookers: Onlookers::new(),
            request: None,
            is_for_first: false,
            step_at: None,
            leader,
            awaiting_start: Vec::new(),
            first_modes,
            line_bytes: 0,
            sampled_at: None,
            replies: Replies::default(),
            had_keys: false,
            questions,
        }
    }

    /// The program runs, with this process id.
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

    /// Whether the terminal takes all of this input after the earlier one. The bytes that it takes are counted.
    fn take_into_line(&mut self, shown: Shown, input: &[u8]) -> bool {
        self.replies.input();
        if shown == Shown::ByProgram {
            self.line_bytes = 0;
            return true;
        }
        let Some(line_bytes) = pty::line_bytes_after(self.line_bytes, input) else { return false };
        self.line_bytes = line_bytes;
        true
    }

    pub(crate) fn terminal(&self) -> Option<&OwnedFd> {
        self.terminal.as_deref()
    }

    pub(crate) fn request(&mut self, request: LiveRequest, context: &mut Context<'_>) {
        match request {
            LiveRequest::Read { request, read } => self.begin(request, None, read, context),
            LiveRequest::Send { request, input, read } => {
                self.begin(request, Some(input), read, context);
            }
            LiveRequest::Key { request, bytes } => {
                self.take_output(context);
                let is_taken = self.takes_keys(context);
                self.had_keys |= is_taken;
                self.write_if(is_taken, (request, bytes), RequestError::key_refused, context);
            }
            LiveRequest::Lines { request, bytes } => {
                self.take_output(context);
                let is_taken = self.takes_lines(context);
                self.write_if(is_taken, (request, bytes), RequestError::read_by_another, context);
            }
            LiveRequest::Write { request, bytes } => {
                let look = self.look(context);
                let ends_line = pty::ends_line(self.terminal.as_deref(), &bytes);
                lock(&self.dialogue).touching(look, ends_line);
                let shown = self.terminal().map_or(Shown::ByProgram, pty::echo_by);
                let failure = if self.take_into_line(shown, &bytes) {
                    self.input.push(bytes, Waiter::Request(request)).err()
                } else {
                    Some(RequestError::line_too_long())
                };
                let Some(failure) = failure else { return self.write(context) };
                emit_written(context, vec![(Waiter::Request(request), Err(failure))]);
            }
            LiveRequest::Secret { request, question, line } => {
                self.answer_question(request, question, line, context);
            }
            LiveRequest::AwaitStart { request } => self.await_start(request, context),
            LiveRequest::AwaitNews { request, onlooker } => {
                self.await_news(request, onlooker, context);
            }
            LiveRequest::RemoveOnlooker(onlooker) => self.remove_onlooker(onlooker, context),
            LiveRequest::Stop => self.stop(context),
            LiveRequest::Resize(size) => {
                // What was written for the old size comes first.
                self.take_output(context);
                if let Some(terminal) = &self.terminal {
                    // An error says that the terminal is gone.
                    let _ = pty::resize(terminal, size);
                    lock(&self.dialogue).resize(usize::from(size.columns), usize::from(size.rows));
                }
            }
            LiveRequest::SetMarkers(markers) => {
                lock(&self.dialogue).set_markers(markers);
                self.advance(context);
            }
            // A terminal has no end of input except a typed one. The reactor sends signals.
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
        self.is_for_first = read.only_to_first;
        // Output that has come already belongs to the time before this request.
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

    /// Reads what the terminal has, for at most one turn, and writes what it takes.
    pub(crate) fn read(&mut self, context: &mut Context<'_>) {
        self.take_output(context);
        self.write(context);
        self.advance(context);
        self.tell_onlookers(context);
    }

    /// Gives whether there was any.
    pub(crate) fn take_output(&mut self, context: &mut Context<'_>) -> bool {
        let begun = Instant::now();
        let mut has_output = false;
        for _ in 0..READS_PER_TURN {
            let count = self.read_once(context);
            has_output |= count.is_some_and(|count| count > 0);
            if count.is_none() || begun.elapsed() >= MAX_TURN {
                break;
            }
        }
        if has_output {
            self.onlookers.output();
            self.reply(context);
        }
        if self.input.queued_bytes() > 0 {
            self.write(context);
        }
        has_output
    }

    fn read_once(&mut self, context: &mut Context<'_>) -> Option<usize> {
        match rustix::io::read(self.terminal()?, &mut *context.buffer) {
            Ok(count) if count > 0 => {
                let mut dialogue = lock(&self.dialogue);
                if self.replies.has_lost_painter() {
                    dialogue.lose_painter();
                }
                dialogue.output(&context.buffer[..count], Instant::now());
                self.questions.written(count);
                let replies = dialogue.take_replies();
                self.replies.output(&replies, dialogue.is_alternate(), self.terminal.as_deref());
                Some(count)
            }
            Err(Errno::INTR) => Some(0),
            Err(Errno::AGAIN) => {
                lock(&self.dialogue).drained();
                None
            }
            // Nobody has the other side open any more.
            Ok(_) | Err(_) => {
                self.hang_up(context);
                None
            }
        }
    }

    fn takes_keys(&mut self, context: &Context<'_>) -> bool {
        let look = self.look(context);
        let leader = self.leader.load(Ordering::Relaxed);
        self.terminal().is_some_and(|terminal| typing::is_for_keys(terminal, leader, look.waiting))
    }

    fn takes_lines(&self, context: &Context<'_>) -> bool {
        let leader = self.leader.load(Ordering::Relaxed);
        let worker = context.shared.pool().worker_of(context.id).map(|worker| worker.pid);
        let (Some(terminal), Some(worker)) = (&self.terminal, worker) else { return false };
        let Some(modes) = &self.first_modes else { return false };
        typing::is_for_lines(terminal, leader, worker, modes)
    }

    /// Writes what is typed where `is_taken`, and fails the request otherwise.
    fn write_if(
        &mut self,
        is_taken: bool,
        (request, bytes): (u64, Vec<u8>),
        refusal: fn() -> RequestError,
        context: &mut Context<'_>,
    ) {
        if is_taken {
            return self.request(LiveRequest::Write { request, bytes }, context);
        }
        emit_written(context, vec![(Waiter::Request(request), Err(refusal()))]);
    }

    /// Types the answers of the terminal that wait, where the process that waits for them may have asked.
    fn reply(&mut self, context: &mut Context<'_>) {
        loop {
            match self.replies.next(Instant::now()) {
                Next::Nothing => return,
                Next::Later(at) => return self.plan_step(Some(at), context),
                Next::Look => {
                    let look = self.look(context);
                    if let Some(replies) = self.replies.decide(look, self.terminal.as_deref()) {
                        // A program whose input is closed or full gets no answer.
                        let _ = self.input.push(replies, Waiter::Nobody);
                        self.write(context);
                    }
                }
            }
        }
    }

    /// Writes what the program takes now.
    pub(crate) fn write(&mut self, context: &mut Context<'_>) {
        let results = self.input.flush(context.shared, context.id);
        self.handle_written(results, context);
    }

    /// Passes the results of writes to the dialogue and to the caller.
    fn handle_written(
        &mut self,
        results: Vec<(Waiter, Result<(), RequestError>)>,
        context: &mut Context<'_>,
    ) {
        let (dialogue, others): (Vec<_>, Vec<_>) =
            results.into_iter().partition(|(waiter, _)| *waiter == Waiter::Dialogue);
        if others.iter().any(|(_, result)| result.is_ok()) {
            lock(&self.dialogue).touched(Instant::now());
        }
        emit_written(context, others);
        for (_, result) in dialogue {
            match result {
                Ok(()) => {
                    lock(&self.dialogue).written(Instant::now());
                    self.advance(context);
                }
                Err(failure) => self.fail_request(failure, context),
            }
        }
    }

    /// Continues the read or send as far as possible now.
    pub(crate) fn advance(&mut self, context: &mut Context<'_>) {
        while let Some(request) = self.request {
            let step = {
                let mut dialogue = lock(&self.dialogue);
                dialogue.unechoed(self.questions.is_open(self.terminal()));
                dialogue.step(Instant::now())
            };
            match step {
                Step::Wait(at) => return self.plan_step(at, context),
                Step::Look => {
                    let look = self.look(context);
                    // Output that was written before the program fell asleep may not have been read yet.
                    self.take_output(context);
                    lock(&self.dialogue).looked(look, Instant::now());
                }
                Step::Write(_) if self.is_for_first && !self.takes_lines(context) => {
                    return self.fail_request(RequestError::read_by_another(), context);
                }
                Step::Write(input) => {
                    let shown = self.terminal().map_or(Shown::No, pty::echo_by);
                    lock(&self.dialogue).shown(shown);
                    let had_keys = std::mem::take(&mut self.had_keys) && shown != Shown::ByProgram;
                    // A key that the full-screen program did not read any more is no part of a judged line.
                    let mut input =
                        if had_keys { [&[typing::ERASE_LINE], &*input].concat() } else { input };
                    if let Some(end) = input.last_mut()
                        && self.terminal().is_some_and(pty::is_line_ended_by_return)
                    {
                        *end = b'\r';
                    }
                    if !self.take_into_line(shown, &input) {
                        return self.fail_request(RequestError::line_too_long(), context);
                    }
                    match self.input.push(input, Waiter::Dialogue) {
                        Ok(()) => return self.write(context),
                        Err(failure) => return self.fail_request(failure, context),
                    }
                }
                Step::Done(answer) => {
                    self.request = None;
                    self.emit_answer(request, answer, context);
                }
            }
        }
    }

    /// The timer that the dialogue asked for is due.
    pub(crate) fn step_due(&mut self, context: &mut Context<'_>) {
        self.step_at = None;
        self.reply(context);
        self.advance(context);
        self.tell_onlookers(context);
    }

    fn plan_step(&mut self, at: Option<Instant>, context: &mut Context<'_>) {
        if let Some(at) = at
            && self.step_at.is_none_or(|step_at| at < step_at)
        {
            self.step_at = Some(at);
            context.shared.pool().timers.add(at, context.id, Due::SessionStep);
        }
    }

    fn look(&mut self, context: &Context<'_>) -> handrail_pty::Look {
        let worker = context.shared.pool().worker_of(context.id).map(|worker| worker.pid);
        let (Some(terminal), Some(worker)) = (&self.terminal, worker) else {
            return handrail_pty::Look::at(Waiting::No);
        };
        let now = Instant::now();
        let is_due = self.sampled_at.is_none_or(|at| now >= at + foreground::SAMPLE_PAUSE);
        // Before the program runs, the process that will become it is blocked.
        let leader = self.leader.load(Ordering::Relaxed);
        let sample_of = (is_due && leader != 0).then_some(leader);
        let port = lock(&self.dialogue).awaited_port();
        let needs_sample = |waiting| lock(&self.dialogue).needs_activity(waiting);
        let wanted = Wanted { sample_of, needs_sample, port };
        let mut look = foreground::examine(terminal.as_fd(), worker, wanted);
        if look.activity.is_some() {
            self.sampled_at = Some(now);
        }
        // A program that does not run yet, or is dead already, leaves the terminal without a foreground.
        if look.waiting == Waiting::Unknown && !tree::is_alive(leader) {
            look.waiting = Waiting::No;
        }
        self.replies.looked(&look);
        look
    }

    fn stop(&mut self, context: &mut Context<'_>) {
        let answer = lock(&self.dialogue).cancel(Instant::now());
        if let (Some(request), Some(answer)) = (self.request.take(), answer) {
            self.emit_answer(request, answer, context);
        }
    }

    fn emit_answer(
        &mut self,
        request: u64,
        mut answer: handrail_pty::Answer,
        context: &mut Context<'_>,
    ) {
        let is_open = self.questions.is_open(self.terminal());
        let is_question = is_open && lock(&self.dialogue).unechoed(true);
        let look = if is_question { Some(self.look(context)) } else { None };
        answer.question = self.questions.report(self.terminal.as_deref(), look);
        let result = Ok(Box::new(answer));
        (context.emit)(Event::Answered { run: context.id, request, result });
    }

    /// Writes a line to the program that asked this question, if the program still waits for the answer.
    fn answer_question(
        &mut self,
        request: u64,
        question: u64,
        line: Vec<u8>,
        context: &mut Context<'_>,
    ) {
        let look = self.look(context);
        // Whoever wrote something since has perhaps asked something else.
        self.take_output(context);
        let is_taken = self.questions.take(question, self.terminal.as_deref(), look)
            && self.input.queued_bytes() == 0;
        // What was typed ahead of the line is no part of the answer.
        let has_more = is_taken && std::mem::take(&mut self.line_bytes) > 0;
        let bytes = if has_more { [&[typing::ERASE_LINE], &*line].concat() } else { line };
        self.write_if(is_taken, (request, bytes), RequestError::question_over, context);
    }

    /// Fails the read or send that is going on.
    fn fail_request(&mut self, failure: RequestError, context: &mut Context<'_>) {
        // The answer so far is dropped.
        let _ = lock(&self.dialogue).cancel(Instant::now());
        if let Some(request) = self.request.take() {
            (context.emit)(Event::Answered { run: context.id, request, result: Err(failure) });
        }
    }

    /// Closes the terminal, so that the kernel tells all programs on it.
    pub(crate) fn hang_up(&mut self, context: &mut Context<'_>) {
        let unwritten = self.input.close(context.shared);
        if let Some(terminal) = self.terminal.take() {
            context.shared.unwatch(terminal.as_fd());
        }
        let dialogue = unwritten.iter().any(|(waiter, _)| *waiter == Waiter::Dialogue);
        emit_written(context, unwritten);
        if dialogue {
            // The input will not be written. The end of the program says why.
            lock(&self.dialogue).written(Instant::now());
        }
    }

    /// Reads to the end of the terminal after every writer is dead, and answers the request that is going on.
    pub(crate) fn finish(&mut self, context: &mut Context<'_>) {
        let limit = Instant::now() + FINAL_BYTES_LIMIT;
        while self.terminal().is_some_and(|terminal| pty::await_output(terminal, limit)) {
            while self.read_once(context).is_some_and(|count| count > 0) {}
        }
        self.hang_up(context);
        lock(&self.dialogue).exited(Instant::now());
        self.advance(context);
        self.fail_request(RequestError::input_closed(), context);
        self.tell_onlookers(context);
    }

    pub(crate) fn take_descriptors(&mut self) -> Vec<OwnedFd> {
        self.terminal.take().and_then(Arc::into_inner).into_iter().collect()
    }

    /// The stream by which epoll names the terminal.
    pub(crate) const STREAM: Stream = Stream::Stdout;
}
