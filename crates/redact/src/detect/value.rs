//! Finding where a value ends, which depends on the quote that it began with.

use memchr::memchr3;

use super::scan::Scan;
use crate::class::Class;
use crate::quote::{Quote, backslashes};
use crate::span::Continuation;

/// How much of an unquoted value is searched for the byte that ends it.
const MAX_BYTES_BEFORE_END: usize = 512;

/// The most strings that are read as one word, as a shell joins them.
const MAX_JOINED_STRINGS: usize = 8;
/// The most punctuation characters that may follow an unquoted value.
const MAX_TRAILING_PUNCTUATION: usize = 8;

/// A value without its quotes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) quote: Option<Quote>,
    /// How the value continues after the window, if it reaches the window's end inside quotes.
    open: Option<Continuation>,
}

impl Value {
    /// Adds the value to the findings. `quoted` says that the mask needs quotes for the document to remain valid JSON.
    pub(super) fn record_span(&self, scan: &mut Scan<'_, '_>, quoted: bool) {
        match self.open {
            Some(open @ Continuation::Escaped(_)) => scan.add_open(self.start, self.end, open),
            Some(open) => scan.add(self.start, self.end, open, quoted),
            None => scan.add(self.start, self.end, Continuation::While(Class::Unquoted), quoted),
        }
    }
}

/// What surrounds an unquoted value, as far as its name shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Surroundings {
    /// An environment variable: only a blank ends the value.
    Environment,
    /// A member of a document: whatever ends the member ends the value.
    Member,
    /// Something else, with the byte before the name if there is one.
    Sign(Option<u8>),
}

/// Reads the value at `at`.
pub(super) fn read(scan: &mut Scan<'_, '_>, at: usize, surroundings: Surroundings) -> Value {
    let text = scan.text;
    let Some((quote, length)) = Quote::at(&text[at..]) else {
        return Value {
            start: at,
            end: unquoted_end(scan, at, surroundings),
            quote: None,
            open: None,
        };
    };
    let start = at + length;
    let mut open = None;
    let end = match quote {
        Quote::Plain(quote) => {
            let end = scan.closing_quote_search.find(text, start, quote);
            if scan.is_cut(end) {
                let escaped = backslashes(&text[start..end]) % 2 == 1;
                open = Some(Continuation::Quoted { quote, escaped });
                end
            } else if text.get(end) == Some(&quote) && !leaves_string(&text[start..end], quote) {
                joined_end(scan, end, quote)
            } else {
                // A quote that is never closed is a byte like others.
                unquoted_end(scan, start, surroundings)
            }
        }
        Quote::Escaped(mut walk) => {
            let stop = start + walk.run(&text[start..]);
            scan.count(stop - start);
            open = scan.is_cut(stop).then_some(Continuation::Escaped(walk));
            stop - walk.held()
        }
        Quote::Spelled(spelling) => {
            let line = scan.runs.end(text, Class::NotNewline, start);
            let near = &text[start..line.min(start + MAX_BYTES_BEFORE_END)];
            let near = &near[..memchr::memchr(b'"', near).unwrap_or(near.len())];
            let closes = |&at: &usize| {
                let window = near.get(at..at + spelling.len());
                window.is_some_and(|window| window.eq_ignore_ascii_case(spelling))
            };
            let end = memchr::memchr_iter(spelling[0], near).find(closes);
            scan.count(end.unwrap_or(near.len()));
            end.map_or_else(|| unquoted_end(scan, start, surroundings), |end| start + end)
        }
    };
    Value { start, end, quote: Some(quote), open }
}

/// Whether a string in double quotes ends between these single quotes, so that the first single quote was a byte inside
/// it.
fn leaves_string(body: &[u8], quote: u8) -> bool {
    let near = &body[..body.len().min(MAX_BYTES_BEFORE_END)];
    let ends = |at: usize| near.get(at + 1).is_some_and(|next| b",]}:".contains(next));
    quote != b'"' && memchr::memchr_iter(b'"', near).any(ends)
}

/// Where the last string ends that a shell or a document joins to the one that closes at `end`: `'it'\''s'`, `'it''s'`.
fn joined_end(scan: &mut Scan<'_, '_>, mut end: usize, quote: u8) -> usize {
    let text = scan.text;
    for _ in 0..MAX_JOINED_STRINGS {
        let next = match text[end + 1..] {
            [one, ..] if one == quote => end + 2,
            [b'\\', b'\'', b'\'', ..] if quote == b'\'' => end + 4,
            _ => break,
        };
        let close = scan.closing_quote_search.find(text, next, quote);
        let closed = text.get(close) == Some(&quote) && close > next;
        if !closed || leaves_string(&text[next..close], quote) {
            break;
        }
        end = close;
    }
    end
}

/// Reads the text of an element at `at`, up to the closing tag on the same line.
pub(super) fn read_element(scan: &mut Scan<'_, '_>, at: usize) -> Option<Value> {
    let line = scan.runs.end(scan.text, Class::NotNewline, at);
    let end = scan.closing_tag_search.find(scan.text, at, line.min(at + MAX_BYTES_BEFORE_END))?;
    Some(Value { start: at, end, quote: None, open: None })
}

/// Where the unquoted value at `at` ends: at a blank or a quote, or at a byte that separates it from the text after it.
fn unquoted_end(scan: &mut Scan<'_, '_>, at: usize, surroundings: Surroundings) -> usize {
    let text = scan.text;
    let run = scan.runs.end(text, Class::Unquoted, at);
    let near_end = run.min(at + MAX_BYTES_BEFORE_END);
    let near = &text[at..near_end];
    let cut = match surroundings {
        Surroundings::Environment => None,
        Surroundings::Member => memchr3(b',', b'}', b']', near).map(|length| at + length),
        Surroundings::Sign(before) => {
            scan.unquoted_end_search.find(text, at..near_end, near_end == run, before)
        }
    };
    let mut end = cut.unwrap_or(run);
    // These signs belong to the sentence or the list around the value.
    for _ in 0..MAX_TRAILING_PUNCTUATION {
        if end == at || scan.is_cut(end) {
            break;
        }
        let has = |opening: u8| memchr::memchr(opening, near).is_some();
        let closes = match text[end - 1] {
            b',' | b';' | b':' => true,
            b')' => !has(b'('),
            b'.' => end == run && !text[at..end - 1].ends_with(b"."),
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
