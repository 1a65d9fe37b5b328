//! A name that requires a secret, a separator and the value.

use std::ops::Range;

use super::alone;
use super::arguments;
use super::classify::{self, Candidate};
use super::identifier::MAX_NAME_BYTES;
use super::name::{self, NameKind, Requirement};
use super::open_strings;
use super::scan::Scan;
use super::separator::{self, AcceptedValues, Operator, Separator};
use super::value::{self, Surroundings};
use super::words::{SECRET_KEY_WORDS, has};
use crate::block;
use crate::class::Class;
use crate::mask;
use crate::quote::Quote;

/// How far before a name the quote around it is searched.
const MAX_BYTES_AFTER_QUOTE: usize = 256;

/// Checks the name that contains the word at `start..end`, and its value.
pub(super) fn check(scan: &mut Scan<'_, '_>, kind: NameKind, start: usize, end: usize) {
    if start < scan.names_checked_to[kind as usize] {
        return;
    }
    let text = scan.text;
    // Some triggers include what follows the name.
    let end = start + Class::Dash.run(&text[start..end]);
    let name = name_at(text, kind, start, end);
    scan.names_checked_to[kind as usize] = name.end;
    let bytes = &text[name.clone()];
    if block::may_begin(text, name.end, |at| scan.runs.end(text, Class::NotNewline, at))
        && let Some(requirement @ (Requirement::Any | Requirement::Marked)) =
            scan.name_cache.read(kind, text, &name)
        && scan.begins_pair(alone::of_lines(requirement), name.clone())
    {
        return;
    }
    if block::may_be_heading(text, &name) && scan.begins_table(alone::of_cells, &name) {
        return;
    }
    if !text.get(name.end).is_some_and(|&byte| Class::AfterName.has(byte)) {
        return;
    }
    if text[name.end] == b'(' && scan.name_cache.read(kind, text, &name).is_some() {
        arguments::check(scan, name.end + 1);
    }
    let Some(separator) = separator::read(text, &name) else { return };
    let at = separator.at;
    if text.get(at) == Some(&b'(') && matches!(kind, NameKind::Auth | NameKind::Credential) {
        return arguments::check(scan, at + 1);
    }
    if mask::length(&text[at..]) > 0 {
        return;
    }
    if block::opens_members(&text[at..]) && members(scan, kind, &name, at) {
        return;
    }
    if text.get(at) == Some(&b'[') {
        return list(scan, kind, &name, separator);
    }
    let unquoted = Quote::at(&text[at..]).is_none();
    if unquoted && !classify::may_be_unquoted_secret(kind, &separator, &text[at..]) {
        if may_be_expression(&separator, &text[at..])
            && scan.name_cache.read(kind, text, &name) >= Some(Requirement::Marked)
        {
            arguments::expression(scan, at);
        }
        return;
    }
    let Some(requirement) = scan.name_cache.read(kind, text, &name) else { return };
    if separator.operator == Operator::Colon
        && matches!(text.get(at), Some(b'|' | b'>'))
        && scan.begins_block(alone::of_lines(requirement), name.clone(), at)
    {
        return;
    }
    // A `key:` by itself in prose is mostly the key of a table.
    let lone = kind == NameKind::Key && bytes.len() == end - start;
    if lone && unquoted && separator.operator == Operator::Colon
        || requirement == Requirement::Random && unquoted && !may_be_random(&text[at..])
        || closes_string(text, &name, at)
    {
        return;
    }
    let is_upper = !bytes.iter().any(u8::is_ascii_lowercase);
    let direct = is_upper
        && separator.operator == Operator::Assign
        && !separator.spaced
        && !separator.quoted;
    let surroundings = if separator.quoted && separator.operator == Operator::Colon {
        Surroundings::Member
    } else {
        surroundings(text, name.start, direct)
    };
    let value = match separator.operator {
        Operator::Tag => value::read_element(scan, at),
        _ => Some(value::read(scan, at, surroundings)),
    };
    let Some(mut value) = value else { return };
    if unquoted && matches!(kind, NameKind::Credential) {
        value.start = after_user(text, value.start, &mut value.end);
    }
    if requirement == Requirement::Any
        && unquoted
        && separator.operator == Operator::Colon
        && separator.spaced
    {
        value.end = classify::phrase_end(text, name.start, value.start..value.end);
    }
    let candidate = Candidate {
        kind,
        requirement,
        separator,
        name: bytes,
        start: name.start,
        surroundings,
        value,
        text,
    };
    let is_expression =
        requirement >= Requirement::Marked && may_be_expression(&separator, &text[at..]);
    if !record_secret(scan, &candidate) && is_expression {
        arguments::expression(scan, at);
    }
}

/// Whether the value may be an expression that holds literals.
fn may_be_expression(separator: &Separator, value: &[u8]) -> bool {
    let is_assigned =
        matches!(separator.operator, Operator::Assign | Operator::Colon) && separator.spaced;
    is_assigned
        && value
            .first()
            .is_some_and(|first| first.is_ascii_alphabetic() || b"($\"'".contains(first))
}

/// Where the password begins in `user:password`, `user/password` and `user / password` at `start`. The value ends at
/// `end`, which is moved to the end of the password.
fn after_user(text: &[u8], start: usize, end: &mut usize) -> usize {
    let user = Class::Dot.run(&text[start..*end]);
    let blank = usize::from(user > 0 && text[start + user..].starts_with(b" / "));
    let at = start + user + blank;
    if user == 0 || !matches!(text.get(at), Some(b':' | b'/')) {
        return start;
    }
    let at = at + 1 + blank;
    let near = &text[at..text.len().min(at + MAX_NAME_BYTES)];
    let password_end = (*end).max(at + Class::Unquoted.run(near));
    if !alone::is_no_word(&text[at..password_end]) {
        return start;
    }
    *end = password_end;
    at
}

