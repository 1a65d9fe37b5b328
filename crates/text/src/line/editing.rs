//! Moves of the cursor within the line, and writing over the line.

use std::ops::Range;

use super::{JUMP_COLUMNS, Line, MAX_LINE_BYTES, characters, floor_char_boundary};
use crate::counts::{Unit, start_of_last};
use crate::escape::LineEdit;

/// Edits that would shift or blank more characters are ignored, so that the time of an edit is bounded.
const MAX_SHIFTED_COLUMNS: usize = 1 << 10;

/// The longest character, in bytes.
const MAX_CHARACTER_BYTES: usize = 4;

impl Line {
    pub(crate) fn carriage_return(&mut self) {
        if self.cursor.is_some() || self.buffer.len() > self.open_start {
            let column = self.column();
            self.cursor = Some(self.row_start(column));
            self.has_written = false;
        }
    }

    pub(crate) fn backspace(&mut self) {
        self.edit(LineEdit::Left(1));
    }

    pub(crate) fn edit(&mut self, edit: LineEdit) {
        match edit {
            LineEdit::EraseLine(0) if self.cursor.is_none() => return,
            LineEdit::EraseLine(0 | 2) if self.cursor == Some(0) => return self.clear_line(),
            LineEdit::Repeat(count) => return self.repeat(count),
            _ => {}
        }
        let column = self.column();
        let length = self.columns();
        let right =
            |count: u32| column.saturating_add(count.max(1) as usize).min(JUMP_COLUMNS.max(length));
        match edit {
            LineEdit::Right(count) => {
                self.cursor = Some(right(count));
                self.has_written = false;
            }
            LineEdit::Left(count) => {
                self.cursor = Some(column.saturating_sub(count.max(1) as usize));
                self.has_written = false;
            }
            LineEdit::Column(number) => {
                let open_start = self.row_start(column);
                self.go_to(open_start.saturating_add((number.max(1) - 1) as usize));
            }
            LineEdit::EraseLine(0) => self.truncate(column),
            LineEdit::EraseLine(1) if column + 1 < length => self.blank_range(0..column + 1),
            LineEdit::EraseLine(1 | 2) => {
                self.truncate(0);
                self.cursor = Some(column.min(JUMP_COLUMNS));
            }
            LineEdit::EraseLine(_) | LineEdit::Repeat(_) => {}
            LineEdit::EraseCharacters(count) => {
                self.blank_range(column.min(length)..right(count).min(length));
            }
            LineEdit::Delete(count) => {
                if column < length && length - column <= MAX_SHIFTED_COLUMNS {
                    self.open_for_editing();
                    self.cells.drain(column..right(count).min(length));
                }
            }
            LineEdit::Insert(count) => {
                let end = length + (count.max(1) as usize).min(MAX_SHIFTED_COLUMNS);
                if column < length && end - column <= MAX_SHIFTED_COLUMNS && end <= MAX_LINE_BYTES {
                    self.open_for_editing();
                    self.cells.splice(column..column, std::iter::repeat_n(' ', end - length));
                }
            }
        }
    }

    /// Writes the last character again, where nothing has moved the cursor since. As a move to the right does, this stops at
    /// [`JUMP_COLUMNS`]: a few bytes must not become many.
    fn repeat(&mut self, count: u32) {
        let line = &self.buffer[self.open_start..];
        if self.cursor.is_some() && !self.has_written
            || line.len() > MAX_CHARACTER_BYTES * JUMP_COLUMNS
        {
            return;
        }
        let column = self.cursor.unwrap_or_else(|| characters(line));
        let last = self.before_cursor(1);
        if last != b"\t" {
            let count = (count.max(1) as usize).min(JUMP_COLUMNS.saturating_sub(column));
            self.write(&last.repeat(count));
        }
    }

    /// The first column of the row that the cursor is in. A character in the last column leaves it in that row, until
    /// another one comes.
    fn row_start(&self, column: usize) -> usize {
        let terminal_column =
            (column + self.row_offset).saturating_sub(usize::from(self.has_written));
        (terminal_column / self.row_columns * self.row_columns).saturating_sub(self.row_offset)
    }

    /// Ends the line, if there is one, and remembers the column of the terminal in its row.
    pub(crate) fn break_here(&mut self) {
        if self.is_empty() {
            return self.clear_line();
        }
        let offset = (self.column() + self.row_offset) % self.row_columns;
        self.end_line();
        self.row_offset = offset;
    }

    /// The text of the line.
    pub(crate) fn current(&self) -> Vec<u8> {
        if self.editing {
            return self.cells.iter().collect::<String>().into_bytes();
        }
        self.buffer[self.open_start..].to_vec()
    }

