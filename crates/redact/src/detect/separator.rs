//! Reading the separator between a name and its value.

use std::ops::Range;

use super::apart;
use super::member;
use super::random::{looks_like_secret, reads_like_words};
use super::words::{DIRECTIVE_WORDS, has};
use crate::class::{Class, MAX_BLANKS};
use crate::quote::Quote;

/// The longest note between a name and its separator, as in `Password (again): `.
const MAX_NOTE_BYTES: usize = 48;

/// The longest type between a name and the value that is assigned to it.
const MAX_TYPE_BYTES: usize = 64;

/// The longest text before the quote of a literal, as in `[]byte("…")`.
const MAX_WRAPPER_BYTES: usize = 40;

/// The shortest secret in the call of any function.
const MIN_ARGUMENT_BYTES: usize = 10;

/// Which values may follow a separator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AcceptedValues {
    /// A quoted or a bare value.
    Any,
    /// Only a quoted value.
    Quoted,
    /// Only a value that does not look like a word: an argument, a compared text or an answer.
    Marked,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    /// `=` and similar operators.
    Assign,
    /// `:`
    Colon,
    /// A blank after a word of a text.
    Blank,
    /// A blank after a flag, or after the name in a line of a configuration.
    Flag,
    /// The sign of a table or two blanks before the next cell of a row, or the words of a sentence: `the password is x`.
    Apart,
    /// The opening bracket or a comma of a call.
    Argument,
    /// The `>` that ends the opening tag of an element.
    Tag,
}

/// All separators. A longer one comes before those that it begins with.
const SEPARATORS: &[(&[u8], Operator, AcceptedValues)] = &[
    (b":::=", Operator::Assign, AcceptedValues::Any),
    (b"===", Operator::Assign, AcceptedValues::Marked),
    (b"!==", Operator::Assign, AcceptedValues::Marked),
    (b"::=", Operator::Assign, AcceptedValues::Any),
    (b"||=", Operator::Assign, AcceptedValues::Quoted),
    (b"??=", Operator::Assign, AcceptedValues::Quoted),
    (b"==", Operator::Assign, AcceptedValues::Marked),
    (b"!=", Operator::Assign, AcceptedValues::Marked),
    (b":=", Operator::Assign, AcceptedValues::Any),
    (b":-", Operator::Assign, AcceptedValues::Any),
    (b"?=", Operator::Assign, AcceptedValues::Any),
    (b"+=", Operator::Assign, AcceptedValues::Quoted),
    (b".=", Operator::Assign, AcceptedValues::Quoted),
    (b"=>", Operator::Assign, AcceptedValues::Any),
    (b"=~", Operator::Assign, AcceptedValues::Marked),
    (b"<-", Operator::Assign, AcceptedValues::Quoted),
    (b"||", Operator::Assign, AcceptedValues::Marked),
    (b"??", Operator::Assign, AcceptedValues::Marked),
    (b"=&gt;", Operator::Assign, AcceptedValues::Any),
    (b"=", Operator::Assign, AcceptedValues::Any),
    (b"%3D", Operator::Assign, AcceptedValues::Any),
    (b"%3d", Operator::Assign, AcceptedValues::Any),
    (b"&#61;", Operator::Assign, AcceptedValues::Any),
    (b"\\u003d", Operator::Assign, AcceptedValues::Any),
    (b":", Operator::Colon, AcceptedValues::Any),
    (b"%3A", Operator::Colon, AcceptedValues::Any),
    (b"%3a", Operator::Colon, AcceptedValues::Any),
    (b"{", Operator::Argument, AcceptedValues::Marked),
    (b"...", Operator::Apart, AcceptedValues::Marked),
    (b"->", Operator::Apart, AcceptedValues::Marked),
    ("→".as_bytes(), Operator::Apart, AcceptedValues::Marked),
    ("–".as_bytes(), Operator::Apart, AcceptedValues::Marked),
    ("—".as_bytes(), Operator::Apart, AcceptedValues::Marked),
    (b"-", Operator::Apart, AcceptedValues::Marked),
    (b"|", Operator::Apart, AcceptedValues::Marked),
    ("│".as_bytes(), Operator::Apart, AcceptedValues::Marked),
    ("┃".as_bytes(), Operator::Apart, AcceptedValues::Marked),
    ("║".as_bytes(), Operator::Apart, AcceptedValues::Marked),
    (b">", Operator::Tag, AcceptedValues::Any),
    (b"&gt;", Operator::Tag, AcceptedValues::Any),
];

/// A separator that was found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Separator {
    pub(crate) operator: Operator,
    pub(crate) accepts: AcceptedValues,
    /// Where the value begins, including its quote.
    pub(crate) at: usize,
    /// Whether blanks surround the separator.
    pub(crate) spaced: bool,
    /// Whether the name is in quotes.
    pub(crate) quoted: bool,
}

