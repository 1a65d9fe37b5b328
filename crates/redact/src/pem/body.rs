//! Recognising the body of a private key, and the text that may follow a piece of it.

use memchr::memmem;

use crate::escapes::sequence_length;
use crate::quote::{Quote, backslashes};

/// How the bodies of keys begin: with a DER sequence, or with the name of OpenSSH's format.
const BODY_BEGINNINGS: [&[u8]; 7] = [b"MI", b"MC", b"MD", b"MF", b"MG", b"MH", b"b3Bl"];

/// The shortest piece that begins a body: one that begins like a key, any Base64, and one anywhere in a line.
const MIN_KNOWN_BEGINNING_BYTES: usize = 8;
const MIN_BEGINNING_BYTES: usize = 16;
const MIN_BYTES_WITHIN_LINE: usize = 40;

/// The longest encoded byte.
const MAX_ENCODED_BYTE_LENGTH: usize = 6;

/// The headers that may stand between the marker and the body.
const KEY_HEADERS: [&[u8]; 6] =
    [b"Proc-Type:", b"DEK-Info:", b"Version:", b"Comment:", b"Hash:", b"Charset:"];

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

fn count(text: &[u8], belongs: impl Fn(u8) -> bool) -> usize {
    text.iter().position(|&byte| !belongs(byte)).unwrap_or(text.len())
}

/// The length of the Base64 at the start of `text`, including line breaks that are written as escapes.
pub(super) fn length(text: &[u8]) -> usize {
    let mut end = count(text, is_base64);
    loop {
        let breaks = written_breaks(&text[end..]);
        let more = count(&text[end + breaks..], is_base64);
        if breaks == 0 || more == 0 {
            return end;
        }
        end += breaks + more;
    }
}

/// The length of the line breaks at the start of `text` that are written as escapes: `\n`, `\\r\\n`.
fn written_breaks(text: &[u8]) -> usize {
    let mut at = 0;
    loop {
        let escapes = count(&text[at..], |byte| byte == b'\\');
        match text.get(at + escapes) {
            Some(b'n' | b'r') if escapes > 0 => at += escapes + 1,
            _ => return at,
        }
    }
}

/// Where the longest run of Base64 begins, if it can begin a body in the middle of a line.
pub(super) fn longest_run_start(text: &[u8]) -> Option<usize> {
    let runs = text.split(|&byte| !is_base64(byte));
    let longest_run = runs.max_by_key(|run| run.len())?;
    let begins_body =
        longest_run.len() >= MIN_BYTES_WITHIN_LINE || has_known_beginning(longest_run);
    begins_body.then(|| longest_run.as_ptr().addr() - text.as_ptr().addr())
}

fn has_known_beginning(body: &[u8]) -> bool {
    body.len() >= MIN_KNOWN_BEGINNING_BYTES
        && BODY_BEGINNINGS.iter().any(|start| body.starts_with(start))
}

/// Whether a run of Base64 can begin the body of a private key.
pub(super) fn may_begin_body(body: &[u8]) -> bool {
    let has = |belongs: fn(&u8) -> bool| body.iter().any(belongs);
    let mixed = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
    let long = body.len() >= MIN_BEGINNING_BYTES && has(u8::is_ascii_digit);
    mixed && (long || has_known_beginning(body)) && (body.starts_with(b"MII") || !is_words(body))
}

/// Whether a piece may follow padding: a checksum, or padding that was folded.
pub(super) fn may_end_body(body: &[u8]) -> bool {
    matches!(body, b"=" | b"==") || body.len() == 5 && body[0] == b'='
}

/// Whether `body` reads like words or a number: `Shutdown`, `usr/lib`, `RSAEncryption2`.
pub(super) fn is_words(body: &[u8]) -> bool {
    let (mut rest, mut words) = (body, 0);
    while let Some(&first) = rest.first() {
        let capitals = count(rest, |byte| byte.is_ascii_uppercase());
        let small = count(&rest[capitals..], |byte| byte.is_ascii_lowercase());
        let word = &rest[..capitals + small];
        let length = match (capitals, small) {
            (0, 0) if first == b'/' => 1,
            (0, 0) if first.is_ascii_digit() => count(rest, |byte| byte.is_ascii_digit()),
            (2..=5, 0) => capitals,
            (0 | 1 | 3..=5, 2..) if word.iter().any(|byte| b"aeiouyAEIOU".contains(byte)) => {
                word.len()
            }
            _ => return false,
        };
        words += usize::from(first != b'/');
        rest = &rest[length..];
    }
    3 * words <= body.len()
}

