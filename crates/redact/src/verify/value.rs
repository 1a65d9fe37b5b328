//! Where the value of a name begins and ends.

use super::Scan;
use super::assignment::{JUDGED_BYTES, quoted};
use super::identifier::{NAME_BYTES, Words};
use super::joined::{self, Joined};
use super::name::{self, Kind, Strength};
use super::operator::{self, Operator};
use super::store::Store;
use super::{argument, bare, list, random, wrapper};
use crate::class::Class;
use crate::mask;
use crate::quote::{Escaped, Quote};
use crate::span::Swallow;

/// Furthest that a spelled quote is looked for.
const SPELLED_BYTES: usize = 4 << 10;

/// Shortest made-up argument behind a text.
const ARGUMENT_BYTES: usize = 8;

/// Longest name that is looked for behind a value.
const MEMBER_BYTES: usize = 64;

/// What stands between the old value and the new one in the plan of a change, and old values that say nothing.
const CHANGES: [&[u8]; 2] = [b"\" -> \"", b"\" => \""];
const OLD_VALUES: [&[u8]; 6] = [
    b"(sensitive value) -> \"",
    b"<sensitive> -> \"",
    b"<sensitive> => \"",
    b"(known after apply) -> \"",
    b"<computed> => \"",
    b"null -> \"",
];

/// How the name of a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writing {
    Plain,
    /// With a double quote behind it, as in JSON.
    Quoted,
    /// As a command-line flag.
    Flag,
}

/// What may end a value without quotes before a blank does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parts {
    /// A separator and the next pair, as in a query.
    Pairs,
    /// A semicolon and the next pair, as in a connection string.
    Connection,
    /// Nothing: it is a variable of an environment, on a line of its own.
    One,
}

/// What is known about a value before it is read.
#[derive(Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "facts that have nothing to do with each other")]
pub(crate) struct Value<'v> {
    pub(crate) kind: Kind,
    pub(crate) strength: Strength,
    pub(crate) operator: Operator,
    pub(crate) name: &'v [u8],
    /// The name is `pass` alone.
    pub(crate) lone_pass: bool,
    /// There are blanks around the operator.
    pub(crate) spaced: bool,
    pub(crate) writing: Writing,
    /// A parser complains of a token.
    pub(crate) complaint: bool,
    /// The quote before the name, or before the tag that it is, unless it closes behind the name.
    pub(crate) around: Option<u8>,
    /// The byte before the name.
    pub(crate) before: Option<u8>,
    /// Other names stand before it: `user, password = …`.
    pub(crate) among: bool,
    /// The name is a plural that holds secrets only in a list.
    pub(crate) listed: bool,
    /// The quote before the value may close a text that ends with the name.
    pub(crate) closing: bool,
    pub(crate) parts: Parts,
    pub(crate) store: Store,
}

impl Value<'static> {
    /// That of a name which leaves no doubt, with nothing around it.
    pub(crate) const PASSWORD: Self = Self {
        kind: Kind::Password,
        strength: Strength::Strong,
        operator: Operator::Assign,
        name: b"password",
        lone_pass: false,
        spaced: false,
        writing: Writing::Plain,
        complaint: false,
        around: None,
        before: None,
        among: false,
        listed: false,
        closing: false,
        parts: Parts::Pairs,
        store: Store::None,
    };
}

