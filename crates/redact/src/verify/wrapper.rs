//! What stands around a value behind its operator: calls that hash or encode a literal, tags of YAML, defaults of templates.

use super::algorithm::is_algorithm;
use super::argument::{self, is_marked, is_value};
use super::identifier::NAME_BYTES;
use super::operator::Operator;
use super::shape::{self, names_a_secret};
use super::words::SECRETS;
use super::{Scan, call, plain, types};
use crate::class::Class;
use crate::mask;
use crate::quote::Quote;

/// Most calls around a literal.
const CALLS: usize = 4;

/// Most tags and anchors before a value.
const TAGS: usize = 2;

/// Longest template in which a default is looked for.
const TEMPLATE_BYTES: usize = 256;

/// Where the literal begins that is an argument of the calls at `at`: `MD5('`, `[]byte("`, `new String("`. In
/// `data` any other text is a value.
pub(super) fn literal(scan: &mut Scan<'_, '_>, mut at: usize, data: bool) -> Option<usize> {
    let text = scan.text;
    for call in 0..=CALLS {
        if call > 0
            && let Some(body) = argument::literal(text, at)
        {
            // `hash("sha256", "value")`
            if is_algorithm(body) {
                let next = argument::next(text, at)?;
                let body = argument::literal(text, next)?;
                return may_hold(body).then_some(next);
            }
            let quote = at + usize::from(!b"\"'\\`".contains(&text[at]));
            // The quote may close what the name stands in: `'password=md5('+name`.
            let open = scan.is_open(at, text[quote]);
            return (!open && may_hold(body)).then_some(at);
        }
        let begins = text.get(at).is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'[');
        if !begins {
            return None;
        }
        at = behind_opening(text, at, data)?;
    }
    None
}

/// A literal that is neither the name of an encoding nor that of a secret: `string("password")`, `secret("db-password")`.
fn may_hold(body: &[u8]) -> bool {
    let named = || SECRETS.has(body) || names_a_secret(body) && plain::is_words(body, 1);
    !body.is_empty() && !is_algorithm(body) && !named()
}

/// `md5($x)`, `crypt2("x`: one of the calls that hash or encode, or another one of a literal, which is no value itself.
pub(super) fn is_call(text: &[u8], at: usize) -> bool {
    let rest = &text[at..text.len().min(at + NAME_BYTES)];
    let length = rest.iter().position(|&byte| !shape::is_code_path_byte(byte));
    let known =
        length.is_some_and(|length| rest[length] == b'(' && call::WRAPPERS.has(&rest[..length]));
    known
        || behind_opening(text, at, false).is_some_and(|inside| {
            matches!(text[inside..], [b'"' | b'\'', ..] | [b'b' | b'u' | b'r', b'"' | b'\'', ..])
        })
}

/// Behind the parenthesis that opens the arguments of the call at `at`. In `data` only calls that are known are some.
fn behind_opening(text: &[u8], at: usize, data: bool) -> Option<usize> {
    let rest = &text[at..text.len().min(at + NAME_BYTES)];
    let skipped = match rest {
        [b'[', b']', ..] => 2,
        [b'n', b'e', b'w', b' ', ..] => 4,
        _ => 0,
    };
    let path = &rest[skipped..];
    let length = path.iter().position(|&byte| !shape::is_code_path_byte(byte))?;
    if path[length] != b'(' || !is_path(&path[..length]) {
        return None;
    }
    // What has a digit in its name is no call to what judges values without quotes.
    let known = call::wraps(&path[..length])
        || !data && call::name(&path[..length])?.iter().any(u8::is_ascii_digit);
    let open = at + skipped + length;
    known.then(|| open + 1 + Class::run_of_blanks(&text[open + 1..]))
}

/// Names joined by dots, arrows or pairs of colons: one colon is none of code.
fn is_path(path: &[u8]) -> bool {
    let mut colons = path.split(|byte| *byte != b':').filter(|run| !run.is_empty());
    colons.all(|run| run.len() == 2)
}

/// Where the value begins behind tags and anchors of YAML: `!!str `, `!Sub `, `&name `, or behind a type. Other tags make
/// something else of it.
pub(super) fn behind_tags(text: &[u8], operator: Operator, start: usize) -> usize {
    let typed = (operator == Operator::Colon).then(|| types::behind(text, start)).flatten();
    if let Some(at) = typed {
        return at;
    }
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
        || ends_line(&rest[word.len()..]) && Class::Dash.run(word) == word.len() && is_marked(word)
}

/// Nothing but a comment follows on the line.
fn ends_line(rest: &[u8]) -> bool {
    matches!(rest.trim_ascii_start(), [] | [b'#', ..]) || matches!(rest, [b'\n' | b'\r', ..])
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
