//! `[…]` of a regular expression, as far as every reader of the language agrees on its end.

use std::iter::Peekable;
use std::str::Chars;

use super::Finding;

/// Walks over a bracket expression behind its `[`, up to and with its `]`. Returns how many bytes that were, and whether
/// `mark`, which ends the whole expression, stands inside: programs that take it for the end there hand an open bracket to
/// the regular expressions, all of which refuse it, and then nothing of the script runs.
pub(crate) fn skip(
    characters: &mut Peekable<Chars<'_>>,
    mark: char,
) -> Result<(usize, bool), Finding> {
    let mut length = 0;
    let mut take = || {
        let next = characters.next_if(|c| *c != '\n').ok_or(Finding::Unclear)?;
        length += next.len_utf8();
        Ok(next)
    };
    let (mut marked, mut classes) = (false, false);
    let mut next = take()?;
    if next == '^' {
        next = take()?;
    }
    // A `]` at the start is itself.
    let mut first = true;
    loop {
        match next {
            ']' if !first => return Ok((length, marked)),
            '\\' if take()? == ']' => return Err(Finding::Unclear),
            '[' => {
                let kind = take()?;
                if !matches!(kind, ':' | '.' | '=') {
                    first = false;
                    next = kind;
                    continue;
                }
                classes = true;
                let mut last = take()?;
                loop {
                    let closing = take()?;
                    if last == mark || closing == mark {
                        return Err(Finding::Unclear);
                    }
                    if last == kind && closing == ']' {
                        break;
                    }
                    last = closing;
                }
            }
            // Some know no classes, and are outside by now.
            _ if next == mark && (classes || !"/|,#%@!~;".contains(mark)) => {
                return Err(Finding::Unclear);
            }
            _ if next == mark => marked = true,
            _ => {}
        }
        first = false;
        next = take()?;
    }
}
