//! A name that promises a secret, a separator, and the value.

use std::ops::Range;

use super::identifier::NAME_BYTES;
use super::judge::{self, Candidate};
use super::name::{self, Kind, Promise};
use super::open;
use super::scan::Scan;
use super::separator::{self, Operator, Separator, Takes};
use super::value::{self, Around};
use super::words::{KEY_OF, has};
use crate::block;
use crate::class::Class;
use crate::mask;
use crate::quote::Quote;

/// Most items read of a list.
const LIST_ITEMS: usize = 64;

/// Furthest before a name that the quote around it is looked for.
const STRING_BYTES: usize = 256;

/// A word of a name was found at `start..end`.
pub(super) fn check(scan: &mut Scan<'_, '_>, kind: Kind, start: usize, end: usize) {
    if start < scan.named_to[kind as usize] {
        return;
    }
    let text = scan.text;
    // Some triggers hold the separator.
    let end = end - usize::from(text[end - 1] == b'=');
    let name = name_at(text, kind, start, end);
    scan.named_to[kind as usize] = name.end;
    let bytes = &text[name.clone()];
    if block::may_begin(text, name.end, |at| scan.runs.end(text, Class::Line, at))
        && let Some(promise @ (Promise::Any | Promise::Marked)) = scan.named.read(kind, text, &name)
        && scan.begins_pair(judge::of_lines(promise), name.clone())
    {
        return;
    }
    if !text.get(name.end).is_some_and(|&byte| Class::Follows.has(byte)) {
        return;
    }
    let Some(separator) = separator::read(text, &name) else { return };
    let at = separator.at;
    if mask::length(&text[at..]) > 0 {
        return;
    }
    if text.get(at) == Some(&b'[') {
        return list(scan, kind, &name, separator);
    }
    let bare = Quote::at(&text[at..]).is_none();
    if bare && !judge::may_be_bare_secret(kind, &separator, &text[at..]) {
        return;
    }
    let Some(promise) = scan.named.read(kind, text, &name) else { return };
    if separator.operator == Operator::Colon
        && matches!(text.get(at), Some(b'|' | b'>'))
        && scan.begins_block(judge::of_lines(promise), name.clone(), at)
    {
        return;
    }
    // What a lone `key:` has after it in prose is mostly the key of a table.
    let lone = kind == Kind::Key && bytes.len() == end - start;
    if lone && bare && separator.operator == Operator::Colon
        || promise == Promise::Random && bare && !may_be_random(&text[at..])
        || closes_string(text, &name, at)
    {
        return;
    }
    let shouts = !bytes.iter().any(u8::is_ascii_lowercase);
    let direct =
        shouts && separator.operator == Operator::Assign && !separator.spaced && !separator.quoted;
    let around = if separator.quoted && separator.operator == Operator::Colon {
        Around::Member
    } else {
        around(text, name.start, direct)
    };
    let value = match separator.operator {
        Operator::Tag => value::read_element(scan, at),
        _ => Some(value::read(scan, at, around)),
    };
    let Some(mut value) = value else { return };
    if promise == Promise::Any && bare && separator.operator == Operator::Colon && separator.spaced
    {
        value.end = judge::phrase_end(text, name.start, value.start..value.end);
    }
    let candidate =
        Candidate { kind, promise, separator, name: bytes, start: name.start, around, value, text };
    note(scan, &candidate);
}

/// Notes the value if it is a secret.
fn note(scan: &mut Scan<'_, '_>, candidate: &Candidate<'_>) {
    scan.count(judge::JUDGED_BYTES.min(candidate.value.end - candidate.value.start));
    if judge::is_secret(candidate) {
        candidate.value.note(scan, judge::needs_quotes(candidate));
    }
}

/// A digit is near on the line: without one nothing is random.
fn may_be_random(value: &[u8]) -> bool {
    let near = value.iter().take(NAME_BYTES);
    near.take_while(|byte| **byte != b'\n').any(u8::is_ascii_digit)
}

/// The quoted items of a list: `"api_keys": ["…", "…"]`.
fn list(scan: &mut Scan<'_, '_>, kind: Kind, name: &Range<usize>, separator: Separator) {
    let text = scan.text;
    let bytes = &text[name.clone()];
    let singular = bytes.strip_suffix(b"s").or_else(|| bytes.strip_suffix(b"S")).unwrap_or(bytes);
    let Some(promise) = name::read(kind, singular) else { return };
    let mut at = separator.at;
    for _ in 0..LIST_ITEMS {
        at += 1;
        at += Class::run_of_blanks(&text[at..]);
        if Quote::at(&text[at..]).is_none() {
            return;
        }
        let around = Around::Member;
        let value = value::read(scan, at, around);
        let separator = Separator { at, takes: Takes::Marked, ..separator };
        let (start, name) = (name.start, bytes);
        let candidate = Candidate { kind, promise, separator, name, start, around, value, text };
        note(scan, &candidate);
        at = value.end + Quote::at(&text[value.end..]).map_or(0, |(_, length)| length);
        at += Class::run_of_blanks(&text[at..]);
        if text.get(at) != Some(&b',') {
            return;
        }
    }
}

/// The whole name of which a word is at `start..end`, without the letter of an escape before it. A lone `key` takes the word
/// before that says what it opens: `API key`.
fn name_at(text: &[u8], kind: Kind, start: usize, end: usize) -> Range<usize> {
    let before = text[..start].iter().rev().take(NAME_BYTES);
    let mut first = start - before.take_while(|&&byte| Class::Dot.has(byte)).count();
    let reach = text.len().min(end + NAME_BYTES);
    let last = end + Class::Dot.run(&text[end..reach]);
    first += match (&text[..first], &text[first..start]) {
        ([.., b'\\'], [b'n' | b'r' | b't', ..]) => 1,
        ([.., b'%'], [high, low, ..]) if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => 2,
        _ => 0,
    };
    if kind == Kind::Key && (first, last) == (start, end) && text[..start].ends_with(b" ") {
        let letters = text[..start - 1].iter().rev().take(NAME_BYTES);
        let word = letters.take_while(|byte| byte.is_ascii_alphabetic()).count();
        if has(KEY_OF, &text[start - 1 - word..start - 1]) {
            first = start - 1 - word;
        }
    }
    first..last
}

/// What is around a value, by what is before its name: past a quote and blanks.
fn around(text: &[u8], start: usize, direct: bool) -> Around {
    let line = |before: &[u8]| text[before.len()..start].contains(&b'\n');
    let before = text[..start].trim_ascii_end();
    if direct && (before.is_empty() || line(before) || before.ends_with(b"export")) {
        return Around::Environment;
    }
    let before = match before {
        [rest @ .., b'"' | b'\''] => rest.trim_ascii_end(),
        _ => before,
    };
    Around::Sign(before.last().copied().filter(|_| !line(before)))
}

/// The quote at `at` closes a string in which the name is: `"password=" + value`.
fn closes_string(text: &[u8], name: &Range<usize>, at: usize) -> bool {
    let Some((quote, length)) = Quote::at(&text[at..]) else { return false };
    let start = match Quote::at(&text[name.end..]) {
        // A member of one document: the quotes are written alike.
        Some((closing, _)) if closing == quote => return false,
        // A quote that only follows the name does not open before it, nor on the line before.
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
    match open::strings(text, start, STRING_BYTES) {
        Some(strings) => strings.closes(byte, depth),
        None => text.get(at + length).is_some_and(|next| b",]});".contains(next)),
    }
}
