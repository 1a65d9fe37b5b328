//! A name that promises a secret, an operator, and the value.

use std::ops::Range;

use super::Scan;
use super::algorithm::is_algorithm;
use super::identifier::{NAME_BYTES, Words};
use super::name::{self, Kind, Promise, Strength};
use super::operator::{self, BLANKS, Operator};
use super::position::{self, Position};
use super::store::{self, Store};
use super::value::{self, Parts, Value, Writing};
use super::{argument, judge, pair, plain, random, reference, wrapper};
use crate::block;
use crate::class::Class;
use crate::mask;
use crate::quote::Quote;
use crate::span::Swallow;

/// A quoted value longer than this is taken for a secret without a look at what it says.
pub(crate) const JUDGED_BYTES: usize = 512;

/// Furthest that the beginning of an ARN is looked for.
const ARN_BYTES: usize = 128;

/// Shortest value of a name that begins with a word that asks, and of a key named with a blank.
pub(super) const ASKED_BYTES: usize = 8;
const TOLD_BYTES: usize = 6;
const KEY_BYTES: usize = 12;

/// A name's word was found at `start..end`.
pub(crate) fn check(scan: &mut Scan<'_, '_>, kind: Kind, start: usize, end: usize) {
    let judged_to = scan.named_to[kind as usize];
    if start < judged_to {
        return scan.meets(start, judged_to);
    }
    if start < scan.lists_to && scan.holds_finding(start) {
        return;
    }
    let text = scan.text;
    // Some triggers hold the operator.
    let end = end - usize::from(text[end - 1] == b'=');
    let reach = text.len().min(end + NAME_BYTES);
    let name_end = before_default(text, start, end..end + Class::Dot.run(&text[end..reach]));
    scan.named_to[kind as usize] = name_end;
    scan.meets(start, name_end);
    if block::may_begin(text, name_end) && ends_below(scan, kind, start, name_end) {
        return;
    }
    if !operator::may_operate(text, name_end)
        || kind == Kind::Key && name_end == end && is_hopeless_key(scan, start, end)
    {
        return;
    }
    let name_start = name_begin(text, start);
    let read = operator::read(text, name_start, name_end);
    let argued = if read.is_none() { argument::read(text, name_start, name_end) } else { None };
    let Some((operator, mut after)) = read.or(argued) else {
        return take_before(scan, kind, name_start, name_end);
    };
    match position::read(text, name_start, name_end) {
        Some(Position::Place) => return,
        Some(Position::Line(line)) => after = line,
        None => {}
    }
    if mask::labels(text, name_start) || is_in_code(text, name_start, name_end) {
        return;
    }
    let weak = match kind {
        Kind::Auth | Kind::Signature => true,
        Kind::Key => name_end - name_start == end - start,
        _ => false,
    };
    let begin = after + Class::run_of_blanks(&text[after..]);
    let at = wrapper::behind_tags(text, operator, begin);
    if name::is_unlike(kind, &text[name_start..name_end], &text[at..]) {
        return;
    }
    let qualified = weak && is_qualified(text, name_start, name_end, at);
    // As in every line that was redacted before.
    if mask::length(&text[at..]) > 0 {
        return;
    }
    let direct = operator == Operator::Assign && at == after && name_end + 1 == after;
    if weak && !qualified && random::is_hopeless(scan, &text[name_start..name_end], direct, at) {
        return;
    }
    let writing = if text.get(name_end) == Some(&b'"') {
        Writing::Quoted
    } else if operator::opens_flag(text, name_start) {
        Writing::Flag
    } else {
        Writing::Plain
    };
    let verb = if argued.is_some() { argument::verb(&text[name_start..name_end]) } else { 0 };
    let found = scan.names().read(kind, text, name_start + verb, name_end);
    let listed = found.is_none() && text.get(at) == Some(&b'[');
    let Some((name, Promise { strength, lone_pass, asks })) =
        found.or_else(|| name::read_plural(kind, &text[name_start..name_end]).filter(|_| listed))
    else {
        return;
    };
    if asks && !is_told(kind, name, operator, &text[at..]) {
        return;
    }
    if weak && kind == Kind::Key && name::is_public(text, name_start, name_end) {
        return;
    }
    let strength = if qualified { Strength::Strong } else { strength };
    if strength == Strength::Weak && !weak && random::lacks_digit(scan, name, at) {
        return;
    }
    let blanks = begin - after;
    if blanks > BLANKS || argued.is_some() && strength == Strength::Weak {
        return;
    }
    if operator == Operator::Colon
        && strength == Strength::Strong
        && matches!(text.get(at), Some(b'|' | b'>'))
        && scan.begins_block(judge::of_lines(kind), name_start..name_end, at)
    {
        return;
    }
    let spaced = blanks > 0 || text.get(name_end) == Some(&b' ');
    let complaint = kind == Kind::Token && plain::is_complaint(&text[..name_start]);
    let before = text[..name_start].last().copied();
    let around = quote_around(text, name_start, name_end);
    let among = is_among(scan, name_start);
    let value = Value {
        kind,
        strength,
        operator,
        name,
        lone_pass,
        spaced,
        writing,
        complaint,
        around,
        before,
        among,
        listed,
        closing: Quote::at(&text[name_end..]).is_none(),
        parts: Parts::Pairs,
        store: store::read(text, name_start, kind, writing),
    };
    let value = Value { parts: parts(scan, &value, name_start), ..value };
    if is_settled(text, operator, name_end, after) {
        let quoted = matches!(text.get(at), Some(b'"' | b'\''));
        scan.settles_at = at + usize::from(quoted);
    }
    value::take(scan, &value, at);
    scan.settles_at = usize::MAX;
}

