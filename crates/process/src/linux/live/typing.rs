//! Who reads what is typed into a session whose lines are judged.

use std::os::fd::AsFd;

use handrail_pty::{Shown, Waiting};
use rustix::termios::{Termios, tcgetpgrp};

use super::pty;
use super::tree::Tree;

/// What a terminal that edits lines takes for the key that erases the line (`VKILL`).
pub(super) const ERASE_LINE: u8 = 0x15;

/// Whether a key goes to another program than the first one: it has left line editing, is in the foreground, and waits
/// for the terminal, so that it has read the key before. Other keys would stay until the first program reads them.
pub(super) fn is_for_keys(terminal: impl AsFd, leader: i32, waiting: Waiting) -> bool {
    let Ok(foreground) = tcgetpgrp(&terminal) else { return false };
    matches!(waiting, Waiting::Only | Waiting::Also)
        && foreground.as_raw_nonzero().get() != leader
        && pty::echo_by(terminal) == Shown::ByProgram
}

/// Whether lines reach the first program as they are: it is in the foreground, and no other process with it (a shell runs
/// substitutions in its own group). From then on the terminal passes them on as with these modes.
pub(super) fn is_for_lines(
    terminal: impl AsFd,
    leader: i32,
    worker: i32,
    first_modes: &Termios,
) -> bool {
    tcgetpgrp(&terminal).is_ok_and(|foreground| foreground.as_raw_nonzero().get() == leader)
        && Tree::of(worker).is_alone_in_group(leader)
        && pty::restore_input(terminal, first_modes).is_ok()
}
