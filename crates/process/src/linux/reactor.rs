//! The engine's thread: waits for all descriptors at once, reads outputs, keeps deadlines, finishes runs.

mod messages;
mod shutdown;
mod termination;
mod unresponsive;

use std::collections::HashMap;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::time::{Duration, Instant};

use handrail_supervisor::message::Process;
use rustix::buffer::spare_capacity;
use rustix::event::epoll;
use rustix::process::Signal;

pub(crate) use self::unresponsive::{SUPERVISOR_CHECK_INTERVAL, SupervisorSilence};
use crate::linux::child::{Child, Ending, Sink};
use crate::linux::failures;
use crate::linux::live::Context;
use crate::linux::pool::{EngineCommand, PendingStart, Phase};
use crate::linux::run::Run;
use crate::linux::shared::{Shared, Token};
use crate::linux::timers::Due;
use crate::live::LiveRequest;
use crate::outcome::{Event, Status, Stream};

const READ_BUFFER_BYTES: usize = 128 * 1024;
const EVENTS_PER_WAIT: usize = 64;
/// After an event that took this long, timers come first: a run with much output to read or to mask must not delay others.
const LONG_EVENT: Duration = Duration::from_millis(2);
/// Time after a leader's end, or after a kill, when it is checked whether the worker is stopped instead of busy.
pub(crate) const CHECK_AFTER: Duration = Duration::from_millis(40);
/// Most signals that wait for a program that is starting.
const MAX_EARLY_SIGNALS: usize = 16;
/// Time after which a worker that does not report is given up. The worker itself gives up on processes that do not die after
/// 0.9 s, and this is a little more.
const GIVE_UP_WORKER_AFTER: Duration = Duration::from_millis(1100);

pub(crate) struct Reactor<S> {
    shared: Arc<Shared>,
    sink: S,
    /// Runs, sessions and services, by their ids.
    children: HashMap<u64, Child>,
    /// Programs whose worker died, by the number of the worker, until the supervisor has ended the rest of their processes.
    orphaned: HashMap<u32, u64>,
    buffer: Vec<u8>,
}

impl<S: Fn(Event)> Reactor<S> {
    pub(crate) fn new(shared: Arc<Shared>, sink: S) -> Self {
        let buffer = vec![0; READ_BUFFER_BYTES];
        Reactor { shared, sink, children: HashMap::new(), orphaned: HashMap::new(), buffer }
    }

    /// Serves until the engine is closed.
    pub(crate) fn serve(mut self) {
        self.shared.reserve_descriptors();
        let mut events = Vec::with_capacity(EVENTS_PER_WAIT);
        while self.shared.pool().phase != Phase::Closed {
            events.clear();
            // An interrupted wait gives no events, and the loop waits again.
            let _ = epoll::wait(&self.shared.epoll, spare_capacity(&mut events), None);
            self.take_commands();
            for event in &events {
                let begun = Instant::now();
                match Token::of(event.data) {
                    Token::Wake => {
                        let _ = rustix::io::read(&self.shared.wake, &mut [0_u8; 8]);
                        // A command that was added since the last call had its wake-up read just now.
                        self.take_commands();
                    }
                    Token::Timer => self.run_timers(),
                    Token::Control => self.receive_from_supervisor(),
                    Token::Worker(number) => self.receive_from_worker(number),
                    Token::Pipe(run, stream) => self.read(run, stream),
                    Token::Leader(run) => self.leader_ended(run),
                    Token::Input(run) => self.serve_live(run, |sink, context| match sink {
                        Sink::Session(session) => session.write(context),
                        Sink::Service(service) => service.write(context),
                        Sink::Run(run) => {
                            if let Some(input) = &mut run.input {
                                input.write(context);
                            }
                        }
                    }),
                }
                if begun.elapsed() >= LONG_EVENT {
                    self.run_timers();
                }
            }
        }
        (self.sink)(Event::Closed);
    }

