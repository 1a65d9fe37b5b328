//! Which quotes are open where a value begins: one of those ends the value, any other is part of it.

use std::ops::Range;

use super::Scan;
use super::value::ends_member;
use crate::mask;

const QUOTES: [u8; 3] = *b"\"'`";

/// Letters that stand before the quotes of a string in some languages.
const PREFIXES: &[u8] = b"bBfFrRuU";

/// A quote behind one of these begins something else.
const SEPARATORS: &[u8] = b",[({:=+";

/// So few bytes are walked over one by one: a search is called for more.
const NEAR_BYTES: usize = 24;

/// Furthest to the right that the first item of a line begins.
const COLUMNS: usize = 64;

/// Most backslashes that are counted before a quote.
const MOST_BACKSLASHES: usize = 64;

/// A walk over the quotes of a line.
#[derive(Clone, Copy)]
pub(crate) struct Opened {
    /// Where the walk stands.
    to: usize,
    /// Where each of [`QUOTES`] was opened.
    at: [Option<usize>; QUOTES.len()],
}

impl Opened {
    pub(crate) fn new() -> Self {
        Self { to: 0, at: [None; QUOTES.len()] }
    }

    /// Goes on to `end`. Nothing is open where a line begins.
    fn advance(&mut self, text: &[u8], end: usize) {
        if end <= self.to {
            return;
        }
        if end - self.to <= NEAR_BYTES {
            let from = self.to;
            for (offset, byte) in text[from..end].iter().enumerate() {
                match byte {
                    b'"' | b'\'' | b'`' => {
                        self.step(text, from + offset);
                    }
                    b'\n' => self.at = [None; QUOTES.len()],
                    _ => {}
                }
            }
            self.to = end;
            return;
        }
        if let Some(newline) = memchr::memrchr(b'\n', &text[self.to..end]) {
            *self = Self { to: self.to + newline + 1, ..Self::new() };
        }
        let [double, single, back] = QUOTES;
        for at in memchr::memchr3_iter(double, single, back, &text[self.to..end]) {
            self.step(text, self.to + at);
        }
        self.to = end;
    }

    /// Jumps over a finding, which the next pass will see as a mask: its bytes open and close nothing.
    pub(super) fn skip(&mut self, text: &[u8], finding: Range<usize>) {
        let before = finding.start.saturating_sub(1);
        self.advance(text, before);
        if self.to <= before && before < finding.start {
            self.before_mask(text, before);
        }
        self.to = self.to.max(finding.end);
        if self.to == finding.end {
            self.after_mask(text, finding.end);
            self.to += usize::from(text.get(finding.end).is_some_and(|byte| QUOTES.contains(byte)));
        }
    }

    fn before_mask(&mut self, text: &[u8], at: usize) {
        if text[at] == b'\n' {
            self.at = [None; QUOTES.len()];
        }
        if let Some(index) = index(text[at]) {
            self.at[index] = self.at[index].or(Some(at));
        }
    }

    fn after_mask(&mut self, text: &[u8], at: usize) {
        if let Some(index) = text.get(at).and_then(|&byte| index(byte)) {
            self.close(index);
        }
    }

    fn close(&mut self, index: usize) -> Option<usize> {
        let opened = self.at[index].take()?;
        // What was opened inside is over as well.
        for other in &mut self.at {
            *other = other.filter(|&at| at < opened);
        }
        Some(opened)
    }

    /// The quote at `at`: where it was opened if it closes.
    fn step(&mut self, text: &[u8], at: usize) -> Option<usize> {
        let index = index(text[at])?;
        let before = at.checked_sub(1).map(|before| text[before]);
        let after = text.get(at + 1);
        let word = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric());
        if is_escaped(text, at) || text[at] == b'\'' && word(before) && word(after.copied()) {
            return None;
        }
        if mask::length(&text[at + 1..]) > 0 {
            self.before_mask(text, at);
            return None;
        }
        if self.at[index].is_some() {
            return self.close(index);
        }
        let prefix = at >= 1
            && PREFIXES.contains(&text[at - 1])
            && !(at >= 2 && text[at - 2].is_ascii_alphanumeric());
        let closing = after.is_none_or(|byte| b" \t\r\n,;:)]}>".contains(byte));
        if (!word(before) || prefix) && (!closing || is_item(text, at)) && !mask::ends(text, at) {
            self.at[index] = Some(at);
        }
        None
    }
}

/// Where nothing is open, a quote in this place of a document or a list opens, whatever comes behind it.
fn is_item(text: &[u8], at: usize) -> bool {
    let before = text[..at].strip_suffix(b" ").unwrap_or(&text[..at]);
    let indent = text[..at].iter().rev().take(COLUMNS).take_while(|byte| b" \t".contains(byte));
    text[at] == b'"'
        && (matches!(before, [.., b'[' | b'{' | b','] | [.., b'"', b':'])
            || matches!(text[..at - indent.count()], [] | [.., b'\n']))
}

