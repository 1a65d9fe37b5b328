//! Values of an `INSERT`: `INSERT INTO users (name, password) VALUES ('bob', '…')`, as far as they are on its line.

use super::Scan;
use super::assignment::quoted;
use super::name::{Kind, Promise, Strength};
use super::value::{self, Value};
use crate::class::Class;

/// Longest name of a table, and furthest that values are looked for.
const TABLE_BYTES: usize = 128;
const REACH_BYTES: usize = 4 << 10;

/// Most columns: a bit each says which are secret.
const COLUMNS: usize = 64;

/// What the name of a column may promise.
const KINDS: &[Kind] = &[Kind::Password, Kind::Secret, Kind::Token, Kind::Key];

/// `insert into ` or `replace into ` ends at `at`.
pub(super) fn check(scan: &mut Scan<'_, '_>, at: usize) {
    // One inside another is none.
    if at < scan.rows_to {
        return;
    }
    let line = &scan.text[at..scan.text.len().min(at + REACH_BYTES)];
    let line = &line[..memchr::memchr(b'\n', line).unwrap_or(line.len())];
    let Some((names, values)) = columns(line) else { return };
    let mut secret = [None; COLUMNS];
    for (column, name) in secret.iter_mut().zip(split(&line[names.clone()])) {
        let start = at + names.start + name.0;
        *column = promised(scan, start, start + name.1);
    }
    if secret.iter().all(Option::is_none) {
        return;
    }
    let mut next = values;
    while line.get(next) == Some(&b'(') {
        next += 1;
        for column in secret {
            next += Class::run_of_blanks(&line[next..]);
            if let Some(kind) = column
                && matches!(line.get(next), Some(b'\'' | b'"'))
            {
                value::take(scan, &Value { kind, ..Value::PASSWORD }, at + next);
            }
            next = item_end(line, next) + 1;
            scan.rows_to = at + next;
            match line.get(next - 1) {
                Some(b',') => {}
                Some(b')') => break,
                _ => return,
            }
        }
        next += Class::run_of_blanks(&line[next..]);
        next += usize::from(line.get(next) == Some(&b','));
        next += Class::run_of_blanks(&line[next..]);
    }
}

/// Where the names of the columns stand behind that of the table, and where the values of the first row do.
fn columns(line: &[u8]) -> Option<(std::ops::Range<usize>, usize)> {
    let open = memchr::memchr(b'(', &line[..line.len().min(TABLE_BYTES)])?;
    let in_name = |byte: &u8| Class::Dot.has(*byte) || b" `\"[]\\".contains(byte);
    if !line[..open].iter().all(in_name) {
        return None;
    }
    let close = open + memchr::memchr(b')', &line[open..])?;
    let is_list = |byte: &u8| in_name(byte) || *byte == b',';
    let keyword = close + 1 + Class::run_of_blanks(&line[close + 1..]);
    let values = keyword + b"values".len();
    let found = line.get(keyword..values)?.eq_ignore_ascii_case(b"values");
    let values = values + Class::run_of_blanks(&line[values..]);
    let listed = line[open + 1..close].iter().all(is_list);
    (found && listed).then_some((open + 1..close, values))
}

/// Where in a list each name begins, and how long it is.
fn split(list: &[u8]) -> impl Iterator<Item = (usize, usize)> {
    let mut at = 0;
    list.split(|byte| *byte == b',').map(move |name| {
        let start = name.iter().take_while(|byte| !Class::Dot.has(**byte)).count();
        let length = Class::Dot.run(&name[start..]);
        let found = (at + start, length);
        at += name.len() + 1;
        found
    })
}

/// The kind of a name that leaves no doubt.
fn promised(scan: &mut Scan<'_, '_>, start: usize, end: usize) -> Option<Kind> {
    let text = scan.text;
    KINDS.iter().copied().filter(|_| start < end).find(|&kind| {
        let read = scan.names().read(kind, text, start, end);
        matches!(read, Some((_, Promise { strength: Strength::Strong, asks: false, .. })))
    })
}

/// Where the comma or the bracket behind an item is, or what ends all of them.
fn item_end(line: &[u8], mut at: usize) -> usize {
    let mut depth = 0_usize;
    while let Some(byte) = line.get(at) {
        match byte {
            b'\'' | b'"' => {
                let (length, closed) = quoted(*byte).run(&line[at + 1..]);
                at += 1 + length;
                if !closed {
                    break;
                }
            }
            b'(' => depth += 1,
            b')' if depth > 0 => depth -= 1,
            b',' | b')' if depth == 0 => break,
            b';' => break,
            _ => {}
        }
        at += 1;
    }
    at
}
