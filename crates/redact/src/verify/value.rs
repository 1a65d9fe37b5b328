//! Where the value of a name begins and ends.

use super::Scan;
use super::assignment::{JUDGED_BYTES, Kind, Operator, Strength, quoted};
use super::identifier::Words;
use super::judge;
use crate::class::Class;
use crate::mask;
use crate::quote::{Escaped, Quote};
use crate::span::Swallow;

/// Furthest that a spelled quote is looked for.
const SPELLED_BYTES: usize = 4 << 10;

/// How the name of a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writing {
    Plain,
    /// With a double quote behind it, as in JSON.
    Quoted,
    /// As a command-line flag.
    Flag,
}

/// What is known about a value before it is read.
pub(crate) struct Value<'v> {
    pub(crate) kind: Kind,
    pub(crate) strength: Strength,
    pub(crate) operator: Operator,
    pub(crate) name: &'v [u8],
    pub(crate) words: &'v Words,
    /// There are blanks around the operator.
    pub(crate) spaced: bool,
    pub(crate) writing: Writing,
    /// A parser complains of a token.
    pub(crate) complaint: bool,
}

impl Value<'_> {
    /// `NAME=value` as in an environment or a flag: whatever follows is the value, it is not an expression.
    pub(crate) fn is_environment(&self) -> bool {
        let shouting =
            self.writing == Writing::Flag || !self.name.iter().any(u8::is_ascii_lowercase);
        shouting && self.operator == Operator::Assign && !self.spaced
    }
}

/// Reads the value that begins at `at` and notes it if it is a secret.
pub(crate) fn take(scan: &mut Scan<'_, '_>, value: &Value<'_>, at: usize) {
    let rest = &scan.text[at..];
    match rest {
        [
            b'b' | b'B' | b'f' | b'F' | b'r' | b'R' | b'u' | b'U' | b'@' | b'$',
            quote @ (b'"' | b'\''),
            ..,
        ] => {
            take_quoted(scan, value, at + 2, *quote);
        }
        _ => match Quote::at(rest) {
            Some((Quote::Plain(quote), length)) => take_quoted(scan, value, at + length, quote),
            Some((Quote::Escaped(walk), length)) => take_escaped(scan, value, at + length, walk),
            Some((Quote::Spelled(quote), length)) => take_spelled(scan, value, at + length, quote),
            None if value.operator == Operator::Compare => {}
            None => take_bare(scan, value, at),
        },
    }
}

/// Between quotes. Without a closing quote the value is the rest of the line.
fn take_quoted(scan: &mut Scan<'_, '_>, value: &Value<'_>, start: usize, quote: u8) {
    let mut swallow = quoted(quote);
    let reach = if value.strength == Strength::Weak { JUDGED_BYTES } else { usize::MAX };
    let text = &scan.text[..scan.text.len().min(start.saturating_add(reach))];
    let (length, _) = swallow.run(&text[start..]);
    let end = start + length;
    let closed = scan.text.get(end) == Some(&quote);
    if scan.is_cut(end) && value.strength == Strength::Strong {
        return scan.add(start, end, swallow, false);
    }
    if closed || value.strength == Strength::Strong {
        note_quoted(scan, value, start, end);
    }
}

/// Between escaped quotes, as in a document inside a document.
fn take_escaped(scan: &mut Scan<'_, '_>, value: &Value<'_>, start: usize, mut walk: Escaped) {
    let strong = value.strength == Strength::Strong;
    let reach = if strong { usize::MAX } else { JUDGED_BYTES };
    let text = &scan.text[..scan.text.len().min(start.saturating_add(reach))];
    let stop = start + walk.run(&text[start..]);
    let end = stop - walk.held();
    if strong && scan.is_cut(stop) {
        return scan.add_open(start, end, Swallow::Escaped(walk));
    }
    note_quoted(scan, value, start, end);
}

/// Between quotes that are spelled, as in a document inside markup or an address. Without a closing one the value is bare.
fn take_spelled(scan: &mut Scan<'_, '_>, value: &Value<'_>, start: usize, quote: &[u8]) {
    let rest = &scan.text[start..scan.text.len().min(start + SPELLED_BYTES)];
    let rest = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    let closing = (0..rest.len()).find(|&at| {
        rest[at] == quote[0]
            && rest.len() >= at + quote.len()
            && rest[at..at + quote.len()].eq_ignore_ascii_case(quote)
    });
    match closing {
        Some(length) => note_quoted(scan, value, start, start + length),
        // What a mask took may have held the closing quote.
        None if mask::occurs(rest) => {}
        None => take_bare(scan, value, start),
    }
}

fn note_quoted(scan: &mut Scan<'_, '_>, value: &Value<'_>, start: usize, end: usize) {
    let body = &scan.text[start..end];
    // A mask inside says that the whole was judged before.
    if !mask::occurs(&body[..body.len().min(JUDGED_BYTES)])
        && judge::is_secret(value, body, true, &scan.text[end..])
    {
        scan.add(start, end, Swallow::While(Class::Line), false);
    }
}

