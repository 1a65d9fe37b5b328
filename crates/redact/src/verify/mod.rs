//! The checks behind the triggers. Each looks at a bounded stretch, or only moves on.

pub(crate) mod address;
mod algorithm;
mod argument;
pub(crate) mod assignment;
mod bare;
mod call;
mod catalogue;
pub(crate) mod checksum;
mod code;
pub(crate) mod command;
mod cookie;
mod declaration;
mod directive;
pub(crate) mod element;
pub(crate) mod header;
mod hint;
pub(crate) mod identifier;
mod insert;
mod joined;
pub(crate) mod judge;
pub(crate) mod keyed;
mod list;
mod login;
pub(crate) mod member;
pub(crate) mod middle;
pub(crate) mod name;
mod opened;
pub(crate) mod operator;
pub(crate) mod pair;
mod password_file;
pub(crate) mod piped;
mod placeholder;
mod plain;
mod position;
mod quoted;
mod random;
mod reference;
mod set;
mod settled;
mod shape;
mod sorts;
pub(crate) mod sql;
mod store;
mod table;
mod target;
pub(crate) mod token;
mod types;
mod unpacked;
mod validation;
pub(crate) mod value;
mod verdict;
pub(crate) mod web_token;
mod words;
mod wrapper;

use std::ops::Range;

use crate::block::{Block, Promised};
use crate::class::{Class, Runs};
use crate::core::HOLD_BYTES;
use crate::rules::Check;
use crate::span::{Alone, RuleId, Span, Swallow};

/// Quotes and backslashes between two parts of a value.
const JOINING_BYTES: usize = 4;

/// What begins where a scan stops.
pub(crate) enum Region {
    /// A private key, right behind its marker.
    PrivateKey,
    /// The lines of a block scalar, right behind the line of its name.
    Block(Block),
}

/// Where a scan stops: nothing behind is text like that before.
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
    /// Made when they are first asked for: they are large, and most lines that are looked at alone have no use for them.
    window: Option<random::Window>,
    names: Option<name::Remembered>,
    verdicts: Option<verdict::Verdicts<'t>>,
    /// The vendor's name that was read last.
    vendor: keyed::Vendor,
    opened: opened::Opened,
    /// The same before the value found last, and before the items of the list found last.
    opened_before: opened::Opened,
    opened_in_list: opened::Opened,
    settled: settled::Settled,
    /// Where a value begins that is settled if it is found; behind the text when none is.
    settles_at: usize,
    /// The value found last: triggers in it have nothing to add.
    masked: Range<usize>,
    /// Where the token judged last had neither a long piece nor digits.
    sparse: Range<usize>,
    /// Cookies before this offset are read already.
    pub(crate) cookies_to: usize,
    /// Names that begin before this offset are judged already, for each kind.
    pub(crate) named_to: [usize; name::KINDS],
    /// Lists that begin before this offset have their items read already.
    pub(crate) lists_to: usize,
    /// Commands that begin before this offset have their arguments read already.
    pub(crate) commands_to: usize,
    /// Where the rows of an `INSERT` end that were looked at.
    rows_to: usize,
    /// Where the scan stops; behind the text as long as nothing stops it.
    stop_at: usize,
    region: Option<Region>,
    rule: RuleId,
}

impl<'t, 's> Scan<'t, 's> {
    pub(crate) fn new(
        text: &'t [u8],
        from: usize,
        complete: bool,
        spans: &'s mut Vec<Span>,
    ) -> Self {
        let runs = Runs::new();
        Self {
            text,
            from,
            complete,
            runs,
            spans,
            window: None,
            names: None,
            verdicts: None,
            vendor: keyed::Vendor::default(),
            opened: opened::Opened::new(),
            opened_before: opened::Opened::new(),
            opened_in_list: opened::Opened::new(),
            settled: settled::Settled::new(),
            settles_at: usize::MAX,
            masked: 0..0,
            sparse: 0..0,
            cookies_to: 0,
            named_to: [0; name::KINDS],
            lists_to: 0,
            commands_to: 0,
            rows_to: 0,
            stop_at: usize::MAX,
            region: None,
            rule: RuleId(0),
        }
    }

