//! Lines of a private key's body: what stands around them in source, documents and terminals, and what they look like.

use crate::class::Class;
use crate::escapes::{ESCAPE, sequence_length};
use crate::quote::Quote;

/// What is looked at behind a marker to tell a block from talk about one.
pub(super) const OPENING_BYTES: usize = 64;

/// Shortest first line of a body; anything shorter is not one.
pub(super) const FIRST_LINE_BYTES: usize = 16;

/// Shortest first line of a body behind a prefix or in a literal of its own, where other words may stand as well.
const SURE_LINE_BYTES: usize = 40;

/// How the bodies of keys begin: with a sequence of DER, or with the name of OpenSSH's format.
const STARTS: &[&[u8]] = &[b"MI", b"MC", b"MD", b"MF", b"MG", b"MH", b"b3BlbnNzaC1rZXk"];

/// Shortest word that is told from base64.
const WORD_BYTES: usize = 8;

/// Longest tag that is skipped.
const TAG_BYTES: usize = 12;

/// Longest sequence that is looked for at a line's end.
const SEQUENCE_BYTES: usize = 16;

/// How documents and forms write a line break, and bytes of base64.
const ENCODED: &[&[u8]] = &[
    b"&#10;", b"&#13;", b"&#xa;", b"&#xd;", b"&#x0a;", b"&#x0d;", b"%0a", b"%0d", b"%20", b"%2b",
    b"%2f", b"%3d",
];

/// True for base64 that is no word, path or name: long, or begun as keys are, with letters of both cases, digits and no
/// dashes.
pub(super) fn is_sure(body: &[u8]) -> bool {
    let has = |belongs: fn(&u8) -> bool| body.iter().any(belongs);
    let begins = || STARTS.iter().any(|start| body.starts_with(start)) && !is_words(body);
    (body.len() >= SURE_LINE_BYTES || begins())
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && !has(|byte| matches!(byte, b'-' | b'_'))
}

/// True for base64 with its padding at the end, if it has any.
pub(super) fn is_base64(body: &[u8]) -> bool {
    let padding = body.iter().rev().take_while(|&&byte| byte == b'=').count();
    let digits = &body[..body.len() - padding];
    padding <= 2 && Class::Base64.run(digits) == digits.len() && !digits.contains(&b'=')
}

/// True when a line reads like words or a number: `Shutdown`, `usr/lib`, `RSAEncryption2`.
pub(super) fn is_words(line: &[u8]) -> bool {
    let mut rest = line;
    while let Some(&first) = rest.first() {
        let run = |text: &[u8], belongs: fn(&u8) -> bool| {
            text.iter().position(|byte| !belongs(byte)).unwrap_or(text.len())
        };
        let capitals = run(rest, u8::is_ascii_uppercase);
        let small = run(&rest[capitals..], u8::is_ascii_lowercase);
        let length = match (capitals, small) {
            (0, 0) if first.is_ascii_digit() => run(rest, u8::is_ascii_digit),
            (0, 0) if b"-_/".contains(&first) => 1,
            (0 | 1 | 3.., 2..) | (2.., 0) => capitals + small,
            _ => return false,
        };
        rest = &rest[length..];
    }
    true
}

/// True when a line that is shorter than those before it is no end of a body: words of a length that base64 does not have, or
/// one long word. Random base64 of eight bytes is such a word once in 600 times, a longer one hardly ever.
pub(super) fn ends_elsewhere(line: &[u8]) -> bool {
    let one = || line.len() >= WORD_BYTES && line[1..].iter().all(u8::is_ascii_lowercase);
    is_words(line) && (!line.len().is_multiple_of(4) || one())
}

/// Length of the indentation, quoting, comment, colour or sign that joins texts before a line of a block.
pub(super) fn indentation(content: &[u8]) -> usize {
    let mut at = 0;
    while at < content.len() {
        let rest = &content[at..];
        let is_first = at == 0 || matches!(content[at - 1], b' ' | b'\t');
        at += match rest {
            [ESCAPE, ..] if sequence_length(rest) > 0 => sequence_length(rest),
            [b'+' | b'.' | b'&', b' ' | b'"' | b'\'', ..] => 1,
            [byte, ..] if b" \t>|#*\"'`-".contains(byte) => 1,
            [b'<', ..] if tag(rest) > 0 => tag(rest),
            // The sort of a literal: `b"…"`.
            [sort, b'"' | b'\'', ..] if is_first && b"bBfFrRuUL@".contains(sort) => 1,
            [b'r' | b'R' | b'b', b'b' | b'r' | b'f', b'"' | b'\'', ..] if is_first => 2,
            _ => break,
        };
    }
    at
}

/// Length of the tag without attributes that `text` begins with, 0 when it is none.
fn tag(text: &[u8]) -> usize {
    let reach = &text[..text.len().min(TAG_BYTES)];
    let end = memchr::memchr(b'>', reach).unwrap_or(0);
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"/ ".contains(byte);
    if end > 1 && reach[1..end].iter().all(is_name) { end + 1 } else { 0 }
}

