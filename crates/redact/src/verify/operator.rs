//! What stands between a name and its value.

use super::identifier::NAME_BYTES;
use super::{argument, declaration, directive, element, hint, pair, reference, table, unpacked};
use crate::class::Class;
use crate::quote::Quote;

/// Most blanks between a name and its operator or between that and the value.
pub(super) const BLANKS: usize = 64;

/// Furthest behind a password that its user is looked for.
const MACHINE_BYTES: usize = 512;

/// Shortest value behind a flag with one dash.
const MARKED_BYTES: usize = 6;

/// What stands between the name and the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    /// `=`, `:=`, `=>`
    Assign,
    /// `:`
    Colon,
    /// `==`, `!=`, `===`
    Compare,
    /// One blank after a command-line flag.
    Flag,
    /// `<name>value</name>`
    Tag,
    /// A blank, as in `PASSWORD 'value'` and in a netrc file.
    Blank,
    /// Tabs between two cells of a table.
    Tab,
}

/// A quick no: what follows most words is the next word.
pub(super) fn may_operate(text: &[u8], name_end: usize) -> bool {
    match text.get(name_end) {
        Some(b' ') => {
            text.get(name_end + 1).is_some_and(|next| b"=:?! \t'+.".contains(next))
                || text[..name_end].ends_with(b"assword")
                || is_named(text, name_end)
                || argument::may_follow(&text[name_end..])
                || hint::read(text, name_end).is_some()
                || declaration::may_follow(&text[name_end + 1..])
        }
        Some(b'[') => text.get(name_end + 1).is_some_and(|next| {
            *next == b']' || next.is_ascii_digit() || next.is_ascii_uppercase()
        }),
        Some(b'(' | b'|') => argument::may_follow(&text[name_end..]),
        Some(b',') if pair::may_be_named(text, name_end) => true,
        Some(b']') if text[name_end..].starts_with(b"] => ") => true,
        Some(b',' | b']' | b')') => unpacked::may_follow(&text[name_end..]),
        Some(
            b'\t' | b'=' | b':' | b'?' | b'!' | b'"' | b'\'' | b'`' | b'\\' | b'>' | b'%' | b'&'
            | b'-',
        ) => true,
        Some(b'<') => text.get(name_end + 1) == Some(&b'/'),
        Some(b'{') => text.get(name_end + 1).is_some_and(|next| b"\"' ".contains(next)),
        Some(b'}') => text.get(name_end + 1).is_some_and(|next| b"= ".contains(next)),
        Some(b'*') => hint::read(text, name_end).is_some(),
        _ => false,
    }
}

/// Two dashes at `at` begin a flag.
pub(super) fn opens_flag(text: &[u8], at: usize) -> bool {
    matches!(text[at..], [b'-', b'-', ..]) && is_apart(text, at)
}

/// One dash does, as in `-password` of Go, Java and PowerShell, and what looks like a value follows the blank at `end`: a
/// sentence or a list may have such words as well.
fn opens_word_flag(text: &[u8], at: usize, end: usize) -> bool {
    matches!(text[at..], [b'-', first, ..] if first.is_ascii_alphabetic())
        && is_apart(text, at)
        && text.get(end) == Some(&b' ')
        && is_marked(&text[end + 1..])
}

/// Whether a flag may begin at `at`.
fn is_apart(text: &[u8], at: usize) -> bool {
    at == 0
        || matches!(
            text[at - 1],
            b' ' | b'\t' | b'\n' | b'"' | b'\'' | b'`' | b'(' | b'[' | b',' | b'='
        )
}

/// A word, or a quoted one, with a letter and a digit.
pub(super) fn is_marked(text: &[u8]) -> bool {
    let text = &text[Quote::at(text).map_or(0, |(_, length)| length)..];
    let reach = &text[..text.len().min(NAME_BYTES)];
    let word = &reach[..reach.iter().position(u8::is_ascii_whitespace).unwrap_or(reach.len())];
    word.len() >= MARKED_BYTES
        && word[0] != b'-'
        && word.iter().any(u8::is_ascii_digit)
        && word.iter().any(u8::is_ascii_alphabetic)
}

/// What stands before the name that ends at `name_end` says that a blank may part it from its value.
fn is_named(text: &[u8], name_end: usize) -> bool {
    let name = text[..name_end]
        .iter()
        .rev()
        .take(NAME_BYTES)
        .take_while(|&&byte| Class::Dot.has(byte))
        .count();
    let (before, name) = text[..name_end].split_at(name_end - name);
    let start = before.len();
    opens_flag(text, start)
        || opens_word_flag(text, start, name_end)
        || element::opens(text, start)
        || directive::may_assign(before, name)
}

