//! What stands behind the word of an option on a command line and not behind one in a sentence: an address, a host, or the next
//! command.

use super::identifier::NAME_BYTES;
use super::operator::Operator;
use super::value::{Value, Writing};
use super::words::METAVARIABLES;
use crate::class::Class;

/// Ends of names of hosts.
const DOMAINS: [&[u8]; 16] = [
    b"app",
    b"ch",
    b"cloud",
    b"cn",
    b"com",
    b"de",
    b"dev",
    b"eu",
    b"fr",
    b"internal",
    b"io",
    b"local",
    b"net",
    b"org",
    b"ru",
    b"uk",
];

/// True when a command goes on behind the word of an option with its target, or ends there, so that the word is a value.
pub(super) fn follows(value: &Value<'_>, body: &[u8], after: &[u8]) -> bool {
    let [b' ', rest @ ..] = after else { return false };
    let option = value.operator == Operator::Flag && value.writing == Writing::Flag;
    option && !METAVARIABLES.has(body) && (begins_command(rest) || is_target(rest))
}

/// `| tee`, `|| exit`, `&& ls`
fn begins_command(rest: &[u8]) -> bool {
    let operator = rest.iter().take(2).take_while(|&&byte| byte == b'|' || byte == b'&').count();
    let known = matches!(&rest[..operator], b"|" | b"||" | b"&&");
    known && matches!(rest[operator..], [b' ', next, ..] if next.is_ascii_lowercase())
}

/// `https://host`, `joe@host`, `localhost:80`, `registry.example.com`
fn is_target(rest: &[u8]) -> bool {
    let near = &rest[..rest.len().min(NAME_BYTES)];
    let word = &near[..near.iter().position(u8::is_ascii_whitespace).unwrap_or(near.len())];
    let name = Class::Dot.run(word);
    let (host, behind) = word.split_at(name);
    if !host.first().is_some_and(u8::is_ascii_alphabetic) {
        return false;
    }
    if let Some(at) = memchr::memchr(b'@', word) {
        return word.get(at + 1).is_some_and(u8::is_ascii_alphanumeric);
    }
    let labels = || host.split(|byte| *byte == b'.');
    let domain = labels().count() > 1
        && labels().all(|label| !label.is_empty() && !label.iter().any(u8::is_ascii_uppercase))
        && labels().next_back().is_some_and(|last| DOMAINS.contains(&last));
    match behind {
        [b':', b'/', b'/', next, ..] => next.is_ascii_alphanumeric(),
        [b':', port, ..] => port.is_ascii_digit(),
        _ => domain && matches!(behind, [] | [b'/', ..]),
    }
}