/// Whether the key named at `start..end` is qualified, and its value at `at` is one and no id.
fn is_qualified(text: &[u8], start: usize, end: usize, at: usize) -> bool {
    name::is_qualified(text, start, end)
        && is_key(&text[at..])
        && !name::is_key_id(text, start, &text[at..])
}

/// Whether a name that asks holds a value all the same: one that is made up, or behind `enable_password: `, `expected_password = "`
/// and the like, which hold one as often, a word with a letter and a digit that no variable is.
fn is_told(kind: Kind, name: &[u8], operator: Operator, text: &[u8]) -> bool {
    if random::is_made_up(text, ASKED_BYTES) {
        return true;
    }
    let words = Words::new(name);
    let tells = matches!(words.get(0), b"change" | b"enable" | b"expected" | b"no");
    let quote = Quote::at(text).map_or(0, |(_, length)| length);
    let shouts = !name.iter().any(u8::is_ascii_lowercase);
    let text = &text[quote..];
    let word = &text[..Class::Alnum.run(&text[..text.len().min(NAME_BYTES)])];
    let ends = text[word.len()..].first().is_none_or(|next| b" \t\r\n\"'`\\,;}&".contains(next));
    kind == Kind::Password
        && tells
        && (quote > 0 || operator == Operator::Colon || shouts)
        && word.len() >= TOLD_BYTES
        && ends
        && argument::is_marked(word)
        && !is_algorithm(word)
}

/// Where the name begins that a word at `start` is in.
fn name_begin(text: &[u8], start: usize) -> usize {
    let before = text[..start].iter().rev().take(NAME_BYTES);
    start - before.take_while(|&&byte| Class::Dot.has(byte)).count()
}

/// Where the name ends whose word begins at `start`, of which the bytes at `rest` look like the rest: before the dash in
/// `${PASSWORD-…}`.
fn before_default(text: &[u8], start: usize, rest: Range<usize>) -> usize {
    memchr::memchr(b'-', &text[rest.clone()])
        .filter(|_| reference::opens_parameter(&text[..name_begin(text, start)]))
        .map_or(rest.end, |dash| rest.start + dash)
}

/// A value that no word of a text is: long, of letters and digits, or made up.
fn is_key(text: &[u8]) -> bool {
    if random::is_made_up(text, KEY_BYTES) {
        return true;
    }
    let text = &text[Quote::at(text).map_or(0, |(_, length)| length)..];
    let body = &text[..Class::Dash.run(&text[..text.len().min(NAME_BYTES)])];
    body.len() >= random::RANDOM_BYTES
        && body.iter().any(u8::is_ascii_digit)
        && body.iter().any(u8::is_ascii_alphabetic)
}

