//! Judges the hint of each reason: what it says is done to the command, and the policy is asked again.

use super::Question;
use super::call;
use super::written;
use crate::policy::Policy;
use crate::program::base_name;
use crate::rule_id;
use crate::syntax::fault_text::place;
use crate::verdict::{Decision, Reason, Span, Verdict};

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

/// What the hint leads to.
enum Outcome {
    /// Nothing that is known to be refused.
    Open,
    /// The whole of it is refused, for this command.
    Refused(String, Reason),
    /// Of several commands this one is refused, which begins here.
    Partly(usize, Reason),
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
    let is_known =
        |next: &Reason| verdict.reasons.iter().any(|known| known.message == next.message);
    match outcome(policy, question, verdict, reason) {
        Outcome::Open => Some(hint.to_owned()),
        // Where nothing can be written, both say the same.
        Outcome::Refused(_, next)
            if next.rule == rule_id::EFFECT_WRITE && next.hint.as_deref() == Some(hint) =>
        {
            Some(hint.to_owned())
        }
        Outcome::Refused(_, next) | Outcome::Partly(_, next) if is_known(&next) => None,
        // Whoever is told once that a part is refused mends the others as they are told.
        Outcome::Partly(..) if !is_first_of_writing(verdict, reason) => {
            let first = verdict.reasons.iter().find(|one| is_writing(one));
            let is_told = first.and_then(|one| one.hint.as_deref()) == Some(hint);
            (!is_told).then(|| hint.to_owned())
        }
        Outcome::Refused(..) if is_writing(reason) && !is_first_of_writing(verdict, reason) => None,
        Outcome::Partly(at, next) => {
            let why = why(&source, &next);
            Some(format!("{hint} Even so, the one {} is refused{why}", place(&source, (at, at))))
        }
        Outcome::Refused(command, next) => {
            let before = match next.rule {
                rule_id::EFFECT_WRITE => "Written out, it is refused too",
                _ if is_writing(reason) => "However it is written, it is refused",
                _ if reason.rule == rule_id::SHELL_SCRIPT => "Its commands are refused too",
                _ => "That alone is refused",
            };
            Some(format!("{before}{}", why(&command, &next)))
        }
    }
}

/// Why a command is refused, and who can do something about it.
fn why(command: &str, refusal: &Reason) -> String {
    let Reason { rule, message, hint, .. } = refusal;
    let told = if is_of_tables(rule) || names_first_word(command, refusal) {
        format!(": {message} ({rule})")
    } else {
        format!(" ({rule})")
    };
    match hint {
        Some(hint) if is_for_writer(rule) => format!("{told}. {hint}"),
        _ if is_for_writer(rule) => format!("{told}."),
        _ => format!("{told}, which only the host can change."),
    }
}

/// Whether a reason of this rule names only programs that a table knows.
fn is_of_tables(rule: &str) -> bool {
    matches!(
        rule,
        rule_id::PROGRAM_BUILTIN | rule_id::INTERPRETER_CODE | rule_id::EFFECT_DESTRUCTIVE
    )
}

/// Whether whoever wrote the command can mend it.
fn is_for_writer(rule: &str) -> bool {
    matches!(rule, rule_id::PROGRAM_BUILTIN | rule_id::EFFECT_WRITE)
}

/// Whether the reason is about how the command is written, and not about what it does.
fn is_writing(reason: &Reason) -> bool {
    reason.rule.starts_with(rule_id::SYNTAX_PREFIX) && reason.program.is_none()
}

fn is_first_of_writing(verdict: &Verdict, reason: &Reason) -> bool {
    verdict
        .reasons
        .iter()
        .find(|one| is_writing(one))
        .is_some_and(|first| std::ptr::eq(first, reason))
}

/// Whether a reason is about the program in front, which other reasons may name too. A word behind it may be a secret.
fn names_first_word(source: &str, reason: &Reason) -> bool {
    let is_of_name = |c: char| c.is_alphanumeric() || "._-+/@".contains(c);
    let first = source.split(|c| !is_of_name(c)).next().unwrap_or_default();
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
    // Known arguments are code as well.
    let is_code = |other: &&Reason| {
        other.rule == rule_id::INTERPRETER_CODE
            && reason.rule == rule_id::PROGRAM_DYNAMIC
            && other.program == reason.program
    };
    let is_refused = reason.program.is_some() && !is_listed(reason.rule);
    verdict
        .reasons
        .iter()
        .any(|other| (is_refused && refuses(&other)) || retargets(&other) || is_code(&other))
}

