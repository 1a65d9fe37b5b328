//! Secrets in addresses: passwords before the host, webhook paths, `-u user:password`.

use super::placeholder::stands_for_nothing;
use super::shape::names_a_secret;
use super::words::{METAVARIABLES, SECRETS};
use super::{Scan, code};
use crate::class::Class;
use crate::mask;

/// Longest authority looked at.
const AUTHORITY_BYTES: usize = 512;

/// Longest user and password before a network.
const NETWORK_BYTES: usize = 192;

/// Shortest lone user name taken for a token.
const TOKEN_BYTES: usize = 20;

/// `://` ends at `start`: is there `user:password@`?
pub(crate) fn user_info(scan: &mut Scan<'_, '_>, start: usize) {
    let text = &scan.text[start..scan.text.len().min(start + AUTHORITY_BYTES)];
    let Some((colon, at)) = split(text) else { return };
    let (from, to) = match colon {
        Some(colon) => (colon + 1, at),
        None if at >= TOKEN_BYTES && text[..at].iter().any(u8::is_ascii_digit) => (0, at),
        None => return,
    };
    // `[user[:password]@]host` says how an address is written.
    if mask::occurs(&text[..at]) || text.get(at + 1) == Some(&b']') {
        return;
    }
    if is_password(&text[from..to]) {
        scan.found(start + from, start + to, Class::Bare);
    }
}

/// True when what stands where a password does is one: not empty, not crossed out, and no placeholder.
fn is_password(text: &[u8]) -> bool {
    let placeholder = matches!(
        text,
        [b'$' | b'{' | b'<' | b'%', b'{' | b'(' | b'A'..=b'Z' | b'_' | b'a'..=b'z', ..]
    ) && (matches!(text, [.., b'}' | b')' | b'>'])
        || text[1..].iter().all(|byte| Class::Word.has(*byte))
            && !(text[0] == b'%' && text.iter().any(u8::is_ascii_digit)));
    // `<password>\[rB]`, `\k\+`: markup and a regular expression.
    let placeholder = placeholder
        || matches!(text, [b'<', b'a'..=b'z', rest @ ..] if rest.contains(&b'>'))
        || matches!(text, [b'\\', _, .., b'+' | b'*'])
        || text.starts_with(b"[^")
            && text.windows(2).any(|pair| matches!(pair, [b']', b'+' | b'*' | b'{' | b'?' | b')']));
    let crossed_out = text.iter().all(|byte| matches!(byte, b'*' | b'x' | b'.'));
    !text.is_empty() && !placeholder && !crossed_out
}

/// A network begins at `at`, as in `user:password@tcp(host)/name`: is there a password before it?
pub(crate) fn network_user(scan: &mut Scan<'_, '_>, at: usize) {
    let before = &scan.text[at.saturating_sub(NETWORK_BYTES)..at];
    let run = &before[before.len() - user_length(before)..];
    // An address is read from its beginning.
    if run.len() == NETWORK_BYTES || memchr::memmem::find(run, b"://").is_some() {
        return;
    }
    let Some(colon) = memchr::memchr(b':', run) else { return };
    let password = &run[colon + 1..];
    let word = password.ends_with(b"password") && password.iter().all(u8::is_ascii_alphabetic);
    let named = SECRETS.has(password) || METAVARIABLES.has(password) || names_a_secret(password);
    let named = named || word;
    let place = named || password.starts_with(b"%[") || code::is_template(password);
    let is_secret = is_password(password) && !place && !stands_for_nothing(password);
    if is_secret && !mask::occurs(password) {
        scan.found(at - password.len(), at, Class::Bare);
    }
}

/// How many bytes at the end of `before` may be a user and a password, of which the password may have a quote between letters.
fn user_length(before: &[u8]) -> usize {
    let mut length = 0;
    loop {
        let rest = &before[..before.len() - length];
        let run = rest.iter().rev().take_while(|&&byte| Class::Bare.has(byte)).count();
        length += run;
        let quote = match &rest[..rest.len() - run] {
            [.., letter, b'\\', b'"'] if letter.is_ascii_alphanumeric() => 2,
            [.., letter, b'\'' | b'`'] if letter.is_ascii_alphanumeric() => 1,
            _ => return length,
        };
        let joined = before[before.len() - length..].first().is_some_and(u8::is_ascii_alphanumeric);
        if !joined || before[before.len() - length..].contains(&b':') {
            return length;
        }
        length += quote;
    }
}

