//! Lines of a `PostgreSQL` password file: `host:port:database:user:password`.

use super::Scan;
use super::assignment::JUDGED_BYTES;
use super::set::Set;
use crate::class::Class;
use crate::mask;

/// Longest host, database or user.
const FIELD_BYTES: usize = 64;

/// Words that programs write between colons, as in `127.0.0.1:5432:up:healthy:3d`.
static STATES: Set<16> =
    Set::new(&["down", "error", "failed", "healthy", "ok", "starting", "unhealthy", "up"]);

/// The port was found at `start..end`, with its colons.
pub(crate) fn check(scan: &mut Scan<'_, '_>, start: usize, end: usize) {
    let text = scan.text;
    let field = |byte: &u8| Class::Dot.has(*byte) || matches!(byte, b'*' | b'@' | b'/' | b'+');
    let host = text[..start].iter().rev().take(FIELD_BYTES).take_while(|byte| field(byte)).count();
    let opens = text[..start - host].last().is_none_or(|byte| b" \t\n\"'`>".contains(byte));
    if host == 0 || !opens {
        return;
    }
    let mut at = end;
    let mut last = end;
    for _ in 0..2 {
        let length = text[at..].iter().take(FIELD_BYTES).take_while(|byte| field(byte)).count();
        if length == 0 || text.get(at + length) != Some(&b':') {
            return;
        }
        let word = &text[at..at + length];
        last = at;
        if STATES.has(word) {
            return;
        }
        at += length + 1;
    }
    // A user is no number: a line and a column are.
    if text[last..at - 1].iter().all(u8::is_ascii_digit) {
        return;
    }
    // A colon in a password is written behind a backslash: more fields are another kind of file.
    let rest = &text[at..text.len().min(at + JUDGED_BYTES)];
    let mut before = b':';
    let end = rest.iter().position(|&byte| {
        let field = byte == b':' && before != b'\\';
        before = byte;
        field || byte.is_ascii_whitespace()
    });
    let length = end.unwrap_or(rest.len());
    if rest.get(length) == Some(&b':') || length == JUDGED_BYTES || mask::occurs(&rest[..length]) {
        return;
    }
    let (run, _) = scan.value_end(at, usize::MAX);
    if scan.is_cut(run) {
        return;
    }
    let trailing = text[at..run].iter().rev().take_while(|byte| b"\"'`,;".contains(byte)).count();
    let password = &text[at..run - trailing];
    let placeholder = matches!(password, [] | [b'$' | b'<' | b'*' | b'{', ..]);
    if !placeholder {
        scan.found(at, run - trailing, Class::Bare);
    }
}
