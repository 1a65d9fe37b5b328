//! The streaming cleaner: decodes bytes, drops escape sequences, and applies those that overwrite text.

use crate::escape::{ESC, Escape, Step};
use crate::line::Line;
use crate::plain;
use crate::region::Screen;

/// Replaces an invalid piece of UTF-8.
const REPLACEMENT_CHARACTER: &[u8] = "\u{fffd}".as_bytes();

/// Longest parameters of a colour sequence that is skipped without the parser.
const MAX_COLOUR_BYTES: usize = 24;

/// Shorter pieces of text are joined before they are written to the line.
const MAX_JOINED_BYTES: usize = 4 << 10;

/// Turns the bytes of a terminal into text.
///
/// - The output is valid UTF-8; each maximal invalid piece of the input becomes one U+FFFD.
/// - Its only control characters are newline and tab. Escape sequences are gone.
/// - Carriage returns, backspaces and edits within the line have been applied: of a progress bar only the last state is
///   left.
/// - The output depends on the bytes alone, never on how they were cut into pieces.
///
/// The current line is kept until it ends; memory is bounded by [`crate::MAX_LINE_BYTES`]. Lines that were passed to the sink
/// are never changed.
///
/// Without [`Self::with_columns`] a program that repaints leaves its first frame and its last one. The first move to another
/// row (CSI A, B, E, F, H, f, d, L, M; ESC 7 and CSI s, for the way back), the first erasing of the whole screen (CSI J) or
/// the alternate screen (modes 47, 1047, 1049) begins a region: from the current line on,
/// [`crate::MAX_REGION_ROWS`] rows and [`crate::MAX_REGION_CHARS`] characters are held and can be written over. The oldest row
/// beyond that is final, and all are when the text ends or the alternate screen is left. Rows above the region stay as
/// they were; text that is written into them comes below them. Scroll regions, scrolling (CSI S and T), reverse index, a
/// full reset (ESC c) and the height of the terminal are ignored.
pub struct Cleaner {
    line: Line,
    screen: Screen,
    escape: Escape,
    /// First bytes of a character that the input so far does not complete.
    partial: [u8; 4],
    /// Bytes in `partial`; at most 3 between two calls.
    partial_bytes: usize,
    /// Joined short pieces of text, between which there were colours, line ends or invalid bytes; empty between two calls.
    joined_text: Vec<u8>,
}

impl std::fmt::Debug for Cleaner {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The kept line has not been redacted, so it must not appear in a log.
        formatter.debug_struct("Cleaner").finish_non_exhaustive()
    }
}

impl Default for Cleaner {
    fn default() -> Self {
        Self::new()
    }
}

impl Cleaner {
    /// A cleaner at the start of a text that was written for a terminal of any width.
    pub fn new() -> Self {
        Self::with(usize::MAX, true)
    }

    /// A cleaner for text that was written to a terminal of this many columns. Sequences that move between lines have no
    /// effect, and each line is passed to the sink when it ends. A line that the terminal wraps stays one line:
    /// a carriage return goes to the start of the terminal's row, so that a program that wraps by itself (a character in
    /// the last column, a blank, a carriage return, as line editors do) does not write over what came before.
    pub fn with_columns(columns: usize) -> Self {
        Self::with(columns, false)
    }

    fn with(columns: usize, vertical: bool) -> Self {
        Self {
            line: Line::new(columns),
            screen: Screen::new(vertical),
            escape: Escape::new(),
            partial: [0; 4],
            partial_bytes: 0,
            joined_text: Vec::new(),
        }
    }

    /// Takes the next bytes and passes to the sink the text that has become final.
    pub fn push(&mut self, input: &[u8], sink: &mut impl FnMut(&[u8])) {
        let mut unread = input;
        while let Some(&first) = unread.first() {
            if self.escape.is_open() {
                match self.escape.step(first) {
                    Step::Consumed => {}
                    Step::LineEdit(edit) => self.line.edit(edit),
                    Step::ScreenEdit(vertical) => self.screen.apply(&mut self.line, vertical, sink),
                    Step::Execute => self.control(first, sink),
                    Step::Rejected => continue,
                }
                unread = &unread[1..];
            } else if self.partial_bytes > 0 {
                unread = self.complete_character(unread, sink);
            } else {
                unread = self.read_text(unread, sink);
            }
        }
        self.line.flush(sink);
    }