/// What separates in the value of the name at `name_start`.
fn parts(scan: &Scan<'_, '_>, value: &Value<'_>, name_start: usize) -> Parts {
    let text = scan.text;
    if value.writing == Writing::Plain && value.is_environment() {
        return if is_variable(scan, name_start) { Parts::One } else { Parts::Pairs };
    }
    let direct = value.operator == Operator::Assign && !value.spaced;
    if !direct || value.before != Some(b';') || !value.name[0].is_ascii_uppercase() {
        return Parts::Pairs;
    }
    let before = text[..name_start - 1].iter().rev().take(8);
    let entity = before.take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'#').count();
    let spelled = text[..name_start - 1 - entity].ends_with(b"&");
    if spelled { Parts::Pairs } else { Parts::Connection }
}

/// True when the name begins its line, or the string that does, perhaps behind the word that sets it.
fn is_variable(scan: &Scan<'_, '_>, name_start: usize) -> bool {
    let Some(line) = scan.line_start(name_start, NAME_BYTES) else { return false };
    let before = &scan.text[line..name_start];
    let before = before.strip_suffix(b"\"").or_else(|| before.strip_suffix(b"'")).unwrap_or(before);
    let words = before.trim_ascii();
    let words = words.strip_prefix(b"- ").unwrap_or(words).trim_ascii();
    matches!(
        words,
        b"" | b"-" | b"+" | b"export" | b"ENV" | b"ARG" | b"set" | b"SET" | b"declare -x"
    )
}

/// A quick no for `key=`, which stands everywhere: nothing before it makes it a stronger name, and its value is none.
fn is_hopeless_key(scan: &mut Scan<'_, '_>, start: usize, end: usize) -> bool {
    let text = scan.text;
    let alone = start == 0 || !Class::Dot.has(text[start - 1]);
    let direct =
        matches!(text[end..], [b'=', next, ..] if Class::Bare.has(next) && !b"=~>".contains(&next));
    alone
        && direct
        && random::is_hopeless(scan, &text[start..end], true, end + 1)
        && !is_qualified(text, start, end, end + 1)
}

/// Whether a name that ends at `name_end` will see a mask whatever stands before it: nothing but an equals sign or a colon is
/// between the two, or one byte more.
fn is_settled(text: &[u8], operator: Operator, name_end: usize, after: usize) -> bool {
    matches!(operator, Operator::Assign | Operator::Colon)
        && after - name_end <= 2
        && matches!(text[after - 1], b'=' | b':')
}

/// True when no value of the name follows on its line; one that stands before it is noted.
fn ends_below(scan: &mut Scan<'_, '_>, kind: Kind, start: usize, name_end: usize) -> bool {
    let text = scan.text;
    let start = name_begin(text, start);
    let read = scan.names().read(kind, text, start, name_end);
    let mut ends = may_end_line(text, name_end);
    if let Some((_, Promise { strength: Strength::Strong, asks: false, .. })) = read {
        ends |= scan.begins_pair(judge::of_lines(kind), start..name_end);
    }
    if ends {
        take_before(scan, kind, start, name_end);
    }
    ends
}

/// The value of a name that is itself one, in a member before it.
fn take_before(scan: &mut Scan<'_, '_>, kind: Kind, name_start: usize, name_end: usize) {
    let text = scan.text;
    let Some(range) = pair::value_before(text, name_start, name_end) else { return };
    let Some((name, Promise { strength, lone_pass, asks })) =
        scan.names().read(kind, text, name_start, name_end)
    else {
        return;
    };
    if asks && !random::is_made_up(&text[range.clone()], ASKED_BYTES) {
        return;
    }
    let value = Value {
        kind,
        strength,
        operator: Operator::Assign,
        name,
        lone_pass,
        spaced: false,
        writing: Writing::Quoted,
        complaint: false,
        around: None,
        before: text[..name_start].last().copied(),
        among: false,
        listed: false,
        closing: false,
        parts: Parts::Pairs,
        store: Store::None,
    };
    value::note_quoted(scan, &value, range.start, range.end);
}

