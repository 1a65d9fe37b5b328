//! A name and its value in two attributes or members: `key="password" value="…"`, `"name": "DB_PASSWORD", "value": "…"`,
//! `{name: DB_PASSWORD, value: …}`.

use std::ops::Range;

use super::member::{self, Member};
use crate::class::Class;

/// Furthest that the value is looked for behind the name, and before it.
const PAIR_BYTES: usize = 512;

/// Most attributes between the two.
const OTHERS: usize = 6;

/// Longest path before a name: `/prod/db/password`.
const PATH_BYTES: usize = 128;

/// Longest value without quotes that is looked at.
const BARE_BYTES: usize = 128;

/// Most members before a name that are taken for its value's.
const TRIES: usize = 4;

/// Where the value of the name at `start..end` begins, with its quote, when the name is itself the value of a member and
/// one that holds a value follows.
pub(super) fn value_of(text: &[u8], start: usize, end: usize) -> Option<usize> {
    let quote = member::quote(text, end);
    let named = if quote.is_empty() {
        is_bare_name(text, start, end)
    } else {
        let opener = text[..path_start(text, start)].strip_suffix(quote)?;
        let blank = usize::from(opener.ends_with(b" "));
        matches!(opener[..opener.len() - blank].last(), Some(b'=' | b':'))
    };
    if !named {
        return None;
    }
    let reach = &text[..text.len().min(end + PAIR_BYTES)];
    let mut at = end + quote.len();
    for _ in 0..=OTHERS {
        let found = Member::read(reach, member::next(reach, at)?)?;
        if member::holds_value(found.name) {
            let holds = !member::quote(reach, found.value).is_empty()
                || !found.quoted && may_be_bare(&text[start..end], &reach[found.value..]);
            return holds.then_some(found.value);
        }
        at = found.end(reach)?;
    }
    None
}

/// A quick no: the name that ends at `end` and has a comma behind it is in no `name: password, `.
pub(super) fn may_be_named(text: &[u8], end: usize) -> bool {
    let before = text[..end].iter().rev().take(PATH_BYTES);
    let start = end - before.take_while(|&&byte| Class::Dot.has(byte)).count();
    is_bare_name(text, start, end)
}

/// True when the name without quotes at `start..end` is the value of a member that holds names, and a comma follows.
fn is_bare_name(text: &[u8], start: usize, end: usize) -> bool {
    text.get(end) == Some(&b',') && is_named(text, path_start(text, start))
}

/// True when the member whose value begins at `at` holds names.
fn is_named(text: &[u8], at: usize) -> bool {
    let Some((b'=' | b':', before)) = without_blanks(&text[..at]).split_last() else {
        return false;
    };
    let before = without_blanks(before);
    let quote = member::quote_before(before, before.len());
    let before = &before[..before.len() - quote.len()];
    let name = before.iter().rev().take(PATH_BYTES).take_while(|&&byte| Class::Dot.has(byte));
    let (before, name) = before.split_at(before.len() - name.count());
    let apart = before.last().is_none_or(|last| b" \t\n{,([\"'".contains(last));
    apart && before.ends_with(quote) && member::holds_name(name)
}

/// Without the blanks at its end, on its line: what is in lines before may be out.
fn without_blanks(text: &[u8]) -> &[u8] {
    let blanks = text.iter().rev().take_while(|byte| b" \t".contains(byte)).count();
    &text[..text.len() - blanks]
}

/// What the value of a name may be that has no quotes: that of a variable of an environment, or no word.
fn may_be_bare(name: &[u8], value: &[u8]) -> bool {
    let value = value.iter().take(BARE_BYTES).take_while(|&&byte| Class::Bare.has(byte));
    let shouting = !name.iter().any(u8::is_ascii_lowercase);
    shouting || value.clone().any(u8::is_ascii_digit)
}

/// Where the path begins that ends with the name at `start`.
pub(crate) fn path_start(text: &[u8], start: usize) -> usize {
    let before = text[..start].iter().rev().take(PATH_BYTES);
    start - before.take_while(|&&byte| Class::Dot.has(byte) || byte == b'/').count()
}

/// The value of the name at `start..end`, without its quotes, when the name is itself one in quotes and a member that holds
/// its value stands before on its line: `value="…" name="password"`. What is in lines before may be out.
pub(super) fn value_before(text: &[u8], start: usize, end: usize) -> Option<Range<usize>> {
    let quote = member::quote(text, end);
    let start = path_start(text, start);
    let name = text[..start].strip_suffix(quote).filter(|_| !quote.is_empty())?.len();
    if !is_named(text, name) {
        return None;
    }
    let from = name.saturating_sub(PAIR_BYTES);
    let from = memchr::memrchr(b'\n', &text[from..name]).map_or(from, |end| from + end + 1);
    let reach = &text[..end];
    let begins = |at: &usize| {
        reach[*at..].get(..VALUE.len()).is_some_and(|word| word.eq_ignore_ascii_case(VALUE))
    };
    let mut tries = (from..name).rev().filter(begins).take(TRIES);
    tries.find_map(|word| {
        let before = reach[from..word].iter().rev();
        let first = word - before.take_while(|&&byte| Class::Dash.has(byte)).count();
        let found =
            Member::read(reach, first - member::quote_before(&reach[from..], first - from).len())?;
        let opener = member::quote(reach, found.value);
        if !member::holds_value(found.name) || opener.is_empty() {
            return None;
        }
        let last = found.end(reach)?;
        let mut at = last;
        for _ in 0..=OTHERS {
            let other = Member::read(reach, member::next(reach, at)?)?;
            if other.value == name {
                return Some(found.value + opener.len()..last - opener.len());
            }
            at = other.end(reach)?;
        }
        None
    })
}

/// What the names of members that hold values end with.
const VALUE: &[u8] = b"value";

/// The first place of an unfinished line that a name behind it would mask: where the value of a member that holds one begins.
pub(crate) fn begins_value(line: &[u8]) -> Option<usize> {
    let mut names = (0..line.len().saturating_sub(VALUE.len()))
        .filter(|&at| line[at..at + VALUE.len()].eq_ignore_ascii_case(VALUE));
    names.find_map(|at| {
        let at = at + VALUE.len();
        let rest = &line[at + member::quote(line, at).len()..];
        let rest = rest.trim_ascii_start();
        let rest = rest.strip_prefix(b"=").or_else(|| rest.strip_prefix(b":"))?.trim_ascii_start();
        let quote = member::quote(rest, 0).len();
        (quote > 0).then(|| line.len() - rest.len() + quote)
    })
}
