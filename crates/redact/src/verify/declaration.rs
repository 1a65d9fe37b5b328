//! What a language has between the name of a variable and its literal besides an operator: types, braces, arrows, and what
//! PHP prints of an array.

use super::algorithm::is_algorithm;
use super::argument::{is_marked, is_value, literal};
use super::random;
use crate::class::Class;

/// Longest type or accessors between a name and its operator.
const DECLARATION_BYTES: usize = 64;

/// Shortest value of letters and digits alone, where a text stands as often.
const VALUE_BYTES: usize = 8;

/// Shortest value with a letter and a digit.
const MARKED_BYTES: usize = 6;

/// Most blanks around the word of a directive.
const BLANKS: usize = 16;

/// True when a declaration may follow the blank before `rest`.
pub(super) fn may_follow(rest: &[u8]) -> bool {
    matches!(
        rest,
        [b's', b't', b'r', ..]
            | [b'{', b' ', b'g', ..]
            | [b'A', b's', b' ', ..]
            | [b'<', b'-', ..]
            | [b'"', ..]
    )
}

/// Where the value is, or the blanks before it, when a declaration is between it and the name at `name_start..name_end`.
pub(super) fn read(text: &[u8], name_start: usize, name_end: usize) -> Option<usize> {
    typed(text, name_start, name_end)
        .or_else(|| dumped(text, name_start, name_end))
        .or_else(|| given(text, name_start, name_end))
}

/// The literal of `#define WIFI_PASSWORD "…"`, `{:password "…"}` of Clojure, `password <- "…"` of R, `password As String = "…"`
/// of Basic, `password{"…"}` of C++ and `$config{password} = '…'` of Perl, when it looks as a value does there.
fn given(text: &[u8], name_start: usize, name_end: usize) -> Option<usize> {
    let (before, name) = text[..name_end].split_at(name_start);
    let rest = &text[name_end..text.len().min(name_end + DECLARATION_BYTES)];
    let blanks = Class::run_of_blanks(rest);
    let (value, likeness) = match &rest[blanks..] {
        value @ [b'"', ..] if blanks > 0 && follows_define(before) => {
            (value, if names_password(name) { Likeness::Marked } else { Likeness::Made })
        }
        value @ [b'"', ..] if blanks > 0 && follows_colon(before) => (value, Likeness::Made),
        [b'<', b'-', value @ ..] if blanks > 0 => (value, Likeness::Made),
        [b'A', b's', b' ', b'S', b't', b'r', b'i', b'n', b'g', value @ ..] if blanks > 0 => {
            (behind_equals(value)?, Likeness::Any)
        }
        [b'{', value @ ..] if blanks == 0 => (value, Likeness::Made),
        [b'}', value @ ..] if blanks == 0 => {
            let hash = before.strip_suffix(b"{")?;
            (behind_equals(value)?, likeness_in(hash))
        }
        [b'\'', b'}', value @ ..] if blanks == 0 => {
            let hash = before.strip_suffix(b"{\'")?;
            (behind_equals(value)?, likeness_in(hash))
        }
        _ => return None,
    };
    let value = &value[Class::run_of_blanks(value)..];
    let at = name_end + rest.len() - value.len();
    literal(text, at).is_some_and(|body| likeness.takes(body)).then_some(at)
}

/// What a literal must look like, so that it is a value.
#[derive(Clone, Copy)]
enum Likeness {
    /// Nothing else stands there.
    Any,
    /// A letter and a digit.
    Marked,
    /// Like nothing but a value.
    Made,
}

impl Likeness {
    fn takes(self, body: &[u8]) -> bool {
        match self {
            Self::Any => true,
            Self::Marked => {
                body.len() >= MARKED_BYTES && is_marked(body) && !is_algorithm(body)
                    || Self::Made.takes(body)
            }
            Self::Made => is_value(body) || random::is_made_up(body, VALUE_BYTES),
        }
    }
}

/// An index of a hash, `$config{password}`, is set; of `${password}` it may be compared.
fn likeness_in(hash: &[u8]) -> Likeness {
    let member = hash.last().is_some_and(|byte| Class::Word.has(*byte) || *byte == b'>');
    if member { Likeness::Any } else { Likeness::Made }
}

