//! The value of a name that is itself a value: members of an object and attributes of an element.

use std::ops::Range;

use crate::class::Class;
use crate::quote::Quote;

/// Most members between the name and its value, and how far they are looked at.
const MEMBERS: usize = 4;
const REACH_BYTES: usize = 160;

/// Longest name of a member, and longest prefix of an element's name.
const NAME_BYTES: usize = 32;

/// Names of the member with the value.
const VALUES: [&[u8]; 5] = [b"value", b"default", b"defaultvalue", b"content", b"secretvalue"];

/// Where the value begins of the member or attribute that holds it, when the one at `at` or one of the next does.
pub(super) fn value(text: &[u8], mut at: usize) -> Option<usize> {
    let near = &text[at..text.len().min(at + REACH_BYTES)];
    let limit = at + memchr::memchr(b'\n', near).unwrap_or(near.len());
    for _ in 0..MEMBERS {
        let quote = Quote::at(&text[at..limit]).map_or(0, |(_, length)| length);
        let start = at + quote;
        let length = Class::Dash.run(&text[start..limit.min(start + NAME_BYTES)]);
        let is_value =
            VALUES.iter().any(|one| one.eq_ignore_ascii_case(&text[start..start + length]));
        at = start + length + quote;
        at += Class::run_of_blanks(text.get(at..limit)?);
        at += match &text[at..limit] {
            [b'=', b'>', ..] => 2,
            [b'=' | b':', ..] if length > 0 => 1,
            _ => return None,
        };
        at += Class::run_of_blanks(&text[at..]);
        if is_value {
            return Some(at);
        }
        at = behind_value(text, at, limit)?;
    }
    None
}

/// Where the next member or attribute begins after the value at `at`.
fn behind_value(text: &[u8], at: usize, limit: usize) -> Option<usize> {
    let near = text.get(at..limit)?;
    let end = match near.first()? {
        quote @ (b'"' | b'\'') => memchr::memchr(*quote, &near[1..])? + 2,
        _ => Class::Dot.run(near),
    };
    let parts = near[end..].iter().take_while(|byte| b", \t".contains(byte)).count();
    (end > 0 && parts > 0).then_some(at + end + parts)
}

/// Where the text of an element begins whose attributes go on at `at`.
pub(super) fn behind_attributes(text: &[u8], at: usize) -> Option<usize> {
    let near = &text[at..text.len().min(at + REACH_BYTES)];
    let end =
        near.iter().position(|byte| b"<>\n".contains(byte)).filter(|&end| near[end] == b'>')?;
    let closed = near[..end].ends_with(b"/") || !near[..end].contains(&b'=');
    (!closed).then_some(at + end + 1)
}

/// The name is that of an element: `<password`, `<ns:api-key`, `&lt;password`.
pub(super) fn opens_element(text: &[u8], name: &Range<usize>) -> bool {
    let before = &text[name.start.saturating_sub(NAME_BYTES)..name.start];
    let is_prefix = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b':' || **byte == b'_';
    let prefix = before.iter().rev().take_while(is_prefix).count();
    let before = &before[..before.len() - prefix];
    before.ends_with(b"<") || before.ends_with(b"&lt;")
}
