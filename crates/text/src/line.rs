//! The line under the cursor: text is appended to it until something moves the cursor back.

use std::ops::Range;

use crate::escape::Edit;

/// Longest line that stays open to edits. When one more character would not fit, its first half is final.
pub const MAX_LINE_BYTES: usize = 64 << 10;

/// A move to the right stops at this column unless the line already reaches further.
pub const JUMP_COLUMNS: usize = 512;

/// Edits that would shift or blank more characters than this are ignored, so that no edit costs more than its bytes.
const SHIFT_COLUMNS: usize = 1 << 10;

/// Finished lines are handed on when this many bytes have gathered.
const FLUSH_BYTES: usize = 32 << 10;

/// A piece with finished lines at least this long goes to the sink as it is, without a copy.
const DIRECT_BYTES: usize = 1 << 10;

/// Finished output waiting for the sink, and the current line.
///
/// The current line is `held[start..]`, or `cells` once it has been overwritten. One character is one column.
pub(crate) struct Line {
    held: Vec<u8>,
    /// Everything before is final. Always a character border of `held`.
    start: usize,
    /// Column of the cursor; `None` means at the end of the line.
    cursor: Option<usize>,
    /// The characters of the line, when `editing`. Never more than [`MAX_LINE_BYTES`].
    cells: Vec<char>,
    /// The line is in `cells` and `held[start..]` is empty.
    editing: bool,
}

impl Line {
    pub(crate) fn new() -> Self {
        Self { held: Vec::new(), start: 0, cursor: None, cells: Vec::new(), editing: false }
    }

    /// Writes valid UTF-8 whose only controls are newline and tab.
    pub(crate) fn text(&mut self, mut text: &[u8], sink: &mut impl FnMut(&[u8])) {
        while self.cursor.is_some() || self.editing {
            let end = memchr::memchr(b'\n', text);
            self.overwrite(&text[..end.unwrap_or(text.len())]);
            let Some(end) = end else { return };
            self.end_line();
            text = &text[end + 1..];
        }
        if let Some(last) = memchr::memrchr(b'\n', text) {
            let (lines, rest) = text.split_at(last + 1);
            if lines.len() >= DIRECT_BYTES {
                if !self.held.is_empty() {
                    sink(&self.held);
                    self.held.clear();
                }
                sink(lines);
                self.start = 0;
            } else {
                self.held.extend_from_slice(lines);
                self.start = self.held.len();
                if self.start >= FLUSH_BYTES {
                    self.flush(sink);
                }
            }
            text = rest;
        }
        self.append(text);
        if self.start >= FLUSH_BYTES {
            self.flush(sink);
        }
    }

    /// Hands everything final to the sink.
    pub(crate) fn flush(&mut self, sink: &mut impl FnMut(&[u8])) {
        if self.start > 0 {
            sink(&self.held[..self.start]);
            self.held.drain(..self.start);
            self.start = 0;
        }
    }

    pub(crate) fn is_holding(&self) -> bool {
        self.editing || !self.held.is_empty()
    }

    /// Ends the text where it stands: the current line is final without a newline.
    pub(crate) fn finish(&mut self, sink: &mut impl FnMut(&[u8])) {
        self.settle();
        self.start = self.held.len();
        self.flush(sink);
    }

    pub(crate) fn carriage_return(&mut self) {
        if self.editing || self.held.len() > self.start {
            self.cursor = Some(0);
        }
    }

    pub(crate) fn backspace(&mut self) {
        self.edit(Edit::Left(1));
    }

