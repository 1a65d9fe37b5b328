//! The escape sequence parser: which bytes belong to a sequence, and which edit or move it asks for.

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

/// What a sequence does to more than the current line. Counts and places are as sent, 0 when absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vertical {
    Up(u32),
    Down(u32),
    /// Down, and to the row's start.
    NextLine(u32),
    /// Up, and to the row's start.
    PreviousLine(u32),
    /// Go to a row and a column, counted from 1.
    Position(u32, u32),
    /// Go to a row, counted from 1.
    Row(u32),
    /// Erase from the cursor to the end of the screen (0), from its start to the cursor (1), or all (2, and 3 with what
    /// scrolled off).
    Erase(u32),
    /// Insert empty rows at the cursor's.
    InsertRows(u32),
    /// Remove rows, the cursor's first.
    DeleteRows(u32),
    /// Remember the cursor's place.
    Save,
    /// Go back to it.
    Restore,
    /// Show the alternate screen.
    Enter,
    /// Show the normal screen.
    Leave,
}

/// What became of one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// It belongs to the sequence.
    Consumed,
    /// It ended a sequence that edits the line.
    Edit(Edit),
    /// It ended a sequence that concerns other lines too.
    Vertical(Vertical),
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

/// Which kind of CSI one is, by a byte that is neither a parameter nor its last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    None,
    /// One question mark: modes of the terminal.
    Mode,
    /// It is none that we know.
    Other,
}

/// Parser state between two bytes; fixed size.
#[derive(Debug)]
pub(crate) struct Escape {
    state: State,
    /// Bytes of the open sequence, for the caps.
    length: usize,
    /// First two parameters of the open CSI.
    parameters: [u32; 2],
    /// Which of them digits belong to; further ones do not count.
    index: usize,
    /// What marks the open CSI.
    mark: Mark,
    /// The last byte of the open string was the lead of a C1 control.
    lead: bool,
}

impl Escape {
    pub(crate) fn new() -> Self {
        Self {
            state: State::Ground,
            length: 0,
            parameters: [0; 2],
            index: 0,
            mark: Mark::None,
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
            b'7' => return self.close(Step::Vertical(Vertical::Save)),
            b'8' => return self.close(Step::Vertical(Vertical::Restore)),
            _ => self.state = State::Ground,
        }
        Step::Consumed
    }

    fn step_control(&mut self, byte: u8) -> Step {
        match byte {
            b'0'..=b'9' => {
                if let Some(parameter) = self.parameters.get_mut(self.index) {
                    *parameter = (*parameter * 10 + u32::from(byte - b'0')).min(MAX_PARAMETER);
                }
                Step::Consumed
            }
            b':' | b';' => {
                self.index += 1;
                Step::Consumed
            }
            0x20..=0x2f | 0x3c..=0x3f => {
                let is_mode = byte == b'?' && self.mark == Mark::None;
                self.mark = if is_mode { Mark::Mode } else { Mark::Other };
                Step::Consumed
            }
            _ => {
                let step = match self.mark {
                    Mark::None => edit(byte, self.parameters[0])
                        .map(Step::Edit)
                        .or_else(|| vertical(byte, self.parameters).map(Step::Vertical)),
                    Mark::Mode => screen_mode(byte, self.parameters).map(Step::Vertical),
                    Mark::Other => None,
                };
                self.close(step.unwrap_or(Step::Consumed))
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

/// The edit a CSI with this final byte asks for. Sequences that concern other lines, colours or modes have none.
fn edit(last: u8, parameter: u32) -> Option<Edit> {
    Some(match last {
        b'K' => Edit::EraseLine(parameter),
        b'C' | b'a' => Edit::Right(parameter),
        b'D' => Edit::Left(parameter),
        b'G' | b'`' => Edit::Column(parameter),
        b'X' => Edit::EraseCharacters(parameter),
        b'P' => Edit::Delete(parameter),
        b'@' => Edit::Insert(parameter),
        _ => return None,
    })
}

/// What a CSI with this final byte does to more than the line.
fn vertical(last: u8, [first, second]: [u32; 2]) -> Option<Vertical> {
    Some(match last {
        b'A' => Vertical::Up(first),
        b'B' => Vertical::Down(first),
        b'E' => Vertical::NextLine(first),
        b'F' => Vertical::PreviousLine(first),
        b'H' | b'f' => Vertical::Position(first, second),
        b'd' => Vertical::Row(first),
        b'J' if first <= 3 => Vertical::Erase(first),
        b'L' => Vertical::InsertRows(first),
        b'M' => Vertical::DeleteRows(first),
        // With parameters it is a margin.
        b's' if first == 0 && second == 0 => Vertical::Save,
        b'u' if first == 0 && second == 0 => Vertical::Restore,
        _ => return None,
    })
}

/// What the change of a terminal's modes does to the screen.
fn screen_mode(last: u8, modes: [u32; 2]) -> Option<Vertical> {
    if !modes.iter().any(|mode| matches!(mode, 47 | 1047 | 1049)) {
        return None;
    }
    match last {
        b'h' => Some(Vertical::Enter),
        b'l' => Some(Vertical::Leave),
        _ => None,
    }
}
