//! Passwords that a command reads: `echo VALUE | sudo -S …`, `echo USER:VALUE | chpasswd`, `… --password-stdin <<< VALUE`.

use memchr::{memchr, memmem, memrchr};

use super::Scan;
use super::placeholder::{is_placeholder, stands_for_nothing};
use super::shape::names_a_secret;
use super::words::{METAVARIABLES, SECRETS};
use crate::class::Class;
use crate::mask;
use crate::quote::Quote;
use crate::span::Swallow;

/// Furthest before and behind the reader that what it reads is looked for.
const LINE_BYTES: usize = 512;

/// Shortest password.
const SHORTEST: usize = 4;

/// Most words of `sudo` before the command that it runs.
const WORDS: usize = 8;

/// What writes a text for the next command.
const WRITERS: &[&[u8]] = &[b"echo ", b"printf "];

/// Flags of `sudo` behind which a word follows.
const WITH_WORD: &[u8] = b"CDghpRrTtUu";

/// What reads a password was found at `start..end`.
pub(crate) fn check(scan: &mut Scan<'_, '_>, start: usize, end: usize) {
    let text = scan.text;
    let apart = start == 0 || !Class::Dash.has(text[start - 1]);
    if !apart || text[start..end].ends_with(b"sudo -") && !reads(&text[end - 1..]) {
        return;
    }
    let Some((from, written)) = piped(text, start).or_else(|| given(text, end)) else { return };
    let name = if text[start..end].ends_with(b"chpasswd") { memchr(b':', written) } else { None };
    let skipped = name.map_or(0, |colon| colon + 1);
    let secret = &written[skipped..];
    if secret.len() >= SHORTEST
        && !matches!(secret[0], b'$' | b'`' | b'<' | b'%')
        && !mask::occurs(written)
        && !stands_for_value(secret)
        && !is_placeholder(secret, false)
        && !stands_for_nothing(secret)
    {
        scan.add(from + skipped, from + written.len(), Swallow::While(Class::Line), false);
    }
}

/// `echo VALUE`, `echo USER:YOUR_PASSWORD`: in capitals, what a manual writes where a value goes.
fn stands_for_value(secret: &[u8]) -> bool {
    let named = |name: &[u8]| METAVARIABLES.has(name) || SECRETS.has(name) || names_a_secret(name);
    let last = secret.rsplit(|byte| *byte == b':').next().unwrap_or_default();
    secret.iter().all(|byte| byte.is_ascii_uppercase() || b"_:".contains(byte)) && named(last)
}

/// Whether the first word behind the writer says how the others are written.
fn is_format(writer: &[u8]) -> bool {
    writer.starts_with(b"p")
}

/// Whether a flag of `sudo` says that it reads the password.
fn reads(flags: &[u8]) -> bool {
    let reach = &flags[..flags.len().min(LINE_BYTES)];
    let line = &reach[..memchr(b'\n', reach).unwrap_or(reach.len())];
    let mut words = line.split(|&byte| byte == b' ').take(WORDS);
    while let Some(word) = words.next() {
        match word {
            b"--stdin" => return true,
            [b'-', b'-', ..] => {}
            [b'-', letters @ .., last] if letters.iter().all(u8::is_ascii_alphabetic) => {
                if letters.contains(&b'S') || *last == b'S' {
                    return true;
                }
                if WITH_WORD.contains(last) {
                    words.next();
                }
            }
            _ => return false,
        }
    }
    false
}

/// What the command before the pipe writes, and where it begins.
fn piped(text: &[u8], start: usize) -> Option<(usize, &[u8])> {
    let reach = start.saturating_sub(LINE_BYTES);
    let line = memrchr(b'\n', &text[reach..start]).map_or(reach, |newline| reach + newline + 1);
    let pipe = line + memrchr(b'|', &text[line..start])?;
    let before = text[line..pipe].trim_ascii_end();
    if before.ends_with(b"|") || text[pipe..start].iter().any(|byte| b";&".contains(byte)) {
        return None;
    }
    let (at, is_format) = WRITERS
        .iter()
        .filter_map(|writer| Some((behind_word(before, writer)?, is_format(writer))))
        .max()?;
    let (from, written) = written(before, at, is_format)?;
    let ended = before[from + written.len()..].iter().all(|byte| b"\\\"'".contains(byte));
    ended.then_some((line + from, written.strip_suffix(b"\\n").unwrap_or(written)))
}

/// The word that is written by what stands at `at`, behind its flags and its format, and where it begins.
fn written(line: &[u8], mut at: usize, is_format: bool) -> Option<(usize, &[u8])> {
    while let [b'-', b'n' | b'e' | b'E', rest @ ..] = &line[at..] {
        at += 2 + rest.iter().take_while(|&&byte| byte != b' ').count();
        at += Class::run_of_blanks(&line[at..]);
    }
    if is_format {
        let (from, format) = word(line, at)?;
        if format.contains(&b'%') {
            at = from + format.len();
            at += line[at..].iter().take_while(|byte| b" \\\"'".contains(byte)).count();
            // The quote of the value, with its backslashes.
            at -= line[..at].iter().rev().take_while(|byte| b"\\\"'".contains(byte)).count();
        }
    }
    word(line, at)
}

/// What is given to the command behind three angles, and where it begins.
fn given(text: &[u8], end: usize) -> Option<(usize, &[u8])> {
    const ANGLES: &[u8] = b"<<<";
    let rest = &text[end..text.len().min(end + LINE_BYTES)];
    let line = &rest[..memchr(b'\n', rest).unwrap_or(rest.len())];
    let angles = memmem::find(line, ANGLES)?;
    if line[..angles].iter().any(|byte| b";|&".contains(byte)) {
        return None;
    }
    let at = angles + ANGLES.len();
    let (from, given) = word(line, at + Class::run_of_blanks(&line[at..]))?;
    Some((end + from, given))
}

/// Where the word or the quoted text at `at` begins, and what it is.
fn word(line: &[u8], at: usize) -> Option<(usize, &[u8])> {
    let length = Quote::at(&line[at..]).map_or(0, |(_, length)| length);
    let (quote, rest) = line[at..].split_at(length);
    let end = if length > 0 {
        memmem::find(rest, quote)?
    } else {
        let ends = |&byte: &u8| byte <= b' ' || b"\"'`;|&()".contains(&byte);
        rest.iter().position(ends).unwrap_or(rest.len())
    };
    Some((at + length, &rest[..end]))
}

/// Where the last of these words ends that is one by itself.
fn behind_word(line: &[u8], word: &[u8]) -> Option<usize> {
    let mut reach = line.len();
    while let Some(at) = memmem::rfind(&line[..reach], word) {
        if at == 0 || !Class::Dash.has(line[at - 1]) {
            return Some(at + word.len());
        }
        reach = at;
    }
    None
}
