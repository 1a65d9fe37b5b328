//! Secrets that a terminal broke at its right edge: rows that fill its width and end inside a word.
//!
//! The checks see one line at a time. [`Rows`] notes lines that hold a trigger and may be such rows; when a line is
//! scanned, [`Rows::join`] puts the row and those after it together, has that searched, and says which pieces of the rows
//! belong to what was found across a break. Nothing is joined in the text itself.
//!
//! Where the terminal's width is not known, a row counts as full at a width that terminals have, or that the line before
//! has as well, and what follows the break has to look like the rest of a secret rather than like a line of its own.

mod group;
mod piece;

use std::num::NonZeroU16;
use std::ops::Range;

use crate::engine::Engine;
use crate::mask;
use crate::span::{Alone, RuleId, Span};
pub(crate) use group::{Ahead, Open};
use group::{Group, Row, columns, group, in_word, row_limit};

/// Widths that terminals, emulators of them and continuous integration have.
const USUAL_COLUMNS: [usize; 4] = [80, 100, 120, 132];

/// A row of fewer columns is no row of a terminal, unless its width is known.
const MIN_COLUMNS: usize = 40;

/// A wider row is not looked at, unless its width is known.
const MAX_COLUMNS: usize = 512;

/// Blanks between the beginning of a trigger and the end of its row, at most: more are in no secret behind its name.
const LAST_BLANKS: usize = 3;

/// The lines with triggers of one text, as far as they may be rows.
#[derive(Clone)]
pub(crate) struct Rows {
    /// The width of the terminal.
    columns: Option<NonZeroU16>,
    /// Bytes of the line before the text, its carriage return included; 0 when that is not known.
    before: usize,
    /// Triggers before this offset are in lines that were looked at.
    seen_to: usize,
    /// In order.
    full: Vec<Row>,
    /// Scratch space: the rows of a group, these joined, and what is found in them.
    group: Vec<Range<usize>>,
    joined: Vec<u8>,
    found: Vec<Span>,
}

/// Whole rows whose last one may end inside a secret.
#[derive(Clone)]
pub(crate) struct Waiting {
    pub(crate) open: Open,
    /// Where the row begins that has not ended.
    pub(crate) row: usize,
}

impl Rows {
    pub(crate) fn new(columns: Option<NonZeroU16>) -> Self {
        let (full, group, joined, found) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { columns, before: 0, seen_to: 0, full, group, joined, found }
    }

    pub(crate) fn columns(&self) -> Option<NonZeroU16> {
        self.columns
    }

    /// The lines of a text follow.
    pub(crate) fn begin(&mut self) {
        self.seen_to = 0;
        self.full.clear();
    }

    /// The lines of a text are done with.
    pub(crate) fn leave(&mut self, text: &[u8]) {
        let Some(body) = text.strip_suffix(b"\n") else { return };
        let start = memchr::memrchr(b'\n', body).map_or(0, |at| at + 1);
        self.before = if has_mask(&body[start..]) { 0 } else { body.len() - start };
    }

    /// The line before was longer than a window.
    pub(crate) fn forget(&mut self) {
        self.before = 0;
    }

    /// Whether there is a line to look at behind its end.
    pub(crate) fn is_any(&self) -> bool {
        !self.full.is_empty()
    }

    /// A trigger begins at `start`.
    #[inline]
    pub(crate) fn see(&mut self, text: &[u8], start: usize) {
        if start >= self.seen_to {
            self.look(text, start);
        }
    }

    fn look(&mut self, text: &[u8], start: usize) {
        let longest = self.row_limit();
        let reach = &text[start..text.len().min(start + longest)];
        let Some(length) = memchr::memchr(b'\n', reach) else {
            self.seen_to = start + reach.len();
            return;
        };
        let newline = start + length;
        self.seen_to = newline + 1;
        let end = newline - usize::from(text[..newline].ends_with(b"\r"));
        let next = newline + 1;
        if end == 0 || !in_word(text[end - 1]) || text.get(next).is_some_and(|&byte| !in_word(byte))
        {
            return;
        }
        let behind = start.saturating_sub(longest);
        let begin = match memchr::memrchr(b'\n', &text[behind..start]) {
            Some(at) => behind + at + 1,
            None if behind == 0 => 0,
            None => return,
        };
        let is_short = self.columns.is_none() && end.saturating_sub(begin) < MIN_COLUMNS;
        if begin >= end || is_short {
            return;
        }
        let Some(columns) = self.full_columns(text, begin..end, newline) else { return };
        let last_words = last_words(&text[begin..end]).map_or(begin, |at| begin + at);
        if start < last_words {
            // Too far from the end; a later one may not be.
            self.seen_to = last_words;
            return;
        }
        self.full.push(Row { text: begin..end, next, columns });
    }

    fn row_limit(&self) -> usize {
        let columns = self.columns.map_or(MAX_COLUMNS, |columns| usize::from(columns.get()));
        row_limit(columns)
    }

