//! What moves the cursor within the line, and what then writes over it.

use std::ops::Range;

use super::{JUMP_COLUMNS, Line, MAX_LINE_BYTES, characters, floor_char_boundary};
use crate::escape::Edit;

/// Edits that would shift or blank more characters than this are ignored, so that no edit costs more than its bytes.
const SHIFT_COLUMNS: usize = 1 << 10;

impl Line {
    pub(crate) fn carriage_return(&mut self) {
        if self.cursor.is_some() || self.held.len() > self.start {
            let column = self.column();
            self.cursor = Some(self.row_start(column));
            self.wrote = false;
        }
    }

    pub(crate) fn backspace(&mut self) {
        self.edit(Edit::Left(1));
    }

    pub(crate) fn edit(&mut self, edit: Edit) {
        match edit {
            Edit::EraseLine(0) if self.cursor.is_none() => return,
            Edit::EraseLine(0 | 2) if self.cursor == Some(0) => return self.reset(),
            _ => {}
        }
        let column = self.column();
        let length = self.columns();
        let right =
            |count: u32| column.saturating_add(count.max(1) as usize).min(JUMP_COLUMNS.max(length));
        match edit {
            Edit::Right(count) => {
                self.cursor = Some(right(count));
                self.wrote = false;
            }
            Edit::Left(count) => {
                self.cursor = Some(column.saturating_sub(count.max(1) as usize));
                self.wrote = false;
            }
            Edit::Column(number) => {
                let start = self.row_start(column);
                self.go_to(start.saturating_add((number.max(1) - 1) as usize));
            }
            Edit::EraseLine(0) => self.truncate(column),
            Edit::EraseLine(1) if column + 1 < length => self.blank(0..column + 1),
            Edit::EraseLine(1 | 2) => {
                self.truncate(0);
                self.cursor = Some(column.min(JUMP_COLUMNS));
            }
            Edit::EraseLine(_) => {}
            Edit::EraseCharacters(count) => {
                self.blank(column.min(length)..right(count).min(length));
            }
            Edit::Delete(count) => {
                if column < length && length - column <= SHIFT_COLUMNS {
                    self.open_for_editing();
                    self.cells.drain(column..right(count).min(length));
                }
            }
            Edit::Insert(count) => {
                let end = length + (count.max(1) as usize).min(SHIFT_COLUMNS);
                if column < length && end - column <= SHIFT_COLUMNS && end <= MAX_LINE_BYTES {
                    self.open_for_editing();
                    self.cells.splice(column..column, std::iter::repeat_n(' ', end - length));
                }
            }
        }
    }

    /// The first column of the row that the cursor is in. A character in the last column leaves it in that row, until
    /// another one comes.
    fn row_start(&self, column: usize) -> usize {
        let in_terminal = (column + self.row_offset).saturating_sub(usize::from(self.wrote));
        (in_terminal / self.row_columns * self.row_columns).saturating_sub(self.row_offset)
    }

    /// Ends the line, if there is one, and knows how far in its row the terminal is all the same.
    pub(crate) fn break_here(&mut self) {
        if self.is_empty() {
            return self.reset();
        }
        let offset = (self.column() + self.row_offset) % self.row_columns;
        self.end_line();
        self.row_offset = offset;
    }

    /// The line as it stands.
    pub(crate) fn current(&self) -> Vec<u8> {
        if self.editing {
            return self.cells.iter().collect::<String>().into_bytes();
        }
        self.held[self.start..].to_vec()
    }

