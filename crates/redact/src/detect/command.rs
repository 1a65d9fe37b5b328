//! Commands whose flags or arguments hold a secret. The arguments are read up to the end of the command.

use super::placeholder;
use super::random::looks_like_secret;
use super::scan::Scan;
use crate::class::Class;
use crate::mask;
use crate::rules::commands::{COMMANDS, Command, Flag, FlagValue, SecretPart};
use crate::span::Continuation;

/// How far the arguments of one command are read.
const MAX_COMMAND_BYTES: usize = 2_048;

/// The bytes of one argument without its quotes.
struct Argument {
    start: usize,
    end: usize,
    /// Where the search for the next argument begins.
    next: usize,
}

/// Reads the arguments of the command whose name was found at `start`.
pub(super) fn check(scan: &mut Scan<'_, '_>, start: usize) {
    let text = scan.text;
    if start < scan.commands_checked_to || !begins_word(text, start) {
        return;
    }
    let Some((mut command, mut at)) = command_at(text, start) else { return };
    // In a synopsis a flag and the word for its value are in brackets.
    let is_metavariable =
        |value: &[u8]| matches!(value, [word @ .., b']'] if !word.contains(&b'['));
    let limit = text.len().min(start + MAX_COMMAND_BYTES);
    let mut flag_awaiting_value: Option<&Flag> = None;
    let mut word_count = 0;
    let mut options_ended = false;
    while let Some(argument) = argument_at(text, at, limit) {
        at = argument.next;
        let content = &text[argument.start..argument.end];
        if let Some(flag) = flag_awaiting_value.take()
            && !content.starts_with(b"-")
        {
            if !is_metavariable(content) {
                record_secret(scan, flag.secret, argument.start, argument.end);
            }
            continue;
        }
        if begins_word(text, argument.start)
            && let Some((other, end)) = command_at(text, argument.start)
        {
            (command, at, word_count, options_ended) = (other, end, 0, false);
            continue;
        }
        if content.starts_with(b"-") || content.starts_with(b"/") {
            let flags = command.flags.iter().filter(|_| !options_ended);
            let mut flags = flags;
            let matching_flag = flags.find_map(|flag| Some((flag, flag_at(flag, content)?)));
            match matching_flag {
                // `-p'…'`
                None if is_joined_quote(command, content, text.get(argument.end)) => {
                    flag_awaiting_value =
                        command.flags.iter().find(|flag| flag.name.as_bytes() == content);
                    at = argument.end;
                }
                Some((flag, 0)) => flag_awaiting_value = Some(flag),
                Some((flag, from)) if !is_metavariable(content) => {
                    record_secret(scan, flag.secret, argument.start + from, argument.end);
                }
                _ => {}
            }
            continue;
        }
        options_ended |= command.runs_another();
        if command.word == Some(word_count) && looks_like_secret(content) {
            record_secret(scan, SecretPart::Whole, argument.start, argument.end);
        }
        word_count += 1;
    }
    scan.commands_checked_to = at;
    scan.count(at - start);
}

/// Whether a word may begin at `start`.
fn begins_word(text: &[u8], start: usize) -> bool {
    start.checked_sub(1).is_none_or(|before| b" \t\n\"'`/(|;&$[>".contains(&text[before]))
}

/// The command of the table whose name stands at `start`, and where the name ends.
fn command_at(text: &[u8], start: usize) -> Option<(&'static Command, usize)> {
    let rest = &text[start..];
    COMMANDS.iter().find_map(|command| {
        let name = command.name.as_bytes();
        if rest.first() != name.first() || !rest.starts_with(name) {
            return None;
        }
        let is_family_byte = |byte: &&u8| byte.is_ascii_lowercase() || **byte == b'-';
        let suffix_length = rest[name.len()..].iter().take_while(is_family_byte).count();
        let end = name.len() + if command.is_family { suffix_length } else { 0 };
        rest.get(end)
            .is_some_and(|next| b" \t\"'\\,".contains(next))
            .then_some((command, start + end))
    })
}

