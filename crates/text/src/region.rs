//! The rows that a program can still write over: vertical moves and the alternate screen.

use std::collections::VecDeque;

use crate::escape::{Edit, Vertical};
use crate::line::{FLUSH_BYTES, Line, floor_char_boundary};

/// Most rows held at once. The oldest row beyond is final.
pub const MAX_REGION_ROWS: usize = 60;

/// Most characters of the held rows together, the row of the cursor aside. When there are more, all of them are final.
pub const MAX_REGION_CHARS: usize = 256 << 10;

/// Rows that are at most this long cannot be too many characters together.
const ROW_CHARS: usize = MAX_REGION_CHARS / MAX_REGION_ROWS;

/// Whether vertical moves are applied, and the region once one was. Without a region a line is handed on when it ends.
pub(crate) struct Screen {
    applied: bool,
    region: Option<Box<Region>>,
}

impl Screen {
    pub(crate) fn new(applied: bool) -> Self {
        Self { applied, region: None }
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

    /// Applies what a sequence asks for.
    #[inline(never)]
    pub(crate) fn apply(
        &mut self,
        line: &mut Line,
        vertical: Vertical,
        sink: &mut impl FnMut(&[u8]),
    ) {
        match (vertical, &self.region) {
            // Erasing to the end of the screen begins with the rest of this line.
            (Vertical::Erase(0), None) => line.edit(Edit::EraseLine(0)),
            _ if !self.applied => {}
            (Vertical::Erase(1), None) => line.edit(Edit::EraseLine(1)),
            (Vertical::Restore, None) => {}
            (Vertical::Leave, _) => {
                if self.region.as_ref().is_some_and(|region| region.alternate) {
                    self.close(line, true, sink);
                }
            }
            (Vertical::Enter, _) => {
                self.open(line, sink);
                self.close(line, true, sink);
                let region = self.open(line, sink);
                (region.alternate, region.fixed) = (true, true);
            }
            _ => self.open(line, sink).apply(line, vertical, sink),
        }
    }

    /// Hands on all rows, and the last one with a newline if it is `ended` or others are below it.
    pub(crate) fn close(&mut self, line: &mut Line, ended: bool, sink: &mut impl FnMut(&[u8])) {
        if let Some(mut region) = self.region.take() {
            region.hand_on_all(line, ended, sink);
        }
    }

    fn open(&mut self, line: &mut Line, sink: &mut impl FnMut(&[u8])) -> &mut Region {
        line.flush(sink);
        self.region.get_or_insert_with(Box::default)
    }
}

/// The rows from the line on in which the region began. The row of the cursor is the caller's `line`.
struct Region {
    /// At most [`MAX_REGION_ROWS`]; the one at `at` is empty and stands for the caller's.
    rows: VecDeque<Line>,
    at: usize,
    /// Rows at the top that stand for lines handed on before the region began: where nothing is written into them, they are
    /// no rows of the text.
    above: usize,
    /// A move up stops at the top: something said where the screen begins.
    fixed: bool,
    /// It is the alternate screen.
    alternate: bool,
    /// Row and column.
    saved: Option<(usize, usize)>,
}

impl Default for Region {
    fn default() -> Self {
        Self {
            rows: VecDeque::from([Line::row()]),
            at: 0,
            above: 0,
            fixed: false,
            alternate: false,
            saved: None,
        }
    }
}

impl Region {
    // Apart from the path that text without a region takes.
    #[cold]
    #[inline(never)]
    fn text(&mut self, line: &mut Line, mut text: &[u8], sink: &mut impl FnMut(&[u8])) {
        loop {
            let newline = memchr::memchr(b'\n', text);
            let mut row = &text[..newline.unwrap_or(text.len())];
            while !row.is_empty() {
                let (piece, rest) = row.split_at(floor_char_boundary(row, FLUSH_BYTES));
                line.write(piece);
                // The first half of a row that is too long is final, and so is what stands above it.
                if line.has_final() {
                    self.hand_on(self.at, sink);
                    line.flush(sink);
                    self.fixed = true;
                }
                row = rest;
            }
            let Some(end) = newline else { return };
            self.go(line, self.at + 1, 0, sink);
            text = &text[end + 1..];
        }
    }

