//! The terminal from which this process is controlled: the one at which a person sits.

use std::io;
use std::os::fd::OwnedFd;

use rustix::fs::{Mode, OFlags};
use rustix::termios::{QueueSelector, tcflush, tcgetpgrp};

use crate::controlling_terminal::ControllingTerminal;

/// Whether this process has a controlling terminal, and may read from it.
#[must_use]
pub fn controlling_terminal() -> ControllingTerminal {
    let Ok(terminal) = open() else { return ControllingTerminal::None };
    // The terminal stops a process of another group that reads from it.
    match tcgetpgrp(&terminal) {
        Ok(foreground) if foreground == rustix::process::getpgrp() => {
            ControllingTerminal::Foreground
        }
        _ => ControllingTerminal::Background,
    }
}

/// Discards what was typed and not read yet, whole lines and half ones.
///
/// # Errors
///
/// There is no controlling terminal.
pub fn discard_typed_input() -> io::Result<()> {
    Ok(tcflush(open()?, QueueSelector::IFlush)?)
}

fn open() -> io::Result<OwnedFd> {
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
    Ok(rustix::fs::open("/dev/tty", flags, Mode::empty())?)
}