impl Value<'_> {
    /// The words of the name, of a plural those of the singular.
    pub(crate) fn words(&self) -> Words {
        let singular = if self.listed { name::singular(self.name) } else { None };
        Words::new(singular.unwrap_or(self.name))
    }

    /// `"name": ` as in JSON: the name leaves no doubt where its value begins.
    pub(crate) fn is_member(&self) -> bool {
        self.writing == Writing::Quoted && self.operator == Operator::Colon
    }

    /// True when what stands around the name leaves no room for code: an environment, a flag, a member of a document in quotes,
    /// an element, a parameter of an address, a header, a connection string.
    pub(crate) fn is_data(&self, quoted: bool) -> bool {
        let direct = self.operator == Operator::Assign && !self.spaced;
        let colon = self.operator == Operator::Colon;
        self.is_environment()
            || self.operator == Operator::Tag
            || quoted && self.is_member()
            || direct && matches!(self.before, Some(b'?' | b'&'))
            || direct && self.before == Some(b';') && self.name[0].is_ascii_uppercase()
            || colon && self.is_header()
    }

    /// `X-Api-Key`: words with a capital first that dashes join.
    fn is_header(&self) -> bool {
        let opens = |word: &[u8]| word.first().is_some_and(u8::is_ascii_uppercase);
        self.name.contains(&b'-')
            && (self.name.split(|byte| *byte == b'-').all(opens)
                || self.name.starts_with(b"x-") && self.before.is_none_or(|byte| byte == b'\n'))
    }

    /// `NAME=value` as in an environment or a flag: whatever follows is the value, it is not an expression.
    pub(crate) fn is_environment(&self) -> bool {
        let shouting =
            self.writing == Writing::Flag || !self.name.iter().any(u8::is_ascii_lowercase);
        shouting && self.operator == Operator::Assign && !self.spaced
    }
}

/// Reads the value that begins at `at` and notes it if it is a secret.
pub(crate) fn take<'t>(scan: &mut Scan<'t, '_>, value: &Value<'t>, at: usize) {
    let inside = (value.operator != Operator::Compare).then(|| inside(scan, value, at)).flatten();
    let at = inside.unwrap_or(at);
    let rest = &scan.text[at..];
    match rest {
        [b'[', ..] if value.operator != Operator::Compare => list::take(scan, value, at + 1),
        [
            b'b' | b'B' | b'f' | b'F' | b'L' | b'r' | b'R' | b'u' | b'U' | b'@' | b'$',
            quote @ (b'"' | b'\''),
            ..,
        ] => {
            take_quoted(scan, value, at + 2, *quote);
        }
        // The plan of a change: what is shown of the old value, and the new one.
        [b'(' | b'<' | b'n', ..] if old_value(rest) > 0 => {
            take_quoted(scan, value, at + old_value(rest), b'"');
        }
        // It closes what the name stands in: `"passwd:" and`, `"<password>" instead`.
        [quote, next @ ..]
            if value.around == Some(*quote)
                && (value.operator == Operator::Tag
                    || !value.spaced
                        && matches!(
                            next,
                            [b' ' | b',' | b';' | b'.' | b')' | b']' | b'+', ..]
                        )) => {}
        _ => match Quote::at(rest) {
            // It closes what the name stands in.
            Some((Quote::Plain(quote), 1))
                if scan.is_open(at, quote) && ends_member(&rest[1..]) => {}
            // The same behind backslashes that escape each other.
            Some((Quote::Escaped(_), length))
                if length % 2 == 1 && scan.is_open(at, b'"') && ends_member(&rest[length..]) => {}
            Some((Quote::Plain(quote), 1)) if closes_prompt(scan, value, at, quote) => {}
            Some((Quote::Plain(quote), length)) => {
                let end = take_quoted(scan, value, at + length, quote);
                if let Some(change) =
                    CHANGES.iter().find(|change| scan.text[end..].starts_with(change))
                {
                    take_quoted(scan, value, end + change.len(), b'"');
                }
            }
            Some((Quote::Escaped(walk), length)) => take_escaped(scan, value, at + length, walk),
            Some((Quote::Spelled(quote), length)) => take_spelled(scan, value, at + length, quote),
            None if value.operator == Operator::Compare => take_doubled(scan, value, at),
            // Of its argument nothing is known.
            None if !value.is_data(false) && wrapper::is_call(scan.text, at) => {}
            None => bare::take(scan, value, at),
        },
    }
}

