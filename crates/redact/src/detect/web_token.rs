//! JSON Web Tokens, two or more base64url parts joined by dots, the first of which is a JSON object; and JSON Web Keys.

use super::random::is_random;
use super::scan::Scan;
use crate::class::Class;

/// Shortest part; `{"a":1}` is longer.
const PART_BYTES: usize = 8;

/// Shortest member of a key: 128 bits.
const MEMBER_BYTES: usize = 22;

/// The name of a private member of a key ends at `end`, as in `"d":"…"`.
pub(super) fn key(scan: &mut Scan<'_, '_>, end: usize) {
    let text = scan.text;
    let at = end + Class::run_of_blanks(&text[end..]);
    if text.get(at) != Some(&b'"') {
        return;
    }
    let to = scan.runs.end(text, Class::Dash, at + 1);
    let body = &text[at + 1..to];
    let is_whole = text.get(to) == Some(&b'"') || scan.is_cut(to);
    if body.len() >= MEMBER_BYTES && is_whole && is_random(body) {
        scan.found(at + 1, to, Class::Dash);
    }
}

pub(crate) fn check(scan: &mut Scan<'_, '_>, start: usize) {
    let text = scan.text;
    if start > 0 && Class::Dash.has(text[start - 1]) && !crate::boundary::begins(text, start) {
        return;
    }
    let header = scan.runs.end(text, Class::Dash, start);
    if header - start < PART_BYTES || text.get(header) != Some(&b'.') {
        return;
    }
    // A second part that is measured in the class with dots reaches over all parts.
    let end = scan.runs.end(text, Class::Dot, start);
    if scan.is_cut(end) {
        return scan.found(start, end, Class::Dot);
    }
    let payload = Class::Dash.run(&text[header + 1..end]);
    if payload >= PART_BYTES {
        let end = text[..end].iter().rposition(|&byte| byte != b'.').map_or(end, |last| last + 1);
        scan.found(start, end, Class::Dot);
    }
}
