//! The line under the cursor: text is appended to it until something moves the cursor back.

mod editing;
#[cfg(test)]
mod tests;

use crate::counts;

/// Longest line that stays open to edits. When one more character would not fit, its first half is final.
pub const MAX_LINE_BYTES: usize = 64 << 10;

/// A move to the right stops at this column unless the line already reaches further.
pub const JUMP_COLUMNS: usize = 512;

/// Finished lines are passed to the sink when they have this many bytes together.
pub(crate) const FLUSH_BYTES: usize = 32 << 10;

/// Unused memory that a row may keep when the cursor leaves it, beside three times its length.
const MAX_SPARE_BYTES: usize = 1 << 10;

/// Finished lines with at least this many bytes are passed to the sink without a copy.
const MIN_DIRECT_BYTES: usize = 1 << 10;

/// Finished output waiting for the sink, and the current line.
///
/// The current line is `buffer[open_start..]`, or `cells` once a character in it had to be found by its column; the output is
/// the same for both. One character is one column.
pub(crate) struct Line {
    buffer: Vec<u8>,
    /// Everything before is final. Always a character boundary of `buffer`.
    open_start: usize,
    /// Column of the cursor; `None` at the end of a line that was only appended to.
    cursor: Option<usize>,
    /// Characters of `buffer[open_start..]`, while there is a cursor and the line is not in `cells`.
    columns: usize,
    /// Whether each of these characters is one byte.
    is_ascii: bool,
    /// The characters of the line, when `editing`. Never more than [`MAX_LINE_BYTES`].
    cells: Vec<char>,
    /// Whether the line is in `cells`, and `buffer[open_start..]` is empty.
    editing: bool,
    /// Columns of the terminal; a longer line goes on in the next row of the terminal.
    row_columns: usize,
    /// Columns of the first row that belong to an earlier line: see [`Self::break_here`]. Less than `row_columns`.
    row_offset: usize,
    /// Whether the last change of the cursor was by writing a character.
    has_written: bool,
}

impl Line {
    /// An empty line on a terminal with this many columns.
    pub(crate) fn new(row_columns: usize) -> Self {
        Self {
            buffer: Vec::new(),
            open_start: 0,
            cursor: None,
            columns: 0,
            is_ascii: true,
            cells: Vec::new(),
            editing: false,
            row_columns: row_columns.max(1),
            row_offset: 0,
            has_written: true,
        }
    }

    /// An empty row of a region: see [`Self::write`].
    pub(crate) fn row() -> Self {
        Self::new(usize::MAX)
    }

    /// Writes valid UTF-8 whose only controls are newline and tab.
    pub(crate) fn text(&mut self, mut text: &[u8], sink: &mut impl FnMut(&[u8])) {
        while self.cursor.is_some() {
            let piece = &text[..floor_char_boundary(text, FLUSH_BYTES)];
            let newline = memchr::memchr(b'\n', piece);
            let end = newline.unwrap_or(piece.len());
            self.overwrite(&piece[..end]);
            if newline.is_some() {
                self.end_line();
            }
            if self.open_start >= FLUSH_BYTES {
                self.flush(sink);
            }
            text = &text[end + usize::from(newline.is_some())..];
            if text.is_empty() {
                return;
            }
        }
        if let Some(last) = memchr::memrchr(b'\n', text) {
            self.row_offset = 0;
            let (lines, rest) = text.split_at(last + 1);
            if lines.len() >= MIN_DIRECT_BYTES {
                if !self.buffer.is_empty() {
                    sink(&self.buffer);
                    self.buffer.clear();
                }
                sink(lines);
                self.open_start = 0;
            } else {
                self.buffer.extend_from_slice(lines);
                self.open_start = self.buffer.len();
                if self.open_start >= FLUSH_BYTES {
                    self.flush(sink);
                }
            }
            text = rest;
        }
        self.append(text);
        if self.open_start >= FLUSH_BYTES {
            self.flush(sink);
        }
    }

