//! The picture that a full-screen program paints: a terminal emulator, and a view of its rows.

use avt::parser::{Function, Parser};
use avt::{Line, Observation, Observer, Operation, ScreenKind, Terminal};

/// The largest terminal with a picture, in cells. A full-screen program on a larger one is read as the text that it
/// writes. The time that one sequence takes grows with the number of cells.
pub const MAX_SCREEN_CELLS: usize = 40_000;

/// The rows of a terminal, with the cursor.
pub(crate) struct Grid {
    parser: Parser,
    terminal: Terminal,
    /// The beginning of a character whose rest has not come.
    partial: Vec<u8>,
    /// The lines that have left the normal screen at its top since [`Grid::take_scrolled`].
    scrolled: Scrolled,
    /// The row and the column after the last character that was written, counted from 0.
    written_to: (usize, usize),
}

/// One row of a picture. Each cell has the character in its column; a cell without one belongs to the wide character
/// before it.
pub(crate) struct Row {
    pub(crate) cells: Vec<Option<char>>,
    /// Whether the terminal continued the line in the next row.
    pub(crate) is_wrapped: bool,
}

/// The position of the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// The row, counted from 1.
    pub row: usize,
    /// The column, counted from 1.
    pub column: usize,
    /// Whether the program shows it.
    pub visible: bool,
}

impl Grid {
    /// An empty picture. `None` where the terminal is empty or too large.
    pub(crate) fn new(columns: usize, rows: usize) -> Option<Self> {
        if columns.saturating_mul(rows) > MAX_SCREEN_CELLS {
            return None;
        }
        let terminal = Terminal::new(columns, rows).ok()?;
        let (partial, scrolled) = (Vec::new(), Scrolled::default());
        Some(Self { parser: Parser::new(), terminal, partial, scrolled, written_to: (0, 0) })
    }

