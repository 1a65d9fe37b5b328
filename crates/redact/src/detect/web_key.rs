//! Private members of JSON Web Keys.

use super::random::is_random;
use super::scan::Scan;
use crate::class::Class;

/// The shortest member of a key, which has 128 bits.
const MIN_MEMBER_BYTES: usize = 22;

/// Checks the private member of a key whose name ends at `end`, as in `"d":"…"`.
pub(super) fn check(scan: &mut Scan<'_, '_>, end: usize) {
    let text = scan.text;
    let at = end + Class::run_of_blanks(&text[end..]);
    if text.get(at) != Some(&b'"') {
        return;
    }
    let to = scan.runs.end(text, Class::Dash, at + 1);
    let body = &text[at + 1..to];
    let is_whole = text.get(to) == Some(&b'"') || scan.is_cut(to);
    if body.len() >= MIN_MEMBER_BYTES && is_whole && is_random(body) {
        scan.mask_run(at + 1, to, Class::Dash);
    }
}
