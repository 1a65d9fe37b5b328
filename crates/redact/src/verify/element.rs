//! Values of elements: `<password>…</password>`, `<property name="db.password">…</property>`,
//! `<key>password</key><string>…</string>`.

use super::Scan;
use super::assignment::JUDGED_BYTES;
use super::operator::BLANKS;
use super::value::Value;
use super::{bare, types};
use crate::class::Class;
use crate::mask;
use crate::span::Swallow;

/// Longest prefix, name of an element or attribute.
const NAME_BYTES: usize = 48;

/// Furthest that attributes behind the name are read.
const ATTRIBUTES_BYTES: usize = 256;

/// Longest value with blanks, entities and quotes in it.
const VALUE_BYTES: usize = 2 << 10;

/// Elements of settings whose attribute names what they hold.
const SETTINGS: &[&str] =
    &["config-property", "entry", "param", "parameter", "prop", "property", "setting", "variable"];

/// Elements that hold the name of what the next one holds.
const NAMES: &[&str] = &["key", "name", "param-name"];

/// Elements that hold a value whose name stands before them.
const VALUES: &[&str] = &["param-value", "string", "value"];

/// True when the name at `start` is that of an element, perhaps behind the prefix of a namespace.
pub(super) fn opens(text: &[u8], start: usize) -> bool {
    let before = &text[start.saturating_sub(NAME_BYTES)..start];
    match before.split_last() {
        Some((b'<', _)) => true,
        Some((b':', before)) => {
            let prefix = before.iter().rev().take_while(|&&byte| Class::Dash.has(byte)).count();
            prefix > 0 && before[..before.len() - prefix].ends_with(b"<")
        }
        _ => false,
    }
}

/// Where the value begins of the element whose name, or the name it holds or is given in an attribute, is at `start..end`.
pub(super) fn value_of(text: &[u8], start: usize, end: usize) -> Option<usize> {
    match &text[end..] {
        [b'>', ..] => opens(text, start).then_some(end + 1),
        [b' ', ..] if opens(text, start) => behind_attributes(text, end),
        [b'"' | b'\'' | b'\\', rest @ ..] => {
            let quote = &text[end..=end + backslashes(&text[end..])];
            let opened = rest.get(quote.len() - 1) == Some(&b'>');
            let before = text[..start].strip_suffix(quote).filter(|_| opened)?;
            let before = before.strip_suffix(b"name=").or_else(|| before.strip_suffix(b"key="))?;
            let element = before.strip_suffix(b" ")?;
            ends_with_tag(element, b"<", SETTINGS).then_some(end + quote.len() + 1)
        }
        [b'<', b'/', rest @ ..] => {
            let name = &rest[..Class::Dash.run(&rest[..rest.len().min(NAME_BYTES)])];
            let before = text[..start].strip_suffix(b">")?;
            if !is_one_of(name, NAMES) || !ends_with_tag(before, b"<", NAMES) {
                return None;
            }
            let rest = rest[name.len()..].strip_prefix(b">")?;
            let rest = rest[Class::run_of_blanks(rest)..].strip_prefix(b"<")?;
            let value = &rest[..Class::Dash.run(&rest[..rest.len().min(NAME_BYTES)])];
            let rest = rest[value.len()..].strip_prefix(b">")?;
            is_one_of(value, VALUES).then_some(text.len() - rest.len())
        }
        _ => None,
    }
}

/// Where the tag ends behind its attributes, unless it is empty.
fn behind_attributes(text: &[u8], end: usize) -> Option<usize> {
    let reach = &text[..text.len().min(end + ATTRIBUTES_BYTES)];
    let mut at = end;
    loop {
        let blanks = Class::run_of_blanks(&reach[at..]);
        if blanks > BLANKS {
            return None;
        }
        at += blanks;
        if reach.get(at) == Some(&b'>') {
            return Some(at + 1);
        }
        let name = reach[at..].iter().take_while(|&&byte| Class::Dot.has(byte) || byte == b':');
        let name = name.count();
        let value = reach[at + name..].strip_prefix(b"=")?;
        let escape = backslashes(value);
        let [quote @ (b'"' | b'\''), value @ ..] = &value[escape..] else { return None };
        let length = memchr::memchr3(*quote, b'<', b'\n', value).filter(|_| name * blanks > 0)?;
        if value[length] != *quote {
            return None;
        }
        at += name + 1 + escape + 1 + length + 1;
    }
}

