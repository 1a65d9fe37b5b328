//! Cookies.

use super::header::after_operator;
use super::scan::Scan;
use crate::class::Class;
use crate::{boundary, mask};

/// Most cookies read in one header.
const COOKIES: usize = 256;

/// Pairs that say how a cookie is kept.
const ATTRIBUTES: [&[u8]; 6] =
    [b"path", b"domain", b"expires", b"max-age", b"samesite", b"priority"];

/// `cookie` was found, with the mark that ends the name: the values of its pairs are secrets, attributes are not.
pub(super) fn check(scan: &mut Scan<'_, '_>, start: usize, end: usize) {
    let text = scan.text;
    if !boundary::begins(text, start) {
        return;
    }
    let Some(mut at) = after_operator(text, end - 1) else { return };
    let first = at;
    for _ in 0..COOKIES {
        // Of headers in a value the next cookies are the same.
        if at > first && at < scan.cookies_to {
            return;
        }
        let name = text[at..].iter().take(128).take_while(|byte| Class::Dot.has(**byte)).count();
        if name == 0 || text.get(at + name) != Some(&b'=') {
            return;
        }
        let value = at + name + 1;
        let end = scan.runs.end(text, Class::Cookie, value);
        scan.count(value - at);
        scan.cookies_to = scan.cookies_to.max(end);
        let attribute =
            ATTRIBUTES.iter().any(|known| text[at..at + name].eq_ignore_ascii_case(known));
        let placeholder = matches!(text.get(value), Some(b'$' | b'<' | b'{'));
        if !attribute && !placeholder && mask::length(&text[value..]) == 0 {
            scan.found(value, end, Class::Bare);
        }
        if text.get(end) != Some(&b';') {
            return;
        }
        at = end + 1 + Class::run_of_blanks(&text[end + 1..]);
    }
}
