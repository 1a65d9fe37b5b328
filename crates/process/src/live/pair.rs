//! The two sides of a terminal.

use std::io;
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::OFlags;
use rustix::pty::{OpenptFlags, ioctl_tiocgptpeer, openpt, unlockpt};
use rustix::termios::{
    InputModes, LocalModes, OptionalActions, Winsize, tcgetattr, tcsetattr, tcsetwinsize,
};

use super::Size;

/// A line of this many bytes, its end included, is the longest that a terminal hands on while it edits lines itself; the
/// kernel drops the rest without a word.
pub(crate) const MAX_EDITED_LINE_BYTES: usize = 4096;

/// Our side, which does not block, and the program's. What is typed is not echoed: a program that wants to show it does so
/// itself.
pub(crate) fn open(size: Size) -> io::Result<(OwnedFd, OwnedFd)> {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    let master = openpt(flags)?;
    unlockpt(&master)?;
    let program = ioctl_tiocgptpeer(&master, flags)?;
    let mut modes = tcgetattr(&program)?;
    modes.local_modes.remove(LocalModes::ECHO);
    modes.input_modes.insert(InputModes::IUTF8);
    tcsetattr(&program, OptionalActions::Now, &modes)?;
    resize(&master, size)?;
    rustix::fs::fcntl_setfl(&master, OFlags::RDWR | OFlags::NONBLOCK)?;
    Ok((master, program))
}

/// Tells the programs in the foreground as well.
pub(crate) fn resize(terminal: impl AsFd, size: Size) -> io::Result<()> {
    let Size { columns, rows } = size;
    let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    Ok(tcsetwinsize(terminal, size)?)
}

/// Whether the terminal takes this input whole. While it edits lines itself, it cuts long ones.
pub(crate) fn takes(terminal: impl AsFd, input: &[u8]) -> bool {
    let is_long = |line: &[u8]| line.len() >= MAX_EDITED_LINE_BYTES;
    if !input.split(|&byte| byte == b'\n').any(is_long) {
        return true;
    }
    // What cannot be known is tried.
    tcgetattr(terminal).is_ok_and(|modes| !modes.local_modes.contains(LocalModes::ICANON))
}
