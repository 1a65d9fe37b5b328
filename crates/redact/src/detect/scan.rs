//! One pass over a text: the state that its checks share, and their findings.

use std::ops::Range;

use super::alone;
use super::closing_search::{ClosingQuoteSearch, ClosingTagSearch};
use super::name::{NAME_KIND_COUNT, NameCache};
use super::unquoted_end::UnquotedEndSearch;
use crate::block::{self, Block, BlockRule, IsValue, MAX_HEADER_BYTES, ReadHeading};
use crate::class::{Class, Runs};
use crate::limits::HOLD_BYTES;
use crate::quote::backslashes;
use crate::span::{Continuation, RuleId, Span};

/// The block that begins where a scan stops.
pub(crate) enum Region {
    /// A private key, directly after its marker.
    PrivateKey,
    /// The lines of a block scalar, or the value of a name, directly after the line of the name.
    Block(Block),
}

/// Where a scan stops, because the text after that is read in another way.
pub(crate) struct Stop {
    pub(crate) end: usize,
    pub(crate) region: Region,
}

/// The state that the checks of one text share.
pub(crate) struct Scan<'t, 's> {
    pub(crate) text: &'t [u8],
    /// The number of bytes at the start of `text` that are only context.
    from: usize,
    /// False if the text is a window of a line that continues after it.
    complete: bool,
    pub(crate) runs: Runs,
    spans: &'s mut Vec<Span>,
    /// The value that was found last. Triggers inside it find nothing new.
    pub(super) masked: Range<usize>,
    /// For each kind, the offset before which all names were read.
    pub(super) names_checked_to: [usize; NAME_KIND_COUNT],
    /// The offset before which all headers of tables were read.
    headers_checked_to: usize,
    /// The offset before which the arguments of all commands were read.
    pub(super) commands_checked_to: usize,
    /// The offset before which all names of vendors were looked up.
    pub(crate) vendors_checked_to: usize,
    /// Offsets of which it is known whether the key of a vendor may be on the line from there on, and whether.
    pub(crate) key_ahead: (Range<usize>, bool),
    /// The offset before which all cookies were read.
    pub(super) cookies_checked_to: usize,
    /// The closing quote that was searched for last.
    pub(super) closing_quote_search: ClosingQuoteSearch,
    pub(super) closing_tag_search: ClosingTagSearch,
    /// The unquoted value that was read last.
    pub(super) unquoted_end_search: UnquotedEndSearch,
    /// The name that was read last.
    pub(super) name_cache: NameCache,
    /// The offset at which the scan stops; beyond the text if nothing stops it.
    pub(super) stop_at: usize,
    region: Option<Region>,
    pub(super) rule: RuleId,
    /// The number of bytes that the checks read, without those that `runs`, `closing_quote_search`,
    /// `closing_tag_search` and `unquoted_end_search` count.
    steps: u64,
}

