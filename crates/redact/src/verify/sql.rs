//! Passwords in statements of SQL but `INSERT`: `IDENTIFIED BY '…'`, `SET PASSWORD FOR … = PASSWORD('…')`.

use memchr::{memchr_iter, memchr3, memrchr};

use super::set::Set;
use super::value::{self, Value};
use super::{Scan, insert};
use crate::class::Class;
use crate::quote::Quote;

/// Furthest before the words that the statement is looked for.
const STATEMENT_BYTES: usize = 256;

/// Longest name of a plugin or a user.
const NAME_BYTES: usize = 128;

/// How much of a value is looked at to tell a secret from a word of prose.
const VALUE_BYTES: usize = 64;

/// What the statements that set a password begin with: what is before the first space, and behind it.
const STATEMENTS: &[(&[u8], &[u8])] = &[
    (b"create", b"user"),
    (b"alter", b"user"),
    (b"create", b"role"),
    (b"alter", b"role"),
    (b"grant", b""),
    (b"connect", b"to "),
];

/// What stands before `identified by` in prose.
static PROSE: Set<64> = Set::new(&[
    "also", "an", "and", "are", "as", "be", "been", "being", "is", "its", "no", "not", "of",
    "only", "or", "that", "the", "their", "them", "this", "uniquely", "use", "was", "were", "with",
]);

/// What follows a password without quotes.
#[rustfmt::skip]
const CLAUSE_WORDS: &[&str] = &[
    "account", "container", "default", "password", "profile", "quota", "replace", "require", "temporary", "using", "with",
];

/// The same as a set.
static CLAUSES: Set<32> = Set::new(CLAUSE_WORDS);

/// `identified `, `set password` or what begins an `INSERT` was found at `start..end`.
pub(crate) fn check(scan: &mut Scan<'_, '_>, start: usize, end: usize) {
    let text = scan.text;
    if start > 0 && Class::Word.has(text[start - 1]) {
        return;
    }
    if text[start..end].ends_with(b"o ") || text[start..end].ends_with(b"O ") {
        return insert::check(scan, end);
    }
    let identified = text[start].eq_ignore_ascii_case(&b'i');
    let at = if identified { behind_identified(text, end - 1) } else { behind_set(text, end) };
    let Some(at) = at else { return };
    let is_secret = match Quote::at(&text[at..]) {
        Some((Quote::Plain(quote), _)) if quote == b'`' || scan.is_open(at, quote) => false,
        Some((_, length)) => {
            // Where another quote comes first, code joins a variable: `"… BY '" + password`.
            let body = body(&text[at + length..]);
            !body.is_empty() && (!identified || is_statement(text, start) || !is_prose(body))
        }
        None => identified && is_bare(text, start, at),
    };
    if is_secret {
        value::take(scan, &Value::PASSWORD, at);
    }
}

/// Where the value begins behind `by`, or behind the plugin that is given it.
fn behind_identified(text: &[u8], at: usize) -> Option<usize> {
    let at = keyword(text, at, b"by").or_else(|| behind_plugin(text, at))?;
    let hashed = keyword(text, at, b"password").or_else(|| keyword(text, at, b"values"));
    let begins = |at: usize| at + Class::run_of_blanks(&text[at..]);
    let hashed = hashed.map(|at| begins(at + usize::from(text.get(at) == Some(&b'('))));
    Some(hashed.filter(|&at| Quote::at(&text[at..]).is_some()).unwrap_or_else(|| begins(at)))
}

/// Where `with PLUGIN by`, or one of its other forms, ends.
fn behind_plugin(text: &[u8], at: usize) -> Option<usize> {
    let at = keyword(text, at, b"with").or_else(|| keyword(text, at, b"via"))?;
    let at = at + Class::run_of_blanks(&text[at..]);
    let quote = |at: usize| usize::from(matches!(text.get(at), Some(b'"' | b'\'' | b'`')));
    let name = at + quote(at);
    let reach = text.len().min(name + NAME_BYTES);
    let at = name + Class::Dash.run(&text[name..reach]);
    let at = at + quote(at);
    [&b"by"[..], b"as", b"using"].iter().find_map(|word| keyword(text, at, word))
}

