//! `Authorization` and bearer credentials.

use super::assignment::quoted;
use super::name::Kind;
use super::placeholder::is_reference;
use super::set::Set;
use super::{Scan, argument, bare, command, judge, pair, shape};
use crate::class::Class;
use crate::quote::{Escaped, Quote};
use crate::span::Swallow;
use crate::{boundary, mask};

/// Shortest credential after a scheme word.
const CREDENTIAL_BYTES: usize = 8;

/// Most backslashes that are understood before a quote or an escape.
const MOST_BACKSLASHES: usize = 31;

/// Longest scheme and longest name of a parameter.
const SCHEME_BYTES: usize = 24;
const PARAMETER_BYTES: usize = 48;

/// A credential as long looks random whatever its letters are.
const LONG_BYTES: usize = 24;

/// Signs of a password that are none of [`Class::Credential`].
const SIGNS: &[u8] = b"!*^#$@&?%";

/// Parameters that hold no credential, nor do those behind them when the scheme is none that is known.
const ABOUT: [&[u8]; 5] = [b"profile", b"realm", b"scope", b"charset", b"version"];

/// Schemes whose parameters, also those without quotes, go on to the end of the header.
const PARAMETER_SCHEMES: &[&str] =
    &["acs3-", "aws4", "digest", "eg1-", "hawk", "hmac", "mac", "oauth", "signature", "vapid"];

/// `authorization` was found at `start..end`.
pub(crate) fn authorization(scan: &mut Scan<'_, '_>, start: usize, end: usize) {
    let text = scan.text;
    if !boundary::begins(text, start) {
        return;
    }
    let before = text[..start].iter().rev().take(PARAMETER_BYTES);
    let name = start - before.take_while(|&&byte| Class::Dash.has(byte)).count();
    scan.begins_pair(judge::of_lines(Kind::Token), name..end);
    let told = after_operator(text, end);
    let Some(value) = told.or_else(|| argument(text, name, end)) else { return };
    let word = Class::Dash.run(&text[value..text.len().min(value + SCHEME_BYTES)]);
    let scheme = &text[value..value + word];
    let credential = value + word + Class::run_of_blanks(&text[value + word..]);
    let is_apart = word > 0 && credential > value + word;
    if is_apart && mask::length(&text[credential..]) > 0 {
        return;
    }
    if is_apart && has_parameters(scan, value, scheme, credential) {
        return parameters_at(scan, value, credential);
    }
    let is_known = is_scheme(scheme) || {
        let run = scan.runs.end(text, Class::Credential, credential);
        is_named(scheme, &text[credential..run], &text[run..])
    };
    if !is_apart || !is_known {
        return lone(scan, end, value, told.is_some());
    }
    let opened = Quote::at(&text[credential..]).filter(|_| opens(scan, value, credential));
    if let Some((_, length)) = opened {
        let end = credential_end(scan, credential + length, Place::Header);
        if looks_random(&text[credential + length..end]) {
            credential_at(scan, credential + length, CREDENTIAL_BYTES, Place::Header);
        }
    } else {
        let end = credential_end(scan, credential, Place::Header);
        if told.is_some() || looks_random(&text[credential..end]) {
            credential_at(scan, credential, 1, Place::Header);
        }
    }
}

/// Where the value begins of a header that is an argument, or a string behind a blank: `set("Authorization", "Basic …")`,
/// `{"name":"Authorization","value":"Basic …"}`, `proxy_set_header Authorization "Basic …"`.
fn argument(text: &[u8], name: usize, end: usize) -> Option<usize> {
    let literal = pair::value_of(text, name, end)
        .or_else(|| argument::behind_name(text, name, end))
        .or_else(|| {
            let comma = usize::from(text.get(end) == Some(&b','));
            let at = end + comma + Class::run_of_blanks(&text[end + comma..]);
            (at > end).then(|| argument::begins_literal(text, at))?
        })?;
    let quote = literal + usize::from(!b"\"'`\\".contains(&text[literal]));
    Quote::at(&text[quote..]).map(|(_, length)| quote + length)
}

