//! Recognises program texts of awk and sed that surely start no command. The test is simple; any other text is a
//! question.

/// Whether an awk text surely starts no command: it has no pipe, no `system`, and nothing of gawk's that loads code or
/// calls a function by its name.
pub(crate) fn is_quiet_awk(text: &str) -> bool {
    // A leading slash begins a pattern, in which these signs mean something else.
    let pattern = text.trim_start().strip_prefix('/');
    let rest = pattern.and_then(|pattern| expression(pattern, '/')).unwrap_or(text);
    !text.contains("system") && !rest.contains('@') && !rest.replace("||", "").contains('|')
}

/// Whether a sed script surely starts no command. Without the letter `e` it has neither the command `e` nor the flag.
/// With it, every command has to be a plain one, and every regular expression has to end where all versions of sed see
/// its end.
pub(crate) fn is_quiet_sed(script: &str) -> bool {
    if !script.contains('e') {
        return true;
    }
    let mut rest = script;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || ";{}".contains(c));
        if rest.is_empty() {
            return true;
        }
        let Some(after) = command(rest) else { return false };
        rest = after;
    }
}

/// Reads one plain command, and returns the text after it.
fn command(text: &str) -> Option<&str> {
    let mut rest = address(text)?.trim_start();
    if let Some(second) = rest.strip_prefix(',') {
        rest = address(second.trim_start_matches([' ', '\t', '+', '~']))?;
    }
    rest = rest.trim_start_matches([' ', '\t', '!']);
    let name = rest.chars().next()?;
    let after = &rest[name.len_utf8()..];
    match name {
        '{' | '}' => Some(after),
        '#' | 'r' | 'w' => Some(line(after)),
        'a' | 'i' | 'c' if !after.trim_start_matches('\\').contains('\\') => Some(line(after)),
        's' => {
            let mark = mark(after)?;
            let flags = section(expression(&after[mark.len_utf8()..], mark)?, mark)?;
            let flags =
                flags.trim_start_matches(|c: char| c.is_ascii_digit() || "gpiImM".contains(c));
            if let Some(file) = flags.strip_prefix('w') { Some(line(file)) } else { end(flags) }
        }
        'y' => {
            let mark = mark(after)?;
            end(section(section(&after[mark.len_utf8()..], mark)?, mark)?)
        }
        ':' | 'b' | 't' | 'T' => end(after.trim_start_matches(|c| !matches!(c, ';' | '}' | '\n'))),
        'q' | 'Q' | 'l' => end(after.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ')),
        _ if "=dDgGhHnNpPxFz".contains(name) => end(after),
        _ => None,
    }
}

fn address(text: &str) -> Option<&str> {
    match text.chars().next()? {
        '0'..='9' => Some(text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '~')),
        '$' => Some(&text[1..]),
        '/' => Some(expression(&text[1..], '/')?.trim_start_matches(['I', 'M'])),
        '\\' => {
            let mark = mark(&text[1..])?;
            Some(expression(&text[1 + mark.len_utf8()..], mark)?.trim_start_matches(['I', 'M']))
        }
        _ => Some(text),
    }
}

/// The character that divides the parts of a command.
fn mark(text: &str) -> Option<char> {
    text.chars().next().filter(|c| !matches!(c, '\n' | '\\'))
}

/// Reads one part of a command, which ends at `mark`, and returns the text after it.
fn section(text: &str, mark: char) -> Option<&str> {
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '\n' => return None,
            '\\' => {
                characters.next();
            }
            _ if character == mark => return Some(&text[at + mark.len_utf8()..]),
            _ => {}
        }
    }
    None
}

/// The same for a part that is a regular expression, whose brackets must all be closed.
fn expression(text: &str, mark: char) -> Option<&str> {
    let after = section(text, mark)?;
    let mut characters = text[..text.len() - after.len() - mark.len_utf8()].chars().peekable();
    while let Some(character) = characters.next() {
        if character == '\\' {
            characters.next();
        }
        if character != '[' {
            continue;
        }
        characters.next_if_eq(&'^');
        characters.next_if_eq(&']');
        loop {
            match characters.next()? {
                ']' => break,
                '\\' if characters.peek() == Some(&']') => return None,
                '[' if matches!(characters.peek(), Some(':' | '.' | '=')) => {
                    let kind = characters.next()?;
                    while !(characters.next()? == kind && characters.peek() == Some(&']')) {}
                    characters.next();
                }
                _ => {}
            }
        }
    }
    Some(after)
}

fn line(text: &str) -> &str {
    text.split_once('\n').map_or("", |(_, rest)| rest)
}

/// Whether the command ends here: at `;`, `}`, a comment, a line break or the end of the text. Returns the text from
/// there.
fn end(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches([' ', '\t', '\r']);
    (rest.is_empty() || rest.starts_with([';', '}', '#', '\n'])).then_some(rest)
}

#[cfg(test)]
mod tests;
