//! Values without quotes: where they end.

use super::Scan;
use super::assignment::JUDGED_BYTES;
use super::name::Strength;
use super::operator::Operator;
use super::value::{Value, Writing, take_after_type};
use super::{judge, random, types};
use crate::class::Class;
use crate::mask;
use crate::span::Swallow;

/// Longest name of a tag.
const TAG_BYTES: usize = 32;

/// Up to a blank or a quote that was opened before the value, less what belongs to the text around it.
pub(super) fn take(scan: &mut Scan<'_, '_>, value: &Value<'_>, start: usize) {
    if mask::length(&scan.text[start..]) > 0 {
        return;
    }
    let weak = value.strength == Strength::Weak;
    let run = match value.operator {
        _ if weak => scan.runs.end(scan.text, Class::Bare, start),
        Operator::Tag => {
            let ends = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'<';
            let length = scan.text[start..].iter().position(ends);
            length.map_or(scan.text.len(), |length| start + length)
        }
        _ => scan.value_end(start),
    };
    if scan.is_cut(run) {
        if !weak {
            scan.found(start, run, Class::Bare);
        }
        return;
    }
    let body = &scan.text[start..run];
    let encoded = scan.runs.end(scan.text, Class::Encoded, start).min(run) - start;
    // A weak name is not worth a look at more than is judged.
    let long = weak && body.len() > JUDGED_BYTES;
    let body = if long { body } else { &body[..length(value, body, encoded, &scan.text[run..])] };
    let end = start + body.len();
    if body.is_empty() {
        return;
    }
    let after = &scan.text[end..];
    if value.operator == Operator::Tag && !after.starts_with(b"</") {
        return;
    }
    if types::is_type(value, body, after) {
        return take_after_type(scan, value, end);
    }
    let is_secret = if weak {
        random::is_weak_secret(scan, value, start, end)
    } else {
        judge::is_secret(value, body, false, after)
    };
    if is_secret {
        let body = &scan.text[start..end];
        let number = value.writing == Writing::Quoted
            && value.operator == Operator::Colon
            && body.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-'));
        scan.add(start, end, Swallow::While(Class::Bare), number);
    }
}

/// How much of a run without blanks is the value. Its first `encoded` bytes are of that class.
fn length(value: &Value<'_>, run: &[u8], encoded: usize, behind: &[u8]) -> usize {
    if value.writing == Writing::Quoted
        && value.operator == Operator::Colon
        && let Some(length) = number_of_document(run)
    {
        return length;
    }
    let mut length = run.len();
    // None of the bytes before that ends a value.
    let from = memchr::memchr(b'%', &run[..encoded]).unwrap_or(encoded);
    for (index, &byte) in run.iter().enumerate().skip(from) {
        let rest = &run[index + 1..];
        let ends = match byte {
            b'&' => separates(rest) || entity(rest),
            b',' | b';' => separates(rest) || opens_name(rest),
            b'\\' => escapes(rest),
            // An address in parentheses or brackets.
            b')' | b']' => matches!(value.before, Some(b'?' | b'&')),
            b'<' => value.operator == Operator::Tag || index > 0 && opens_tag(rest, behind),
            b'%' => (rest.starts_with(b"26") || rest.starts_with(b"22")) && !value.is_environment(),
            _ => false,
        };
        if ends {
            length = index;
            break;
        }
    }
    trim_closers(&run[..length])
}

/// The length of a number after which a document without blanks goes on: `123},{"next"`, `123]],true`.
fn number_of_document(run: &[u8]) -> Option<usize> {
    let number = |byte: &&u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
    let length = run.iter().take_while(number).count();
    let rest = &run[length..];
    let closed = rest.iter().take_while(|byte| b"]}".contains(byte)).count();
    let goes_on = match &rest[closed..] {
        [] => closed > 0,
        [b',', rest @ ..] => rest.first().is_none_or(|byte| b"\"{[-0123456789tfn".contains(byte)),
        _ => false,
    };
    (length > 0 && goes_on).then_some(length)
}