/// The operator after a name and the offset behind it.
pub(super) fn read(text: &[u8], name_start: usize, name_end: usize) -> Option<(Operator, usize)> {
    if reference::has_no_default(&text[..name_start], &text[name_end..]) {
        return None;
    }
    if let Some(at) = unpacked::read(text, name_start, name_end) {
        return Some((Operator::Assign, at));
    }
    if let Some(after) = pair::value_of(text, name_start, name_end) {
        return Some((Operator::Assign, after));
    }
    if matches!(text.get(name_end), Some(b'>' | b' ' | b'"' | b'\'' | b'\\' | b'<' | b'&'))
        && let Some(after) = element::value_of(text, name_start, name_end)
    {
        return Some((Operator::Tag, after));
    }
    if let Some(after) = declaration::read(text, name_start, name_end) {
        return Some((Operator::Assign, after));
    }
    if let Some(after) = hint::read(text, name_end) {
        return Some((Operator::Colon, after));
    }
    let mut at = name_end;
    // The end of a quoted name, also inside a quoted document, and of an index.
    if let Some((_, length)) = Quote::at(&text[at..]) {
        at += length;
        at += usize::from(text.get(at) == Some(&b']'));
    }
    let blanks = Class::run_of_blanks(&text[at..text.len().min(at + BLANKS + 1)]);
    let rest = &text[at + blanks..];
    let in_parameter = reference::opens_parameter(&text[..name_start]);
    let found = match rest {
        [b'=' | b'!', b'=', b'=', ..] => (Operator::Compare, 3),
        [b'=' | b'!', b'=', ..] => (Operator::Compare, 2),
        [b'|', b'|', b'=', ..] | [b'?', b'?', b'=', ..] => (Operator::Assign, 3),
        [b'?' | b'!', b':', ..] => (Operator::Colon, 2),
        [b'=', b'>', ..]
        | [b':' | b'?', b'=', ..]
        | [b'+' | b'.', b'=', b' ', b'"' | b'\'', ..] => (Operator::Assign, 2),
        [b'=', b'~', rest @ ..] if blanks > 0 || matches_regex(rest) => return None,
        [b':', b':', ..] | [b':', b'/', b'/', ..] => return None,
        [b'=', b'&', b'g', b't', b';', ..] | [b'&', b'#', b'6', b'1', b';', ..] => {
            (Operator::Assign, 5)
        }
        [b'=', ..] => (Operator::Assign, 1),
        [b'%', b'3', b'D' | b'd', ..] if blanks == 0 => (Operator::Assign, 3),
        [b'%', b'3', b'A' | b'a', ..] if blanks == 0 => (Operator::Colon, 3),
        [b'\\', b'u', b'0', b'0', b'3', b'D' | b'd', ..] => (Operator::Assign, 6),
        [b'\\', b'u', b'0', b'0', b'3', b'A' | b'a', ..] => (Operator::Colon, 6),
        [b'&', b'#', b'5', b'8', b';', ..] => (Operator::Colon, 5),
        [b':', b'-', ..] if in_parameter && at == name_end => (Operator::Assign, 2),
        [b'-', ..] if in_parameter && at == name_end => (Operator::Assign, 1),
        [b':', ..] => (Operator::Colon, 1),
        [_, ..] if blanks > 0 && text[at] == b'\t' => {
            return table::begins_cell(text, name_start).then_some((Operator::Tab, at + blanks));
        }
        [first, ..] if blanks == 1 && at == name_end => return blank(text, name_start, at, *first),
        _ => return None,
    };
    Some((found.0, at + blanks + found.1))
}

/// True when what follows `=~` is a regular expression rather than a value that begins with a tilde.
fn matches_regex(rest: &[u8]) -> bool {
    match rest {
        [b'm' | b's' | b'y', next, ..] | [b't' | b'q', b'r', next, ..] => {
            !next.is_ascii_alphanumeric()
        }
        [first, ..] => b" \t\n/\"'`^$@([{\\|#!,;".contains(first),
        [] => true,
    }
}

/// A value after nothing but one blank.
fn blank(text: &[u8], name_start: usize, at: usize, first: u8) -> Option<(Operator, usize)> {
    let name = &text[name_start..at];
    if opens_flag(text, name_start) && !matches!(first, b'-' | b'\n') {
        return Some((Operator::Flag, at + 1));
    }
    if opens_word_flag(text, name_start, at) {
        return Some((Operator::Flag, at + 1));
    }
    let netrc = name == b"password" && is_netrc(text, name_start);
    let sql = first == b'\'' && name.eq_ignore_ascii_case(b"password");
    if netrc || sql {
        return Some((Operator::Blank, at + 1));
    }
    directive::value_of(text, name_start, at).map(|after| (Operator::Blank, after))
}

/// `login NAME ` or a machine before it: a line of a netrc file.
fn is_netrc(text: &[u8], name_start: usize) -> bool {
    let before = &text[name_start.saturating_sub(NAME_BYTES)..name_start];
    let line = before.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
    let mut words = line.rsplit(|&byte| byte == b' ').skip(2);
    let named = line.trim_ascii_end().rsplit(|&byte| byte == b' ').next();
    if named.is_some_and(|word| matches!(word, b"and" | b"or")) {
        return false;
    }
    is_machine(text, name_start, line)
        || words.next() == Some(b"login")
        || memchr::memmem::find(line, b"machine ").is_some()
            && memchr::memmem::find(line, b"login ").is_some()
}

/// `machine HOST password …` with a user behind the value, or nothing.
fn is_machine(text: &[u8], name_start: usize, line: &[u8]) -> bool {
    const NAME: &[u8] = b"password ";
    let Some(host) = line.trim_ascii().strip_prefix(b"machine ") else { return false };
    let rest = &text[name_start + NAME.len()..text.len().min(name_start + MACHINE_BYTES)];
    let value = rest.iter().position(|byte| matches!(byte, b' ' | b'\n' | b'\r'));
    let behind = value.map(|value| &rest[value..]);
    !host.contains(&b' ')
        && behind.is_none_or(|rest| {
            !rest.starts_with(b" ")
                || rest.starts_with(b" login ")
                || rest.starts_with(b" account ")
        })
}

impl Class {
    /// Spaces and tabs at the start of `text`.
    pub(crate) fn run_of_blanks(text: &[u8]) -> usize {
        text.iter().take(BLANKS + 1).take_while(|&&byte| matches!(byte, b' ' | b'\t')).count()
    }
}
