//! What code looks like: names, paths, calls, constants, numbers.

use super::identifier::Words;
use super::sorts::{CODE_PATH, Sorts};
use super::value::Value;
use super::words::{OBJECTS, SECRETS};

/// A number as people or programs write it: `1,234`, `1.5`, `4096u32`, `0x10`.
pub(super) fn is_number(body: &[u8]) -> bool {
    let digits = body.strip_prefix(b"-").unwrap_or(body);
    // `1<<8`
    if let [one, b'<', b'<', shift @ ..] = digits {
        return one.is_ascii_digit() && !shift.is_empty() && shift.iter().all(u8::is_ascii_digit);
    }
    if let Some(hex) = digits.strip_prefix(b"0x") {
        return hex.len() <= 16 && hex.iter().all(u8::is_ascii_hexdigit);
    }
    let length = digits
        .iter()
        .take_while(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b',' | b'_'))
        .count();
    let suffixes = [
        &b""[..],
        b"u8",
        b"u16",
        b"u32",
        b"u64",
        b"usize",
        b"i8",
        b"i16",
        b"i32",
        b"i64",
        b"isize",
        b"f32",
        b"f64",
        b"L",
        b"UL",
        b"u",
        b"U",
        b"LL",
        b"ULL",
    ];
    digits.first().is_some_and(u8::is_ascii_digit) && suffixes.contains(&&digits[length..])
}

/// `BinaryLike`
pub(super) fn is_camel_case(body: &[u8]) -> bool {
    let humps =
        body.windows(2).filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    body.first().is_some_and(u8::is_ascii_uppercase)
        && body.iter().all(u8::is_ascii_alphabetic)
        && humps.count() == 1
}

/// Several words of which one names a secret: another variable.
pub(super) fn names_a_secret(body: &[u8]) -> bool {
    // One word, of small letters and digits.
    let joins = |byte: &u8| !(byte.is_ascii_lowercase() || byte.is_ascii_digit());
    if !body.get(1..).is_some_and(|rest| rest.iter().any(joins)) {
        return false;
    }
    let words = Words::new(body);
    words.len() > 1 && words.iter().any(|word| SECRETS.has(word))
}

/// `DEFAULT_PASSWORD`: the name of a constant or variable.
pub(super) fn is_constant_name(body: &[u8]) -> bool {
    is_constant(body) && names_a_secret(body)
}

/// `WINBIO_PRESENCE_0`: a constant, of which parts may be numbers.
pub(super) fn is_numbered_constant(body: &[u8]) -> bool {
    let part = |part: &[u8]| {
        !part.is_empty()
            && (part.iter().all(u8::is_ascii_uppercase) || part.iter().all(u8::is_ascii_digit))
    };
    body.contains(&b'_')
        && body[0].is_ascii_uppercase()
        && body.split(|byte| *byte == b'_').all(part)
}

pub(super) fn is_constant(body: &[u8]) -> bool {
    body.contains(&b'_') && body.iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'_')
}

/// `getToken()`, `tokens[0]`, `os.environ.get(`, `parse!(`, `String.raw`
pub(super) fn is_call(body: &[u8]) -> bool {
    let name = body.iter().take_while(|byte| is_code_path_byte(**byte)).count();
    let bang = usize::from(body.get(name) == Some(&b'!'));
    let opens = matches!(body.get(name + bang), Some(b'(' | b'[' | b'`'));
    let path = &body[..name];
    let closed = body[name..].starts_with(b"()")
        || path.contains(&b'.')
        || memchr::memmem::find(path, b"::").is_some();
    name > 0
        && !body[0].is_ascii_digit()
        && opens
        && (closed || !body[..name].iter().any(u8::is_ascii_digit))
}