    /// The last bytes before the cursor: `limit` of them, and more to complete the first character.
    pub(crate) fn before_cursor(&self, limit: usize) -> Vec<u8> {
        let line = &self.buffer[self.open_start..];
        let Some(column) = self.cursor else { return last_whole_chars(line, limit).to_vec() };
        let length = self.columns();
        // Blanks that a move to the right skips are only written with the next character.
        let blanks = column.saturating_sub(length).min(limit);
        let after_cursor = length.saturating_sub(column);
        if after_cursor > MAX_SHIFTED_COLUMNS {
            return Vec::new();
        }
        let mut text = if self.editing {
            let cells = &self.cells[..length - after_cursor];
            cells[cells.len().saturating_sub(limit)..].iter().collect::<String>().into_bytes()
        } else {
            let end = if self.is_ascii {
                line.len() - after_cursor
            } else {
                start_of_last(Unit::Chars, after_cursor, line)
            };
            last_whole_chars(&line[..end], limit - blanks).to_vec()
        };
        text.resize(text.len() + blanks, b' ');
        text
    }

    /// Moves the cursor to a column, counted from 0.
    pub(crate) fn go_to(&mut self, column: usize) {
        self.column();
        self.cursor = Some(column.min(JUMP_COLUMNS.max(self.columns())));
        self.has_written = false;
    }

    /// Characters of the line. Call only when there is a cursor, or the line is empty.
    pub(crate) fn columns(&self) -> usize {
        if self.editing { self.cells.len() } else { self.columns }
    }

    /// The column of the cursor, which is set if it was not.
    pub(crate) fn column(&mut self) -> usize {
        if let Some(column) = self.cursor {
            return column;
        }
        let line = &self.buffer[self.open_start..];
        self.is_ascii = line.is_ascii();
        self.columns = if self.is_ascii { line.len() } else { characters(line) };
        self.cursor = Some(self.columns);
        self.has_written = true;
        self.columns
    }

    fn truncate(&mut self, column: usize) {
        if column >= self.columns() {
            return;
        }
        if !self.editing && (self.is_ascii || column == 0) {
            self.buffer.truncate(self.open_start + column);
            self.columns = column;
        } else {
            self.open_for_editing();
            self.cells.truncate(column);
        }
    }

    fn blank_range(&mut self, range: Range<usize>) {
        if range.len() <= MAX_SHIFTED_COLUMNS {
            self.open_for_editing();
            self.cells[range].fill(' ');
        }
    }

    /// Moves the line into `cells`. Call only when there is a cursor.
    fn open_for_editing(&mut self) {
        if !self.editing {
            let line = std::str::from_utf8(&self.buffer[self.open_start..]).unwrap_or_default();
            self.cells.extend(line.chars());
            self.buffer.truncate(self.open_start);
            self.editing = true;
        }
    }

    /// Writes over the line from the cursor on.
    pub(super) fn overwrite(&mut self, text: &[u8]) {
        if text.is_empty() {
            return;
        }
        let column = self.column();
        self.has_written = true;
        if self.overwrite_bytes(column, text) {
            return;
        }
        self.open_for_editing();
        self.overwrite_cells(column, text);
    }

    /// Writes where no character has to be found by its column: into ASCII, at the end, or over the whole line. Elsewhere it
    /// writes nothing and returns false.
    fn overwrite_bytes(&mut self, column: usize, text: &[u8]) -> bool {
        let length = self.columns();
        if !self.editing && self.is_ascii && text.is_ascii() {
            let end = column + text.len();
            if end > MAX_LINE_BYTES {
                return false;
            }
            let line = self.open_start;
            self.buffer.resize(line + length.max(column), b' ');
            let overwritten = text.len().min(length.saturating_sub(column));
            self.buffer[line + column..][..overwritten].copy_from_slice(&text[..overwritten]);
            self.buffer.extend_from_slice(&text[overwritten..]);
            self.columns = length.max(end);
            self.cursor = Some(end);
            return true;
        }
        let at_end = !self.editing && column == length;
        if column > 0 && !at_end {
            return false;
        }
        let count = characters(text);
        if column + count > MAX_LINE_BYTES || column + count < length {
            return false;
        }
        self.buffer.truncate(if at_end { self.buffer.len() } else { self.open_start });
        self.is_ascii = text.is_ascii() && (column == 0 || self.is_ascii);
        self.buffer.extend_from_slice(text);
        self.cells.clear();
        self.editing = false;
        self.columns = column + count;
        self.cursor = Some(self.columns);
        true
    }

    fn overwrite_cells(&mut self, mut column: usize, text: &[u8]) {
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
}

/// The last bytes of valid UTF-8, whole characters.
fn last_whole_chars(text: &[u8], limit: usize) -> &[u8] {
    &text[floor_char_boundary(text, text.len().saturating_sub(limit))..]
}
