//! Recognising source code in the place of a value: calls, members and other names.

use super::random::reads_like_words;
use super::words::{TYPE_NAMES, has};
use crate::class::Class;

/// Whether the value is an expression: `getenv(x)`, `user.password`, `args[0]`, `a::b`, `&x`, `{ … }`, or a type.
/// `after` is the rest of the line.
pub(super) fn is_expression(body: &[u8], after: &[u8], line: &[u8]) -> bool {
    let Some(first) = body.first() else { return true };
    let is_named = first.is_ascii_alphabetic()
        || matches!(first, b'_' | b'$' | b'@' | b'&' | b'*' | b'!' | b'(');
    let holds = |[one, two]: [u8; 2]| body.windows(2).any(|pair| pair[0] == one && pair[1] == two);
    // Most values contain no byte that any of these checks looks for.
    let plain = body.iter().all(|&byte| Class::Dash.has(byte) || byte >= 0x80);
    let rest = after.trim_ascii_start();
    let opens = |body: &[u8], open: u8| {
        memchr::memchr(open, body).is_some_and(|at| {
            at == 0 || body[at - 1].is_ascii_alphanumeric() || b"_>])?!.".contains(&body[at - 1])
        })
    };
    // The value begins like a bracket or a regular expression.
    if matches!(
        body,
        [b'{' | b'[' | b'(' | b')' | b'}', ..]
            | [b'\\', b'(' | b')' | b'w' | b's' | b'S' | b'd', ..]
            | [b'.', b'*' | b'+', ..]
            | [b'/', b'^' | b'(' | b'[' | b'\\', ..]
    ) || !plain && holds(*b"$(")
    {
        return true;
    }
    let closes =
        |close: u8| memchr::memchr(close, body).is_some() || memchr::memchr(close, line).is_some();
    let called = || opens(body, b'(') && closes(b')') || opens(body, b'[') && closes(b']');
    if is_named && !plain && called() {
        return true;
    }
    let ends_type = |byte: &u8| matches!(byte, b'<' | b'[' | b'|' | b'?' | b'(');
    let type_bytes = if plain { None } else { body.iter().position(ends_type) };
    let is_generic = |name: &[u8]| name[0].is_ascii_uppercase() && reads_like_words(name);
    if is_type(body)
        || type_bytes.is_some_and(|length| {
            let name = &body[..length];
            is_type(name) || body[length] == b'<' && length > 0 && is_generic(name)
        })
    {
        return true;
    }
    // The value is a calculation with members.
    let is_sum = || {
        body.contains(&b'.')
            && body.contains(&b'&')
            && body.split(|byte| *byte == b'&').all(is_path)
    };
    if !plain && is_sum() {
        return true;
    }
    // The value is a name with an operator of the language before or after it.
    let name = |body: &[u8]| is_path(body);
    match body {
        [b'&' | b'*' | b'@' | b'!' | b'$' | b':', rest @ ..] if name(rest) => true,
        _ if name(body) && matches!(after, [b'.', next, ..] if next.is_ascii_alphabetic()) => true,
        _ => {
            name(body)
                && matches!(
                    rest,
                    [b'(' | b'[' | b'?' | b'+', ..]
                        | [b'|', b'|' | b' ', ..]
                        | [b'&', b'&', ..]
                        | [b'=', b'=', ..]
                        | [b'i', b'f', b' ', ..]
                        | [b'o', b'r', b' ', ..]
                )
        }
    }
}

/// Whether the value is the name of a type, with or without its number of bits or bytes: `string`, `bytes32`.
fn is_type(body: &[u8]) -> bool {
    const SIZES: [&[u8]; 7] = [b"8", b"16", b"32", b"64", b"128", b"256", b"512"];
    let sized = |size: &&[u8]| body.strip_suffix(*size).is_some_and(|name| has(TYPE_NAMES, name));
    has(TYPE_NAMES, body) || SIZES.iter().any(sized)
}

/// Whether the value is a look-up or a call that goes on: `settings['x']`, `env("x")`, `config[:x]`. `after` is the rest
/// of the line.
pub(super) fn is_lookup(body: &[u8], after: &[u8]) -> bool {
    let Some(at) = memchr::memchr2(b'[', b'(', body) else { return false };
    let is_symbol = || body[at..].starts_with(b"[:") && body.ends_with(b"]");
    let opens_string = || at + 1 == body.len() && matches!(after, [b'"' | b'\'', ..]);
    is_path(&body[..at]) && (opens_string() || is_symbol())
}

/// Whether the value is identifiers joined by dots, with no more digits than names have.
pub(super) fn is_path(body: &[u8]) -> bool {
    !body.is_empty()
        && body.split(|byte| *byte == b'.').all(is_identifier)
        && body.iter().filter(|byte| byte.is_ascii_digit()).count() <= 2
}

/// Whether the value is identifiers joined by at least one dot. An identifier with many digits only looks like one.
pub(super) fn is_member(body: &[u8]) -> bool {
    let part = |part: &[u8]| {
        let digits = part.iter().filter(|byte| byte.is_ascii_digit()).count();
        is_identifier(part) && (digits * 3 <= part.len() || part.len() <= 8)
    };
    body.contains(&b'.') && body.split(|byte| *byte == b'.').all(part)
}

pub(super) fn is_identifier(body: &[u8]) -> bool {
    matches!(body, [first, ..] if first.is_ascii_alphabetic() || *first == b'_')
        && body.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$'))
}

/// Whether the text contains a placeholder of a template: `{name}`, `%s`, `#{x}`, `${x}`.
pub(super) fn is_template(body: &[u8]) -> bool {
    memchr::memchr3_iter(b'{', b'%', b'$', body).any(|at| match &body[at..] {
        [b'$', b'{' | b'(', ..] | [b'{', b'{', ..] | [b'%', b's', ..] => true,
        [b'%', ..] => body[..at].ends_with(b"<"),
        [b'{', inner @ ..] => {
            body[..at].ends_with(b"#")
                || memchr::memchr(b'}', inner).is_some_and(|close| {
                    let inner = &inner[..close];
                    inner.is_empty() || is_path(inner) || inner.contains(&b'(')
                })
        }
        _ => false,
    })
}
