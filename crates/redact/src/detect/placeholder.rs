//! Recognising placeholders and references, which stand for a secret without being one.

use super::identifier::NameWords;
use super::random::{is_alternating, is_random};
use super::words::{EMPTY_VALUE_WORDS, NAME_WORDS, SECRET_NAME_WORDS, has};
use crate::class::Class;

/// The longest value that can be a placeholder.
const MAX_PLACEHOLDER_BYTES: usize = 160;

/// Whether the value is a placeholder or a reference: `<token>`, `${TOKEN}`, `your-key-here`, `xxxx`, `…`, `null`.
pub(super) fn is_placeholder(body: &[u8]) -> bool {
    let text = body.trim_ascii();
    text.len() <= MAX_PLACEHOLDER_BYTES
        && (is_empty_value(text) || is_template(text) || is_instruction(text) || is_reference(text))
}

/// Whether the value stands for no value: `null`, `****`, `xxxx`, `...`
fn is_empty_value(text: &[u8]) -> bool {
    let [first, rest @ ..] = text else { return true };
    let repeated = rest.len() >= 2 && rest.iter().all(|byte| byte == first);
    has(EMPTY_VALUE_WORDS, text)
        || repeated && !first.is_ascii_digit()
        || "…•".chars().any(|sign| {
            let mut bytes = [0; 4];
            let sign = sign.encode_utf8(&mut bytes).as_bytes();
            *first == sign[0] && text.chunks(sign.len()).all(|one| one == sign)
        })
        || text.ends_with("…".as_bytes())
        || text.ends_with(b"...")
        || text.len() >= 6 && text.iter().all(|byte| b"xX*#.-_".contains(byte))
        || matches!(text, [one, two, three, ..] if one == two && two == three && b"#*.<>-_=~%?".contains(one))
}

/// Whether the value is a variable of a template: `<name>`, `${NAME}`, `$NAME`, `%NAME%`, `{{ name }}`, `[name]`, `%s`,
/// `@name@`
fn is_template(text: &[u8]) -> bool {
    let name = |text: &[u8]| {
        !text.is_empty()
            && text.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-.:".contains(byte))
    };
    match text {
        [b'<', inner @ .., b'>'] => !inner.contains(&b'>'),
        [b'$', b'{' | b'(', ..]
        | [b'{', b'{' | b'%', ..]
        | [b'<', b'%' | b'?' | b'<', ..]
        | [b'#', b'{', ..] => true,
        [b'$', rest @ ..] => {
            let rest = rest.strip_prefix(b"env:").unwrap_or(rest);
            let variable = |part: &[u8]| {
                part.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_')
                    && part
                        .iter()
                        .all(|byte| byte.is_ascii_alphanumeric() || b"_/.:#->'[]".contains(byte))
            };
            rest.first().is_some_and(|first| first.is_ascii_alphabetic() || b"_$(".contains(first))
                && !is_random(rest)
                && rest.split(|byte| *byte == b'$').all(variable)
        }
        [b'%', inner @ .., b'%'] | [b'@', inner @ .., b'@'] => name(inner),
        [b'[', inner @ .., b']'] => name(inner) || inner.contains(&b' '),
        [b'{', inner @ .., b'}'] => !inner.contains(&b':'),
        [b'%', rest @ ..] => matches!(rest, [b's' | b'd' | b'v' | b'q' | b'x'] | [b'(', ..]),
        _ => false,
    }
}

/// Whether the value says what belongs in its place: `your-api-key`, `my_secret_here`, `REPLACE_ME`, `insert token
/// here`.
fn is_instruction(text: &[u8]) -> bool {
    const INSTRUCTIONS: [&[u8]; 12] = [
        b"your",
        b"changeme",
        b"change_me",
        b"change-me",
        b"replace",
        b"placeholder",
        b"example",
        b"redacted",
        b"insert",
        b"enter",
        b"xxxxx",
        b"<",
    ];
    // A short number at the end numbers an example; a number inside belongs to a secret.
    let numbered = text.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    if numbered > 3 || text[..text.len() - numbered].iter().any(u8::is_ascii_digit) {
        return false;
    }
    // Only the first occurrence of each word counts.
    let mut seen_instructions = 0_u32;
    text.iter().enumerate().any(|(at, &byte)| {
        if !matches!(byte | 0x20, b'c' | b'e' | b'i' | b'p' | b'r' | b'x' | b'y' | b'<') {
            return false;
        }
        let joined = at > 0 && text[at - 1].is_ascii_alphabetic();
        INSTRUCTIONS.iter().enumerate().any(|(number, instruction)| {
            let first =
                instruction[0] == byte.to_ascii_lowercase() && seen_instructions >> number & 1 == 0;
            let is_match = first && begins_with(&text[at..], instruction);
            seen_instructions |= u32::from(is_match) << number;
            is_match && (!joined || instruction.len() > 7)
        })
    })
}

fn begins_with(text: &[u8], word: &[u8]) -> bool {
    text.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word))
}

/// Whether the value says where the secret is stored: `vault:secret/db`, `/run/secrets/db`, `https://…`, `arn:aws:…`,
/// `op://…`.
pub(super) fn is_reference(text: &[u8]) -> bool {
    const PREFIXES: [&[u8]; 12] = [
        b"arn:aws",
        b"vault:",
        b"keychain:",
        b"secretref:",
        b"env:",
        b"file:",
        b"projects/",
        b"urn:",
        b"ref+",
        b"cmd:",
        b"secret:",
        b"@/",
    ];
    let scheme = text
        .iter()
        .take(16)
        .take_while(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte))
        .count();
    scheme > 1 && text[scheme..].starts_with(b"://")
        || PREFIXES.iter().any(|prefix| text.starts_with(prefix))
        || is_path(text)
}

/// Whether the value is a path of short parts. Base64 that begins with a slash has longer parts.
fn is_path(text: &[u8]) -> bool {
    let rooted = match text {
        [b'/', ..] | [b'~' | b'.', b'/', ..] | [b'.', b'.', b'/', ..] => true,
        [drive, b':', b'\\' | b'/', ..] => drive.is_ascii_alphabetic(),
        _ => false,
    };
    let part = |part: &[u8]| {
        part.len() <= 24
            && part.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-.~:@ ${}*".contains(byte))
    };
    rooted
        && !is_alternating(text)
        && text.split(|byte| b"/\\".contains(byte)).all(part)
        && text.iter().filter(|byte| byte.is_ascii_digit()).count() * 4 < text.len()
}

/// Whether the value is the name of a secret: `access_token`, `current-password`, `Bearer`.
pub(super) fn is_name(body: &[u8]) -> bool {
    let joins = |byte: u8| Class::Dot.has(byte) || matches!(byte, b' ' | b':');
    if body.len() > 64
        || !body.iter().all(|&byte| joins(byte))
        || body.iter().filter(|byte| byte.is_ascii_digit()).count() > 1
    {
        return false;
    }
    let words = NameWords::new(body);
    words.iter().all(|word| has(NAME_WORDS, word))
        && words.iter().any(|word| has(SECRET_NAME_WORDS, word))
}
