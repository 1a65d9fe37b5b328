//! The search: all that is to be masked in a text, as it stands or as a terminal shows it.

use std::ops::Range;

use super::Engine;
use crate::detect;
use crate::detect::scan::{Scan, Stop};
use crate::escapes::{Coloured, Shown, may_end_coloured};
use crate::mask;
use crate::prefilter::ESCAPE_OWNER;
use crate::span::{RuleId, Span, unite};

impl Engine {
    /// Finds what is to be masked in `text`, of which the first `from` bytes are only context, and unites it.
    /// `complete` says that no line of it goes on. `steps` grows by the bytes that were read. Gives where the scan stopped: nothing behind that was looked at.
    pub(crate) fn scan(
        &self,
        text: &[u8],
        from: usize,
        complete: bool,
        spans: &mut Vec<Span>,
        steps: &mut u64,
    ) -> Option<Stop> {
        let before = spans.len();
        // What is no rule finds more than triggers tell.
        let mut coloured = Coloured::new(self.literals.is_some() || !self.patterns.is_empty());
        let stop = self.scan_text(text, from, complete, spans, Some(&mut coloured), steps);
        if stop.is_none() {
            coloured.meet_last(text);
        }
        let stops_there = stop.as_ref().is_some_and(|stop| may_end_coloured(&text[..stop.end]));
        if coloured.lines().is_empty() && !stops_there {
            return stop;
        }
        if !coloured.is_dense
            && !stops_there
            && self.scan_lines(text, &coloured, before, spans, steps)
        {
            return stop;
        }
        spans.truncate(before);
        let shown = Shown::of(text, from);
        *steps += text.len() as u64;
        let stop = self.scan_text(&shown.text, shown.from, complete, spans, None, steps);
        for span in &mut spans[before..] {
            (span.start, span.end) = (shown.start(span.start), shown.end(span.end));
        }
        let stop = stop.map(|stop| Stop { end: shown.end(stop.end), ..stop });
        let end = stop.as_ref().map_or(text.len(), |stop| stop.end);
        self.find_literals(text, 0..end, complete || end < text.len(), spans, steps);
        unite(spans);
        stop
    }

    /// Notes the literals in these bytes of `text` as they stand: what a terminal takes for a sequence may be a part of one.
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

    /// Replaces the findings in the coloured lines, from index `before` on, by those in what a terminal shows of them. False
    /// when something begins there that goes on in the lines behind.
    fn scan_lines(
        &self,
        text: &[u8],
        coloured: &Coloured,
        before: usize,
        spans: &mut Vec<Span>,
        steps: &mut u64,
    ) -> bool {
        let shown = Shown::of_lines(text, coloured);
        let mut found = Vec::new();
        *steps += shown.text.len() as u64;
        if self.scan_text(&shown.text, 0, true, &mut found, None, steps).is_some() {
            return false;
        }
        let mut index = 0;
        spans.retain(|span| {
            index += 1;
            index <= before || !coloured.has(span.start)
        });
        spans.extend(found.into_iter().map(|span| Span {
            start: shown.start(span.start),
            end: shown.end(span.end),
            ..span
        }));
        for line in coloured.lines() {
            self.find_literals(text, line.clone(), true, spans, steps);
        }
        unite(spans);
        true
    }

    /// The same in a text as it is. The lines are noted in `coloured` that hold sequences; without, there are none.
    fn scan_text(
        &self,
        text: &[u8],
        from: usize,
        complete: bool,
        spans: &mut Vec<Span>,
        mut coloured: Option<&mut Coloured>,
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
                let Some(coloured) = &mut coloured else { return true };
                coloured.meet(text, start, |one, two| self.triggers.may_cross(one, two));
                return !coloured.is_dense;
            }
            let owner_index = usize::from(owner);
            if let Some(coloured) = &mut coloured {
                // The rules look at such a line as it is shown, and only so.
                let is_later = coloured.meet_trigger(text, start);
                if is_later && owner_index < self.rules.len() {
                    return !coloured.is_dense;
                }
            }
            if mask::labels(text, start) {
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
