//! Commands whose flags hold a password: reads the arguments of one up to the end of the command.

use super::argument::{is_marked, is_value};
use super::placeholder::{is_placeholder, stands_for_nothing};
use super::{Scan, bare};
use crate::class::Class;
use crate::mask;
use crate::quote::Quote;
use crate::rules::commands::{COMMANDS, Command, Flag, Part, Place};

/// One argument; its quotes are not part of it.
struct Argument {
    start: usize,
    end: usize,
    /// Where the next one is looked for.
    next: usize,
}

/// A secret that stands for itself.
const WORD: Flag = Flag { name: "", place: Place::Apart, part: Part::Whole };

/// The name of a command was found at `start`.
pub(crate) fn check(scan: &mut Scan<'_, '_>, start: usize, _end: usize) {
    let text = scan.text;
    if start < scan.commands_to || (start > 0 && is_name_byte(text[start - 1])) {
        return;
    }
    let Some((mut command, mut at)) = command_at(text, start) else { return };
    let around = around(scan, start, at);
    let mut awaited: Option<&Flag> = None;
    let mut over = false;
    let mut spent = false;
    let (mut words, mut behind_flag) = (0, false);
    while let Some(argument) = argument_at(text, at, around) {
        at = argument.next;
        let content = &text[argument.start..argument.end];
        // What follows a private key is read as if it stood alone.
        if let Some(marker) = marker_in(content) {
            at = argument.start + marker;
            break;
        }
        // What a mask took may have ended the command or begun an argument: nothing behind it is certain.
        spent |= mask::occurs(content);
        if spent {
            continue;
        }
        if let Some(flag) = awaited.take()
            && !content.starts_with(b"-")
        {
            let end = open_end(text, start, &argument);
            note(scan, flag, argument.start, end);
            continue;
        }
        if let Some((other, _)) = command_at(text, argument.start) {
            command = other;
            (over, words) = (false, 0);
            continue;
        }
        if let Some(word) = command.word {
            // Its arguments end where its output goes to.
            over |= matches!(content.first(), Some(b'<' | b'>'));
            let flag = content.starts_with(b"-");
            if !flag && !over {
                // The value of a flag may count as a word: the secret is that one or stands behind it.
                let here = words == word || words > word && !behind_flag;
                if here && (is_marked(content) || is_value(content)) {
                    note(scan, &WORD, argument.start, open_end(text, start, &argument));
                }
                words += 1;
            }
            behind_flag = flag;
        }
        over |= command.runs_another() && !content.starts_with(b"-");
        for flag in command.flags.iter().filter(|_| !over) {
            match flag_at(flag, content) {
                Some(0) => awaited = Some(flag),
                Some(from) => {
                    let end = open_end(text, start, &argument);
                    note(scan, flag, argument.start + from, end);
                }
                None => continue,
            }
            break;
        }
    }
    scan.commands_to = at;
}

/// Furthest before a command that the quote of the string it stands in is looked for.
const STRING_BYTES: usize = 256;

/// The quotes of a string that a command stands in, so that it ends where that does.
#[derive(Clone, Copy)]
struct Around {
    quote: u8,
    /// Backslashes before each.
    depth: usize,
}

impl Around {
    /// True when the quote at `at` closes the string.
    fn closes(self, text: &[u8], at: usize) -> bool {
        text[at] == self.quote
            && backslashes(text, at) % (2 * self.depth + 2) <= self.depth
            && is_closing(text, at, self.depth > 0)
    }

    /// Where the string is closed in `start..end`, with the backslashes of the quote.
    fn end_in(self, text: &[u8], start: usize, end: usize) -> Option<usize> {
        let at = memchr::memchr_iter(self.quote, &text[start..end])
            .find(|&at| self.closes(text, start + at))?;
        Some((start + at - backslashes(text, start + at)).max(start))
    }
}

fn backslashes(text: &[u8], at: usize) -> usize {
    let before = text[..at].iter().rev().take(STRING_BYTES);
    before.take_while(|&&byte| byte == b'\\').count()
}

/// True when what follows the quote at `at` can follow a string. In a document inside a string that can be an escaped line end.
fn is_closing(text: &[u8], at: usize, inside: bool) -> bool {
    match text.get(at + 1) {
        Some(b'\\') => inside,
        byte => byte.is_none_or(|byte| b" \t\r\n,:;)]}".contains(byte)),
    }
}

/// The string around the command at `start..end`; `None` also when nothing else stands in it, as in a list of arguments.
fn around(scan: &mut Scan<'_, '_>, start: usize, end: usize) -> Option<Around> {
    let text = scan.text;
    let (quote, depth) = string_before(text, start).or_else(|| {
        let open = [b'"', b'\''].into_iter().find(|&quote| scan.is_open(start, quote));
        open.map(|quote| (quote, 0))
    })?;
    let around = Around { quote, depth };
    let quote =
        end + text[end..].iter().take(STRING_BYTES).take_while(|&&byte| byte == b'\\').count();
    (text.get(quote) != Some(&around.quote)).then_some(around)
}

