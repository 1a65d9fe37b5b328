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

/// The same for sed, where `mark` may stand inside, which is returned. Those that end the expression there hand an open
/// bracket to the regular expressions, all of which refuse it, and then nothing of the script runs.
pub(crate) fn skip_with_mark(
    characters: &mut Peekable<Chars<'_>>,
    mark: char,
) -> Result<bool, Finding> {
    let mut take = || characters.next_if(|c| *c != '\n').ok_or(Finding::Unclear);
    let (mut marked, mut classes) = (false, false);
    let mut next = take()?;
    if next == '^' {
        next = take()?;
    }
    // A `]` at the start is itself.
    let mut first = true;
    loop {
        match next {
            ']' if !first => return Ok(marked),
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