    /// Whether bytes were taken whose text was not passed to the sink yet.
    pub fn is_holding(&self) -> bool {
        self.is_inside() || self.screen.is_open() || self.line.is_holding()
    }

    /// The current line, as long as it was only appended to, without a character that is not complete. Empty inside a
    /// sequence, after the cursor was moved, and while rows above the line can still change.
    pub fn unfinished(&self) -> &[u8] {
        if self.escape.is_open() || self.screen.is_open() { &[] } else { self.line.unfinished() }
    }

    /// The current line as it would be if it ended now. It may still be overwritten.
    pub fn current(&self) -> Vec<u8> {
        self.line.current()
    }

    /// Whether the input ends inside an escape sequence or a character.
    pub fn is_inside(&self) -> bool {
        self.escape.is_open() || self.partial_bytes > 0
    }

    /// The last bytes before the cursor in the current line, in whole characters, at least `limit` if there are so many; empty
    /// where the cursor is far from the end of the line. Takes time for `limit` bytes, however long the line is.
    pub fn before_cursor(&self, limit: usize) -> Vec<u8> {
        self.line.before_cursor(limit)
    }

    /// Ends the current line where another writer begins, though the terminal stays in its row: the following text has only
    /// the remaining columns of the row. All kept rows are final. Without a current line only an open sequence or character
    /// is dropped.
    pub fn end_line(&mut self, sink: &mut impl FnMut(&[u8])) {
        if self.partial_bytes > 0 {
            self.write(REPLACEMENT_CHARACTER, sink);
            self.partial_bytes = 0;
        }
        self.escape = Escape::new();
        self.screen.close(&mut self.line, true, sink);
        self.line.break_here();
        self.line.flush(sink);
    }

    /// Ends the text: passes the last line to the sink, and starts again.
    pub fn finish(&mut self, sink: &mut impl FnMut(&[u8])) {
        if self.partial_bytes > 0 {
            self.write(REPLACEMENT_CHARACTER, sink);
            self.partial_bytes = 0;
        }
        self.escape = Escape::new();
        self.screen.close(&mut self.line, false, sink);
        self.line.finish(sink);
    }

    /// Writes decoded text at the cursor.
    fn write(&mut self, text: &[u8], sink: &mut impl FnMut(&[u8])) {
        self.screen.write(&mut self.line, text, sink);
    }

