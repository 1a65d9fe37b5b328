//! The escape sequence parser: which bytes belong to a sequence, and which edit or move it asks for.

/// Longest control sequence (CSI, charset designation) that is recognised; further bytes of a longer one are text.
pub const SEQUENCE_CAP_BYTES: usize = 256;

/// Longest control string (OSC, DCS, SOS, PM, APC) that is recognised; further bytes of a longer one are text.
pub const STRING_CAP_BYTES: usize = 4 << 10;

/// Largest number read from a parameter; it is above every column that exists.
const MAX_PARAMETER: u32 = 1 << 20;

const BEL: u8 = 0x07;
const CAN: u8 = 0x18;
const SUB: u8 = 0x1a;
pub(crate) const ESC: u8 = 0x1b;

/// An edit of the current line by a control sequence. Numbers are as sent, 0 when absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineEdit {
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
    /// Write the last character again.
    Repeat(u32),
}

/// An edit of other lines than the current one, or a move between lines. Numbers are as sent, 0 when absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScreenEdit {
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
    /// Insert empty rows at the cursor.
    InsertRows(u32),
    /// Remove rows, beginning with that of the cursor.
    DeleteRows(u32),
    /// Save the cursor position.
    Save,
    /// Go to the saved cursor position.
    Restore,
    /// Show the alternate screen.
    EnterAlternate,
    /// Show the normal screen.
    LeaveAlternate,
}

/// The effect of one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// The byte belongs to the sequence.
    Consumed,
    /// The byte ended a sequence that edits the line.
    LineEdit(LineEdit),
    /// The byte ended a sequence that concerns other lines too.
    ScreenEdit(ScreenEdit),
    /// The byte is a control inside a sequence: it takes effect at once and the sequence goes on.
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
    Csi,
    /// Inside a control string, which only BEL, ESC, ST, CAN, SUB, a newline or the cap ends.
    ControlString,
}

/// The kind of a CSI, by its bytes that are neither parameters nor the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CsiKind {
    None,
    /// One question mark: the sequence sets private modes of the terminal.
    PrivateMode,
    /// Another kind, which has no effect here.
    Other,
}

/// Parser state between two bytes; fixed size.
#[derive(Debug)]
pub(crate) struct Escape {
    state: State,
    /// Number of bytes of the open sequence, for its longest length.
    byte_count: usize,
    /// First two parameters of the open CSI.
    parameters: [u32; 2],
    /// Index of the parameter that digits belong to; those after the second are ignored.
    parameter_index: usize,
    /// The kind of the open CSI.
    kind: CsiKind,
    /// Whether the last byte of the open string was the lead byte of a C1 control.
    after_c1_lead: bool,
}

impl Escape {
    pub(crate) fn new() -> Self {
        Self {
            state: State::Ground,
            byte_count: 0,
            parameters: [0; 2],
            parameter_index: 0,
            kind: CsiKind::None,
            after_c1_lead: false,
        }
    }

