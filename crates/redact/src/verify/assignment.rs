//! A name that promises a secret, an operator, and the value.

use super::Scan;
use super::identifier::{NAME_BYTES, Words};
use super::position::{self, Position};
use super::value::{self, Value, Writing};
use super::words::{ABOUT, ASKING, KEY_OF, KEY_WORDS};
use super::{pair, plain, random, table};
use crate::class::Class;
use crate::mask;
use crate::quote::Quote;
use crate::span::Swallow;

/// Most blanks between a name and its operator or between that and the value.
const BLANKS: usize = 64;

/// A quoted value longer than this is taken for a secret without a look at what it says.
pub(crate) const JUDGED_BYTES: usize = 512;

/// Which family of words the name has; it decides how much the value must look like a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Password,
    Secret,
    Token,
    Key,
    Credential,
    Auth,
    Signature,
}

/// How many kinds there are.
pub(crate) const KINDS: usize = 7;

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

/// A name's word was found at `start..end`.
pub(crate) fn check(scan: &mut Scan<'_, '_>, kind: Kind, start: usize, end: usize) {
    if start < scan.named_to[kind as usize] {
        return;
    }
    let text = scan.text;
    let reach = text.len().min(end + NAME_BYTES);
    let name_end = end + Class::Dot.run(&text[end..reach]);
    scan.named_to[kind as usize] = name_end;
    if !may_operate(text, name_end) {
        return;
    }
    let before = text[..start].iter().rev().take(NAME_BYTES);
    let name_start = start - before.take_while(|&&byte| Class::Dot.has(byte)).count();
    let Some((operator, mut after)) = operator(text, name_start, name_end) else { return };
    match position::read(text, name_start, name_end) {
        Some(Position::Place) => return,
        Some(Position::Line(line)) => after = line,
        None => {}
    }
    if mask::labels(text, name_start) {
        return;
    }
    let weak = match kind {
        Kind::Auth | Kind::Signature => true,
        Kind::Key => name_end - name_start == end - start,
        _ => false,
    };
    let at = after + Class::run_of_blanks(&text[after..]);
    let direct = operator == Operator::Assign && at == after && name_end + 1 == after;
    if weak && random::is_hopeless(scan, &text[name_start..name_end], direct, at) {
        return;
    }
    let writing = if text.get(name_end) == Some(&b'"') {
        Writing::Quoted
    } else if opens_flag(text, name_start) {
        Writing::Flag
    } else {
        Writing::Plain
    };
    let found = read_name(kind, text, name_start, name_end);
    let listed = found.is_none() && text.get(at) == Some(&b'[');
    let Some((name, words, strength)) =
        found.or_else(|| read_plural(kind, &text[name_start..name_end]).filter(|_| listed))
    else {
        return;
    };
    let blanks = at - after;
    if blanks > BLANKS {
        return;
    }
    if operator == Operator::Colon
        && strength == Strength::Strong
        && matches!(text.get(at), Some(b'|' | b'>'))
        && scan.begins_block(kind, name_start..name_end, at)
    {
        return;
    }
    let spaced = blanks > 0 || text.get(name_end) == Some(&b' ');
    let complaint = kind == Kind::Token && plain::is_complaint(&text[..name_start]);
    let before = text[..name_start].last().copied();
    let words = &words;
    let value =
        Value { kind, strength, operator, name, words, spaced, writing, complaint, before, listed };
    value::take(scan, &value, at);
}

/// The name at `start..end`, its words, and how sure they make it. What an escape before the name ends in, as in `\ntoken`
/// and `%22token`, is not part of it.
fn read_name(
    kind: Kind,
    text: &[u8],
    start: usize,
    end: usize,
) -> Option<(&[u8], Words, Strength)> {
    let read = |start: usize| {
        let name = trim(&text[start..end]);
        let name = &name[name.len().saturating_sub(NAME_BYTES)..];
        let words = Words::new(name);
        strength(kind, &words).map(|strength| (name, words, strength))
    };
    let escape = match (text[..start].last(), &text[start..end]) {
        (Some(b'\\'), [b'n' | b'r' | b't', ..]) => 1,
        (Some(b'\\'), [b'u', b'0', b'0', ..]) => 5,
        (Some(b'%'), [high, low, ..]) if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => 2,
        _ => 0,
    };
    read(start).or_else(|| (escape > 0 && start + escape < end).then(|| read(start + escape))?)
}

