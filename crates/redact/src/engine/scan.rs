//! The search: all that is to be masked in a text, as it stands or as a terminal shows it.

use std::ops::Range;

use super::Engine;
use crate::detect::{self, Scan, Stop};
use crate::escapes::{Coloured, Shown, may_end_coloured};
use crate::mask;
use crate::prefilter::{ESCAPE_OWNER, MIN_LITERAL_BYTES};
use crate::rows::Rows;
use crate::span::{Alone, RuleId, Span, unite};

/// What becomes of escape sequences.
enum Sequences<'a> {
    /// The lines are noted that hold one.
    Noted(&'a mut Coloured),
    /// They are gone: a terminal shows this of what stands there.
    Removed(&'a [u8], &'a Shown),
}

impl Engine {
    /// Finds what is to be masked in `text`, of which the first `from` bytes are only context, and unites it.
    /// `complete` says that no line of it goes on; `rows` are told of the lines with triggers. Gives where the scan stopped: nothing behind that was looked at.
    pub(crate) fn scan(
        &self,
        text: &[u8],
        from: usize,
        complete: bool,
        spans: &mut Vec<Span>,
        mut rows: Option<&mut Rows>,
    ) -> Option<Stop> {
        let before = spans.len();
        // What is no rule finds more than triggers tell.
        let mut coloured = Coloured::new(self.literals.is_some() || !self.patterns.is_empty());
        let met = Sequences::Noted(&mut coloured);
        let stop = self.scan_text(text, from, complete, spans, rows.as_deref_mut(), met);
        if stop.is_none() {
            coloured.meet_last(text);
        }
        let stops_there = stop.as_ref().is_some_and(|stop| may_end_coloured(&text[..stop.end]));
        if coloured.is_empty() && !stops_there {
            return stop;
        }
        if !coloured.is_dense
            && !stops_there
            && self.scan_lines(text, &coloured, before, spans, rows.as_deref_mut())
        {
            return stop;
        }
        spans.truncate(before);
        let shown = Shown::of(text, from);
        let met = Sequences::Removed(text, &shown);
        let stop = self.scan_text(&shown.text, shown.from, complete, spans, rows, met);
        for span in &mut spans[before..] {
            (span.start, span.end) = (shown.start(span.start), shown.end(span.end));
            if span.alone != Alone::NOWHERE {
                let to = Some(span.alone.to).filter(|&to| to < shown.text.len());
                span.alone.from = shown.end(span.alone.from);
                span.alone.to = to.map_or(usize::MAX, |to| shown.start(to));
            }
        }
        stop.map(|stop| Stop { end: shown.end(stop.end), ..stop })
    }

    /// Replaces the findings in the coloured lines, from index `before` on, by those in what a terminal shows of them. False
    /// when something begins there that goes on in the lines behind.
    fn scan_lines(
        &self,
        text: &[u8],
        coloured: &Coloured,
        before: usize,
        spans: &mut Vec<Span>,
        rows: Option<&mut Rows>,
    ) -> bool {
        let shown = Shown::of_lines(text, coloured);
        let mut found = Vec::new();
        let met = Sequences::Removed(text, &shown);
        if self.scan_text(&shown.text, 0, true, &mut found, rows, met).is_some() {
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
            // Other lines are between these.
            alone: Alone::NOWHERE,
            ..span
        }));
        unite(spans);
        true
    }

    /// The same in a text as it is.
    fn scan_text(
        &self,
        text: &[u8],
        from: usize,
        complete: bool,
        spans: &mut Vec<Span>,
        mut rows: Option<&mut Rows>,
        mut sequences: Sequences<'_>,
    ) -> Option<Stop> {
        let mut scan = Scan::new(text, from, complete, spans);
        let mut patterns = self.patterns.search(text);
        let mut stops = false;
        self.triggers.find(text, |owner, start, end| {
            if scan.stops_before(start) {
                return false;
            }
            if owner == ESCAPE_OWNER {
                let Sequences::Noted(coloured) = &mut sequences else { return true };
                coloured.meet(text, start, |one, two| self.triggers.may_cross(one, two));
                return !coloured.is_dense;
            }
            let owner_index = usize::from(owner);
            if let Sequences::Noted(coloured) = &mut sequences {
                // The rules look at such a line as it is shown, and only so.
                let is_later = coloured.meet_trigger(text, start);
                if is_later && owner_index < self.rules.len() {
                    return !coloured.is_dense;
                }
            }
            if let Some(rows) = &mut rows {
                // Of a word such as `path`, the commonest, three letters are the trigger.
                let goes_on = end - start == MIN_LITERAL_BYTES
                    && text[end - 1].is_ascii_alphabetic()
                    && text.get(end).is_some_and(u8::is_ascii_lowercase);
                match &sequences {
                    _ if goes_on => {}
                    Sequences::Removed(text, shown) => rows.see(text, shown.start(start)),
                    Sequences::Noted(_) => rows.see(text, start),
                }
            }
            match self.rules.get(owner_index) {
                Some(rule) if !stops => {
                    stops = !detect::check(&mut scan, RuleId(owner), &rule.check, start, end)
                }
                Some(_) => {}
                None => patterns.candidate(owner_index - self.rules.len(), start),
            }
            !stops || !self.patterns.is_empty()
        });
        let stop = scan.into_stop();
        let end = stop.as_ref().map_or(text.len(), |stop| stop.end);
        let by_rules = spans.len();
        if let Some(literals) = &self.literals {
            literals.find(&text[..end], complete || end < text.len(), spans);
        }
        for (Range { start, end }, rule) in patterns.finish(end) {
            spans.push(Span { start, end, rule, open: None, quoted: false, alone: Alone::NOWHERE });
        }
        if spans.len() > by_rules {
            leave_masks(&text[..end], spans, by_rules);
        }
        if stop.is_some() {
            spans.retain(|span| span.start < end);
            for span in spans.iter_mut() {
                span.end = span.end.min(end);
            }
        }
        unite(spans);
        stop
    }
}

/// Drops findings from index `from` on that lie in or overlap a mask written earlier.
fn leave_masks(text: &[u8], spans: &mut Vec<Span>, from: usize) {
    let masks = mask::find_all(text);
    if masks.is_empty() {
        return;
    }
    let mut index = 0;
    spans.retain(|span| {
        index += 1;
        let next = masks.partition_point(|mask| mask.end <= span.start);
        index <= from || masks.get(next).is_none_or(|mask| mask.start >= span.end)
    });
}
