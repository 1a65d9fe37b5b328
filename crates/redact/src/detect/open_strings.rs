//! Finding the strings that are open at a place.

use crate::quote::backslashes;

/// How many strings may be nested.
const MAX_NESTED_STRINGS: usize = 5;

/// The strings that are open at a place. Each is inside the one before it.
pub(super) struct OpenStrings {
    open: [(u8, usize); MAX_NESTED_STRINGS],
    count: usize,
}

impl OpenStrings {
    /// The innermost open string: its quote, and the number of backslashes before that.
    pub(super) fn last(&self) -> Option<(u8, usize)> {
        self.open[..self.count].last().copied()
    }

    /// Whether this quote with `depth` backslashes before it closes one of the strings.
    pub(super) fn closes(&self, quote: u8, depth: usize) -> bool {
        self.closed(quote, depth).is_some()
    }

    fn closed(&self, quote: u8, depth: usize) -> Option<usize> {
        let closes = |&(one, own): &(u8, usize)| one == quote && depth % (2 * own + 2) == own;
        self.open[..self.count].iter().rposition(closes)
    }

    fn read_quote(&mut self, quote: u8, depth: usize) {
        let opens_inner = |(_, own)| depth % (2 * own + 2) == 2 * own + 1;
        if let Some(outer) = self.closed(quote, depth) {
            self.count = outer;
        } else if self.count < MAX_NESTED_STRINGS && self.last().is_none_or(opens_inner) {
            self.open[self.count] = (quote, depth);
            self.count += 1;
        }
    }
}

/// The strings that are open at `at`. `None` if the line begins more than `reach` bytes before, so that they cannot be
/// known.
pub(super) fn read(text: &[u8], at: usize, reach: usize) -> Option<OpenStrings> {
    let near = &text[at.saturating_sub(reach)..at];
    let line = match memchr::memrchr(b'\n', near) {
        Some(newline) => &near[newline + 1..],
        None if at > reach => return None,
        None => near,
    };
    let mut strings = OpenStrings { open: [(0, 0); MAX_NESTED_STRINGS], count: 0 };
    let mut from = 0;
    while let Some(next) = memchr::memchr3(b'"', b'\'', b'`', &line[from..]) {
        let index = from + next;
        from = index + 1;
        let depth = backslashes(&line[..index]);
        let alone = is_apostrophe(line, index) || index == 0 && closes(line);
        if !alone || strings.closes(line[index], depth) {
            strings.read_quote(line[index], depth);
        }
    }
    Some(strings)
}

/// Whether the quote is an apostrophe inside a word: `it's`.
fn is_apostrophe(line: &[u8], at: usize) -> bool {
    let letter =
        |at: Option<usize>| at.and_then(|at| line.get(at)).is_some_and(u8::is_ascii_alphanumeric);
    line[at] == b'\'' && letter(at.checked_sub(1)) && letter(Some(at + 1))
}

/// Whether the line begins with the quote that closes a string from before it.
fn closes(line: &[u8]) -> bool {
    matches!(line, [_, b',' | b')' | b']' | b'}' | b';', ..])
}
