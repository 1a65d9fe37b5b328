//! `Authorization` headers, and credentials after the name of a scheme.

use super::random::{is_numbered_word, looks_like_secret};
use super::scan::Scan;
use super::{open_strings, placeholder};
use crate::class::Class;
use crate::quote::Escaped;
use crate::span::Continuation;
use crate::{boundary, mask};

/// The shortest credential after a scheme, and the shortest one that counts as random whatever its letters are.
const MIN_CREDENTIAL_BYTES: usize = 8;
const MIN_RANDOM_CREDENTIAL_BYTES: usize = 24;

/// The longest name of a scheme, and how much of a credential is examined.
const MAX_SCHEME_BYTES: usize = 24;
const MAX_EXAMINED_BYTES: usize = 96;

/// How many operators, quotes and blanks may stand between a name and its value.
const MAX_SIGNS_BETWEEN: usize = 16;

/// How far before a header the quote around it is searched.
const MAX_BYTES_AFTER_QUOTE: usize = 4 << 10;

/// The schemes that are followed by one credential.
const SCHEMES: [&[u8]; 15] = [
    b"apikey",
    b"api-key",
    b"basic",
    b"bearer",
    b"bot",
    b"genie",
    b"geniekey",
    b"github",
    b"key",
    b"negotiate",
    b"ntlm",
    b"splunk",
    b"ssws",
    b"token",
    b"sharedkey",
];

/// How the names of schemes begin whose parameters extend to the end of the header.
const PARAMETER_SCHEMES: [&[u8]; 9] =
    [b"acs3-", b"aws4", b"digest", b"eg1-", b"hawk", b"hmac", b"mac", b"oauth", b"signature"];

/// Checks the credential of the `authorization` that was found at `start..end`.
pub(super) fn authorization(scan: &mut Scan<'_, '_>, start: usize, end: usize) {
    let text = scan.text;
    if !boundary::begins(text, start) {
        return;
    }
    let end_of_name = end;
    let Some(value) = after_operator(text, end) else { return };
    let word = Class::Dash.run(&text[value..text.len().min(value + MAX_SCHEME_BYTES)]);
    let scheme = text[value..value + word].to_ascii_lowercase();
    let credential = value + word + Class::run_of_blanks(&text[value + word..]);
    if mask::length(&text[credential..]) > 0 || mask::length(&text[value..]) > 0 {
        return;
    }
    let has_blank = word > 0 && credential > value + word;
    let takes_parameters = || PARAMETER_SCHEMES.iter().any(|known| scheme.starts_with(known));
    if has_blank
        && let Some(quoted) = parameter(&text[credential..])
        && (quoted || takes_parameters())
    {
        return parameters(scan, credential);
    }
    let mut own =
        || scheme.iter().all(u8::is_ascii_alphabetic) && looks_like_secret(body(scan, credential));
    let at =
        if has_blank && (SCHEMES.contains(&&scheme[..]) || own()) { credential } else { value };
    // The credential has a quote of its own: `Bearer "x"`.
    let at = at
        + usize::from(
            at == credential
                && matches!(text[at..], [b'"', next, ..] if next.is_ascii_alphanumeric()),
        );
    let has_scheme = at >= credential && has_blank;
    let body = if has_scheme {
        &text[at..unquoted_end(scan, at).min(at + MAX_EXAMINED_BYTES)]
    } else {
        body(scan, at)
    };
    let letters = body.trim_ascii_end();
    let digits = letters.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    if placeholder::is_name(&letters[..letters.len() - digits]) {
        return;
    }
    let looks_secret = looks_like_secret(body) || is_numbered_word(body);
    let shortest = if has_scheme { 1 } else { MIN_CREDENTIAL_BYTES };
    if body.len() >= shortest
        && (has_scheme || looks_secret)
        && !placeholder::is_placeholder(body)
        && !is_sign(text, at)
    {
        let end = if has_scheme { unquoted_end(scan, at) } else { credential_end(scan, at) };
        // The mask of a number in JSON needs quotes.
        let digit = |byte: &u8| byte.is_ascii_digit() || b"-+.eE".contains(byte);
        let number = body.iter().all(digit) && text[..at].trim_ascii_end().ends_with(b":");
        let quoted = number && text.get(end_of_name) == Some(&b'"');
        scan.add(at, end, Continuation::While(Class::Credential), quoted);
    }
}

/// Where the credential at `at` ends, if it may contain any byte of a password.
fn unquoted_end(scan: &mut Scan<'_, '_>, at: usize) -> usize {
    let text = scan.text;
    let mut end = scan.runs.end(text, Class::Unquoted, at);
    while end > at && b",;)]}\\>:".contains(&text[end - 1]) {
        end -= 1;
    }
    end
}

/// `Bearer ` or `Basic ` was found at `start..end`. Checks for a credential after it.
pub(super) fn scheme(scan: &mut Scan<'_, '_>, start: usize, end: usize) {
    let text = scan.text;
    if !boundary::begins(text, start) {
        return;
    }
    let at = end + Class::run_of_blanks(&text[end..]);
    let body = body(scan, at);
    let basic = text[start..end].eq_ignore_ascii_case(b"basic ");
    let looks_secret = if basic {
        is_login(body)
    } else {
        body.len() >= MIN_RANDOM_CREDENTIAL_BYTES || looks_like_secret(body)
    };
    if body.len() >= MIN_CREDENTIAL_BYTES && looks_secret && !placeholder::is_placeholder(body) {
        let end = credential_end(scan, at);
        scan.mask_run(at, end, Class::Credential);
    }
}

