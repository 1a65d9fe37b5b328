//! What a language has between the name of a variable and its literal besides an operator: types, braces, arrows, and what
//! PHP prints of an array.

use super::argument::{is_value, literal};
use super::random;
use crate::class::Class;

/// Longest type or accessors between a name and its operator.
const DECLARATION_BYTES: usize = 64;

/// Shortest value of letters and digits alone, where a text stands as often.
const VALUE_BYTES: usize = 8;

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
/// of Basic, `password{"…"}` of C++ and `$config{password} = '…'` of Perl, when it looks like nothing but a value.
fn given(text: &[u8], name_start: usize, name_end: usize) -> Option<usize> {
    let before = &text[..name_start];
    let rest = &text[name_end..text.len().min(name_end + DECLARATION_BYTES)];
    let blanks = Class::run_of_blanks(rest);
    let at = match &rest[blanks..] {
        [b'"', ..] if blanks > 0 && may_be_followed(before) => blanks,
        [b'<', b'-', ..] if blanks > 0 => blanks + 2,
        [b'A', b's', b' ', b'S', b't', b'r', b'i', b'n', b'g', ..] if blanks > 0 => {
            behind_equals(rest, blanks + 9)?
        }
        [b'{', ..] if blanks == 0 => 1,
        [b'}', ..] if blanks == 0 && before.ends_with(b"{") => behind_equals(rest, 1)?,
        [b'\'', b'}', ..] if blanks == 0 && before.ends_with(b"{\'") => behind_equals(rest, 2)?,
        _ => return None,
    };
    let at = name_end + at + Class::run_of_blanks(rest.get(at..)?);
    let looks = |body: &[u8]| is_value(body) || random::is_made_up(body, VALUE_BYTES);
    literal(text, at).is_some_and(looks).then_some(at)
}

/// `#define ` before a name, or the colon of a keyword of Clojure.
fn may_be_followed(before: &[u8]) -> bool {
    before.ends_with(b"#define ") || before.ends_with(b"{:") || before.ends_with(b" :")
}

/// Behind the equals sign that blanks may part from `at`.
fn behind_equals(rest: &[u8], at: usize) -> Option<usize> {
    let equals = at + Class::run_of_blanks(rest.get(at..)?);
    let sign = rest.get(equals) == Some(&b'=') && rest.get(equals + 1) != Some(&b'=');
    sign.then_some(equals + 1)
}

/// What PHP prints of an array: `    [password] => hunter2x`, one word that looks like nothing but a value, and
/// `["password"]=> string(8) "…"`.
fn dumped(text: &[u8], name_start: usize, name_end: usize) -> Option<usize> {
    let rest = &text[name_end..text.len().min(name_end + DECLARATION_BYTES)];
    if let Some(rest) = rest.strip_prefix(b"\"]=>") {
        let blanks = Class::run_of_blanks(rest);
        let length = rest[blanks..].strip_prefix(b"string(")?;
        let digits = length.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let closed = digits > 0 && length[digits..].starts_with(b") \"");
        return closed.then_some(name_end + 4 + blanks + 7 + digits + 2);
    }
    let after = rest.strip_prefix(b"] => ")?;
    let word = &after[..after.iter().position(u8::is_ascii_whitespace).unwrap_or(after.len())];
    let alone = matches!(after[word.len()..], [] | [b'\n' | b'\r', ..]);
    let looks = is_value(word) || random::is_made_up(word, VALUE_BYTES);
    (text[..name_start].ends_with(b" [") && alone && looks).then_some(name_end + 5)
}

/// Behind the equals sign of a literal, when a declaration is between it and the name: `password string = "…"` of Go,
/// `char password[] = "…"` of C, `Password { get; set; } = "…"` of C#.
fn typed(text: &[u8], name_start: usize, name_end: usize) -> Option<usize> {
    let rest = &text[name_end..text.len().min(name_end + DECLARATION_BYTES)];
    let blanks = Class::run_of_blanks(rest);
    let length = match &rest[blanks..] {
        [b's', b't', b'r', b'i', b'n', b'g', ..] if blanks > 0 => 6,
        [b'{', b' ', b'g', b'e', b't', b';', inner @ ..] if blanks > 0 => {
            let part = |byte: &&u8| byte.is_ascii_lowercase() || matches!(byte, b' ' | b';');
            let length = inner.iter().take_while(part).count();
            (inner.get(length) == Some(&b'}')).then_some(6 + length + 1)?
        }
        [b'[', digits @ ..] if blanks == 0 && follows_char(&text[..name_start]) => {
            let length = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
            (digits.get(length) == Some(&b']')).then_some(length + 2)?
        }
        _ => return None,
    };
    let at = blanks + length + Class::run_of_blanks(&rest[blanks + length..]);
    let value = at + 1 + Class::run_of_blanks(rest.get(at + 1..)?);
    let literal = matches!(rest.get(value), Some(b'"' | b'`'));
    (rest[at] == b'=' && literal).then_some(name_end + at + 1)
}

/// `char `, `TCHAR `, `wchar_t `
fn follows_char(before: &[u8]) -> bool {
    before.strip_suffix(b" ").is_some_and(|before| {
        [&b"char"[..], b"CHAR", b"wchar_t"].iter().any(|name| before.ends_with(name))
    })
}
