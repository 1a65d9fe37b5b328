//! The rows that a program can still overwrite: moves between lines, and the alternate screen.

use std::collections::VecDeque;

use crate::escape::{LineEdit, ScreenEdit};
use crate::line::{FLUSH_BYTES, Line, floor_char_boundary};

/// Most rows that are kept at once. When there are more, the oldest one is final.
pub const MAX_REGION_ROWS: usize = 60;

/// Most characters of all kept rows but that of the cursor. When there are more, all rows are final.
pub const MAX_REGION_CHARS: usize = 256 << 10;

/// Rows that are at most this long cannot have too many characters together.
const SAFE_ROW_CHARS: usize = MAX_REGION_CHARS / MAX_REGION_ROWS;

/// The screen of a terminal: a region of kept rows, once a move between lines began one. Without a region a line is passed to
/// the sink when it ends.
pub(crate) struct Screen {
    applies_edits: bool,
    region: Option<Box<Region>>,
}

impl Screen {
    pub(crate) fn new(applies_edits: bool) -> Self {
        Self { applies_edits, region: None }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.region.is_some()
    }

    /// Writes valid UTF-8 whose only controls are newline and tab at the cursor, which is in `line`.
    #[inline]
    pub(crate) fn write(&mut self, line: &mut Line, text: &[u8], sink: &mut impl FnMut(&[u8])) {
        match &mut self.region {
            None => line.text(text, sink),
            Some(region) => region.text(line, text, sink),
        }
    }

    /// Applies the edit that a sequence asks for.
    #[inline(never)]
    pub(crate) fn apply(
        &mut self,
        line: &mut Line,
        screen_edit: ScreenEdit,
        sink: &mut impl FnMut(&[u8]),
    ) {
        match (screen_edit, &self.region) {
            // Erasing to the end of the screen begins with the rest of this line.
            (ScreenEdit::Erase(0), None) => line.edit(LineEdit::EraseLine(0)),
            _ if !self.applies_edits => {}
            (ScreenEdit::Erase(1), None) => line.edit(LineEdit::EraseLine(1)),
            (ScreenEdit::Restore, None) => {}
            (ScreenEdit::LeaveAlternate, _) => {
                if self.region.as_ref().is_some_and(|region| region.is_alternate) {
                    self.close(line, true, sink);
                }
            }
            (ScreenEdit::EnterAlternate, _) => {
                self.open(line, sink);
                self.close(line, true, sink);
                let region = self.open(line, sink);
                (region.is_alternate, region.is_top_fixed) = (true, true);
            }
            _ => self.open(line, sink).apply(line, screen_edit, sink),
        }
    }

    /// Passes all rows to the sink, the last one with a newline if `ended` is set or other rows are below it.
    pub(crate) fn close(&mut self, line: &mut Line, ended: bool, sink: &mut impl FnMut(&[u8])) {
        if let Some(mut region) = self.region.take() {
            region.finish_all(line, ended, sink);
        }
    }

    fn open(&mut self, line: &mut Line, sink: &mut impl FnMut(&[u8])) -> &mut Region {
        line.flush(sink);
        self.region.get_or_insert_with(Box::default)
    }
}

/// The rows from the line on where the region began. The row of the cursor is in the caller's `line`.
struct Region {
    /// At most [`MAX_REGION_ROWS`]; the one at `at` is empty and stands for the caller's.
    rows: VecDeque<Line>,
    cursor_row: usize,
    /// Number of rows at the top that stand for lines from before the region began, which are final: where nothing is written
    /// into them, they are no rows of the text.
    rows_above: usize,
    /// Whether a move up stops at the top row, since a sequence has told where the screen begins.
    is_top_fixed: bool,
    /// Whether the region is the alternate screen.
    is_alternate: bool,
    /// Row and column of the saved cursor.
    saved_cursor: Option<(usize, usize)>,
}

impl Default for Region {
    fn default() -> Self {
        Self {
            rows: VecDeque::from([Line::row()]),
            cursor_row: 0,
            rows_above: 0,
            is_top_fixed: false,
            is_alternate: false,
            saved_cursor: None,
        }
    }
}

impl Region {
    // Kept out of the code for text without a region.
    #[cold]
    #[inline(never)]
    fn text(&mut self, line: &mut Line, mut text: &[u8], sink: &mut impl FnMut(&[u8])) {
        loop {
            let newline = memchr::memchr(b'\n', text);
            let mut row = &text[..newline.unwrap_or(text.len())];
            while !row.is_empty() {
                let (piece, rest) = row.split_at(floor_char_boundary(row, FLUSH_BYTES));
                line.write(piece);
                // The first half of a row that is too long is final, and so are the rows above it.
                if line.has_final() {
                    self.finish_rows(self.cursor_row, sink);
                    line.flush(sink);
                    self.is_top_fixed = true;
                }
                row = rest;
            }
            let Some(end) = newline else { return };
            self.move_to(line, self.cursor_row + 1, 0, sink);
            text = &text[end + 1..];
        }
    }