/// A scheme of its own, as `ApiToken`: a word before what is random and the last of the header.
fn is_named(scheme: &[u8], body: &[u8], after: &[u8]) -> bool {
    let letters = scheme.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'-');
    let ends = matches!(after, [b'\n' | b'\r' | b'"' | b'\'' | b'`' | b'\\', ..]);
    let opens = scheme.first().is_some_and(u8::is_ascii_uppercase);
    letters && opens && ends && body.len() >= CREDENTIAL_BYTES && argument::is_value(body)
}

/// `token="x", nonce="y"` at `at`, behind `scheme`, in a header whose value begins at `value`.
fn has_parameters(scan: &mut Scan<'_, '_>, value: usize, scheme: &[u8], at: usize) -> bool {
    let text = scan.text;
    let name = Class::Dash.run(&text[at..text.len().min(at + PARAMETER_BYTES)]);
    let equals = at + name;
    if name == 0 || text.get(equals) != Some(&b'=') {
        return false;
    }
    let begins = |known: &&str| {
        scheme.get(..known.len()).is_some_and(|word| word.eq_ignore_ascii_case(known.as_bytes()))
    };
    let letters = || scheme.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'-');
    match text.get(equals + 1) {
        Some(b'"' | b'\'' | b'\\' | b'&' | b'%') if letters() || is_scheme(scheme) => {
            let about = ABOUT.iter().any(|word| text[at..equals].eq_ignore_ascii_case(word));
            (is_scheme(scheme) || !about) && opens(scan, value, equals + 1)
        }
        Some(next) => {
            !matches!(next, b'=' | b' ' | b'\n' | b'"' | b'\'' | b'\\')
                && PARAMETER_SCHEMES.iter().any(begins)
        }
        None => false,
    }
}

/// The quote at `at` opens a string in the header whose value begins at `value`; it is not the one that closes that.
fn opens(scan: &mut Scan<'_, '_>, value: usize, at: usize) -> bool {
    let text = scan.text;
    let Some((quote, length)) = Quote::at(&text[at..]) else { return false };
    let next = text.get(at + length);
    let begins = next.is_some_and(|next| !b" \t\r\n,;:)]}+\"'`\\&".contains(next));
    let own = match quote {
        Quote::Plain(quote) => Some((quote, 0)),
        Quote::Escaped(_) => Some((text[at + length - 1], length - 1)),
        Quote::Spelled(_) => None,
    };
    begins && (own.is_none() || around(scan, value, at) != own)
}

