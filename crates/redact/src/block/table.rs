//! Columns below a header that names them: CSV and its like, the tables of psql, mysql and Markdown, and columns that
//! blanks align.

use std::ops::Range;

use super::{LineRole, characters, line_before};
use crate::class::Class;
use crate::detect::random::looks_like_secret;
use crate::detect::words::{PROSE_WORDS, has};
use crate::escapes::{ESCAPE, ScreenText};
use crate::mask;
use crate::span::{RuleId, Span};

/// The longest header, and the longest heading in it.
pub(crate) const MAX_HEADER_BYTES: usize = 1 << 10;
const MAX_HEADING_BYTES: usize = 40;

/// The most words of a heading.
const MAX_HEADING_WORDS: usize = 4;

/// The most cells of a row, and the most columns of secrets.
const MAX_CELLS: usize = 64;
const MAX_COLUMNS: usize = 8;

/// The bars that are drawn for a box, and all signs that part the cells of a row.
const BARS: [&str; 3] = ["│", "┃", "║"];
const SIGNS: [&str; 7] = ["\t", "|", "│", "┃", "║", ",", ";"];

/// What programs write before the first heading of a file.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Tells whether a cell of a column is a secret.
pub(crate) type IsValue = fn(&[u8]) -> bool;

/// What a heading requires of the cells below it, if it names a secret: in a text, and in data where every word may be a
/// value.
pub(crate) type ReadHeading = fn(heading: &[u8]) -> Option<[IsValue; 2]>;

/// How the cells of a row are parted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// By this sign.
    Sign(&'static str),
    /// By blanks, at least so many, below the headings.
    Blanks(usize),
}

/// A column of secrets. Two columns at the same place are the same.
#[derive(Clone, Copy)]
struct Column {
    /// The number of the cell, or the characters that the heading takes.
    place: (usize, usize),
    is_value: [IsValue; 2],
}

impl PartialEq for Column {
    fn eq(&self, other: &Self) -> bool {
        self.place == other.place
    }
}

impl Eq for Column {}

/// The state below a header.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Table {
    rule: RuleId,
    shape: Shape,
    /// The number of cells of every row.
    cells: usize,
    columns: Vec<Column>,
    /// Whether the table is data and no text: any word may be a value.
    is_data: bool,
}

/// Quickly rules out most names: false if the name at `name` is no heading.
pub(crate) fn may_begin(text: &[u8], name: &Range<usize>) -> bool {
    let quote = usize::from(matches!(text.get(name.end), Some(b'"' | b'\'' | b'`')));
    match &text[name.end + quote..] {
        [b',' | b';' | b'\t' | b'|' | b'\n', ..]
        | [b'\r', b'\n', ..]
        | [b' ', b' ' | b'|' | b'\n' | b'\r' | 0xe2, ..] => true,
        [b' ', next, ..] => next.is_ascii_alphabetic() && ends_heading(&text[name.end..]),
        _ => false,
    }
}

/// Whether the words at the start of `text` belong to a heading that goes on.
fn ends_heading(text: &[u8]) -> bool {
    let near = &text[..text.len().min(MAX_HEADING_BYTES)];
    let mut after_blank = false;
    for byte in near {
        let is_blank = *byte == b' ';
        if is_blank && after_blank {
            return true;
        }
        if !is_blank && !byte.is_ascii_alphabetic() {
            return matches!(byte, b',' | b'|' | b'\t' | b'\n' | b'\r' | 0xe2);
        }
        after_blank = is_blank;
    }
    false
}

impl Table {
    /// If the line with the name at `name` is a header, returns where the line ends and the state after it.
    #[cold]
    pub(super) fn begin(
        text: &[u8],
        from: usize,
        rule: RuleId,
        name: &Range<usize>,
        read: ReadHeading,
    ) -> Option<(usize, Self)> {
        let start = name.start - line_before(text, from, name.start, MAX_HEADER_BYTES)?.len();
        let near = &text[start..text.len().min(start + MAX_HEADER_BYTES)];
        let length = memchr::memchr(b'\n', near)?;
        let line = near[..length].strip_suffix(b"\r").unwrap_or(&near[..length]);
        // Most lines are code.
        if Class::Header.run(line) < line.len() {
            return None;
        }
        let shape = Shape::of(line);
        let table = Self::of_header(rule, shape, line, read);
        let table = match (table, shape) {
            // A column is parted from the next by one blank where its widest cell is the heading.
            (None, Shape::Blanks(_)) if find(line.trim_ascii(), "  ").is_none() => {
                Self::of_header(rule, Shape::Blanks(1), line, read)
            }
            (table, _) => table,
        };
        Some((start + length + 1, table?))
    }

