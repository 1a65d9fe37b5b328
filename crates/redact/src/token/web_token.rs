//! JSON Web Tokens: two or more Base64url parts joined by dots. The first of them is a JSON object.

use crate::class::Class;
use crate::detect::scan::Scan;

/// The shortest part; an encoded `{"a":1}` is longer.
const MIN_PART_BYTES: usize = 8;

pub(crate) fn check(scan: &mut Scan<'_, '_>, start: usize) {
    let text = scan.text;
    if start > 0 && Class::Dash.has(text[start - 1]) && !crate::boundary::begins(text, start) {
        return;
    }
    let header = scan.runs.end(text, Class::Dash, start);
    if header - start < MIN_PART_BYTES || text.get(header) != Some(&b'.') {
        return;
    }
    // The run with dots extends over all parts.
    let end = scan.runs.end(text, Class::Dot, start);
    if scan.is_cut(end) {
        return scan.mask_run(start, end, Class::Dot);
    }
    let payload = Class::Dash.run(&text[header + 1..end]);
    if payload >= MIN_PART_BYTES {
        let end = text[..end].iter().rposition(|&byte| byte != b'.').map_or(end, |last| last + 1);
        scan.mask_run(start, end, Class::Dot);
    }
}
