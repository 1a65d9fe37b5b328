//! The checks behind the triggers. Each looks at a bounded stretch, or only moves on.

pub(crate) mod address;
pub(crate) mod assignment;
pub(crate) mod header;
pub(crate) mod identifier;
pub(crate) mod judge;
mod placeholder;
pub(crate) mod token;
pub(crate) mod value;
pub(crate) mod web_token;
mod words;

use std::ops::Range;

use crate::class::{Class, Runs};
use crate::core::HOLD_BYTES;
use crate::rules::Check;
use crate::span::{RuleId, Span, Swallow};

/// What the checks share while they go over one text.
pub(crate) struct Scan<'t, 's> {
    pub(crate) text: &'t [u8],
    /// False when the text is a window and its line goes on.
    complete: bool,
    pub(crate) runs: Runs,
    spans: &'s mut Vec<Span>,
    /// The value found last: triggers in it have nothing to add.
    masked: Range<usize>,
    /// Cookies before this offset are read already.
    pub(crate) cookies_to: usize,
    /// Names that begin before this offset are judged already, for each kind.
    pub(crate) named_to: [usize; assignment::KINDS],
    rule: RuleId,
}

impl<'t, 's> Scan<'t, 's> {
    pub(crate) fn new(text: &'t [u8], complete: bool, spans: &'s mut Vec<Span>) -> Self {
        let runs = Runs::new();
        Self {
            text,
            complete,
            runs,
            spans,
            masked: 0..0,
            cookies_to: 0,
            named_to: [0; assignment::KINDS],
            rule: RuleId(0),
        }
    }

    /// Checks one occurrence of a trigger. Gives the end of a private key's marker, where the scan stops.
    pub(crate) fn check(
        &mut self,
        rule: RuleId,
        check: &Check,
        start: usize,
        end: usize,
    ) -> Option<usize> {
        if self.masked.contains(&start) {
            return None;
        }
        self.rule = rule;
        match check {
            Check::Token(token) => token::check(self, token, start, end),
            Check::Name(kind) => assignment::check(self, *kind, start, end),
            Check::WebToken => web_token::check(self, start),
            Check::Authorization => header::authorization(self, start, end),
            Check::Scheme => header::scheme(self, start, end),
            Check::Cookie => header::cookie(self, start, end),
            Check::UserInfo => address::user_info(self, end),
            Check::Webhook { segments } => address::webhook(self, end, *segments),
            Check::Bot => token::bot(self, start, end),
            Check::UserFlag => address::user_flag(self, start, end),
            Check::PrivateKey => return crate::pem::marker(self.text, start, end, self.complete),
        }
        None
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

    pub(crate) fn add(&mut self, start: usize, end: usize, swallow: Swallow, quoted: bool) {
        if start >= end {
            return;
        }
        let open = self.is_cut(end).then_some(swallow);
        if open.is_some() && start + HOLD_BYTES > self.text.len() {
            return;
        }
        self.masked = start..end;
        self.spans.push(Span { start, end, rule: self.rule, open, quoted });
    }
}
