//! Cookies.

use super::header::after_operator;
use super::scan::Scan;
use crate::class::Class;
use crate::{boundary, mask};

/// How many cookies of one header are read.
const MAX_COOKIES: usize = 256;

/// The names of pairs that say how a cookie is stored.
const COOKIE_ATTRIBUTES: [&[u8]; 6] =
    [b"path", b"domain", b"expires", b"max-age", b"samesite", b"priority"];

/// `cookie` was found, with the byte that ends the name. The values of its pairs are secrets, unless they are
/// attributes.
pub(super) fn check(scan: &mut Scan<'_, '_>, start: usize, end: usize) {
    let text = scan.text;
    if !boundary::begins(text, start) {
        return;
    }
    let Some(mut at) = after_operator(text, end - 1) else { return };
    let first = at;
    for _ in 0..MAX_COOKIES {
        // If one value contains several headers, the next cookies were read already.
        if at > first && at < scan.cookies_checked_to {
            return;
        }
        let name = text[at..].iter().take(128).take_while(|byte| Class::Dot.has(**byte)).count();
        if name == 0 || text.get(at + name) != Some(&b'=') {
            return;
        }
        let value = at + name + 1;
        let end = scan.runs.end(text, Class::Cookie, value);
        scan.count(value - at);
        scan.cookies_checked_to = scan.cookies_checked_to.max(end);
        let attribute =
            COOKIE_ATTRIBUTES.iter().any(|known| text[at..at + name].eq_ignore_ascii_case(known));
        let placeholder = matches!(text.get(value), Some(b'$' | b'<' | b'{'));
        if !attribute && !placeholder && mask::length(&text[value..]) == 0 {
            scan.mask_run(value, end, Class::Unquoted);
        }
        if text.get(end) != Some(&b';') {
            return;
        }
        at = end + 1 + Class::run_of_blanks(&text[end + 1..]);
    }
}