/// An odd number of backslashes stands before `at`: of an even one each escapes the next.
pub(super) fn is_escaped(text: &[u8], at: usize) -> bool {
    let before = text[..at].iter().rev().take(MOST_BACKSLASHES);
    before.take_while(|&&byte| byte == b'\\').count() % 2 == 1
}

fn index(byte: u8) -> Option<usize> {
    match byte {
        b'"' => Some(0),
        b'\'' => Some(1),
        b'`' => Some(2),
        _ => None,
    }
}

/// A value may go on at `at`, where a run without blanks and quotes ends: with a quote, or with a blank behind a backslash.
fn goes_on(text: &[u8], at: usize) -> bool {
    match text.get(at) {
        Some(b' ') => {
            let more = text.get(at + 1).is_none_or(|next| !next.is_ascii_whitespace());
            more && text[..at].iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 1
        }
        byte => byte.is_some_and(|byte| QUOTES.contains(byte)),
    }
}

impl Scan<'_, '_> {
    /// True when this quote was opened before `at`.
    pub(super) fn is_open(&mut self, at: usize, quote: u8) -> bool {
        let opened = self.opened_at(at);
        index(quote).is_some_and(|index| opened.at[index].is_some_and(|opened| opened < at))
    }

    /// Where a string ends that `start` stands in, if that is before `end`: at a quote that was opened before, no backslash escapes
    /// and the next member, or nothing, follows.
    pub(super) fn string_end(&mut self, start: usize, end: usize) -> Option<usize> {
        let text = self.text;
        let ends = |at: usize| {
            !is_escaped(text, at)
                && (ends_member(&text[at + 1..])
                    || matches!(
                        text[at + 1..],
                        [] | [b'\n' | b'\r', ..] | [b','] | [b',', b'\n' | b'\r', ..]
                    ))
        };
        // The first of each.
        let mut firsts = [None; QUOTES.len()];
        let mut meet = |at: usize| {
            if let Some(index) = index(text[at])
                && firsts[index].is_none()
                && ends(at)
            {
                firsts[index] = Some(at);
            }
        };
        if end.saturating_sub(start) <= NEAR_BYTES {
            for (offset, byte) in text[start..end].iter().enumerate() {
                if matches!(byte, b'"' | b'\'' | b'`') {
                    meet(start + offset);
                }
            }
        } else {
            let [double, single, back] = QUOTES;
            for at in memchr::memchr3_iter(double, single, back, &text[start..end]) {
                meet(start + at);
            }
        }
        let opened =
            |(quote, first): (u8, Option<usize>)| first.filter(|_| self.is_open(start - 1, quote));
        QUOTES.into_iter().zip(firsts).filter_map(opened).min()
    }

    /// The items of a list are all found at once, from `start` on: the walk is behind them then.
    pub(super) fn enters_list(&mut self, start: usize) {
        self.opened.advance(self.text, start);
        self.opened_in_list = self.opened;
    }

    /// The walk as it stands at `at`; for what begins in an item of a list, or before the end of the value found last, one that did not jump
    /// over that.
    fn opened_at(&mut self, at: usize) -> Opened {
        let walk = if at >= self.opened.to {
            &mut self.opened
        } else if at < self.lists_to && self.opened_in_list.to <= at {
            &mut self.opened_in_list
        } else if self.opened_before.to <= at {
            &mut self.opened_before
        } else {
            &mut self.opened
        };
        walk.advance(self.text, at);
        *walk
    }

    /// Where the run without blanks, or with a backslash before each, that begins at `start` ends: at a blank, at a quote that was opened before, or
    /// at one that begins something else. False when it goes on behind `limit`, where the walk ends.
    pub(super) fn value_end(&mut self, start: usize, limit: usize) -> (usize, bool) {
        let text = self.text;
        let mut end = self.runs.end(text, crate::class::Class::Bare, start);
        if !goes_on(text, end) {
            return (end, true);
        }
        let mut walk = self.opened_at(start);
        while goes_on(text, end) {
            // What comes behind decides, and is not known yet.
            if self.is_cut(end + 1) {
                return (end + 1, true);
            }
            if end >= limit {
                return (end, false);
            }
            if text[end] == b' ' {
                end = self.runs.end(text, crate::class::Class::Bare, end + 1);
                continue;
            }
            let apart = SEPARATORS.contains(&text[end - 1])
                || matches!(text[end + 1..], [b'-', b'-', b'-', b'-', b'-', ..]);
            if apart || walk.step(text, end).is_some_and(|opened| opened < start) {
                return (end, true);
            }
            end = self.runs.end(text, crate::class::Class::Bare, end + 1);
        }
        (end, true)
    }
}