    /// Whether a sequence is open, so that the next byte belongs to it.
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
            0x9b => self.open(State::Csi),
            0x90 | 0x98 | 0x9d | 0x9e | 0x9f => self.open(State::ControlString),
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
        self.byte_count += 1;
        match byte {
            ESC => {
                self.open(State::Escape);
                return Step::Consumed;
            }
            CAN | SUB => return self.close(Step::Consumed),
            b'\n' => return self.close(Step::Rejected),
            _ => {}
        }
        if self.state == State::ControlString {
            return self.step_string(byte);
        }
        match byte {
            0x00..=0x1f => return Step::Execute,
            0x7f => return Step::Consumed,
            0x80.. => return self.close(Step::Rejected),
            _ if self.byte_count > SEQUENCE_CAP_BYTES => return self.close(Step::Rejected),
            _ => {}
        }
        match self.state {
            State::Escape => self.step_escape(byte),
            State::Intermediate if byte >= 0x30 => self.close(Step::Consumed),
            State::Csi => self.step_csi(byte),
            _ => Step::Consumed,
        }
    }

    fn step_escape(&mut self, byte: u8) -> Step {
        match byte {
            b'[' => self.open(State::Csi),
            b']' | b'P' | b'X' | b'^' | b'_' => self.open(State::ControlString),
            0x20..=0x2f => self.state = State::Intermediate,
            b'7' => return self.close(Step::ScreenEdit(ScreenEdit::Save)),
            b'8' => return self.close(Step::ScreenEdit(ScreenEdit::Restore)),
            _ => self.state = State::Ground,
        }
        Step::Consumed
    }

    fn step_csi(&mut self, byte: u8) -> Step {
        match byte {
            b'0'..=b'9' => {
                if let Some(parameter) = self.parameters.get_mut(self.parameter_index) {
                    *parameter = (*parameter * 10 + u32::from(byte - b'0')).min(MAX_PARAMETER);
                }
                Step::Consumed
            }
            b':' | b';' => {
                self.parameter_index += 1;
                Step::Consumed
            }
            0x20..=0x2f | 0x3c..=0x3f => {
                let is_private_mode = byte == b'?' && self.kind == CsiKind::None;
                self.kind = if is_private_mode { CsiKind::PrivateMode } else { CsiKind::Other };
                Step::Consumed
            }
            _ => {
                let step = match self.kind {
                    CsiKind::None => line_edit(byte, self.parameters[0])
                        .map(Step::LineEdit)
                        .or_else(|| screen_edit(byte, self.parameters).map(Step::ScreenEdit)),
                    CsiKind::PrivateMode => {
                        screen_mode(byte, self.parameters).map(Step::ScreenEdit)
                    }
                    CsiKind::Other => None,
                };
                self.close(step.unwrap_or(Step::Consumed))
            }
        }
    }

    fn step_string(&mut self, byte: u8) -> Step {
        let is_string_terminator = self.after_c1_lead && byte == 0x9c;
        self.after_c1_lead = byte == 0xc2;
        if byte == BEL || is_string_terminator {
            return self.close(Step::Consumed);
        }
        // Beyond the longest length a continuation byte still belongs to the string, so that no character is cut.
        if self.byte_count > STRING_CAP_BYTES && !(0x80..0xc0).contains(&byte) {
            return self.close(Step::Rejected);
        }
        Step::Consumed
    }
}

/// The edit of the line that a CSI with this last byte asks for; `None` for any other CSI.
fn line_edit(last: u8, parameter: u32) -> Option<LineEdit> {
    Some(match last {
        b'K' => LineEdit::EraseLine(parameter),
        b'C' | b'a' => LineEdit::Right(parameter),
        b'D' => LineEdit::Left(parameter),
        b'G' | b'`' => LineEdit::Column(parameter),
        b'X' => LineEdit::EraseCharacters(parameter),
        b'P' => LineEdit::Delete(parameter),
        b'@' => LineEdit::Insert(parameter),
        b'b' => LineEdit::Repeat(parameter),
        _ => return None,
    })
}

/// The edit of the screen that a CSI with this last byte asks for; `None` for any other CSI.
fn screen_edit(last: u8, [first, second]: [u32; 2]) -> Option<ScreenEdit> {
    Some(match last {
        b'A' => ScreenEdit::Up(first),
        b'B' => ScreenEdit::Down(first),
        b'E' => ScreenEdit::NextLine(first),
        b'F' => ScreenEdit::PreviousLine(first),
        b'H' | b'f' => ScreenEdit::Position(first, second),
        b'd' => ScreenEdit::Row(first),
        b'J' if first <= 3 => ScreenEdit::Erase(first),
        b'L' => ScreenEdit::InsertRows(first),
        b'M' => ScreenEdit::DeleteRows(first),
        // With parameters the sequence sets margins.
        b's' if first == 0 && second == 0 => ScreenEdit::Save,
        b'u' if first == 0 && second == 0 => ScreenEdit::Restore,
        _ => return None,
    })
}

/// The edit of the screen that setting or resetting these private modes asks for.
fn screen_mode(last: u8, modes: [u32; 2]) -> Option<ScreenEdit> {
    if !modes.iter().any(|mode| matches!(mode, 47 | 1047 | 1049)) {
        return None;
    }
    match last {
        b'h' => Some(ScreenEdit::EnterAlternate),
        b'l' => Some(ScreenEdit::LeaveAlternate),
        _ => None,
    }
}