/// The driver of an Oracle database ends at `start`: is there `user/password@`?
pub(crate) fn oracle_user(scan: &mut Scan<'_, '_>, start: usize) {
    let text = &scan.text[start..scan.text.len().min(start + AUTHORITY_BYTES)];
    let user = text.iter().take_while(|&&byte| Class::Dot.has(byte) || b"$#[]".contains(&byte));
    let from = user.count() + 1;
    if from == 1 || text.get(from - 1) != Some(&b'/') {
        return;
    }
    let ends = |&byte: &u8| byte == b'@' || !Class::Bare.has(byte);
    let Some(length) = text[from..].iter().position(ends) else { return };
    let password = &text[from..from + length];
    if text[from + length] == b'@' && !mask::occurs(password) && is_password(password) {
        scan.found(start + from, start + from + length, Class::Bare);
    }
}

/// Offsets of the first colon and of the last `@` of the user information.
fn split(text: &[u8]) -> Option<(Option<usize>, usize)> {
    let mut colon = None;
    let mut at = None;
    for (index, &byte) in text.iter().enumerate() {
        match byte {
            b'@' => at = Some(index),
            b':' if colon.is_none() => colon = Some(index),
            // A password may hold what ends an authority; an address before a path may not.
            b'/' | b'?' | b'#' if at.is_some() || colon.is_none() => break,
            b'/' if !goes_on(text, colon.map_or(index, |colon| colon + 1), index) => break,
            b'?' | b'#' => {}
            b'\\' | b'<' | b'>' | b',' | b';' if at.is_some() => break,
            // An apostrophe in a password, not a quote that closes the address.
            b'\'' if colon.is_some() && is_apostrophe(text, index) => {}
            _ if !Class::Bare.has(byte) => break,
            _ => {}
        }
    }
    let at = at?;
    Some((colon.filter(|&colon| colon < at), at))
}

/// True when the quote at `quote` stands between letters and an `@` follows.
fn is_apostrophe(text: &[u8], quote: usize) -> bool {
    let rest = &text[quote + 1..];
    let part = rest.iter().take_while(|&&byte| Class::Bare.has(byte) && byte != b'@').count();
    text[quote - 1].is_ascii_alphanumeric()
        && rest.first().is_some_and(u8::is_ascii_alphanumeric)
        && rest.get(part) == Some(&b'@')
}

/// True when a slash at `slash` can belong to the password that begins at `start`: that is no port, and an `@` follows.
fn goes_on(text: &[u8], start: usize, slash: usize) -> bool {
    let rest = text[slash + 1..].iter().take_while(|&&byte| Class::Bare.has(byte) && byte != b'/');
    !text[start..slash].iter().all(u8::is_ascii_digit) && rest.into_iter().any(|&byte| byte == b'@')
}

/// A webhook's address ends at `start`: after `segments` parts of the path comes the secret.
pub(crate) fn webhook(scan: &mut Scan<'_, '_>, start: usize, segments: usize, least: usize) {
    let mut from = start;
    for _ in 0..segments {
        let part = Class::Dash.run(&scan.text[from..scan.text.len().min(from + 64)]);
        if scan.text.get(from + part) != Some(&b'/') {
            return;
        }
        from += part + 1;
    }
    let end = scan.runs.end(scan.text, Class::Address, from);
    if end - from >= least && mask::length(&scan.text[from..]) == 0 {
        scan.found(from, end, Class::Address);
    }
}

/// `-u ` or `--user ` was found at `start..end`: `name:password` may follow.
pub(crate) fn user_flag(scan: &mut Scan<'_, '_>, start: usize, end: usize) {
    let text = scan.text;
    if start > 0 && !matches!(text[start - 1], b' ' | b'\t' | b'"' | b'\'' | b'\n') {
        return;
    }
    let quote = text.get(end).copied().filter(|byte| matches!(byte, b'"' | b'\''));
    let from = end + usize::from(quote.is_some());
    let name = text[from..]
        .iter()
        .take(64)
        .take_while(|byte| Class::Dot.has(**byte) || matches!(byte, b'@' | b'+'))
        .count();
    if name == 0 || text.get(from + name) != Some(&b':') {
        return;
    }
    let from = from + name + 1;
    let length = text[from..].iter().take(AUTHORITY_BYTES).take_while(|&&byte| match quote {
        Some(quote) => byte != quote && byte != b'\n',
        None => Class::Bare.has(byte),
    });
    let mut to = from + length.count();
    // They belong to the quote of a document inside a document.
    if quote.is_none() && matches!(text.get(to), Some(b'"' | b'\'')) {
        to -= text[from..to].iter().rev().take_while(|&&byte| byte == b'\\').count();
    }
    let password = &text[from..to];
    // `-u 1000:1000` and `-u www-data:www-data` name a user and a group.
    let group =
        password.iter().all(u8::is_ascii_digit) || password == &text[from - name - 1..from - 1];
    if password.len() >= 3
        && mask::length(password) == 0
        && !matches!(password[0], b'$' | b'<' | b'{' | b'*' | b'/' | b':')
        && !group
    {
        scan.found(from, to, Class::Bare);
    }
}