/// How many backslashes `text` begins with: those of a quote in a document.
fn backslashes(text: &[u8]) -> usize {
    let reach = &text[..text.len().saturating_sub(1).min(NAME_BYTES)];
    reach.iter().take_while(|&&byte| byte == b'\\').count()
}

/// True when `text` ends with `mark` and one of `names`.
fn ends_with_tag(text: &[u8], mark: &[u8], names: &[&str]) -> bool {
    let from = text.len().saturating_sub(NAME_BYTES);
    let name = text[from..].iter().rev().take_while(|&&byte| Class::Dash.has(byte)).count();
    let (before, name) = text.split_at(text.len() - name);
    before.ends_with(mark) && is_one_of(name, names)
}

fn is_one_of(name: &[u8], names: &[&str]) -> bool {
    names.iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
}

/// Up to the tag that closes the element. Blanks and quotes belong to the value only where it is clear that this is the tag.
pub(super) fn take<'t>(scan: &mut Scan<'t, '_>, value: &Value<'t>, start: usize) {
    let text = scan.text;
    let ends = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'<';
    let run = text[start..].iter().position(ends).map_or(text.len(), |length| start + length);
    if scan.is_cut(run) {
        return scan.found(start, run, Class::Bare);
    }
    let reach = &text[start..text.len().min(run + VALUE_BYTES)];
    let Some(length) = memchr::memchr2(b'<', b'\n', reach).filter(|&at| reach[at] == b'<') else {
        return;
    };
    let end = start + length;
    let (body, after) = (&text[start..end], &text[end..]);
    let Some(closing) = after.strip_prefix(b"</") else { return };
    let blank = end > run;
    let plain = !blank && !body.iter().any(|byte| b"\"'`\\".contains(byte));
    if body.is_empty() || mask::occurs(body) || !plain && !closes(closing, value.name) {
        return;
    }
    if types::is_type(value, body, after, || None) {
        return;
    }
    // A string that it stands in ends before.
    if scan.string_end(start, end).is_some() {
        return;
    }
    let judged = &body[..body.len().min(JUDGED_BYTES + 1)];
    if scan.verdicts().is_secret(value, judged, blank, after) {
        let number = bare::is_number_of_document(value, body);
        scan.add(start, end, Swallow::While(Class::Bare), number);
    }
}

/// How an unfinished line may go on whose last tag opens an element, or begins to close one: with the rest of the value and of that tag.
pub(crate) fn closing(line: &[u8]) -> Option<Vec<u8>> {
    let last = memchr::memrchr(b'<', line)?;
    let begun = &line[last + 1..];
    if !begun.is_empty() && !begun.starts_with(b"/") {
        let name = opened_by(begun)?;
        return Some([b"1</", name, b">"].concat());
    }
    let name = opened_by(&line[memchr::memrchr(b'<', &line[..last])? + 1..])?;
    let whole = [b"/", name, b">"].concat();
    whole.strip_prefix(begun).map(<[u8]>::to_vec)
}

/// The name that a tag begins with, if it ends.
fn opened_by(tag: &[u8]) -> Option<&[u8]> {
    let name = tag.iter().take(2 * NAME_BYTES);
    let name = name.take_while(|&&byte| Class::Dot.has(byte) || byte == b':').count();
    (name > 0 && tag.contains(&b'>')).then(|| &tag[..name])
}

/// True when the tag whose name `closing` begins with closes the element of that name, or another that holds a value.
fn closes(closing: &[u8], name: &[u8]) -> bool {
    let reach = &closing[..closing.len().min(2 * NAME_BYTES)];
    let Some(length) = memchr::memchr(b'>', reach) else { return false };
    let closed = &reach[..length];
    let local = memchr::memchr(b':', closed).map_or(closed, |colon| &closed[colon + 1..]);
    local == name || is_one_of(local, SETTINGS) || is_one_of(local, VALUES)
}
