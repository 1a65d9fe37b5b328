//! Literals among the arguments of a call and the items of a list: `api_keys = ["…", "…"]`,
//! `new Credential("joe", "…")`, `connect(host, "joe", "…")`.

use super::alone;
use super::classify::is_algorithm;
use super::scan::Scan;
use super::value::{self, Surroundings, Value};
use crate::class::Class;
use crate::mask;
use crate::quote::Quote;

/// How many items of a list are read, and how far the arguments of a call.
const MAX_ITEMS: usize = 64;
const MAX_CALL_BYTES: usize = 256;

/// How many literals of an expression are read.
const MAX_LITERALS: usize = 6;

/// Checks the arguments at `at` of a call of which one is a secret, but for the first: that says whose secret it is.
pub(super) fn check(scan: &mut Scan<'_, '_>, at: usize) {
    let text = scan.text;
    let near = &text[at..text.len().min(at + MAX_CALL_BYTES)];
    let line = &near[..memchr::memchr(b'\n', near).unwrap_or(near.len())];
    scan.count(line.len());
    let Some(first) = memchr::memchr(b',', line) else { return };
    if memchr::memchr3(b'"', b'\'', b'`', &line[first..]).is_none() {
        return;
    }
    let end = at + line.len();
    let mut index = 0;
    let mut next = Some(at);
    while let Some(start) = next.filter(|start| *start < end && index < MAX_ITEMS) {
        next = literal(scan, start).and_then(|(value, after)| {
            if index > 0 {
                record(scan, &value);
            }
            next_item(text, after)
        });
        next = next.or_else(|| after_expression(text, start, end));
        index += 1;
    }
}

/// Checks the literals in the expression at `at` that is assigned to the name of a secret: `hash('sha256', '…')`,
/// `x ? y : "…"`, `f(1) or "…"`.
pub(super) fn expression(scan: &mut Scan<'_, '_>, at: usize) {
    let text = scan.text;
    let near = &text[at..text.len().min(at + MAX_CALL_BYTES)];
    let end = at + memchr::memchr(b'\n', near).unwrap_or(near.len());
    scan.count(end - at);
    let mut start = at;
    for _ in 0..MAX_LITERALS {
        let Some(quote) = memchr::memchr3(b'"', b'\'', b'`', &text[start..end]) else { return };
        let before = &text[start..start + quote];
        let holds = |sign: &[u8]| memchr::memmem::find(before, sign).is_some();
        let is_part = start > at || [&b"("[..], b"?", b"||", b" or "].into_iter().any(holds);
        let is_over = before.iter().any(|byte| b";#{=".contains(byte))
            || holds(b":") && !holds(b"?") && !holds(b"::");
        let Some((value, after)) = literal(scan, start + quote).filter(|_| is_part && !is_over)
        else {
            return;
        };
        if after <= end {
            record(scan, &value);
        }
        start = after.max(start + quote + 1).min(end);
    }
}

/// Adds a literal to the findings if it can be nothing but a secret.
fn record(scan: &mut Scan<'_, '_>, value: &Value) {
    let body = &scan.text[value.start..value.end];
    let is_plain =
        body.iter().all(|byte| Class::Encoded.has(*byte) || b"!#$^&*?,;|".contains(byte));
    let is_selector = body.first().is_some_and(|first| b"#.".contains(first));
    if is_plain
        && !is_selector
        && alone::is_no_word(body)
        && !is_algorithm(body)
        && !mask::occurs(body)
    {
        value.record_span(scan, false);
    }
}

/// Checks the literals of the list at `at`, until one is none.
pub(super) fn items(scan: &mut Scan<'_, '_>, at: usize, record: impl Fn(&mut Scan<'_, '_>, Value)) {
    let mut next = Some(at);
    for _ in 0..MAX_ITEMS {
        let Some((value, after)) = next.and_then(|at| literal(scan, at)) else { return };
        record(scan, value);
        next = next_item(scan.text, after);
    }
}

/// The literal at `at`, and where it ends with its quote.
fn literal(scan: &mut Scan<'_, '_>, at: usize) -> Option<(Value, usize)> {
    let text = scan.text;
    let at = at + Class::run_of_blanks(text.get(at..)?);
    Quote::at(&text[at..])?;
    let value = value::read(scan, at, Surroundings::Member);
    let quote = Quote::at(&text[value.end..]).map_or(0, |(_, length)| length);
    Some((value, value.end + quote))
}

/// Where the next item begins after one that ends at `at`.
fn next_item(text: &[u8], at: usize) -> Option<usize> {
    let comma = at + Class::run_of_blanks(&text[at..]);
    (text.get(comma) == Some(&b',')).then_some(comma + 1)
}

/// Where the next argument begins after the expression at `at`.
fn after_expression(text: &[u8], at: usize, end: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (index, byte) in text[at..end].iter().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
            b',' if depth == 0 => return Some(at + index + 1),
            _ => {}
        }
    }
    None
}
