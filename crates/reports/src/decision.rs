//! The decision of the policy about a command.

use std::borrow::Cow;

use handrail_policy::{Advice as PolicyAdvice, Rule, Verdict};
use handrail_redact::Redactor;
use serde::Serialize;

/// The decision of the policy about a command, with every reason.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Decision<'a> {
    /// `allow`, `ask` or `deny`.
    #[cfg_attr(test, ts(type = "'allow' | 'ask' | 'deny'"))]
    decision: &'static str,
    /// Never empty.
    reasons: Vec<Reason<'a>>,
}

/// One reason of a decision. Its texts may quote the command, so secrets in them are masked.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
struct Reason<'a> {
    /// Stable id of the rule.
    rule: &'static str,
    /// The part of the command that it concerns: UTF-16 offsets of its start and its end.
    span: (u32, u32),
    /// The program that it concerns.
    #[serde(skip_serializing_if = "Option::is_none")]
    program: Option<Cow<'a, str>>,
    /// One sentence.
    message: Cow<'a, str>,
    /// What to do instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<Cow<'a, str>>,
    /// Advice that lifts the reason. Advice with a masked secret in it would lift nothing, and is left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(as = "Option<Vec<Advice<'_>>>"))]
    advice: Vec<Advice<'a>>,
}

/// A call, an option or an approval that lifts a reason.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
enum Advice<'a> {
    Replace {
        command: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        cwd: Option<&'a str>,
    },
    Option {
        #[cfg_attr(test, ts(type = "'allow' | 'trustInterpreters'"))]
        name: &'static str,
        value: AdviceValue<'a>,
    },
    Approve,
}

/// The value of an option, or one more entry of it where it is a list.
#[derive(Debug, Serialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(ts_rs::TS))]
enum AdviceValue<'a> {
    Text(&'a str),
    Use { program: &'a str, args: &'a [String] },
}

impl<'a> Decision<'a> {
    /// Reports a verdict. `source` is the text that its spans refer to.
    pub fn of(verdict: &'a Verdict, source: &str, redactor: &Redactor) -> Decision<'a> {
        let mask = |text: &'a str| masked(text, redactor);
        let reason = |reason: &'a handrail_policy::Reason| Reason {
            rule: reason.rule,
            span: (utf16_offset(source, reason.span.0), utf16_offset(source, reason.span.1)),
            program: reason.program.as_deref().map(mask),
            message: mask(&reason.message),
            hint: reason.hint.as_deref().map(mask),
            advice: reason.advice.iter().filter_map(|advice| advice_of(advice, redactor)).collect(),
        };
        let reasons = verdict.reasons.iter().map(reason).collect();
        Decision { decision: verdict.decision.as_str(), reasons }
    }
}

fn advice_of<'a>(advice: &'a PolicyAdvice, redactor: &Redactor) -> Option<Advice<'a>> {
    let is_plain = |text: &str| redactor.redact(text.as_bytes()).is_none();
    let text = |name, value: &'a str| {
        is_plain(value).then_some(Advice::Option { name, value: AdviceValue::Text(value) })
    };
    match advice {
        // A call with a mask in place of a secret would be a different call.
        PolicyAdvice::Replace { command, directory } => {
            let directory = directory.as_deref();
            (is_plain(command) && directory.is_none_or(is_plain))
                .then_some(Advice::Replace { command, cwd: directory })
        }
        PolicyAdvice::Allow(Rule { program, args: None }) => text("allow", program),
        PolicyAdvice::Allow(Rule { program, args: Some(args) }) => {
            let is_plain = is_plain(program) && is_plain(&args.join(" "));
            let value = AdviceValue::Use { program, args };
            is_plain.then_some(Advice::Option { name: "allow", value })
        }
        PolicyAdvice::Trust(program) => text("trustInterpreters", program),
        PolicyAdvice::Approve => Some(Advice::Approve),
        _ => None,
    }
}

fn masked<'a>(text: &'a str, redactor: &Redactor) -> Cow<'a, str> {
    match redactor.redact(text.as_bytes()) {
        Some(masked) => Cow::Owned(String::from_utf8_lossy(&masked).into_owned()),
        None => Cow::Borrowed(text),
    }
}

/// The UTF-16 offset of a byte offset. An offset inside a character counts as its start.
pub fn utf16_offset(text: &str, offset: usize) -> u32 {
    let before = text.char_indices().take_while(|&(start, _)| start < offset);
    let whole = before.filter(|&(start, character)| start + character.len_utf8() <= offset);
    let units: usize = whole.map(|(_, character)| character.len_utf16()).sum();
    u32::try_from(units).unwrap_or(u32::MAX)
}
