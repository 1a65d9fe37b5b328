//! The answers of the terminal to questions of programs, and who gets them.
//!
//! The kernel does not tell who wrote what. So the answer waits until a process waits for the terminal, and is typed only
//! where this process was started after the last input: it cannot be a shell or a REPL that was sent a line and shows a
//! file. A program on the alternate screen was sent keys; there the input counts before which the screen was entered.

use std::fs;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use handrail_pty::{Look, Shown, Waiting};
use handrail_supervisor::proc::{OWN_PROC, Stat};
use rustix::process::{Pid, test_kill_process_group};
use rustix::termios::tcgetpgrp;
use rustix::time::{ClockId, clock_gettime};

use super::pty;

/// The most bytes of answers that wait for a program. One with more asks without reading.
const MAX_PENDING_BYTES: usize = 1024;
/// The time after which an answer is dropped that nobody waits for.
const MAX_AGE: Duration = Duration::from_secs(1);
/// The pause after the first look at who waits; each further one is twice as long.
const MIN_PAUSE: Duration = Duration::from_micros(100);
const MAX_PAUSE: Duration = Duration::from_millis(10);
/// The length of the clock tick in which the kernel tells the start of a process.
const TICK_NANOSECONDS: i64 = 10_000_000;

/// Input that was written to the terminal.
#[derive(Clone, Copy)]
struct Input {
    /// When, in clock ticks since the start of the machine.
    tick: u64,
    /// The thread that waited for it, where the kernel told.
    waiter: Option<i32>,
}

/// The alternate screen, while it is shown.
#[derive(Clone, Copy)]
struct Alternate {
    /// The process group that was in the foreground when it was entered.
    group: Option<Pid>,
    /// The last input before that.
    input: Option<Input>,
}

/// Answers that wait until somebody waits for them.
struct Pending {
    bytes: Vec<u8>,
    group: Pid,
    since: Instant,
    look_at: Instant,
    pause: Duration,
}

/// What decides who gets an answer.
#[derive(Default)]
pub(crate) struct Replies {
    pending: Option<Pending>,
    /// The last input that was written.
    input: Option<Input>,
    /// The thread that waited for the terminal at the last look.
    waiter: Option<i32>,
    alternate: Option<Alternate>,
}

/// What happens with the answers that wait.
pub(crate) enum Next {
    Nothing,
    /// A look is needed to decide.
    Look,
    /// Nothing before this time.
    Later(Instant),
}

impl Replies {
    /// Notes a look at who waits for the terminal.
    pub(crate) fn looked(&mut self, look: &Look) {
        self.waiter = look.waiter.map(|(thread, _)| thread);
    }

    /// Input is written.
    pub(crate) fn input(&mut self) {
        let now = clock_gettime(ClockId::Boottime);
        let ticks =
            now.tv_sec * (1_000_000_000 / TICK_NANOSECONDS) + now.tv_nsec / TICK_NANOSECONDS;
        let tick = u64::try_from(ticks).unwrap_or(u64::MAX);
        self.input = Some(Input { tick, waiter: self.waiter });
    }

    /// Output was read: these are the answers to its questions, and this says whether the alternate screen is shown after it.
    pub(crate) fn output(
        &mut self,
        replies: &[u8],
        is_alternate: bool,
        terminal: Option<&OwnedFd>,
    ) {
        if !is_alternate {
            self.alternate = None;
        } else if self.alternate.is_none() {
            let group = terminal.and_then(|terminal| tcgetpgrp(terminal).ok());
            self.alternate = Some(Alternate { group, input: self.input });
        }
        if let Some(group) = terminal.filter(|_| !replies.is_empty()).and_then(asking_group) {
            self.ask(replies, group, Instant::now());
        }
    }

    /// Whether the programs are gone that were in the foreground when the alternate screen was entered.
    pub(crate) fn has_lost_painter(&self) -> bool {
        let group = self.alternate.and_then(|alternate| alternate.group);
        group.is_some_and(|group| test_kill_process_group(group) == Err(rustix::io::Errno::SRCH))
    }

    fn ask(&mut self, replies: &[u8], group: Pid, now: Instant) {
        let (since, look_at, pause) = (now, now, MIN_PAUSE);
        let pending = self.pending.take().filter(|pending| pending.group == group);
        let bytes = pending.map(|pending| pending.bytes).unwrap_or_default();
        let mut pending = Pending { bytes, group, since, look_at, pause };
        if pending.bytes.len() + replies.len() <= MAX_PENDING_BYTES {
            pending.bytes.extend_from_slice(replies);
        }
        self.pending = Some(pending);
    }

    pub(crate) fn next(&self, now: Instant) -> Next {
        match &self.pending {
            None => Next::Nothing,
            Some(pending) if now < pending.look_at => Next::Later(pending.look_at),
            Some(_) => Next::Look,
        }
    }

    /// The answers to type, by this look at who waits for the terminal.
    pub(crate) fn decide(&mut self, look: Look, terminal: Option<&OwnedFd>) -> Option<Vec<u8>> {
        let now = Instant::now();
        let mut pending = self.pending.take()?;
        let is_current = terminal.and_then(asking_group) == Some(pending.group);
        if !is_current || now > pending.since + MAX_AGE {
            return None;
        }
        let group = pending.group.as_raw_nonzero().get();
        match look.waiting {
            Waiting::No => {
                pending.look_at = now + pending.pause;
                pending.pause = (pending.pause * 2).min(MAX_PAUSE);
                self.pending = Some(pending);
                None
            }
            // The kernel does not show who waits.
            Waiting::Unknown => self.is_newer_than_input(group).then_some(pending.bytes),
            Waiting::Only | Waiting::Also => {
                let waiter = look.waiter.map_or(group, |(thread, _)| thread);
                self.is_newer_than_input(waiter).then_some(pending.bytes)
            }
        }
    }

    /// Whether the process of this thread was started after the last input that may have been sent to it as a line.
    fn is_newer_than_input(&self, thread: i32) -> bool {
        let Some(input) = self.alternate.map_or(self.input, |alternate| alternate.input) else {
            return true;
        };
        let started = Stat::of(OWN_PROC, process_of(thread)).and_then(|stat| stat.start_ticks());
        started.is_some_and(|started| {
            started > input.tick || started == input.tick && input.waiter != Some(thread)
        })
    }
}

/// The process group in the foreground, where it has left line editing as a program that asks does.
fn asking_group(terminal: &OwnedFd) -> Option<Pid> {
    let group = tcgetpgrp(terminal).ok()?;
    (pty::echo_by(terminal) == Shown::ByProgram).then_some(group)
}

/// The process that a thread belongs to: it may be older than the thread.
fn process_of(thread: i32) -> i32 {
    let status = fs::read_to_string(format!("/proc/{thread}/status")).unwrap_or_default();
    let process = status.lines().find_map(|line| line.strip_prefix("Tgid:"));
    process.and_then(|process| process.trim().parse().ok()).unwrap_or(thread)
}