/// The quote before the name, or before its tag, that does not close behind it.
fn quote_around(text: &[u8], name_start: usize, name_end: usize) -> Option<u8> {
    let tag = usize::from(text.get(name_end) == Some(&b'>'));
    let quote = *text.get(name_start.checked_sub(1 + tag)?)?;
    (matches!(quote, b'"' | b'\'' | b'`') && text.get(name_end) != Some(&quote)).then_some(quote)
}

/// True when nothing but other names stands before the one at `name_start` on its line: `user, password = …`.
fn is_among(scan: &Scan<'_, '_>, name_start: usize) -> bool {
    if !scan.text[..name_start].ends_with(b", ") {
        return false;
    }
    let line = scan.line_start(name_start, NAME_BYTES);
    let names = |byte: &u8| Class::Dot.has(*byte) || b" \t,(".contains(byte);
    line.is_some_and(|line| scan.text[line..name_start].iter().all(names))
}

/// Names that only say where something is: a module in quotes, as in `'Pod::EndToken' => …`, a kind of token of a highlighter,
/// as in `Token.Name.Builtin: …`, and the token of `pkcs11:token=…`.
fn is_in_code(text: &[u8], name_start: usize, name_end: usize) -> bool {
    let before = &text[..name_start];
    let name = &text[name_start..name_end];
    let quoted = matches!(text.get(name_end), Some(b'"' | b'\''));
    let class = |part: &[u8]| part.first().is_some_and(u8::is_ascii_uppercase);
    // `unknown ? token : other`
    let choice = before.ends_with(b"? ") && text[name_end..].starts_with(b" : ");
    let choice = choice || quoted && is_compared_text(text, name_start, name_end);
    choice
        || quoted && before.ends_with(b"::")
        || before.ends_with(b"pkcs11:")
        || (before.ends_with(b":") || text.get(name_end) == Some(&b':'))
            && reference::is_in_lookup(text, name_start, name_end)
        || before.ends_with(b":") && is_in_arn(before)
        // The command in a line of a shell.
        || name == b"pwd" && before.ends_with(b"`") && text.get(name_end) == Some(&b'`')
        || name.starts_with(b"Token")
            && name.contains(&b'.')
            && name.split(|byte| *byte == b'.').all(class)
}

/// A text that something is compared with or chosen: `show ? "password" : "text"`, `if kind == "password": return`,
/// `case "password":`.
fn is_compared_text(text: &[u8], name_start: usize, name_end: usize) -> bool {
    let quote = text[name_end];
    let Some(before) = text[..name_start].strip_suffix(&[quote]) else { return false };
    let rest = &text[name_end + 1..];
    match before.strip_suffix(b" ").unwrap_or(before) {
        [.., b'?'] => rest.starts_with(b":") && !before.ends_with(b" ") || rest.starts_with(b" :"),
        [.., b'=' | b'!', b'='] | [.., b'c', b'a', b's', b'e'] | [.., b' ', b'i', b'n'] => {
            rest.starts_with(b":")
        }
        _ => false,
    }
}

/// `arn:aws:secretsmanager:…:secret:name`: the name of a thing.
fn is_in_arn(before: &[u8]) -> bool {
    let near = &before[before.len().saturating_sub(ARN_BYTES)..];
    let word = near.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    memchr::memmem::rfind(word, b"arn:").is_some_and(|at| {
        word[at..].iter().all(|byte| byte.is_ascii_alphanumeric() || b":-_/*${}.".contains(byte))
    })
}

/// Nothing but a quote and a comma follows on the line.
fn may_end_line(text: &[u8], at: usize) -> bool {
    matches!(
        text[at..],
        [b'\n' | b'\r', ..]
            | [b'"' | b'\'', b'\n' | b'\r', ..]
            | [b'"' | b'\'', b',', b'\n' | b'\r', ..]
    )
}

/// How to go on in a quoted value.
pub(crate) fn quoted(quote: u8) -> Swallow {
    Swallow::Quoted { quote, escaped: false }
}