/// The separator at the start of `text`.
fn sign(text: &[u8]) -> Option<(&'static [u8], Operator, AcceptedValues)> {
    let &first = text.first()?;
    // The first arms decide by one byte, or by two, that the text is no separator, or which of the common ones.
    match first {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b' ' | b'"' | b'\'' => return None,
        b'=' if !matches!(text.get(1), Some(b'=' | b'>' | b'~' | b'&')) => {
            return Some((b"=", Operator::Assign, AcceptedValues::Any));
        }
        b':' if !matches!(text.get(1), Some(b':' | b'=' | b'-')) => {
            return Some((b":", Operator::Colon, AcceptedValues::Any));
        }
        b'(' => return Some((b"(", Operator::Argument, AcceptedValues::Marked)),
        b',' => return Some((b",", Operator::Argument, AcceptedValues::Marked)),
        _ => {}
    }
    let is_here = |sign: &[u8]| sign[0] == first && text.starts_with(sign);
    SEPARATORS.iter().find(|(sign, ..)| is_here(sign)).copied()
}

/// Reads the separator after the name at `name`.
pub(crate) fn read(text: &[u8], name: &Range<usize>) -> Option<Separator> {
    let (closed, quoted) = after_name(text, name);
    let blanks = Class::run_of_blanks(&text[closed..]);
    if blanks > MAX_BLANKS {
        return None;
    }
    let (mut at, noted) = after_note(text, closed + blanks, blanks > 0);
    let spaced = at > closed;
    // `:-` begins the default of a shell variable. Elsewhere it is a colon and a negative number.
    let colon = text[at..].starts_with(b":-") && !text[..name.start].ends_with(b"${");
    let rest = &text[at..if colon { at + 1 } else { text.len() }];
    let found =
        |operator, accepts, at| Some(Separator { operator, accepts, at, spaced: true, quoted });
    let Some((sign, operator, accepts)) = sign(rest) else {
        if let Some(at) = member::after_element(text, at) {
            return found(Operator::Tag, AcceptedValues::Any, at);
        }
        return if noted { None } else { after_blanks(text, name, at, blanks, quoted) };
    };
    let is_upper = || !text[name.clone()].iter().any(u8::is_ascii_lowercase);
    let start = at;
    at += sign.len();
    match operator {
        // The name is part of a module path or an address.
        Operator::Colon if matches!(text[at..], [b':', ..] | [b'/', b'/', ..]) => return None,
        Operator::Argument if sign == b"," => {
            let next = at + Class::run_of_blanks(&text[at..]);
            if let Some(at) = member::value(text, next) {
                return found(Operator::Colon, AcceptedValues::Any, at);
            }
            if apart::is_pair(text, name.start, at) {
                return found(Operator::Apart, AcceptedValues::Marked, at);
            }
            if !quoted && !is_upper() {
                return None;
            }
        }
        // `the password (x) was sent`
        Operator::Argument
            if spaced && sign == b"(" && !quoted && !matches!(text.get(at), Some(b'"' | b'\'')) =>
        {
            return found(Operator::Apart, AcceptedValues::Marked, at);
        }
        Operator::Argument if quoted || spaced => return None,
        Operator::Argument => {
            at += wrapper(&text[at..]).0;
            Quote::at(&text[at..])?;
        }
        Operator::Apart => {
            let is_bar = sign == b"|" || matches!(sign, [0xe2, 0x94 | 0x95, _]);
            // A line of dots or dashes leads to the value.
            at +=
                text[at..].iter().take(MAX_BLANKS).take_while(|byte| b".->".contains(byte)).count();
            let is_apart = spaced && text.get(at) == Some(&b' ');
            if !is_apart || is_bar && !apart::begins_cell(text, name.start) {
                return None;
            }
            at = apart::next_cell(text, at);
        }
        Operator::Tag if !quoted && !member::opens_element(text, name) => return None,
        _ => {}
    }
    let inner = Class::run_of_blanks(&text[at..]);
    if inner > MAX_BLANKS || noted && operator != Operator::Colon {
        return None;
    }
    at += inner;
    let spaced = spaced || inner > 0;
    if operator == Operator::Colon {
        if let Some(at) = after_type(text, at) {
            return found(Operator::Assign, AcceptedValues::Quoted, at);
        }
        at = after_emphasis(text, after_tag(text, at), start);
    }
    let (length, is_call) = wrapper(&text[at..]);
    at += length;
    if is_call && is_short_literal(&text[at..]) {
        return None;
    }
    let is_any = accepts == AcceptedValues::Any;
    let accepts = if (noted || is_call) && is_any { AcceptedValues::Marked } else { accepts };
    Some(Separator { operator, accepts, at, spaced, quoted })
}