/// True when an angle before `rest` begins a tag, such as `</b>`, `<br/>` or `<a href=`, or the parameter of a type: a name
/// and what closes it or an attribute. `behind` follows `rest`. A value may hold an angle as well.
fn opens_tag(rest: &[u8], behind: &[u8]) -> bool {
    let name = rest.strip_prefix(b"/").unwrap_or(rest);
    let length = Class::Dash.run(&name[..name.len().min(TAG_BYTES)]);
    let attribute = |behind: &[u8]| {
        let name = Class::Dash.run(&behind[..behind.len().min(TAG_BYTES)]);
        name > 0 && behind.get(name) == Some(&b'=')
    };
    name.first().is_some_and(u8::is_ascii_alphabetic)
        && match &name[length..] {
            [] => behind.strip_prefix(b" ").is_some_and(attribute),
            rest => matches!(rest, [b'>', ..] | [b'/', b'>', ..]),
        }
}

/// True when a separator is followed by the next pair, or by nothing.
fn separates(rest: &[u8]) -> bool {
    if mask::length(rest) > 0 {
        return false;
    }
    let name = rest
        .iter()
        .take(48)
        .take_while(|&&byte| Class::Dot.has(byte) || matches!(byte, b'[' | b']' | b'%'))
        .count();
    match rest.get(name) {
        None | Some(b'&') => name == 0,
        Some(b'=' | b':') => name > 0,
        Some(_) => false,
    }
}

/// True when the next name of a document inside a document comes: `\"name\"`.
fn opens_name(rest: &[u8]) -> bool {
    let depth = rest.iter().take(32).take_while(|&&byte| byte == b'\\').count();
    depth > 0 && rest.get(depth) == Some(&b'"')
}

/// True when a backslash begins what ends a value: `\n`, `\"`, `\\\"`, `\u0026`, or nothing follows it.
fn escapes(rest: &[u8]) -> bool {
    let more = rest.iter().take(32).take_while(|&&byte| byte == b'\\').count();
    match &rest[more..] {
        // Inside a string the value goes on behind a quote that no separator follows.
        [b'"' | b'\'', next, ..] if more == 0 => !next.is_ascii_alphanumeric(),
        [] | [b'n' | b'r' | b't' | b'"' | b'\'', ..] => true,
        [b'u', b'0', b'0', digits @ ..] => [&b"22"[..], b"26", b"27", b"3c", b"3C", b"3e", b"3E"]
            .iter()
            .any(|code| digits.starts_with(code)),
        _ => false,
    }
}

/// `&amp;`, `&quot;`
fn entity(rest: &[u8]) -> bool {
    let name = rest
        .iter()
        .take(8)
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'#')
        .count();
    name > 1 && rest.get(name) == Some(&b';')
}

/// Length without the punctuation that closes what the value stands in.
fn trim_closers(value: &[u8]) -> usize {
    let may_trim = |byte: &u8| b")]}:,;\"'`".contains(byte);
    if !value.last().is_some_and(may_trim) {
        return value.len();
    }
    let mut unopened = [(b'(', b')'), (b'[', b']'), (b'{', b'}')].map(|(opener, closer)| {
        let closers = memchr::memchr_iter(closer, value).count();
        (closer, closers.saturating_sub(memchr::memchr_iter(opener, value).count()))
    });
    // `def login(token: str):`
    let colon = matches!(value, [.., b')' | b']', b':']);
    let mut length = value.len() - usize::from(colon);
    while let Some(&last) = value[..length].last() {
        let pair = unopened.iter_mut().find(|(closer, count)| *closer == last && *count > 0);
        match pair {
            Some((_, count)) => *count -= 1,
            None if b",;\"'`".contains(&last) => {}
            None => break,
        }
        length -= 1;
    }
    if colon && length + 1 == value.len() { value.len() } else { length }
}