/// The quote of the string that is written with double quotes, as in a document, and was not closed before `start`, and how many
/// backslashes stand before it.
pub(super) fn string_before(text: &[u8], start: usize) -> Option<(u8, usize)> {
    let from = start.saturating_sub(STRING_BYTES);
    let mut closed = 0_u32;
    for at in memchr::memrchr2_iter(b'"', b'\n', &text[from..start]) {
        let at = from + at;
        if text[at] == b'\n' {
            return None;
        }
        let depth = backslashes(text, at);
        let bit = 1_u32.checked_shl(u32::try_from(depth).ok()?)?;
        let before = text[..at - depth].last();
        let opens = before.is_none_or(|byte| b" \t\n:,[({=".contains(byte));
        if closed & bit != 0 {
            closed &= !bit;
        } else if opens && !is_closing(&text[..start], at, false) {
            return Some((b'"', depth));
        } else {
            closed |= bit;
        }
    }
    None
}

/// Where the dashes around the marker of a private key are in `content`.
fn marker_in(content: &[u8]) -> Option<usize> {
    const DASHES: &[u8] = b"-----";
    memchr::memchr_iter(b'-', content).find(|&at| content[at..].starts_with(DASHES))
}

/// True when the name of a command begins with `byte`.
fn begins_like_one(byte: u8) -> bool {
    const LETTERS: u128 = {
        let mut letters = 0;
        let mut index = 0;
        while index < COMMANDS.len() {
            letters |= 1 << COMMANDS[index].name.as_bytes()[0];
            index += 1;
        }
        letters
    };
    byte.is_ascii() && LETTERS >> byte & 1 != 0
}

