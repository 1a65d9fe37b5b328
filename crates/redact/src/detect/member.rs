//! Finding the value of a name that is itself a value, as in members of an object and attributes of an element.

use std::ops::Range;

use super::words::{VALUE_KEYS, has};
use crate::class::Class;
use crate::quote::Quote;

/// How many members may stand between the name and its value, and how far they are read.
const MAX_MEMBERS_BETWEEN: usize = 4;
const MAX_REACH_BYTES: usize = 160;

/// The longest name of a member, and the longest prefix of an element's name.
const MAX_NAME_BYTES: usize = 32;

/// Where the value begins, if the member or attribute at `at` or one of the next holds it.
pub(super) fn value(text: &[u8], mut at: usize) -> Option<usize> {
    let near = &text[at..text.len().min(at + MAX_REACH_BYTES)];
    let limit = at + memchr::memchr(b'\n', near).unwrap_or(near.len());
    for _ in 0..MAX_MEMBERS_BETWEEN {
        let quote = Quote::at(&text[at..limit]).map_or(0, |(_, length)| length);
        let start = at + quote;
        let length = Class::Dash.run(&text[start..limit.min(start + MAX_NAME_BYTES)]);
        let is_value = has(VALUE_KEYS, &text[start..start + length]);
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
        at = after_value(text, at, limit)?;
    }
    None
}

/// Where the next member or attribute begins after the value at `at`.
fn after_value(text: &[u8], at: usize, limit: usize) -> Option<usize> {
    let near = text.get(at..limit)?;
    let end = match near.first()? {
        quote @ (b'"' | b'\'') => memchr::memchr(*quote, &near[1..])? + 2,
        _ => Class::Dot.run(near),
    };
    let parts = near[end..].iter().take_while(|byte| b", \t".contains(byte)).count();
    (end > 0 && parts > 0).then_some(at + end + parts)
}

/// Where the text of an element begins, if its attributes continue at `at`.
pub(super) fn after_attributes(text: &[u8], at: usize) -> Option<usize> {
    let near = &text[at..text.len().min(at + MAX_REACH_BYTES)];
    let end =
        near.iter().position(|byte| b"<>\n".contains(byte)).filter(|&end| near[end] == b'>')?;
    let closed = near[..end].ends_with(b"/") || !near[..end].contains(&b'=');
    (!closed).then(|| after_value_tag(text, at + end + 1))
}

/// Where the text of the value's own element begins at `at`: `<value>x`; `at` if there is none.
fn after_value_tag(text: &[u8], at: usize) -> usize {
    let start = at + Class::run_of_blanks(&text[at..]);
    let Some(near) = text[start..].strip_prefix(b"<") else { return at };
    let name = Class::Dash.run(&near[..near.len().min(MAX_NAME_BYTES)]);
    let is_cell = matches!(&near[..name], b"td" | b"dd" | b"code");
    let is_value = (is_cell || has(VALUE_KEYS, &near[..name])) && near.get(name) == Some(&b'>');
    if is_value { start + name + 2 } else { at }
}

/// Where the value begins in the next element, if the element of the name closes at `at`: `<key>name</key><string>x`.
pub(super) fn after_element(text: &[u8], at: usize) -> Option<usize> {
    let tag = text[at..].strip_prefix(b"</")?;
    let name = Class::Dash.run(&tag[..tag.len().min(MAX_NAME_BYTES)]);
    let next = at + name + 3;
    let at = (tag.get(name) == Some(&b'>')).then(|| after_value_tag(text, next))?;
    (at > next).then_some(at)
}

/// Whether the name is that of an element: `<password`, `<ns:api-key`, `&lt;password`.
pub(super) fn opens_element(text: &[u8], name: &Range<usize>) -> bool {
    let before = &text[name.start.saturating_sub(MAX_NAME_BYTES)..name.start];
    let is_prefix = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b':' || **byte == b'_';
    let prefix = before.iter().rev().take_while(is_prefix).count();
    let before = &before[..before.len() - prefix];
    before.ends_with(b"<") || before.ends_with(b"&lt;")
}
