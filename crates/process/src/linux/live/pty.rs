//! The two sides of a terminal.

use std::io;
use std::os::fd::{AsFd, OwnedFd};

use handrail_pty::Shown;
use rustix::fs::OFlags;
use rustix::pty::{OpenptFlags, ioctl_tiocgptpeer, openpt, unlockpt};
use rustix::termios::{
    InputModes, LocalModes, OptionalActions, Winsize, tcgetattr, tcsetattr, tcsetwinsize,
};

use crate::live::Size;

/// A line of this many bytes, its end included, is the longest that a terminal hands on while it edits lines itself; the
/// kernel drops the rest without a word.
pub(crate) const MAX_EDITED_LINE_BYTES: usize = 4096;

/// A terminal that no program has used.
pub(crate) struct Pty {
    /// Our side, which does not block.
    pub(crate) terminal: OwnedFd,
    /// The same once more, to be waited for by itself.
    pub(crate) input: OwnedFd,
    /// The program's side.
    pub(crate) program: OwnedFd,
}

impl Pty {
    /// What is typed is not echoed: a program that wants to show it does so itself.
    pub(crate) fn open() -> io::Result<Pty> {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let terminal = openpt(flags)?;
        unlockpt(&terminal)?;
        let program = ioctl_tiocgptpeer(&terminal, flags)?;
        let mut modes = tcgetattr(&program)?;
        modes.local_modes.remove(LocalModes::ECHO);
        modes.input_modes.insert(InputModes::IUTF8);
        tcsetattr(&program, OptionalActions::Now, &modes)?;
        rustix::fs::fcntl_setfl(&terminal, OFlags::RDWR | OFlags::NONBLOCK)?;
        let input = rustix::io::fcntl_dupfd_cloexec(&terminal, 0)?;
        Ok(Pty { terminal, input, program })
    }
}

/// Tells the programs in the foreground as well.
pub(crate) fn resize(terminal: impl AsFd, size: Size) -> io::Result<()> {
    let Size { columns, rows } = size;
    let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    Ok(tcsetwinsize(terminal, size)?)
}

/// How long the line is that a terminal which edits lines holds after this input, behind `held` bytes of it. `None` where it
/// would cut one.
pub(crate) fn fits(held: usize, input: &[u8]) -> Option<usize> {
    let mut length = held;
    for line in input.split_inclusive(|&byte| byte == b'\n') {
        let ends = line.ends_with(b"\n");
        length += line.len() - usize::from(ends);
        if length >= MAX_EDITED_LINE_BYTES {
            return None;
        }
        if ends {
            length = 0;
        }
    }
    Some(length)
}

/// Who shows what is typed: the program where it edits lines itself, as shells and REPLs do. What cannot be known is taken for
/// one.
pub(crate) fn shown(terminal: impl AsFd) -> Shown {
    match tcgetattr(terminal) {
        Ok(modes) if !modes.local_modes.contains(LocalModes::ICANON) => Shown::ByProgram,
        Ok(modes) if modes.local_modes.contains(LocalModes::ECHO) => Shown::ByTerminal,
        Ok(_) => Shown::No,
        Err(_) => Shown::ByProgram,
    }
}