/// `config.password`, `this->token`, `Token::Eof`
pub(super) fn is_code_path(body: &[u8]) -> bool {
    let body = body.strip_prefix(b"&").or_else(|| body.strip_prefix(b"*")).unwrap_or(body);
    let joined =
        || body.contains(&b'.') || body.windows(2).any(|pair| matches!(pair, b"::" | b"->"));
    if !(body.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_'))
        || !body.iter().all(|byte| is_code_path_byte(*byte))
        || !joined()
    {
        return false;
    }
    let first =
        body.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    // A bundler numbers names: `exports2`.
    let object = &body[..first];
    let letters = object.iter().rposition(|byte| !byte.is_ascii_digit()).map_or(0, |last| last + 1);
    OBJECTS.has(&object[..letters]) || !body.iter().any(u8::is_ascii_digit)
}

/// `node.token` behind the name `token`.
pub(super) fn is_member(value: &Value<'_>, body: &[u8]) -> bool {
    let last = body.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    let name = value.name.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    last.len() < body.len()
        && last.eq_ignore_ascii_case(name)
        && body.iter().all(|byte| is_code_path_byte(*byte))
}

#[inline]
pub(super) fn is_code_path_byte(byte: u8) -> bool {
    Sorts::of(&[byte]).only(CODE_PATH)
}

/// `crate::__u32`, `Literal::u8_unsuffixed(0)`: names joined by double colons.
pub(super) fn is_type_path(body: &[u8]) -> bool {
    let Some(colons) = memchr::memmem::find(body, b"::") else { return false };
    let names = |byte: &u8| byte.is_ascii_alphanumeric() || b"_:<>,()&*' ".contains(byte);
    let first = &body[..colons];
    let last = body.rsplit(|byte| *byte == b':').next().unwrap_or_default();
    let letters = |text: &[u8]| text.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
    !first.is_empty()
        && !first[0].is_ascii_digit()
        && (letters(first) || letters(last) && !first.iter().any(u8::is_ascii_uppercase))
        && body.iter().all(names)
}

/// Minified code or the start of a longer expression: `vt;var`, `r.apiKey});return`, `!0},{a`, `{"a`, `args => {`.
/// `after` is the text behind it.
pub(super) fn is_expression(body: &[u8], spaced: bool, after: &[u8]) -> bool {
    if matches!(
        body,
        [b'{' | b'[', b'"' | b'\'' | b'\\' | b'{' | b'}' | b']', ..] | [b'(', b'(', ..]
    ) {
        return true;
    }
    if matches!(body, [b'!', b'0' | b'1', rest @ ..] if rest.first().is_none_or(|byte| b",;)}]".contains(byte)))
    {
        return true;
    }
    let name = body.iter().take_while(|byte| is_code_path_byte(**byte)).count();
    let identifier =
        body.first().is_some_and(|byte| byte.is_ascii_alphabetic() || b"_$".contains(byte));
    if !identifier || body[..name].iter().any(u8::is_ascii_digit) {
        return false;
    }
    let closes = matches!(&body[name..], [b',' | b';' | b')' | b'}', next, ..]
        if next.is_ascii_alphabetic() || b")}],;:".contains(next));
    let minified = closes && (name <= 3 || body[..name].contains(&b'.'));
    if spaced
        && matches!(body, b"async" | b"await" | b"function" | b"lambda" | b"new")
        && after.starts_with(b" ")
    {
        return true;
    }
    let followed = spaced
        && name == body.len()
        && matches!(
            after,
            [b' ', b'=', b'>' | b' ', ..]
                | [b' ', b'+' | b'?' | b'|', b' ', ..]
                | [b' ', b'&', b'&' | b' ', b' ' | b'{', ..]
                | [b' ', b'|', b'|', b' ', ..]
        );
    minified || followed
}

/// `/^[a-z]+$/u`, `^\\[x\\]$`: a regular expression.
pub(super) fn is_regex(body: &[u8]) -> bool {
    if body.len() > 2 && body[0] == b'^' && body.ends_with(b"$") {
        return true;
    }
    let Some(rest) = body.strip_prefix(b"/") else { return false };
    let Some(close) = memchr::memrchr(b'/', rest) else { return false };
    let flags = &rest[close + 1..];
    let flags = flags.strip_suffix(b";").or_else(|| flags.strip_suffix(b",")).unwrap_or(flags);
    flags.iter().all(|flag| b"dgimsuvy".contains(flag))
        && rest[..close].iter().any(|byte| b"\\[(^$|".contains(byte))
}