/// What is refused of the command that the hint leads to.
fn outcome(
    policy: &Policy,
    question: &Question<'_>,
    verdict: &Verdict,
    reason: &Reason,
) -> Outcome {
    if question.with_other_text("").is_none() {
        return Outcome::Open;
    }
    let source = question.source();
    let refused = |text: Option<String>| {
        let next = text.and_then(|text| {
            let next = refusal_of(policy, &question.with_other_text(&text)?)?;
            Some(Outcome::Refused(text, next))
        });
        next.unwrap_or(Outcome::Open)
    };
    match reason.rule {
        rule_id::EFFECT_WRITE | rule_id::SYNTAX_REDIRECTION if !question.is_line() => {
            let text = written::with_written_target(&source, reason.span, question.home());
            let next = text.and_then(|text| refused_write(policy, question, &text, reason.span.0));
            next.map_or(Outcome::Open, |next| Outcome::Refused(String::new(), next))
        }
        rule_id::SHELL_SCRIPT => {
            let code = question.file_text(&source, reason.span).unwrap_or_default();
            // Nothing of the file is shown: a word in it may be a secret.
            let refused = refused_commands(policy, question, &code).into_iter().next();
            refused.map_or(Outcome::Open, |(_, next)| Outcome::Refused(String::new(), next))
        }
        rule_id::EFFECT_DESTRUCTIVE | rule_id::ARGUMENT_EXECUTES => {
            refused(without_word(&source, reason.span))
        }
        _ if is_writing(reason) && question.is_line() => {
            let total = written::plain_commands(&source, question.home()).len();
            let refused = refused_commands(policy, question, &source);
            let is_whole = refused.len() == total;
            match refused.into_iter().next() {
                None => Outcome::Open,
                Some((_, next)) if is_whole => Outcome::Refused(source.into_owned(), next),
                Some((at, next)) => Outcome::Partly(at, next),
            }
        }
        _ => refused(call::changed(policy, reason, verdict, &source)),
    }
}

/// The first refusal that no further hint about the writing mends.
fn refusal_of(policy: &Policy, question: &Question<'_>) -> Option<Reason> {
    let is_told = |found: &Reason| {
        found.decision != Decision::Allow
            && !found.rule.starts_with(rule_id::SYNTAX_PREFIX)
            && !found.rule.starts_with(rule_id::HYGIENE_PREFIX)
            && found.program.as_deref() != Some(written::STAND_IN)
    };
    question.judge(policy).reasons.into_iter().find(is_told)
}

/// The commands of a text that are refused however they are written, each with its place.
fn refused_commands(
    policy: &Policy,
    question: &Question<'_>,
    source: &str,
) -> Vec<(usize, Reason)> {
    let commands = written::plain_commands(source, question.home());
    let refused = commands.into_iter().filter_map(|one| {
        let alone = question.as_line(&one.text)?;
        let next = refusal_of(policy, &alone).or_else(|| question.unread_place(&one.home_paths))?;
        Some((one.at, next))
    });
    refused.collect()
}

/// The refusal of the redirection that begins here.
fn refused_write(
    policy: &Policy,
    question: &Question<'_>,
    text: &str,
    start: usize,
) -> Option<Reason> {
    let found = question.with_other_text(text)?.judge(policy).reasons.into_iter();
    let is_own = |one: &Reason| one.rule == rule_id::EFFECT_WRITE && one.span.0 == start;
    found.filter(is_own).find(|one| one.decision != Decision::Allow)
}

/// The text without the word at this span. `None` where the span is only a part of a word.
fn without_word(source: &str, (start, end): Span) -> Option<String> {
    let (before, after) = (source.get(..start)?, source.get(end..)?);
    let is_whole =
        before.ends_with([' ', '\t']) && (after.is_empty() || after.starts_with([' ', '\t']));
    is_whole.then(|| format!("{}{after}", before.trim_end()))
}
