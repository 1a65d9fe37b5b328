//! Values without quotes: where they end.

use super::Scan;
use super::assignment::JUDGED_BYTES;
use super::name::Strength;
use super::operator::Operator;
use super::value::{Parts, Value, take_after_type};
use super::{argument, element, random, types};
use crate::class::Class;
use crate::mask;
use crate::span::Swallow;

/// How far a run is looked at first, and then, before all of it is.
const NEAR_BYTES: [usize; 4] = [4, 32, 192, 2 * JUDGED_BYTES];

/// Furthest that is looked ahead of what may end a value.
const AHEAD_BYTES: usize = 128;

/// Furthest to the right that the value of a line of YAML begins.
const COLUMNS: usize = 128;

/// Longest name that is looked for behind a separator.
const NAME_BYTES: usize = 48;

/// Longest name of a tag.
const TAG_BYTES: usize = 32;

/// Up to a blank or a quote that was opened before the value, less what belongs to the text around it.
pub(super) fn take<'t>(scan: &mut Scan<'t, '_>, value: &Value<'t>, start: usize) {
    if mask::length(&scan.text[start..]) > 0 {
        return;
    }
    let weak = value.strength == Strength::Weak;
    if value.operator == Operator::Tag && !weak {
        return element::take(scan, value, start);
    }
    let run = if weak {
        scan.runs.end(scan.text, Class::Bare, start)
    } else {
        run_end(scan, value, start)
    };
    if scan.is_cut(run) {
        if !weak {
            scan.found(start, run, Class::Bare);
        }
        return;
    }
    let body = &scan.text[start..run];
    let encoded = scan.runs.end(scan.text, Class::Encoded, start).min(run) - start;
    // A weak name is not worth a look at more than is judged.
    let long = weak && body.len() > JUDGED_BYTES;
    let inside = is_encoded(&scan.text[..start]);
    let length = || length(value, body, encoded, inside, &scan.text[run..]);
    let body = if long { body } else { &body[..length()] };
    let end = start + body.len();
    if body.is_empty() {
        return;
    }
    let after = &scan.text[end..];
    if value.operator == Operator::Tag && !matches!(after, [b'<', b'/', ..]) {
        return;
    }
    let closes_at = || {
        let at = scan.runs.end(scan.text, Class::Open, end);
        (scan.text.get(at) == Some(&b'>')).then(|| at - end)
    };
    if types::is_type(value, body, after, closes_at) {
        return take_after_type(scan, value, end);
    }
    let is_secret = if weak {
        random::is_weak_secret(scan, value, start, end)
    } else {
        scan.verdicts().is_secret(value, body, false, after)
    };
    if is_secret {
        let body = &scan.text[start..end];
        let number = is_number_of_document(value, body);
        if let Some(end) = scalar_end(scan, value, start, end) {
            return scan.add(start, end, Swallow::While(Class::Line), false);
        }
        scan.add(start, end, Swallow::While(Class::Bare), number);
    }
}

/// Where the scalar ends that fills the rest of a line of YAML and begins with the value at `start..end`. The brackets of
/// a mask would open a list before what is left of it.
fn scalar_end(
    scan: &mut Scan<'_, '_>,
    value: &Value<'_>,
    start: usize,
    end: usize,
) -> Option<usize> {
    let text = scan.text;
    if value.operator != Operator::Colon || !value.spaced || text.get(end) != Some(&b' ') {
        return None;
    }
    let line = scan.line_start(start, COLUMNS)?;
    let name = text[line..start].iter().position(|byte| !b" \t-".contains(byte))?;
    let (colon, name) = text[line + name..start].trim_ascii_end().split_last()?;
    let name = name.trim_ascii_end();
    if *colon != b':' || !is_key(name) {
        return None;
    }
    let line_end = scan.runs.end(text, Class::Line, end);
    let rest = &text[end..line_end];
    let rest = &rest[..memchr::memmem::find(rest, b" #").unwrap_or(rest.len())];
    let rest = rest.trim_ascii_end();
    // A second pair is no YAML.
    let pair = text[end - 1] == b':'
        || rest.ends_with(b":")
        || memchr::memmem::find(rest, b": ").is_some();
    (!pair && !rest.is_empty() && !scan.is_cut(line_end)).then_some(end + rest.len())
}

/// A name without quotes, or in two of a sort. One that was opened before it and is not closed behind it holds the value too.
fn is_key(name: &[u8]) -> bool {
    let inner = match name {
        [open @ (b'"' | b'\''), inner @ .., close] if open == close => inner,
        _ => name,
    };
    inner.iter().all(|byte| Class::Dot.has(*byte))
}

