//! What quotes hold besides secrets: sentences, labels, the name again, types and code.

use super::code;
use super::judge::is_same_name;
use super::name::Kind;
use super::operator::Operator;
use super::shape::{is_constant, is_constant_name, names_a_secret};
use super::value::Value;
use super::words::{NOTHING, PROSE, REQUESTING, SECRETS, TYPES};

/// Shortest word of a passphrase.
const WORD_BYTES: usize = 3;

/// Several words that read like language rather than like a pass phrase.
pub(super) fn is_sentence(body: &[u8]) -> bool {
    let text = body.strip_suffix(b"\\n").unwrap_or(body).trim_ascii();
    let foreign = text.iter().filter(|byte| !byte.is_ascii()).count();
    if foreign * 2 > text.len() {
        return text.contains(&b' ') || !text.iter().any(u8::is_ascii_digit);
    }
    let plain = || {
        text.iter().all(|byte| {
            byte.is_ascii_alphabetic() || !byte.is_ascii() || b" .,;:!?'\"()[]-/".contains(byte)
        })
    };
    let opens = || text[0].is_ascii_uppercase() || matches!(text, [.., b'.' | b':']);
    // `is too short`
    let says = || {
        let mut words = text.split(|byte| *byte == b' ');
        let first = words.next().is_some_and(|word| word.len() > 1 && PROSE.has(word));
        first && words.count() > 1
    };
    text.contains(&b' ') && plain() && (opens() || names_a_secret(text) || says())
}

/// Words that say nothing together: `Correct horse battery staple`. A document may have a label of two.
pub(super) fn is_passphrase(value: &Value<'_>, body: &[u8]) -> bool {
    let words = || body.split(|byte| *byte == b' ');
    let word = |word: &[u8]| {
        word.len() >= WORD_BYTES
            && word.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'-')
            && !PROSE.has(word)
            && !REQUESTING.has(word)
            && !SECRETS.has(word)
    };
    words().count() >= if value.is_member() { 3 } else { 2 } && words().all(word)
}

/// `"password": "Password"`: a label of a form.
pub(super) fn is_label(value: &Value<'_>, body: &[u8]) -> bool {
    is_same_name(value, body)
        && (body.first().is_some_and(u8::is_ascii_uppercase)
            || code::is_written_otherwise(value, body))
}

/// `access_token: "access_token"`: the name again, which is no secret.
pub(super) fn is_own_name(value: &Value<'_>, body: &[u8]) -> bool {
    if value.kind == Kind::Password {
        return false;
    }
    let letters = |text: &[u8]| text.iter().filter(|byte| byte.is_ascii_alphanumeric()).count();
    let last = value.name.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    let same = is_same_name(value, body)
        && (letters(body) == letters(value.name) || letters(body) == letters(last));
    // `refresh_token_key = "refresh_token"`
    let begin = value.name.get(..body.len());
    let longer = begin.is_some_and(|name| name.eq_ignore_ascii_case(body)) && names_a_secret(body);
    // `TOKEN_COMMENT: "comment"`
    let kind = value.kind == Kind::Token && is_same_name(value, body);
    (same || longer || kind) && value.words().len() > 1
}

/// `SECRET_KEY = "AWS_SECRET_ACCESS_KEY"`: the name of a constant or a variable; `"token": "string"`: that of a type.
pub(super) fn is_name(value: &Value<'_>, body: &[u8]) -> bool {
    is_constant_name(body) || value.kind != Kind::Password && (is_constant(body) || TYPES.has(body))
}

/// The quote closes a text that ends with the name, or the value is the name of a type or of a choice.
pub(super) fn is_quoted_code(value: &Value<'_>, body: &[u8], after: &[u8], data: bool) -> bool {
    let closes = !value.is_member()
        && (value.closing && matches!(body, [b')' | b']' | b'}' | b';', ..])
            || matches!(
                body,
                [b',', b' ', ..]
                | [b' ', b'+' | b'%' | b'.' | b'-' | b'|' | b'&' | b')' | b'}', ..]
                // The quote of another sort closes a string that ends with the name.
                | [b'\'' | b'"', b' ', b'+' | b'.', b' ', ..]
            ));
    let compared = value.operator == Operator::Compare && TYPES.has(body);
    closes || compared || !data && is_choice(after)
}

/// `"one" | "other"`, `"one" | null`, `"one" | SomeType`: a union of types, and not the command that a value goes to.
fn is_choice(after: &[u8]) -> bool {
    let [quote, b' ', b'|', b' ', next @ ..] = after else { return false };
    let word = &next[..next.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count()];
    let ends = |byte: &u8| b" \n\r,;)>}|]=&<[.".contains(byte);
    *quote != b'\n'
        && (matches!(next, [b'"' | b'\'' | b'`' | b'(' | b'{' | b'\n' | b'\r', ..] | [])
            || (TYPES.has(word)
                || NOTHING.has(word)
                || word.first().is_some_and(u8::is_ascii_uppercase))
                && next.get(word.len()).is_none_or(ends))
}
