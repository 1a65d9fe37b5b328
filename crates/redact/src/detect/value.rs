//! Where a value ends: one scanner with one state, the quote it began with.

use std::ops::Range;

use memchr::memchr3;

use super::scan::Scan;
use crate::class::Class;
use crate::mask;
use crate::quote::Quote;
use crate::stream::span::Swallow;

/// How much of a bare value is looked at for the sign that ends it.
const CUT_BYTES: usize = 512;

/// Longest name in a query or list.
const NAME_BYTES: usize = 64;

/// Most parts that a shell joins to one word, and most signs around a bare value.
const JOINED_PARTS: usize = 8;
const TRAILING_BYTES: usize = 8;

/// A value: its bytes without quotes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) quote: Option<Quote>,
}

/// What is around a bare value, as far as the name tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Around {
    /// A variable of an environment: nothing but a blank ends it.
    Environment,
    /// Anything; the sign before the name, when there is one.
    Sign(Option<u8>),
}

/// Reads the value at `at`.
pub(super) fn read(scan: &mut Scan<'_, '_>, at: usize, around: Around) -> Value {
    let text = scan.text;
    let Some((quote, length)) = Quote::at(&text[at..]) else {
        return Value { start: at, end: bare_end(scan, at, around), quote: None };
    };
    let start = at + length;
    let end = match quote {
        Quote::Plain(quote) => {
            let end = scan.closing.find(text, start, quote);
            if scan.is_cut(end) {
                end
            } else if text.get(end) == Some(&quote) {
                joined_end(scan, end, quote)
            } else {
                // Without its other half the quote is a sign like others.
                scan.runs.end(text, Class::Bare, start)
            }
        }
        Quote::Escaped(mut walk) => {
            let stop = start + walk.run(&text[start..]);
            scan.count(stop - start);
            if scan.is_cut(stop) { stop } else { stop - walk.held() }
        }
        Quote::Spelled(spelling) => {
            let line = scan.runs.end(text, Class::Line, start);
            let near = &text[start..line.min(start + CUT_BYTES)];
            let closes = |&at: &usize| {
                let window = near.get(at..at + spelling.len());
                window.is_some_and(|window| window.eq_ignore_ascii_case(spelling))
            };
            let end = memchr::memchr_iter(spelling[0], near).find(closes);
            scan.count(end.unwrap_or(near.len()));
            end.map_or_else(|| bare_end(scan, start, around), |end| start + end)
        }
    };
    Value { start, end, quote: Some(quote) }
}

/// Where the last part ends of those that a shell or a document joins to the string that closes at `end`: `'it'\''s'`, `'it''s'`.
fn joined_end(scan: &mut Scan<'_, '_>, mut end: usize, quote: u8) -> usize {
    let text = scan.text;
    for _ in 0..JOINED_PARTS {
        let next = match text[end + 1..] {
            [one, ..] if one == quote => end + 2,
            [b'\\', b'\'', b'\'', ..] if quote == b'\'' => end + 4,
            _ => break,
        };
        let close = scan.closing.find(text, next, quote);
        if text.get(close) != Some(&quote) || close == next {
            break;
        }
        end = close;
    }
    end
}

/// Reads the text of an element at `at`: to the tag that closes it, on the same line.
pub(super) fn read_element(scan: &mut Scan<'_, '_>, at: usize) -> Option<Value> {
    let line = scan.runs.end(scan.text, Class::Line, at);
    let end = scan.closing_tag.find(scan.text, at, line.min(at + CUT_BYTES))?;
    Some(Value { start: at, end, quote: None })
}

/// How a value that reaches the end of a window goes on.
pub(super) fn swallow(value: &Value) -> Swallow {
    match value.quote {
        Some(Quote::Plain(quote)) => Swallow::Quoted { quote, escaped: false },
        _ => Swallow::While(Class::Bare),
    }
}

