//! A picture as it may be shown: its rows as one text, with the secrets masked.
//!
//! A secret may be painted in pieces, before its label, or over several rows. So the finished picture is searched, and
//! not the output. It is searched several times: as the lines that it has, and with those lines joined that may continue
//! in the next row, once for the whole rows and once for each column of text between vertical lines. What stands where the
//! program wrote last may be the beginning of a secret whose rest has not come, as at the end of an unfinished line.

use std::ops::Range;

use handrail_redact::{Mark, Redactor};

use crate::grid::Row;

/// Characters that separate columns of text.
const VERTICAL_LINES: &[char] = &['│', '┃', '║', '|', '▏', '▕', '▐', '▌', '█'];

/// Masked rows, without the blanks at their ends and the empty rows at the end of the picture.
pub(crate) struct Masked {
    pub(crate) rows: Vec<String>,
    /// The number of masks.
    pub(crate) redactions: u64,
}

/// Masks a picture. `written_to` is the row and the column, counted from 0, where text may go on.
pub(crate) fn mask(
    rows: &[Row],
    written_to: Option<(usize, usize)>,
    redactor: &Redactor,
) -> Masked {
    let mut masks = Masks { written_to, ..Masks::new(rows) };
    for column in columns(rows) {
        masks.search(&joined(rows, &column), redactor);
    }
    let width = rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
    let whole = Column { span: 0..width, rows: 0..rows.len() };
    masks.search(&joined(rows, &whole), redactor);
    masks.search(&separate(rows), redactor);
    masks.write(rows)
}

/// A part of the picture: these columns of these rows.
struct Column {
    span: Range<usize>,
    rows: Range<usize>,
}

/// The parts between vertical lines, each over the consecutive rows in which it has the same borders.
fn columns(rows: &[Row]) -> Vec<Column> {
    let mut found = Vec::new();
    let mut open: Vec<Column> = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        let mut continued = Vec::new();
        for span in spans(row) {
            match open.iter().position(|column| column.span == span) {
                Some(at) => continued.push(open.swap_remove(at)),
                None => continued.push(Column { span, rows: number..number }),
            }
        }
        for column in &mut continued {
            column.rows.end = number + 1;
        }
        found.append(&mut open);
        open = continued;
    }
    found.append(&mut open);
    found
}

/// The parts of a row between vertical lines; none where it has no such line.
fn spans(row: &Row) -> Vec<Range<usize>> {
    let is_line = |cell: &Option<char>| cell.is_some_and(|cell| VERTICAL_LINES.contains(&cell));
    let borders: Vec<usize> = (0..row.cells.len()).filter(|&at| is_line(&row.cells[at])).collect();
    if borders.is_empty() {
        return Vec::new();
    }
    let starts = std::iter::once(0).chain(borders.iter().map(|at| at + 1));
    let ends = borders.iter().copied().chain(std::iter::once(row.cells.len()));
    starts.zip(ends).map(|(start, end)| start..end).filter(|span| !span.is_empty()).collect()
}

/// A text of the picture, and the cell of each of its bytes.
#[derive(Default)]
struct Text {
    bytes: Vec<u8>,
    /// For each byte the row and the column; `None` for what stands between rows.
    cells: Vec<Option<(usize, usize)>>,
}

impl Text {
    fn push(&mut self, character: char, cell: Option<(usize, usize)>) {
        let mut buffer = [0; 4];
        self.bytes.extend_from_slice(character.encode_utf8(&mut buffer).as_bytes());
        self.cells.resize(self.bytes.len(), cell);
    }

    /// The number of bytes up to the last cell before this place in its row; 0 where there is none.
    fn length_before(&self, (row, column): (usize, usize)) -> usize {
        let is_before = |cell: &Option<(usize, usize)>| {
            cell.is_some_and(|(cell_row, cell_column)| cell_row == row && cell_column < column)
        };
        self.cells.iter().rposition(is_before).map_or(0, |last| last + 1)
    }

