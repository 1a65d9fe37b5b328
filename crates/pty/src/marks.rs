//! Marks: what a shell says about its commands in its output. The start-up text that the shell was given makes it write
//! `ESC ] 133 ; C ; nonce BEL` before a command, and `ESC ] 133 ; D ; status ; nonce BEL` after it. Marks with another
//! nonce are output like any other, and the cleaner removes them.

use std::borrow::Cow;
use std::time::{Duration, Instant};

/// The length of a nonce, in bytes.
pub const NONCE_BYTES: usize = 32;
/// What each mark begins with.
const START: &[u8] = b"\x1b]133;";
const BELL: u8 = 0x07;
/// The most digits of an exit status.
const MAX_DIGITS: usize = 3;

/// A secret that only the shell and the session know. It is printable, and has no semicolon.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Nonce(pub [u8; NONCE_BYTES]);

impl std::fmt::Debug for Nonce {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Nonce(..)")
    }
}

/// What is known about the command that an input was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandEnd {
    /// The exit status; `None` where the shell has not said it.
    pub status: Option<u8>,
    /// The time from the input to the end of the command, or to the end of the read where the end is not known.
    pub duration: Duration,
}

/// What a shell does, as far as its marks and the input tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// A command runs, or the shell has said nothing yet.
    Running,
    /// A command is over, and no input followed.
    Over,
    /// A command is over, and the next one has not begun, though input followed.
    Reading,
}

/// What a mark in the output says beside a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Boundary {
    /// The echo of the input ends here.
    EchoEnds,
    /// A command is over.
    CommandEnds,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Begins,
    Ends(u8),
}

/// The marks of one shell.
#[derive(Debug)]
pub(crate) struct Marks {
    /// Without one, the program is no shell that was asked for marks.
    nonce: Option<Nonce>,
    /// Whether the echo of an input ends where its first command begins.
    pub(crate) paints_echo: bool,
    /// Whether the shell paints the echo of an input, and no command has begun since.
    pub(crate) is_echo: bool,
    /// The beginning of what may be a mark, whose rest has not come yet.
    held: Vec<u8>,
    state: State,
    /// When the last input was written, unless an answer has told about its command.
    input_at: Option<Instant>,
    /// The status of the last command of that input, and when it ended.
    end: Option<(u8, Instant)>,
}

impl Marks {
    pub(crate) fn new() -> Self {
        Self {
            nonce: None,
            paints_echo: false,
            is_echo: false,
            held: Vec::new(),
            state: State::Running,
            input_at: None,
            end: None,
        }
    }

    pub(crate) fn expect(&mut self, nonce: Nonce, paints_echo: bool) {
        self.nonce = Some(nonce);
        self.paints_echo = paints_echo;
    }

    /// Whether the shell has said that its command is over. It may not have written its prompt yet.
    pub(crate) fn is_over(&self) -> bool {
        self.state == State::Over
    }

    /// Whether no command has begun since the last one ended: the shell reads a line, or edits it.
    pub(crate) fn is_reading(&self) -> bool {
        self.state != State::Running
    }

    fn input_follows(&mut self) {
        if self.state == State::Over {
            self.state = State::Reading;
        }
    }

    /// Input follows.
    pub(crate) fn written(&mut self, input: &[u8], now: Instant) {
        self.input_follows();
        self.is_echo = self.paints_echo;
        self.end = None;
        self.input_at = has_command(input).then_some(now);
    }

    /// Something else was written, such as a key, which may interrupt the command.
    pub(crate) fn touched(&mut self, now: Instant) {
        self.input_follows();
        self.end = None;
        self.input_at.get_or_insert(now);
    }

    /// What is known about the command of the last input. It is told once: after an input, and when its end is known.
    pub(crate) fn take(&mut self, is_send: bool, now: Instant) -> Option<CommandEnd> {
        self.nonce?;
        let begun = self.input_at.filter(|_| is_send || self.end.is_some())?;
        let (status, at) = self.end.map_or((None, now), |(status, ended)| (Some(status), ended));
        if status.is_some() {
            self.input_at = None;
        }
        Some(CommandEnd { status, duration: at.saturating_duration_since(begun) })
    }

