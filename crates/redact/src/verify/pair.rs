//! A name and its value in two attributes or members: `key="password" value="…"`, `"name": "DB_PASSWORD", "value": "…"`.

use std::ops::Range;

use crate::class::Class;

/// Furthest that the value is looked for behind the name.
const PAIR_BYTES: usize = 128;

/// Most attributes between the two.
const OTHERS: usize = 3;

/// Where the value of the name at `start..end` begins, with its quote, when the name is itself a value in quotes and a
/// member called `value` follows.
pub(super) fn value_of(text: &[u8], start: usize, end: usize) -> Option<usize> {
    let quote = *text.get(end).filter(|byte| matches!(byte, b'"' | b'\''))?;
    let before = text[..start].strip_suffix(&[quote])?;
    let blank = usize::from(before.ends_with(b" "));
    if !matches!(before[..before.len() - blank].last(), Some(b'=' | b':')) {
        return None;
    }
    let rest = &text[end + 1..text.len().min(end + PAIR_BYTES)];
    let mut at = 0;
    for _ in 0..=OTHERS {
        let comma = usize::from(rest.get(at) == Some(&b','));
        let blanks = Class::run_of_blanks(&rest[at + comma..]);
        if comma + blanks == 0 {
            return None;
        }
        at += comma + blanks;
        let quoted = usize::from(matches!(rest.get(at), Some(b'"' | b'\'')));
        let name = &rest[at + quoted..];
        let name = &name[..Class::Dash.run(name)];
        at += name.len() + 2 * quoted;
        at += Class::run_of_blanks(rest.get(at..)?);
        if name.is_empty() || !matches!(rest.get(at), Some(b'=' | b':')) {
            return None;
        }
        at += 1;
        at += Class::run_of_blanks(&rest[at..]);
        let open = *rest.get(at).filter(|byte| matches!(byte, b'"' | b'\''))?;
        if name.eq_ignore_ascii_case(b"value") {
            return Some(end + 1 + at);
        }
        at += 1;
        let close = memchr::memchr2(open, b'\n', &rest[at..])?;
        if rest[at + close] == b'\n' {
            return None;
        }
        at += close + 1;
    }
    None
}

/// The value of the name at `start..end`, without its quotes, when the name is itself a value in quotes and a member called
/// `value` stands before on its line: `value="…" name="password"`. What is in lines before may be out.
pub(super) fn value_before(text: &[u8], start: usize, end: usize) -> Option<Range<usize>> {
    let quote = *text.get(end).filter(|byte| matches!(byte, b'"' | b'\''))?;
    let from = start.saturating_sub(PAIR_BYTES);
    let from = memchr::memrchr(b'\n', &text[from..start]).map_or(from, |end| from + end + 1);
    let (name, mut rest) = member(text[from..start].strip_suffix(&[quote])?)?;
    if !name.eq_ignore_ascii_case(b"name") && !name.eq_ignore_ascii_case(b"key") {
        return None;
    }
    for _ in 0..=OTHERS {
        let apart = rest.trim_ascii_end();
        let apart = apart.strip_suffix(b",").unwrap_or(apart);
        let (quote, inner) = apart.split_last().filter(|_| apart.len() < rest.len())?;
        if !matches!(quote, b'"' | b'\'') {
            return None;
        }
        let open = memchr::memrchr(*quote, inner)?;
        let (name, before) = member(&inner[..open])?;
        if name.eq_ignore_ascii_case(b"value") {
            return Some(from + open + 1..from + inner.len());
        }
        rest = before;
    }
    None
}

/// The first place of an unfinished line that a name behind it would mask: where the value of a member called `value` begins.
pub(crate) fn begins_value(line: &[u8]) -> Option<usize> {
    const NAME: &[u8] = b"value";
    let mut names = (0..line.len().saturating_sub(NAME.len()))
        .filter(|&at| line[at..at + NAME.len()].eq_ignore_ascii_case(NAME));
    names.find_map(|at| {
        let rest = &line[at + NAME.len()..];
        let rest = rest.strip_prefix(b"\"").or_else(|| rest.strip_prefix(b"'")).unwrap_or(rest);
        let rest = rest.trim_ascii_start();
        let rest = rest.strip_prefix(b"=").or_else(|| rest.strip_prefix(b":"))?.trim_ascii_start();
        matches!(rest, [b'"' | b'\'', ..]).then(|| line.len() - rest.len() + 1)
    })
}

/// The name of the member whose value begins where `text` ends, and what is before it.
fn member(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = text.trim_ascii_end();
    let rest = rest.strip_suffix(b"=").or_else(|| rest.strip_suffix(b":"))?.trim_ascii_end();
    let quote = rest.last().filter(|byte| matches!(byte, b'"' | b'\''));
    let rest = &rest[..rest.len() - usize::from(quote.is_some())];
    let length = rest.iter().rev().take_while(|&&byte| Class::Dash.has(byte)).count();
    let (before, name) = rest.split_at(rest.len() - length);
    let before = match quote {
        Some(quote) => before.strip_suffix(&[*quote])?,
        None => before,
    };
    (!name.is_empty()).then_some((name, before))
}