/// Without quotes: up to a blank, less what belongs to the text around it.
fn take_bare(scan: &mut Scan<'_, '_>, value: &Value<'_>, start: usize) {
    if mask::length(&scan.text[start..]) > 0 {
        return;
    }
    let run = scan.runs.end(scan.text, Class::Bare, start);
    if scan.is_cut(run) {
        if value.strength == Strength::Strong {
            scan.found(start, run, Class::Bare);
        }
        return;
    }
    let body = &scan.text[start..run];
    // A weak name is not worth a look at more than is judged.
    let long = value.strength == Strength::Weak && body.len() > JUDGED_BYTES;
    let body = if long { body } else { &body[..bare_length(value, body)] };
    let end = start + body.len();
    if body.is_empty() {
        return;
    }
    if value.operator == Operator::Tag && !scan.text[end..].starts_with(b"</") {
        return;
    }
    if judge::is_type(value, body, &scan.text[end..]) {
        return take_after_type(scan, value, end);
    }
    if judge::is_secret(value, body, false, &scan.text[end..]) {
        let number = value.writing == Writing::Quoted
            && value.operator == Operator::Colon
            && body.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-'));
        scan.add(start, end, Swallow::While(Class::Bare), number);
    }
}

/// `password: str = "value"`
fn take_after_type(scan: &mut Scan<'_, '_>, value: &Value<'_>, end: usize) {
    let rest = &scan.text[end..scan.text.len().min(end + 64)];
    let Some(equals) =
        rest.iter().position(|&byte| matches!(byte, b'=' | b'\n' | b',' | b';' | b'"'))
    else {
        return;
    };
    if rest[equals] != b'=' {
        return;
    }
    let blanks = Class::run_of_blanks(&rest[equals + 1..]);
    let at = end + equals + 1 + blanks;
    if matches!(scan.text.get(at), Some(b'"' | b'\'' | b'`')) {
        let quote = scan.text[at];
        take_quoted(scan, value, at + 1, quote);
    }
}

/// How much of a run without blanks is the value.
fn bare_length(value: &Value<'_>, run: &[u8]) -> usize {
    let mut length = run.len();
    for (index, &byte) in run.iter().enumerate() {
        let rest = &run[index + 1..];
        let ends = match byte {
            b'&' => separates(rest) || entity(rest),
            b',' | b';' => separates(rest),
            b'\\' => escapes(rest),
            b'<' => {
                value.operator == Operator::Tag
                    || rest.first().is_some_and(|next| *next == b'/' || next.is_ascii_alphabetic())
                        && index > 0
            }
            b'%' => (rest.starts_with(b"26") || rest.starts_with(b"22")) && !value.is_environment(),
            _ => false,
        };
        if ends {
            length = index;
            break;
        }
    }
    trim_closers(&run[..length])
}

/// True when a separator is followed by the next pair, or by nothing.
fn separates(rest: &[u8]) -> bool {
    if mask::length(rest) > 0 {
        return false;
    }
    let name = rest
        .iter()
        .take(48)
        .take_while(|&&byte| Class::Dot.has(byte) || matches!(byte, b'[' | b']' | b'%'))
        .count();
    match rest.get(name) {
        None | Some(b'&') => name == 0,
        Some(b'=' | b':') => name > 0,
        Some(_) => false,
    }
}

/// True when a backslash begins what ends a value: `\n`, `\"`, `\\\"`, `\u0026`, or nothing follows it.
fn escapes(rest: &[u8]) -> bool {
    let more = rest.iter().take(32).take_while(|&&byte| byte == b'\\').count();
    match &rest[more..] {
        [] | [b'n' | b'r' | b't' | b'"' | b'\'', ..] => true,
        [b'u', b'0', b'0', digits @ ..] => [&b"22"[..], b"26", b"27", b"3c", b"3C", b"3e", b"3E"]
            .iter()
            .any(|code| digits.starts_with(code)),
        _ => false,
    }
}

/// `&amp;`, `&quot;`
fn entity(rest: &[u8]) -> bool {
    let name = rest
        .iter()
        .take(8)
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'#')
        .count();
    name > 1 && rest.get(name) == Some(&b';')
}

/// Length without the punctuation that closes what the value stands in.
fn trim_closers(value: &[u8]) -> usize {
    let mut unopened = [(b'(', b')'), (b'[', b']'), (b'{', b'}')].map(|(opener, closer)| {
        let closers = memchr::memchr_iter(closer, value).count();
        (closer, closers.saturating_sub(memchr::memchr_iter(opener, value).count()))
    });
    // `def login(token: str):`
    let colon = matches!(value, [.., b')' | b']', b':']);
    let mut length = value.len() - usize::from(colon);
    while let Some(&last) = value[..length].last() {
        let pair = unopened.iter_mut().find(|(closer, count)| *closer == last && *count > 0);
        match pair {
            Some((_, count)) => *count -= 1,
            None if matches!(last, b',' | b';') => {}
            None => break,
        }
        length -= 1;
    }
    if colon && length + 1 == value.len() { value.len() } else { length }
}