    fn apply(&mut self, line: &mut Line, vertical: Vertical, sink: &mut impl FnMut(&[u8])) {
        let column = line.column();
        let count = |number: u32| (number.max(1) as usize).min(MAX_REGION_ROWS);
        // Of a place counted from 1.
        let place = |number: u32| number.max(1) as usize - 1;
        let down = |at: usize, rows: usize| (at + rows).min(MAX_REGION_ROWS - 1);
        match vertical {
            Vertical::Up(rows) => self.up(line, count(rows), column, sink),
            Vertical::PreviousLine(rows) => self.up(line, count(rows), 0, sink),
            Vertical::Down(rows) => self.go(line, down(self.at, count(rows)), column, sink),
            Vertical::NextLine(rows) => self.go(line, down(self.at, count(rows)), 0, sink),
            Vertical::Row(row) => {
                self.fixed = true;
                self.go(line, down(0, place(row)), column, sink);
            }
            Vertical::Position(row, column) => {
                self.fixed = true;
                self.go(line, down(0, place(row)), place(column), sink);
            }
            Vertical::Erase(part) => self.erase(line, part),
            Vertical::InsertRows(rows) => {
                let below = self.rows.split_off(self.at);
                self.rows.extend((0..count(rows)).map(|_| Line::row()));
                self.rows.extend(below);
                self.rows[self.at + count(rows)] = std::mem::replace(line, Line::row());
                self.rows.truncate(MAX_REGION_ROWS);
            }
            Vertical::DeleteRows(rows) => {
                let end = (self.at + count(rows)).min(self.rows.len());
                self.rows.drain(self.at..end);
                if self.rows.len() == self.at {
                    self.rows.push_back(Line::row());
                }
                *line = std::mem::replace(&mut self.rows[self.at], Line::row());
                line.go_to(0);
            }
            Vertical::Save => self.saved = Some((self.at, column)),
            Vertical::Restore => {
                if let Some((row, column)) = self.saved {
                    self.go(line, row, column, sink);
                }
            }
            Vertical::Enter | Vertical::Leave => {}
        }
    }

    /// Moves up, also above the line in which the region began: a program that writes over single rows of what it wrote before
    /// finds each of them in its place again.
    fn up(&mut self, line: &mut Line, rows: usize, column: usize, sink: &mut impl FnMut(&[u8])) {
        if !self.fixed {
            let missing = rows.saturating_sub(self.at).min(MAX_REGION_ROWS - self.rows.len());
            for _ in 0..missing {
                self.rows.push_front(Line::row());
            }
            self.at += missing;
            self.above += missing;
            self.saved = self.saved.map(|(row, column)| (row + missing, column));
        }
        self.go(line, self.at.saturating_sub(rows), column, sink);
    }

    /// Moves the cursor. `row` is at most one more than there may be. Takes the same time for rows of any length.
    fn go(&mut self, line: &mut Line, row: usize, column: usize, sink: &mut impl FnMut(&[u8])) {
        if row != self.at {
            // Also gives the cursor a column, so that the row is not counted again.
            line.column();
            if line.columns() > ROW_CHARS && self.is_full(line) {
                self.hand_on_all(line, true, sink);
                *self = Self { alternate: self.alternate, fixed: self.fixed, ..Self::default() };
            } else {
                line.shrink();
                let rows = self.rows.len().max(row + 1);
                self.rows.resize_with(rows, Line::row);
                std::mem::swap(line, &mut self.rows[self.at]);
                std::mem::swap(line, &mut self.rows[row]);
                self.at = row;
                self.hand_on(rows.saturating_sub(MAX_REGION_ROWS), sink);
            }
        }
        line.go_to(column);
    }

    fn erase(&mut self, line: &mut Line, part: u32) {
        line.edit(Edit::EraseLine(part.min(2)));
        if part > 0 {
            self.rows.range_mut(..self.at).for_each(|row| *row = Line::row());
        }
        if part != 1 {
            self.rows.truncate(self.at + 1);
        }
        self.fixed |= part > 1;
    }

    fn is_full(&self, line: &Line) -> bool {
        self.rows.iter().map(Line::columns).sum::<usize>() + line.columns() > MAX_REGION_CHARS
    }

    /// Hands on the first rows, which are above the cursor's.
    fn hand_on(&mut self, count: usize, sink: &mut impl FnMut(&[u8])) {
        for mut row in self.rows.drain(..count) {
            if self.above == 0 || !row.is_empty() {
                row.end_line();
                row.flush(sink);
            }
            self.above = self.above.saturating_sub(1);
        }
        self.at -= count;
        self.saved = self.saved.map(|(row, column)| (row.saturating_sub(count), column));
    }

    /// Hands on all rows but the empty ones at the end. `line` is empty then.
    fn hand_on_all(&mut self, line: &mut Line, ended: bool, sink: &mut impl FnMut(&[u8])) {
        self.rows[self.at] = std::mem::replace(line, Line::row());
        let Some(last) = self.rows.iter().rposition(|row| !row.is_empty()) else { return };
        let ended = ended || last + 1 < self.rows.len();
        self.at = last;
        self.hand_on(last, sink);
        let last = &mut self.rows[0];
        if ended {
            last.end_line();
        }
        last.finish(sink);
    }
}