    fn push_row(&mut self, rows: &[Row], number: usize, span: Range<usize>) {
        for at in span {
            if let Some(character) = rows[number].cells[at] {
                self.push(character, Some((number, at)));
            }
        }
    }
}

/// The part of a span that is not blank at its end.
fn written(row: &Row, span: &Range<usize>) -> Range<usize> {
    let end = span.end.min(row.cells.len());
    let is_blank = |at: &usize| row.cells[*at] == Some(' ');
    let end = (span.start..end).rev().find(|at| !is_blank(at)).map_or(span.start, |at| at + 1);
    span.start..end
}

/// Each row as a line of its own.
fn separate(rows: &[Row]) -> Text {
    let mut text = Text::default();
    for (number, row) in rows.iter().enumerate() {
        text.push_row(rows, number, written(row, &(0..row.cells.len())));
        text.push('\n', None);
    }
    text
}

/// The rows of a column, with those joined that may be one line: where the terminal wrapped it, and where the text fills
/// the row. In the second case the blanks at the start of the next row do not count: they may be a margin.
fn joined(rows: &[Row], column: &Column) -> Text {
    let mut text = Text::default();
    let mut is_continued = false;
    for number in column.rows.clone() {
        let row = &rows[number];
        let mut span = written(row, &column.span);
        if is_continued {
            let is_text = |at: &usize| row.cells[*at] != Some(' ');
            span.start = span.clone().find(is_text).unwrap_or(span.end);
        }
        let fills = span.end == column.span.end && !span.is_empty();
        let wraps = row.is_wrapped && column.span.end == row.cells.len();
        if wraps {
            span.end = column.span.end;
        }
        text.push_row(rows, number, span);
        is_continued = fills && !wraps;
        if !fills && !wraps {
            text.push('\n', None);
        }
    }
    text
}

/// Which cells are masked.
struct Masks {
    /// For each row and column the number of the mask in `texts`.
    cells: Vec<Vec<Option<usize>>>,
    /// What stands for each masked secret; empty for a further part of one.
    texts: Vec<String>,
    written_to: Option<(usize, usize)>,
}

impl Masks {
    fn new(rows: &[Row]) -> Self {
        let cells = rows.iter().map(|row| vec![None; row.cells.len()]).collect();
        Self { cells, texts: Vec::new(), written_to: None }
    }

    /// Masks what is a secret in this text and not masked yet.
    fn search(&mut self, text: &Text, redactor: &Redactor) {
        let begun = self.written_to.and_then(|written_to| {
            redactor.begun_mark(&text.bytes[..text.length_before(written_to)])
        });
        let marks = redactor.marks(&text.bytes).into_iter().chain(begun);
        for Mark { rule, start, end, quoted, continues } in marks {
            let number = self.texts.len();
            let mut is_new = false;
            for &(row, column) in text.cells[start..end].iter().flatten() {
                let cell = &mut self.cells[row][column];
                is_new |= cell.is_none();
                cell.get_or_insert(number);
            }
            if is_new {
                self.texts.push(if continues {
                    String::new()
                } else {
                    redactor.mask(rule, quoted)
                });
            }
        }
    }

    /// The rows, with one mask in place of each secret: where it begins.
    fn write(mut self, rows: &[Row]) -> Masked {
        let redactions = self.texts.iter().filter(|text| !text.is_empty()).count() as u64;
        let mut written = Vec::with_capacity(rows.len());
        for (row, masks) in rows.iter().zip(&self.cells) {
            let mut text = String::with_capacity(row.cells.len());
            for (cell, mask) in row.cells.iter().zip(masks) {
                match mask {
                    Some(number) => text.push_str(&std::mem::take(&mut self.texts[*number])),
                    None => text.extend(cell),
                }
            }
            text.truncate(text.trim_end_matches(' ').len());
            written.push(text);
        }
        let end = written.iter().rposition(|row| !row.is_empty()).map_or(0, |last| last + 1);
        written.truncate(end);
        Masked { rows: written, redactions }
    }
}