/// Where the value in quotes begins behind `set password for … =`, or inside the call that hashes it.
fn behind_set(text: &[u8], at: usize) -> Option<usize> {
    let rest = &text[at..text.len().min(at + NAME_BYTES)];
    let equals = memchr3(b'=', b';', b'\n', rest).filter(|&to| rest[to] == b'=')?;
    let user = keyword(text, at, b"for").is_some();
    if !user && !rest[..equals].trim_ascii().is_empty() {
        return None;
    }
    let at = at + equals + 1;
    let at = at + Class::run_of_blanks(&text[at..]);
    let name = Class::Word.run(&text[at..text.len().min(at + NAME_BYTES)]);
    let hash = text[at..at + name].to_ascii_lowercase();
    let called =
        matches!(&hash[..], b"password" | b"old_password") && text.get(at + name) == Some(&b'(');
    let at = if called { at + name + 1 } else { at };
    let at = at + Class::run_of_blanks(&text[at..]);
    ((user || called) && Quote::at(&text[at..]).is_some()).then_some(at)
}

/// Where `word` ends behind the blanks at `at`.
fn keyword(text: &[u8], at: usize, word: &[u8]) -> Option<usize> {
    let blanks = Class::run_of_blanks(&text[at..]);
    let end = at + blanks + word.len();
    let found = text.get(end - word.len()..end)?.eq_ignore_ascii_case(word);
    let whole = text.get(end).is_none_or(|&byte| !Class::Word.has(byte));
    (blanks > 0 && found && whole).then_some(end)
}

/// What is seen of a value up to a quote of any sort.
fn body(text: &[u8]) -> &[u8] {
    let reach = &text[..text.len().min(VALUE_BYTES)];
    let ends = |&byte: &u8| b"\"'\n\\".contains(&byte);
    &reach[..reach.iter().position(ends).unwrap_or(reach.len())]
}

/// `'name'`, `"the id"`: what a text says that things are identified by.
fn is_prose(body: &[u8]) -> bool {
    body.iter()
        .all(|byte| byte.is_ascii_alphabetic() || b" _-./".contains(byte) || !byte.is_ascii())
}

/// A password without quotes in a statement: nothing comes behind it, or another clause.
fn is_bare(text: &[u8], start: usize, at: usize) -> bool {
    if !text.get(at).is_some_and(u8::is_ascii_alphanumeric) {
        return false;
    }
    let reach = &text[at..text.len().min(at + VALUE_BYTES)];
    let length = reach.iter().take_while(|&&byte| Class::Bare.has(byte) && byte != b';').count();
    let rest = &text[at + length..];
    let next = rest.strip_prefix(b" ").map_or(rest, |rest| &rest[Class::run_of_blanks(rest)..]);
    let clause = &next[..Class::Word.run(&next[..next.len().min(NAME_BYTES)])];
    let ends = next.first().is_none_or(|byte| b";\r\n\"'`\\".contains(byte));
    let word = &reach[..length];
    let mixed = || word.iter().any(u8::is_ascii_digit) && word.iter().any(u8::is_ascii_alphabetic);
    (ends || CLAUSES.has(clause))
        && (is_statement(text, start) || mixed() && begins_line(text, start))
}

fn begins_line(text: &[u8], start: usize) -> bool {
    let before = text[..start].iter().rev().take(STATEMENT_BYTES);
    before.take_while(|&&byte| byte != b'\n').all(|byte| matches!(byte, b' ' | b'\t'))
}

/// The words at `start` belong to a statement: it begins before them on the line, or they are written as keywords are.
fn is_statement(text: &[u8], start: usize) -> bool {
    let before = &text[start.saturating_sub(STATEMENT_BYTES)..start];
    let from = memrchr(b'\n', before).map_or(0, |end| end + 1);
    let line = &before[from..];
    let last = line.trim_ascii_end().rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    !PROSE.has(last)
        && (text[start..start + 2].iter().all(u8::is_ascii_uppercase) || begins_statement(line))
}

fn begins_statement(line: &[u8]) -> bool {
    memchr_iter(b' ', line).any(|space| {
        let (before, after) = (&line[..space], &line[space + 1..]);
        STATEMENTS.iter().any(|&(verb, object)| {
            last_bytes(before, verb.len()).eq_ignore_ascii_case(verb)
                && after[..after.len().min(object.len())].eq_ignore_ascii_case(object)
        })
    })
}

fn last_bytes(text: &[u8], count: usize) -> &[u8] {
    &text[text.len().saturating_sub(count)..]
}
