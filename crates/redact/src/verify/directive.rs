//! Lines in which nothing but a blank stands between a name and its value: `ENV DB_PASSWORD x`, `set -gx TOKEN x`, netrc.

use super::Scan;
use super::argument::{is_marked, is_value, literal};
use super::identifier::NAME_BYTES;
use super::value::{self, Value};
use crate::class::Class;

/// Longest address before a name of npm.
const ADDRESS_BYTES: usize = 128;

/// Longest value that is looked at to its end.
const VALUE_BYTES: usize = 512;

/// Longest name of a user whose password is told.
const USER_BYTES: usize = 96;

/// What a database server says behind `password` before it tells one.
const GENERATED: &[u8] = b" is generated for ";

/// Longest word of flags.
const FLAG_BYTES: usize = 8;

/// Directives of servers that take the name of a header or of a parameter, and its value.
const PARAMETERS: [&[u8]; 5] =
    [b"fastcgi_param ", b"uwsgi_param ", b"_set_header ", b"add_header ", b"set-header "];

/// Directives of Redis, which are names as well.
const DIRECTIVES: [&[u8]; 2] = [b"requirepass", b"masterauth"];

/// What the words before a name say of the value behind it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lead {
    /// A variable of the environment: what is before the word that sets it has so many bytes.
    Variable(usize),
    /// A setting of a program, whatever it is called.
    Setting,
    /// A header or a parameter of a server: a statement, which a semicolon ends.
    Parameter,
    /// The name is a directive itself.
    Directive,
    /// The name is one behind `enable`, as in the configuration of a switch.
    Enabled,
}

/// True when what stands before a name says that a blank may part it from its value.
pub(super) fn may_assign(before: &[u8], name: &[u8]) -> bool {
    lead(before, name).is_some()
}

/// The same, and how. A look at the last bytes is enough for most names.
fn lead(before: &[u8], name: &[u8]) -> Option<Lead> {
    match before.last_chunk::<4>() {
        Some(b"ENV " | b"Env " | b"env " | b"etx ") => variable(before),
        Some(b"ble ") => before.ends_with(b"enable ").then_some(Lead::Enabled),
        Some(b"set " | b"SET ") => sets(before).then_some(Lead::Setting),
        Some(b"der " | b"ram ") => {
            let word = PARAMETERS.iter().any(|word| before.ends_with(word));
            word.then_some(Lead::Parameter)
        }
        Some([.., b'/', b':']) => is_npm(before).then_some(Lead::Setting),
        Some([.., b'x' | b'g' | b'U', b' ']) => variable(before),
        _ => None,
    }
    .or_else(|| is_directive(name).then_some(Lead::Directive))
}

fn is_directive(name: &[u8]) -> bool {
    matches!(name.last(), Some(b's' | b'h')) && DIRECTIVES.contains(&name)
}

/// `npm config set `, `aws configure set `
fn sets(before: &[u8]) -> bool {
    let ends = |end: &[u8]| before.ends_with(end);
    ends(b"config set ") || ends(b"configure set ") || ends(b"CONFIG SET ")
}

/// Where the value begins behind the blank at `name_end`, when the words before the name say that one does.
pub(super) fn value_of(text: &[u8], name_start: usize, name_end: usize) -> Option<usize> {
    let (before, name) = (&text[..name_start], &text[name_start..name_end]);
    if name == b"password" && text[name_end..].starts_with(GENERATED) {
        let at = name_end + GENERATED.len();
        let user = &text[at..text.len().min(at + USER_BYTES)];
        let end = user.iter().position(u8::is_ascii_whitespace)?;
        let told = user[..end].ends_with(b":") && user[..end].contains(&b'@');
        return (told && user[end] == b' ').then_some(at + end + 1);
    }
    let at = name_end + 1;
    let takes = match lead(before, name) {
        Some(Lead::Setting) => is_one_word(text, at, |_| true),
        Some(Lead::Directive) => begins_statement(before) && is_one_word(text, at, |_| true),
        Some(Lead::Parameter) => is_parameter(text, at),
        Some(Lead::Enabled) => {
            matches!(name, b"password" | b"secret")
                && begins_statement(&before[..before.len() - b"enable ".len()])
                && is_one_word(text, at, |word| is_marked(word) || is_value(word))
        }
        Some(Lead::Variable(before)) => {
            let shouts = !name.iter().any(u8::is_ascii_lowercase);
            let begins = begins_statement(&text[..before]) || is_logged(&text[..before]);
            shouts && begins && is_one_word(text, at, |_| true)
        }
        None => {
            name.ends_with(b"assword")
                && begins_statement(before)
                && is_one_word(text, at, |word| is_marked(word) || is_value(word))
        }
    };
    takes.then_some(at)
}

/// `npm config set //registry.example/:_authToken`: an address before the name.
fn is_npm(before: &[u8]) -> bool {
    let Some(address) = before.strip_suffix(b":") else { return false };
    let near = &address[address.len().saturating_sub(ADDRESS_BYTES)..];
    near.iter()
        .rposition(u8::is_ascii_whitespace)
        .is_some_and(|blank| near[blank + 1..].starts_with(b"//") && sets(&near[..=blank]))
}