/// Where the bare value at `at` ends: at a blank or a quote, or at the sign that parts it from what follows.
fn bare_end(scan: &mut Scan<'_, '_>, at: usize, around: Around) -> usize {
    let text = scan.text;
    let run = scan.runs.end(text, Class::Bare, at);
    let near_end = run.min(at + CUT_BYTES);
    let near = &text[at..near_end];
    let cut = match around {
        Around::Environment => None,
        Around::Sign(before) => scan.cuts.find(text, at..near_end, near_end == run, before),
    };
    let mut end = cut.unwrap_or(run);
    // Signs of the sentence or of the list around it.
    for _ in 0..TRAILING_BYTES {
        if end == at || scan.is_cut(end) {
            break;
        }
        let has = |opening: u8| memchr::memchr(opening, near).is_some();
        let closes = match text[end - 1] {
            b',' | b';' | b':' => true,
            b')' => !has(b'('),
            b']' => !has(b'['),
            b'}' => !has(b'{'),
            b'\\' => end == run && matches!(text.get(end), Some(b'"' | b'\'')),
            _ => false,
        };
        if !closes {
            break;
        }
        end -= 1;
    }
    end
}

/// The stretch of a bare value that was looked at last: before `to` no sign parts it from what follows.
#[derive(Default)]
pub(super) struct Cuts {
    before: Option<u8>,
    from: usize,
    to: usize,
    /// Bytes read.
    pub(super) steps: u64,
}

impl Cuts {
    /// Where the first sign stands that parts the bare value at `at` from what follows. It is read up to `end`, where its run
    /// ends or, unless `is_whole`, goes on.
    fn find(
        &mut self,
        text: &[u8],
        Range { start: at, end }: Range<usize>,
        is_whole: bool,
        before: Option<u8>,
    ) -> Option<usize> {
        let known = self.before == before && (self.from..=self.to).contains(&at);
        let (from, start) = if known { (self.from, self.to.min(end)) } else { (at, at) };
        let near = &text[start..end];
        let found = first_cut(near, before).map(|at| start + at);
        // What is told by the bytes after a sign may change with more of them.
        let read = if is_whole { end } else { end.saturating_sub(NAME_BYTES + 2).max(start) };
        let to = found.unwrap_or(read);
        let steps = self.steps + (found.unwrap_or(end) - start) as u64;
        *self = Self { before, from, to, steps };
        found.or_else(|| {
            let near = &text[at..end];
            let masked = |&at: &usize| mask::length(&near[at..]) > 0;
            memchr::memchr_iter(b'[', near).find(masked).map(|length| at + length)
        })
    }
}

/// Where the first sign stands that parts a bare value from what follows.
fn first_cut(near: &[u8], before: Option<u8>) -> Option<usize> {
    let next = |one, two, three, from: usize| {
        memchr3(one, two, three, &near[from..]).map_or(near.len(), |at| from + at)
    };
    let pairs = |from| next(b'&', b';', b',', from);
    let signs = |from| next(b'<', b'\\', b'#', from);
    let (mut pair, mut sign) = (pairs(0), signs(0));
    loop {
        let at = pair.min(sign);
        if at == near.len() {
            break;
        }
        if parts(near, at, before) {
            return Some(at);
        }
        if at == pair {
            pair = pairs(at + 1);
        } else {
            sign = signs(at + 1);
        }
    }
    None
}

/// Whether the sign at `index` parts a bare value from what follows it.
fn parts(body: &[u8], index: usize, before: Option<u8>) -> bool {
    let rest = &body[index + 1..];
    let is_name = |byte: &&u8| Class::Dot.has(**byte) || b" %$:[]".contains(byte);
    let name = || rest.iter().take(NAME_BYTES).take_while(is_name).count();
    let pair = || matches!(rest.get(name()), Some(b'=')) && name() > 0;
    let member = || {
        let name = rest.iter().take(NAME_BYTES).take_while(|byte| Class::Dash.has(**byte)).count();
        name > 0 && rest.get(name) == Some(&b':')
    };
    match body[index] {
        b'&' => matches!(before, Some(b'?' | b'&' | b'#')) || rest.starts_with(b"amp;") || pair(),
        b'#' => matches!(before, Some(b'?' | b'&')),
        b';' => before == Some(b';') || pair(),
        b',' => before == Some(b'{') || rest.starts_with(b"\"") || pair() || member(),
        b'<' => matches!(rest, [b'/' | b'a'..=b'z', ..]),
        b'\\' => match rest {
            [b'n' | b'r' | b't', next, ..] => !next.is_ascii_lowercase(),
            [b'n' | b'r' | b't'] | [b'\\', b'n' | b'r', ..] => true,
            _ => false,
        },
        _ => false,
    }
}
