//! Decides whether output is lines for the transcript or part of a picture.
//!
//! Output is a picture while the alternate screen is shown, and from the first addressed row on after the program erased
//! the screen. Such a picture on the normal screen ends when it scrolls: its rows then go into the transcript. So do those of
//! the alternate screen where the program that showed it has gone without leaving it.

use handrail_redact::Redactor;

use crate::grid::{Cursor, Grid, Row};
use crate::prompt::Prompt;
use crate::reply::{self, Facts, MAX_REPLY_BYTES};
use crate::transcript::Transcript;
use crate::view;
use crate::watch::{Modes, Query, Signal, Watch};

/// How much output is kept after the program erased the screen, in bytes. It is painted when the program addresses rows.
const MAX_ERASED_BYTES: usize = 16 << 10;

/// How much output is kept of a terminal whose full-screen program is gone, in bytes, until it is known whether the program
/// has left the alternate screen.
const MAX_LEFT_BYTES: usize = 64 << 10;

/// The longest character, in bytes.
const MAX_CHARACTER_BYTES: u64 = 4;

/// What a terminal shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Screen {
    /// The rows, without blanks at their ends and without empty rows at the end; masked as one text.
    pub text: String,
    /// Where the cursor is in the terminal, before masking.
    pub cursor: Cursor,
    /// The number of masks in the text.
    pub redactions: u64,
    /// Whether a full-screen program paints it. Otherwise it is the end of the lines that were written.
    pub is_painted: bool,
}

enum Mode {
    /// Output is lines.
    Lines {
        /// The output since the program erased the screen, if it did.
        erased: Option<Vec<u8>>,
    },
    /// Output is a picture on the normal screen.
    Normal(Box<Grid>),
    /// Output is a picture on the alternate screen.
    Alternate {
        grid: Box<Grid>,
        /// The output since the program was found to be gone, if it was. Lines follow where it does not leave the screen.
        left: Option<Vec<u8>>,
    },
}

/// Passes output to the transcript or to a picture.
pub(crate) struct Display {
    columns: usize,
    rows: usize,
    watch: Watch,
    mode: Mode,
    /// Counts what changes the picture.
    version: u64,
    /// The replies to questions in the output since [`Display::take_replies`].
    replies: String,
}

impl Display {
    pub(crate) fn new(columns: usize, rows: usize) -> Self {
        Self {
            columns,
            rows,
            watch: Watch::new(),
            mode: Mode::Lines { erased: None },
            version: 0,
            replies: String::new(),
        }
    }

    /// The modes that the program has set.
    pub(crate) fn modes(&self) -> Modes {
        self.watch.modes
    }

    pub(crate) fn push(&mut self, raw: &[u8], transcript: &mut Transcript, prompt: &mut Prompt) {
        let mut rest = raw;
        while !rest.is_empty() {
            let (length, signal) = self.watch.next(rest);
            let (piece, after) = rest.split_at(length);
            self.take(piece, transcript, prompt);
            if let Some(signal) = signal {
                self.signal(signal, transcript, prompt);
            }
            rest = after;
        }
    }

    fn take(&mut self, piece: &[u8], transcript: &mut Transcript, prompt: &mut Prompt) {
        self.version += 1;
        match &mut self.mode {
            Mode::Lines { erased } => {
                transcript.push(piece, prompt);
                match erased {
                    Some(kept) if kept.len() + piece.len() <= MAX_ERASED_BYTES => {
                        kept.extend_from_slice(piece);
                    }
                    _ => *erased = None,
                }
            }
            Mode::Normal(grid) => {
                let painted = grid.feed(piece);
                if painted < piece.len() || grid.has_scrolled() {
                    self.end_picture(transcript, prompt);
                    transcript.push(&piece[painted..], prompt);
                }
            }
            Mode::Alternate { left: Some(left), .. } => {
                left.extend_from_slice(piece);
                if left.len() > MAX_LEFT_BYTES {
                    self.end_alternate(transcript, prompt);
                }
            }
            Mode::Alternate { grid, left: None } => {
                let mut rest = piece;
                while !rest.is_empty() {
                    rest = &rest[grid.feed(rest)..];
                    // Nothing scrolls off the alternate screen.
                    grid.take_scrolled();
                }
            }
        }
    }