pub(super) fn is_header(line: &[u8]) -> bool {
    KEY_HEADERS.iter().any(|header| memmem::find(line, header).is_some())
}

/// The text that follows a piece of a body.
pub(super) enum TextAfterPiece {
    Nothing,
    /// The end of a literal or an element, or punctuation up to the end of the line.
    Joined,
    /// The end of a literal and of its list, call or statement.
    Ends,
}

impl TextAfterPiece {
    pub(super) fn of(text: &[u8]) -> Option<Self> {
        if is_blank(text) {
            return Some(Self::Nothing);
        }
        let rest = &text[written_breaks(text)..];
        let Some((_, quote)) = Quote::at(rest) else {
            let signs = |byte: &u8| b" \t\r\\,;.+&|)]}".contains(byte) || !byte.is_ascii();
            return (rest.starts_with(b"<") || rest.iter().all(signs)).then_some(Self::Joined);
        };
        match rest[quote..].trim_ascii_start().first() {
            // The quoted text is a name.
            Some(b':') => None,
            Some(b';' | b')' | b']' | b'}') => Some(Self::Ends),
            _ => Some(Self::Joined),
        }
    }
}

/// Whether a text has only blanks and terminal sequences.
pub(super) fn is_blank(text: &[u8]) -> bool {
    let mut rest = text.trim_ascii_start();
    while sequence_length(rest) > 0 {
        rest = rest[sequence_length(rest)..].trim_ascii_start();
    }
    rest.is_empty()
}

/// Whether the rest of a marker's line begins a body: line breaks or blanks, then Base64 or a header.
pub(super) fn may_follow_marker(text: &[u8]) -> bool {
    let mut rest = text;
    loop {
        let gap = count(rest, |byte| matches!(byte, b' ' | b'\t'));
        match gap.max(written_breaks(rest)).max(encoded_byte_length(rest)) {
            0 => break,
            length => rest = &rest[length..],
        }
    }
    let token = count(rest, is_base64);
    let length = if encoded_byte_length(&rest[token..]) > 0 { run(rest) } else { token };
    may_begin_body(&rest[..length]) || KEY_HEADERS.iter().any(|header| rest.starts_with(header))
}

/// The length of a body on one line, without the backslashes of a quote after it.
pub(super) fn run(text: &[u8]) -> usize {
    let mut at = 0;
    loop {
        at += count(&text[at..], |byte| is_base64(byte) || b"\\ \t\r:,.".contains(&byte));
        match &text[at..] {
            // The dash is part of a header.
            [b'-', next, ..] if *next != b'-' => at += 1,
            rest if encoded_byte_length(rest) > 0 => at += encoded_byte_length(rest),
            _ => break,
        }
    }
    let is_quoted = matches!(text.get(at), None | Some(b'"' | b'\''));
    if is_quoted { at - backslashes(&text[..at]) } else { at }
}

/// The length of an encoded byte at the start of `text`, as forms and documents write it: `%0A`, `&#10;`. An encoded
/// quote does not count.
fn encoded_byte_length(text: &[u8]) -> usize {
    let end = match text {
        [b'%', high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => 3,
        [b'&', b'#', rest @ ..] => {
            let end = rest.iter().take(MAX_ENCODED_BYTE_LENGTH - 2).position(|&byte| byte == b';');
            end.map_or(0, |end| end + 3)
        }
        _ => 0,
    };
    if Quote::at(text).is_some() { 0 } else { end }
}

/// Whether `text` may be the start of an encoded byte or of a quote that continues after its end.
pub(super) fn is_cut(text: &[u8]) -> bool {
    text.iter().all(|&byte| byte == b'\\')
        || text == b"-"
        || text.len() < MAX_ENCODED_BYTE_LENGTH
            && matches!(text[0], b'%' | b'&')
            && encoded_byte_length(text) == 0
}
