//! Which quote is open where something begins.

/// Most documents inside each other.
const DOCUMENTS: usize = 5;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Open {
    None,
    /// This quote is, with so many backslashes before it.
    Quote(u8, usize),
    /// The line begins too far before.
    Unknown,
}

/// The quote that is open at `at`, as far as the line begins at most `reach` bytes before.
pub(super) fn quote(text: &[u8], at: usize, reach: usize) -> Open {
    let near = &text[at.saturating_sub(reach)..at];
    let line = match memchr::memrchr(b'\n', near) {
        Some(newline) => &near[newline + 1..],
        None if at > reach => return Open::Unknown,
        None => near,
    };
    let mut open = [(0, 0); DOCUMENTS];
    let mut count = 0;
    let mut from = 0;
    while let Some(next) = memchr::memchr3(b'"', b'\'', b'`', &line[from..]) {
        let index = from + next;
        let depth = line[..index].iter().rev().take_while(|byte| **byte == b'\\').count();
        let quote = line[index];
        from = index + 1;
        let closes_own = |&(one, own): &(u8, usize)| one == quote && depth % (2 * own + 2) == own;
        let opens_inner = |&(_, own): &(u8, usize)| depth % (2 * own + 2) == 2 * own + 1;
        let is_none = is_apostrophe(line, index) || index == 0 && closes(line);
        if let Some(outer) = open[..count].iter().rposition(closes_own) {
            count = outer;
        } else if count < DOCUMENTS && open[..count].last().is_none_or(opens_inner) && !is_none {
            open[count] = (quote, depth);
            count += 1;
        }
    }
    open[..count].last().map_or(Open::None, |&(quote, depth)| Open::Quote(quote, depth))
}

/// A quote within a word: `it's`.
fn is_apostrophe(line: &[u8], at: usize) -> bool {
    let letter =
        |at: Option<usize>| at.and_then(|at| line.get(at)).is_some_and(u8::is_ascii_alphanumeric);
    line[at] == b'\'' && letter(at.checked_sub(1)) && letter(Some(at + 1))
}

/// The line begins with the quote that closes a string from before: after a marker, or of several lines.
fn closes(line: &[u8]) -> bool {
    matches!(line, [_, b',' | b')' | b']' | b'}' | b';', ..])
}