/// Where a name ends including what closes it: a quote, the bracket of an index, or the `[]` of an array. Also whether
/// the name is in quotes.
fn after_name(text: &[u8], name: &Range<usize>) -> (usize, bool) {
    let closing_quote_length = Quote::at(&text[name.end..]).map_or(0, |(_, length)| length);
    let mut at = name.end + closing_quote_length;
    let before = text[..name.start].last();
    match text.get(at) {
        Some(b']') => at += 1,
        Some(b'}')
            if before == Some(&b'{')
                || closing_quote_length > 0
                    && text[..name.start.saturating_sub(1)].ends_with(b"{") =>
        {
            at += 1;
        }
        Some(b'!' | b'?') if text.get(at + 1) == Some(&b':') => at += 1,
        Some(b'[') if closing_quote_length == 0 => {
            let digits = Class::Word.run(&text[at + 1..text.len().min(at + 24)]);
            if text.get(at + 1 + digits) == Some(&b']') {
                at += 2 + digits;
            }
        }
        _ => {}
    }
    (at, closing_quote_length > 0)
}

/// Where a note at `at` ends, and whether there is one: `(again)`, `[hidden]`, a number, or the stars of emphasised
/// text.
fn after_note(text: &[u8], at: usize, apart: bool) -> (usize, bool) {
    let near = &text[at..text.len().min(at + MAX_NOTE_BYTES)];
    let close = match near {
        [b'(', ..] if apart => b')',
        [b'[', ..] if apart => b']',
        [b'0'..=b'9', ..] => {
            let digits = near.iter().take(3).take_while(|byte| byte.is_ascii_digit()).count();
            let is_note = near.get(digits) == Some(&b':');
            return if is_note { (at + digits, true) } else { (at, false) };
        }
        [b'*', b'*', b':', ..] => return (at + 2, true),
        _ => return (at, false),
    };
    let end = memchr::memchr2(close, b'\n', near).filter(|&end| near[end] == close);
    let is_note = end
        .is_some_and(|end| near.get(end + 1) == Some(&b':') && near[1] != b'"' && near[1] != b'\'');
    if is_note { (at + end.unwrap_or(0) + 1, true) } else { (at, false) }
}

/// Where the value begins after the YAML tag or anchor at `at`: `!!str x`, `&name x`.
fn after_tag(text: &[u8], at: usize) -> usize {
    let near = &text[at..text.len().min(at + MAX_NOTE_BYTES)];
    if !matches!(near, [b'!' | b'&', b'!' | b'a'..=b'z' | b'A'..=b'Z', ..]) {
        return at;
    }
    let length = 2 + Class::Dash.run(&near[2..]);
    if near.get(length) == Some(&b' ') { at + length + 1 } else { at }
}

/// Where the value begins after the stars that end emphasised text: `**Password:** x`.
fn after_emphasis(text: &[u8], at: usize, separator: usize) -> usize {
    let stars = text[separator + 1..].starts_with(b"**");
    if stars { separator + 3 + Class::run_of_blanks(&text[separator + 3..]) } else { at }
}

/// Reads a separator that consists of blanks: after a flag, a directive or `PASSWORD 'x'`, or before the next attribute
/// (`name="password" value="x"`).
fn after_blanks(
    text: &[u8],
    name: &Range<usize>,
    at: usize,
    blanks: usize,
    quoted: bool,
) -> Option<Separator> {
    if blanks == 0 {
        return None;
    }
    let separator = Separator {
        operator: Operator::Blank,
        accepts: AcceptedValues::Marked,
        at,
        spaced: true,
        quoted,
    };
    if quoted || member::opens_element(text, name) {
        let attribute = member::value(text, at).filter(|_| quoted);
        let attribute = attribute.map(|at| (Operator::Colon, at));
        let (operator, at) =
            attribute.or_else(|| Some((Operator::Tag, member::after_attributes(text, at)?)))?;
        return Some(Separator { operator, accepts: AcceptedValues::Any, at, ..separator });
    }
    let flag = is_flag(text, name.start);
    if flag || is_directive(text, name) {
        let at = at + wrapper(&text[at..]).0;
        // In a help text the description of a flag stands apart.
        let accepts =
            if flag && blanks == 1 { AcceptedValues::Any } else { AcceptedValues::Marked };
        return Some(Separator { operator: Operator::Flag, accepts, at, ..separator });
    }
    if let Some(at) = after_type(text, at) {
        return Some(Separator {
            operator: Operator::Assign,
            accepts: AcceptedValues::Quoted,
            at,
            ..separator
        });
    }
    let is_row = blanks > 1 || text[at - 1] == b'\t' || apart::is_setting(text, name, at);
    if is_row && apart::begins_cell(text, name.start) {
        return Some(Separator {
            operator: Operator::Apart,
            at: apart::next_cell(text, at),
            ..separator
        });
    }
    if let Some((at, is_about)) = apart::after_links(text, name, at) {
        let accepts = if is_about { AcceptedValues::Any } else { AcceptedValues::Marked };
        return Some(Separator { operator: Operator::Apart, accepts, at, ..separator });
    }
    // SQL has `PASSWORD 'x'`. In prose only a value that no text contains can follow a name and a blank.
    let is_upper = !text[name.clone()].iter().any(u8::is_ascii_lowercase);
    let is_quote = matches!(text.get(at), Some(b'"' | b'\'' | b'\\'));
    Some(Separator {
        accepts: if is_upper && is_quote { AcceptedValues::Quoted } else { AcceptedValues::Marked },
        ..separator
    })
}

