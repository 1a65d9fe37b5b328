//! The escape sequence parser: which bytes belong to a sequence, and which edit of the line it asks for.

/// Longest control sequence (CSI, charset designation) followed; the rest of a longer one is text.
pub const SEQUENCE_CAP_BYTES: usize = 256;

/// Longest control string (OSC, DCS, SOS, PM, APC) followed; the rest of a longer one is text.
pub const STRING_CAP_BYTES: usize = 4 << 10;

/// Largest number read from a parameter; it is above every column that exists.
const MAX_PARAMETER: u32 = 1 << 20;

const BEL: u8 = 0x07;
const CAN: u8 = 0x18;
const SUB: u8 = 0x1a;
pub(crate) const ESC: u8 = 0x1b;

/// What a control sequence does to the current line. Counts are as sent, 0 when absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edit {
    /// Blank from the cursor to the end (0), from the start to the cursor (1), or all (2).
    EraseLine(u32),
    /// Move right.
    Right(u32),
    /// Move left.
    Left(u32),
    /// Go to a column, counted from 1.
    Column(u32),
    /// Blank characters from the cursor on.
    EraseCharacters(u32),
    /// Remove characters at the cursor.
    Delete(u32),
    /// Insert blanks at the cursor.
    Insert(u32),
}

/// What became of one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// It belongs to the sequence.
    Consumed,
    /// It ended a sequence that edits the line.
    Edit(Edit),
    /// A control inside a sequence: it takes effect at once and the sequence goes on.
    Execute,
    /// The sequence is over and the byte is not part of it: read it again as text.
    Rejected,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// No sequence is open.
    Ground,
    /// After ESC.
    Escape,
    /// After ESC and at least one intermediate byte.
    Intermediate,
    /// Inside a CSI.
    Control,
    /// Inside a control string, which only BEL, ESC, ST, CAN, SUB, a newline or the cap ends.
    Text,
}

/// Parser state between two bytes; fixed size.
#[derive(Debug)]
pub(crate) struct Escape {
    state: State,
    /// Bytes of the open sequence, for the caps.
    length: usize,
    /// First parameter of the open CSI.
    parameter: u32,
    /// The open CSI has a second parameter, so digits no longer count.
    further: bool,
    /// The open CSI has a private marker or an intermediate: it is none that we know.
    private: bool,
    /// The last byte of the open string was the lead of a C1 control.
    lead: bool,
}

impl Escape {
    pub(crate) fn new() -> Self {
        Self {
            state: State::Ground,
            length: 0,
            parameter: 0,
            further: false,
            private: false,
            lead: false,
        }
    }

    /// True while a sequence is open and wants the next byte.
    pub(crate) fn is_open(&self) -> bool {
        self.state != State::Ground
    }

    /// An ESC was read.
    pub(crate) fn start(&mut self) {
        self.open(State::Escape);
    }

    /// A C1 control was read; `second` is its number, 0x80..=0x9f. Most have no effect here.
    pub(crate) fn start_c1(&mut self, second: u8) {
        match second {
            0x9b => self.open(State::Control),
            0x90 | 0x98 | 0x9d | 0x9e | 0x9f => self.open(State::Text),
            _ => {}
        }
    }

    fn open(&mut self, state: State) {
        *self = Self { state, ..Self::new() };
    }

    fn close(&mut self, step: Step) -> Step {
        self.state = State::Ground;
        step
    }

    /// Takes one byte. Call only while [`Escape::is_open`].
    pub(crate) fn step(&mut self, byte: u8) -> Step {
        self.length += 1;
        match byte {
            ESC => {
                self.open(State::Escape);
                return Step::Consumed;
            }
            CAN | SUB => return self.close(Step::Consumed),
            b'\n' => return self.close(Step::Rejected),
            _ => {}
        }
        if self.state == State::Text {
            return self.step_text(byte);
        }
        match byte {
            0x00..=0x1f => return Step::Execute,
            0x7f => return Step::Consumed,
            0x80.. => return self.close(Step::Rejected),
            _ if self.length > SEQUENCE_CAP_BYTES => return self.close(Step::Rejected),
            _ => {}
        }
        match self.state {
            State::Escape => self.step_escape(byte),
            State::Intermediate if byte >= 0x30 => self.close(Step::Consumed),
            State::Control => self.step_control(byte),
            _ => Step::Consumed,
        }
    }

    fn step_escape(&mut self, byte: u8) -> Step {
        match byte {
            b'[' => self.open(State::Control),
            b']' | b'P' | b'X' | b'^' | b'_' => self.open(State::Text),
            0x20..=0x2f => self.state = State::Intermediate,
            _ => self.state = State::Ground,
        }
        Step::Consumed
    }

    fn step_control(&mut self, byte: u8) -> Step {
        match byte {
            b'0'..=b'9' => {
                if !self.further {
                    let digit = u32::from(byte - b'0');
                    self.parameter = (self.parameter * 10 + digit).min(MAX_PARAMETER);
                }
                Step::Consumed
            }
            b':' | b';' => {
                self.further = true;
                Step::Consumed
            }
            0x20..=0x2f | 0x3c..=0x3f => {
                self.private = true;
                Step::Consumed
            }
            _ => {
                let step = if self.private { None } else { edit(byte, self.parameter) };
                self.close(step.map_or(Step::Consumed, Step::Edit))
            }
        }
    }

    fn step_text(&mut self, byte: u8) -> Step {
        let string_terminator = self.lead && byte == 0x9c;
        self.lead = byte == 0xc2;
        if byte == BEL || string_terminator {
            return self.close(Step::Consumed);
        }
        // Past the cap a byte that continues a character still belongs to the string, so that none is cut in two.
        if self.length > STRING_CAP_BYTES && !(0x80..0xc0).contains(&byte) {
            return self.close(Step::Rejected);
        }
        Step::Consumed
    }
}

/// The edit a CSI with this final byte asks for. Sequences that only concern other lines, colours or modes have none.
fn edit(last: u8, parameter: u32) -> Option<Edit> {
    Some(match last {
        b'K' => Edit::EraseLine(parameter),
        // Erasing to the end of the screen begins with the rest of this line.
        b'J' if parameter == 0 => Edit::EraseLine(0),
        b'C' | b'a' => Edit::Right(parameter),
        b'D' => Edit::Left(parameter),
        b'G' | b'`' => Edit::Column(parameter),
        b'X' => Edit::EraseCharacters(parameter),
        b'P' => Edit::Delete(parameter),
        b'@' => Edit::Insert(parameter),
        _ => return None,
    })
}