/// A plural before a list: `tokens`, `apiKeys`. Alone it names tokens of a grammar or keys of a table as often.
fn read_plural(kind: Kind, name: &[u8]) -> Option<(&[u8], Words, Strength)> {
    let name = trim(name);
    let name = &name[name.len().saturating_sub(NAME_BYTES)..];
    let singular = name.strip_suffix(b"s").or_else(|| name.strip_suffix(b"S"))?;
    let words = Words::new(singular);
    let strength = strength(kind, &words)?;
    let alone = kind == Kind::Token && words.len() == 1;
    Some((name, words, if alone { Strength::Weak } else { strength }))
}

/// How sure the name alone makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strength {
    /// Any value that is not a placeholder is a secret.
    Strong,
    /// The value must look random.
    Weak,
}

fn strength(kind: Kind, words: &Words) -> Option<Strength> {
    let strength = promise(kind, words)?;
    let asks =
        || words.len() > 1 && kind != Kind::Key && ASKING.binary_search(&words.get(0)).is_ok();
    (ABOUT.binary_search(&words.last()).is_err() && !asks()).then_some(strength)
}

/// What the words promise, whatever else the name says.
fn promise(kind: Kind, words: &Words) -> Option<Strength> {
    let any = |test: fn(&str) -> bool| words.iter().any(test);
    let strong = |test: fn(&str) -> bool| any(test).then_some(Strength::Strong);
    match kind {
        Kind::Password => {
            let named = strong(|word| {
                [
                    "password",
                    "passwd",
                    "passphrase",
                    "passwort",
                    "passcode",
                    "passwords",
                    "pwd",
                    "userpass",
                    "dbpass",
                    "sshpass",
                ]
                .iter()
                .any(|end| word.ends_with(end))
            });
            named.or_else(|| (words.last() == "pass").then_some(Strength::Strong))
        }
        Kind::Secret => strong(|word| {
            word.ends_with("secret")
                || word.starts_with("secretkey")
                || word.starts_with("secretaccess")
                || word == "secrets"
        }),
        Kind::Token => strong(|word| word.ends_with("token")),
        Kind::Credential => {
            strong(|word| matches!(word, "cred" | "creds" | "credential" | "credentials"))
        }
        Kind::Key => key_strength(words),
        Kind::Auth => any(|word| word == "auth").then_some(Strength::Weak),
        Kind::Signature => {
            any(|word| matches!(word, "sig" | "signature")).then_some(Strength::Weak)
        }
    }
}

fn key_strength(words: &Words) -> Option<Strength> {
    for index in 0..words.len() {
        let word = words.get(index);
        let known = KEY_WORDS.contains(&word);
        let qualified =
            word == "key" && index > 0 && KEY_OF.binary_search(&words.get(index - 1)).is_ok();
        if known || qualified {
            return Some(Strength::Strong);
        }
    }
    let bare = words.len() == 1 && words.get(0) == "key";
    bare.then_some(Strength::Weak)
}

/// A quick no: what follows most words is the next word.
fn may_operate(text: &[u8], name_end: usize) -> bool {
    match text.get(name_end) {
        Some(b' ') => {
            text.get(name_end + 1).is_some_and(|next| b"=:?! \t'".contains(next))
                || text[..name_end].ends_with(b"password")
                || is_flag(text, name_end)
        }
        Some(
            b'\t' | b'=' | b':' | b'?' | b'!' | b'"' | b'\'' | b'`' | b'\\' | b'>' | b'%' | b'&',
        ) => true,
        _ => false,
    }
}

/// Two dashes at `at` begin a flag.
fn opens_flag(text: &[u8], at: usize) -> bool {
    let apart = at == 0
        || matches!(
            text[at - 1],
            b' ' | b'\t' | b'\n' | b'"' | b'\'' | b'`' | b'(' | b'[' | b',' | b'='
        );
    apart && text[at..].starts_with(b"--")
}

