//! Finding the byte that separates an unquoted value from the text after it.

use std::ops::Range;

use memchr::memchr3;

use crate::class::Class;
use crate::mask;
use crate::quote::backslashes;

/// The longest name in a query or a list.
const NAME_BYTES: usize = 64;

/// The part of an unquoted value that was searched last: no byte before `to` separates it from the text after it.
#[derive(Default)]
pub(super) struct UnquotedEnd {
    before: Option<u8>,
    from: usize,
    to: usize,
    /// The number of bytes read.
    pub(super) steps: u64,
}

impl UnquotedEnd {
    /// Where the first byte is that separates the unquoted value at `at` from the text after it. The search ends at
    /// `end`. There the run of the value ends too, unless `is_whole` is false.
    pub(super) fn find(
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
        // More bytes after the end could change the answer for the last ones.
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

/// Where the first byte is that separates an unquoted value from the text after it.
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
            // A value ends before all backslashes of an escape.
            return Some(at - if near[at] == b'\\' { backslashes(&near[..at]) } else { 0 });
        }
        if at == pair {
            pair = pairs(at + 1);
        } else {
            sign = signs(at + 1);
        }
    }
    None
}

/// Whether the byte at `index` separates an unquoted value from the text after it.
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
