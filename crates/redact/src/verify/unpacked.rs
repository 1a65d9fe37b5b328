//! Several names that are given several literals: `user, password = "bob", "x"`, `const [user, password] = ["bob", "x"]`.

use super::assignment::quoted;
use super::identifier::NAME_BYTES;
use crate::class::Class;

/// Most names, and how far the last of them is from the first.
const NAMES: usize = 8;
const BEFORE_BYTES: usize = 96;

/// Longest literal before that of the name.
const LITERAL_BYTES: usize = 128;

/// True when `rest`, which begins at the end of a name with a comma or a bracket, goes on with names up to an operator.
pub(super) fn may_follow(rest: &[u8]) -> bool {
    let rest = &rest[..rest.len().min(NAME_BYTES)];
    if let [b']' | b')', ..] = rest {
        return operator(rest, 0).is_some();
    }
    let Some(rest) = rest.strip_prefix(b",") else { return false };
    let mut at = 0;
    for _ in 0..NAMES {
        at += Class::run_of_blanks(&rest[at..]);
        at += usize::from(rest.get(at) == Some(&b'$'));
        let length = Class::Dot.run(&rest[at..]);
        at += length;
        if length == 0 || rest.get(at) != Some(&b',') {
            return length > 0 && operator(rest, at).is_some();
        }
        at += 1;
    }
    false
}

/// Where the literal of the name at `name_start..name_end` begins, at its quote. `None` when the name is alone, or the literals
/// are not as many.
pub(super) fn read(text: &[u8], name_start: usize, name_end: usize) -> Option<usize> {
    let before = names_before(text, name_start)?;
    let rest = &text[name_end..text.len().min(name_end + NAME_BYTES)];
    if before == 0 && !may_follow(rest) {
        return None;
    }
    let mut at = 0;
    while rest.get(at) == Some(&b',') {
        at += 1 + Class::run_of_blanks(&rest[at + 1..]);
        at += usize::from(rest.get(at) == Some(&b'$'));
        at += Class::Dot.run(&rest[at..]);
    }
    let mut at = name_end + operator(rest, at)?;
    at += usize::from(matches!(text.get(at), Some(b'(' | b'[')));
    for _ in 0..before {
        let end = at + literal_end(&text[at..text.len().min(at + LITERAL_BYTES)])?;
        if text.get(end) != Some(&b',') {
            return None;
        }
        at = end + 1 + Class::run_of_blanks(&text[end + 1..]);
    }
    let end = at + literal_end(&text[at..])?;
    // A name behind it is given a value of its own: `f(user, password="x", key="y")`.
    let one = before == 0
        || matches!(text.get(end), None | Some(b'\n' | b'\r' | b';' | b',' | b')' | b']' | b' '));
    one.then_some(at)
}

/// Behind `=` or `:=` and the brackets that close before it.
fn operator(text: &[u8], at: usize) -> Option<usize> {
    let mut at = at + usize::from(matches!(text.get(at), Some(b')' | b']')));
    at += Class::run_of_blanks(text.get(at..)?);
    // `var user, password string = …`
    at += if text[at..].starts_with(b"string ") { 7 } else { 0 };
    at += match text[at..] {
        [b'=', b'=' | b'>' | b'~', ..] => return None,
        [b'=', ..] => 1,
        [b':', b'=', ..] => 2,
        _ => return None,
    };
    Some(at + Class::run_of_blanks(&text[at..]))
}

/// How many names stand before the one at `start` where a statement begins. `None` when something else does.
fn names_before(text: &[u8], start: usize) -> Option<usize> {
    let from = start.saturating_sub(BEFORE_BYTES);
    let line = &text[from..start];
    let line = memchr::memrchr2(b'\n', b';', line).map_or(line, |end| &line[end + 1..]);
    let line = line.trim_ascii_start();
    let line = [&b"const "[..], b"let ", b"var ", b"local ", b"my "]
        .into_iter()
        .find_map(|word| line.strip_prefix(word))
        .unwrap_or(line);
    let line = line.strip_prefix(b"(").or_else(|| line.strip_prefix(b"[")).unwrap_or(line);
    let names = line.strip_suffix(b"$").unwrap_or(line).trim_ascii_end();
    if names.is_empty() {
        return Some(0);
    }
    let names = names.strip_suffix(b",")?;
    let mut count = 0;
    for name in names.split(|byte| *byte == b',') {
        let name = name.trim_ascii();
        let name = name.strip_prefix(b"$").unwrap_or(name);
        if name.is_empty() || Class::Dot.run(name) < name.len() || count == NAMES {
            return None;
        }
        count += 1;
    }
    Some(count)
}

/// Where the literal ends that `text` begins with, behind its quote.
fn literal_end(text: &[u8]) -> Option<usize> {
    let (quote @ (b'"' | b'\'' | b'`'), rest) = text.split_first()? else { return None };
    let (length, closed) = quoted(*quote).run(rest);
    (closed && rest[length] == *quote).then_some(length + 2)
}
