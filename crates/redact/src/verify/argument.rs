//! A name and its value as arguments or as a choice: `define('DB_PASSWORD', 'x')`, `setPassword("x")`, `env.PASSWORD || "x"`.

use super::algorithm::is_algorithm;
use super::assignment::JUDGED_BYTES;
use super::identifier::{NAME_BYTES, Words};
use super::operator::{Operator, opens_flag};
use super::words::SECRETS;
use super::{call, plain};
use crate::class::Class;
use crate::quote::Quote;

/// Shortest value of a name that need not hold one.
const VALUE_BYTES: usize = 6;

/// Shortest value that begins with a sign, or has brackets in it.
const NOISE_BYTES: usize = 10;

/// Shortest part of a value that is a folder's name.
const FOLDER_BYTES: usize = 4;

/// Most digits in the name of a thing: `sha256`, `field12`.
const NAME_DIGITS: usize = 4;

/// Longest expression before what it falls back on, and its parts.
const EXPRESSION_BYTES: usize = 192;
const EXPRESSION_PARTS: usize = 8;

/// Longest user before a password.
const USER_BYTES: usize = 64;

/// How sure it is that the literal behind a name is its value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Doubt {
    /// Nothing else stands there.
    None,
    /// It may be the name of something: one digit says that it is not.
    Little,
    /// Texts, names and kinds of things stand there as often.
    Much,
}

/// True when a bracket or a choice behind a name may lead to its value.
pub(super) fn may_follow(rest: &[u8]) -> bool {
    matches!(
        rest,
        [b'(', b'"' | b'\'' | b'\\', ..]
            | [b'(', b'b' | b'u' | b'r' | b'@', b'"' | b'\'', ..]
            | [b'|', b'|', ..]
            | [b' ', b'|', b'|', ..]
    )
}

/// The operator and the offset behind it, when the name at `name_start..name_end` has a literal in quotes for its value that
/// follows in none of the usual ways.
pub(super) fn read(text: &[u8], name_start: usize, name_end: usize) -> Option<(Operator, usize)> {
    let (at, doubt) = match text.get(name_end)? {
        b'(' => of_call(text, name_start, name_end)?,
        b'"' | b'\'' | b'\\' => behind_quoted(text, name_start, name_end)?,
        b' ' | b'|' => {
            let at = choice(text, name_end)?;
            let name = &text[name_start..name_end];
            (at, if is_environment(name) { Doubt::None } else { Doubt::Much })
        }
        _ => return None,
    };
    let body = literal(text, at)?;
    let is_value = match doubt {
        Doubt::None => true,
        Doubt::Little => is_value(body) || is_marked(body) && !is_algorithm(body),
        Doubt::Much => is_value(body),
    };
    let flag = doubt == Doubt::None && opens_flag(text, name_start);
    is_value.then_some((if flag { Operator::Flag } else { Operator::Assign }, at))
}

/// The argument of a call that is named like its value: `.password("x")`, `setPassword('x')`, `NetworkCredential("bob", "x")`.
fn of_call(text: &[u8], name_start: usize, name_end: usize) -> Option<(usize, Doubt)> {
    let name = &text[name_start..name_end];
    let at = name_end + 1;
    if name.ends_with(b"NetworkCredential") {
        literal(text, at).filter(|user| user.len() <= USER_BYTES)?;
        return Some((next(text, at)?, Doubt::None));
    }
    let name = name.rsplit(|byte| *byte == b'.').next()?;
    let words = Words::new(name);
    let sets = words.len() == 1 || call::WRITERS.has(words.get(0));
    (sets && SECRETS.has(words.last())).then_some((at, Doubt::Little))
}

/// How much of a name is the verb of a builder before that of a setting: `withPassword`, `config.with_password`.
pub(super) fn verb(name: &[u8]) -> usize {
    let object = memchr::memrchr(b'.', name).map_or(0, |dot| dot + 1);
    match &name[object..] {
        [b'w' | b'W', b'i', b't', b'h', next, ..] if !next.is_ascii_lowercase() => object + 4,
        _ => 0,
    }
}

