//! `Authorization`, bearer credentials and cookies.

use super::assignment::quoted;
use super::placeholder::is_reference;
use super::set::Set;
use super::{Scan, bare, command, shape};
use crate::class::Class;
use crate::quote::Escaped;
use crate::span::Swallow;
use crate::{boundary, mask};

/// Shortest credential after a scheme word.
const CREDENTIAL_BYTES: usize = 8;

/// Most backslashes that are understood before a quote or an escape.
const MOST_BACKSLASHES: usize = 31;

/// Most cookies read in one header.
const COOKIES: usize = 256;

/// Schemes whose parameters go on to the end of the header.
const PARAMETER_SCHEMES: &[&str] = &["digest", "hawk", "oauth", "signature"];

/// `authorization` was found at `start..end`.
pub(crate) fn authorization(scan: &mut Scan<'_, '_>, start: usize, end: usize) {
    let text = scan.text;
    if start > 0 && text[start - 1].is_ascii_alphanumeric() {
        return;
    }
    let Some(value) = after_operator(text, end) else { return };
    let word = Class::Dash.run(&text[value..text.len().min(value + 24)]);
    let scheme = &text[value..value + word];
    let blanks = Class::run_of_blanks(&text[value + word..]);
    let credential = value + word + blanks;
    let scheme_is_known = word > 0 && blanks > 0 && is_scheme(scheme);
    if !scheme_is_known {
        return lone(scan, end, value);
    }
    let rest = &text[credential..];
    let parameters = rest.iter().take(48).take_while(|byte| Class::Word.has(**byte)).count();
    let has_parameters = rest.get(parameters) == Some(&b'=')
        && rest.get(parameters + 1).is_some_and(|byte| !matches!(byte, b'=' | b' ' | b'\n'));
    let joined = PARAMETER_SCHEMES.iter().any(|name| scheme.eq_ignore_ascii_case(name.as_bytes()))
        || scheme.starts_with(b"AWS4");
    if joined && has_parameters {
        return parameters_at(scan, value, credential);
    }
    credential_at(scan, credential, 1);
}

/// `Bearer ` was found: a credential may follow.
pub(crate) fn scheme(scan: &mut Scan<'_, '_>, start: usize, end: usize) {
    if !boundary::begins(scan.text, start) {
        return;
    }
    let blanks = Class::run_of_blanks(&scan.text[end..]);
    let at = end + blanks;
    let length = scan.runs.end(scan.text, Class::Credential, at) - at;
    let body = &scan.text[at..at + length.min(64)];
    if is_reference(body) {
        return;
    }
    let random = body.iter().any(u8::is_ascii_digit) || length >= 24;
    let upper = body.iter().any(u8::is_ascii_uppercase)
        && body.iter().skip(1).any(u8::is_ascii_lowercase)
        && body[1..].iter().any(u8::is_ascii_uppercase);
    if length >= CREDENTIAL_BYTES && (random || upper) {
        credential_at(scan, at, CREDENTIAL_BYTES);
    }
}

fn is_scheme(word: &[u8]) -> bool {
    static SCHEMES: Set<64> = Set::new(&[
        "apikey",
        "api-key",
        "basic",
        "bearer",
        "bot",
        "digest",
        "genie",
        "geniekey",
        "github",
        "hawk",
        "hmac",
        "key",
        "negotiate",
        "ntlm",
        "oauth",
        "sharedkey",
        "signature",
        "splunk",
        "ssws",
        "token",
    ]);
    SCHEMES.has(word) || word.starts_with(b"AWS4-")
}

/// A value without a scheme, of a name that ends at `name_end`.
fn lone(scan: &mut Scan<'_, '_>, name_end: usize, value: usize) {
    let end = scan.runs.end(scan.text, Class::Credential, value);
    let body = &scan.text[value..end];
    let letter = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
    let word = body.len() < 24 && body.iter().all(letter);
    let call = scan.text.get(end) == Some(&b'(');
    let code = shape::is_code_path(body)
        || shape::is_type_path(body)
        || shape::is_constant(body)
        || shape::is_numbered_constant(body);
    // `password='x'`: a parameter, which is read by its own name.
    let parameter = body.ends_with(b"=") && matches!(scan.text.get(end), Some(b'"' | b'\''));
    if body.len() < CREDENTIAL_BYTES || word || call || code || parameter {
        return;
    }
    // In a document a mask in place of a number needs quotes.
    let member = scan.text[name_end..value].starts_with(b"\"")
        && matches!(scan.text[name_end + 1..value].trim_ascii(), b":");
    if member && bare::is_number(body) {
        return scan.add(value, end, Swallow::While(Class::Credential), true);
    }
    credential_at(scan, value, CREDENTIAL_BYTES);
}