/// Digits, capitals among small letters, or a length that no word has.
fn looks_random(body: &[u8]) -> bool {
    let humps = || {
        let mut rest = body.iter().skip(1);
        rest.by_ref().any(u8::is_ascii_lowercase) && rest.any(u8::is_ascii_uppercase)
    };
    body.len() >= CREDENTIAL_BYTES
        && (body.len() >= LONG_BYTES || body.iter().any(u8::is_ascii_digit) || humps())
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
    // What is assigned to a parameter is no part of its name.
    let parameter = body.ends_with(b"=") && length < 64 && opens(scan, at, at + length);
    if looks_random(body) && !parameter {
        credential_at(scan, at, CREDENTIAL_BYTES, Place::Text);
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

/// A value without a scheme, of a name that ends at `name_end`. One that nobody told to be its value must look like nothing else.
fn lone(scan: &mut Scan<'_, '_>, name_end: usize, value: usize, told: bool) {
    let run = scan.runs.end(scan.text, Class::Credential, value);
    let signed = credential_end(scan, value, Place::Lone);
    let quoted = matches!(scan.text[..value].last(), Some(b'"' | b'\'' | b'`'));
    let is_signed = quoted && run > value && argument::is_value(&scan.text[value..signed]);
    let end = if is_signed { signed } else { run };
    let body = &scan.text[value..end];
    let letter = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
    let word = body.len() < 24 && body.iter().all(letter);
    let call = scan.text.get(end) == Some(&b'(');
    let code = shape::is_code_path(body)
        || shape::is_type_path(body)
        || shape::is_constant(body)
        || shape::is_numbered_constant(body);
    if body.len() < CREDENTIAL_BYTES || word || call || code {
        return;
    }
    // `password='x'`: a parameter, which is read by its own name.
    let parameter = body.ends_with(b"=") && opens(scan, value, end);
    if parameter || !told && !argument::is_value(body) {
        return;
    }
    // In a document a mask in place of a number needs quotes.
    let member = scan.text[name_end..value].starts_with(b"\"")
        && matches!(scan.text[name_end + 1..value].trim_ascii(), b":");
    if member && bare::is_number(body) {
        return scan.add(value, end, Swallow::While(Class::Credential), true);
    }
    credential_at(scan, value, CREDENTIAL_BYTES, Place::Lone);
}

/// Where a credential stands; it decides which signs it may hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Behind the scheme of a header: any.
    Header,
    /// Alone in a header: any but an ampersand that parts it from another pair.
    Lone,
    /// Behind a scheme in any text: those that letters follow.
    Text,
}

fn credential_at(scan: &mut Scan<'_, '_>, at: usize, least: usize, place: Place) {
    let text = scan.text;
    let mut end = credential_end(scan, at, place);
    // The colon of a member's name, as in YAML, ends no credential: `Bearer abc: value`.
    let name_ends = text.get(end).is_none_or(u8::is_ascii_whitespace) && !scan.is_cut(end);
    if name_ends && end > at && text[end - 1] == b':' {
        end -= 1;
    }
    let placeholder = matches!(text.get(at), Some(b'$' | b'<' | b'{' | b'%' | b'*'));
    let named = text[at..end.min(at + 64)].iter().any(u8::is_ascii_alphanumeric);
    if end - at >= least && named && !placeholder {
        scan.found(at, end, Class::Credential);
    }
}

/// Where the credential at `at` ends, behind the signs it may hold.
fn credential_end(scan: &mut Scan<'_, '_>, at: usize, place: Place) -> usize {
    let text = scan.text;
    let from = scan.runs.end(text, Class::Credential, at);
    let sign = text.get(from).filter(|byte| SIGNS.contains(byte));
    if !sign.is_some_and(|sign| goes_on(*sign, &text[from + 1..], place)) {
        return from;
    }
    let end = scan.runs.end(text, Class::Bare, from);
    let ends = |&at: &usize| bare::escapes(&text[from + at + 1..]);
    let escape = memchr::memchr_iter(b'\\', &text[from..end]).find(ends);
    let mut end = escape.map_or(end, |at| from + at);
    while matches!(text[end - 1], b',' | b';' | b')' | b']' | b'}') {
        end -= 1;
    }
    end
}

/// A `sign` and what follows it belong to the credential.
fn goes_on(sign: u8, rest: &[u8], place: Place) -> bool {
    let name = || Class::Dot.run(&rest[..rest.len().min(PARAMETER_BYTES)]);
    match place {
        Place::Header => true,
        Place::Lone => sign != b'&' || rest.get(name()) != Some(&b'='),
        Place::Text => {
            sign != b'&' && sign != b'%' && rest.first().is_some_and(|&next| Class::Word.has(next))
        }
    }
}

/// Offset of the value after `:` or `=`, its quotes and blanks.
pub(super) fn after_operator(text: &[u8], mut at: usize) -> Option<usize> {
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
            // `b'…'`
            b'b' | b'f' | b'r' | b'u' if matches!(text.get(at + 1), Some(b'"' | b'\'')) => 1,
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
    let Some((quote, depth)) = around(scan, value, at) else {
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

/// The quote that closes the string around a header whose value begins at `value`, and the backslashes before it.
fn around(scan: &mut Scan<'_, '_>, value: usize, at: usize) -> Option<(u8, usize)> {
    let text = scan.text;
    if let Some(&quote @ (b'"' | b'\'' | b'`')) = text[..value].last() {
        let before = text[..value - 1].iter().rev().take(MOST_BACKSLASHES);
        return Some((quote, before.take_while(|&&byte| byte == b'\\').count()));
    }
    command::string_before(text, at).or_else(|| {
        let open = [b'"', b'\'', b'`'].into_iter().find(|&quote| scan.is_open(at, quote));
        open.map(|quote| (quote, 0))
    })
}
