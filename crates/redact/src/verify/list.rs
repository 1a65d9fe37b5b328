//! Lists behind the name of a secret: `"passwords": ["a1", ["b2", 3]]`, `passwords: [a1, b2]`.

use super::assignment::{JUDGED_BYTES, quoted};
use super::name::Strength;
use super::operator::Operator;
use super::value::{Value, note_quoted};
use super::{Scan, bare, judge, validation};
use crate::class::Class;
use crate::quote::Quote;
use crate::span::Swallow;

/// Longest number in a list.
const NUMBER_BYTES: usize = 64;

/// Longest list without quotes.
const BARE_BYTES: usize = 4 << 10;

/// The quoted items of a list, or what else begins with a bracket.
pub(super) fn take<'t>(scan: &mut Scan<'t, '_>, value: &Value<'t>, start: usize) {
    let text = scan.text;
    let mut at = start + Class::run_of_blanks(&text[start..]);
    let quoted = item(text, at).is_some()
        || matches!(text.get(at), Some(b'"' | b'\''))
        || is_mixed(value, text, at);
    if !quoted && number(value, text, at).is_none() && take_bare(scan, value, at) {
        return;
    }
    // Behind the name of a document no bracket begins a value.
    let document = value.is_member();
    if !quoted && !document && !value.listed {
        return bare::take(scan, value, start - 1);
    }
    if start < scan.lists_to || !judge::may_list(value) {
        return;
    }
    scan.enters_list(start);
    let value = &Value { closing: false, ..*value };
    let mut depth = 0_usize;
    let rules =
        item(text, at).is_some_and(|(start, end, _)| validation::opens_list(&text[start..end]));
    loop {
        if document && text.get(at) == Some(&b'[') {
            depth += 1;
            at += 1 + Class::run_of_blanks(&text[at + 1..]);
            continue;
        }
        if let Some((start, end, close)) = item(text, at) {
            let body = &text[start..end];
            let rule = rules && validation::is_rule(body);
            if !rule && !judge::is_name_in_list(value, body) {
                note_quoted(scan, value, start, end);
            }
            at = close;
        } else if let Some(end) = number(value, text, at) {
            if scan.verdicts().is_secret(value, &text[at..end], false, &text[end..]) {
                scan.add(at, end, Swallow::While(Class::Bare), true);
            }
            at = end;
        } else if let Some(length) = bare::literal(&text[at..]).filter(|_| document) {
            at += length;
        } else if let Some(end) = bare_item(text, at) {
            note_bare(scan, value, at, end);
            at = end;
        } else if depth == 0 || text.get(at) != Some(&b']') {
            break;
        }
        at += Class::run_of_blanks(&text[at..]);
        while depth > 0 && text.get(at) == Some(&b']') {
            depth -= 1;
            at += 1 + Class::run_of_blanks(&text[at + 1..]);
        }
        if text.get(at) != Some(&b',') {
            break;
        }
        at += 1;
        at += Class::run_of_blanks(&text[at..]);
    }
    scan.lists_to = at;
}

/// Where the number of a document ends that is the item of a list at `at`.
fn number(value: &Value<'_>, text: &[u8], at: usize) -> Option<usize> {
    let rest = &text[at..];
    let ends = |byte: &u8| b",] \t\r\n".contains(byte);
    let length = rest.iter().take(NUMBER_BYTES).position(ends)?;
    bare::is_number_of_document(value, &rest[..length]).then_some(at + length)
}

/// The quoted item at `at`: where its value begins and ends, and the offset behind its closing quote.
fn item(text: &[u8], at: usize) -> Option<(usize, usize, usize)> {
    match Quote::at(&text[at..])? {
        (Quote::Plain(quote @ (b'"' | b'\'')), _) => {
            let (length, closed) = quoted(quote).run(&text[at + 1..]);
            let end = at + 1 + length;
            (closed && text[end] == quote).then_some((at + 1, end, end + 1))
        }
        (Quote::Escaped(mut walk), length) => {
            let start = at + length;
            let stop = start + walk.run(&text[start..]);
            let closed = matches!(text.get(stop), Some(b'"' | b'\'')) && walk.held() + 1 == length;
            closed.then(|| (start, stop - walk.held(), stop + 1))
        }
        _ => None,
    }
}

/// The items of a list without quotes, as in YAML: `passwords: [a1, b2]`. An item without a digit may be a name.
fn take_bare<'t>(scan: &mut Scan<'t, '_>, value: &Value<'t>, start: usize) -> bool {
    let text = &scan.text[start..scan.text.len().min(start + BARE_BYTES)];
    let Some(length) = text.iter().position(|byte| b"]\n\"'([{".contains(byte)) else {
        return false;
    };
    let strong = value.strength == Strength::Strong && value.operator != Operator::Compare;
    if text[length] != b']' || !strong || !judge::may_list(value) {
        return false;
    }
    if start < scan.lists_to {
        return true;
    }
    let end = start + length;
    scan.lists_to = end;
    let mut at = start;
    while at < end {
        at += Class::run_of_blanks(&scan.text[at..end]);
        let item = memchr::memchr(b',', &scan.text[at..end]).map_or(end, |comma| at + comma);
        let body = scan.text[at..item].trim_ascii_end();
        if Class::Bare.run(body) == body.len() {
            note_bare(scan, value, at, at + body.len());
        }
        at = item + 1;
    }
    true
}

/// An item without quotes is followed by one with them: `[a1b2, "c3"]`.
fn is_mixed(value: &Value<'_>, text: &[u8], at: usize) -> bool {
    value.operator == Operator::Colon
        && bare_item(text, at).is_some_and(|end| {
            let rest = text[end..].strip_prefix(b",").unwrap_or_default();
            matches!(rest[Class::run_of_blanks(rest)..], [b'"' | b'\'', ..])
        })
}

/// Where the item without quotes ends that begins at `at`, before a comma or the end of the list.
fn bare_item(text: &[u8], at: usize) -> Option<usize> {
    let near = &text[at..text.len().min(at + JUDGED_BYTES)];
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b",]\"'([{".contains(byte);
    let length = near.iter().position(ends)?;
    let end = at + length;
    let next = end + Class::run_of_blanks(&text[end..]);
    (length > 0 && matches!(text.get(next), Some(b',' | b']'))).then_some(end)
}

/// Notes an item without quotes. One without a digit may be a name.
fn note_bare(scan: &mut Scan<'_, '_>, value: &Value<'_>, start: usize, end: usize) {
    let body = &scan.text[start..end];
    let strong = value.strength == Strength::Strong;
    if strong
        && body.iter().any(u8::is_ascii_digit)
        && !judge::is_name_in_list(value, body)
        && judge::is_secret(value, body, false, b",")
    {
        let number = bare::is_number_of_document(value, body);
        scan.add(start, end, Swallow::While(Class::Bare), number);
    }
}
