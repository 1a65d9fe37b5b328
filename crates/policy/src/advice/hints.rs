//! Judges the hint of each reason: what it says is done to the command, and the policy is asked again.

use super::Question;
use super::call;
use crate::policy::Policy;
use crate::program::base_name;
use crate::rule_id;
use crate::syntax::Dialect;
use crate::syntax::fault_text::place;
use crate::syntax::grammar;
use crate::syntax::tree::{Command, Pipeline};
use crate::verdict::{Decision, Reason, Span, Verdict};

/// Most commands of a list that are judged one by one.
const MAX_JUDGED_PARTS: usize = 16;

/// Where nothing runs, no other way to write the command is a hint.
const NOTHING_RUNS: &str = "No program is allowed here.";

/// Leaves out hints that lead to a refusal which is told anyway, and puts another refusal in the place of those that would
/// lead to it.
pub(super) fn judge(policy: &Policy, question: &Question<'_>, verdict: &mut Verdict) {
    // Built-ins of a script run all the same.
    if runs_nothing(policy) && !matches!(question, Question::Script(..)) {
        for reason in &mut verdict.reasons {
            reason.hint = None;
        }
        if let Some(first) = verdict.reasons.first_mut() {
            first.hint = Some(NOTHING_RUNS.to_owned());
        }
        return;
    }
    let hints: Vec<Option<String>> = verdict
        .reasons
        .iter()
        .map(|reason| {
            reason.hint.as_ref().and_then(|hint| judged(policy, question, verdict, reason, hint))
        })
        .collect();
    for (reason, hint) in verdict.reasons.iter_mut().zip(hints) {
        reason.hint = hint;
    }
}

/// Whether the lists let no program run at all.
fn runs_nothing(policy: &Policy) -> bool {
    let config = &policy.checked.config;
    config.allow.as_ref().map_or(config.deny.is_none(), Vec::is_empty)
}

fn judged(
    policy: &Policy,
    question: &Question<'_>,
    verdict: &Verdict,
    reason: &Reason,
    hint: &str,
) -> Option<String> {
    if is_moot(verdict, reason) {
        return None;
    }
    let source = question.source();
    match next_refusal(policy, question, verdict, reason) {
        None => Some(hint.to_owned()),
        Some((_, next)) if verdict.reasons.iter().any(|known| known.message == next.message) => {
            None
        }
        Some((at, next)) => {
            let who = if next.rule == rule_id::PROGRAM_BUILTIN {
                ""
            } else {
                ", which only the host can change"
            };
            Some(if divides(reason) {
                let place = place(&source, (at, at));
                format!("{hint} Even so, the one {place} is refused ({}){who}.", next.rule)
            } else if names_first_word(&source, &next) {
                format!("That alone leads to: {}{who}.", next.message)
            } else {
                format!("That alone is refused ({}){who}.", next.rule)
            })
        }
    }
}

/// Whether the hint says to run parts of the text as commands of their own.
fn divides(reason: &Reason) -> bool {
    matches!(
        reason.rule,
        rule_id::SYNTAX_OPERATOR
            | rule_id::SYNTAX_KEYWORD
            | rule_id::SYNTAX_GROUP
            | rule_id::SYNTAX_EXPANSION
    )
}

/// Whether a reason is about the program in front, which other reasons may name too. A word behind it may be a secret.
fn names_first_word(source: &str, reason: &Reason) -> bool {
    let first = source.split_whitespace().next().unwrap_or_default();
    reason.program.as_deref().is_none_or(|program| program == base_name(first))
}

/// Whether another reason has the answer: the lists refuse the program whatever is done about this one, or the target of the
/// redirection is to be another one.
fn is_moot(verdict: &Verdict, reason: &Reason) -> bool {
    let is_listed = |rule| {
        matches!(rule, rule_id::LIST_NOT_ALLOWED | rule_id::LIST_DENIED | rule_id::LIST_EMPTY)
    };
    let refuses = |other: &&Reason| {
        other.decision == Decision::Deny && is_listed(other.rule) && other.program == reason.program
    };
    let retargets = |other: &&Reason| {
        other.rule == rule_id::EFFECT_WRITE
            && reason.rule == rule_id::SYNTAX_REDIRECTION
            && other.span == reason.span
    };
    let is_refused = reason.program.is_some() && !is_listed(reason.rule);
    verdict.reasons.iter().any(|other| (is_refused && refuses(&other)) || retargets(&other))
}

/// The first refusal of the command that the hint leads to, and where that command begins. `None` where there is none, and where the hint leads to no one
/// command.
fn next_refusal(
    policy: &Policy,
    question: &Question<'_>,
    verdict: &Verdict,
    reason: &Reason,
) -> Option<(usize, Reason)> {
    question.with_other_text("")?;
    let source = question.source();
    let texts = match reason.rule {
        _ if divides(reason) => parts_of(&source),
        rule_id::EFFECT_DESTRUCTIVE | rule_id::ARGUMENT_EXECUTES => {
            without_word(&source, reason.span).map(|text| (0, text)).into_iter().collect()
        }
        _ => {
            let changed = call::changed(policy, reason, verdict, &source);
            changed.map(|text| (0, text)).into_iter().collect()
        }
    };
    let refusal = |(at, text): &(usize, String)| {
        let after = question.with_other_text(text)?.judge(policy);
        let refused = after.reasons.into_iter().find(|found| found.decision != Decision::Allow)?;
        // Further syntax is told by the other hints.
        (!refused.rule.starts_with(rule_id::SYNTAX_PREFIX)).then_some((*at, refused))
    };
    let unlisted = || divides(reason).then(|| refused_program(policy, question, &source)).flatten();
    texts.iter().find_map(refusal).or_else(unlisted)
}

/// The first program that the lists refuse, however deep the text names it.
fn refused_program(
    policy: &Policy,
    question: &Question<'_>,
    source: &str,
) -> Option<(usize, Reason)> {
    let within = question.as_script(source)?.judge(policy);
    let mut refused = within.reasons.into_iter().filter(|found| {
        matches!(found.rule, rule_id::LIST_NOT_ALLOWED | rule_id::LIST_DENIED)
            && found.decision == Decision::Deny
    });
    refused.next().map(|found| (found.span.0, found))
}

/// The simple commands of a list, each as it is written, with its place. `cd` is left out: its hint is that of the call's directory.
fn parts_of(source: &str) -> Vec<(usize, String)> {
    let Ok(script) = grammar::read(source, Dialect::Bash).script else { return Vec::new() };
    let pipelines = script.items.iter().flat_map(|item| {
        [&item.first].into_iter().chain(item.rest.iter().map(|(_, pipeline)| pipeline))
    });
    let commands = pipelines.flat_map(|pipeline: &Pipeline| &pipeline.commands);
    let texts = commands.filter_map(|command| match command {
        Command::Simple(simple) if simple.words.first()?.bare() != Some("cd") => {
            let text = source.get(simple.span.0..simple.span.1)?;
            Some((simple.span.0, text.to_owned()))
        }
        _ => None,
    });
    texts.take(MAX_JUDGED_PARTS).collect()
}

/// The text without the word at this span. `None` where the span is only a part of a word.
fn without_word(source: &str, (start, end): Span) -> Option<String> {
    let (before, after) = (source.get(..start)?, source.get(end..)?);
    let is_whole =
        before.ends_with([' ', '\t']) && (after.is_empty() || after.starts_with([' ', '\t']));
    is_whole.then(|| format!("{}{after}", before.trim_end()))
}
