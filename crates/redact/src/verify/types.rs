//! Types where a value could stand: `password: string`, `token: Option<Token>`.

use super::argument;
use super::assignment::JUDGED_BYTES;
use super::operator::Operator;
use super::value::Value;
use super::words::{ELEMENTS, TYPES};
use crate::class::Class;

/// How far behind a value the end of a type's parameters is looked for.
const GENERIC_BYTES: usize = 512;

/// Longest type that is read to the equals sign behind it.
const TYPE_BYTES: usize = 64;

/// What stands in types besides the names of some.
const ABOUT_TYPES: [&[u8]; 9] =
    [b"Final", b"ClassVar", b"Annotated", b"Cow", b"a", b"None", b"null", b"undefined", b"const"];

/// A type behind a colon, as in `password: string` or `token: Kind = …`.
/// `closes_at` says how far behind the value the next angle of its line is that closes one.
pub(super) fn is_type(
    value: &Value<'_>,
    body: &[u8],
    after: &[u8],
    closes_at: impl FnOnce() -> Option<usize>,
) -> bool {
    let spaced = value.operator == Operator::Assign && value.spaced;
    let typed = spaced || matches!(value.operator, Operator::Colon | Operator::Flag);
    if !typed || body.len() > JUDGED_BYTES {
        return false;
    }
    let word = || body.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_.:<".contains(byte));
    let goes_on = || match after {
        [b' ', b'=', b' ', ..] => true,
        [b' ', b'|', b' ', union @ ..] => [&b"undefined"[..], b"null", b"None", b"string"]
            .iter()
            .any(|name| union.starts_with(name)),
        [b'<', b'/', ..] => false,
        [b'<', ..] => !is_element(after),
        _ => false,
    };
    value.operator == Operator::Colon && (body.ends_with(b"<") || goes_on()) && word()
        || is_generic(body, after, closes_at)
        || TYPES.has(without_closers(body))
}

/// Where the literal begins that is given to a name of the type at `at`, when that is more than a word: `Final[str] = "`,
/// `String? = "`, `&'static str = "`, `&[u8] = b"`.
pub(super) fn behind(text: &[u8], at: usize) -> Option<usize> {
    let rest = &text[at..text.len().min(at + TYPE_BYTES)];
    let equals = memchr::memchr3(b'=', b'"', b'\n', rest).filter(|&to| rest[to] == b'=')?;
    let body = rest[..equals].trim_ascii_end();
    let sign = |byte: &u8| b"[]<>?&|*".contains(byte);
    let is_type = body.iter().any(sign)
        && body.iter().all(|byte| Class::Word.has(*byte) || sign(byte) || b" ,.:;'".contains(byte))
        && body.split(|byte| !Class::Word.has(*byte)).all(|word| {
            word.iter().all(u8::is_ascii_digit) || TYPES.has(word) || ABOUT_TYPES.contains(&word)
        });
    let value = equals + 1 + Class::run_of_blanks(&rest[equals + 1..]);
    let value = value + usize::from(rest.get(value) == Some(&b'*'));
    (is_type && body.iter().any(u8::is_ascii_alphabetic))
        .then(|| argument::begins_literal(text, at + value))?
}

/// `Stream<Token = u8>`, `Option<fn(token: usize)>`: without what closes the parameters a type stands in.
fn without_closers(mut body: &[u8]) -> &[u8] {
    while let [rest @ .., b'>' | b')'] = body {
        body = rest;
    }
    body
}

/// `<br>`, `<td `: an element of HTML, not the parameter of a type.
fn is_element(after: &[u8]) -> bool {
    let name = after[1..].iter().take(12).take_while(|byte| byte.is_ascii_lowercase()).count();
    let closed = matches!(after.get(1 + name), Some(b'>' | b'/' | b' '));
    closed && ELEMENTS.has(&after[1..=name])
}

/// `Map<string, Token>`, `Option<&'a str>`, `input.parse::<Token![=]>()`: a type with parameters, which may go on behind.
fn is_generic(body: &[u8], after: &[u8], closes_at: impl FnOnce() -> Option<usize>) -> bool {
    let Some(open) = memchr::memchr(b'<', body) else { return false };
    let (name, rest) = body.split_at(open);
    let closes = || closes_at().is_some_and(|at| at < GENERIC_BYTES);
    let last = name.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    let opens = last.iter().find(|byte| !b"_$".contains(byte));
    let member = name.contains(&b'.');
    let internal = name.starts_with(b"_") && name.ends_with(b"t");
    (opens.is_some_and(u8::is_ascii_uppercase) || name.ends_with(b"::") || member || internal)
        && name.iter().all(|byte| byte.is_ascii_alphabetic() || b"_.:$".contains(byte))
        && (rest.ends_with(b"<")
            || rest.ends_with(b"<{")
            || TYPES.has(last)
            || after.starts_with(b",")
            || rest.contains(&b'>')
            || closes())
}