    fn take_commands(&mut self) {
        for command in self.shared.take_commands() {
            match command {
                EngineCommand::Serve(child, pending) => self.serve_child(*child, pending),
                EngineCommand::Cancel(run) => self.end(run, Status::Cancelled),
                EngineCommand::Acknowledge(run) => self.acknowledge(run),
                EngineCommand::Request(id, request) => self.request(id, request),
                EngineCommand::Close => self.close(),
            }
        }
    }

    fn serve_child(&mut self, child: Child, pending: Option<PendingStart>) {
        let (id, deadline) = (child.id, child.deadline);
        self.children.insert(id, child);
        let Some(pending) = pending else { return };
        let mut pool = self.shared.pool();
        if pool.supervisor.is_some() {
            return pool.begin(id, deadline, pending);
        }
        drop(pool);
        self.finish(id, Ending::Withdrawn(Some(failures::supervisor_lost())));
    }

    fn acknowledge(&mut self, id: u64) {
        let Some(child) = self.children.get_mut(&id) else { return };
        let Sink::Run(run) = &mut child.sink else {
            return self.serve_live(id, |sink, context| {
                if let Sink::Service(service) = sink {
                    service.acknowledge_piece(context);
                }
            });
        };
        if run.acknowledge_piece() {
            for stream in [Stream::Stdout, Stream::Stderr] {
                if let Some(pipe) = &run.pipes[stream as usize] {
                    // An error says that it is watched already.
                    let _ = self.shared.watch(pipe.as_fd(), Token::Pipe(id, stream));
                }
            }
        }
    }

    fn run_timers(&mut self) {
        self.shared.pool().timers.acknowledge();
        loop {
            let due = self.shared.pool().timers.pop();
            match due {
                None => return,
                Some((run, Due::Deadline)) => {
                    // The run may have been added after the commands were last taken. Its deadline comes only once.
                    if !self.children.contains_key(&run) {
                        self.take_commands();
                    }
                    self.end(run, Status::TimedOut);
                }
                Some((run, Due::Kill)) => self.kill(run),
                Some((run, Due::StoppedCheck)) => self.check_stopped(run),
                Some((_, Due::WorkerCheck)) => self.check_workers(),
                Some((run, Due::GiveUpWorker)) => self.give_up_worker(run),
                Some((_, Due::GiveUpClosing)) => self.finish_closing(),
                Some((_, Due::SupervisorCheck)) => self.check_supervisor(),
                Some((run, Due::Pause)) => self.pause(run),
                Some((run, Due::SessionStep)) => self.serve_live(run, |sink, context| {
                    if let Sink::Session(session) = sink {
                        session.step_due(context);
                    }
                }),
            }
        }
    }

    fn read(&mut self, id: u64, stream: Stream) {
        let Reactor { shared, children, sink, buffer, .. } = self;
        let Some(child) = children.get_mut(&id) else { return };
        let read = child.contain(|output| {
            let Sink::Run(run) = output else { return false };
            let mut emit = |text| sink(Event::Output { run: id, stream, text });
            // A closed descriptor leaves epoll by itself.
            run.read(stream, buffer, &mut emit);
            unwatch_if_suspended(shared, run);
            if let Some(at) = run.start_pause_timer() {
                shared.pool().timers.add(at, id, Due::Pause);
            }
            true
        });
        match read {
            Some(true) => {}
            Some(false) => self.serve_live(id, |sink, context| match sink {
                Sink::Session(session) => session.read(context),
                Sink::Service(service) => service.read(stream, context),
                Sink::Run(_) => {}
            }),
            None => self.kill(id),
        }
    }

    fn pause(&mut self, id: u64) {
        let Reactor { shared, children, sink, .. } = self;
        let Some(child) = children.get_mut(&id) else { return };
        let paused = child.contain(|output| {
            let Sink::Run(run) = output else { return };
            let mut emit = |stream, text| sink(Event::Output { run: id, stream, text });
            let again = run.emit_paused(&mut emit);
            unwatch_if_suspended(shared, run);
            if let Some(at) = again {
                shared.pool().timers.add(at, id, Due::Pause);
            }
        });
        if paused.is_none() {
            self.kill(id);
        }
    }

