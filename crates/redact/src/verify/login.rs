//! Passwords that stand behind a user in the arguments of a call: `HTTPBasicAuth('joe', 'x')`, `smtp.login("joe", "x")`.

use super::Scan;
use super::algorithm::is_algorithm;
use super::argument::{begins_literal, is_marked, is_value, literal};
use super::value::{self, Value};
use crate::class::Class;
use crate::quote::Quote;
use crate::rules::calls::{CALLS, Call, Likeness};

/// Longest argument before the password.
const ARGUMENT_BYTES: usize = 256;

/// The name of a call and its bracket are `start..end`.
pub(crate) fn check(scan: &mut Scan<'_, '_>, start: usize, end: usize) {
    let text = scan.text;
    let called = |call: &&Call| call.name.as_bytes().eq_ignore_ascii_case(&text[start..end]);
    let Some(call) = CALLS.iter().find(called) else { return };
    if call.apart && start > 0 && Class::Word.has(text[start - 1]) {
        return;
    }
    let mut at = end;
    for _ in 0..call.before {
        let Some(next) = skip(text, at) else { return };
        at = next;
    }
    // `Some("x")`
    let some = if text[at..].starts_with(b"Some(") { 5 } else { 0 };
    let Some(at) = begins_literal(text, at + some) else { return };
    let Some(body) = literal(text, at) else { return };
    let secret = match call.likeness {
        Likeness::Certain => true,
        Likeness::Marked => is_value(body) || is_marked(body) && !is_algorithm(body),
    };
    if secret {
        value::take(scan, &Value::PASSWORD, at);
    }
}

/// Where the argument begins that follows the one at `at`: a literal or a name with its members.
fn skip(text: &[u8], at: usize) -> Option<usize> {
    let near = &text[..text.len().min(at + ARGUMENT_BYTES)];
    let end = if begins_literal(near, at).is_some() {
        let quote = at + usize::from(near[at].is_ascii_alphabetic() || near[at] == b'@');
        let body = literal(near, at)?;
        let (_, length) = Quote::at(&near[quote..])?;
        quote + body.len() + 2 * length
    } else {
        let ends = |byte: &u8| !byte.is_ascii_alphanumeric() && !b"_.$->:".contains(byte);
        at + near[at..].iter().position(ends)?
    };
    let behind = near.get(end..)?.strip_prefix(b",").filter(|_| end > at)?;
    Some(text.len().min(near.len() - behind.len()) + Class::run_of_blanks(behind))
}