    /// Takes the marks out of the output, and gives the offsets in it at which they say something.
    pub(crate) fn filter<'a>(
        &mut self,
        raw: &'a [u8],
        now: Instant,
    ) -> (Cow<'a, [u8]>, Vec<(usize, Boundary)>) {
        let mut boundaries = Vec::new();
        let Some(nonce) = self.nonce else { return (Cow::Borrowed(raw), boundaries) };
        if self.held.is_empty() && !raw.contains(&START[0]) {
            return (Cow::Borrowed(raw), boundaries);
        }
        let mut text = std::mem::take(&mut self.held);
        text.extend_from_slice(raw);
        let mut kept = Vec::with_capacity(text.len());
        let mut rest = text.as_slice();
        while let Some(at) = rest.iter().position(|&byte| byte == START[0]) {
            kept.extend_from_slice(&rest[..at]);
            rest = &rest[at..];
            match parse(rest, &nonce) {
                Parsed::Mark(mark, length) => {
                    if mark == Mark::Begins && std::mem::take(&mut self.is_echo) {
                        boundaries.push((kept.len(), Boundary::EchoEnds));
                    }
                    if matches!(mark, Mark::Ends(_)) {
                        boundaries.push((kept.len(), Boundary::CommandEnds));
                    }
                    self.note(mark, now);
                    rest = &rest[length..];
                }
                Parsed::Beginning => {
                    self.held = rest.to_vec();
                    return (Cow::Owned(kept), boundaries);
                }
                Parsed::Other => {
                    kept.push(rest[0]);
                    rest = &rest[1..];
                }
            }
        }
        kept.extend_from_slice(rest);
        (Cow::Owned(kept), boundaries)
    }

    /// The output that was held back as the beginning of a mark. No more will arrive.
    pub(crate) fn finish(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.held)
    }

    fn note(&mut self, mark: Mark, now: Instant) {
        match mark {
            Mark::Begins => {
                self.state = State::Running;
                self.end = None;
            }
            Mark::Ends(status) => {
                self.state = State::Over;
                self.end = Some((status, now));
            }
        }
    }
}

/// Whether a line of this input is more than blanks and a comment.
fn has_command(input: &[u8]) -> bool {
    let mut lines = input.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    lines.any(|line| !line.is_empty() && !line.starts_with(b"#"))
}

enum Parsed {
    /// A mark of this length.
    Mark(Mark, usize),
    /// What may become a mark.
    Beginning,
    Other,
}

fn parse(text: &[u8], nonce: &Nonce) -> Parsed {
    let mut reader = Reader { text, at: 0 };
    match reader.mark(nonce) {
        Ok(mark) => Parsed::Mark(mark, reader.at),
        Err(Mismatch::End) => Parsed::Beginning,
        Err(Mismatch::Other) => Parsed::Other,
    }
}

enum Mismatch {
    /// The text ends where more of the mark was expected.
    End,
    Other,
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn mark(&mut self, nonce: &Nonce) -> Result<Mark, Mismatch> {
        self.take(START)?;
        let mark = match self.next()? {
            b'C' => Mark::Begins,
            b'D' => {
                self.take(b";")?;
                Mark::Ends(self.status()?)
            }
            _ => return Err(Mismatch::Other),
        };
        self.take(b";")?;
        self.take(&nonce.0)?;
        self.take(&[BELL])?;
        Ok(mark)
    }

    fn status(&mut self) -> Result<u8, Mismatch> {
        let mut status: u16 = 0;
        let mut digits = 0;
        while let Some(digit) = self.text.get(self.at).filter(|byte| byte.is_ascii_digit()) {
            if digits == MAX_DIGITS {
                return Err(Mismatch::Other);
            }
            status = status * 10 + u16::from(digit - b'0');
            digits += 1;
            self.at += 1;
        }
        if self.at == self.text.len() {
            return Err(Mismatch::End);
        }
        if digits == 0 {
            return Err(Mismatch::Other);
        }
        u8::try_from(status).map_err(|_| Mismatch::Other)
    }

    fn next(&mut self) -> Result<u8, Mismatch> {
        let byte = *self.text.get(self.at).ok_or(Mismatch::End)?;
        self.at += 1;
        Ok(byte)
    }

    fn take(&mut self, expected: &[u8]) -> Result<(), Mismatch> {
        for &byte in expected {
            if self.next()? != byte {
                return Err(Mismatch::Other);
            }
        }
        Ok(())
    }
}
