//! Pseudo-terminals: opening one, its size, and its line editing.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::time::Instant;

use handrail_pty::Shown;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;
use rustix::pty::{OpenptFlags, ioctl_tiocgptpeer, openpt, unlockpt};
use rustix::termios::{
    InputModes, LocalModes, OptionalActions, Termios, Winsize, tcgetattr, tcsetattr, tcsetwinsize,
};

use crate::live::Size;

/// The longest line, in bytes and with its end, that a terminal passes on while it edits lines itself. The kernel drops the rest
/// without an error.
pub(crate) const MAX_EDITED_LINE_BYTES: usize = 4096;

/// A terminal that no program has used.
pub(crate) struct Pty {
    /// Our side, which does not block.
    pub(crate) terminal: OwnedFd,
    /// The program's side.
    pub(crate) program: OwnedFd,
}

impl Pty {
    /// Opens a terminal that does not echo: a program that wants to show its input does so itself.
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
        Ok(Pty { terminal, program })
    }
}

/// Lets a terminal echo what is typed, but for control characters: a program that asks for a password turns that off.
pub(crate) fn echo(program: impl AsFd) -> io::Result<()> {
    let mut modes = tcgetattr(&program)?;
    modes.local_modes.insert(LocalModes::ECHO);
    modes.local_modes.remove(LocalModes::ECHOCTL);
    Ok(tcsetattr(program, OptionalActions::Now, &modes)?)
}

/// Makes a terminal pass on what is typed as it did at first: a program may have left it with other keys that erase, or
/// with characters that are replaced.
pub(crate) fn restore_input(terminal: impl AsFd, first: &Termios) -> io::Result<()> {
    let mut modes = tcgetattr(&terminal)?;
    modes.input_modes = first.input_modes;
    modes.special_codes = first.special_codes.clone();
    Ok(tcsetattr(terminal, OptionalActions::Now, &modes)?)
}

/// Waits for output of a terminal. False when the time is over.
pub(crate) fn await_output(terminal: impl AsFd, limit: Instant) -> bool {
    let remaining = limit.saturating_duration_since(Instant::now());
    let mut polled = [PollFd::new(&terminal, PollFlags::IN)];
    let timeout = Timespec::try_from(remaining).ok();
    // After an interruption the caller waits again.
    let _ = poll(&mut polled, timeout.as_ref());
    !remaining.is_zero()
}

/// Changes the size. The kernel tells the programs in the foreground.
pub(crate) fn resize(terminal: impl AsFd, size: Size) -> io::Result<()> {
    let Size { columns, rows } = size;
    let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    Ok(tcsetwinsize(terminal, size)?)
}

/// The length of the unfinished line after this input, where the terminal edits lines and has `line_bytes` of it already. `None`
/// where the terminal would cut a line.
pub(crate) fn line_bytes_after(line_bytes: usize, input: &[u8]) -> Option<usize> {
    let mut length = line_bytes;
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

/// Who shows the input: the program where it edits lines itself, as shells and REPLs do. Where the mode of the terminal cannot be
/// read, the program counts as such a one.
pub(crate) fn echo_by(terminal: impl AsFd) -> Shown {
    match tcgetattr(terminal) {
        Ok(modes) if !modes.local_modes.contains(LocalModes::ICANON) => Shown::ByProgram,
        Ok(modes) if modes.local_modes.contains(LocalModes::ECHO) => Shown::ByTerminal,
        Ok(_) => Shown::No,
        Err(_) => Shown::ByProgram,
    }
}

/// Whether this input ends with the end of a line, so that the terminal passes all of it on, whether or not it edits lines.
pub(crate) fn ends_line(terminal: Option<impl AsFd>, input: &[u8]) -> bool {
    match (input.last(), terminal.map(tcgetattr)) {
        (Some(b'\n'), _) => true,
        (Some(b'\r'), Some(Ok(modes))) => {
            modes.input_modes.contains(InputModes::ICRNL)
                || !modes.local_modes.contains(LocalModes::ICANON)
        }
        _ => false,
    }
}

/// Whether a line ends with the byte of the key Enter: where the program edits lines, and the terminal makes no newline of it.
pub(crate) fn is_line_ended_by_return(terminal: impl AsFd) -> bool {
    tcgetattr(terminal).is_ok_and(|modes| {
        !modes.local_modes.contains(LocalModes::ICANON)
            && !modes.input_modes.contains(InputModes::ICRNL)
    })
}