/// True when the quote at `at` closes a text that asks for a value: `"Password: "`. What looks like a value may follow all
/// the same.
fn closes_prompt(scan: &mut Scan<'_, '_>, value: &Value<'_>, at: usize, quote: u8) -> bool {
    let behind = &scan.text[at + 1..];
    let ends = match behind {
        [b' ' | b',' | b';', next @ ..] => {
            let next = &next[Class::run_of_blanks(next)..];
            !operator::is_marked(next) && next.first() != Some(&quote)
        }
        [] | [b'\n' | b'\r', ..] => true,
        // A value may begin like what follows a text, where an apostrophe seems to open one: `it's … '.aB3dE6'`.
        [b')' | b']', next @ ..] => !next.first().is_some_and(u8::is_ascii_alphanumeric),
        [b'.', method @ ..] => {
            let reach = &method[..method.len().min(NAME_BYTES)];
            let called = method.get(Class::Word.run(reach)) == Some(&b'(');
            let (names, next) = method.split_at(Class::Dot.run(reach));
            let name = |byte: &u8| byte.is_ascii_lowercase() || b"._".contains(byte);
            let ends = match next {
                [] | [b'\n' | b'\r' | b';', ..] => true,
                // An apostrophe may have opened what looks like a quote.
                [b',' | b')' | b']', ..] => quote == b'"',
                _ => false,
            };
            method.first() != Some(&b'(')
                && (called || ends && !names.is_empty() && names.iter().all(name))
        }
        _ => false,
    };
    ends && matches!(value.operator, Operator::Assign | Operator::Colon)
        && value.writing != Writing::Quoted
        && scan.is_open(at, quote)
}

/// How many bytes of an old value and an arrow `text` begins with.
fn old_value(text: &[u8]) -> usize {
    OLD_VALUES.iter().find(|old| text.starts_with(old)).map_or(0, |old| old.len())
}

/// The value of an environment or a flag that begins with an equals sign: `PASSWORD==x1y2`.
fn take_doubled<'t>(scan: &mut Scan<'t, '_>, value: &Value<'t>, at: usize) {
    let value = &Value { operator: Operator::Assign, ..*value };
    let text = scan.text;
    let body = &text[at..at + Class::Bare.run(&text[at..text.len().min(at + JUDGED_BYTES)])];
    let begins = matches!(value.before, None | Some(b'\n'));
    let apart = begins || matches!(value.before, Some(b' ' | b';' | b'-' | b'"' | b'\''));
    let doubled = text[..at].ends_with(b"==") && !text[..at - 2].ends_with(b"=");
    let may_hold = match value.kind {
        Kind::Password | Kind::Secret => begins || body.iter().any(u8::is_ascii_digit),
        _ => body.len() >= random::RANDOM_BYTES && body.iter().any(u8::is_ascii_digit),
    };
    let direct = doubled && value.is_data(false);
    if direct && apart && may_hold && value.strength == Strength::Strong {
        bare::take(scan, value, at - 1);
    }
}

/// Where the literal of a call or a template at `at` begins.
fn inside(scan: &mut Scan<'_, '_>, value: &Value<'_>, at: usize) -> Option<usize> {
    let data = value.is_data(false);
    let literal = wrapper::literal(scan, at, data).or_else(|| wrapper::default(scan.text, at));
    let code = !data && value.strength == Strength::Strong;
    literal
        .or_else(|| code.then(|| argument::fallback(scan.text, at))?)
        .or_else(|| code.then(|| behind_prompt(scan, at))?)
}

/// Where the last argument of a call begins that a text is printed with: `print("Password: ", "x")`, when it looks like nothing but a value.
fn behind_prompt(scan: &mut Scan<'_, '_>, at: usize) -> Option<usize> {
    let quote = *scan.text.get(at)?;
    let rest = scan.text[at..].strip_prefix(&[quote, b','])?;
    if !matches!(quote, b'"' | b'\'') || !scan.is_open(at, quote) {
        return None;
    }
    let next = at + 2 + Class::run_of_blanks(rest);
    let body = argument::literal(scan.text, next)?;
    // A list has other texts as well.
    let last = scan.text[next..]
        .get(body.len() + 1..)
        .is_some_and(|rest| matches!(rest, [b'"' | b'\'', b')', ..]));
    let looks = argument::is_value(body) || random::is_made_up(body, ARGUMENT_BYTES);
    (last && looks).then(|| argument::begins_literal(scan.text, next))?
}