    fn of_header(rule: RuleId, shape: Shape, line: &[u8], read: ReadHeading) -> Option<Self> {
        let has_bars = matches!(shape, Shape::Sign(sign) if is_bar(sign));
        // A comma or a semicolon before a blank may belong to a sentence.
        let is_text = !has_bars && [", ", "; "].iter().any(|pair| find(line, pair).is_some());
        let is_data = matches!(shape, Shape::Sign(_)) && !has_bars && !is_text;
        let mut table = Self { rule, shape, cells: 0, columns: Vec::new(), is_data };
        for cell in shape.cells(line) {
            let cell = cell?;
            let heading = content(line, &cell);
            let is_index = heading.is_empty() && has_bars;
            if !is_index && !is_heading(heading)
                || is_text && heading.contains(&b' ')
                || shape == Shape::Blanks(1)
                    && (has(PROSE_WORDS, heading) || Class::Word.run(heading) < heading.len())
            {
                return None;
            }
            if let Some(is_value) = read(heading) {
                let place = match shape {
                    Shape::Sign(_) => (table.cells, table.cells),
                    Shape::Blanks(_) => {
                        (characters(&line[..cell.start]), characters(&line[..cell.end]))
                    }
                };
                table.columns.push(Column { place, is_value });
            }
            table.cells += 1;
        }
        ((1..=MAX_COLUMNS).contains(&table.columns.len()) && table.cells > 1).then_some(table)
    }

    /// Reads one line, and adds its secrets to `spans`.
    pub(super) fn line(&mut self, line: &[u8], spans: &mut Vec<Span>) -> LineRole {
        let content = line.strip_suffix(b"\n").unwrap_or(line);
        let content = content.strip_suffix(b"\r").unwrap_or(content);
        if memchr::memchr(ESCAPE, content).is_none() {
            return self.shown_line(content, spans);
        }
        let shown = ScreenText::of(content, 0);
        let first = spans.len();
        let role = self.shown_line(&shown.text, spans);
        for span in &mut spans[first..] {
            (span.start, span.end) = (shown.start(span.start), shown.end(span.end));
        }
        role
    }

    fn shown_line(&mut self, line: &[u8], spans: &mut Vec<Span>) -> LineRole {
        if is_rule(line) {
            // psql and mysql draw their rules so, and Markdown does not.
            let crosses = ["+", "┼", "╪", "╬"];
            self.is_data |= crosses.iter().any(|sign| find(line, sign).is_some());
            return LineRole::Text;
        }
        if line.trim_ascii().is_empty() {
            return LineRole::Outside;
        }
        let Some(found) = self.secrets(line) else { return LineRole::Outside };
        for (cell, column) in found {
            let range = value(line, &cell);
            let body = &line[range.clone()];
            if !body.is_empty()
                && !mask::occurs(body)
                && (column.is_value[usize::from(self.is_data)])(body)
            {
                let Range { start, end } = range;
                spans.push(Span { start, end, rule: self.rule, open: None, quoted: false });
            }
        }
        LineRole::Cells
    }

    /// The cells of the columns of secrets. `None` if the line is no row.
    fn secrets(&self, line: &[u8]) -> Option<Vec<(Range<usize>, Column)>> {
        let columns = self.columns.iter();
        if let Shape::Blanks(blanks) = self.shape {
            let cell = |column: &Column| Some((below(line, column.place, blanks)?, *column));
            return columns.map(cell).collect();
        }
        let cells: Option<Vec<_>> = self.shape.of_row(line).cells(line).collect();
        let cells = cells.filter(|cells| cells.len() == self.cells)?;
        Some(columns.map(|column| (cells[column.place.0].clone(), *column)).collect())
    }