fn credential_at(scan: &mut Scan<'_, '_>, at: usize, least: usize) {
    let mut end = scan.runs.end(scan.text, Class::Credential, at);
    // A password behind a scheme may hold any sign.
    if least == 1 && scan.text.get(end).is_some_and(|byte| b"!*^#$@&".contains(byte)) {
        let from = end;
        end = scan.runs.end(scan.text, Class::Bare, end);
        let text = scan.text;
        let ends = |&at: &usize| bare::escapes(&text[from + at + 1..]);
        let escape = memchr::memchr_iter(b'\\', &text[from..end]).find(ends);
        end = escape.map_or(end, |at| from + at);
        while matches!(scan.text[end - 1], b',' | b';' | b')' | b']' | b'}') {
            end -= 1;
        }
    }
    // The colon of a member's name, as in YAML, ends no credential: `Bearer abc: value`.
    let name_ends = scan.text.get(end).is_none_or(u8::is_ascii_whitespace) && !scan.is_cut(end);
    if name_ends && end > at && scan.text[end - 1] == b':' {
        end -= 1;
    }
    let placeholder = matches!(scan.text.get(at), Some(b'$' | b'<' | b'{' | b'%' | b'*'));
    let named = scan.text[at..end.min(at + 64)].iter().any(u8::is_ascii_alphanumeric);
    if end - at >= least && named && !placeholder {
        scan.found(at, end, Class::Credential);
    }
}

/// Offset of the value after `:` or `=`, its quotes and blanks.
fn after_operator(text: &[u8], mut at: usize) -> Option<usize> {
    let skip = |at: &mut usize, set: &[u8]| {
        let limit = text.len().min(*at + 16);
        while *at < limit && set.contains(&text[*at]) {
            *at += 1;
        }
    };
    skip(&mut at, b"\"'\\] \t");
    let before = at;
    skip(&mut at, b":=>");
    if at == before {
        return None;
    }
    let limit = text.len().min(at + 16);
    while at < limit {
        at += match text[at] {
            b'"' | b'\'' | b'`' | b' ' | b'\t' => 1,
            b'\\' => escape_length(&text[at..]),
            _ => break,
        };
    }
    Some(at)
}

/// Length of the escape a document has at the start of `text`: a mask must not begin inside it. Of a quote's the backslashes.
fn escape_length(text: &[u8]) -> usize {
    let depth = text.iter().take(MOST_BACKSLASHES).take_while(|&&byte| byte == b'\\').count();
    depth
        + match &text[depth..] {
            [b'b' | b'f' | b'n' | b'r' | b't' | b'/', ..] => 1,
            [b'u', code @ ..] if code.len() >= 4 && Class::Hex.run(&code[..4]) == 4 => 5,
            _ => 0,
        }
}

/// Notes the parameters behind a scheme: to the quote that closes the string their header stands in, whose value begins at
/// `value`, or to the end of the line.
fn parameters_at(scan: &mut Scan<'_, '_>, value: usize, at: usize) {
    let text = scan.text;
    let around = match text[..value].last() {
        Some(&quote @ (b'"' | b'\'' | b'`')) => {
            let before = text[..value - 1].iter().rev().take(MOST_BACKSLASHES);
            Some((quote, before.take_while(|&&byte| byte == b'\\').count()))
        }
        _ => command::string_before(text, at).or_else(|| {
            let open = [b'"', b'\'', b'`'].into_iter().find(|&quote| scan.is_open(at, quote));
            open.map(|quote| (quote, 0))
        }),
    };
    let Some((quote, depth)) = around else {
        let end = scan.runs.end(text, Class::Line, at);
        return scan.found(at, end, Class::Line);
    };
    let Some(mut walk) = Escaped::new(quote, depth) else {
        let mut swallow = quoted(quote);
        let end = at + swallow.run(&text[at..]).0;
        let end = scan.string_end(at, end).unwrap_or(end);
        return scan.add(at, end, swallow, false);
    };
    let stop = at + walk.run(&text[at..]);
    let end = stop - walk.held();
    if scan.is_cut(stop) {
        return scan.add_open(at, end, Swallow::Escaped(walk));
    }
    scan.add(at, end, Swallow::While(Class::Line), false);
}

/// `cookie` was found, with the mark that ends the name: the values of its pairs are secrets, attributes are not.
pub(crate) fn cookie(scan: &mut Scan<'_, '_>, start: usize, end: usize) {
    const ATTRIBUTES: &[&str] = &["path", "domain", "expires", "max-age", "samesite", "priority"];
    let text = scan.text;
    if start < scan.cookies_to || (start > 0 && text[start - 1].is_ascii_alphanumeric()) {
        return;
    }
    let Some(mut at) = after_operator(text, end - 1) else { return };
    for _ in 0..COOKIES {
        let name = text[at..].iter().take(128).take_while(|byte| Class::Dot.has(**byte)).count();
        if name == 0 || text.get(at + name) != Some(&b'=') {
            return;
        }
        let value = at + name + 1;
        let length = text[value..]
            .iter()
            .take_while(|byte| !matches!(byte, b';' | b'"' | b'\'' | b'\n' | b'\\' | b' '))
            .count();
        let value_end = value + length;
        scan.cookies_to = value_end;
        let is_attribute = ATTRIBUTES
            .iter()
            .any(|known| text[at..at + name].eq_ignore_ascii_case(known.as_bytes()));
        if !is_attribute
            && mask::length(&text[value..]) == 0
            && !matches!(text.get(value), Some(b'$' | b'<' | b'{'))
        {
            scan.found(value, value_end, Class::Bare);
        }
        if text.get(value_end) != Some(&b';') {
            return;
        }
        at = value_end + 1 + Class::run_of_blanks(&text[value_end + 1..]);
    }
}
