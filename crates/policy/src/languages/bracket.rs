//! `[…]` of a regular expression, as far as every reader of the language agrees on its end.

use std::iter::Peekable;
use std::str::Chars;

use super::Finding;

/// Walks over a bracket expression behind its `[`, up to and with its `]`, and returns how many
/// bytes that were. Unclear when `mark`, which ends the whole expression, stands inside: some
/// programs look at brackets for that and some do not.
pub(crate) fn skip(characters: &mut Peekable<Chars<'_>>, mark: char) -> Result<usize, Finding> {
    let mut length = 0;
    let mut take = |characters: &mut Peekable<Chars<'_>>| {
        let next = characters.next().filter(|c| *c != '\n').ok_or(Finding::Unclear)?;
        length += next.len_utf8();
        Ok(next)
    };
    if characters.peek() == Some(&'^') {
        take(characters)?;
    }
    // A `]` at the start is itself, or the end: that is decided differently, too.
    if characters.peek() == Some(&']') {
        return Err(Finding::Unclear);
    }
    loop {
        match take(characters)? {
            ']' => return Ok(length),
            '\\' if take(characters)? == ']' => return Err(Finding::Unclear),
            '\\' => {}
            '[' => {
                let Some(kind @ (':' | '.' | '=')) = characters.peek().copied() else { continue };
                take(characters)?;
                loop {
                    let next = take(characters)?;
                    if next == mark {
                        return Err(Finding::Unclear);
                    }
                    if next == kind && characters.peek() == Some(&']') {
                        take(characters)?;
                        break;
                    }
                }
            }
            next if next == mark => return Err(Finding::Unclear),
            _ => {}
        }
    }
}
