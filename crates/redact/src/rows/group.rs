//! Which rows belong together: from a full one on, as long as they are full and one word, and the one behind.

use std::ops::Range;

/// Rows that are joined hold at most so many bytes, but for the last.
const MAX_JOINED_BYTES: usize = 4 << 10;

/// Longest character, and carriage return and line feed.
const MAX_CHAR_BYTES: usize = 4;
const MAX_BREAK_BYTES: usize = 2;

/// A line that fills the terminal and ends inside a word.
#[derive(Clone)]
pub(super) struct Row {
    /// Without its break.
    pub(super) text: Range<usize>,
    /// Where the next one begins.
    pub(super) next: usize,
    pub(super) columns: usize,
}

/// A row whose end is not decided: the next one has not come.
#[derive(Clone, Copy)]
pub(crate) struct Open {
    /// Where the row begins that is looked at first.
    pub(crate) start: usize,
    pub(super) columns: usize,
}

impl Open {
    /// Bytes of an unfinished row that tell that it is no row of this terminal.
    pub(crate) fn row_limit(self) -> usize {
        row_limit(self.columns)
    }

    /// Whether nothing is decided either when this row is added to `joined` bytes, from the row looked at first on.
    pub(crate) fn goes_on(self, joined: usize, row: &[u8]) -> bool {
        let row = without_break(row);
        joined <= MAX_JOINED_BYTES && is_middle(row, self.columns)
    }
}

/// What became of the rows behind a full one.
pub(super) enum Group {
    /// They belong together.
    Rows,
    /// The line is no row of a terminal.
    None,
    /// More has to come.
    Open,
}

/// What is known behind the lines of a text.
#[derive(Clone, Copy)]
pub(crate) enum Ahead<'a> {
    /// The beginning of the next line, which may be all of it that came.
    Begun(&'a [u8]),
    /// There is none.
    End,
}

/// Puts the rows that belong together from a full one on into `rows`.
pub(super) fn group(
    text: &[u8],
    first: &Row,
    ahead: Ahead<'_>,
    rows: &mut Vec<Range<usize>>,
) -> Group {
    rows.clear();
    rows.push(first.text.clone());
    let mut at = first.next;
    loop {
        let Some((row, next)) = next_row(text, at, first.columns, ahead) else {
            return Group::Open;
        };
        // The line before may have ended a word after all.
        let begins = text[row.clone()].first().is_some_and(|&byte| in_word(byte));
        if !begins || columns(&text[row.clone()]) > first.columns {
            return if rows.len() > 1 { Group::Rows } else { Group::None };
        }
        let joined = row.start - first.text.start;
        let goes_on = joined <= MAX_JOINED_BYTES && is_middle(&text[row.clone()], first.columns);
        rows.push(row);
        if !goes_on || next == at {
            return Group::Rows;
        }
        at = next;
    }
}

/// The row at `at` and where the next one begins; `None` when it has not come.
fn next_row(
    text: &[u8],
    at: usize,
    columns: usize,
    ahead: Ahead<'_>,
) -> Option<(Range<usize>, usize)> {
    let limit = row_limit(columns);
    let reach = &text[at..text.len().min(at + limit)];
    if let Some(length) = memchr::memchr(b'\n', reach) {
        let row = without_break(&reach[..=length]);
        return Some((at..at + row.len(), at + length + 1));
    }
    let row = match ahead {
        Ahead::End => at..text.len(),
        // Too long to be one.
        _ if reach.len() == limit => at..at,
        Ahead::Begun(ahead)
            if ahead.len() >= limit && memchr::memchr(b'\n', &ahead[..limit]).is_none() =>
        {
            at..at
        }
        Ahead::Begun(_) => return None,
    };
    let next = row.end;
    Some((row, next))
}

/// Whether a row can be the middle of a secret: it is full, and one word.
fn is_middle(row: &[u8], width: usize) -> bool {
    columns(row) == width && row.iter().all(|&byte| in_word(byte))
}

fn without_break(row: &[u8]) -> &[u8] {
    let row = row.strip_suffix(b"\n").unwrap_or(row);
    row.strip_suffix(b"\r").unwrap_or(row)
}

/// Bytes of so many columns and their break, at most.
pub(super) fn row_limit(columns: usize) -> usize {
    columns * MAX_CHAR_BYTES + MAX_BREAK_BYTES
}

/// Characters of a row. Each is taken for one column.
pub(super) fn columns(row: &[u8]) -> usize {
    row.iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
}

/// Whether a word that ends or begins with this byte may be part of a secret.
pub(super) fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'_' | b'-' | b'.' | b'+' | b'/' | b'=' | b'~' | b'!' | b'*' | b'^' | b'%'
        )
}
