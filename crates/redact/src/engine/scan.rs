//! The search for everything in a text that has to be masked, as it stands and as a terminal shows it.

use std::ops::Range;

use super::{Engine, KEY_WORD_OWNER};
use crate::detect;
use crate::detect::scan::{Scan, Stop};
use crate::escapes::{ScreenText, begins_sequence, ends_with_sequence, may_end_coloured};
use crate::mask;
use crate::prefilter::ESCAPE_OWNER;
use crate::span::{RuleId, Span, unite};
use crate::token::vendor_key;

/// How much of a text is searched as a terminal shows it at first; each further stretch is four times as long.
const FIRST_STRETCH_BYTES: usize = 1 << 10;

impl Engine {
    /// Finds everything in `text` that has to be masked. The first `from` bytes are only context; `complete` says that the
    /// last line of the text ends there. The findings are sorted and do not overlap, and `steps` grows by the number of bytes
    /// read. The result says where the scan stopped, if it did: the bytes after that place were not searched.
    pub(crate) fn scan(
        &self,
        text: &[u8],
        from: usize,
        complete: bool,
        spans: &mut Vec<Span>,
        steps: &mut u64,
    ) -> Option<Stop> {
        let before = spans.len();
        let mut has_sequence = false;
        let stop = self.scan_text(text, from, complete, spans, Some(&mut has_sequence), steps);
        let has_sequence = has_sequence
            || match &stop {
                Some(stop) => may_end_coloured(&text[..stop.end]),
                None => ends_with_sequence(text),
            };
        if !has_sequence {
            return stop;
        }
        spans.truncate(before);
        self.scan_shown(text, from, complete, spans, steps)
    }

    /// Searches `text` as a terminal shows it. Whole lines are searched in stretches that grow, so that little is copied in
    /// vain when the scan stops early.
    fn scan_shown(
        &self,
        text: &[u8],
        mut from: usize,
        complete: bool,
        spans: &mut Vec<Span>,
        steps: &mut u64,
    ) -> Option<Stop> {
        let (mut begin, mut length) = (0, FIRST_STRETCH_BYTES);
        let stop = loop {
            let near = (begin + length).min(text.len());
            let line = memchr::memchr(b'\n', &text[near..]).filter(|_| complete);
            let end = line.map_or(text.len(), |line| near + line + 1);
            let shown = ScreenText::of(&text[begin..end], from);
            *steps += (end - begin) as u64;
            let mut found = Vec::new();
            let stop = self.scan_text(&shown.text, shown.from, complete, &mut found, None, steps);
            spans.extend(found.into_iter().map(|span| Span {
                start: begin + shown.start(span.start),
                end: begin + shown.end(span.end),
                ..span
            }));
            if stop.is_some() || end == text.len() {
                break stop.map(|stop| Stop { end: begin + shown.end(stop.end), ..stop });
            }
            (begin, from, length) = (end, 0, 4 * length);
        };
        let end = stop.as_ref().map_or(text.len(), |stop| stop.end);
        self.find_literals(text, 0..end, complete || end < text.len(), spans, steps);
        unite(spans);
        stop
    }

    /// Adds the literals in these bytes of `text` as they stand to the findings: what a terminal takes for a sequence
    /// may be part of a literal.
    fn find_literals(
        &self,
        text: &[u8],
        within: Range<usize>,
        complete: bool,
        spans: &mut Vec<Span>,
        steps: &mut u64,
    ) {
        let Some(literals) = &self.literals else { return };
        let (begin, first) = (within.start, spans.len());
        *steps += within.len() as u64;
        literals.find(&text[within], complete, spans);
        let mut index = 0;
        spans.retain_mut(|span| {
            index += 1;
            if index <= first {
                return true;
            }
            (span.start, span.end) = (span.start + begin, span.end + begin);
            !mask::touches(text, span.start..span.end)
        });
    }

    /// Searches a text as it stands. If `has_sequence` is given, the search stops at the first terminal sequence and
    /// sets it.
    fn scan_text(
        &self,
        text: &[u8],
        from: usize,
        complete: bool,
        spans: &mut Vec<Span>,
        mut has_sequence: Option<&mut bool>,
        steps: &mut u64,
    ) -> Option<Stop> {
        let mut scan = Scan::new(text, from, complete, spans);
        let mut patterns = self.patterns.search(text);
        let mut is_over = false;
        let searched = self.triggers.find(text, |owner, start, end| {
            if scan.stops_before(start) {
                return false;
            }
            if owner == ESCAPE_OWNER {
                let Some(has_sequence) = &mut has_sequence else { return true };
                **has_sequence = begins_sequence(text, start);
                return !**has_sequence;
            }
            let owner_index = usize::from(owner);
            if mask::labels(text, start) {
                return true;
            }
            if owner == KEY_WORD_OWNER {
                if !is_over {
                    vendor_key::check_before(&mut scan, &self.vendors, &self.rules, start);
                }
                return true;
            }
            match self.rules.get(owner_index) {
                Some(rule) if !is_over => {
                    is_over = !detect::check(&mut scan, RuleId(owner), &rule.check, start, end);
                }
                Some(_) => {}
                None => patterns.candidate(owner_index - self.rules.len(), start),
            }
            !is_over || !self.patterns.is_empty()
        });
        *steps += searched as u64 + scan.steps();
        let stop = scan.into_stop();
        let end = stop.as_ref().map_or(text.len(), |stop| stop.end);
        self.find_literals(text, 0..end, complete || end < text.len(), spans, steps);
        for (Range { start, end }, rule) in patterns.finish(end, steps) {
            spans.push(Span { start, end, rule, open: None, quoted: false });
        }
        spans.retain_mut(|span| {
            span.end = span.end.min(end);
            span.start < end && !mask::touches(text, span.start..span.end)
        });
        unite(spans);
        stop
    }
}