    pub(crate) fn edit(&mut self, edit: Edit) {
        match edit {
            Edit::EraseLine(0) if self.cursor.is_none() => return,
            Edit::EraseLine(0 | 2) if self.cursor == Some(0) => return self.reset(),
            _ => self.open_for_editing(),
        }
        let length = self.cells.len();
        let column = self.cursor.unwrap_or(length);
        let right =
            |count: u32| column.saturating_add(count.max(1) as usize).min(JUMP_COLUMNS.max(length));
        match edit {
            Edit::EraseLine(0) => self.cells.truncate(column),
            Edit::EraseLine(1) if column + 1 < length => self.blank(0..column + 1),
            Edit::EraseLine(1 | 2) => {
                self.cells.clear();
                self.cursor = Some(column.min(JUMP_COLUMNS));
            }
            Edit::EraseLine(_) => {}
            Edit::Right(count) => self.cursor = Some(right(count)),
            Edit::Left(count) => self.cursor = Some(column.saturating_sub(count.max(1) as usize)),
            Edit::Column(number) => {
                let wanted = (number.max(1) - 1) as usize;
                self.cursor = Some(wanted.min(JUMP_COLUMNS.max(length)));
            }
            Edit::EraseCharacters(count) => {
                self.blank(column.min(length)..right(count).min(length));
            }
            Edit::Delete(count) => {
                if column < length && length - column <= SHIFT_COLUMNS {
                    self.cells.drain(column..right(count).min(length));
                }
            }
            Edit::Insert(count) => {
                let end = length + (count.max(1) as usize).min(SHIFT_COLUMNS);
                if column < length && end - column <= SHIFT_COLUMNS && end <= MAX_LINE_BYTES {
                    self.cells.splice(column..column, std::iter::repeat_n(' ', end - length));
                }
            }
        }
    }

    fn blank(&mut self, range: Range<usize>) {
        if range.len() <= SHIFT_COLUMNS {
            self.cells[range].fill(' ');
        }
    }

    /// Forgets the current line.
    fn reset(&mut self) {
        self.held.truncate(self.start);
        self.cells.clear();
        self.editing = false;
        self.cursor = None;
    }

    /// Moves the line into `cells` and gives the cursor a column.
    fn open_for_editing(&mut self) {
        if !self.editing {
            let line = std::str::from_utf8(&self.held[self.start..]).unwrap_or_default();
            self.cells.extend(line.chars());
            self.held.truncate(self.start);
            self.editing = true;
        }
        self.cursor.get_or_insert(self.cells.len());
    }

    /// Moves the line back from `cells` to the end of `held`.
    fn settle(&mut self) {
        if self.editing {
            let mut utf8 = [0; 4];
            for cell in self.cells.drain(..) {
                self.held.extend_from_slice(cell.encode_utf8(&mut utf8).as_bytes());
            }
            self.editing = false;
        }
        self.cursor = None;
    }

    fn end_line(&mut self) {
        self.settle();
        self.held.push(b'\n');
        self.start = self.held.len();
    }

    /// Appends one line's text, keeping the open part within [`MAX_LINE_BYTES`].
    fn append(&mut self, mut text: &[u8]) {
        loop {
            let room = MAX_LINE_BYTES - (self.held.len() - self.start);
            if text.len() <= room {
                self.held.extend_from_slice(text);
                return;
            }
            let (fits, rest) = text.split_at(floor_char_boundary(text, room));
            self.held.extend_from_slice(fits);
            self.start += floor_char_boundary(&self.held[self.start..], MAX_LINE_BYTES / 2);
            text = rest;
        }
    }

    /// Writes over the line from the cursor on.
    fn overwrite(&mut self, text: &[u8]) {
        if text.is_empty() {
            return;
        }
        self.open_for_editing();
        let mut column = self.cursor.unwrap_or(self.cells.len());
        for character in std::str::from_utf8(text).unwrap_or_default().chars() {
            if column >= MAX_LINE_BYTES {
                self.commit_cells(MAX_LINE_BYTES / 2);
                column -= MAX_LINE_BYTES / 2;
            }
            if let Some(cell) = self.cells.get_mut(column) {
                *cell = character;
            } else {
                self.cells.resize(column, ' ');
                self.cells.push(character);
            }
            column += 1;
        }
        self.cursor = Some(column);
    }

    /// Makes the first `count` cells final.
    fn commit_cells(&mut self, count: usize) {
        let mut utf8 = [0; 4];
        for cell in self.cells.drain(..count) {
            self.held.extend_from_slice(cell.encode_utf8(&mut utf8).as_bytes());
        }
        self.start = self.held.len();
    }
}

/// The largest character border of valid UTF-8 that is at most `index`.
fn floor_char_boundary(text: &[u8], index: usize) -> usize {
    let mut at = index.min(text.len());
    while at > 0 && at < text.len() && text[at] & 0xc0 == 0x80 {
        at -= 1;
    }
    at
}
