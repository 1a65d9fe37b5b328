//! What stands around a value behind its operator: calls that hash or encode a literal, tags of YAML, defaults of templates.

use super::Scan;
use super::argument::{self, is_value};
use super::identifier::NAME_BYTES;
use super::operator::Operator;
use super::set::Set;
use super::shape;
use crate::class::Class;
use crate::mask;
use crate::quote::Quote;

/// Most calls around a literal.
const CALLS: usize = 4;

/// Most tags and anchors before a value.
const TAGS: usize = 2;

/// Longest template in which a default is looked for.
const TEMPLATE_BYTES: usize = 256;

/// Calls whose literal is the value, hashed, encoded or in a type of its own: the last word of the name.
static WRAPPERS: Set<128> = Set::new(&[
    "argon2",
    "b64decode",
    "b64encode",
    "base64",
    "base64_decode",
    "base64_encode",
    "base64decode",
    "base64encode",
    "bcrypt",
    "bcrypt_hash",
    "byte",
    "bytearray",
    "bytes",
    "crypt",
    "cstring",
    "digest",
    "encode",
    "encode_base64",
    "encrypt",
    "hash",
    "hashpw",
    "hex",
    "hmac",
    "jsonencode",
    "make_password",
    "md5",
    "md5sum",
    "nonsensitive",
    "old_password",
    "osstring",
    "password",
    "password_hash",
    "pbkdf2",
    "quote",
    "scrypt",
    "secret",
    "secretstr",
    "secretstring",
    "securestring",
    "sensitive",
    "sha",
    "sha1",
    "sha2",
    "sha224",
    "sha256",
    "sha384",
    "sha512",
    "some",
    "str",
    "string",
    "stringptr",
    "stringvalue",
    "to_base64",
    "to_bytes",
    "to_string",
    "tobase64",
    "unhex",
    "urlencode",
    "utf8",
]);

/// Names of functions that make the type before them: `String::from`, `Buffer.from`.
const MAKERS: [&[u8]; 5] = [b"from", b"new", b"of", b"valueOf", b"to_owned"];

/// Where the literal begins that is the first argument of the calls at `at`: `MD5('`, `[]byte("`, `new String("`.
pub(super) fn literal(scan: &mut Scan<'_, '_>, mut at: usize) -> Option<usize> {
    let text = scan.text;
    for call in 0..=CALLS {
        if call > 0
            && let Some(body) = argument::literal(text, at)
        {
            let quote = at + usize::from(!b"\"'\\`".contains(&text[at]));
            // The quote may close what the name stands in: `'password=md5('+name`.
            let open = scan.is_open(at, text[quote]);
            return (!open && !body.is_empty()).then_some(at);
        }
        let begins = text.get(at).is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'[');
        if !begins {
            return None;
        }
        at = behind_opening(text, at)?;
    }
    None
}

/// `md5($x)`: one of the calls that hash or encode, which is no value itself.
pub(super) fn is_call(rest: &[u8]) -> bool {
    let near = &rest[..rest.len().min(NAME_BYTES)];
    let length = near.iter().position(|&byte| !shape::is_code_path_byte(byte));
    length.is_some_and(|length| near[length] == b'(' && WRAPPERS.has(&near[..length]))
}

/// Behind the parenthesis that opens the arguments of the call at `at`.
fn behind_opening(text: &[u8], at: usize) -> Option<usize> {
    let rest = &text[at..text.len().min(at + NAME_BYTES)];
    let skipped = match rest {
        [b'[', b']', ..] => 2,
        [b'n', b'e', b'w', b' ', ..] => 4,
        _ => 0,
    };
    let path = &rest[skipped..];
    let length = path.iter().position(|&byte| !shape::is_code_path_byte(byte))?;
    if path[length] != b'(' {
        return None;
    }
    let mut names = path[..length].rsplit(|&byte| b".:>".contains(&byte));
    let mut name = names.find(|name| !name.is_empty())?;
    if MAKERS.contains(&name) {
        name = names.find(|name| !name.is_empty())?;
    }
    // What has a digit in its name is no call to what judges values without quotes.
    let known = WRAPPERS.has(name) || name.iter().any(u8::is_ascii_digit);
    let open = at + skipped + length;
    known.then(|| open + 1 + Class::run_of_blanks(&text[open + 1..]))
}

/// Where the value begins behind tags and anchors of YAML: `!!str `, `!Sub `, `&name `. Other tags make something else of it.
pub(super) fn behind_tags(text: &[u8], operator: Operator, start: usize) -> usize {
    let mut at = start;
    for _ in 0..TAGS {
        let (mark @ (b'!' | b'&'), Operator::Colon) =
            (text.get(at).copied().unwrap_or(0), operator)
        else {
            break;
        };
        let rest = &text[at + 1..text.len().min(at + NAME_BYTES)];
        let length = rest.iter().take_while(|&&byte| Class::Dash.has(byte) || byte == b'!').count();
        let blanks = Class::run_of_blanks(&rest[length..]);
        let name = &rest[..length];
        let known = match mark {
            b'!' => matches!(name, b"!str" | b"!binary" | b"Sub" | b"str" | b""),
            _ => !matches!(name, b"" | b"mut" | b"dyn" | b"str" | b"self" | b"const"),
        };
        if !known || blanks == 0 {
            return start;
        }
        at += 1 + length + blanks;
        // In code an ampersand makes a reference.
        if mark == b'&' && !begins_scalar(&text[at..]) {
            return start;
        }
    }
    at
}

/// What stands behind an anchor and not behind a reference.
fn begins_scalar(rest: &[u8]) -> bool {
    let end = rest.iter().take(NAME_BYTES).position(u8::is_ascii_whitespace);
    let word = &rest[..end.unwrap_or(rest.len().min(NAME_BYTES))];
    matches!(rest.first(), Some(b'"' | b'\'' | b'!'))
        || mask::length(rest) > 0
        || matches!(word, [b'|' | b'>', ..] if word.len() <= 3)
        || is_value(word)
}

/// Where the literal begins that a template has for a default: `{{ .Values.pw | default "x" }}`, `"{{ pw | default('x') }}"`.
pub(super) fn default(text: &[u8], at: usize) -> Option<usize> {
    const WORD: &[u8] = b"default";
    let at = at + Quote::at(&text[at..]).map_or(0, |(_, length)| length);
    if !text[at..].starts_with(b"{{") {
        return None;
    }
    let rest = &text[at..text.len().min(at + TEMPLATE_BYTES)];
    let rest = &rest[..memchr::memchr2(b'}', b'\n', rest).unwrap_or(rest.len())];
    let word = memchr::memmem::find(rest, WORD)? + WORD.len();
    let open = usize::from(rest.get(word) == Some(&b'('));
    let blanks = Class::run_of_blanks(&rest[word + open..]);
    let at = at + word + open + blanks;
    (open + blanks > 0 && argument::literal(text, at).is_some()).then_some(at)
}