/// Where the literal begins that is assigned after a type at `at`: `password: &str = "x"`.
fn after_type(text: &[u8], at: usize) -> Option<usize> {
    let near = &text[at..text.len().min(at + MAX_TYPE_BYTES)];
    let length = memchr::memchr(b'=', near)?;
    if !near[length..].starts_with(b"= ") || !near[..length].ends_with(b" ") {
        return None;
    }
    let literal = at + length + 2;
    let literal = match wrapper(text.get(literal..)?) {
        (length, false) => literal + length,
        _ => literal,
    };
    let is_type = |byte: &u8| byte.is_ascii_alphanumeric() || b"_<>&':[]|?.*{}; ".contains(byte);
    (matches!(text.get(literal), Some(b'"' | b'\'' | b'`')) && near[..length].iter().all(is_type))
        .then_some(literal)
}

/// The length of the text between a separator and the quote of its literal: `b`, `new String(`, `decode(`. Also whether
/// that is a call of any function, whose argument may be a name.
fn wrapper(text: &[u8]) -> (usize, bool) {
    const WRAPPERS: [&[u8]; 16] = [
        b"Some(",
        b"*b",
        b"b",
        b"f",
        b"r",
        b"u",
        b"L",
        b"N",
        b"@",
        b"br",
        b"[]byte(",
        b"new String(",
        b"String::from(",
        b"SecretStr(",
        b"_T(",
        b"base64.b64encode(b",
    ];
    // No wrapper begins with another byte.
    if !text.first().is_some_and(|first| first.is_ascii_alphabetic() || b"@[_*&".contains(first)) {
        return (0, false);
    }
    let near = &text[..text.len().min(MAX_WRAPPER_BYTES)];
    let length = memchr::memchr2(b'"', b'\'', near).unwrap_or(0);
    let wrapper = &near[..length];
    if WRAPPERS.contains(&wrapper) {
        return (length, false);
    }
    let path = wrapper.strip_suffix(b"b").unwrap_or(wrapper).strip_suffix(b"(");
    let path = path.map(|path| path.strip_prefix(b"new ").unwrap_or(path));
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.:&*<>[](".contains(byte);
    let is_call = path.is_some_and(|path| {
        !path.is_empty()
            && path.iter().all(is_part)
            && (!looks_like_secret(path) || reads_like_words(path))
    });
    if is_call { (length, true) } else { (0, false) }
}

/// Whether the literal at the start of `text` is too short for the argument of any call to be a secret.
fn is_short_literal(text: &[u8]) -> bool {
    let inner = text.get(1..).unwrap_or_default();
    inner.iter().take(MIN_ARGUMENT_BYTES).any(|byte| Some(byte) == text.first())
}

/// Whether the name begins with a dash and follows a byte that separates arguments.
fn is_flag(text: &[u8], start: usize) -> bool {
    let apart = start.checked_sub(1).is_none_or(|before| b" \t\n\"'`([,=".contains(&text[before]));
    text[start] == b'-' && apart
}

/// Whether the word before the name says that a value follows the name: `ENV NAME value`, `login joe password value`.
fn is_directive(text: &[u8], name: &Range<usize>) -> bool {
    let near = &text[name.start.saturating_sub(MAX_NOTE_BYTES)..name.start];
    let line = memchr::memrchr(b'\n', near).map_or(near, |newline| &near[newline + 1..]);
    let mut words = line.split(|byte| b" \t".contains(byte)).rev().filter(|word| !word.is_empty());
    let (last, before) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let name = &text[name.clone()];
    has(DIRECTIVE_WORDS, last)
        || matches!(name, b"requirepass" | b"masterauth")
        || name == b"password" && (matches!(before, b"login" | b"user" | b"machine"))
}