/// What is before the word that sets a variable of the environment.
fn variable(before: &[u8]) -> Option<Lead> {
    const WORDS: [&[u8]; 4] = [b"ENV ", b"SetEnv ", b"setenv ", b"setx "];
    if let Some(word) = WORDS.iter().find(|word| before.ends_with(word)) {
        return Some(Lead::Variable(before.len() - word.len()));
    }
    // Flags of fish: `set -gx `, `set -g -x `.
    let mut rest = before.strip_suffix(b" ")?;
    let mut exports = false;
    for _ in 0..3 {
        let near = rest.iter().rev().take(FLAG_BYTES);
        let letters = near.take_while(|byte| byte.is_ascii_alphabetic()).count();
        let Some(flags) = rest[..rest.len() - letters].strip_suffix(b" -") else { break };
        exports |= rest[rest.len() - letters..].contains(&b'x');
        rest = flags;
    }
    rest.strip_suffix(b"set").filter(|_| exports).map(|rest| Lead::Variable(rest.len()))
}

/// What a log has before a statement on its line: `Step 3/5 : `, `#5 [2/3] `, `+ `, `> `, or `ONBUILD `.
fn is_logged(before: &[u8]) -> bool {
    let before = before.strip_suffix(b"ONBUILD ").unwrap_or(before);
    let near = &before[before.len().saturating_sub(NAME_BYTES)..];
    let line = near.iter().rposition(|byte| *byte == b'\n').map_or(near, |end| &near[end + 1..]);
    if near.len() == NAME_BYTES && line.len() == near.len() {
        return false;
    }
    let line = line.trim_ascii();
    let count = |text: &[u8]| text.iter().all(|byte| byte.is_ascii_digit() || *byte == b'/');
    let step = line.strip_prefix(b"Step ").and_then(|rest| rest.strip_suffix(b" :"));
    let stage = || {
        let stage = line.strip_suffix(b"]")?;
        let open = memchr::memrchr(b'[', stage)?;
        let number = stage[open + 1..].rsplit(|byte| *byte == b' ').next()?;
        let prefix = stage[..open].trim_ascii_end();
        let prefix = prefix.strip_prefix(b"#").unwrap_or(prefix);
        Some(count(prefix) && number.contains(&b'/') && count(number))
    };
    line.is_empty()
        || line.iter().all(|byte| *byte == b'+')
        || matches!(line, b">" | b"$" | b"%" | b"PS>")
        || step.is_some_and(count)
        || stage() == Some(true)
}

/// One word, or one in quotes, and a semicolon or the end of the line: no variable and no switch.
fn is_parameter(text: &[u8], at: usize) -> bool {
    is_one_word(text, at, |word| {
        let word = word.strip_suffix(b";").unwrap_or(word);
        is_marked(word) || is_value(word)
    })
}

/// Nothing but blanks is before it on its line, or in its command.
fn begins_statement(before: &[u8]) -> bool {
    let near = before.iter().rev().take(NAME_BYTES);
    let mut near = near.skip_while(|byte| matches!(byte, b' ' | b'\t'));
    match near.next() {
        Some(byte) => b"\n;&|".contains(byte),
        None => before.len() < NAME_BYTES,
    }
}

/// Flags of PowerShell that stand before the argument.
const FLAGS: [&[u8]; 3] = [b"-string ", b"-asplaintext ", b"-force "];

/// The name of a command and a blank end at `at`: `vault login `, `ConvertTo-SecureString `.
pub(crate) fn check(scan: &mut Scan<'_, '_>, mut at: usize) {
    let text = scan.text;
    for _ in FLAGS {
        at += Class::run_of_blanks(&text[at..]);
        let begins = |flag: &&&[u8]| {
            let rest = text.get(at..at + flag.len());
            rest.is_some_and(|rest| rest.eq_ignore_ascii_case(flag))
        };
        at += FLAGS.iter().find(begins).map_or(0, |flag| flag.len());
    }
    let rest = &text[at..text.len().min(at + VALUE_BYTES)];
    let quoted = matches!(rest.first(), Some(b'"' | b'\''));
    let word = &rest[..rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len())];
    if quoted || !word.contains(&b'=') && is_value(word) {
        value::take(scan, &Value::PASSWORD, at);
    }
}

/// One word, or one in quotes, is all that comes.
fn is_one_word(text: &[u8], at: usize, takes: fn(&[u8]) -> bool) -> bool {
    let rest = &text[at..text.len().min(at + VALUE_BYTES)];
    let Some(&first) = rest.first() else { return false };
    if matches!(first, b'"' | b'\'') {
        return literal(text, at).is_some_and(takes);
    }
    let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
    let behind = rest[length..].iter().find(|byte| !matches!(byte, b' ' | b'\t'));
    let ends = behind.is_none_or(|byte| b"\r\n;&|#\\-/".contains(byte));
    length > 0
        && !b"-(=:<$".contains(&first)
        && (ends || is_value(&rest[..length]))
        && takes(&rest[..length])
}