    fn apply(&mut self, line: &mut Line, screen_edit: ScreenEdit, sink: &mut impl FnMut(&[u8])) {
        let column = line.column();
        let count = |number: u32| (number.max(1) as usize).min(MAX_REGION_ROWS);
        // An index from a number that is counted from 1.
        let place = |number: u32| number.max(1) as usize - 1;
        let down = |cursor_row: usize, rows: usize| (cursor_row + rows).min(MAX_REGION_ROWS - 1);
        match screen_edit {
            ScreenEdit::Up(rows) => self.move_up(line, count(rows), column, sink),
            ScreenEdit::PreviousLine(rows) => self.move_up(line, count(rows), 0, sink),
            ScreenEdit::Down(rows) => {
                self.move_to(line, down(self.cursor_row, count(rows)), column, sink);
            }
            ScreenEdit::NextLine(rows) => {
                self.move_to(line, down(self.cursor_row, count(rows)), 0, sink);
            }
            ScreenEdit::Row(row) => {
                self.is_top_fixed = true;
                self.move_to(line, down(0, place(row)), column, sink);
            }
            ScreenEdit::Position(row, column) => {
                self.is_top_fixed = true;
                self.move_to(line, down(0, place(row)), place(column), sink);
            }
            ScreenEdit::Erase(part) => self.erase(line, part),
            ScreenEdit::InsertRows(rows) => {
                let below = self.rows.split_off(self.cursor_row);
                self.rows.extend((0..count(rows)).map(|_| Line::row()));
                self.rows.extend(below);
                self.rows[self.cursor_row + count(rows)] = std::mem::replace(line, Line::row());
                self.rows.truncate(MAX_REGION_ROWS);
            }
            ScreenEdit::DeleteRows(rows) => {
                let end = (self.cursor_row + count(rows)).min(self.rows.len());
                self.rows.drain(self.cursor_row..end);
                if self.rows.len() == self.cursor_row {
                    self.rows.push_back(Line::row());
                }
                *line = std::mem::replace(&mut self.rows[self.cursor_row], Line::row());
                line.go_to(0);
            }
            ScreenEdit::Save => self.saved_cursor = Some((self.cursor_row, column)),
            ScreenEdit::Restore => {
                if let Some((row, column)) = self.saved_cursor {
                    self.move_to(line, row, column, sink);
                }
            }
            ScreenEdit::EnterAlternate | ScreenEdit::LeaveAlternate => {}
        }
    }

    /// Moves up, also above the line where the region began: a program that overwrites some of its earlier rows finds each of
    /// them at its position.
    fn move_up(
        &mut self,
        line: &mut Line,
        rows: usize,
        column: usize,
        sink: &mut impl FnMut(&[u8]),
    ) {
        if !self.is_top_fixed {
            let missing =
                rows.saturating_sub(self.cursor_row).min(MAX_REGION_ROWS - self.rows.len());
            for _ in 0..missing {
                self.rows.push_front(Line::row());
            }
            self.cursor_row += missing;
            self.rows_above += missing;
            self.saved_cursor = self.saved_cursor.map(|(row, column)| (row + missing, column));
        }
        self.move_to(line, self.cursor_row.saturating_sub(rows), column, sink);
    }

    /// Moves the cursor. `row` is at most one beyond the last possible row. Takes the same time for rows of any length.
    fn move_to(
        &mut self,
        line: &mut Line,
        row: usize,
        column: usize,
        sink: &mut impl FnMut(&[u8]),
    ) {
        if row != self.cursor_row {
            // Sets the column of the cursor, so that the characters of the row are not counted again.
            line.column();
            if line.columns() > SAFE_ROW_CHARS && self.is_full(line) {
                self.finish_all(line, true, sink);
                *self = Self {
                    is_alternate: self.is_alternate,
                    is_top_fixed: self.is_top_fixed,
                    ..Self::default()
                };
            } else {
                line.shrink();
                let rows = self.rows.len().max(row + 1);
                self.rows.resize_with(rows, Line::row);
                std::mem::swap(line, &mut self.rows[self.cursor_row]);
                std::mem::swap(line, &mut self.rows[row]);
                self.cursor_row = row;
                self.finish_rows(rows.saturating_sub(MAX_REGION_ROWS), sink);
            }
        }
        line.go_to(column);
    }

    fn erase(&mut self, line: &mut Line, part: u32) {
        line.edit(LineEdit::EraseLine(part.min(2)));
        if part > 0 {
            self.rows.range_mut(..self.cursor_row).for_each(|row| *row = Line::row());
        }
        if part != 1 {
            self.rows.truncate(self.cursor_row + 1);
        }
        self.is_top_fixed |= part > 1;
    }

    fn is_full(&self, line: &Line) -> bool {
        self.rows.iter().map(Line::columns).sum::<usize>() + line.columns() > MAX_REGION_CHARS
    }

    /// Passes the first rows to the sink; all of them are above the cursor.
    fn finish_rows(&mut self, count: usize, sink: &mut impl FnMut(&[u8])) {
        for mut row in self.rows.drain(..count) {
            if self.rows_above == 0 || !row.is_empty() {
                row.end_line();
                row.flush(sink);
            }
            self.rows_above = self.rows_above.saturating_sub(1);
        }
        self.cursor_row -= count;
        self.saved_cursor =
            self.saved_cursor.map(|(row, column)| (row.saturating_sub(count), column));
    }

    /// Passes all rows to the sink but the empty ones at the end. `line` is empty afterwards.
    fn finish_all(&mut self, line: &mut Line, ended: bool, sink: &mut impl FnMut(&[u8])) {
        self.rows[self.cursor_row] = std::mem::replace(line, Line::row());
        let Some(last) = self.rows.iter().rposition(|row| !row.is_empty()) else { return };
        let ended = ended || last + 1 < self.rows.len();
        self.cursor_row = last;
        self.finish_rows(last, sink);
        let last = &mut self.rows[0];
        if ended {
            last.end_line();
        }
        last.finish(sink);
    }
}
