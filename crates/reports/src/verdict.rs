//! What the policy says about a command.

use std::borrow::Cow;

use handrail_policy::{Advice, Reason, Rule, Verdict};
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
    /// What lifts it. An option with a masked secret in it would lift nothing, and is left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    advice: Vec<NativeAdvice<'a>>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum NativeAdvice<'a> {
    Replace {
        command: Cow<'a, str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        cwd: Option<Cow<'a, str>>,
    },
    Option {
        name: &'static str,
        value: NativeValue<'a>,
    },
    Approve,
}

/// The value of an option, or one more entry of it where it is a list.
#[derive(Serialize)]
#[serde(untagged)]
enum NativeValue<'a> {
    Text(&'a str),
    Use { program: &'a str, args: &'a [String] },
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
        advice: reason.advice.iter().filter_map(|advice| advice_of(advice, redactor)).collect(),
    };
    let reasons = verdict.reasons.iter().map(reason).collect();
    NativeVerdict { decision: verdict.decision.as_str(), reasons }
}

fn advice_of<'a>(advice: &'a Advice, redactor: &Redactor) -> Option<NativeAdvice<'a>> {
    let is_plain = |text: &str| redactor.redact(text.as_bytes()).is_none();
    let text = |name, value: &'a str| {
        is_plain(value).then_some(NativeAdvice::Option { name, value: NativeValue::Text(value) })
    };
    match advice {
        Advice::Replace { command, directory } => Some(NativeAdvice::Replace {
            command: masked(command, redactor),
            cwd: directory.as_deref().map(|directory| masked(directory, redactor)),
        }),
        Advice::Allow(Rule { program, args: None }) => text("allow", program),
        Advice::Allow(Rule { program, args: Some(args) }) => {
            let is_plain = is_plain(program) && is_plain(&args.join(" "));
            let value = NativeValue::Use { program, args };
            is_plain.then_some(NativeAdvice::Option { name: "allow", value })
        }
        Advice::Trust(program) => text("trustInterpreters", program),
        Advice::Path(directory) => text("path", directory),
        Advice::Approve => Some(NativeAdvice::Approve),
        _ => None,
    }
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