/// The command whose name begins at `start`, and where its arguments begin.
fn command_at(text: &[u8], start: usize) -> Option<(&'static Command, usize)> {
    let rest = &text[start..];
    // Most words begin like no command.
    if !begins_like_one(*rest.first()?) {
        return None;
    }
    let second = rest.get(1)?;
    let command = COMMANDS.iter().find(|command| {
        // Most differ here: no call is worth it.
        command.name.as_bytes().get(1) == Some(second)
            && rest.starts_with(command.name.as_bytes())
            && rest
                .get(command.name.len())
                .is_some_and(|byte| matches!(byte, b' ' | b'\t' | b'"' | b'\'' | b'\\'))
    })?;
    Some((command, start + command.name.len()))
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

/// The argument at or after `at`, unless the command ends before it. Arguments are parted by blanks, as in a shell, or by
/// quotes and commas, as in a list.
fn argument_at(text: &[u8], at: usize, around: Option<Around>) -> Option<Argument> {
    let argument = next_argument(text, at, around)?;
    let Some(end) = around.and_then(|around| around.end_in(text, at, argument.next)) else {
        return Some(argument);
    };
    (end > argument.start).then_some(Argument { start: argument.start, end, next: end })
}

/// The same, where what is longer than the string around it may be cut off. What no argument is made of is not looked at: the
/// next command would look at it again.
fn next_argument(text: &[u8], at: usize, around: Option<Around>) -> Option<Argument> {
    let leaves = |at: usize| around.is_some_and(|around| around.closes(text, at));
    let mut start = at;
    // The quote that closes what stands before, when that is an item of a list.
    if let Some((quote, length)) = Quote::at(&text[start..]) {
        // `docker login -p`, and more: the sentence goes on.
        if quote == Quote::Plain(b'`') {
            return None;
        }
        start += length;
        start += usize::from(text.get(start) == Some(&b','));
    }
    start += text[start..].iter().take_while(|&&byte| matches!(byte, b' ' | b'\t')).count();
    match Quote::at(&text[start..]) {
        Some((Quote::Plain(quote), 1)) if quote != b'`' => {
            let from = start + 1;
            let ends = |&(index, &byte): &(usize, &u8)| {
                byte == quote || byte == b'\n' || leaves(from + index)
            };
            let end = from + text[from..].iter().enumerate().find(ends)?.0;
            (text[end] != b'\n').then_some(Argument { start: from, end, next: end })
        }
        Some((Quote::Escaped(mut walk), length)) => {
            let from = start + length;
            let end = from + walk.run(&text[from..]);
            let content = end - walk.held();
            (end < text.len() && text[end] != b'\n').then_some(Argument {
                start: from,
                end: content,
                next: content,
            })
        }
        _ => {
            let mut quote = None;
            let rest = &text[start..];
            let length = rest.iter().enumerate().take_while(|&(index, &byte)| match quote {
                _ if leaves(start + index) => false,
                Some(open) => {
                    if byte == open {
                        quote = None;
                    }
                    byte != b'\n'
                }
                // Behind a letter it is part of a value, but not behind the letter of a flag.
                None if matches!(byte, b'"' | b'\'') => {
                    let flag = index == 2 && rest[0] == b'-';
                    let apart = index == 0 || rest[index - 1].is_ascii_punctuation();
                    quote = (flag || apart).then_some(byte);
                    true
                }
                None if byte == b'&' => joins(text, start, start + index),
                None => byte > b' ' && !matches!(byte, b';' | b'|' | b'`' | b'\\'),
            });
            let end = start + length.count();
            (end > start).then_some(Argument { start, end, next: end })
        }
    }
}

/// True when the `&` at `at` stands in an argument that begins at `start`: a shell would end the command there, but nobody who means that writes
/// no blank.
fn joins(text: &[u8], start: usize, at: usize) -> bool {
    let blank = text.get(at + 1).is_none_or(|next| *next <= b' ' || b"&\"'`\\>".contains(next));
    at > start
        && !matches!(text[at - 1], b'&' | b'>' | b'<')
        && !blank
        && bare::entity(&text[at + 1..]).is_none()
        && command_at(text, at + 1).is_none()
}

/// Where an argument ends without the brackets that were opened before the command at `start` on its line, and not in the argument:
/// `{key: mysql -pVALUE}`, `$(mysql -pVALUE)`.
fn open_end(text: &[u8], start: usize, argument: &Argument) -> usize {
    let quote = text.get(argument.end).filter(|byte| matches!(byte, b'"' | b'\''));
    if quote.is_some() && text[..argument.start].last() == quote {
        return argument.end;
    }
    let before = &text[start.saturating_sub(STRING_BYTES)..start];
    let line = &before[memchr::memrchr(b'\n', before).map_or(0, |end| end + 1)..];
    let mut end = argument.end;
    let unclosed = |part: &[u8], open: u8, close: u8| {
        let count = |byte| memchr::memchr_iter(byte, part).count();
        count(open).saturating_sub(count(close))
    };
    while end > argument.start {
        let (open, close) = match text[end - 1] {
            b')' => (b'(', b')'),
            b']' => (b'[', b']'),
            b'}' => (b'{', b'}'),
            _ => break,
        };
        let taken = unclosed(&text[end..argument.end], close, open);
        let inside = unclosed(&text[argument.start..end], close, open);
        if inside == 0 || unclosed(line, open, close) <= taken {
            break;
        }
        end -= 1;
    }
    end
}

/// Where in an argument the value of the flag begins: 0 when it is the next argument.
fn flag_at(flag: &Flag, argument: &[u8]) -> Option<usize> {
    let rest = argument.strip_prefix(flag.name.as_bytes());
    let apart = flag.place != Place::Joined;
    if rest.is_some_and(<[u8]>::is_empty) {
        return apart.then_some(0);
    }
    if flag.name.starts_with("--") {
        return rest?.starts_with(b"=").then_some(flag.name.len() + 1);
    }
    if rest.is_some() && flag.place != Place::Apart {
        return Some(flag.name.len());
    }
    // `-su name:password`
    let letter = flag.name.as_bytes()[flag.name.len() - 1];
    let cluster = flag.name.len() == 2
        && flag.part == Part::After(b':')
        && argument.len() <= 8
        && matches!(argument, [b'-', letters @ .., last] if *last == letter
            && letters.iter().all(u8::is_ascii_alphabetic));
    (apart && cluster).then_some(0)
}

/// Notes the secret part of a flag's value.
fn note(scan: &mut Scan<'_, '_>, flag: &Flag, start: usize, end: usize) {
    let mut value = &scan.text[start..end];
    let mut from = start;
    if let [quote @ (b'"' | b'\''), inner @ .., last] = value
        && quote == last
    {
        value = inner;
        from += 1;
    }
    let skipped = match flag.part {
        Part::Whole => Some(0),
        Part::After(mark) => memchr::memchr(mark, value).filter(|&at| at > 0).map(|at| at + 1),
        Part::Behind(word) => value.starts_with(word.as_bytes()).then_some(word.len()),
    };
    let Some(skipped) = skipped else { return };
    let secret = &value[skipped..];
    let expands = matches!(secret, [b'$', ..]);
    if !secret.is_empty()
        && !expands
        && !mask::occurs(value)
        && !is_placeholder(secret, false)
        && !stands_for_nothing(secret)
        && !is_group(&value[..skipped], secret)
    {
        scan.found(from + skipped, from + value.len(), Class::Bare);
    }
}

/// `-u 1000:1000` names a user and a group.
fn is_group(name: &[u8], secret: &[u8]) -> bool {
    !name.is_empty()
        && secret.iter().all(u8::is_ascii_digit)
        && name[..name.len() - 1].iter().all(u8::is_ascii_digit)
}
