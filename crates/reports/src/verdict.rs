//! What the policy says about a command.

use std::borrow::Cow;

use handrail_policy::{Reason, Verdict};
use handrail_redact::Redactor;
use serde::Serialize;

/// What the policy says about a command.
#[derive(Serialize)]
pub struct NativeVerdict<'a> {
    /// `allow`, `ask` or `deny`.
    decision: &'static str,
    /// Why; never empty.
    reasons: Vec<NativeReason<'a>>,
}

/// One finding of the policy. Secrets in its texts are masked: they may quote the command.
#[derive(Serialize)]
struct NativeReason<'a> {
    /// Stable id of the rule.
    rule: &'static str,
    /// UTF-16 offsets of its start and its end.
    span: (u32, u32),
    /// The program that it concerns.
    #[serde(skip_serializing_if = "Option::is_none")]
    program: Option<Cow<'a, str>>,
    /// One sentence.
    message: Cow<'a, str>,
    /// What to do instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<Cow<'a, str>>,
}

/// `source` is what the spans refer to.
pub fn to_native<'a>(verdict: &'a Verdict, source: &str, redactor: &Redactor) -> NativeVerdict<'a> {
    let mask = |text: &'a str| masked(text, redactor);
    let reason = |reason: &'a Reason| NativeReason {
        rule: reason.rule,
        span: (utf16_offset(source, reason.span.0), utf16_offset(source, reason.span.1)),
        program: reason.program.as_deref().map(mask),
        message: mask(&reason.message),
        hint: reason.hint.as_deref().map(mask),
    };
    let reasons = verdict.reasons.iter().map(reason).collect();
    NativeVerdict { decision: verdict.decision.as_str(), reasons }
}

fn masked<'a>(text: &'a str, redactor: &Redactor) -> Cow<'a, str> {
    match redactor.redact(text.as_bytes()) {
        Some(masked) => Cow::Owned(String::from_utf8_lossy(&masked).into_owned()),
        None => Cow::Borrowed(text),
    }
}

/// The UTF-16 offset of a byte offset; one inside a character counts as its start.
pub fn utf16_offset(text: &str, offset: usize) -> u32 {
    let before = text.char_indices().take_while(|&(start, _)| start < offset);
    let whole = before.filter(|&(start, character)| start + character.len_utf8() <= offset);
    let units: usize = whole.map(|(_, character)| character.len_utf16()).sum();
    u32::try_from(units).unwrap_or(u32::MAX)
}