/// Adds the value to the findings if it is a secret, and returns whether it is.
fn record_secret(scan: &mut Scan<'_, '_>, candidate: &Candidate<'_>) -> bool {
    scan.count(classify::MAX_EXAMINED_BYTES.min(candidate.value.end - candidate.value.start));
    let is_secret = classify::is_secret(candidate);
    if is_secret {
        candidate.value.record_span(scan, classify::needs_quotes(candidate));
    }
    is_secret
}

/// Whether a digit is near on the line. A value without a digit does not look random.
fn may_be_random(value: &[u8]) -> bool {
    let near = value.iter().take(MAX_NAME_BYTES);
    near.take_while(|byte| **byte != b'\n').any(u8::is_ascii_digit)
}

/// Checks the quoted items of a list: `"api_keys": ["…", "…"]`.
fn list(scan: &mut Scan<'_, '_>, kind: NameKind, range: &Range<usize>, separator: Separator) {
    let text = scan.text;
    let name = &text[range.clone()];
    let singular = name.strip_suffix(b"s").or_else(|| name.strip_suffix(b"S")).unwrap_or(name);
    let Some(requirement) = name::read(kind, singular) else { return };
    let separator = Separator { accepts: AcceptedValues::Marked, ..separator };
    let (start, surroundings) = (range.start, Surroundings::Member);
    arguments::items(scan, separator.at + 1, |scan, value| {
        let candidate =
            Candidate { kind, requirement, separator, name, start, surroundings, value, text };
        record_secret(scan, &candidate);
    });
}

/// Whether the value of the name is a list or a map of secrets that its line opens at `at`. Where the name is a plural
/// each value is what it names; other members have names of their own, and are secrets if they are random.
fn members(scan: &mut Scan<'_, '_>, kind: NameKind, range: &Range<usize>, at: usize) -> bool {
    let name = &scan.text[range.clone()];
    let plural = name.strip_suffix(b"s").or_else(|| name.strip_suffix(b"S"));
    let holds_values = plural.is_some() && matches!(kind, NameKind::Password | NameKind::Secret);
    let singular = plural.filter(|_| kind != NameKind::Credential).unwrap_or(name);
    if kind == NameKind::Key && singular.len() <= b"key".len() {
        return false;
    }
    name::read(kind, singular).is_some()
        && scan.begins_members(alone::of_members(holds_values), range, at)
}

/// The whole name that contains the word at `start..end`, without the letter of an escape before it. A `key` by itself
/// includes the word before it that says which key it is: `API key`.
fn name_at(text: &[u8], kind: NameKind, start: usize, end: usize) -> Range<usize> {
    let before = text[..start].iter().rev().take(MAX_NAME_BYTES);
    let mut first = start - before.take_while(|&&byte| Class::Dot.has(byte)).count();
    let reach = text.len().min(end + MAX_NAME_BYTES);
    let last = end + Class::Dot.run(&text[end..reach]);
    first += match (&text[..first], &text[first..start]) {
        ([.., b'\\'], [b'n' | b'r' | b't', ..]) => 1,
        ([.., b'%'], [high, low, ..]) if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => 2,
        _ => 0,
    };
    if kind == NameKind::Key && (first, last) == (start, end) && text[..start].ends_with(b" ") {
        let letters = text[..start - 1].iter().rev().take(MAX_NAME_BYTES);
        let word = letters.take_while(|byte| byte.is_ascii_alphabetic()).count();
        if has(SECRET_KEY_WORDS, &text[start - 1 - word..start - 1]) {
            first = start - 1 - word;
        }
    }
    first..last
}

/// What surrounds a value, as the text before its name shows. A quote and blanks before the name are skipped.
fn surroundings(text: &[u8], start: usize, direct: bool) -> Surroundings {
    let line = |before: &[u8]| text[before.len()..start].contains(&b'\n');
    let before = text[..start].trim_ascii_end();
    if direct && (before.is_empty() || line(before) || before.ends_with(b"export")) {
        return Surroundings::Environment;
    }
    let before = match before {
        [rest @ .., b'"' | b'\''] => rest.trim_ascii_end(),
        _ => before,
    };
    Surroundings::Sign(before.last().copied().filter(|_| !line(before)))
}

/// Whether the quote at `at` closes a string that contains the name: `"password=" + value`.
fn closes_string(text: &[u8], name: &Range<usize>, at: usize) -> bool {
    let Some((quote, length)) = Quote::at(&text[at..]) else { return false };
    let start = match Quote::at(&text[name.end..]) {
        // Name and value have quotes of the same kind, so they are a member of one document.
        Some((closing, _)) if closing == quote => return false,
        // A quote that only follows the name was not opened before it.
        Some((_, length)) => {
            let opening = name.start.saturating_sub(length);
            let is_there = text[opening..name.start] == text[name.end..name.end + length];
            if is_there { opening } else { name.start }
        }
        None => name.start,
    };
    let (byte, depth) = match quote {
        Quote::Plain(byte) => (byte, 0),
        Quote::Escaped(_) => (text[at + length - 1], length - 1),
        Quote::Spelled(_) => return false,
    };
    match open_strings::read(text, start, MAX_BYTES_AFTER_QUOTE) {
        Some(strings) => strings.closes(byte, depth),
        None => text.get(at + length).is_some_and(|next| b",]});".contains(next)),
    }
}
