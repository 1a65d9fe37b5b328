//! Members of objects and attributes of tags: `name=…`, `"name": "…"`, `{name: …, value: …}`, in a document inside a document as
//! well. One member tells what another one holds: these are the words for both.

use crate::class::Class;
use crate::quote::Escaped;

/// Longest name, prefix included.
const NAME_BYTES: usize = 48;

/// Most backslashes before a quote.
const ESCAPES: usize = 31;

/// Members and elements that hold the name of what another one holds.
const NAMES: &[&str] =
    &["key", "name", "optionname", "param-name", "parameterkey", "parametername", "settingname"];

/// Members and elements that hold what another one names. A pause looks for the last word of all of them.
pub(crate) const VALUES: &[&str] = &[
    "default-value",
    "default_value",
    "defaultvalue",
    "optionvalue",
    "param-value",
    "parametervalue",
    "settingvalue",
    "value",
];

/// True when what a member of this name holds is a name.
pub(crate) fn holds_name(name: &[u8]) -> bool {
    is_one_of(name, NAMES)
}

/// True when a member of this name holds the value of what another one names.
pub(crate) fn holds_value(name: &[u8]) -> bool {
    is_one_of(name, VALUES)
}

pub(crate) fn is_one_of(name: &[u8], names: &[&str]) -> bool {
    names.iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
}

/// A member up to its value.
pub(crate) struct Member<'t> {
    /// Without its prefix.
    pub(crate) name: &'t [u8],
    /// The name is in quotes.
    pub(crate) quoted: bool,
    /// `=` or `:`
    pub(crate) operator: u8,
    /// Where its value begins, with its quote.
    pub(crate) value: usize,
}

impl<'t> Member<'t> {
    /// The member whose name, or the quote of that, is at `at`.
    pub(crate) fn read(text: &'t [u8], at: usize) -> Option<Self> {
        let quote = quote(text, at);
        let start = at + quote.len();
        let mut first = start;
        let mut end = start + name_length(&text[start..])?;
        // `xdt:Transform="…"`
        if let [b':', next, ..] = text[end..]
            && next.is_ascii_alphabetic()
            && let Some(length) = name_length(&text[end + 1..])
            && text.get(end + 1 + length) == Some(&b'=')
        {
            first = end + 1;
            end = first + length;
        }
        let rest = text[end..].strip_prefix(quote)?;
        let rest = &rest[Class::run_of_blanks(rest)..];
        let operator = *rest.first().filter(|byte| matches!(byte, b'=' | b':'))?;
        let value = text.len() - rest.len() + 1;
        let value = value + Class::run_of_blanks(&text[value..]);
        Some(Self { name: &text[first..end], quoted: !quote.is_empty(), operator, value })
    }

    /// Where the value ends, with its quote: a string, or a word such as `true` or `3`.
    pub(crate) fn end(&self, text: &[u8]) -> Option<usize> {
        let quote = quote(text, self.value);
        if !quote.is_empty() {
            let start = self.value + quote.len();
            return string_end(text, start, quote).map(|end| end + quote.len());
        }
        let length = Class::Dot.run(text.get(self.value..)?);
        let ends = matches!(text.get(self.value + length), Some(b',' | b' ' | b'\t'));
        (length > 0 && ends).then_some(self.value + length)
    }
}

/// Where the member behind the one that ends at `at` begins: a comma, blanks or both part them.
pub(crate) fn next(text: &[u8], at: usize) -> Option<usize> {
    let comma = usize::from(text.get(at) == Some(&b','));
    let blanks = Class::run_of_blanks(&text[at + comma..]);
    (comma + blanks > 0).then_some(at + comma + blanks)
}

/// The quote at `at` with the backslashes before it; nothing when none is there.
pub(crate) fn quote(text: &[u8], at: usize) -> &[u8] {
    let rest = &text[at.min(text.len())..];
    let escapes = rest.iter().take(ESCAPES).take_while(|&&byte| byte == b'\\').count();
    match rest.get(escapes) {
        Some(b'"' | b'\'') => &rest[..=escapes],
        _ => b"",
    }
}

/// The quote that ends at `at` with the backslashes before it.
pub(crate) fn quote_before(text: &[u8], at: usize) -> &[u8] {
    let Some((b'"' | b'\'', before)) = text[..at].split_last() else { return b"" };
    let escapes = before.iter().rev().take(ESCAPES).take_while(|&&byte| byte == b'\\').count();
    &text[at - 1 - escapes..at]
}

/// Where the quote is that closes the string at `start`, on its line.
pub(crate) fn string_end(text: &[u8], start: usize, quote: &[u8]) -> Option<usize> {
    let (&last, escapes) = quote.split_last()?;
    if let Some(mut walk) = Escaped::new(last, escapes.len()) {
        let end = start + walk.run(&text[start..]) - walk.held();
        return text[end..].starts_with(quote).then_some(end);
    }
    let mut at = start;
    loop {
        at += memchr::memchr2(last, b'\n', &text[at..])?;
        let escapes = text[start..at].iter().rev().take_while(|&&byte| byte == b'\\').count();
        if text[at] == b'\n' {
            return None;
        }
        if escapes.is_multiple_of(2) {
            return Some(at);
        }
        at += 1;
    }
}

fn name_length(text: &[u8]) -> Option<usize> {
    let length = Class::Dot.run(&text[..text.len().min(NAME_BYTES)]);
    (length > 0).then_some(length)
}