/// Where the argument begins that follows a name in quotes.
pub(super) fn behind_name(text: &[u8], name_start: usize, name_end: usize) -> Option<usize> {
    behind_comma(text, name_end + quotes(text, name_start, name_end)?)
}

/// The length of the quotes that are the same on both sides of a name.
fn quotes(text: &[u8], name_start: usize, name_end: usize) -> Option<usize> {
    let (quote, length) = Quote::at(&text[name_end..])?;
    let opened = match quote {
        Quote::Plain(quote) => text[..name_start].ends_with(&[quote]),
        Quote::Escaped(_) => text[..name_start].ends_with(&text[name_end..name_end + length]),
        Quote::Spelled(_) => false,
    };
    opened.then_some(length)
}

/// What stands behind a name in quotes: another argument, or the end of a call or an index and a choice.
fn behind_quoted(text: &[u8], name_start: usize, name_end: usize) -> Option<(usize, Doubt)> {
    let length = quotes(text, name_start, name_end)?;
    let before = &text[..name_start - length];
    let close = name_end + length;
    if let Some(at) = behind_comma(text, close) {
        // `["--password", "x"]`
        if opens_flag(text, name_start) {
            return Some((at, Doubt::None));
        }
        let doubt = if call::is_setter(before) { Doubt::None } else { Doubt::Much };
        return Some((at, doubt));
    }
    let closed = text.get(close).filter(|byte| matches!(byte, b')' | b']'))?;
    let at = choice(text, close + 1)?;
    let environment =
        if *closed == b')' { call::is_setter(before) } else { call::is_index(before) };
    Some((at, if environment { Doubt::None } else { Doubt::Much }))
}

/// Where the argument begins that follows a short literal at `at`.
pub(super) fn next(text: &[u8], at: usize) -> Option<usize> {
    let body = literal(text, at)?;
    let quote = at + usize::from(text[at].is_ascii_alphabetic() || text[at] == b'@');
    let (_, length) = Quote::at(&text[quote..])?;
    let close = quote + length + body.len();
    let closed = text[close..].starts_with(&text[quote..quote + length]);
    closed.then(|| behind_comma(text, close + length))?
}

/// Where the next argument begins, at a quote: `, "`, in a pair `-> "` or ` to "`.
fn behind_comma(text: &[u8], at: usize) -> Option<usize> {
    let rest = &text[at..text.len().min(at + NAME_BYTES)];
    let length = match rest {
        [b',', ..] => 1,
        [b' ', b'-', b'>', b' ', ..] | [b' ', b't', b'o', b' ', ..] => 4,
        _ => return None,
    };
    let at = at + length + Class::run_of_blanks(&rest[length..]);
    begins_literal(text, at)
}

/// Where the literal begins that stands in when a name has no value: `|| "x"`, `?? "x"`, `?: "x"`, `or "x"`, `{ "x" }`.
fn choice(text: &[u8], at: usize) -> Option<usize> {
    let rest = &text[at..text.len().min(at + NAME_BYTES)];
    let blanks = Class::run_of_blanks(rest);
    let length = match &rest[blanks..] {
        [b'|', b'|', ..] | [b'?', b'?' | b':', ..] => 2,
        [b'o', b'r', b' ', ..] if blanks > 0 => 2,
        [b'{', b' ', b'"' | b'\'', ..] => 1,
        [b'.', method @ ..] => stands_in(method)? + 1,
        _ => return None,
    };
    let at = at + blanks + length;
    begins_literal(text, at + Class::run_of_blanks(&text[at..]))
}

/// Behind the parenthesis of a method whose argument stands in for what has none: `orElse(`.
fn stands_in(method: &[u8]) -> Option<usize> {
    let name = Class::Word.run(&method[..method.len().min(NAME_BYTES)]);
    (method.get(name) == Some(&b'(') && call::STAND_INS.has(&method[..name])).then_some(name + 1)
}