    fn signal(&mut self, signal: Signal, transcript: &mut Transcript, prompt: &mut Prompt) {
        match (signal, &mut self.mode) {
            (Signal::Query(query), _) => self.reply(query, transcript),
            (Signal::EnterAlternate, Mode::Lines { .. }) => self.paint(b"", true),
            (Signal::EnterAlternate, Mode::Normal(_)) => {
                self.end_picture(transcript, prompt);
                self.paint(b"", true);
            }
            (Signal::EnterAlternate, Mode::Alternate { left: Some(_), .. }) => {
                self.end_alternate(transcript, prompt);
                self.paint(b"", true);
            }
            (Signal::LeaveAlternate, Mode::Alternate { .. }) => {
                self.mode = Mode::Lines { erased: None };
            }
            (Signal::Clear, Mode::Lines { erased }) => *erased = Some(Vec::new()),
            (Signal::Address, Mode::Lines { erased: Some(kept) }) => {
                let kept = std::mem::take(kept);
                self.paint(&kept, false);
            }
            _ => {}
        }
    }

    fn reply(&mut self, query: Query, transcript: &Transcript) {
        let in_lines = || {
            // Lines have no rows: after enough of them the cursor is in the last one.
            let line = transcript.cleaner().before_cursor(self.columns);
            let length = String::from_utf8_lossy(&line).chars().count();
            (self.rows, (length + 1).min(self.columns))
        };
        let cursor = self.grid().map(Grid::cursor);
        let cursor = cursor.map_or_else(in_lines, |Cursor { row, column, .. }| (row, column));
        let reply = reply::reply(query, &Facts { columns: self.columns, rows: self.rows, cursor });
        if self.replies.len() + reply.len() <= MAX_REPLY_BYTES {
            self.replies.push_str(&reply);
        }
    }

    /// The replies to the questions in the output since the last call.
    pub(crate) fn take_replies(&mut self) -> String {
        std::mem::take(&mut self.replies)
    }

    /// Whether the alternate screen is shown.
    pub(crate) fn is_alternate(&self) -> bool {
        matches!(self.mode, Mode::Alternate { .. })
    }

    /// Begins a picture with this output, if the terminal can have one.
    fn paint(&mut self, output: &[u8], is_alternate: bool) {
        let Some(grid) = Grid::new(self.columns, self.rows) else { return };
        let mut grid = Box::new(grid);
        if !self.watch.modes.cursor_visible {
            grid.feed(b"\x1b[?25l");
        }
        if is_alternate {
            grid.enter_alternate();
        }
        grid.feed(output);
        if grid.has_scrolled() {
            // What scrolls are lines, and the transcript has them.
            self.mode = Mode::Lines { erased: None };
            return;
        }
        self.mode =
            if is_alternate { Mode::Alternate { grid, left: None } } else { Mode::Normal(grid) };
    }

    /// Ends a picture on the normal screen: what it shows, and what scrolled off, becomes lines.
    /// Gives whether there was one.
    pub(crate) fn end_picture(&mut self, transcript: &mut Transcript, prompt: &mut Prompt) -> bool {
        let Mode::Normal(grid) = &mut self.mode else { return false };
        let scrolled = grid.take_scrolled();
        let (shown, cursor) = (grid.normal_rows(), grid.cursor());
        self.become_lines(scrolled, shown, cursor, transcript, prompt);
        true
    }

    /// The program that shows the alternate screen is gone. It has perhaps left the screen before.
    pub(crate) fn lose_painter(&mut self) {
        if let Mode::Alternate { left, .. } = &mut self.mode {
            left.get_or_insert_default();
        }
    }

    /// Whether the program that shows the alternate screen is known to be gone.
    pub(crate) fn has_lost_painter(&self) -> bool {
        matches!(self.mode, Mode::Alternate { left: Some(_), .. })
    }

    /// Ends a picture on the alternate screen that its program has not left: what it shows becomes lines, and so does what came
    /// after that program.
    pub(crate) fn end_alternate(&mut self, transcript: &mut Transcript, prompt: &mut Prompt) {
        let Mode::Alternate { grid, left } = &mut self.mode else { return };
        let (shown, cursor) = (grid.rows(), grid.cursor());
        let left = left.take().unwrap_or_default();
        self.version += 1;
        self.become_lines(Vec::new(), shown, cursor, transcript, prompt);
        if !transcript.cleaner().current().is_empty() {
            transcript.push(b"\r\n", prompt);
        }
        transcript.push(&left, prompt);
    }

