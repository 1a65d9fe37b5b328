//! Passwords in SQL statements: `IDENTIFIED BY '…'`, `SET PASSWORD FOR … = PASSWORD('…')`, `WITH PASSWORD '…'`.

use super::placeholder;
use super::random::looks_like_secret;
use super::scan::Scan;
use super::value;
use crate::class::Class;

/// The longest name of a user or plugin in a statement.
const MAX_NAME_BYTES: usize = 128;

/// `identified ` or `set password` was found at `start..end`. Checks for a password after it.
pub(super) fn check(scan: &mut Scan<'_, '_>, start: usize, end: usize) {
    let text = scan.text;
    if start > 0 && Class::Word.has(text[start - 1]) {
        return;
    }
    let identified = text[start].eq_ignore_ascii_case(&b'i');
    let at = if identified { after_identified(text, end - 1) } else { after_set(text, end) };
    let Some(at) = at else { return };
    let value = value::read(scan, at, value::Surroundings::Environment);
    let body = &text[value.start..value.end];
    let is_upper = text[start..start + 2].iter().all(u8::is_ascii_uppercase);
    let is_value = if value.quote.is_some() {
        let joined = body.contains(&b' ') && body.iter().any(|byte| b"\"'+".contains(byte));
        !joined && (is_upper && !body.contains(&b' ') || in_statement(text, start))
    } else {
        identified
            && body.first().is_some_and(u8::is_ascii_alphanumeric)
            && (looks_like_secret(body) || in_statement(text, start))
    };
    if is_value
        && body.len() <= MAX_NAME_BYTES
        && !placeholder::is_placeholder(body)
        && !body.eq_ignore_ascii_case(b"random")
    {
        value.record_span(scan, false);
    }
}

/// Whether a statement begins before `start` on the same line.
fn in_statement(text: &[u8], start: usize) -> bool {
    const STATEMENTS: [&[u8]; 5] =
        [b"create user", b"alter user", b"create role", b"alter role", b"grant "];
    let near = &text[start.saturating_sub(2 * MAX_NAME_BYTES)..start];
    let line = memchr::memrchr(b'\n', near).map_or(near, |newline| &near[newline + 1..]);
    let begins = |at: usize, statement: &[u8]| {
        line.get(at..at + statement.len())
            .is_some_and(|begin| begin.eq_ignore_ascii_case(statement))
    };
    let mut places = line.iter().enumerate();
    places.any(|(at, byte)| {
        matches!(byte, b'c' | b'a' | b'g' | b'C' | b'A' | b'G')
            && STATEMENTS.iter().any(|statement| begins(at, statement))
    })
}

/// Where the value begins after `by`, or after the name of the plugin that receives it.
fn after_identified(text: &[u8], at: usize) -> Option<usize> {
    let by = keyword(text, at, b"by").or_else(|| {
        let at = keyword(text, at, b"with").or_else(|| keyword(text, at, b"via"))?;
        let at = at + Class::run_of_blanks(&text[at..]);
        let reach = &text[at..text.len().min(at + MAX_NAME_BYTES)];
        let name = reach
            .iter()
            .take_while(|&&byte| Class::Dash.has(byte) || b"\"'`".contains(&byte))
            .count();
        [&b"by"[..], b"as", b"using"].iter().find_map(|word| keyword(text, at + name, word))
    })?;
    let by = keyword(text, by, b"password").or_else(|| keyword(text, by, b"values")).unwrap_or(by);
    Some(by + Class::run_of_blanks(&text[by..]))
}

/// Where the quoted value begins after `set password for … =`, or inside the call that hashes it.
fn after_set(text: &[u8], at: usize) -> Option<usize> {
    let rest = &text[at..text.len().min(at + MAX_NAME_BYTES)];
    let equals_at = memchr::memchr3(b'=', b';', b'\n', rest).filter(|&to| rest[to] == b'=')?;
    let begins = |at: usize| at + Class::run_of_blanks(&text[at..]);
    let at = begins(at + equals_at + 1);
    let name = Class::Word.run(&text[at..text.len().min(at + 16)]);
    let called = name > 0 && text.get(at + name) == Some(&b'(');
    let at = if called { begins(at + name + 1) } else { at };
    matches!(text.get(at), Some(b'\'' | b'"')).then_some(at)
}

/// Where `word` ends, if it follows the blanks at `at`.
fn keyword(text: &[u8], at: usize, word: &[u8]) -> Option<usize> {
    let blanks = Class::run_of_blanks(&text[at..]);
    let end = at + blanks + word.len();
    let found = text.get(end - word.len()..end)?.eq_ignore_ascii_case(word);
    let whole = text.get(end).is_none_or(|&byte| !Class::Word.has(byte));
    (blanks > 0 && found && whole).then_some(end)
}
