//! Lines that a program reads without echo, such as passwords: which program asks, and whether it still does.

use std::os::fd::OwnedFd;

use handrail_pty::{Look, Shown, Waiting};
use rustix::termios::tcgetpgrp;

use super::links::process_link;
use super::pty;

/// The longest text about the process that asks, in bytes; the rest is cut off.
const MAX_COMMAND_BYTES: usize = 256;

/// A question that was reported, and what would have to be the same for an answer to belong to it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Standing {
    /// The process group in the foreground.
    group: i32,
    /// How many bytes the programs had written to the terminal.
    output_bytes: u64,
    /// The thread that waits, where the kernel tells it, and how often it has run: it has done nothing since. A thread that
    /// polls with a time limit runs again and again.
    waiter: Option<(i32, Option<u64>)>,
}

/// The questions of one session.
#[derive(Default)]
pub(crate) struct Questions {
    /// Whether the terminal echoes from the start. Otherwise it cannot be seen that a program turned the echo off.
    is_watched: bool,
    standing: Option<Standing>,
    /// The number of the latest question.
    number: u64,
    output_bytes: u64,
}

impl Questions {
    pub(crate) fn of(is_watched: bool) -> Questions {
        Questions { is_watched, ..Questions::default() }
    }

    /// The programs have written this many bytes.
    pub(crate) fn written(&mut self, bytes: usize) {
        self.output_bytes += bytes as u64;
    }

    /// Whether a line that is written to this terminal now would be read without echo.
    pub(crate) fn is_open(&self, terminal: Option<&OwnedFd>) -> bool {
        let is_unechoed = |terminal: &OwnedFd| pty::echo_by(terminal) == Shown::No;
        self.is_watched && terminal.is_some_and(is_unechoed)
    }

    /// The question that a program asks at which this look was taken. Without a look there is none.
    pub(crate) fn report(
        &mut self,
        terminal: Option<&OwnedFd>,
        look: Option<Look>,
    ) -> Option<handrail_pty::Question> {
        let found = look.and_then(|look| self.found(terminal, look));
        let before = std::mem::replace(&mut self.standing, found);
        let standing = found?;
        if before != found {
            self.number += 1;
        }
        let process = standing.waiter.map_or(standing.group, |(thread, _)| thread);
        let program = process_link(process, "exe");
        let program = program.map(|path| path.to_string_lossy().into_owned());
        Some(handrail_pty::Question { number: self.number, program, command: command(process) })
    }

    /// Takes the question of this number, if the program that asked it still waits for the answer. No second answer gets it.
    pub(crate) fn take(&mut self, number: u64, terminal: Option<&OwnedFd>, look: Look) -> bool {
        if number != self.number {
            return false;
        }
        let asked = self.standing.take();
        asked.is_some() && asked == self.found(terminal, look)
    }

    /// What is asked on this terminal, at the time of this look.
    fn found(&self, terminal: Option<&OwnedFd>, look: Look) -> Option<Standing> {
        let terminal = terminal.filter(|terminal| self.is_open(Some(terminal)))?;
        if look.waiting == Waiting::No {
            return None;
        }
        let group = tcgetpgrp(terminal).ok()?.as_raw_nonzero().get();
        let runs = |count| (!look.is_limited).then_some(count);
        let waiter = look.waiter.map(|(thread, count)| (thread, runs(count)));
        Some(Standing { group, output_bytes: self.output_bytes, waiter })
    }
}

/// The arguments of a process, joined with blanks. Empty where they cannot be read.
fn command(process: i32) -> String {
    let arguments = std::fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
    let arguments = String::from_utf8_lossy(&arguments).replace('\0', " ");
    let arguments = arguments.trim_end();
    let end = (0..=MAX_COMMAND_BYTES.min(arguments.len())).rev();
    let end = end.into_iter().find(|&at| arguments.is_char_boundary(at)).unwrap_or(0);
    arguments[..end].to_owned()
}