    /// Takes output up to the first line that scrolls off the normal screen. Gives the number of bytes that were taken.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> usize {
        let mut at = 0;
        while !self.partial.is_empty() && at < bytes.len() && self.scrolled.lines.is_empty() {
            self.partial.push(bytes[at]);
            at += 1;
            self.complete_character();
        }
        while at < bytes.len() && self.scrolled.lines.is_empty() {
            let (text, invalid) = match std::str::from_utf8(&bytes[at..]) {
                Ok(text) => (text, None),
                Err(error) => {
                    let valid = &bytes[at..at + error.valid_up_to()];
                    (std::str::from_utf8(valid).unwrap_or_default(), Some(error.error_len()))
                }
            };
            for character in text.chars() {
                self.take(character);
                at += character.len_utf8();
                if !self.scrolled.lines.is_empty() {
                    return at;
                }
            }
            match invalid {
                None => {}
                Some(Some(length)) => {
                    self.take(char::REPLACEMENT_CHARACTER);
                    at += length;
                }
                // The rest of the character may come.
                Some(None) => {
                    self.partial = bytes[at..].to_vec();
                    at = bytes.len();
                }
            }
        }
        at
    }

    /// Takes the character that came in pieces, once it is whole or cannot become one.
    fn complete_character(&mut self) {
        match std::str::from_utf8(&self.partial) {
            Ok(text) => {
                let character = text.chars().next();
                self.partial.clear();
                if let Some(character) = character {
                    self.take(character);
                }
            }
            Err(error) => {
                let Some(length) = error.error_len() else { return };
                // The byte that cannot continue the character is read on its own.
                let rest = self.partial.split_off(length.min(self.partial.len()));
                self.partial = rest;
                self.take(char::REPLACEMENT_CHARACTER);
                if !self.partial.is_empty() {
                    self.complete_character();
                }
            }
        }
    }

    fn take(&mut self, character: char) {
        // A terminal in UTF-8 has no controls of eight bits.
        if ('\u{80}'..='\u{9f}').contains(&character) {
            return;
        }
        let Some(function) = self.parser.feed(character) else { return };
        let (columns, rows) = self.terminal.size();
        let function = match function {
            // The work for one sequence is bounded by the size of the terminal.
            Function::Rep(count) => Function::Rep(at_most(count, columns)),
            Function::Su(count) => Function::Su(at_most(count, rows)),
            Function::Sd(count) => Function::Sd(at_most(count, rows)),
            other => other,
        };
        let writes = matches!(function, Function::Print(_) | Function::Rep(_));
        self.terminal.execute_with(function, &mut self.scrolled);
        if writes {
            let avt::Cursor { col, row, .. } = self.terminal.cursor();
            self.written_to = (row, col);
        }
    }

    /// Shows the alternate screen, whichever mode the program asked for.
    pub(crate) fn enter_alternate(&mut self) {
        if self.terminal.active_screen_kind() == ScreenKind::Primary {
            self.feed(b"\x1b[?1049h");
        }
    }

    pub(crate) fn resize(&mut self, columns: usize, rows: usize) {
        self.terminal.resize(columns, rows);
    }

    /// The lines that have scrolled off the normal screen.
    pub(crate) fn take_scrolled(&mut self) -> Vec<Row> {
        std::mem::take(&mut self.scrolled.lines)
    }

    pub(crate) fn has_scrolled(&self) -> bool {
        !self.scrolled.lines.is_empty()
    }

    /// The rows that are shown.
    pub(crate) fn rows(&self) -> Vec<Row> {
        self.terminal.screen().visible_lines().map(row).collect()
    }

    /// The rows of the normal screen, also while the other one is shown.
    pub(crate) fn normal_rows(&self) -> Vec<Row> {
        self.terminal.primary_screen().visible_lines().map(row).collect()
    }

    /// The row and the column after the last character that was written, counted from 0. A program may still be writing
    /// there, wherever it has sent the cursor since.
    pub(crate) fn written_to(&self) -> (usize, usize) {
        self.written_to
    }

    pub(crate) fn cursor(&self) -> Cursor {
        let avt::Cursor { col, row, visible } = self.terminal.cursor();
        let (columns, _) = self.terminal.size();
        // After a character in the last column the cursor stays there until the next one.
        Cursor { row: row + 1, column: (col + 1).min(columns), visible }
    }

    /// The text of the cursor's row before the cursor.
    pub(crate) fn before_cursor(&self) -> String {
        let avt::Cursor { col, row: number, .. } = self.terminal.cursor();
        let line = self.terminal.screen().visible_lines().nth(number);
        let cells = line.map(|line| row(line).cells).unwrap_or_default();
        cells.into_iter().take(col).flatten().collect()
    }
}

fn at_most(count: u16, limit: usize) -> u16 {
    count.min(u16::try_from(limit).unwrap_or(u16::MAX))
}

fn row(line: &Line) -> Row {
    let cells = line.cells().iter().map(|cell| (cell.width() > 0).then(|| cell.char())).collect();
    Row { cells, is_wrapped: line.is_wrapped() }
}

/// Keeps the lines that an output has scrolled off the normal screen.
#[derive(Default)]
struct Scrolled {
    /// Whether the present sequence scrolls because the screen is full. Erasing the screen pushes lines out too, and
    /// nobody reads those.
    is_scrolling: bool,
    lines: Vec<Row>,
}

impl Observer for Scrolled {
    type Output = ();

    fn before(&mut self, _: &mut Observation<'_>, operation: &Operation) {
        self.is_scrolling = matches!(
            operation,
            Operation::Function(
                Function::Lf | Function::Nel | Function::Print(_) | Function::Rep(_)
            )
        );
    }

    fn evicted(&mut self, _: &mut Observation<'_>, line: &Line) {
        if self.is_scrolling {
            self.lines.push(row(line));
        }
    }

    fn end(&mut self, _: &mut Observation<'_>) {}
}