/// Where the credential at `at` ends.
fn credential_end(scan: &mut Scan<'_, '_>, at: usize) -> usize {
    let text = scan.text;
    let end = scan.runs.end(text, Class::Credential, at);
    // The colon after the name of a YAML member does not belong to a credential.
    let colon = text[at..end].ends_with(b":") && text.get(end).is_none_or(u8::is_ascii_whitespace);
    end - usize::from(colon && !scan.is_cut(end))
}

fn body<'t>(scan: &mut Scan<'t, '_>, at: usize) -> &'t [u8] {
    let end = credential_end(scan, at);
    &scan.text[at..end.min(at + MAX_EXAMINED_BYTES)]
}

fn is_sign(text: &[u8], at: usize) -> bool {
    matches!(text.get(at), Some(b'$' | b'<' | b'{' | b'%' | b'*' | b'='))
}

/// Whether the parameter at the start of the text has a quoted value: true for `name="x"`, false for `name=x`, `None`
/// without a parameter.
fn parameter(text: &[u8]) -> Option<bool> {
    let name = Class::Dash.run(&text[..text.len().min(MAX_SIGNS_BETWEEN * 3)]);
    let value = text.get(name..)?.strip_prefix(b"=").filter(|_| name > 0)?;
    let is_quote =
        matches!(value, [b'"', b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9', ..] | [b'\\', b'"', ..]);
    let next = value.first()?;
    (is_quote || *next > b' ' && !b"=\"'\\".contains(next)).then_some(is_quote)
}

/// The offset of the value after the quote of a name, the operator, and the quote and blanks of the value.
pub(super) fn after_operator(text: &[u8], end: usize) -> Option<usize> {
    let skip = |at: usize, set: &[u8]| {
        at + text[at..].iter().take(MAX_SIGNS_BETWEEN).take_while(|byte| set.contains(byte)).count()
    };
    let before = skip(end, b"\"'`\\] \t");
    let mut at = skip(before, b":=>,");
    let quoted = before > end;
    if at == before && !(quoted && matches!(text[before - 1], b'"' | b'\''))
        || text[before..at].starts_with(b",") && !quoted
    {
        return None;
    }
    let limit = text.len().min(at + MAX_SIGNS_BETWEEN);
    while at < limit {
        at += match text[at] {
            b'"' | b'\'' | b'`' | b' ' | b'\t' => 1,
            b'\\' => escape(&text[at..]),
            b'b' | b'f' | b'r' | b'u' if matches!(text.get(at + 1), Some(b'"' | b'\'')) => 1,
            _ => break,
        };
    }
    Some(at)
}

/// The length of the backslashes at the start of `text` and of the escape that they begin. A mask must not begin inside
/// an escape.
fn escape(text: &[u8]) -> usize {
    let depth = text.iter().take(MAX_SIGNS_BETWEEN).take_while(|byte| **byte == b'\\').count();
    depth
        + match &text[depth..] {
            [b'b' | b'f' | b'n' | b'r' | b't' | b'/', ..] => 1,
            [b'u', code @ ..] if code.len() >= 4 && Class::Hex.run(&code[..4]) == 4 => 5,
            _ => 0,
        }
}

/// Adds the parameters after a scheme to the findings: up to the quote that closes the string around the header, or to
/// the end of the line. Only the first parameter is added if the beginning of the line is out of reach.
fn parameters(scan: &mut Scan<'_, '_>, at: usize) {
    let text = scan.text;
    let Some(strings) = open_strings::read(text, at, MAX_BYTES_AFTER_QUOTE) else {
        let end = scan.runs.end(text, Class::Unquoted, at);
        return scan.mask_run(at, end, Class::Unquoted);
    };
    let Some((quote, depth)) = strings.last() else {
        let line = scan.runs.end(text, Class::NotNewline, at);
        let end = if text[..line].ends_with(b"\r") { line - 1 } else { line };
        return scan.mask_run(at, end, Class::NotNewline);
    };
    let Some(mut walk) = Escaped::new(quote, depth) else {
        let end = scan.closing_quote_search.find(text, at, quote);
        return scan.add(at, end, Continuation::Quoted { quote, escaped: false }, false);
    };
    let stop = at + walk.run(&text[at..]);
    scan.count(stop - at);
    let end = stop - walk.held();
    if scan.is_cut(stop) {
        return scan.add_open(at, end, Continuation::Escaped(walk));
    }
    scan.add(at, end, Continuation::While(Class::NotNewline), false);
}

/// Whether the text is the Base64 of a user, a colon and a password.
pub(super) fn is_login(body: &[u8]) -> bool {
    let digit = |byte: &u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let digits = body.strip_suffix(b"==").or_else(|| body.strip_suffix(b"=")).unwrap_or(body);
    let (mut bits, mut held, mut colon) = (0_u16, 0_u32, false);
    for byte in digits {
        let Some(digit) = digit(byte) else { return false };
        (bits, held) = (bits << 6 | u16::from(digit), held + 6);
        if held >= 8 {
            held -= 8;
            let byte = bits >> held;
            bits &= (1 << held) - 1;
            if !(0x20..0x7f).contains(&byte) {
                return false;
            }
            colon |= byte == u16::from(b':');
        }
    }
    colon && body.len() >= MIN_CREDENTIAL_BYTES
}