    /// Writes the rows of a picture as lines.
    fn become_lines(
        &mut self,
        mut rows: Vec<Row>,
        shown: Vec<Row>,
        Cursor { row, column, .. }: Cursor,
        transcript: &mut Transcript,
        prompt: &mut Prompt,
    ) {
        let cursor_row = rows.len() + row;
        rows.extend(shown);
        self.mode = Mode::Lines { erased: None };
        let mut lines = view::mask(&rows, None, transcript.redactor()).rows;
        // The line of the cursor may go on; the others end.
        lines.resize_with(lines.len().max(cursor_row), String::new);
        if let Some(line) = lines.last_mut().filter(|_| ends_at_cursor(&rows, cursor_row, column)) {
            // The blank after a prompt is part of it.
            line.push(' ');
        }
        if !transcript.cleaner().current().is_empty() {
            transcript.push(b"\r\n", prompt);
        }
        transcript.push(lines.join("\r\n").as_bytes(), prompt);
    }

    pub(crate) fn resize(&mut self, columns: usize, rows: usize) {
        (self.columns, self.rows) = (columns, rows);
        self.version += 1;
        if let Mode::Normal(grid) | Mode::Alternate { grid, .. } = &mut self.mode {
            grid.resize(columns, rows);
        }
    }

    fn grid(&self) -> Option<&Grid> {
        match &self.mode {
            Mode::Lines { .. } => None,
            Mode::Normal(grid) | Mode::Alternate { grid, .. } => Some(grid),
        }
    }

    /// The version of the picture; `None` where output is lines.
    pub(crate) fn picture(&self) -> Option<u64> {
        self.grid().map(|_| self.version)
    }

    /// The most bytes that the rows of the terminal can have.
    pub(crate) fn max_bytes(&self) -> u64 {
        (self.columns.saturating_mul(self.rows) as u64).saturating_mul(MAX_CHARACTER_BYTES)
    }

    /// The text of the cursor's row before the cursor; `None` where output is lines.
    pub(crate) fn before_cursor(&self) -> Option<String> {
        self.grid().map(Grid::before_cursor)
    }

    /// What the program shows; `None` where output is lines.
    pub(crate) fn screen(&self, redactor: &Redactor) -> Option<Screen> {
        let grid = self.grid()?;
        let masked = view::mask(&grid.rows(), Some(grid.written_to()), redactor);
        Some(Screen { is_painted: true, ..screen(&masked, grid.cursor()) })
    }

    /// The end of a text of lines, as the terminal shows it.
    pub(crate) fn end_of(&self, text: &str, redactor: &Redactor) -> Screen {
        let mut rows: Vec<Row> = Vec::new();
        let mut column = 0;
        let last = text.split('\n').rev().take(self.rows).collect::<Vec<_>>();
        for line in last.into_iter().rev() {
            let cells: Vec<Option<char>> = line.chars().map(Some).collect();
            let parts = cells.chunks(self.columns).map(<[_]>::to_vec);
            let parts = if cells.is_empty() { vec![Vec::new()] } else { parts.collect() };
            let count = parts.len();
            column = parts.last().map_or(0, Vec::len);
            let row = |(number, cells)| Row { cells, is_wrapped: number + 1 < count };
            rows.extend(parts.into_iter().enumerate().map(row));
        }
        let excess = rows.len().saturating_sub(self.rows);
        rows.drain(..excess);
        let column = (column + 1).min(self.columns);
        let cursor = Cursor { row: rows.len(), column, visible: self.watch.modes.cursor_visible };
        screen(&view::mask(&rows, None, redactor), cursor)
    }
}

/// Whether the text of the cursor's row ends one blank before the cursor.
fn ends_at_cursor(rows: &[Row], row: usize, column: usize) -> bool {
    let cells = rows.get(row - 1).map_or(&[][..], |row| row.cells.as_slice());
    let last = cells.iter().rposition(|cell| *cell != Some(' '));
    last.is_some_and(|last| last + 3 == column)
}

fn screen(masked: &view::Masked, cursor: Cursor) -> Screen {
    let text = masked.rows.join("\n");
    Screen { text, cursor, redactions: masked.redactions, is_painted: false }
}
