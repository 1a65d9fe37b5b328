//! Secrets in addresses: the password before a host, the path of a webhook, and a line of a password file.

use super::placeholder;
use super::scan::Scan;
use crate::class::Class;
use crate::mask;

/// The longest authority that is read, and the longest user and password before a network.
const MAX_AUTHORITY_BYTES: usize = 512;
const MAX_NETWORK_USER_BYTES: usize = 192;

/// The shortest user name without a password that counts as a token.
const MIN_TOKEN_BYTES: usize = 20;

/// Checks for `user:password@` after the `://` that ends at `start`.
pub(super) fn user_info(scan: &mut Scan<'_, '_>, start: usize) {
    let text = &scan.text[start..scan.text.len().min(start + MAX_AUTHORITY_BYTES)];
    let (user_information, read) = user_information(text);
    scan.count(read);
    let Some((colon, at)) = user_information else { return };
    let (from, to) = match colon {
        Some(colon) => (colon + 1, at),
        None if at >= MIN_TOKEN_BYTES && text[..at].iter().any(u8::is_ascii_digit) => (0, at),
        None => return,
    };
    if !mask::occurs(&text[..at]) && is_password(&text[from..to]) && text.get(at + 1) != Some(&b']')
    {
        scan.mask_run(start + from, start + to, Class::Unquoted);
    }
}

/// Whether the text in the place of a password is one, and no placeholder.
fn is_password(text: &[u8]) -> bool {
    let is_template =
        memchr::memchr2(b'{', b'<', text).is_some() && memchr::memchr2(b'}', b'>', text).is_some();
    let is_crossed_out = text.iter().all(|byte| b"*x.".contains(byte));
    let is_common_word =
        matches!(text, b"password" | b"pass" | b"pwd" | b"secret" | b"token" | b"passwd");
    !text.is_empty()
        && !is_template
        && !is_crossed_out
        && (is_common_word || !placeholder::is_placeholder(text))
}

/// The offsets of the first colon and of the last `@` of the user information, and how many bytes were read.
fn user_information(text: &[u8]) -> (Option<(Option<usize>, usize)>, usize) {
    let (mut colon, mut at, mut read) = (None, None, 0);
    for (index, &byte) in text.iter().enumerate() {
        read = index + 1;
        match byte {
            b'@' => at = Some(index),
            b':' if colon.is_none() => colon = Some(index),
            // A password may contain bytes that end an authority. An address without a password may not.
            b'/' | b'?' | b'#' if at.is_some() || colon.is_none() => break,
            b'/' if !slash_is_in_password(text, colon.unwrap_or(index) + 1, index) => break,
            b'\\' | b'<' | b'>' | b',' | b';' | b'"' | b'\'' if at.is_some() => break,
            _ if !Class::Unquoted.has(byte) => break,
            _ => {}
        }
    }
    (at.map(|at| (colon.filter(|&colon| colon < at), at)), read)
}

/// Whether a slash can belong to the password that begins at `start`: the text before the slash is no port, and an `@`
/// follows.
fn slash_is_in_password(text: &[u8], start: usize, slash: usize) -> bool {
    let rest =
        text[slash + 1..].iter().take_while(|&&byte| Class::Unquoted.has(byte) && byte != b'/');
    !text[start..slash].iter().all(u8::is_ascii_digit) && rest.into_iter().any(|&byte| byte == b'@')
}

/// Checks for a password before the network at `at`, as in `user:password@tcp(host)/name`.
pub(super) fn network_user(scan: &mut Scan<'_, '_>, at: usize) {
    let before = &scan.text[at.saturating_sub(MAX_NETWORK_USER_BYTES)..at];
    let length = before.iter().rev().take_while(|&&byte| Class::Unquoted.has(byte)).count();
    let run = &before[before.len() - length..];
    // An address with a scheme is checked from its start instead.
    scan.count(run.len());
    if run.len() == MAX_NETWORK_USER_BYTES || run.windows(3).any(|part| part == b"://") {
        return;
    }
    let Some(colon) = memchr::memchr(b':', run) else { return };
    let password = &run[colon + 1..];
    if is_password(password) && !placeholder::is_name(password) && !password.starts_with(b"%") {
        scan.mask_run(at - password.len(), at, Class::Unquoted);
    }
}

/// Checks for `user/password@` after the name of an Oracle driver that ends at `start`.
pub(super) fn oracle_user(scan: &mut Scan<'_, '_>, start: usize) {
    let text = &scan.text[start..scan.text.len().min(start + MAX_AUTHORITY_BYTES)];
    let user_length =
        text.iter().take_while(|&&byte| Class::Dot.has(byte) || b"$#[]".contains(&byte)).count();
    if user_length == 0 || text.get(user_length) != Some(&b'/') {
        return;
    }
    let from = user_length + 1;
    let ends_password = |&byte: &u8| byte == b'@' || !Class::Unquoted.has(byte);
    let Some(length) = text[from..].iter().position(ends_password) else { return };
    let password = &text[from..from + length];
    if text[from + length] == b'@' && !mask::occurs(password) && is_password(password) {
        scan.mask_run(start + from, start + from + length, Class::Unquoted);
    }
}

/// Masks the secret of a webhook whose address ends at `start`. It follows `segments` parts of the path.
pub(super) fn webhook(scan: &mut Scan<'_, '_>, start: usize, segments: usize, least: usize) {
    let mut from = start;
    for _ in 0..segments {
        let segment_length = Class::Dash.run(&scan.text[from..scan.text.len().min(from + 64)]);
        if scan.text.get(from + segment_length) != Some(&b'/') {
            return;
        }
        from += segment_length + 1;
    }
    let end = scan.runs.end(scan.text, Class::UrlPathAndQuery, from);
    if end - from >= least && mask::length(&scan.text[from..]) == 0 {
        scan.mask_run(from, end, Class::UrlPathAndQuery);
    }
}

/// Checks for a line `host:port:database:user:password` whose port, with its colons, is at `start..end`.
pub(super) fn password_file(scan: &mut Scan<'_, '_>, start: usize, end: usize) {
    let text = scan.text;
    let before = text[..start].iter().rev().take(MAX_AUTHORITY_BYTES);
    let host_length = before.take_while(|&&byte| Class::Dot.has(byte) || byte == b'*').count();
    let begins_line = start == host_length || text[start - host_length - 1] == b'\n';
    let mut at = end;
    for _ in 0..2 {
        let field_length = text[at..]
            .iter()
            .take(MAX_AUTHORITY_BYTES)
            .take_while(|&&byte| Class::Dot.has(byte) || byte == b'*')
            .count();
        if field_length == 0 || text.get(at + field_length) != Some(&b':') {
            return;
        }
        at += field_length + 1;
    }
    let to = scan.runs.end(text, Class::Unquoted, at);
    let ends_line = text.get(to).is_none_or(|byte| matches!(byte, b'\n' | b'\r'));
    let is_short_number = text[at..to].iter().all(u8::is_ascii_digit) && to - at <= 2;
    // A line with more fields belongs to another file: `daemon:*:19000:0:99999:7:::` is from /etc/shadow.
    let is_last = !text[at..to].windows(2).any(|pair| pair[0] != b'\\' && pair[1] == b':');
    let is_entry =
        host_length > 0 && begins_line && ends_line && is_last && to > at + 2 && !is_short_number;
    if is_entry && mask::length(&text[at..]) == 0 {
        scan.mask_run(at, to, Class::Unquoted);
    }
}
