//! Where a value ends: one scanner with one state, the quote it began with.

use super::scan::Scan;
use crate::class::Class;
use crate::mask;
use crate::quote::Quote;
use crate::span::Swallow;

/// How much of a bare value is looked at for the sign that ends it.
const CUT_BYTES: usize = 512;

/// Longest name in a query or list.
const NAME_BYTES: usize = 64;

/// A value: its bytes without quotes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) quote: Option<Quote>,
}

/// Reads the value at `at`; `before` is the byte before the name.
pub(super) fn read(scan: &mut Scan<'_, '_>, at: usize, before: Option<u8>) -> Value {
    let text = scan.text;
    let Some((quote, length)) = Quote::at(&text[at..]) else {
        return Value { start: at, end: bare_end(scan, at, before), quote: None };
    };
    let start = at + length;
    let end = match quote {
        Quote::Plain(quote) => {
            let end = scan.closing.find(text, start, quote);
            // Without its other half the quote is a sign like others.
            if text.get(end) == Some(&quote) || scan.is_cut(end) {
                end
            } else {
                scan.runs.end(text, Class::Bare, start)
            }
        }
        Quote::Escaped(mut walk) => {
            let stop = start + walk.run(&text[start..]);
            if scan.is_cut(stop) { stop } else { stop - walk.held() }
        }
        Quote::Spelled(spelling) => {
            let line = scan.runs.end(text, Class::Line, start);
            let near = &text[start..line.min(start + CUT_BYTES)];
            let end = near
                .windows(spelling.len())
                .position(|window| window.eq_ignore_ascii_case(spelling));
            end.map_or_else(|| bare_end(scan, start, before), |end| start + end)
        }
    };
    Value { start, end, quote: Some(quote) }
}

/// Reads the text of an element at `at`: to the tag that closes it, on the same line.
pub(super) fn read_element(scan: &mut Scan<'_, '_>, at: usize) -> Option<Value> {
    let line = scan.runs.end(scan.text, Class::Line, at);
    let near = &scan.text[at..line.min(at + CUT_BYTES)];
    let length = memchr::memchr(b'<', near).filter(|&end| near[end..].starts_with(b"</"))?;
    Some(Value { start: at, end: at + length, quote: None })
}

/// How a value that reaches the end of a window goes on.
pub(super) fn swallow(value: &Value) -> Swallow {
    match value.quote {
        Some(Quote::Plain(quote)) => Swallow::Quoted { quote, escaped: false },
        _ => Swallow::While(Class::Bare),
    }
}

/// Where the bare value at `at` ends: at a blank or a quote, or at the sign that parts it from what follows.
fn bare_end(scan: &mut Scan<'_, '_>, at: usize, before: Option<u8>) -> usize {
    let text = scan.text;
    let run = scan.runs.end(text, Class::Bare, at);
    let body = &text[at..run];
    let near = &body[..body.len().min(CUT_BYTES)];
    let cut = near.iter().enumerate().position(|(index, &byte)| parts(near, index, byte, before));
    let mut end = cut.map_or(run, |cut| at + cut);
    // Signs of the sentence or of the list around it.
    while end > at && cut.is_none_or(|cut| cut > 0) {
        let last = text[end - 1];
        let closes = match last {
            b',' | b';' | b':' => true,
            b')' => !text[at..end - 1].contains(&b'('),
            b']' => !text[at..end - 1].contains(&b'['),
            b'}' => !text[at..end - 1].contains(&b'{'),
            b'\\' => end == run && text.get(end).is_some_and(|next| b"\"'".contains(next)),
            _ => false,
        };
        if !closes || scan.is_cut(end) {
            break;
        }
        end -= 1;
    }
    end
}

/// Whether the sign at `index` parts a bare value from what follows it.
fn parts(body: &[u8], index: usize, byte: u8, before: Option<u8>) -> bool {
    let rest = &body[index + 1..];
    let names = |rest: &[u8]| {
        let length = rest
            .iter()
            .take(NAME_BYTES)
            .take_while(|byte| Class::Dot.has(**byte) || b" %$:[]".contains(byte))
            .count();
        length > 0 && rest.get(length) == Some(&b'=')
    };
    match byte {
        b'&' => {
            matches!(before, Some(b'?' | b'&' | b'#')) || rest.starts_with(b"amp;") || names(rest)
        }
        b'#' => before == Some(b'?') || before == Some(b'&'),
        b';' => before == Some(b';') || names(rest),
        b',' => {
            matches!(before, Some(b'{'))
                || rest.starts_with(b"\"")
                || names(rest)
                || pair_follows(rest)
        }
        b'<' => rest.first() == Some(&b'/') || rest.starts_with(b"br"),
        b'\\' => {
            matches!(rest.first(), Some(b'n' | b'r' | b't'))
                && !rest.get(1).is_some_and(u8::is_ascii_lowercase)
                || rest.first() == Some(&b'\\') && matches!(rest.get(1), Some(b'n' | b'r'))
        }
        b'[' => mask::length(&body[index..]) > 0,
        _ => false,
    }
}

/// `name:` begins at the start of `rest`.
fn pair_follows(rest: &[u8]) -> bool {
    let length = rest.iter().take(NAME_BYTES).take_while(|byte| Class::Dash.has(**byte)).count();
    length > 0 && rest.get(length) == Some(&b':')
}