/// The name of a macro ends in a word for a password that other words are before: `WIFI_PASS`.
fn names_password(name: &[u8]) -> bool {
    let ends = [&b"_PASSWORD"[..], b"_PASSPHRASE", b"_PASSWD", b"_PASS", b"_PWD"];
    ends.iter().any(|end| name.len() > end.len() && name.ends_with(end))
}

/// `#define ` before a name, with any blanks.
fn follows_define(before: &[u8]) -> bool {
    let blanks = before.iter().rev().take(BLANKS).take_while(|&&byte| is_blank(byte)).count();
    let before = &before[..before.len() - blanks];
    let directive = before.strip_suffix(b"define").unwrap_or_default();
    let inner = directive.iter().rev().take(BLANKS).take_while(|&&byte| is_blank(byte)).count();
    blanks > 0 && directive[..directive.len() - inner].ends_with(b"#")
}

/// The colon of a keyword of Clojure before a name.
fn follows_colon(before: &[u8]) -> bool {
    let before = before.strip_suffix(b":").unwrap_or_default();
    before.last().is_some_and(|&byte| byte == b'{' || is_blank(byte))
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Behind the equals sign that blanks may part from what is before `rest`.
fn behind_equals(rest: &[u8]) -> Option<&[u8]> {
    let value = rest[Class::run_of_blanks(rest)..].strip_prefix(b"=")?;
    (!value.starts_with(b"=")).then_some(value)
}

/// What PHP prints of an array: `    [password] => hunter2x`, one word that looks like nothing but a value, and
/// `["password"]=> string(8) "…"`.
fn dumped(text: &[u8], name_start: usize, name_end: usize) -> Option<usize> {
    let near = &text[..text.len().min(name_end + DECLARATION_BYTES)];
    let rest = &near[name_end..];
    if let Some(rest) = rest.strip_prefix(b"\"]=>") {
        let length = rest[Class::run_of_blanks(rest)..].strip_prefix(b"string(")?;
        let digits = length.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let literal = length[digits..].strip_prefix(b") ")?;
        return (digits > 0 && literal.starts_with(b"\"")).then_some(near.len() - literal.len());
    }
    let after = rest.strip_prefix(b"] => ")?;
    let word = &after[..after.iter().position(u8::is_ascii_whitespace).unwrap_or(after.len())];
    let alone = matches!(after[word.len()..], [] | [b'\n' | b'\r', ..]);
    (text[..name_start].ends_with(b" [") && alone && Likeness::Made.takes(word))
        .then_some(near.len() - after.len())
}

/// Behind the equals sign of a literal, when a declaration is between it and the name: `password string = "…"` of Go,
/// `char password[] = "…"` of C, `Password { get; set; } = "…"` of C#.
fn typed(text: &[u8], name_start: usize, name_end: usize) -> Option<usize> {
    let near = &text[..text.len().min(name_end + DECLARATION_BYTES)];
    let rest = &near[name_end..];
    let blanks = Class::run_of_blanks(rest);
    let behind = match &rest[blanks..] {
        [b's', b't', b'r', b'i', b'n', b'g', behind @ ..] if blanks > 0 => behind,
        [b'{', b' ', b'g', b'e', b't', b';', inner @ ..] if blanks > 0 => {
            let part = |byte: &&u8| byte.is_ascii_lowercase() || matches!(byte, b' ' | b';');
            inner[inner.iter().take_while(part).count()..].strip_prefix(b"}")?
        }
        [b'[', length @ ..] if blanks == 0 && follows_char(&text[..name_start]) => {
            let behind = length[Class::Word.run(length)..].strip_prefix(b"]")?;
            behind.strip_prefix(b" PROGMEM").unwrap_or(behind)
        }
        _ => return None,
    };
    let value = behind_equals(behind)?;
    let literal = &value[Class::run_of_blanks(value)..];
    match literal {
        [b'"' | b'`', ..] => Some(near.len() - value.len()),
        [b'_', b'T', b'(', quoted @ ..] if quoted.starts_with(b"\"") => {
            Some(near.len() - quoted.len())
        }
        _ => None,
    }
}

/// `char `, `TCHAR `, `wchar_t `, `uint8_t `
fn follows_char(before: &[u8]) -> bool {
    before.strip_suffix(b" ").is_some_and(|before| {
        [&b"char"[..], b"CHAR", b"wchar_t", b"uint8_t"].iter().any(|name| before.ends_with(name))
    })
}
