//! Values of elements: `<password>…</password>`, `<property name="db.password">…</property>`,
//! `<key>password</key><string>…</string>`.

use memchr::memmem;

use super::Scan;
use super::assignment::JUDGED_BYTES;
use super::member::{self, Member};
use super::operator::BLANKS;
use super::value::Value;
use super::{bare, pair, types};
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

/// How the angles of a tag are written: a document that holds another spells them.
const ANGLES: &[(&[u8], &[u8])] =
    &[(b"<", b">"), (b"&lt;", b"&gt;"), (b"\\u003c", b"\\u003e"), (b"\\u003C", b"\\u003E")];

/// True when the name at `start` is that of an element, perhaps behind the prefix of a namespace.
pub(super) fn opens(text: &[u8], start: usize) -> bool {
    let before = &text[start.saturating_sub(NAME_BYTES)..start];
    opening(before).is_some_and(|(open, _)| *open == b"<")
}

/// The angles of the tag whose name begins behind `before`, perhaps behind the prefix of a namespace.
fn opening(before: &[u8]) -> Option<&(&[u8], &[u8])> {
    ANGLES.iter().find(|(open, _)| {
        if before.ends_with(open) {
            return true;
        }
        let Some(prefix) = before.strip_suffix(b":") else { return false };
        let opened = memmem::rfind(prefix, open).map(|at| &prefix[at + open.len()..]);
        opened
            .is_some_and(|name| !name.is_empty() && name.iter().all(|&byte| Class::Dash.has(byte)))
    })
}

/// Where the value begins of the element whose name, or the name it holds or is given in an attribute, is at `start..end`.
pub(super) fn value_of(text: &[u8], start: usize, end: usize) -> Option<usize> {
    match &text[end..] {
        [b'>', ..] => opens(text, start).then_some(end + 1),
        [b' ', ..] if opens(text, start) => behind_attributes(text, end),
        [b'"' | b'\'', ..] => in_attribute(text, start, end),
        [b'<', b'/', ..] => {
            let end = behind_name(text, start, end)?;
            behind_tag(text, end, holds_value)
        }
        [b'&' | b'\\', ..] => {
            let opening = opening(&text[start.saturating_sub(NAME_BYTES)..start]);
            let close = opening.filter(|(_, close)| text[end..].starts_with(close));
            close.map(|(_, close)| end + close.len()).or_else(|| in_attribute(text, start, end))
        }
        _ => None,
    }
}

/// Where the tag ends that closes the element which holds the name at `start..end`: `<name>password</name>`.
pub(crate) fn behind_name(text: &[u8], start: usize, end: usize) -> Option<usize> {
    let before = text[..pair::path_start(text, start)].strip_suffix(b">")?;
    let rest = text[end..].strip_prefix(b"</")?;
    let name = &rest[..Class::Dash.run(&rest[..rest.len().min(NAME_BYTES)])];
    let opened = before.strip_suffix(name)?.ends_with(b"<");
    (opened && member::holds_name(name) && rest.get(name.len()) == Some(&b'>'))
        .then(|| text.len() - rest.len() + name.len() + 1)
}

/// Where the tag ends that begins behind blanks at `at`, when it has no attributes and `is` its name.
pub(crate) fn behind_tag(text: &[u8], at: usize, is: impl FnOnce(&[u8]) -> bool) -> Option<usize> {
    let at = at + Class::run_of_blanks(&text[at..]);
    let rest = text[at..].strip_prefix(b"<")?;
    let name = &rest[..Class::Dash.run(&rest[..rest.len().min(NAME_BYTES)])];
    let end = at + 1 + name.len();
    (text.get(end) == Some(&b'>') && is(name)).then_some(end + 1)
}

/// Where the tag ends of the element of a setting that is named by an attribute, whose value is the name at `start..end`, and
/// what it holds or the element in it begins.
pub(crate) fn in_attribute(text: &[u8], start: usize, end: usize) -> Option<usize> {
    let quote = member::quote(text, end);
    let value = text[..pair::path_start(text, start)].strip_suffix(quote)?.len();
    let assigned = text[..value].ends_with(b"=") && !quote.is_empty();
    let from = value.saturating_sub(ATTRIBUTES_BYTES);
    let tag = from + memchr::memrchr2(b'<', b'\n', &text[from..value]).filter(|_| assigned)?;
    let name = &text[tag + 1..value];
    let name = &name[..Class::Dash.run(name)];
    if text[tag] != b'<' || !member::is_one_of(name, SETTINGS) {
        return None;
    }
    let mut at = tag + 1 + name.len();
    loop {
        let attribute = Member::read(text, at + Class::run_of_blanks(&text[at..]))?;
        if attribute.value == value {
            let end = behind_attributes(text, end + quote.len())?;
            let named = member::holds_name(attribute.name);
            return named.then(|| behind_tag(text, end, member::holds_value).unwrap_or(end));
        }
        at = attribute.end(&text[..value])?;
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
        let attribute = Member::read(reach, at).filter(|_| blanks > 0)?;
        let quoted = !member::quote(reach, attribute.value).is_empty();
        let last = attribute.end(reach).filter(|_| quoted && attribute.operator == b'=')?;
        if memchr::memchr(b'<', &reach[at..last]).is_some() {
            return None;
        }
        at = last;
    }
}

/// Up to the tag that closes the element. Blanks and quotes belong to the value only where it is clear that this is the tag.
pub(super) fn take<'t>(scan: &mut Scan<'t, '_>, value: &Value<'t>, start: usize) {
    let text = scan.text;
    let tag = text[..start].trim_ascii_end();
    let spelled = ANGLES[1..].iter().find(|(_, close)| tag.ends_with(close));
    let &(open, close) = spelled.unwrap_or(&ANGLES[0]);
    let ends = |byte: &u8| byte.is_ascii_whitespace() || *byte == open[0];
    let run = text[start..].iter().position(ends).map_or(text.len(), |length| start + length);
    if scan.is_cut(run) {
        return scan.found(start, run, Class::Bare);
    }
    let reach = &text[start..text.len().min(run + VALUE_BYTES)];
    let reach = &reach[..memchr::memchr(b'\n', reach).unwrap_or(reach.len())];
    let Some(length) = memmem::find(reach, open) else { return };
    let end = start + length;
    let (body, after) = (&text[start..end], &text[end..]);
    let Some(closing) = after[open.len()..].strip_prefix(b"/") else { return };
    let blank = body.iter().any(u8::is_ascii_whitespace);
    let plain = !blank && !body.iter().any(|byte| b"\"'`\\".contains(byte));
    if body.is_empty() || mask::occurs(body) || !plain && !closes(closing, close, value.name) {
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

/// True when the tag whose name `closing` begins with closes the element of that name, or another that holds a value.
fn closes(closing: &[u8], close: &[u8], name: &[u8]) -> bool {
    let reach = &closing[..closing.len().min(2 * NAME_BYTES)];
    let Some(length) = memmem::find(reach, close) else { return false };
    let closed = &reach[..length];
    let local = memchr::memchr(b':', closed).map_or(closed, |colon| &closed[colon + 1..]);
    local == name || member::is_one_of(local, SETTINGS) || holds_value(local)
}

/// True when an element of this name holds the value of what the one before names.
pub(crate) fn holds_value(name: &[u8]) -> bool {
    member::holds_value(name) || name.eq_ignore_ascii_case(b"string")
}
