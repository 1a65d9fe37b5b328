//! A value whose name follows it, after a key that says so: `"value": "…", "name": "DB_PASSWORD"`.

use super::alone;
use super::name;
use super::scan::Scan;
use super::value::{self, Surroundings};
use super::words::has;
use crate::class::Class;
use crate::mask;
use crate::quote::Quote;

/// How far after a value its name is searched, and how many members may stand between them.
const MAX_REACH_BYTES: usize = 128;
const MAX_MEMBERS: usize = 4;

/// The longest value.
const MAX_VALUE_BYTES: usize = 128;

/// The keys of members and attributes that hold a name.
const NAME_KEYS: &[&str] =
    &["field", "id", "key", "label", "name", "parameterkey", "parametername"];

/// The key of a value ends at `end`, or the quote after it. Checks whether a later member of the same object or element says
/// that the value is a secret.
pub(super) fn member(scan: &mut Scan<'_, '_>, end: usize) {
    let text = scan.text;
    let end = end - usize::from(text[end - 1] == b'=');
    let Some(at) = after_sign(text, end) else { return };
    if Quote::at(&text[at..]).is_none() {
        return;
    }
    let value = value::read(scan, at, Surroundings::Member);
    let body = &text[value.start..value.end];
    if body.len() > MAX_VALUE_BYTES || !alone::is_no_word(body) || mask::occurs(body) {
        return;
    }
    let mut at = value.end;
    let limit = text.len().min(at + MAX_REACH_BYTES);
    scan.count(limit - at);
    for _ in 0..MAX_MEMBERS {
        // The value of the member before may begin behind the limit.
        let Some(rest) = text.get(at..limit) else { return };
        let parts = rest.iter().take_while(|byte| b"\"'\\, \t".contains(byte)).count();
        let key = at + parts;
        let length = Class::Dash.run(&text[key..limit]);
        let Some(start) = after_sign(text, key + length).filter(|_| length > 0) else { return };
        let quote = Quote::at(&text[start..]).map_or(0, |(_, length)| length);
        let start = start + quote;
        let held = &text[start.min(limit)..limit];
        let held = &held
            [..held.iter().position(|byte| b"\"'\\,}> \n".contains(byte)).unwrap_or(held.len())];
        if has(NAME_KEYS, &text[key..key + length]) {
            let name = held.rsplit(|byte| *byte == b'/').next().unwrap_or(held);
            if name::of_heading(name).is_some() {
                value.record_span(scan, false);
            }
            return;
        }
        at = start + held.len();
    }
}

/// Where the value begins after the key that ends at `end`, its quote and the sign after it.
fn after_sign(text: &[u8], end: usize) -> Option<usize> {
    let quote = Quote::at(text.get(end..)?).map_or(0, |(_, length)| length);
    let sign = end + quote + Class::run_of_blanks(&text[end + quote..]);
    matches!(text.get(sign), Some(b':' | b'='))
        .then(|| sign + 1 + Class::run_of_blanks(&text[sign + 1..]))
}