    /// Where the first secret of an unfinished line may begin.
    pub(super) fn lead(&self, line: &[u8]) -> usize {
        let shown = ScreenText::of(line, 0);
        let text = &shown.text;
        let starts = self.columns.iter().map(|column| match self.shape {
            Shape::Sign(_) => {
                let sign = self.shape.of_row(text).sign();
                let next = |at: &usize| Some(at + find(&text[*at..], sign)? + sign.len());
                let mut starts = std::iter::successors(Some(0), next);
                starts.nth(column.place.0).unwrap_or(text.len())
            }
            Shape::Blanks(_) => {
                let at = offset(text, column.place.0).unwrap_or(text.len());
                text[..at].iter().rposition(|byte| *byte == b' ').map_or(0, |blank| blank + 1)
            }
        });
        starts.min().map_or(line.len(), |at| shown.end(at))
    }
}

impl Shape {
    /// How the cells of a header are parted.
    fn of(line: &[u8]) -> Self {
        let has = |sign: &&str| find(line, sign).is_some();
        SIGNS.into_iter().find(has).map_or(Self::Blanks(2), Self::Sign)
    }

    /// The same for a row: a header may be drawn with other bars.
    fn of_row(self, line: &[u8]) -> Self {
        let has = |sign: &&str| find(line, sign).is_some();
        match self {
            Self::Sign(sign) if BARS.contains(&sign) => {
                Self::Sign(BARS.into_iter().find(has).unwrap_or(sign))
            }
            other => other,
        }
    }

    fn sign(self) -> &'static str {
        match self {
            Self::Sign(sign) => sign,
            Self::Blanks(1) => " ",
            Self::Blanks(_) => "  ",
        }
    }

    /// The cells of a line. `None` where there are too many, or a quote of one is not closed.
    fn cells(self, line: &[u8]) -> Cells<'_> {
        let (at, end) = match self {
            Self::Sign(sign) if is_bar(sign) => {
                let content = line.trim_ascii();
                let start = line.len() - line.trim_ascii_start().len();
                let outer = |is_there: bool| if is_there { sign.len() } else { 0 };
                let (first, last) =
                    (content.starts_with(sign.as_bytes()), content.ends_with(sign.as_bytes()));
                let end = start + content.len() - outer(last);
                ((start + outer(first)).min(end), end)
            }
            Self::Sign(_) => (0, line.len()),
            Self::Blanks(_) => (Class::run_of_blanks(line), line.trim_ascii_end().len()),
        };
        Cells { line, shape: self, at: Some(at), end, count: 0 }
    }
}

/// The cells of a line: see [`Shape::cells`].
struct Cells<'l> {
    line: &'l [u8],
    shape: Shape,
    /// Where the next cell begins, if there is one.
    at: Option<usize>,
    end: usize,
    count: usize,
}

impl Iterator for Cells<'_> {
    type Item = Option<Range<usize>>;

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.at.take()?;
        let sign = self.shape.sign();
        let rest = &self.line[start..self.end];
        let inner = if matches!(sign, "," | ";") { quoted(rest) } else { Some(0) };
        let Some(inner) = inner.filter(|_| self.count < MAX_CELLS) else { return Some(None) };
        self.count += 1;
        let length = find(&rest[inner..], sign).map(|length| inner + length);
        self.at = length.map(|length| {
            let next = &rest[length + sign.len()..];
            let is_aligned = matches!(self.shape, Shape::Blanks(_));
            let blanks = next.iter().take_while(|byte| is_aligned && **byte == b' ').count();
            start + length + sign.len() + blanks
        });
        Some(Some(start..length.map_or(self.end, |length| start + length)))
    }
}

/// Where a sign begins. The signs and the lines are short, so that a prepared search does not pay.
fn find(text: &[u8], sign: &str) -> Option<usize> {
    let (first, rest) = sign.as_bytes().split_first()?;
    memchr::memchr_iter(*first, text).find(|at| text[at + 1..].starts_with(rest))
}

fn is_bar(sign: &str) -> bool {
    !matches!(sign, "\t" | "," | ";")
}

/// The length of the quoted text at the start of a cell; `None` if it is not closed.
fn quoted(text: &[u8]) -> Option<usize> {
    let Some(inner) = text.strip_prefix(b"\"") else { return Some(0) };
    let mut quotes = memchr::memchr_iter(b'"', inner).peekable();
    while let Some(quote) = quotes.next() {
        if quotes.next_if_eq(&(quote + 1)).is_none() {
            return Some(quote + 2);
        }
    }
    None
}

