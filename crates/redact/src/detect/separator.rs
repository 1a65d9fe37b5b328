//! What stands between a name and its value.

use std::ops::Range;

use crate::class::{BLANKS, Class};
use crate::quote::Quote;

/// Longest type between a name and the value that is assigned to it.
const TYPE_BYTES: usize = 64;

/// Longest word before the quote of a literal, as in `[]byte("…")`.
const WRAPPER_BYTES: usize = 24;

/// What a separator lets stand after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    /// A quoted or a bare value.
    Any,
    /// Only a quoted value.
    Quoted,
    /// Only a quoted value that looks like no word: an argument, a text that is compared.
    Marked,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    /// `=` and its like.
    Assign,
    /// `:`
    Colon,
    /// A blank, after a flag or a word of a configuration.
    Blank,
    /// The bracket or the comma of a call.
    Argument,
    /// `>` of an element.
    Tag,
}

/// All separators, longer ones before those they begin with.
const SEPARATORS: &[(&[u8], Operator, Takes)] = &[
    (b":::=", Operator::Assign, Takes::Any),
    (b"===", Operator::Assign, Takes::Marked),
    (b"!==", Operator::Assign, Takes::Marked),
    (b"::=", Operator::Assign, Takes::Any),
    (b"==", Operator::Assign, Takes::Marked),
    (b"!=", Operator::Assign, Takes::Marked),
    (b":=", Operator::Assign, Takes::Any),
    (b"?=", Operator::Assign, Takes::Any),
    (b"+=", Operator::Assign, Takes::Quoted),
    (b".=", Operator::Assign, Takes::Quoted),
    (b"=>", Operator::Assign, Takes::Any),
    (b"=~", Operator::Assign, Takes::Marked),
    (b"<-", Operator::Assign, Takes::Quoted),
    (b"||", Operator::Assign, Takes::Marked),
    (b"??", Operator::Assign, Takes::Marked),
    (b"=", Operator::Assign, Takes::Any),
    (b"%3D", Operator::Assign, Takes::Any),
    (b"%3d", Operator::Assign, Takes::Any),
    (b"&#61;", Operator::Assign, Takes::Any),
    (b"\\u003d", Operator::Assign, Takes::Any),
    (b":", Operator::Colon, Takes::Any),
    (b"(", Operator::Argument, Takes::Marked),
    (b",", Operator::Argument, Takes::Marked),
    (b">", Operator::Tag, Takes::Any),
];

/// A separator that was read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Separator {
    pub(super) operator: Operator,
    pub(super) takes: Takes,
    /// Where the value begins, with its quote.
    pub(super) at: usize,
    /// Blanks are around it.
    pub(super) spaced: bool,
    /// The name is in quotes.
    pub(super) quoted: bool,
    /// The name is a flag of a command.
    pub(super) flag: bool,
}

/// What can follow a name with a value: a quick no for most words.
pub(super) fn may_follow(text: &[u8], end: usize) -> bool {
    text.get(end).is_some_and(|byte| b"=: \"'`\\>%&](?!|\t.,<+".contains(byte))
}

/// The separator after the name at `name`.
pub(super) fn read(text: &[u8], name: &Range<usize>) -> Option<Separator> {
    let mut at = name.end;
    let closing = Quote::at(&text[at..]).map_or(0, |(_, length)| length);
    at += closing;
    let quoted = closing > 0;
    // `config["password"] =`
    if quoted && text.get(at) == Some(&b']') {
        at += 1;
    }
    let blanks = Class::run_of_blanks(&text[at..]);
    if blanks > BLANKS {
        return None;
    }
    let after = at + blanks;
    let flag = !quoted && is_flag(text, name.start);
    let entry = SEPARATORS.iter().find(|(sign, ..)| text[after..].starts_with(sign));
    let Some(&(sign, operator, takes)) = entry else {
        return behind_blanks(text, name, blanks, after, quoted, flag);
    };
    if sign == b"(" && blanks > 0 {
        return None;
    }
    let mut at = after + sign.len();
    match operator {
        // A path of modules.
        Operator::Colon if text.get(at) == Some(&b':') || text[at..].starts_with(b"//") => {
            return None;
        }
        Operator::Argument
            if sign == b"," && !quoted && text[name.clone()].iter().any(u8::is_ascii_lowercase) =>
        {
            return None;
        }
        Operator::Argument if sign == b"(" && quoted => return None,
        Operator::Tag if !quoted && !opens_element(text, name) => return None,
        _ => {}
    }
    let inner = Class::run_of_blanks(&text[at..]);
    if inner > BLANKS {
        return None;
    }
    let spaced = blanks > 0 || inner > 0;
    at += inner;
    if sign == b","
        && let Some(value) = member(text, at)
    {
        return Some(Separator {
            operator: Operator::Colon,
            takes: Takes::Any,
            at: value,
            spaced: true,
            quoted,
            flag,
        });
    }
    if operator == Operator::Colon
        && let Some(assigned) = behind_type(text, at)
    {
        return Some(Separator {
            operator: Operator::Assign,
            takes: Takes::Quoted,
            at: assigned,
            spaced: true,
            quoted,
            flag,
        });
    }
    at += wrapper(&text[at..]);
    Some(Separator { operator, takes, at, spaced, quoted, flag })
}

