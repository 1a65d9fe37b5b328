//! Values of an `INSERT`: `INSERT INTO users (name, password) VALUES ('bob', '…')`, as far as they are on its line.

use super::assignment::{ASKED_BYTES, quoted};
use super::name::{Kind, Promise, Strength};
use super::value::{self, Value};
use super::{Scan, random, wrapper};
use crate::class::Class;
use crate::quote::Quote;
use crate::span::Swallow;

/// Longest name of a table, and furthest that values are looked for.
const TABLE_BYTES: usize = 128;
const REACH_BYTES: usize = 4 << 10;

/// Most columns: a bit each says which are secret.
const COLUMNS: usize = 64;

/// Longest name of a set of characters before a literal.
const CHARSET_BYTES: usize = 16;

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
            if let Some((kind, asks)) = column
                && let Some(literal) = literal(scan, line, at, next)
                && (!asks || random::is_made_up(&scan.text[literal..], ASKED_BYTES))
            {
                value::take(scan, &Value { kind, ..Value::PASSWORD }, literal);
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

/// Where the literal of the item at `next` of the line at `at` begins: behind its sort or set of characters
/// (`N'…'`, `_utf8'…'`), or in a call that hashes it (`MD5('…')`).
fn literal(scan: &mut Scan<'_, '_>, line: &[u8], at: usize, next: usize) -> Option<usize> {
    let rest = line.get(next..)?;
    let sort = match rest {
        [b'U' | b'u', b'&', b'\'', ..] => 2,
        [sort, b'\'', ..] if b"nNeEbB".contains(sort) => 1,
        [b'_', ..] => 1 + Class::Word.run(&rest[1..rest.len().min(CHARSET_BYTES)]),
        _ => 0,
    };
    match Quote::at(&rest[sort..]) {
        Some((Quote::Plain(b'"' | b'\'') | Quote::Escaped(_), _)) => Some(at + next + sort),
        _ => wrapper::literal(scan, at + next, true),
    }
}

/// What may stand between the name of the table and those of its columns: `PARTITION (p0)`.
fn behind_partition(line: &[u8]) -> usize {
    let reach = &line[..line.len().min(TABLE_BYTES)];
    let open = memchr::memchr(b'(', reach).unwrap_or(0);
    let word = reach[..open].trim_ascii_end();
    let named = word.len().checked_sub(b" partition".len()).map(|start| &word[start..]);
    if !named.is_some_and(|word| word.eq_ignore_ascii_case(b" partition")) {
        return 0;
    }
    memchr::memchr(b')', &reach[open..]).map_or(0, |close| open + close + 1)
}

/// Where the values begin behind the names of columns, and what the statement says of them.
fn values(line: &[u8]) -> Option<usize> {
    let reach = &line[..line.len().min(TABLE_BYTES)];
    let open = memchr::memchr(b'(', reach)?;
    let said = reach[..open].trim_ascii();
    let word = said.rsplit(|byte| !byte.is_ascii_alphabetic()).next()?;
    let before = said[..said.len() - word.len()].trim_ascii_end();
    let begins = |name: &[u8]| {
        before.get(..name.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(name))
    };
    let is_values = word.eq_ignore_ascii_case(b"values") || word.eq_ignore_ascii_case(b"value");
    let says = before.is_empty() || begins(b"output ") || begins(b"overriding ");
    (is_values && says).then_some(open)
}

/// Where the names of the columns stand behind that of the table, and where the values of the first row do.
fn columns(all: &[u8]) -> Option<(std::ops::Range<usize>, usize)> {
    let skipped = behind_partition(all);
    let line = &all[skipped..];
    let open = memchr::memchr(b'(', &line[..line.len().min(TABLE_BYTES)])?;
    let in_name = |byte: &u8| Class::Dot.has(*byte) || b" `\"[]\\".contains(byte);
    if !line[..open].iter().all(in_name) {
        return None;
    }
    let close = open + memchr::memchr(b')', &line[open..])?;
    let is_list = |byte: &u8| in_name(byte) || *byte == b',';
    let values = close + 1 + values(&line[close + 1..])?;
    let listed = line[open + 1..close].iter().all(is_list);
    listed.then_some((skipped + open + 1..skipped + close, skipped + values))
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

/// The kind of a name that leaves no doubt, and whether it asks: then only what is made up is a value.
fn promised(scan: &mut Scan<'_, '_>, start: usize, end: usize) -> Option<(Kind, bool)> {
    let text = scan.text;
    KINDS.iter().filter(|_| start < end).find_map(|&kind| {
        match scan.names().read(kind, text, start, end)? {
            (_, Promise { strength: Strength::Strong, asks, .. }) => Some((kind, asks)),
            _ => None,
        }
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
            b'\\' if let Some((Quote::Escaped(walk), length)) = Quote::at(&line[at..]) => {
                let (inside, closed) = Swallow::Escaped(walk).run(&line[at + length..]);
                at += length + inside;
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
