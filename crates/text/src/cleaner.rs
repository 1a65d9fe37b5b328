//! The streaming cleaner: decodes, drops escape sequences, applies what overwrites the text.

use crate::escape::{ESC, Escape, Step};
use crate::line::Line;
use crate::plain;
use crate::region::Screen;

/// What an invalid piece of UTF-8 becomes.
const REPLACEMENT: &[u8] = "\u{fffd}".as_bytes();

/// Longest colour sequence skipped without the parser.
const COLOUR_BYTES: usize = 24;

/// Text shorter than this is gathered before the line sees it.
const JOINED_BYTES: usize = 4 << 10;

/// Turns the bytes of a terminal into text.
///
/// - The output is valid UTF-8; each maximal invalid piece of the input becomes one U+FFFD.
/// - Its only control characters are newline and tab. Escape sequences are gone.
/// - Carriage returns, backspaces and edits within the line have been applied: what is left of a progress bar is its
///   last state.
/// - It depends on the bytes alone, never on how they were cut into pieces.
///
/// The current line is held back until it ends; memory is bounded by [`crate::MAX_LINE_BYTES`]. Lines that were handed on are
/// never changed.
///
/// Without [`Self::with_columns`] a program that repaints leaves its first frame and its last one. The first move to another
/// row (CSI A, B, E, F, H, f, d, L, M; ESC 7 and CSI s, for the way back), the first erasing of the whole screen (CSI J) or
/// the alternate screen (modes 47, 1047, 1049) begins a region: from the current line on,
/// [`crate::MAX_REGION_ROWS`] rows and [`crate::MAX_REGION_CHARS`] characters are held and can be written over. The oldest row
/// beyond that is final, and all are when the text ends or the alternate screen is left. Rows above the region stand in
/// its place as they were; what is written into them comes below them. Scroll regions, scrolling (CSI S and T), reverse
/// index, a full reset (ESC c) and the height of the terminal are not known.
pub struct Cleaner {
    line: Line,
    screen: Screen,
    escape: Escape,
    /// Start of a character that the input so far does not complete.
    partial: [u8; 4],
    /// Bytes in `partial`; at most 3 between two calls.
    partial_bytes: usize,
    /// Short pieces of text that colours, line ends or invalid bytes had divided; empty between two calls.
    joined: Vec<u8>,
}

impl std::fmt::Debug for Cleaner {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The held line has not been redacted: it does not belong in a log.
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