    /// The columns of a row that fills the terminal.
    fn full_columns(&self, text: &[u8], row: Range<usize>, newline: usize) -> Option<usize> {
        if let Some(known) = self.columns {
            let known = usize::from(known.get());
            return (row.len() >= known && columns(&text[row]) == known).then_some(known);
        }
        let line = row.start..newline;
        let columns = if text[row.clone()].is_ascii() { row.len() } else { columns(&text[row]) };
        let is_full = USUAL_COLUMNS.contains(&columns)
            || ((MIN_COLUMNS..=MAX_COLUMNS).contains(&columns)
                && self.is_as_long_as_before(text, line));
        is_full.then_some(columns)
    }

    /// Whether the line before has as many bytes.
    fn is_as_long_as_before(&self, text: &[u8], line: Range<usize>) -> bool {
        let Some(end) = line.start.checked_sub(1) else { return self.before == line.len() };
        let Some(start) = end.checked_sub(line.len()) else { return false };
        start.checked_sub(1).is_none_or(|at| text[at] == b'\n')
            && memchr::memchr(b'\n', &text[start..end]).is_none()
            && !has_mask(&text[start..end])
    }

    /// Adds to `spans`, which are those of the lines one by one, what is found across the breaks of the rows. Gives the row
    /// that has to wait, if one does.
    #[cold]
    pub(crate) fn join(
        &mut self,
        engine: &Engine,
        text: &[u8],
        ahead: Ahead<'_>,
        spans: &mut Vec<Span>,
    ) -> Option<Open> {
        let mut full = std::mem::take(&mut self.full);
        let mut rows = std::mem::take(&mut self.group);
        let mut taken_to = 0;
        let by_line = spans.len();
        let mut open = None;
        for row in full.drain(..) {
            if row.text.start < taken_to || row.next > text.len() {
                continue;
            }
            match group(text, &row, ahead, &mut rows) {
                Group::None => {}
                Group::Open => {
                    open = Some(Open { start: row.text.start, columns: row.columns });
                    break;
                }
                Group::Rows if rows.iter().any(|row| has_mask(&text[row.clone()])) => {}
                Group::Rows => {
                    // The last one may begin a group of its own.
                    taken_to = rows.last().map_or(taken_to, |last| last.start);
                    if self.may_join(engine, text, &rows, &spans[..by_line]) {
                        self.search(engine, text, &rows, by_line, spans);
                    }
                }
            }
        }
        self.full = full;
        self.group = rows;
        if spans.len() > by_line {
            crate::span::unite(spans);
        }
        open
    }

    /// False when nothing that is found in the rows joined would count.
    fn may_join(
        &self,
        engine: &Engine,
        text: &[u8],
        rows: &[Range<usize>],
        by_line: &[Span],
    ) -> bool {
        let [first, last] = rows else { return true };
        let (row, next) = (&text[first.clone()], &text[last.clone()]);
        self.columns.is_some()
            || piece::may_begin_rest(next)
            || !is_known(by_line, first.end) && engine.has_token_trigger(&piece::seam(row, next))
    }

    fn search(
        &mut self,
        engine: &Engine,
        text: &[u8],
        rows: &[Range<usize>],
        by_line: usize,
        spans: &mut Vec<Span>,
    ) {
        self.joined.clear();
        for row in rows {
            self.joined.extend_from_slice(&text[row.clone()]);
        }
        self.found.clear();
        engine.scan(&self.joined, 0, true, &mut self.found, None);
        // Where the row begins, in the rows joined, in which the finding does.
        let (mut begin, mut behind) = (0, rows);
        for span in &self.found {
            while let [row, rest @ ..] = behind
                && begin + row.len() <= span.start
            {
                (begin, behind) = (begin + row.len(), rest);
            }
            let [first, _, ..] = behind else { break };
            if span.end <= begin + first.len() {
                continue;
            }
            let pieces = piece::of(span.start - begin..span.end - begin, behind);
            let [first, .., last] = pieces.as_slice() else { continue };
            let sure = self.columns.is_some()
                || pieces.len() > 2
                || (engine.is_token(span.rule) && !is_known(&spans[..by_line], first.end));
            let after = self.joined.get(span.end).copied();
            if sure || piece::is_rest(&text[last.clone()], after) {
                let rule: RuleId = span.rule;
                let pieces = pieces.into_iter().enumerate();
                spans.extend(pieces.map(|(index, Range { start, end })| Span {
                    start,
                    end,
                    rule,
                    open: None,
                    quoted: false,
                    // At a row's start nothing goes on into its mask, and it names nothing.
                    alone: if index > 0 { Alone::ANYWHERE } else { Alone::NOWHERE },
                }));
            }
        }
    }
}

/// Whether one of these findings, which are in order, reaches the end of a row.
fn is_known(by_line: &[Span], row_end: usize) -> bool {
    let next = by_line.partition_point(|span| span.end < row_end);
    by_line.get(next).is_some_and(|span| span.start < row_end)
}

/// Whether a mask stands in a row: its width is not that of the terminal's row any more.
fn has_mask(row: &[u8]) -> bool {
    mask::occurs(row)
}

/// Where the words at the end of a row begin that a secret and its name may have; `None` for its start.
fn last_words(row: &[u8]) -> Option<usize> {
    let mut blanks = memchr::memrchr_iter(b' ', row);
    blanks.nth(LAST_BLANKS).map(|at| at + 1)
}
