//! Pairs parted by a tab. The same bytes are the heading of a table, so the value has to look like one.

use super::identifier::Words;
use super::name::Kind;
use super::value::Value;
use super::words::{ABOUT, COLUMNS, NOTHING, TYPES};

/// True when a name at `name_start` fills its cell from the start.
pub(crate) fn begins_cell(text: &[u8], name_start: usize) -> bool {
    let before = text[..name_start].iter().rev().find(|byte| !b" \"'".contains(byte));
    matches!(before, None | Some(b'\t' | b'\n'))
}

/// True when `body` is the value of a name in the cell before, not another heading. `after` is the text behind it.
pub(super) fn is_value(value: &Value<'_>, body: &[u8], after: &[u8]) -> bool {
    let last = matches!(after, [] | [b'\n', ..] | [b'\r', b'\n', ..] | [b'\r']);
    if !last && after[0] != b'\t' {
        return false;
    }
    if body.iter().any(|byte| matches!(byte, b'(' | b'[' | b'<' | b'|')) {
        return false;
    }
    // `464/tcp`, `*tag*`
    let port = matches!(body, [digits @ .., b'/', b't' | b'u', b'c' | b'd', b'p'] if digits.iter().all(u8::is_ascii_digit));
    if port || matches!(body, [b'*', .., b'*']) {
        return false;
    }
    let word = body.iter().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-'));
    if !word {
        return true;
    }
    last && value.kind == Kind::Password
        && !body[0].is_ascii_uppercase()
        && !TYPES.has(body)
        && !NOTHING.has(body)
        && !Words::new(body).iter().any(is_heading)
}

fn is_heading(word: &[u8]) -> bool {
    ABOUT.has(word) || COLUMNS.has(word)
}
