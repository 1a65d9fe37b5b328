//! Where a value ends: one scanner with one state, the quote it began with.

use memchr::memchr3;

use super::scan::Scan;
use crate::class::Class;
use crate::quote::{Quote, backslashes};
use crate::span::Swallow;

/// How much of a bare value is looked at for the sign that ends it.
const CUT_BYTES: usize = 512;

/// Most parts that a shell joins to one word, and most signs around a bare value.
const JOINED_PARTS: usize = 8;
const TRAILING_BYTES: usize = 8;

/// A value: its bytes without quotes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) quote: Option<Quote>,
    /// How it goes on after the end of the window, when it reaches that within quotes.
    open: Option<Swallow>,
}

impl Value {
    /// Notes the value as a finding. `quoted`: the mask needs quotes for the document to stay JSON.
    pub(super) fn note(&self, scan: &mut Scan<'_, '_>, quoted: bool) {
        match self.open {
            Some(open @ Swallow::Escaped(_)) => scan.add_open(self.start, self.end, open),
            Some(open) => scan.add(self.start, self.end, open, quoted),
            None => scan.add(self.start, self.end, Swallow::While(Class::Bare), quoted),
        }
    }
}

/// What is around a bare value, as far as the name tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Around {
    /// A variable of an environment: nothing but a blank ends it.
    Environment,
    /// A member of a document: what ends one ends the value.
    Member,
    /// Anything; the sign before the name, when there is one.
    Sign(Option<u8>),
}

/// Reads the value at `at`.
pub(super) fn read(scan: &mut Scan<'_, '_>, at: usize, around: Around) -> Value {
    let text = scan.text;
    let Some((quote, length)) = Quote::at(&text[at..]) else {
        return Value { start: at, end: bare_end(scan, at, around), quote: None, open: None };
    };
    let start = at + length;
    let mut open = None;
    let end = match quote {
        Quote::Plain(quote) => {
            let end = scan.closing.find(text, start, quote);
            if scan.is_cut(end) {
                let escaped = backslashes(&text[start..end]) % 2 == 1;
                open = Some(Swallow::Quoted { quote, escaped });
                end
            } else if text.get(end) == Some(&quote) && !leaves_string(&text[start..end], quote) {
                joined_end(scan, end, quote)
            } else {
                // Without its other half the quote is a sign like others.
                bare_end(scan, start, around)
            }
        }
        Quote::Escaped(mut walk) => {
            let stop = start + walk.run(&text[start..]);
            scan.count(stop - start);
            open = scan.is_cut(stop).then_some(Swallow::Escaped(walk));
            stop - walk.held()
        }
        Quote::Spelled(spelling) => {
            let line = scan.runs.end(text, Class::Line, start);
            let near = &text[start..line.min(start + CUT_BYTES)];
            let near = &near[..memchr::memchr(b'"', near).unwrap_or(near.len())];
            let closes = |&at: &usize| {
                let window = near.get(at..at + spelling.len());
                window.is_some_and(|window| window.eq_ignore_ascii_case(spelling))
            };
            let end = memchr::memchr_iter(spelling[0], near).find(closes);
            scan.count(end.unwrap_or(near.len()));
            end.map_or_else(|| bare_end(scan, start, around), |end| start + end)
        }
    };
    Value { start, end, quote: Some(quote), open }
}

/// Between single quotes a string ends that has double ones: the first quote was a sign within it.
fn leaves_string(body: &[u8], quote: u8) -> bool {
    let near = &body[..body.len().min(CUT_BYTES)];
    let ends = |at: usize| near.get(at + 1).is_some_and(|next| b",]}:".contains(next));
    quote != b'"' && memchr::memchr_iter(b'"', near).any(ends)
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
        let closed = text.get(close) == Some(&quote) && close > next;
        if !closed || leaves_string(&text[next..close], quote) {
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
    Some(Value { start: at, end, quote: None, open: None })
}

/// Where the bare value at `at` ends: at a blank or a quote, or at the sign that parts it from what follows.
fn bare_end(scan: &mut Scan<'_, '_>, at: usize, around: Around) -> usize {
    let text = scan.text;
    let run = scan.runs.end(text, Class::Bare, at);
    let near_end = run.min(at + CUT_BYTES);
    let near = &text[at..near_end];
    let cut = match around {
        Around::Environment => None,
        Around::Member => memchr3(b',', b'}', b']', near).map(|length| at + length),
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
            _ => false,
        };
        if !closes {
            break;
        }
        end -= 1;
    }
    end
}
