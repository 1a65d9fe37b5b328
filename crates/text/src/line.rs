//! The line under the cursor: text is appended to it until something moves the cursor back.

mod editing;
#[cfg(test)]
mod tests;

/// Longest line that stays open to edits. When one more character would not fit, its first half is final.
pub const MAX_LINE_BYTES: usize = 64 << 10;

/// A move to the right stops at this column unless the line already reaches further.
pub const JUMP_COLUMNS: usize = 512;

/// Finished lines are handed on when this many bytes have gathered.
pub(crate) const FLUSH_BYTES: usize = 32 << 10;

/// A row that the cursor has left keeps that much room to grow, and as much again as a few times its length.
const SPARE_BYTES: usize = 1 << 10;

/// A piece with finished lines at least this long goes to the sink as it is, without a copy.
const DIRECT_BYTES: usize = 1 << 10;

/// Finished output waiting for the sink, and the current line.
///
/// The current line is `held[start..]`, or `cells` once a character in it had to be found by its column. Which of them it
/// is never shows. One character is one column.
pub(crate) struct Line {
    held: Vec<u8>,
    /// Everything before is final. Always a character border of `held`.
    start: usize,
    /// Column of the cursor; `None` means at the end of a line that was only appended to.
    cursor: Option<usize>,
    /// Characters of `held[start..]`, while there is a cursor and the line is there.
    columns: usize,
    /// Each of them is one byte.
    ascii: bool,
    /// The characters of the line, when `editing`. Never more than [`MAX_LINE_BYTES`].
    cells: Vec<char>,
    /// The line is in `cells` and `held[start..]` is empty.
    editing: bool,
    /// Columns after which the terminal goes on in its next row; the line goes on all the same.
    row_columns: usize,
    /// Columns of the terminal's row that belong to a line before: see [`Self::break_here`]. Less than `row_columns`.
    row_offset: usize,
    /// The cursor is where it is because something was written before it.
    wrote: bool,
}

impl Line {
    /// At the start of a line on a terminal with this many columns.
    pub(crate) fn new(row_columns: usize) -> Self {
        Self {
            held: Vec::new(),
            start: 0,
            cursor: None,
            columns: 0,
            ascii: true,
            cells: Vec::new(),
            editing: false,
            row_columns: row_columns.max(1),
            row_offset: 0,
            wrote: true,
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
            if self.start >= FLUSH_BYTES {
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

    /// Writes a piece of [`FLUSH_BYTES`] at most without newlines, and hands on nothing.
    pub(crate) fn write(&mut self, piece: &[u8]) {
        if self.cursor.is_some() {
            self.overwrite(piece);
        } else {
            self.append(piece);
        }
    }

    /// Whether something waits for [`Self::flush`].
    pub(crate) fn has_final(&self) -> bool {
        self.start > 0
    }

    /// Gives memory back that was needed for more than the line is now.
    pub(crate) fn shrink(&mut self) {
        if self.held.capacity() > SPARE_BYTES + 4 * self.held.len() {
            self.held.shrink_to_fit();
        }
        if self.cells.capacity() > SPARE_BYTES + 4 * self.cells.len() {
            self.cells.shrink_to_fit();
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

    /// Whether the current line has no characters.
    pub(crate) fn is_empty(&self) -> bool {
        if self.editing { self.cells.is_empty() } else { self.held.len() == self.start }
    }

    /// The current line, unless the cursor was moved in it.
    pub(crate) fn unfinished(&self) -> &[u8] {
        if self.cursor.is_some() || self.editing { &[] } else { &self.held[self.start..] }
    }

    /// Ends the text where it stands: the current line is final without a newline.
    pub(crate) fn finish(&mut self, sink: &mut impl FnMut(&[u8])) {
        self.settle();
        self.row_offset = 0;
        self.start = self.held.len();
        self.flush(sink);
    }

    /// Forgets the current line.
    fn reset(&mut self) {
        self.held.truncate(self.start);
        self.cells.clear();
        self.editing = false;
        self.cursor = None;
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

    /// The current line is final.
    pub(crate) fn end_line(&mut self) {
        self.settle();
        self.row_offset = 0;
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

    /// Makes the first `count` cells final.
    fn commit_cells(&mut self, count: usize) {
        let mut utf8 = [0; 4];
        for cell in self.cells.drain(..count) {
            self.held.extend_from_slice(cell.encode_utf8(&mut utf8).as_bytes());
        }
        self.start = self.held.len();
    }
}

/// Characters of valid UTF-8.
fn characters(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
}

/// The largest character border of valid UTF-8 that is at most `index`.
pub(crate) fn floor_char_boundary(text: &[u8], index: usize) -> usize {
    let mut at = index.min(text.len());
    while at > 0 && at < text.len() && text[at] & 0xc0 == 0x80 {
        at -= 1;
    }
    at
}