/// Where the literal begins that an expression at `at` falls back on, `x || "…"`, `f() or "…"`, `c ? y : "…"`, or one in
/// parentheses. It has to look like a value, as code names things there as often.
pub(super) fn fallback(text: &[u8], at: usize) -> Option<usize> {
    let text = &text[..text.len().min(at + EXPRESSION_BYTES)];
    if text.get(at) == Some(&b'(') {
        let inner = begins_literal(text, at + 1)?;
        let (quote, body) =
            (inner + usize::from(text[inner].is_ascii_alphabetic()), literal(text, inner)?);
        let (_, length) = Quote::at(text.get(quote..)?)?;
        return (text.get(quote + body.len() + 2 * length) == Some(&b')')).then_some(inner);
    }
    let end = expression(text, at)?;
    let found = choice(text, end).or_else(|| {
        let yes = text.get(end..)?.strip_prefix(b" ? ")?;
        let yes = text.len() - yes.len();
        if begins_literal(text, yes).is_some() {
            return Some(yes);
        }
        let no = text.get(expression(text, yes)?..)?.strip_prefix(b" : ")?;
        begins_literal(text, text.len() - no.len())
    })?;
    literal(text, found).is_some_and(is_value).then_some(found)
}

/// Where names and members end, with what is in their brackets. A single name that has digits may be a value itself.
fn expression(text: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    let first = text.get(at)?;
    if !first.is_ascii_alphabetic() && !matches!(first, b'_' | b'$') {
        return None;
    }
    for _ in 0..EXPRESSION_PARTS {
        at += Class::Word.run(&text[at..]);
        at += match &text[at..] {
            [b'.', method @ ..] if stands_in(method).is_some() => break,
            [b'.', next, ..] if next.is_ascii_alphabetic() || *next == b'_' => 1,
            [b'?', b'.', ..] | [b'-', b'>', ..] | [b':', b':', ..] => 2,
            [b'$', ..] if at == start => 1,
            [open @ (b'(' | b'['), rest @ ..] => {
                let close = if *open == b'(' { b')' } else { b']' };
                let end = rest.iter().position(|byte| *byte == close || b"\n([".contains(byte))?;
                (rest[end] == close).then_some(end + 2)?
            }
            _ => break,
        };
    }
    let alone = Class::Word.run(&text[start..]) == at - start;
    (!alone || !text[start..at].iter().any(u8::is_ascii_digit)).then_some(at)
}

/// Where the quote or the letter before it is, when a literal begins at `at`.
pub(super) fn begins_literal(text: &[u8], at: usize) -> Option<usize> {
    let quoted = match text[at..] {
        [b'b' | b'u' | b'r' | b'@', b'"' | b'\'', ..] => true,
        _ => matches!(Quote::at(&text[at..]), Some((Quote::Plain(_) | Quote::Escaped(_), _))),
    };
    quoted.then_some(at)
}

/// What the literal at `at` holds, of a long one the beginning. `None` when it is not closed.
pub(super) fn literal(text: &[u8], at: usize) -> Option<&[u8]> {
    let at = at + usize::from(matches!(text.get(at), Some(b'b' | b'u' | b'r' | b'@')));
    let (quote, length) = Quote::at(&text[at..])?;
    let start = at + length;
    let near = &text[start..text.len().min(start + JUDGED_BYTES + 1)];
    let (to, closed) = match quote {
        Quote::Plain(quote) => {
            let to = memchr::memchr2(quote, b'\n', near).unwrap_or(near.len());
            (to, near.get(to) == Some(&quote))
        }
        Quote::Escaped(mut walk) => {
            let to = walk.run(near);
            (to.saturating_sub(walk.held()), near.get(to).is_some_and(|byte| *byte != b'\n'))
        }
        Quote::Spelled(_) => return None,
    };
    (closed || to > JUDGED_BYTES).then_some(&near[..to])
}

