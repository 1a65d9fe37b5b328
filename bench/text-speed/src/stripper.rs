//! The simplest cleaner: it copies the bytes up to the next ESC and skips the escape sequence.

const ESC: u8 = 0x1b;

/// Appends `raw` without its control sequences and strings. Carriage returns, backspaces and bytes that are no UTF-8 stay.
pub(crate) fn strip(raw: &[u8], text: &mut Vec<u8>) {
    let mut rest = raw;
    while let Some(at) = memchr::memchr(ESC, rest) {
        text.extend_from_slice(&rest[..at]);
        rest = after_sequence(&rest[at + 1..]);
    }
    text.extend_from_slice(rest);
}

fn after_sequence(after: &[u8]) -> &[u8] {
    let (body, is_end): (&[u8], fn(u8) -> bool) = match after {
        [b'[', body @ ..] => (body, |byte| (0x40..0x7f).contains(&byte)),
        [b']' | b'P' | b'X' | b'^' | b'_', body @ ..] => (body, |byte| matches!(byte, 0x07 | ESC)),
        [_, rest @ ..] => return rest,
        [] => return after,
    };
    let end = body.iter().position(|&byte| is_end(byte)).map_or(body.len(), |at| at + 1);
    &body[end..]
}
