//! Values apart from their names: in the next cell of a row, alone on the rest of a line, or after the words of a sentence.

use std::ops::Range;

use super::words::{LAST_LINKS, LINKS, has};
use crate::class::Class;

/// How much of a cell or of a name before a cell is read.
const MAX_CELL_BYTES: usize = 48;

/// How far before a name the beginning of its row is searched.
const MAX_ROW_BYTES: usize = 256;

/// The most words of a sentence between a name and its value, and how much of the sentence is read.
const MAX_LINKS: usize = 8;
const MAX_SENTENCE_BYTES: usize = 96;

/// The most words among them that say more than whose the value is.
const MAX_OTHER_WORDS: usize = 3;

/// Whether a name ends the first words of a line or of a cell of a table.
pub(super) fn begins_cell(text: &[u8], start: usize) -> bool {
    let near = &text[start.saturating_sub(MAX_CELL_BYTES)..start];
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b" _-*`\"'".contains(&byte);
    let words = near.iter().rev().take_while(|byte| is_word(**byte)).count();
    let before = &near[near.len() - words..];
    let words = memchr::memmem::rfind(before, b"  ").map_or(before, |at| &before[at + 1..]);
    let before = near[..near.len() - words.len()].last();
    match before {
        // Types and conditions have bars inside. A row begins with one, or with a word and blanks.
        Some(b'|') => {
            let line = &text[start.saturating_sub(MAX_ROW_BYTES)..start];
            let line = memchr::memrchr(b'\n', line).map_or(line, |newline| &line[newline + 1..]);
            let first = &line[..memchr::memchr(b'|', line).unwrap_or(0)];
            let is_cell = |byte: &u8| byte.is_ascii_alphanumeric() || b" _+->".contains(byte);
            first.iter().all(is_cell) && (first.is_empty() || !first[0].is_ascii_alphabetic())
        }
        // A mark of a list, a patch, a quotation or a log comes before the row.
        Some(before) => {
            matches!(before, b'\n' | b'\t' | b' ' | b'>' | b'+' | b'#' | b']' | b')' | 0x80..)
        }
        None => words.len() == start,
    }
}

/// Where the value begins in a row: in the cell at `at`, or after one that holds a word and no value.
pub(super) fn next_cell(text: &[u8], at: usize) -> usize {
    let at = at + Class::run_of_blanks(&text[at..]);
    let near = &text[at..text.len().min(at + MAX_CELL_BYTES)];
    let capital = usize::from(near.first().is_some_and(u8::is_ascii_uppercase));
    let word = near[capital..].iter().take_while(|byte| byte.is_ascii_lowercase()).count();
    let word = if word > 0 { word + capital } else { 0 };
    let blanks = Class::run_of_blanks(&near[word..]);
    let sign =
        ["|", "│", "┃", "║"].iter().find(|sign| near[word + blanks..].starts_with(sign.as_bytes()));
    let next = at + word + blanks + sign.map_or(0, |sign| sign.len());
    let is_apart = blanks > 1 || sign.is_some();
    if word > 0 && is_apart { next + Class::run_of_blanks(&text[next..]) } else { at }
}

/// Where the value begins after the words at `at` that link it to its name: `is `, `for joe was set to `, `you asked for: `.
/// Also whether the sentence is about the value: other words may lead to another thing.
pub(super) fn after_links(
    text: &[u8],
    name: &Range<usize>,
    mut at: usize,
) -> Option<(usize, bool)> {
    let near = &text[at..text.len().min(at + MAX_SENTENCE_BYTES)];
    let near = &near[..memchr::memchr(b'\n', near).unwrap_or(near.len())];
    // Nearly all sentences about a name have no value.
    if !has_mark(near) {
        return None;
    }
    let line = at + near.len();
    let mut others = 0;
    for _ in 0..MAX_LINKS {
        let word = &text[at..line];
        let word = &word[..memchr::memchr(b' ', word)?];
        let bare = word.strip_suffix(b":").unwrap_or(word);
        if others > 0 && (bare == b"->" || bare == "→".as_bytes()) {
            return Some((at + word.len() + 1, false));
        }
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"@._'-".contains(byte);
        let (is_link, is_colon) = (has(LAST_LINKS, bare), bare.len() < word.len());
        others += usize::from(!is_link && !has(LINKS, bare));
        at += word.len() + 1;
        if bare.is_empty() || !bare.iter().all(is_part) || others > MAX_OTHER_WORDS {
            return None;
        }
        // `token for job: x` names a job by its number, and `password for joe: x` is no name.
        let names_password = || {
            let last = &text[name.clone()].to_ascii_lowercase();
            last.windows(4).any(|part| part == b"pass") || last.ends_with(b"pw")
        };
        if is_colon && !is_link && others > 0 && !names_password() {
            return None;
        }
        let is_last = is_link || is_colon;
        let next = &text[at..line];
        let next = &next[..memchr::memchr2(b' ', b':', next).unwrap_or(next.len())];
        if is_last && !has(LINKS, next) && !has(LAST_LINKS, next) {
            return Some((at, others == 0));
        }
    }
    None
}

/// Whether a text has a digit, a quote or a capital inside a word. It is read to its end, so that the compiler can
/// compare many bytes at once.
fn has_mark(text: &[u8]) -> bool {
    let is_mark = |byte: &u8| byte.is_ascii_digit() | matches!(byte, b'"' | b'`' | b'\'');
    let marks = text.iter().fold(false, |found, byte| found | is_mark(byte));
    let pairs = text.iter().zip(text.iter().skip(1));
    marks
        | pairs.fold(false, |found, (one, next)| {
            found | (one.is_ascii_lowercase() & next.is_ascii_uppercase())
        })
}

/// Whether the value at `at` and the name at `start` are all cells of a row: `password,x`.
pub(super) fn is_pair(text: &[u8], start: usize, at: usize) -> bool {
    let begins_line = matches!(text[..start].last(), None | Some(b'\n'));
    begins_line
        && ends_line(text, at).is_some_and(|value| !value.is_empty() && !value.contains(&b','))
}

/// The value at `at`, if its line ends with it.
fn ends_line(text: &[u8], at: usize) -> Option<&[u8]> {
    let near = &text[at..text.len().min(at + MAX_ROW_BYTES)];
    let value = &near[..Class::Unquoted.run(near)];
    matches!(text.get(at + value.len()), None | Some(b'\n' | b'\r')).then_some(value)
}

/// Whether the value at `at` is all that its line has after the name, and the name is no word of a sentence.
pub(super) fn is_setting(text: &[u8], name: &Range<usize>, at: usize) -> bool {
    let has = |sign| memchr::memchr(sign, &text[name.clone()]).is_some();
    let is_joined = (has(b'_') || has(b'.')) && !has(b' ');
    let begins_line = matches!(text[..name.start].last(), None | Some(b'\n' | b' ' | b'['));
    is_joined && begins_line && ends_line(text, at).is_some()
}