/// After a flag, `PASSWORD 'x'`, or the next attribute: `name="password" value="x"`.
fn behind_blanks(
    text: &[u8],
    name: &Range<usize>,
    blanks: usize,
    at: usize,
    quoted: bool,
    flag: bool,
) -> Option<Separator> {
    if blanks == 0 {
        return None;
    }
    let separator =
        Separator { operator: Operator::Blank, takes: Takes::Any, at, spaced: true, quoted, flag };
    if quoted {
        let value = member(text, at)?;
        return Some(Separator { operator: Operator::Assign, at: value, ..separator });
    }
    let is_quote = matches!(text.get(at), Some(b'"' | b'\'' | b'\\'));
    if flag {
        return Some(separator);
    }
    if let Some(at) = behind_type(text, at) {
        return Some(Separator {
            operator: Operator::Assign,
            takes: Takes::Quoted,
            at,
            ..separator
        });
    }
    // `PASSWORD 'x'` of SQL; in prose only what no text says stands after a name and a blank.
    let shouts = !text[name.clone()].iter().any(u8::is_ascii_lowercase);
    let takes = if is_quote && shouts { Takes::Quoted } else { Takes::Marked };
    Some(Separator { takes, ..separator })
}

/// Where the value begins of a member `value: …` or an attribute `value="…"` at `at`.
fn member(text: &[u8], at: usize) -> Option<usize> {
    const WORDS: [&[u8]; 4] = [b"value", b"default", b"defaultvalue", b"content"];
    let quote = Quote::at(&text[at..]).map_or(0, |(_, length)| length);
    let start = at + quote;
    let length = Class::Alnum.run(&text[start..text.len().min(start + 16)]);
    let word = &text[start..start + length];
    if !WORDS.iter().any(|one| one.eq_ignore_ascii_case(word)) {
        return None;
    }
    let mut at = start + length + quote;
    at += Class::run_of_blanks(text.get(at..)?);
    let sign = match &text[at..] {
        [b'=', b'>', ..] => 2,
        [b'=' | b':', ..] => 1,
        _ => return None,
    };
    at += sign;
    Some(at + Class::run_of_blanks(&text[at..]))
}

/// Where the literal begins that is assigned after a type at `at`: `password: &str = "x"`.
fn behind_type(text: &[u8], at: usize) -> Option<usize> {
    let near = &text[at..text.len().min(at + TYPE_BYTES)];
    let is_type = |byte: &u8| byte.is_ascii_alphanumeric() || b"_<>&':[]|?.* ".contains(byte);
    let length = near.iter().take_while(|byte| is_type(byte)).count();
    let after = near[length..].strip_prefix(b"= ")?;
    (near[..length].ends_with(b" ") && matches!(after, [b'"' | b'\'' | b'`', ..]))
        .then_some(at + length + 2)
}

/// Length of what stands between a separator and the quote of its literal: `b`, `new String(`, `[]byte(`.
fn wrapper(text: &[u8]) -> usize {
    let near = &text[..text.len().min(WRAPPER_BYTES)];
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"[]_. (@$&".contains(byte);
    let length = near.iter().take_while(|byte| is_part(byte)).count();
    let is_quote = matches!(near.get(length), Some(b'"' | b'\''));
    let word = &near[..length];
    let known = match word {
        [b'b' | b'f' | b'r' | b'u' | b'B' | b'F' | b'R' | b'U' | b'L' | b'N' | b'@' | b'$']
        | [b'b', b'r'] => true,
        _ => {
            [
                &b"[]byte("[..],
                b"new String(",
                b"String(",
                b"SecretStr(",
                b"SecretString(",
                b"base64.b64encode(",
            ]
            .contains(&word)
                || word.ends_with(b"(b") && word.starts_with(b"base64.")
        }
    };
    if is_quote && known { length } else { 0 }
}

/// Whether a name is a flag: dashes before it, and what parts arguments before those.
fn is_flag(text: &[u8], start: usize) -> bool {
    let dashes = |at: usize| text[at..].iter().take(2).take_while(|byte| **byte == b'-').count();
    let own = dashes(start);
    own > 0 && start.checked_sub(1).is_none_or(|before| b" \t\n\"'`([,=".contains(&text[before]))
}

/// The name is all of an opening tag, or its last attribute's text is its content: `<password>`, `<ns:api-key>`.
fn opens_element(text: &[u8], name: &Range<usize>) -> bool {
    let before = &text[name.start.saturating_sub(32)..name.start];
    let prefix = before
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b':' || **byte == b'_')
        .count();
    before[..before.len() - prefix].ends_with(b"<")
}