/// Where the run ends that begins with the value, or the part of it that tells where the value ends. Runs go on behind quotes;
/// to walk all of one for each value in it would take too long.
fn run_end<'t>(scan: &mut Scan<'t, '_>, value: &Value<'t>, start: usize) -> usize {
    let inside = is_encoded(&scan.text[..start]);
    for near in NEAR_BYTES {
        let (run, whole) = scan.value_end(start, start + near);
        if whole {
            return run;
        }
        let near = &scan.text[start..run];
        let known = first_end(value, near, 0, inside, b"");
        if known.is_some_and(|end| end + AHEAD_BYTES <= near.len() || begins_pair(&near[end..])) {
            return run;
        }
    }
    scan.value_end(start, usize::MAX).0
}

/// True when a separator and the name and operator of the next pair come. More of the run would change neither that nor
/// what was said of the bytes before: none of that looks past a separator.
fn begins_pair(text: &[u8]) -> bool {
    let [b'&' | b',' | b';', name @ ..] = text else { return false };
    let length = Class::Dot.run(&name[..name.len().min(NAME_BYTES)]);
    length > 0 && matches!(name.get(length), Some(b'=' | b':'))
}

/// True when the operator before a value is percent-encoded, and so is what ends the value. Behind one that is not, an
/// encoded sign is a part of the value.
fn is_encoded(text: &[u8]) -> bool {
    // Behind a quote that nothing closes.
    let operator = text.strip_suffix(b"%22").or_else(|| text.strip_suffix(b"%27")).unwrap_or(text);
    matches!(operator, [.., b'%', b'3', b'D' | b'd' | b'A' | b'a'])
}

/// How much of a run without blanks is the value. Its first `encoded` bytes are of that class; `inside` an encoded text it
/// ends with it.
fn length(value: &Value<'_>, run: &[u8], encoded: usize, inside: bool, behind: &[u8]) -> usize {
    if value.is_member()
        && let Some(length) = scalar_of_document(run)
    {
        return length;
    }
    // None of the bytes before that ends a value.
    let from = memchr::memchr(b'%', &run[..encoded]).unwrap_or(encoded);
    trim_closers(&run[..first_end(value, run, from, inside, behind).unwrap_or(run.len())])
}

/// The first byte of a run, from `from` on, that ends the value, which may be `inside` an encoded text. Looks at most
/// [`AHEAD_BYTES`] ahead.
fn first_end(
    value: &Value<'_>,
    run: &[u8],
    from: usize,
    inside: bool,
    behind: &[u8],
) -> Option<usize> {
    let mut entity_to = 0;
    for (index, &byte) in run.iter().enumerate().skip(from) {
        let rest = &run[index + 1..];
        let ends = match byte {
            _ if index < entity_to => false,
            b'&' if value.parts == Parts::Connection => {
                entity_to = index + sign_length(rest);
                spells_quote(rest)
            }
            b'&' if rest.first() == Some(&b'&') => {
                value.parts == Parts::Pairs && runs_command(value, &rest[1..])
            }
            b'&' => value.parts == Parts::Pairs && (separates(rest) || entity(rest).is_some()),
            b';' if value.parts == Parts::Connection => separates(rest),
            b',' | b';' => value.parts == Parts::Pairs && (separates(rest) || opens_name(rest)),
            b'\\' => escapes(rest),
            // An address in parentheses or brackets.
            b')' | b']' => matches!(value.before, Some(b'?' | b'&')),
            b'<' => value.operator == Operator::Tag || index > 0 && opens_tag(rest, behind),
            b'%' => inside && matches!(rest, [b'2', b'6' | b'2', ..]),
            _ => false,
        };
        if ends {
            return Some(index);
        }
    }
    None
}

/// True when a mask in place of `body` needs quotes.
pub(super) fn is_number_of_document(value: &Value<'_>, body: &[u8]) -> bool {
    value.is_member() && is_number(body)
}

/// True when `body` is a number as documents have it, or begins like one.
pub(super) fn is_number(body: &[u8]) -> bool {
    body.iter().any(u8::is_ascii_digit)
        && matches!(body.first(), Some(b'-' | b'.' | b'0'..=b'9'))
        && body.iter().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte))
}

/// The length of `null`, `true` or `false` at the start of `text`.
pub(super) fn literal(text: &[u8]) -> Option<usize> {
    let found =
        [&b"null"[..], b"true", b"false"].into_iter().find(|word| text.starts_with(word))?;
    let next = text.get(found.len());
    next.is_none_or(|byte| b",]} \t\r\n".contains(byte)).then_some(found.len())
}

/// The length of a number or a literal after which a document without blanks goes on: `123},{"next"`, `null]],true`.
fn scalar_of_document(run: &[u8]) -> Option<usize> {
    let number = |byte: &&u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
    let length = literal(run).unwrap_or_else(|| run.iter().take_while(number).count());
    let rest = &run[length..];
    let closed = rest.iter().take_while(|byte| b"]}".contains(byte)).count();
    let goes_on = match &rest[closed..] {
        [] => closed > 0,
        [b',', rest @ ..] => rest.first().is_none_or(|byte| b"\"{[-0123456789tfn".contains(byte)),
        _ => false,
    };
    (length > 0 && goes_on).then_some(length)
}