    /// Calls `work` with the output of a program and what it is served with.
    fn serve_live(&mut self, id: u64, work: impl FnOnce(&mut Sink, &mut Context<'_>)) {
        let Reactor { shared, children, sink, buffer, .. } = self;
        let Some(child) = children.get_mut(&id) else { return };
        let mut emit = |event| sink(event);
        let served = child.contain(|output| {
            work(output, &mut Context { id, shared, buffer, emit: &mut emit });
        });
        if served.is_none() {
            self.kill(id);
        }
    }

    fn request(&mut self, id: u64, request: LiveRequest) {
        if let LiveRequest::Signal(number) = request {
            return match self.children.get_mut(&id) {
                Some(Child { leader: Some(leader), .. }) => signal(leader, number),
                Some(child) if child.early_signals.len() < MAX_EARLY_SIGNALS => {
                    child.early_signals.push(number);
                }
                _ => {}
            };
        }
        self.serve_live(id, |sink, context| match sink {
            Sink::Session(session) => session.request(request, context),
            Sink::Service(service) => service.request(request, context),
            Sink::Run(run) => {
                if let Some(input) = &mut run.input {
                    input.request(request, context);
                }
            }
        });
    }

    fn finish(&mut self, id: u64, ending: Ending) {
        // A program whose worker is lost may have left processes behind, and only the supervisor can say which.
        let survivors = (!matches!(ending, Ending::Lost(_))).then(Vec::new);
        self.finish_with(id, ending, survivors);
    }

    fn finish_with(&mut self, id: u64, ending: Ending, survivors: Option<Vec<Process>>) {
        let Some(mut run) = self.children.remove(&id) else { return };
        let (start_descriptors, sandbox) = {
            let mut pool = self.shared.pool();
            match &ending {
                Ending::Done(done) if done.ready => pool.release(id),
                // The worker reports when it is ready, or it ends.
                Ending::Done(_) => {}
                Ending::Failed { .. } => pool.release(id),
                _ => {
                    pool.forget(id);
                }
            }
            pool.forget_live(id);
            let sandbox = pool.group(run.plan).map(|group| Arc::clone(&group.installed));
            pool.retire_layered(run.plan);
            (pool.take_start_descriptors(id), sandbox.unwrap_or_default())
        };
        let is_cut = run.intent.is_some() || ending.may_cut_output();
        let Reactor { shared, sink, buffer, .. } = self;
        let mut emit_event = |event| sink(event);
        // A failure in here is part of the outcome.
        run.contain(|output| match output {
            Sink::Run(run) => {
                let mut emit = |stream, text| sink(Event::Output { run: id, stream, text });
                run.drain(is_cut, buffer, &mut emit);
                if let Some(input) = &mut run.input {
                    input.finish(&mut Context { id, shared, buffer, emit: &mut emit_event });
                }
            }
            Sink::Session(session) => {
                session.finish(&mut Context { id, shared, buffer, emit: &mut emit_event });
            }
            Sink::Service(service) => {
                service.finish(&mut Context { id, shared, buffer, emit: &mut emit_event });
            }
        });
        let pipes = run.sink.take_descriptors();
        let mut outcome = run.conclude(ending);
        outcome.survivors = survivors;
        outcome.sandbox = sandbox;
        (self.sink)(Event::Done { run: id, outcome: Box::new(outcome) });
        // These are closed after the event, because closing takes longer than sending it.
        drop((pipes, start_descriptors));
        self.shared.pipes.refill();
    }
}

/// Stops watching the outputs of a run whose caller does not keep up.
fn unwatch_if_suspended(shared: &Shared, run: &Run) {
    if run.is_suspended {
        for pipe in run.pipes.iter().flatten() {
            shared.unwatch(pipe.as_fd());
        }
    }
}

fn kill(process: &OwnedFd) {
    // A process that is gone needs no signal.
    let _ = rustix::process::pidfd_send_signal(process, Signal::KILL);
}

fn signal(process: &OwnedFd, number: i32) {
    // A number without a signal is ignored, and so is a process that is gone.
    if let Some(signal) = Signal::from_named_raw(number) {
        let _ = rustix::process::pidfd_send_signal(process, signal);
    }
}
