//! What the policy says.

use handrail_policy::Verdict;
use napi_derive::napi;

/// What the policy says about a command.
#[napi(object)]
pub struct NativeVerdict {
    /// `allow`, `ask` or `deny`.
    pub decision: String,
    /// Why; never empty.
    pub reasons: Vec<NativeReason>,
}

/// One finding of the policy.
#[napi(object)]
pub struct NativeReason {
    /// Stable id of the rule.
    pub rule: String,
    /// UTF-16 offset where it starts.
    pub start: u32,
    /// UTF-16 offset behind its end.
    pub end: u32,
    /// The program that it concerns.
    pub program: Option<String>,
    /// One sentence.
    pub message: String,
    /// What to do instead.
    pub hint: Option<String>,
}

/// `source` is what the spans refer to.
pub(crate) fn to_native(verdict: &Verdict, source: &str) -> NativeVerdict {
    let reasons = verdict
        .reasons
        .iter()
        .map(|reason| NativeReason {
            rule: reason.rule.into(),
            start: utf16_offset(source, reason.span.0),
            end: utf16_offset(source, reason.span.1),
            program: reason.program.clone(),
            message: reason.message.clone(),
            hint: reason.hint.clone(),
        })
        .collect();
    NativeVerdict { decision: verdict.decision.as_str().into(), reasons }
}

/// The UTF-16 offset of a byte offset; one inside a character counts as its start.
pub(crate) fn utf16_offset(text: &str, offset: usize) -> u32 {
    let before = text.char_indices().take_while(|&(start, _)| start < offset);
    let whole = before.filter(|&(start, character)| start + character.len_utf8() <= offset);
    let units: usize = whole.map(|(_, character)| character.len_utf16()).sum();
    u32::try_from(units).unwrap_or(u32::MAX)
}
