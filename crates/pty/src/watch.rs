//! Recognises in the raw output what decides how it is read: the alternate screen, addressed rows, modes and queries.

use memchr::memchr;

const ESC: u8 = 0x1b;
const BEL: u8 = 0x07;
/// The largest number of parameters of a control sequence that is looked at; further ones are ignored.
const MAX_PARAMETERS: usize = 8;
/// The longest beginning of an OSC that is kept: `11;?`.
const MAX_OSC_BYTES: usize = 4;
/// The longest control string; the bytes after it are read as text, as the cleaner reads them.
const MAX_STRING_BYTES: usize = handrail_text::STRING_CAP_BYTES;

/// Something in the output that decides how the output is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signal {
    /// The program shows the alternate screen.
    EnterAlternate,
    /// The program shows the normal screen, or resets the terminal.
    LeaveAlternate,
    /// The program erases the whole screen.
    Clear,
    /// The program goes to a row below the first one, or sets margins.
    Address,
    /// The program asks the terminal something.
    Query(Query),
}

/// A question of a program to its terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Query {
    /// Which terminal it is (DA1).
    Attributes,
    /// Which version the terminal has (DA2).
    Version,
    /// Whether the terminal works (DSR 5).
    Status,
    /// The position of the cursor (DSR 6).
    Cursor,
    /// The size in characters.
    Size,
    /// The colour of text (OSC 10).
    Foreground { bell: bool },
    /// The colour of the background (OSC 11).
    Background { bell: bool },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Ground,
    /// After ESC.
    Escape,
    /// After ESC and an intermediate byte.
    Intermediate,
    /// Inside a control sequence.
    Csi,
    /// Inside an OSC.
    Osc,
    /// Inside another control string.
    ControlString,
}

/// The modes that the program has set, and the sequence that is being read; of fixed size.
#[derive(Debug)]
pub(crate) struct Watch {
    state: State,
    parameters: [u16; MAX_PARAMETERS],
    parameter_index: usize,
    /// The private prefix of the control sequence (`?`, `>`), or its intermediate byte; 0 where it has none.
    kind: u8,
    osc: [u8; MAX_OSC_BYTES],
    /// The number of bytes of the open control string.
    string_bytes: usize,
    /// Whether an ESC may end the control string that is open.
    may_end: bool,
    /// Whether the cursor was sent to the first row and column, and nothing was written since.
    is_home: bool,
    pub(crate) modes: Modes,
}

/// The modes of the terminal that decide what is sent for keys and pasted text, and how the cursor looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modes {
    /// Whether arrow keys are sent in their application form.
    pub application_cursor: bool,
    /// Whether pasted text is marked as such.
    pub bracketed_paste: bool,
    /// Whether the cursor is shown.
    pub cursor_visible: bool,
}

impl Modes {
    const INITIAL: Self =
        Self { application_cursor: false, bracketed_paste: false, cursor_visible: true };
}

impl Watch {
    pub(crate) fn new() -> Self {
        Self {
            state: State::Ground,
            parameters: [0; MAX_PARAMETERS],
            parameter_index: 0,
            kind: 0,
            osc: [0; MAX_OSC_BYTES],
            string_bytes: 0,
            may_end: false,
            is_home: false,
            modes: Modes::INITIAL,
        }
    }