/// What follows a string in a document: `,"`, `]`, `}`.
pub(super) fn ends_member(rest: &[u8]) -> bool {
    let next = &rest[Class::run_of_blanks(rest)..];
    match next {
        [b',', next @ ..] => {
            let next = &next[Class::run_of_blanks(next)..];
            next.first().is_some_and(|byte| b"\"[{-0123456789tfn".contains(byte))
        }
        _ => matches!(next, [b']' | b'}', ..]),
    }
}

/// Between quotes. Without a closing quote the value is the rest of the line. Gives where it ends.
fn take_quoted<'t>(scan: &mut Scan<'t, '_>, value: &Value<'t>, start: usize, quote: u8) -> usize {
    let mut swallow = quoted(quote);
    let opened = scan.is_open(start - 1, quote);
    let reach = if value.strength == Strength::Weak { JUDGED_BYTES } else { usize::MAX };
    let text = &scan.text[..scan.text.len().min(start.saturating_add(reach))];
    let mut end = start + swallow.run(&text[start..]).0;
    let mut closed = scan.text.get(end) == Some(&quote);
    if let Some(string) = scan.string_end(start, end) {
        (end, closed) = (string, false);
    }
    // Before a word a quote opens, or is an apostrophe.
    let after = scan.text.get(end + 1);
    let opens = after.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"\"# {[".contains(byte));
    if quote == b'\''
        && (!closed || opens)
        && !scan.is_cut(end)
        && let Some(length) = ends_with_backslash(&scan.text[start..], end - start, closed)
    {
        (end, closed) = (start + length, true);
    }
    if scan.is_cut(end) && value.strength == Strength::Strong {
        scan.add(start, end, swallow, false);
        return end;
    }
    // A text may go on from the line before, so that nothing shows where its quote was opened.
    let next = scan.text.get(start + 1).is_some_and(u8::is_ascii_alphanumeric);
    let value = &Value { closing: opened || !closed && !next, ..*value };
    let strong = value.strength == Strength::Strong;
    if closed
        && strong
        && let Some(last) = note_joined(scan, value, start, end)
    {
        return last;
    }
    if closed || strong {
        note_quoted(scan, value, start, end);
    }
    end
}

/// Where a value ends of which only the last quote has a backslash before it. Between single quotes that is no escape in
/// YAML and in a shell: `'C:\'`, `{password: 'C:\', user: 'x'}`. `text` begins with the
/// value, `to` is the line's end, or the next quote if it is `quoted`.
fn ends_with_backslash(text: &[u8], to: usize, quoted: bool) -> Option<usize> {
    let length = memchr::memmem::rfind(&text[..to], b"\\'")? + 1;
    let after = &text[length + 1..to];
    let closers = after.iter().take_while(|byte| b"]}), ;\t\r".contains(byte)).count();
    let line_ends = !quoted && (closers == after.len() || after.starts_with(b" #"));
    let brackets = after.iter().take_while(|byte| b"]} ".contains(byte)).count();
    let next = &text[length + 1 + brackets..];
    let goes_on = || next.strip_prefix(b", ").is_some_and(begins_member);
    (line_ends || goes_on()).then_some(length)
}

/// `name: `, `"name": `
fn begins_member(text: &[u8]) -> bool {
    let quote = text.first().filter(|byte| b"'\"".contains(byte));
    let name = &text[usize::from(quote.is_some())..];
    let part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_.-/ ".contains(byte);
    let length = name.iter().take(MEMBER_BYTES).take_while(part).count();
    let rest = &name[length..];
    let rest = quote.map_or(Some(rest), |quote| rest.strip_prefix(&[*quote]));
    length > 0 && rest.is_some_and(|rest| rest.starts_with(b": "))
}