/// How many bytes a check reads around its trigger at most, without the value: the name, the separator and the line
/// near it.
const STEPS_PER_CHECK: u64 = 64;

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
            names_checked_to: [0; NAME_KIND_COUNT],
            headers_checked_to: 0,
            commands_checked_to: 0,
            vendors_checked_to: 0,
            key_ahead: (0..0, false),
            cookies_checked_to: 0,
            closing_quote_search: ClosingQuoteSearch::default(),
            closing_tag_search: ClosingTagSearch::default(),
            unquoted_end_search: UnquotedEndSearch::default(),
            name_cache: NameCache::default(),
            stop_at: usize::MAX,
            region: None,
            rule: RuleId(0),
            steps: 0,
        }
    }

    /// Counts the bytes that a new check reads around its trigger.
    pub(super) fn add_check_steps(&mut self) {
        self.steps += STEPS_PER_CHECK;
    }

    /// Counts further bytes that a check read.
    pub(crate) fn count(&mut self, bytes: usize) {
        self.steps += bytes as u64;
    }

    /// The number of bytes that all checks have read.
    pub(crate) fn steps(&self) -> u64 {
        self.steps
            + self.runs.steps
            + self.closing_quote_search.steps
            + self.closing_tag_search.steps
            + self.unquoted_end_search.steps
    }

    /// Where the scan stopped, if it did.
    pub(crate) fn into_stop(self) -> Option<Stop> {
        let end = self.stop_at;
        self.region.map(|region| Stop { end, region })
    }

    /// Whether the scan stops at `at` or before.
    pub(crate) fn stops_before(&self, at: usize) -> bool {
        at >= self.stop_at
    }

    /// The last part of a private key's marker is at `start..end`. Returns false, and stops the scan, if the body of
    /// the key may follow.
    #[cold]
    pub(super) fn private_key(&mut self, start: usize, end: usize) -> bool {
        let marker = crate::pem::marker(self.text, start, end);
        let Some(end) = marker.filter(|&end| end > self.from) else { return true };
        self.stop_at = end;
        self.region = Some(Region::PrivateKey);
        false
    }

    /// Whether a block scalar begins at `at` as the value of the name at `name`. If so the scan stops. `is_value` tells
    /// which of its lines are secrets.
    pub(super) fn begins_block(
        &mut self,
        is_value: fn(&[u8]) -> bool,
        name: Range<usize>,
        at: usize,
    ) -> bool {
        let block_rule = BlockRule { rule: self.rule, is_value };
        self.begins(block::header(self.text, self.from, block_rule, name, at))
    }

    /// Whether the value of the name at `name` is on one of the next lines. If so the scan stops.
    #[cold]
    pub(super) fn begins_pair(&mut self, is_value: fn(&[u8]) -> bool, name: Range<usize>) -> bool {
        let block_rule = BlockRule { rule: self.rule, is_value };
        self.begins(block::begins(self.text, self.from, block_rule, name))
    }

    /// Whether the value of the name at `name` is a list or a map that its line opens at `at`. If so the scan stops.
    pub(super) fn begins_members(
        &mut self,
        is_value: [IsValue; 2],
        name: &Range<usize>,
        at: usize,
    ) -> bool {
        self.begins(block::opens(self.text, self.from, self.rule, is_value, name, at))
    }

    /// Whether the name at `name` is the heading of a column. If so the scan stops after its line. Each line is read
    /// once.
    pub(super) fn begins_table(&mut self, read: ReadHeading, name: &Range<usize>) -> bool {
        if name.start < self.headers_checked_to {
            return false;
        }
        let near = &self.text[name.end..self.text.len().min(name.end + MAX_HEADER_BYTES)];
        let length = memchr::memchr(b'\n', near).unwrap_or(near.len());
        self.headers_checked_to = name.end + length;
        self.count(self.headers_checked_to - name.start);
        self.begins(block::heads(self.text, self.from, self.rule, name, read))
    }

    /// If the value at `start..end` ends a line as wide as a terminal, the scan stops there.
    fn begins_wrapped(&mut self, start: usize, end: usize) {
        if matches!(self.text.get(end..), Some([b'\n', ..] | [b'\r', b'\n', ..])) {
            let before = start.checked_sub(1).map(|before| self.text[before]);
            let quote = before.filter(|before| matches!(before, b'"' | b'\''));
            let block_rule = BlockRule { rule: self.rule, is_value: alone::is_no_word };
            self.begins(block::wraps(self.text, self.from, block_rule, end, quote));
        }
    }

    fn begins(&mut self, begun: Option<(usize, Block)>) -> bool {
        let Some((end, block)) = begun else { return false };
        self.stop_at = end;
        self.region = Some(Region::Block(block));
        true
    }

    /// Whether `at` is the end of a window, so that it is not known what follows.
    pub(crate) fn is_cut(&self, at: usize) -> bool {
        !self.complete && at == self.text.len()
    }

    /// Adds a value that is a run of `class` to the findings.
    pub(crate) fn mask_run(&mut self, start: usize, end: usize, class: Class) {
        self.add(start, end, Continuation::While(class), false);
    }

    /// Adds a value that continues after the window to the findings. Bytes that `continuation` holds back are not in
    /// `start..end`.
    pub(super) fn add_open(&mut self, start: usize, end: usize, continuation: Continuation) {
        if start + HOLD_BYTES <= end {
            self.masked = start..end;
            let (rule, open) = (self.rule, Some(continuation));
            self.spans.push(Span { start, end, rule, open, quoted: false });
        }
    }

    /// Adds a value to the findings. A value that reaches the end of a window is open: it is either long enough to be
    /// removed piece by piece, or begins so late that the next window contains all of it. `quoted` says that the mask
    /// needs quotes for the document to remain valid JSON.
    pub(crate) fn add(
        &mut self,
        start: usize,
        mut end: usize,
        continuation: Continuation,
        quoted: bool,
    ) {
        // Backslashes that belong to a quote after the value are not part of it.
        if matches!(self.text.get(end), Some(b'"' | b'\'')) && !self.is_cut(end) {
            end -= backslashes(self.text.get(start..end).unwrap_or_default());
        }
        if start >= end {
            return;
        }
        let open = self.is_cut(end).then_some(continuation);
        if open.is_some() && start + HOLD_BYTES > self.text.len() {
            return;
        }
        let shorter = start == self.masked.start && end < self.masked.end;
        if !shorter {
            self.masked = start..end;
        }
        let rule = self.rule;
        self.spans.push(Span { start, end, rule, open, quoted });
        self.begins_wrapped(start, end);
    }
}