/// The next argument at or after `at`. `None` at the end of the command.
fn argument_at(text: &[u8], at: usize, limit: usize) -> Option<Argument> {
    let mut start = at;
    // Blanks separate arguments, as do quotes and commas in a list of strings.
    while start < limit
        && b" \t\"',\\[".contains(&text[start])
        && !text[start..].starts_with(b"\\n")
    {
        if matches!(text[start], b'"' | b'\'') && start > at {
            break;
        }
        start += 1;
    }
    let first = *text.get(start).filter(|_| start < limit)?;
    if b"\n\r|;&)".contains(&first) || text[start..].starts_with(b"\\n") {
        return None;
    }
    if matches!(first, b'"' | b'\'') {
        let body = &text[start + 1..limit];
        let length = memchr::memchr2(first, b'\n', body).filter(|&end| body[end] == first)?;
        let (start, next) = (start + 1, start + 2 + length);
        return Some(Argument { start, end: start + length, next });
    }
    let ends = |byte: &u8| b" \t\n\r|;\"'`".contains(byte);
    let length = text[start..limit].iter().position(ends).unwrap_or(limit - start);
    (length > 0).then_some(Argument { start, end: start + length, next: start + length })
}

/// Where the value begins in an argument that is `flag`. 0 means that the value is the next argument.
fn flag_at(flag: &Flag, content: &[u8]) -> Option<usize> {
    let rest = content.strip_prefix(flag.name.as_bytes())?;
    match (rest, flag.value) {
        ([], FlagValue::Separate | FlagValue::Either) => Some(0),
        ([b'=', _, ..], FlagValue::Separate | FlagValue::Either) => Some(flag.name.len() + 1),
        ([_, ..], FlagValue::Joined | FlagValue::Either) if !flag.name.starts_with("--") => {
            Some(flag.name.len())
        }
        _ => None,
    }
}

/// Whether the argument is a flag with a joined value, and a quote follows it directly.
fn is_joined_quote(command: &Command, content: &[u8], next: Option<&u8>) -> bool {
    let joined = |flag: &Flag| flag.value == FlagValue::Joined && flag.name.as_bytes() == content;
    matches!(next, Some(b'"' | b'\'')) && command.flags.iter().any(joined)
}

/// Adds the secret part of the value at `start..end` to the findings.
fn record_secret(scan: &mut Scan<'_, '_>, part: SecretPart, mut start: usize, end: usize) {
    let text = scan.text;
    let value = &text[start..end];
    match part {
        SecretPart::Whole => {}
        SecretPart::After(sign) => {
            let Some(at) = memchr::memchr(sign, value) else { return };
            // The value is a user and a group, which are numbers or the same name.
            let (user, password) = (&value[..at], &value[at + 1..]);
            if password.iter().all(u8::is_ascii_digit) && password.len() < 6 || password == user {
                return;
            }
            start += at + 1;
        }
        SecretPart::AfterPrefix(prefix) => {
            if !value.starts_with(prefix.as_bytes()) {
                return;
            }
            start += prefix.len();
        }
    }
    let body = &text[start..end];
    if !body.is_empty()
        && !placeholder::is_placeholder(body)
        && !mask::occurs(body)
        && !placeholder::is_name(body)
    {
        scan.add(start, end, Continuation::While(Class::Unquoted), false);
    }
}

/// `-u ` or `--user ` was found at `start..end`. Checks for `name:password` after it.
pub(super) fn user_flag(scan: &mut Scan<'_, '_>, start: usize, end: usize) {
    let text = scan.text;
    if start > 0 && !b" \t\"'\n".contains(&text[start - 1]) {
        return;
    }
    let limit = text.len().min(end + MAX_COMMAND_BYTES);
    let Some(argument) = argument_at(text, end, limit) else { return };
    scan.count(argument.next - end);
    let value = &text[argument.start..argument.end];
    let user =
        value.iter().take_while(|&&byte| Class::Dot.has(byte) || b"@+".contains(&byte)).count();
    if value.get(user) == Some(&b':') && value.len() > user + 3 {
        record_secret(scan, SecretPart::After(b':'), argument.start, argument.end);
    }
}