    /// A cleaner for what was written to a terminal of this many columns, line by line: sequences that move between lines have
    /// no effect, and each line is handed on when it ends. A line that the terminal wraps stays one line:
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
            joined: Vec::new(),
        }
    }

    /// Takes the next bytes and hands on what has become final.
    pub fn push(&mut self, input: &[u8], sink: &mut impl FnMut(&[u8])) {
        let mut rest = input;
        while let Some(&first) = rest.first() {
            if self.escape.is_open() {
                match self.escape.step(first) {
                    Step::Consumed => {}
                    Step::Edit(edit) => self.line.edit(edit),
                    Step::Vertical(vertical) => self.screen.apply(&mut self.line, vertical, sink),
                    Step::Execute => self.control(first, sink),
                    Step::Rejected => continue,
                }
                rest = &rest[1..];
            } else if self.partial_bytes > 0 {
                rest = self.complete(rest, sink);
            } else {
                rest = self.ground(rest, sink);
            }
        }
        self.line.flush(sink);
    }

    /// Whether something was taken that has not been handed on.
    pub fn is_holding(&self) -> bool {
        self.is_inside() || self.screen.is_open() || self.line.is_holding()
    }

    /// The current line, as long as it was only appended to; nothing where it may begin with something else, or rows above it
    /// are held.
    pub fn unfinished(&self) -> &[u8] {
        if self.is_inside() || self.screen.is_open() { &[] } else { self.line.unfinished() }
    }

    /// The current line as it would be, were it to end now. It may still be written over.
    pub fn current(&self) -> Vec<u8> {
        self.line.current()
    }

    /// Whether the input ends inside an escape sequence or a character.
    pub fn is_inside(&self) -> bool {
        self.escape.is_open() || self.partial_bytes > 0
    }

    /// The last bytes before the cursor in the current line, whole characters, at least `limit` if there are so many; nothing where the
    /// cursor is far from the end of the line. Takes time for `limit` bytes, however long the line is.
    pub fn before_cursor(&self, limit: usize) -> Vec<u8> {
        self.line.before_cursor(limit)
    }

    /// Ends the current line where somebody else begins to write, though the terminal stays in its row: for what comes, a row
    /// is as long as it was. All held rows are final. Without a current line only what was begun of a sequence or a character is dropped.
    pub fn end_line(&mut self, sink: &mut impl FnMut(&[u8])) {
        if self.partial_bytes > 0 {
            self.write(REPLACEMENT, sink);
            self.partial_bytes = 0;
        }
        self.escape = Escape::new();
        self.screen.close(&mut self.line, true, sink);
        self.line.break_here();
        self.line.flush(sink);
    }

    /// Ends the text: hands on the last line and is as new.
    pub fn finish(&mut self, sink: &mut impl FnMut(&[u8])) {
        if self.partial_bytes > 0 {
            self.write(REPLACEMENT, sink);
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

    /// Reads text up to the next control that has an effect, and then that control.
    fn ground<'a>(&mut self, input: &'a [u8], sink: &mut impl FnMut(&[u8])) -> &'a [u8] {
        let mut rest = input;
        loop {
            let run = plain::run(rest);
            let (text, after) = rest.split_at(run.len);
            let Some(skipped) = without_effect(after) else {
                self.join(text, run.ascii, after.is_empty(), sink);
                self.hand_over(sink);
                return if self.partial_bytes > 0 {
                    after
                } else {
                    self.ground_control(after, sink)
                };
            };
            self.join(text, run.ascii, false, sink);
            rest = &after[skipped..];
        }
    }

    /// Reads the control at the start of `input`, which is empty when there is none.
    fn ground_control<'a>(&mut self, input: &'a [u8], sink: &mut impl FnMut(&[u8])) -> &'a [u8] {
        if let Some(second) = plain::c1_at(input) {
            self.escape.start_c1(second);
            return &input[2..];
        }
        let Some((&control, after)) = input.split_first() else { return input };
        if control == ESC {
            self.escape.start();
        } else if plain::is_dropped(control) {
            // They come in long rows, as in binary data: NUL above all.
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

    /// Takes a stretch of text, which goes to the line at once when it is long and with its neighbours when it is short.
    fn join(&mut self, text: &[u8], ascii: bool, last: bool, sink: &mut impl FnMut(&[u8])) {
        if ascii && text.len() < JOINED_BYTES {
            self.joined.extend_from_slice(text);
            if self.joined.len() >= JOINED_BYTES {
                self.hand_over(sink);
            }
            return;
        }
        self.hand_over(sink);
        if ascii {
            self.write(text, sink);
        } else {
            self.decode(text, last, sink);
        }
    }

    /// Hands the joined text to the line.
    fn hand_over(&mut self, sink: &mut impl FnMut(&[u8])) {
        if !self.joined.is_empty() {
            self.screen.write(&mut self.line, &self.joined, sink);
            self.joined.clear();
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

    /// Writes text that is not all ASCII. `last` says that the input ends with it, so that a character may go on.
    fn decode(&mut self, mut text: &[u8], last: bool, sink: &mut impl FnMut(&[u8])) {
        loop {
            let Err(error) = std::str::from_utf8(text) else {
                self.hand_over(sink);
                return self.write(text, sink);
            };
            let (valid, rest) = text.split_at(error.valid_up_to());
            if valid.len() < JOINED_BYTES {
                self.joined.extend_from_slice(valid);
            } else {
                self.hand_over(sink);
                self.write(valid, sink);
            }
            if error.error_len().is_none() && last {
                self.partial[..rest.len()].copy_from_slice(rest);
                self.partial_bytes = rest.len();
                return self.hand_over(sink);
            }
            // They come in long rows, as in binary data.
            self.joined.extend_from_slice(REPLACEMENT);
            if self.joined.len() >= JOINED_BYTES {
                self.hand_over(sink);
            }
            text = &rest[error.error_len().unwrap_or(rest.len())..];
        }
    }

    /// Goes on with a character whose first bytes came in an earlier call.
    fn complete<'a>(&mut self, input: &'a [u8], sink: &mut impl FnMut(&[u8])) -> &'a [u8] {
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
                self.write(REPLACEMENT, sink);
                return input;
            }
        }
        &input[1..]
    }
}

/// Length of what `after` a text does nothing to it and is most frequent: a complete colour sequence, or the carriage
/// return before a newline.
fn without_effect(after: &[u8]) -> Option<usize> {
    match after {
        [ESC, b'[', parameters @ ..] => {
            let end = parameters
                .iter()
                .take(COLOUR_BYTES)
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

/// The bytes as a string. They are valid already; were they not, they would be repaired rather than lost.
pub(crate) fn into_string(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
