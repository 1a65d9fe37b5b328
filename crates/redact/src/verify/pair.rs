//! A name and its value in two attributes or members: `key="password" value="…"`, `"name": "DB_PASSWORD", "value": "…"`.

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
        at += rest[at..].iter().position(|&byte| byte == open || byte == b'\n')? + 1;
    }
    None
}