    fn names(&mut self) -> &mut name::Remembered {
        self.names.get_or_insert_with(name::Remembered::new)
    }

    fn verdicts(&mut self) -> &mut verdict::Verdicts<'t> {
        self.verdicts.get_or_insert_with(verdict::Verdicts::new)
    }

    /// Where the scan stopped, if it did.
    pub(crate) fn into_stop(mut self) -> Option<Stop> {
        self.settled.leave(self.spans);
        let end = self.stop_at;
        self.region.map(|region| Stop { end, region })
    }

    /// True when the scan stops at `at` or before: nothing there is text like that before.
    pub(crate) fn stops_before(&self, at: usize) -> bool {
        at >= self.stop_at
    }

    /// Checks one occurrence of a trigger. False when nothing that follows matters.
    pub(crate) fn check(&mut self, rule: RuleId, check: &Check, start: usize, end: usize) -> bool {
        if start >= self.stop_at {
            return false;
        }
        // A token that begins where a value does gives it a better name.
        let names = start == self.masked.start && matches!(check, Check::Token(_));
        if self.masked.contains(&start) && !names {
            return true;
        }
        // An item of a list that was found with those behind it.
        if start < self.lists_to && !matches!(check, Check::Token(_)) && self.holds_finding(start) {
            return true;
        }
        self.rule = rule;
        if !names && !matches!(check, Check::Name(_)) {
            self.meets(start, 0);
        }
        match check {
            Check::Token(token) => token::check(self, token, start, end),
            Check::Name(kind) => assignment::check(self, *kind, start, end),
            Check::WebToken => web_token::check(self, start),
            Check::Authorization => header::authorization(self, start, end),
            Check::Scheme => header::scheme(self, start, end),
            Check::Cookie => cookie::check(self, start, end),
            Check::UserInfo => address::user_info(self, end),
            Check::NetworkUser => address::network_user(self, start),
            Check::OracleUser => address::oracle_user(self, end),
            Check::Webhook { segments, least } => address::webhook(self, end, *segments, *least),
            Check::Statement => sql::check(self, start, end),
            Check::PasswordFile => password_file::check(self, start, end),
            Check::Keyed(keyed) => keyed::check(self, keyed, start, end),
            Check::Middle(middle) => middle::check(self, middle, start, end),
            Check::Bot => token::bot(self, start, end),
            Check::UserFlag => address::user_flag(self, start, end),
            Check::Command => command::check(self, start, end),
            Check::Argument => directive::check(self, end),
            Check::Piped => piped::check(self, start, end),
            Check::Login => login::check(self, start, end),
            Check::PrivateKey => return self.private_key(start, end),
        }
        true
    }

    /// A trigger begins at `start`, in a name that ends at `name_end`; 0 when it is in none.
    pub(crate) fn meets(&mut self, start: usize, name_end: usize) {
        self.settled.meet(start, name_end, self.spans);
    }

    /// The last part of a private key's marker is at `start..end`. False when a body may follow.
    #[cold]
    fn private_key(&mut self, start: usize, end: usize) -> bool {
        let marker = crate::pem::marker(self.text, start, end);
        let Some(end) = marker.filter(|&end| end > self.from) else { return true };
        self.stop_at = end;
        self.region = Some(Region::PrivateKey);
        false
    }

    /// The name at `name` has a block scalar for its value if one begins at `at`. `is_value` judges its lines.
    pub(crate) fn begins_block(
        &mut self,
        is_value: fn(&[u8]) -> bool,
        name: Range<usize>,
        at: usize,
    ) -> bool {
        let promised = Promised { rule: self.rule, is_value };
        self.begins(crate::block::header(self.text, self.from, promised, name, at))
    }

    /// True when the name at `name` has its value on one of the next lines.
    #[cold]
    pub(crate) fn begins_pair(&mut self, is_value: fn(&[u8]) -> bool, name: Range<usize>) -> bool {
        let promised = Promised { rule: self.rule, is_value };
        self.begins(crate::block::begins(self.text, self.from, promised, name))
    }

    fn begins(&mut self, begun: Option<(usize, Block)>) -> bool {
        let Some((end, block)) = begun else { return false };
        self.stop_at = end;
        self.region = Some(Region::Block(block));
        true
    }

    /// Where the line of `at` begins, at most `columns` before it; `None` also when that was not shown.
    pub(crate) fn line_start(&self, at: usize, columns: usize) -> Option<usize> {
        let reach = at.saturating_sub(columns);
        match memchr::memrchr(b'\n', &self.text[reach..at]) {
            Some(newline) => Some(reach + newline + 1),
            None => (reach == 0 && self.from == 0).then_some(0),
        }
    }

    /// True when `at` is the end of a text that goes on, so that what a run ended with is not known.
    pub(crate) fn is_cut(&self, at: usize) -> bool {
        !self.complete && at == self.text.len()
    }

    /// Notes a value. One that reaches the end of a window is open: it is either long enough to be removed as it comes, or
    /// begins so late that the next window holds all of it.
    pub(crate) fn found(&mut self, start: usize, end: usize, class: Class) {
        self.add(start, end, Swallow::While(class), false);
    }

    /// Notes a value that goes on behind the window; what `swallow` holds of it is not in `start..end`.
    pub(crate) fn add_open(&mut self, start: usize, end: usize, swallow: Swallow) {
        if start + HOLD_BYTES <= end {
            self.mark(start..end);
            let rule = self.rule;
            let open = Some(swallow);
            self.spans.push(Span { start, end, rule, open, quoted: false, alone: Alone::NOWHERE });
        }
    }

    /// Notes a value. The backslashes of a quote behind it are none of it.
    pub(crate) fn add(&mut self, start: usize, mut end: usize, swallow: Swallow, quoted: bool) {
        if opened::is_escaped(self.text, end) && self.text.get(end) == Some(&b'"') {
            while self.text[..end].ends_with(b"\\") {
                end -= 1;
            }
        }
        if start >= end {
            return;
        }
        let open = self.is_cut(end).then_some(swallow);
        if open.is_some() && start + HOLD_BYTES > self.text.len() {
            return;
        }
        self.mark(start..end);
        let settles = start == self.settles_at && !quoted;
        let alone = if settles { self.settled.find(self.spans.len()) } else { Alone::NOWHERE };
        self.spans.push(Span { start, end, rule: self.rule, open, quoted, alone });
    }

    /// True when `at` lies in one of the values found.
    pub(crate) fn holds_finding(&self, at: usize) -> bool {
        let before = self.spans.partition_point(|span| span.start <= at);
        before > 0 && at < self.spans[before - 1].end
    }

    fn mark(&mut self, finding: Range<usize>) {
        self.opened_before = self.opened;
        self.opened.skip(self.text, finding.clone());
        let more = finding.start == self.masked.start && finding.end < self.masked.end;
        if self.is_joined(finding.start) {
            self.masked.end = finding.end;
        } else if !more {
            self.masked = finding;
        }
    }

    /// True when nothing but quotes is between the value found last and one that begins at `start`: they are parts of one.
    fn is_joined(&self, start: usize) -> bool {
        let between = self.text.get(self.masked.end..start);
        let quotes = between.is_some_and(|bytes| {
            bytes.len() <= JOINING_BYTES
                && bytes.iter().all(|byte| matches!(byte, b'"' | b'\'' | b'\\'))
        });
        quotes && !self.masked.is_empty()
    }
}