    /// Reads up to the end of the next sequence with a signal. Gives the number of bytes that were read, and the signal.
    pub(crate) fn next(&mut self, bytes: &[u8]) -> (usize, Option<Signal>) {
        let mut at = 0;
        while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
            if self.state == State::Ground {
                let text = memchr(ESC, rest).unwrap_or(rest.len());
                self.is_home &= text == 0;
                at += text;
                if text < rest.len() {
                    self.state = State::Escape;
                    at += 1;
                }
                continue;
            }
            at += 1;
            if let Some(signal) = self.step(rest[0]) {
                return (at, Some(signal));
            }
        }
        (bytes.len(), None)
    }

    fn step(&mut self, byte: u8) -> Option<Signal> {
        match (self.state, byte) {
            // CAN and SUB end every sequence.
            (_, 0x18 | 0x1a) => self.state = State::Ground,
            (State::Osc | State::ControlString, _) => return self.step_string(byte),
            (_, ESC) => self.state = State::Escape,
            // A control inside a sequence takes effect at once, and the sequence goes on.
            (_, 0x00..=0x1f | 0x7f) => self.is_home = false,
            (State::Escape, _) => return self.step_escape(byte),
            (State::Csi, _) => return self.step_csi(byte),
            (State::Intermediate, 0x20..=0x2f) => {}
            _ => self.state = State::Ground,
        }
        None
    }

    fn step_escape(&mut self, byte: u8) -> Option<Signal> {
        self.state = match byte {
            b'[' => {
                (self.parameters, self.parameter_index, self.kind) = ([0; MAX_PARAMETERS], 0, 0);
                State::Csi
            }
            b']' => {
                (self.string_bytes, self.may_end) = (0, false);
                State::Osc
            }
            b'P' | b'X' | b'^' | b'_' => {
                (self.string_bytes, self.may_end) = (0, false);
                State::ControlString
            }
            0x20..=0x2f => State::Intermediate,
            _ => State::Ground,
        };
        if byte != b'c' {
            return None;
        }
        // A reset.
        *self = Self::new();
        Some(Signal::LeaveAlternate)
    }

    fn step_string(&mut self, byte: u8) -> Option<Signal> {
        if byte == BEL || self.may_end && byte == b'\\' {
            let is_osc = std::mem::replace(&mut self.state, State::Ground) == State::Osc;
            return is_osc.then(|| self.osc_signal(byte == BEL)).flatten();
        }
        if self.may_end {
            // The ESC was the beginning of another sequence.
            self.state = State::Escape;
            return self.step(byte);
        }
        self.may_end = byte == ESC;
        if byte == b'\n' || self.string_bytes >= MAX_STRING_BYTES {
            self.state = State::Ground;
        } else if !self.may_end {
            if let Some(place) = self.osc.get_mut(self.string_bytes) {
                *place = byte;
            }
            self.string_bytes += 1;
        }
        None
    }

    fn osc_signal(&self, bell: bool) -> Option<Signal> {
        let query = match self.osc.get(..self.string_bytes)? {
            b"10;?" => Query::Foreground { bell },
            b"11;?" => Query::Background { bell },
            _ => return None,
        };
        Some(Signal::Query(query))
    }

    fn step_csi(&mut self, byte: u8) -> Option<Signal> {
        match byte {
            b'0'..=b'9' => {
                if let Some(parameter) = self.parameters.get_mut(self.parameter_index) {
                    let digit = u16::from(byte - b'0');
                    *parameter = parameter.saturating_mul(10).saturating_add(digit);
                }
            }
            b':' | b';' => self.parameter_index = (self.parameter_index + 1).min(MAX_PARAMETERS),
            0x20..=0x2f | 0x3c..=0x3f => self.kind = byte,
            _ => {
                self.state = State::Ground;
                return match self.kind {
                    0 => self.plain(byte),
                    b'?' => self.private_modes(byte),
                    b'>' if byte == b'c' && self.parameters[0] == 0 => {
                        Some(Signal::Query(Query::Version))
                    }
                    _ => None,
                };
            }
        }
        None
    }

    fn plain(&mut self, last: u8) -> Option<Signal> {
        let [first, second, ..] = self.parameters;
        let was_home = self.is_home;
        // Colours move nothing.
        self.is_home &= last == b'm';
        match last {
            b'H' | b'f' => {
                self.is_home = first <= 1 && second <= 1;
                (first > 1).then_some(Signal::Address)
            }
            b'd' if first > 1 => Some(Signal::Address),
            b'r' if first > 1 || second > 0 => Some(Signal::Address),
            b'J' if first == 2 || first == 0 && was_home => Some(Signal::Clear),
            b'c' if first == 0 => Some(Signal::Query(Query::Attributes)),
            b'n' if first == 5 => Some(Signal::Query(Query::Status)),
            b'n' if first == 6 => Some(Signal::Query(Query::Cursor)),
            b't' if first == 18 => Some(Signal::Query(Query::Size)),
            _ => None,
        }
    }

    fn private_modes(&mut self, last: u8) -> Option<Signal> {
        let is_set = match last {
            b'h' => true,
            b'l' => false,
            _ => return None,
        };
        let mut signal = None;
        for &mode in self.parameters.iter().take(self.parameter_index + 1) {
            match mode {
                1 => self.modes.application_cursor = is_set,
                25 => self.modes.cursor_visible = is_set,
                2004 => self.modes.bracketed_paste = is_set,
                47 | 1047 | 1049 if is_set => signal = Some(Signal::EnterAlternate),
                47 | 1047 | 1049 => signal = Some(Signal::LeaveAlternate),
                _ => {}
            }
        }
        signal
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signals(pieces: &[&[u8]]) -> Vec<Signal> {
        let mut watch = Watch::new();
        let mut found = Vec::new();
        for piece in pieces {
            let mut rest = *piece;
            while !rest.is_empty() {
                let (used, signal) = watch.next(rest);
                found.extend(signal);
                rest = &rest[used..];
            }
        }
        found
    }

    const OUTPUT: &[u8] = b"a\x1b[?1049;25h\x1b[H\x1b[J\x1b[2;3Hb\x1b[31m\x1b[3d\x1b[2J\x1b[2;9r\x1b[c\x1b[>c\x1b[5n\x1b[6n\
        \x1b]11;?\x1b\\\x1b]10;?\x07\x1b[18t\x1bP+q\x1b\\\x1b[?1049l\x1bc";

    #[test]
    fn signals_are_the_same_however_the_output_is_cut() {
        let whole = signals(&[OUTPUT]);
        let expected = [
            Signal::EnterAlternate,
            Signal::Clear,
            Signal::Address,
            Signal::Address,
            Signal::Clear,
            Signal::Address,
            Signal::Query(Query::Attributes),
            Signal::Query(Query::Version),
            Signal::Query(Query::Status),
            Signal::Query(Query::Cursor),
            Signal::Query(Query::Background { bell: false }),
            Signal::Query(Query::Foreground { bell: true }),
            Signal::Query(Query::Size),
            Signal::LeaveAlternate,
            Signal::LeaveAlternate,
        ];
        assert_eq!(whole, expected);
        for cut in 0..OUTPUT.len() {
            assert_eq!(signals(&[&OUTPUT[..cut], &OUTPUT[cut..]]), expected, "cut at {cut}");
        }
        let bytes: Vec<&[u8]> = OUTPUT.chunks(1).collect();
        assert_eq!(signals(&bytes), expected);
    }

    #[test]
    fn what_shells_and_progress_bars_write_is_no_signal() {
        for output in [
            "\x1b[31mred\x1b[0m\x1b[K\r\x1b[2A\x1b[3B\x1b[5G",
            "\x1b[H",
            "\x1b[Htext\x1b[J",
            "\x1b[J",
            "\x1b[r",
            "\x1b]0;title 11;?\x07",
            "\x1b]11;#000000\x07",
            "\x1b]4;1;?\x07",
            "\x1b[>0q",
            "\x1b[?6n",
            "\x1b[5\x18n",
            "\x1b]unterminated\n11;?\x07",
        ] {
            assert_eq!(signals(&[output.as_bytes()]), [], "{output:?}");
        }
    }
}
