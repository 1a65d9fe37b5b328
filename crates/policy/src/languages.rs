//! Texts of awk and sed, as far as a glance tells that they start no command. Where the kernel holds what is started nobody
//! looks; elsewhere what is more than plain is a question.

/// Nothing in it starts a command: no pipe, no `system`, nothing of gawk's that loads or calls by a name.
pub(crate) fn is_quiet_awk(text: &str) -> bool {
    // A slash at the start begins a pattern.
    let pattern = text.trim_start().strip_prefix('/');
    let rest = pattern.and_then(|pattern| expression(pattern, '/')).unwrap_or(text);
    !text.contains("system") && !rest.contains('@') && !rest.replace("||", "").contains('|')
}

/// Without an `e` it has neither the command nor the flag. Else every command of it is one of the plain ones, and every
/// regular expression ends where all versions of sed see its end.
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

/// What follows the first command.
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

/// The character that ends the parts.
fn mark(text: &str) -> Option<char> {
    text.chars().next().filter(|c| !matches!(c, '\n' | '\\'))
}

/// What follows the part that this character ends.
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

/// The same for a regular expression, in which every bracket is closed.
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

/// A command ends at `;`, `}`, a comment, a line break or the end.
fn end(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches([' ', '\t', '\r']);
    (rest.is_empty() || rest.starts_with([';', '}', '#', '\n'])).then_some(rest)
}

#[cfg(test)]
mod tests;