    /// Reads text up to the next control with an effect, and then that control.
    fn read_text<'a>(&mut self, input: &'a [u8], sink: &mut impl FnMut(&[u8])) -> &'a [u8] {
        let mut unread = input;
        loop {
            let run = plain::run(unread);
            let (text, after) = unread.split_at(run.len);
            let Some(skipped) = ineffective_length(after) else {
                self.take_text(text, run.ascii, after.is_empty(), sink);
                self.write_joined(sink);
                return if self.partial_bytes > 0 { after } else { self.read_control(after, sink) };
            };
            self.take_text(text, run.ascii, false, sink);
            unread = &after[skipped..];
        }
    }

    /// Reads the control at the start of `input`, which is empty when there is none.
    fn read_control<'a>(&mut self, input: &'a [u8], sink: &mut impl FnMut(&[u8])) -> &'a [u8] {
        if let Some(second) = plain::c1_at(input) {
            self.escape.start_c1(second);
            return &input[2..];
        }
        let Some((&control, after)) = input.split_first() else { return input };
        if control == ESC {
            self.escape.start();
        } else if plain::is_dropped(control) {
            // Dropped controls often come in long rows, as NUL does in binary data.
            let row = after.iter().position(|&byte| !plain::is_dropped(byte));
            return &after[row.unwrap_or(after.len())..];
        } else {
            self.control(control, sink);
            if control == b'\r' {
                let row = after.iter().position(|&byte| byte != b'\r');
                return &after[row.unwrap_or(after.len())..];
            }
        }
        after
    }

    /// Takes a piece of text. A long piece is written to the line at once, a short one is joined with the next pieces.
    fn take_text(&mut self, text: &[u8], ascii: bool, last: bool, sink: &mut impl FnMut(&[u8])) {
        if ascii && text.len() < MAX_JOINED_BYTES {
            self.joined_text.extend_from_slice(text);
            if self.joined_text.len() >= MAX_JOINED_BYTES {
                self.write_joined(sink);
            }
            return;
        }
        self.write_joined(sink);
        if ascii {
            self.write(text, sink);
        } else {
            self.decode(text, last, sink);
        }
    }

    /// Writes the joined text to the line.
    fn write_joined(&mut self, sink: &mut impl FnMut(&[u8])) {
        if !self.joined_text.is_empty() {
            self.screen.write(&mut self.line, &self.joined_text, sink);
            self.joined_text.clear();
        }
    }

    fn control(&mut self, byte: u8, sink: &mut impl FnMut(&[u8])) {
        match byte {
            b'\r' => self.line.carriage_return(),
            0x08 => self.line.backspace(),
            b'\t' => self.write(b"\t", sink),
            _ => {}
        }
    }

    /// Writes text that is not all ASCII. When `last` is set, the input ends with it and its last character may be incomplete.
    fn decode(&mut self, mut text: &[u8], last: bool, sink: &mut impl FnMut(&[u8])) {
        loop {
            let Err(error) = std::str::from_utf8(text) else {
                self.write_joined(sink);
                return self.write(text, sink);
            };
            let (valid, unread) = text.split_at(error.valid_up_to());
            if valid.len() < MAX_JOINED_BYTES {
                self.joined_text.extend_from_slice(valid);
            } else {
                self.write_joined(sink);
                self.write(valid, sink);
            }
            if error.error_len().is_none() && last {
                self.partial[..unread.len()].copy_from_slice(unread);
                self.partial_bytes = unread.len();
                return self.write_joined(sink);
            }
            // Invalid bytes often come in long rows, as in binary data.
            self.joined_text.extend_from_slice(REPLACEMENT_CHARACTER);
            if self.joined_text.len() >= MAX_JOINED_BYTES {
                self.write_joined(sink);
            }
            text = &unread[error.error_len().unwrap_or(unread.len())..];
        }
    }

    /// Adds a byte to a character whose first bytes came in an earlier call.
    fn complete_character<'a>(
        &mut self,
        input: &'a [u8],
        sink: &mut impl FnMut(&[u8]),
    ) -> &'a [u8] {
        let mut candidate = self.partial;
        candidate[self.partial_bytes] = input[0];
        let candidate = &candidate[..=self.partial_bytes];
        match std::str::from_utf8(candidate) {
            Ok(_) => {
                self.partial_bytes = 0;
                if let Some(second) = plain::c1_at(candidate) {
                    self.escape.start_c1(second);
                } else {
                    self.write(candidate, sink);
                }
            }
            Err(error) if error.error_len().is_none() => {
                self.partial[self.partial_bytes] = input[0];
                self.partial_bytes += 1;
            }
            Err(_) => {
                self.partial_bytes = 0;
                self.write(REPLACEMENT_CHARACTER, sink);
                return input;
            }
        }
        &input[1..]
    }
}

/// Length of the most frequent bytes after a text that have no effect on it: a complete colour sequence, or the carriage
/// return before a newline. `None` for other bytes.
fn ineffective_length(after: &[u8]) -> Option<usize> {
    match after {
        [ESC, b'[', parameters @ ..] => {
            let end = parameters
                .iter()
                .take(MAX_COLOUR_BYTES)
                .position(|byte| !(0x30..=0x3b).contains(byte))?;
            (parameters[end] == b'm').then_some(end + 3)
        }
        [b'\r', b'\n', ..] => Some(1),
        _ => None,
    }
}

/// The text of a finished output: [`Cleaner::new`] in one call.
pub fn sanitize(bytes: &[u8]) -> String {
    let mut text = Vec::with_capacity(bytes.len());
    let mut cleaner = Cleaner::new();
    cleaner.push(bytes, &mut |piece| text.extend_from_slice(piece));
    cleaner.finish(&mut |piece| text.extend_from_slice(piece));
    into_string(text)
}

/// The bytes as a string. They are valid UTF-8; should they not be, invalid pieces are replaced.
pub(crate) fn into_string(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