/// A line without the punctuation of the source or document it stands in.
pub(super) fn trim_end(mut line: &[u8]) -> &[u8] {
    loop {
        line = match line {
            // `"…" +`, which is no end of base64.
            [rest @ .., b' ' | b'"' | b'\'', b'+' | b'.' | b'&'] => &line[..=rest.len()],
            [rest @ .., b'\\', b'n' | b'r'] | [rest @ .., b'.', b'.'] => rest,
            [rest @ .., last] if b" \t\r\"'`,;\\)]}".contains(last) => rest,
            [.., b'>'] => match memchr::memrchr(b'<', line) {
                Some(open) if open + tag(&line[open..]) == line.len() => &line[..open],
                _ => return line,
            },
            _ => match without_sequence(line) {
                Some(rest) => rest,
                None => return line,
            },
        };
    }
}

/// A line without the colour that it ends with, or what erases the rest of it.
fn without_sequence(line: &[u8]) -> Option<&[u8]> {
    let from = line.len().saturating_sub(SEQUENCE_BYTES);
    let start = from + memchr::memrchr(ESCAPE, &line[from..])?;
    (start + sequence_length(&line[start..]) == line.len()).then_some(&line[..start])
}

/// Length of a line of text whose body is the start of it: all but a colour at its end.
pub(super) fn text_length(line: &[u8], body: &[u8]) -> usize {
    let colour = memchr::memchr(ESCAPE, &line[body.len()..]);
    colour.map_or(line.len(), |colour| body.len() + colour)
}

/// True for lines of a body that are written in one, with breaks between them.
pub(super) fn is_written(body: &[u8]) -> bool {
    let first = Class::Base64.run(body);
    body[first..].starts_with(b"\\")
        && is_sure(&body[..first])
        && body[first..].iter().all(|&byte| Class::Base64.has(byte) || byte == b'\\')
}

/// True when there is nothing but blanks and colours.
pub(super) fn is_blank(text: &[u8]) -> bool {
    let mut rest = text;
    loop {
        rest = rest.trim_ascii_start();
        match sequence_length(rest) {
            0 => return rest.is_empty(),
            length => rest = &rest[length..],
        }
    }
}

/// Length of what ends a literal at the start of `text`: written line breaks and a quote.
pub(super) fn closing(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let [b'\\', b'n' | b'r' | b'\\', ..] = text[at..] {
        // Not the backslash of a quote.
        at += if text[at + 1] == b'\\' { 1 } else { 2 };
    }
    let (_, length) = Quote::at(&text[at..])?;
    Some(at + length)
}

/// True when what follows a literal ends the list, the call or the statement it is in.
pub(super) fn ends_list(behind: &[u8]) -> bool {
    matches!(behind.trim_ascii_start(), [b';' | b')' | b']' | b'}', ..])
}

/// `Proc-Type: 4,ENCRYPTED`
pub(super) fn is_header(body: &[u8]) -> bool {
    let names =
        [&b"Proc-Type"[..], b"DEK-Info", b"Version", b"Comment", b"Hash", b"Charset", b"MessageID"];
    names.iter().any(|name| body.strip_prefix(*name).is_some_and(|rest| rest.starts_with(b": ")))
}

/// Length of the run of bytes that a body written on one line has. It stops before the end marker.
pub(super) fn body_run(text: &[u8]) -> usize {
    let belongs = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=\\ \t\r:,".contains(&byte);
    let mut at = 0;
    loop {
        at += text[at..].iter().position(|&byte| !belongs(byte)).unwrap_or(text.len() - at);
        match encoded(&text[at..]) {
            0 => return at,
            length => at += length,
        }
    }
}

/// Length of the encoded byte that `text` begins with.
fn encoded(text: &[u8]) -> usize {
    let begins = |code: &&&[u8]| {
        text.get(..code.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(code))
    };
    if matches!(text, [b'&' | b'%', ..]) {
        ENCODED.iter().find(begins).map_or(0, |code| code.len())
    } else {
        0
    }
}

/// True when `text` is the start of an encoded byte, and goes on behind its end.
pub(super) fn is_cut(text: &[u8]) -> bool {
    let begins =
        |code: &&[u8]| code.get(..text.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(text));
    !text.is_empty() && ENCODED.iter().any(begins)
}

/// True when text after a marker begins a body: written line breaks or blanks, then base64 or a header.
pub(super) fn opens_body(text: &[u8]) -> bool {
    let mut rest = text;
    loop {
        rest = match rest {
            [b'\\', b'n' | b'r' | b'\\', after @ ..] | [b' ' | b'\t' | b'n', after @ ..] => after,
            _ if encoded(rest) > 0 => &rest[encoded(rest)..],
            _ => break,
        };
    }
    let mut base64 = 0;
    while base64 < FIRST_LINE_BYTES {
        base64 += Class::Base64.run(&rest[base64..rest.len().min(FIRST_LINE_BYTES)]);
        match rest.get(base64) {
            Some(b'%') if encoded(&rest[base64..]) > 0 => base64 += encoded(&rest[base64..]),
            _ => break,
        }
    }
    base64 >= FIRST_LINE_BYTES
        || is_header(&rest[..rest.len().min(24)])
        || (rest.len() < text.len() && base64 == rest.len())
}