    /// Writes a piece of at most [`FLUSH_BYTES`] without newlines, and passes nothing to the sink.
    pub(crate) fn write(&mut self, piece: &[u8]) {
        if self.cursor.is_some() {
            self.overwrite(piece);
        } else {
            self.append(piece);
        }
    }

    /// Whether [`Self::flush`] would pass anything to the sink.
    pub(crate) fn has_final(&self) -> bool {
        self.open_start > 0
    }

    /// Frees memory that the line no longer needs.
    pub(crate) fn shrink(&mut self) {
        if self.buffer.capacity() > MAX_SPARE_BYTES + 4 * self.buffer.len() {
            self.buffer.shrink_to_fit();
        }
        if self.cells.capacity() > MAX_SPARE_BYTES + 4 * self.cells.len() {
            self.cells.shrink_to_fit();
        }
    }

    /// Passes everything final to the sink.
    pub(crate) fn flush(&mut self, sink: &mut impl FnMut(&[u8])) {
        if self.open_start > 0 {
            sink(&self.buffer[..self.open_start]);
            self.buffer.drain(..self.open_start);
            self.open_start = 0;
        }
    }

    pub(crate) fn is_holding(&self) -> bool {
        self.editing || !self.buffer.is_empty()
    }

    /// Whether the current line has no characters.
    pub(crate) fn is_empty(&self) -> bool {
        if self.editing { self.cells.is_empty() } else { self.buffer.len() == self.open_start }
    }

    /// The current line; empty when the cursor was moved in it.
    pub(crate) fn unfinished(&self) -> &[u8] {
        if self.cursor.is_some() || self.editing { &[] } else { &self.buffer[self.open_start..] }
    }

    /// Ends the text: the current line is final without a newline.
    pub(crate) fn finish(&mut self, sink: &mut impl FnMut(&[u8])) {
        self.leave_editing();
        self.row_offset = 0;
        self.open_start = self.buffer.len();
        self.flush(sink);
    }

    /// Drops the current line.
    fn clear_line(&mut self) {
        self.buffer.truncate(self.open_start);
        self.cells.clear();
        self.editing = false;
        self.cursor = None;
    }

    /// Moves the line back from `cells` to the end of `buffer`.
    fn leave_editing(&mut self) {
        self.move_cells(self.cells.len());
        self.editing = false;
        self.cursor = None;
    }

    fn move_cells(&mut self, count: usize) {
        let mut utf8 = [0; 4];
        for cell in self.cells.drain(..count) {
            self.buffer.extend_from_slice(cell.encode_utf8(&mut utf8).as_bytes());
        }
    }

    /// Ends the current line with a newline: it is final.
    pub(crate) fn end_line(&mut self) {
        self.leave_editing();
        self.row_offset = 0;
        self.buffer.push(b'\n');
        self.open_start = self.buffer.len();
    }

    /// Appends one line's text, keeping the open part within [`MAX_LINE_BYTES`].
    fn append(&mut self, mut text: &[u8]) {
        loop {
            let room = MAX_LINE_BYTES - (self.buffer.len() - self.open_start);
            if text.len() <= room {
                self.buffer.extend_from_slice(text);
                return;
            }
            let (fits, rest) = text.split_at(floor_char_boundary(text, room));
            self.buffer.extend_from_slice(fits);
            self.open_start +=
                floor_char_boundary(&self.buffer[self.open_start..], MAX_LINE_BYTES / 2);
            text = rest;
        }
    }

    /// Makes the first `count` cells final.
    fn commit_cells(&mut self, count: usize) {
        self.move_cells(count);
        self.open_start = self.buffer.len();
    }
}

/// Characters of valid UTF-8.
fn characters(text: &[u8]) -> usize {
    usize::try_from(counts::chars(text)).unwrap_or(usize::MAX)
}

/// The largest character border of valid UTF-8 that is at most `index`.
pub(crate) fn floor_char_boundary(text: &[u8], index: usize) -> usize {
    let mut at = index.min(text.len());
    while at > 0 && at < text.len() && counts::is_continuation(text[at]) {
        at -= 1;
    }
    at
}