/// Notes a quoted value together with what is joined to it, if that is a secret. Gives where its last quote is.
fn note_joined<'t>(
    scan: &mut Scan<'t, '_>,
    value: &Value<'t>,
    start: usize,
    close: usize,
) -> Option<usize> {
    let joined = joined::read(scan, start, close)?;
    let (Joined::Quoted(end) | Joined::Bare(end)) = joined;
    let mut body = &scan.text[start..end];
    if scan.is_cut(end) || mask::occurs(&body[..body.len().min(JUDGED_BYTES)]) {
        return None;
    }
    while let [b'"' | b'\'', rest @ ..] | [rest @ .., b'"' | b'\''] = body {
        body = rest;
    }
    let after = &scan.text[end..];
    if !scan.verdicts().is_secret(value, body, true, after) {
        return None;
    }
    match joined {
        Joined::Quoted(end) => {
            scan.add(start, end, Swallow::While(Class::Line), false);
            Some(end)
        }
        Joined::Bare(end) => {
            scan.add(start, close, Swallow::While(Class::Line), false);
            scan.add(close + 1, end, Swallow::While(Class::Bare), false);
            Some(close)
        }
    }
}

/// Between escaped quotes, as in a document inside a document.
fn take_escaped<'t>(scan: &mut Scan<'t, '_>, value: &Value<'t>, start: usize, mut walk: Escaped) {
    let strong = value.strength == Strength::Strong;
    let reach = if strong { usize::MAX } else { JUDGED_BYTES };
    let text = &scan.text[..scan.text.len().min(start.saturating_add(reach))];
    let stop = start + walk.run(&text[start..]);
    if let Some(end) = scan.string_end(start, stop) {
        return note_quoted(scan, value, start, end);
    }
    let end = stop - walk.held();
    if strong && scan.is_cut(stop) {
        return scan.add_open(start, end, Swallow::Escaped(walk));
    }
    note_quoted(scan, value, start, end);
}

/// Between quotes that are spelled, as in a document inside markup or an address. Without a closing one the value is bare.
fn take_spelled<'t>(scan: &mut Scan<'t, '_>, value: &Value<'t>, start: usize, quote: &[u8]) {
    let line_end = scan.runs.end(scan.text, Class::Line, start);
    let rest = &scan.text[start..line_end.min(start + SPELLED_BYTES)];
    let closing = memchr::memchr_iter(quote[0], rest).find(|&at| {
        let candidate = &rest[at..rest.len().min(at + quote.len())];
        candidate.eq_ignore_ascii_case(quote)
    });
    let string_ends =
        closing.is_some_and(|length| scan.string_end(start, start + length).is_some());
    match closing.filter(|_| !string_ends) {
        Some(length) => note_quoted(scan, value, start, start + length),
        // What a mask took may have held the closing quote.
        None if mask::occurs(rest) => {}
        None => bare::take(scan, value, start),
    }
}

pub(super) fn note_quoted<'t>(
    scan: &mut Scan<'t, '_>,
    value: &Value<'t>,
    start: usize,
    end: usize,
) {
    let (body, after) = (&scan.text[start..end], &scan.text[end..]);
    // A mask inside says that the whole was judged before.
    let is_secret = if value.strength == Strength::Weak {
        random::is_weak_secret(scan, value, start, end)
    } else {
        !mask::occurs(&body[..body.len().min(JUDGED_BYTES)])
            && scan.verdicts().is_secret(value, body, true, after)
    };
    if is_secret {
        scan.add(start, end, Swallow::While(Class::Line), false);
    }
}

/// `password: str = "value"`, `password: String = String::from("value")`
pub(super) fn take_after_type<'t>(scan: &mut Scan<'t, '_>, value: &Value<'t>, end: usize) {
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
    let at = inside(scan, value, at).unwrap_or(at);
    if matches!(scan.text.get(at), Some(b'"' | b'\'' | b'`')) {
        let quote = scan.text[at];
        take_quoted(scan, value, at + 1, quote);
    }
}