/// True when an angle before `rest` begins a tag, such as `</b>`, `<br/>` or `<a href=`, or the parameter of a type: a name
/// and what closes it or an attribute. `behind` follows `rest`. A value may hold an angle as well.
fn opens_tag(rest: &[u8], behind: &[u8]) -> bool {
    let name = rest.strip_prefix(b"/").unwrap_or(rest);
    let length = Class::Dash.run(&name[..name.len().min(TAG_BYTES)]);
    let attribute = |behind: &[u8]| {
        let name = Class::Dash.run(&behind[..behind.len().min(TAG_BYTES)]);
        name > 0 && behind.get(name) == Some(&b'=')
    };
    name.first().is_some_and(u8::is_ascii_alphabetic)
        && match &name[length..] {
            [] => behind.strip_prefix(b" ").is_some_and(attribute),
            rest => matches!(rest, [b'>', ..] | [b'/', b'>', ..]),
        }
}

/// True when two ampersands before `rest` part commands: in a header or a document they do not, nor before noise.
fn runs_command(value: &Value<'_>, rest: &[u8]) -> bool {
    let word = &rest[..rest.len().min(NAME_BYTES)];
    let name = Class::Dot.run(word);
    value.operator != Operator::Colon
        && (word.get(name) == Some(&b'=') || !argument::is_value(word))
}

/// True when a separator is followed by the next pair, or by nothing.
fn separates(rest: &[u8]) -> bool {
    if mask::length(rest) > 0 {
        return false;
    }
    let name = rest
        .iter()
        .take(NAME_BYTES)
        .take_while(|&&byte| Class::Dot.has(byte) || matches!(byte, b'[' | b']' | b'%'))
        .count();
    match rest.get(name) {
        None | Some(b'&') => name == 0,
        Some(b'=' | b':') => name > 0,
        Some(_) => false,
    }
}

/// True when the next name of a document inside a document comes: `\"name\"`.
fn opens_name(rest: &[u8]) -> bool {
    let depth = rest.iter().take(32).take_while(|&&byte| byte == b'\\').count();
    depth > 0 && rest.get(depth) == Some(&b'"')
}

/// True when a backslash begins what ends a value: `\n`, `\"`, `\\\"`, `\u0026`, or nothing follows it.
pub(super) fn escapes(rest: &[u8]) -> bool {
    let more = rest.iter().take(32).take_while(|&&byte| byte == b'\\').count();
    match &rest[more..] {
        // Inside a string the value goes on behind a quote that no separator follows.
        [b'"' | b'\'', next, ..] if more == 0 => !next.is_ascii_alphanumeric(),
        [] | [b'n' | b'r' | b't' | b'"' | b'\'', ..] => true,
        [b'u', b'0', b'0', digits @ ..] => [&b"22"[..], b"26", b"27", b"3c", b"3C", b"3e", b"3E"]
            .iter()
            .any(|code| digits.starts_with(code)),
        _ => false,
    }
}

/// Length behind its ampersand of an entity that stands for a sign of markup.
fn sign_length(rest: &[u8]) -> usize {
    let sign = [&b"amp;"[..], b"lt;", b"gt;"].into_iter().find(|name| rest.starts_with(name));
    sign.map_or(0, |name| name.len() + 1)
}

/// True when an ampersand before `rest` begins a quote that is spelled.
fn spells_quote(rest: &[u8]) -> bool {
    [&b"quot;"[..], b"apos;", b"#34;", b"#39;"].iter().any(|name| rest.starts_with(name))
}

/// The length behind its ampersand of `&amp;`, `&quot;`.
pub(super) fn entity(rest: &[u8]) -> Option<usize> {
    if rest.first().is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let name = rest
        .iter()
        .take(8)
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'#')
        .count();
    (name > 1 && rest.get(name) == Some(&b';')).then_some(name + 2)
}

/// Length without the punctuation that closes what the value stands in.
fn trim_closers(value: &[u8]) -> usize {
    let may_trim = |byte: &u8| b")]}:,;\"'`".contains(byte);
    if !value.last().is_some_and(may_trim) {
        return value.len();
    }
    // How many of each were never opened, counted when one is met.
    let mut unopened = [(b'(', b')', None), (b'[', b']', None), (b'{', b'}', None)];
    let count = |wanted: u8| memchr::memchr_iter(wanted, value).count();
    // `def login(token: str):`
    let colon = matches!(value, [.., b')' | b']', b':']);
    let mut length = value.len() - usize::from(colon);
    while let Some(&last) = value[..length].last() {
        match unopened.iter_mut().find(|(_, closer, _)| *closer == last) {
            Some((opener, closer, left)) => {
                let left =
                    left.get_or_insert_with(|| count(*closer).saturating_sub(count(*opener)));
                if *left == 0 {
                    break;
                }
                *left -= 1;
            }
            None if b",;\"'`".contains(&last) => {}
            None => break,
        }
        length -= 1;
    }
    if colon && length + 1 == value.len() { value.len() } else { length }
}