/// The name that ends at `name_end` is a flag.
fn is_flag(text: &[u8], name_end: usize) -> bool {
    let name = text[..name_end]
        .iter()
        .rev()
        .take(NAME_BYTES)
        .take_while(|&&byte| Class::Dot.has(byte))
        .count();
    opens_flag(text, name_end - name)
}

/// The operator after a name and the offset behind it.
fn operator(text: &[u8], name_start: usize, name_end: usize) -> Option<(Operator, usize)> {
    if let Some(after) = pair::value_of(text, name_start, name_end) {
        return Some((Operator::Assign, after));
    }
    let mut at = name_end;
    // The end of a quoted name, also inside a quoted document, and of an index.
    if let Some((_, length)) = Quote::at(&text[at..]) {
        at += length;
        at += usize::from(text.get(at) == Some(&b']'));
    }
    let blanks = Class::run_of_blanks(&text[at..text.len().min(at + BLANKS + 1)]);
    let rest = &text[at + blanks..];
    let found = match rest {
        [b'=' | b'!', b'=', b'=', ..] => (Operator::Compare, 3),
        [b'=' | b'!', b'=', ..] => (Operator::Compare, 2),
        [b'?', b':', ..] => (Operator::Colon, 2),
        [b'=', b'>', ..] | [b':' | b'?', b'=', ..] => (Operator::Assign, 2),
        [b'=', b'~', ..] | [b':', b':', ..] | [b':', b'/', b'/', ..] => return None,
        [b'=', rest @ ..] if !rest.starts_with(b"&gt;") => (Operator::Assign, 1),
        [b'%', b'3', b'D' | b'd', ..] if blanks == 0 => (Operator::Assign, 3),
        [b'%', b'3', b'A' | b'a', ..] if blanks == 0 => (Operator::Colon, 3),
        [b'\\', b'u', b'0', b'0', b'3', b'D' | b'd', ..] => (Operator::Assign, 6),
        [b'\\', b'u', b'0', b'0', b'3', b'A' | b'a', ..] => (Operator::Colon, 6),
        [b'&', b'#', b'6', b'1', b';', ..] | [b'=', b'&', b'g', b't', b';', ..] => {
            (Operator::Assign, 5)
        }
        [b'&', b'#', b'5', b'8', b';', ..] => (Operator::Colon, 5),
        [b':', ..] => (Operator::Colon, 1),
        [b'>', ..]
            if blanks == 0 && at == name_end && name_start > 0 && text[name_start - 1] == b'<' =>
        {
            (Operator::Tag, 1)
        }
        [_, ..] if blanks > 0 && text[at] == b'\t' => {
            return table::begins_cell(text, name_start).then_some((Operator::Tab, at + blanks));
        }
        [first, ..] if blanks == 1 && at == name_end => return blank(text, name_start, at, *first),
        _ => return None,
    };
    Some((found.0, at + blanks + found.1))
}

/// A value after nothing but one blank.
fn blank(text: &[u8], name_start: usize, at: usize, first: u8) -> Option<(Operator, usize)> {
    let name = &text[name_start..at];
    if opens_flag(text, name_start) && !matches!(first, b'-' | b'\n') {
        return Some((Operator::Flag, at + 1));
    }
    let before = &text[name_start.saturating_sub(NAME_BYTES)..name_start];
    let line = before.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
    let netrc = name == b"password" && memchr::memmem::find(line, b"login ").is_some();
    let sql = first == b'\'' && name.eq_ignore_ascii_case(b"password");
    (netrc || sql).then_some((Operator::Blank, at + 1))
}

/// A name without the dashes and dots around it.
fn trim(mut name: &[u8]) -> &[u8] {
    while let [b'-' | b'.', rest @ ..] | [rest @ .., b'-' | b'.'] = name {
        name = rest;
    }
    name
}

impl Class {
    /// Spaces and tabs at the start of `text`.
    pub(crate) fn run_of_blanks(text: &[u8]) -> usize {
        text.iter().take(BLANKS + 1).take_while(|&&byte| matches!(byte, b' ' | b'\t')).count()
    }
}

/// How to go on in a quoted value.
pub(crate) fn quoted(quote: u8) -> Swallow {
    Swallow::Quoted { quote, escaped: false }
}