    /// Up to `limit` bytes before the cursor, and the rest of the character that they divide.
    pub(crate) fn before_cursor(&self, limit: usize) -> Vec<u8> {
        let line = &self.held[self.start..];
        let Some(column) = self.cursor else { return last_bytes(line, limit).to_vec() };
        let length = self.columns();
        // Blanks that a move to the right leaves are written with the next character.
        let blanks = column.saturating_sub(length).min(limit);
        let behind = length.saturating_sub(column);
        if behind > SHIFT_COLUMNS {
            return Vec::new();
        }
        let mut text = if self.editing {
            let cells = &self.cells[..length - behind];
            cells[cells.len().saturating_sub(limit)..].iter().collect::<String>().into_bytes()
        } else {
            let end = if self.ascii { line.len() - behind } else { before_last(line, behind) };
            last_bytes(&line[..end], limit - blanks).to_vec()
        };
        text.resize(text.len() + blanks, b' ');
        text
    }

    /// Moves the cursor to a column, counted from 0.
    pub(crate) fn go_to(&mut self, column: usize) {
        self.column();
        self.cursor = Some(column.min(JUMP_COLUMNS.max(self.columns())));
        self.wrote = false;
    }

    /// Characters of the line. There is a cursor, or nothing was written yet.
    pub(crate) fn columns(&self) -> usize {
        if self.editing { self.cells.len() } else { self.columns }
    }

    /// Gives the cursor a column, and returns it.
    pub(crate) fn column(&mut self) -> usize {
        if let Some(column) = self.cursor {
            return column;
        }
        let line = &self.held[self.start..];
        self.ascii = line.is_ascii();
        self.columns = if self.ascii { line.len() } else { characters(line) };
        self.cursor = Some(self.columns);
        self.wrote = true;
        self.columns
    }

    fn truncate(&mut self, column: usize) {
        if column >= self.columns() {
            return;
        }
        if !self.editing && (self.ascii || column == 0) {
            self.held.truncate(self.start + column);
            self.columns = column;
        } else {
            self.open_for_editing();
            self.cells.truncate(column);
        }
    }

    fn blank(&mut self, range: Range<usize>) {
        if range.len() <= SHIFT_COLUMNS {
            self.open_for_editing();
            self.cells[range].fill(' ');
        }
    }

    /// Moves the line into `cells`. There is a cursor.
    fn open_for_editing(&mut self) {
        if !self.editing {
            let line = std::str::from_utf8(&self.held[self.start..]).unwrap_or_default();
            self.cells.extend(line.chars());
            self.held.truncate(self.start);
            self.editing = true;
        }
    }

    /// Writes over the line from the cursor on.
    pub(super) fn overwrite(&mut self, text: &[u8]) {
        if text.is_empty() {
            return;
        }
        let column = self.column();
        self.wrote = true;
        if self.overwrite_bytes(column, text) {
            return;
        }
        self.open_for_editing();
        self.overwrite_cells(column, text);
    }

    /// Writes where no character has to be found by its column: into ASCII, at the end, or over the whole line. False when
    /// that is not so, and nothing was written.
    fn overwrite_bytes(&mut self, column: usize, text: &[u8]) -> bool {
        let length = self.columns();
        if !self.editing && self.ascii && text.is_ascii() {
            let end = column + text.len();
            if end > MAX_LINE_BYTES {
                return false;
            }
            let line = self.start;
            self.held.resize(line + length.max(column), b' ');
            let over = text.len().min(length.saturating_sub(column));
            self.held[line + column..][..over].copy_from_slice(&text[..over]);
            self.held.extend_from_slice(&text[over..]);
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
        self.held.truncate(if at_end { self.held.len() } else { self.start });
        self.ascii = text.is_ascii() && (column == 0 || self.ascii);
        self.held.extend_from_slice(text);
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
fn last_bytes(text: &[u8], limit: usize) -> &[u8] {
    &text[floor_char_boundary(text, text.len().saturating_sub(limit))..]
}

/// Where the last `count` characters of valid UTF-8 begin.
fn before_last(text: &[u8], count: usize) -> usize {
    let mut begins = (0..text.len()).rev().filter(|&at| text[at] & 0xc0 != 0x80);
    count.checked_sub(1).map_or(text.len(), |count| begins.nth(count).unwrap_or(0))
}
