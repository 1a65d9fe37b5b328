//! One pass over a text: what its checks share, and what they found.

use std::ops::Range;

use super::closing::{Closing, ClosingTag};
use super::cut::Cuts;
use super::name::{KINDS, Named};
use crate::block::{self, Block, Promised};
use crate::class::{Class, Runs};
use crate::limits::HOLD_BYTES;
use crate::quote::backslashes;
use crate::span::{RuleId, Span, Swallow};

/// What begins where a scan stops.
pub(crate) enum Region {
    /// A private key, right after its marker.
    PrivateKey,
    /// The lines of a block scalar, or the value of a name, right after the line of the name.
    Block(Block),
}

/// Where a scan stops: the text after it is read in another way.
pub(crate) struct Stop {
    pub(crate) end: usize,
    pub(crate) region: Region,
}

/// What the checks share while they go over one text.
pub(crate) struct Scan<'t, 's> {
    pub(crate) text: &'t [u8],
    /// Bytes of it that are only context.
    from: usize,
    /// False when the text is a window and its line goes on.
    complete: bool,
    pub(crate) runs: Runs,
    spans: &'s mut Vec<Span>,
    /// The value found last: triggers in it have nothing to add.
    pub(super) masked: Range<usize>,
    /// Names that begin before this offset are read already, for each kind.
    pub(super) named_to: [usize; KINDS],
    /// Commands that begin before this offset have their arguments read already.
    pub(super) commands_to: usize,
    /// Cookies that begin before this offset are read already.
    pub(super) cookies_to: usize,
    /// The closing quote that was looked for last.
    pub(super) closing: Closing,
    pub(super) closing_tag: ClosingTag,
    /// The bare value that was looked at last.
    pub(super) cuts: Cuts,
    /// The name that was read last.
    pub(super) named: Named,
    /// Where the scan stops; after the text as long as nothing stops it.
    pub(super) stop_at: usize,
    region: Option<Region>,
    pub(super) rule: RuleId,
    /// Bytes that the checks read, but for those of `runs` and of what closes.
    steps: u64,
}

/// What a check reads around its trigger at most, values left aside: names, separators, the line near by.
const CHECK_STEPS: u64 = 64;

impl<'t, 's> Scan<'t, 's> {
    pub(crate) fn new(
        text: &'t [u8],
        from: usize,
        complete: bool,
        spans: &'s mut Vec<Span>,
    ) -> Self {
        Self {
            text,
            from,
            complete,
            runs: Runs::new(),
            spans,
            masked: 0..0,
            named_to: [0; KINDS],
            commands_to: 0,
            cookies_to: 0,
            closing: Closing::default(),
            closing_tag: ClosingTag::default(),
            cuts: Cuts::default(),
            named: Named::default(),
            stop_at: usize::MAX,
            region: None,
            rule: RuleId(0),
            steps: 0,
        }
    }

    /// A check begins.
    pub(super) fn count_check(&mut self) {
        self.steps += CHECK_STEPS;
    }

    /// A check read so many bytes of a value or of a list.
    pub(crate) fn count(&mut self, bytes: usize) {
        self.steps += bytes as u64;
    }

    /// Bytes that all checks read.
    pub(crate) fn steps(&self) -> u64 {
        self.steps + self.runs.steps + self.closing.steps + self.closing_tag.steps + self.cuts.steps
    }

    /// Where the scan stopped, if it did.
    pub(crate) fn into_stop(self) -> Option<Stop> {
        let end = self.stop_at;
        self.region.map(|region| Stop { end, region })
    }

    /// True when the scan stops at `at` or before.
    pub(crate) fn stops_before(&self, at: usize) -> bool {
        at >= self.stop_at
    }

    /// The last part of a private key's marker is at `start..end`. False when a body may follow.
    #[cold]
    pub(super) fn private_key(&mut self, start: usize, end: usize) -> bool {
        let marker = crate::pem::marker(self.text, start, end);
        let Some(end) = marker.filter(|&end| end > self.from) else { return true };
        self.stop_at = end;
        self.region = Some(Region::PrivateKey);
        false
    }

    /// The name at `name` has a block scalar for its value if one begins at `at`. `is_value` judges its lines.
    pub(super) fn begins_block(
        &mut self,
        is_value: fn(&[u8]) -> bool,
        name: Range<usize>,
        at: usize,
    ) -> bool {
        let promised = Promised { rule: self.rule, is_value };
        self.begins(block::header(self.text, self.from, promised, name, at))
    }

    /// True when the name at `name` has its value on one of the next lines.
    #[cold]
    pub(super) fn begins_pair(&mut self, is_value: fn(&[u8]) -> bool, name: Range<usize>) -> bool {
        let promised = Promised { rule: self.rule, is_value };
        self.begins(block::begins(self.text, self.from, promised, name))
    }

    fn begins(&mut self, begun: Option<(usize, Block)>) -> bool {
        let Some((end, block)) = begun else { return false };
        self.stop_at = end;
        self.region = Some(Region::Block(block));
        true
    }

    /// True when `at` is the end of a text that goes on, so that what a run ended with is not known.
    pub(crate) fn is_cut(&self, at: usize) -> bool {
        !self.complete && at == self.text.len()
    }

    /// Notes a value that is a run of `class`.
    pub(crate) fn found(&mut self, start: usize, end: usize, class: Class) {
        self.add(start, end, Swallow::While(class), false);
    }

    /// Notes a value that goes on after the window; what `swallow` holds of it is not in `start..end`.
    pub(super) fn add_open(&mut self, start: usize, end: usize, swallow: Swallow) {
        if start + HOLD_BYTES <= end {
            self.masked = start..end;
            let (rule, open) = (self.rule, Some(swallow));
            self.spans.push(Span { start, end, rule, open, quoted: false });
        }
    }

    /// Notes a value. One that reaches the end of a window is open: it is either long enough to be removed as it comes, or
    /// begins so late that the next window holds all of it. `quoted`: the mask needs quotes for the document to stay JSON.
    pub(crate) fn add(&mut self, start: usize, mut end: usize, swallow: Swallow, quoted: bool) {
        // The backslashes of a quote after it are none of it.
        if matches!(self.text.get(end), Some(b'"' | b'\'')) && !self.is_cut(end) {
            end -= backslashes(self.text.get(start..end).unwrap_or_default());
        }
        if start >= end {
            return;
        }
        let open = self.is_cut(end).then_some(swallow);
        if open.is_some() && start + HOLD_BYTES > self.text.len() {
            return;
        }
        let shorter = start == self.masked.start && end < self.masked.end;
        if !shorter {
            self.masked = start..end;
        }
        let rule = self.rule;
        self.spans.push(Span { start, end, rule, open, quoted });
    }
}
