//! Finding the byte that separates an unquoted value from the text after it.

use std::ops::Range;

use memchr::memchr3;

use crate::class::Class;
use crate::mask;
use crate::quote::backslashes;

/// The longest name in a query or a list.
const MAX_NAME_BYTES: usize = 64;

/// The part of an unquoted value that was searched last: no byte before `search_end` separates it from the text after
/// it.
#[derive(Default)]
pub(super) struct UnquotedEndSearch {
    before: Option<u8>,
    search_start: usize,
    search_end: usize,
    /// The number of bytes read.
    pub(super) steps: u64,
}

impl UnquotedEndSearch {
    /// Where the first byte is that separates the unquoted value at `at` from the text after it. The search ends at
    /// `end`. There the run of the value ends too, unless `is_whole` is false.
    pub(super) fn find(
        &mut self,
        text: &[u8],
        Range { start: at, end }: Range<usize>,
        is_whole: bool,
        before: Option<u8>,
    ) -> Option<usize> {
        let is_cached =
            self.before == before && (self.search_start..=self.search_end).contains(&at);
        let (search_start, start) =
            if is_cached { (self.search_start, self.search_end.min(end)) } else { (at, at) };
        let unsearched_text = &text[start..end];
        let separator_at = first_cut(unsearched_text, before).map(|at| start + at);
        // More bytes after the end could change the answer for the last ones.
        let searched_to =
            if is_whole { end } else { end.saturating_sub(MAX_NAME_BYTES + 2).max(start) };
        let search_end = separator_at.unwrap_or(searched_to);
        let steps = self.steps + (separator_at.unwrap_or(end) - start) as u64;
        *self = Self { before, search_start, search_end, steps };
        separator_at.or_else(|| {
            let unsearched_text = &text[at..end];
            let masked = |&at: &usize| mask::length(&unsearched_text[at..]) > 0;
            memchr::memchr_iter(b'[', unsearched_text).find(masked).map(|length| at + length)
        })
    }
}

/// Where the first byte is that separates an unquoted value from the text after it.
fn first_cut(unsearched_text: &[u8], before: Option<u8>) -> Option<usize> {
    let next = |one, two, three, search_start: usize| {
        memchr3(one, two, three, &unsearched_text[search_start..])
            .map_or(unsearched_text.len(), |at| search_start + at)
    };
    let pairs = |search_start| next(b'&', b';', b',', search_start);
    let signs = |search_start| next(b'<', b'\\', b'#', search_start);
    let (mut pair, mut sign) = (pairs(0), signs(0));
    loop {
        let at = pair.min(sign);
        if at == unsearched_text.len() {
            break;
        }
        if separates(unsearched_text, at, before) {
            // A value ends before all backslashes of an escape.
            return Some(
                at - if unsearched_text[at] == b'\\' {
                    backslashes(&unsearched_text[..at])
                } else {
                    0
                },
            );
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
fn separates(body: &[u8], index: usize, before: Option<u8>) -> bool {
    let rest = &body[index + 1..];
    let is_name = |byte: &&u8| Class::Dot.has(**byte) || b" %$:[]".contains(byte);
    let name = || rest.iter().take(MAX_NAME_BYTES).take_while(is_name).count();
    let pair = || matches!(rest.get(name()), Some(b'=')) && name() > 0;
    let member = || {
        let name =
            rest.iter().take(MAX_NAME_BYTES).take_while(|byte| Class::Dash.has(**byte)).count();
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