/// Where a character begins. `None` if the line is shorter.
fn offset(line: &[u8], character: usize) -> Option<usize> {
    let mut begins = (0..line.len()).filter(|&at| line[at] & 0xc0 != 0x80);
    begins.nth(character)
}

/// The cell below the heading at `place`, which may be empty: it begins where the heading begins, or ends where that
/// ends. `None` if the columns of the line are others.
fn below(line: &[u8], place: (usize, usize), blanks: usize) -> Option<Range<usize>> {
    let is_blank = |at: usize| line.get(at).is_none_or(|byte| matches!(byte, b' ' | b'\t'));
    let Some(start) = offset(line, place.0) else { return Some(0..0) };
    // The mask of a cell is not as wide as its value was.
    if mask::occurs(&line[..start]) {
        return Some(0..0);
    }
    let before = line[..start].iter().rev().take_while(|byte| **byte != b' ').count();
    let end = offset(line, place.1).unwrap_or(line.len());
    let cell_from = |start: usize| {
        let length = find(&line[start..], &"  "[..blanks]).unwrap_or(line.len() - start);
        start..start + length
    };
    match (before == 0, is_blank(start), is_blank(end)) {
        (true, false, _) => Some(cell_from(start)),
        // The cell is empty, or ends below the end of its heading.
        (true, true, true) => {
            let first = line[..end].iter().rposition(|byte| *byte == b' ').map_or(0, |at| at + 1);
            Some(first.min(end)..end)
        }
        (false, _, true) if !is_blank(end - 1) => Some(start - before..end),
        _ => None,
    }
}

/// A heading or a value without what stands around it.
fn content<'l>(line: &'l [u8], cell: &Range<usize>) -> &'l [u8] {
    &line[value(line, cell)]
}

/// Where the value of a cell is: after a byte order mark, within blanks, and within one pair of quotes or of stars.
fn value(line: &[u8], cell: &Range<usize>) -> Range<usize> {
    let inner = |Range { start, end }: Range<usize>| {
        let start = start + if line[start..end].starts_with(BYTE_ORDER_MARK) { 3 } else { 0 };
        let text = &line[start..end];
        let first = start + text.len() - text.trim_ascii_start().len();
        first..first + text.trim_ascii().len()
    };
    let Range { mut start, mut end } = inner(cell.clone());
    while end - start > 1
        && line[start] == line[end - 1]
        && matches!(line[start], b'"' | b'\'' | b'`' | b'*')
    {
        (start, end) = (start + 1, end - 1);
    }
    inner(start..end)
}

/// Whether a cell of the header can be a heading: a few words.
fn is_heading(cell: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b" _-./()#%?'+[]".contains(byte);
    cell.len() <= MAX_HEADING_BYTES
        && cell.first().is_some_and(|first| first.is_ascii_alphabetic() || b"(_#".contains(first))
        && cell.iter().all(|byte| is_part(byte) || *byte >= 0x80)
        && !looks_like_secret(cell)
        && cell.split(|byte| *byte == b' ').count() <= MAX_HEADING_WORDS
}

/// Whether a line is drawn with dashes and the signs of a table.
fn is_rule(line: &[u8]) -> bool {
    let text = line.trim_ascii();
    // All box-drawing characters begin with these two bytes.
    let is_drawn = |at: usize| {
        b"-+=|: \t".contains(&text[at])
            || text[at] == 0xe2 && matches!(text.get(at + 1), Some(0x94 | 0x95))
            || at > 0 && text[at] & 0xc0 == 0x80
    };
    let begins = |first: &u8| b"-+=|".contains(first) || *first == 0xe2;
    text.first().is_some_and(begins)
        && (find(text, "--").is_some() || text.contains(&b'=') || text[0] == 0xe2)
        && (0..text.len()).all(is_drawn)
}

#[cfg(test)]
mod tests {
    use super::{Class, SIGNS, is_heading};

    #[test]
    fn all_bytes_of_headings_and_what_parts_them_are_bytes_of_headers() {
        let of_headings = (0..=u8::MAX).filter(|&byte| is_heading(&[b'a', byte]));
        let of_signs = SIGNS.iter().flat_map(|sign| sign.bytes());
        for byte in of_headings.chain(of_signs).chain(*b" \t\r\x0c\"'`*") {
            assert!(Class::Header.has(byte), "{:?}", char::from(byte));
        }
    }
}
