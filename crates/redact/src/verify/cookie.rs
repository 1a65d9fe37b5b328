//! Cookies.

use super::Scan;
use super::header::after_operator;
use crate::class::Class;
use crate::{boundary, mask};

/// Most cookies read in one header.
const COOKIES: usize = 256;

/// `cookie` was found, with the mark that ends the name: the values of its pairs are secrets, attributes are not.
pub(crate) fn check(scan: &mut Scan<'_, '_>, start: usize, end: usize) {
    const ATTRIBUTES: &[&str] = &["path", "domain", "expires", "max-age", "samesite", "priority"];
    let text = scan.text;
    if start < scan.cookies_to || !boundary::begins(text, start) {
        return;
    }
    let Some(mut at) = after_operator(text, end - 1) else { return };
    for _ in 0..COOKIES {
        let name = text[at..].iter().take(128).take_while(|byte| Class::Dot.has(**byte)).count();
        if name == 0 || text.get(at + name) != Some(&b'=') {
            return;
        }
        let value = at + name + 1;
        let length = text[value..]
            .iter()
            .take_while(|byte| !matches!(byte, b';' | b'"' | b'\'' | b'\n' | b'\\' | b' '))
            .count();
        let value_end = value + length;
        scan.cookies_to = value_end;
        let is_attribute = ATTRIBUTES
            .iter()
            .any(|known| text[at..at + name].eq_ignore_ascii_case(known.as_bytes()));
        if !is_attribute
            && mask::length(&text[value..]) == 0
            && !matches!(text.get(value), Some(b'$' | b'<' | b'{'))
        {
            scan.found(value, value_end, Class::Bare);
        }
        if text.get(value_end) != Some(&b';') {
            return;
        }
        at = value_end + 1 + Class::run_of_blanks(&text[value_end + 1..]);
    }
}
