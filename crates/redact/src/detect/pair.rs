//! A name that promises a secret, a separator, and the value.

use std::ops::Range;

use super::identifier::NAME_BYTES;
use super::judge::{self, Candidate};
use super::name::{self, Kind, Promise};
use super::scan::Scan;
use super::separator::{self, Operator, Separator, Takes};
use super::value;
use crate::block::{self, Promised};
use crate::class::Class;
use crate::mask;
use crate::quote::Quote;

/// Most items read of a list.
const LIST_ITEMS: usize = 64;

/// A word of a name was found at `start..end`.
pub(super) fn check(scan: &mut Scan<'_, '_>, kind: Kind, start: usize, end: usize) {
    if start < scan.named_to[kind as usize] {
        return;
    }
    let text = scan.text;
    // Some triggers hold the separator.
    let end = end - usize::from(text[end - 1] == b'=');
    let name = name_at(text, start, end);
    scan.named_to[kind as usize] = name.end;
    if block::may_begin(text, start, name.end)
        && name::read(kind, &text[name.clone()]) >= Some(Promise::Marked)
        && scan.begins_pair(|| Promised::new(kind, false, &text[name.clone()]), name.clone())
    {
        return;
    }
    if !separator::may_follow(text, name.end) {
        return;
    }
    let Some(separator) = separator::read(text, &name) else { return };
    let at = separator.at;
    if mask::length(&text[at..]) > 0 || mask::labels(text, name.start) {
        return;
    }
    if text.get(at) == Some(&b'[') {
        return list(scan, kind, &name, separator);
    }
    let Some(promise) = name::read(kind, &text[name.clone()]) else { return };
    if separator.operator == Operator::Colon
        && promise >= Promise::Marked
        && matches!(text.get(at), Some(b'|' | b'>'))
        && scan.begins_block(|| Promised::new(kind, false, &text[name.clone()]), name.clone(), at)
    {
        return;
    }
    if !separator.quoted && closes_string(text, name.start, at) {
        return;
    }
    let before = before(text, name.start);
    let value = if separator.operator == Operator::Tag {
        let Some(value) = value::read_element(scan, at) else { return };
        value
    } else {
        value::read(scan, at, before)
    };
    let candidate = Candidate {
        kind,
        promise,
        separator,
        name: &text[name.clone()],
        start: name.start,
        before,
        value,
        text,
    };
    if judge::is_secret(&candidate) {
        let swallow = value::swallow(&value);
        scan.add(value.start, value.end, swallow, judge::needs_quotes(&candidate));
    }
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
        let value = value::read(scan, at, None);
        let separator = Separator { at, takes: Takes::Marked, ..separator };
        let candidate = Candidate {
            kind,
            promise,
            separator,
            name: bytes,
            start: name.start,
            before: None,
            value,
            text,
        };
        if judge::is_secret(&candidate) {
            let swallow = value::swallow(&value);
            scan.add(value.start, value.end, swallow, false);
        }
        at = value.end + Quote::at(&text[value.end..]).map_or(0, |(_, length)| length);
        at += Class::run_of_blanks(&text[at..]);
        if text.get(at) != Some(&b',') {
            return;
        }
    }
}

/// The whole name of which a word is at `start..end`.
fn name_at(text: &[u8], start: usize, end: usize) -> Range<usize> {
    let before = text[..start].iter().rev().take(NAME_BYTES);
    let first = start - before.take_while(|&&byte| Class::Dot.has(byte)).count();
    let reach = text.len().min(end + NAME_BYTES);
    first..end + Class::Dot.run(&text[end..reach])
}

/// The sign before a name, past a quote and blanks.
fn before(text: &[u8], start: usize) -> Option<u8> {
    let before = text[..start].trim_ascii_end();
    let before = match before {
        [rest @ .., b'"' | b'\''] => rest.trim_ascii_end(),
        _ => before,
    };
    let line = text[before.len()..start].contains(&b'\n');
    before.last().copied().filter(|_| !line)
}

/// The quote at `at` closes a string in which the name is: `"password=" + value`.
fn closes_string(text: &[u8], start: usize, at: usize) -> bool {
    let Some(quote @ (b'"' | b'\'' | b'`')) = text.get(at).copied() else { return false };
    let near = &text[start.saturating_sub(4 * NAME_BYTES)..start];
    let line = memchr::memrchr(b'\n', near).map_or(near, |newline| &near[newline + 1..]);
    let count =
        memchr::memchr_iter(quote, line).filter(|&at| at == 0 || line[at - 1] != b'\\').count();
    count % 2 == 1
}