/// The name of an environment's variable: `process.env.DB_PASSWORD`.
fn is_environment(name: &[u8]) -> bool {
    [&b"process.env."[..], b"import.meta.env.", b"Deno.env.", b"Bun.env."]
        .iter()
        .any(|path| name.starts_with(path))
}

/// A letter and a digit.
pub(super) fn is_marked(body: &[u8]) -> bool {
    !body.iter().any(u8::is_ascii_whitespace)
        && body.iter().any(u8::is_ascii_digit)
        && body.iter().any(u8::is_ascii_alphabetic)
}

/// True when a literal looks like nothing but a value: it has digits, or signs in it, and is no name of a thing.
pub(super) fn is_value(body: &[u8]) -> bool {
    if body.len() > JUDGED_BYTES {
        return true;
    }
    let has = |test: fn(&u8) -> bool| body.iter().any(test);
    // Code, places for values, expressions and addresses.
    let never = |byte: &u8| byte.is_ascii_whitespace() || b"\\\"'`".contains(byte);
    if body.len() < VALUE_BYTES
        || body.iter().any(never)
        || memchr::memmem::find(body, b"://").is_some()
    {
        return false;
    }
    if has_bracket(body) || b"/.#^-%".contains(&body[0]) {
        return is_noise(body);
    }
    let signs = body.iter().filter(|byte| b"!@#$%^&*+=?~".contains(byte)).count();
    let digits = body.iter().filter(|byte| byte.is_ascii_digit()).count();
    let mixed = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
    let letters = has(u8::is_ascii_alphabetic);
    letters
        && !is_algorithm(body)
        && (digits > 0 && (signs > 0 || !is_name(body, digits)) || signs > 0 && mixed)
}

fn has_bracket(body: &[u8]) -> bool {
    body.iter().any(|byte| b"()[]{}<>|".contains(byte))
}

/// `/K29fjQw0dPz`, `xK2(9fjQw0dPz`: neither a path, a selector, an option nor an expression, whatever it begins with.
fn is_noise(body: &[u8]) -> bool {
    const EXPRESSIONS: [&[u8]; 9] =
        [b"${", b"{{", b"(?", b".*", b".+", b"0-9", b"a-z", b"A-Z", b"()"];
    let has = |test: fn(&u8) -> bool| body.iter().any(test);
    let begun = usize::from(b"/.#^-%".contains(&body[0]));
    let rest = &body[begun..];
    let first = &rest[..Class::Alnum.run(rest)];
    let colour = body[0] == b'#' && Class::Hex.run(rest) == rest.len();
    if body.len() < NOISE_BYTES
        || !(has(u8::is_ascii_digit) && has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase))
        || first.is_empty()
        || !first.iter().any(u8::is_ascii_digit) && plain::is_words(first, 1)
        || colour
        || has(|byte| b",;".contains(byte))
        || begun > 0 && body.ends_with(&body[..1])
        || EXPRESSIONS.iter().any(|part| memchr::memmem::find(body, part).is_some())
    {
        return false;
    }
    let folder =
        |part: &[u8]| part.len() >= FOLDER_BYTES && part[1..].iter().all(u8::is_ascii_lowercase);
    let path = body[0] == b'/' && rest.split(|byte| *byte == b'/').any(folder);
    !path && (has_bracket(body) || is_value(rest))
}

/// `sha256`, `oauth2_token`, `field12`, `v1.2`: few words, none of them made up, and few digits.
fn is_name(body: &[u8], digits: usize) -> bool {
    let words = Words::new(body);
    let mut letters = 0;
    let mut count = 0;
    for word in words.iter() {
        if word.iter().all(u8::is_ascii_digit) {
            continue;
        }
        if !plain::is_words(word, 1) {
            return false;
        }
        (letters, count) = (letters + word.len(), count + 1);
    }
    digits <= NAME_DIGITS && count * 3 <= letters + digits
}
