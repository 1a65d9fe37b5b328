//! Finds the call that was probably meant, or the one that does the first part of the refused command.

use super::Question;
use crate::nearest::nearest;
use crate::policy::Policy;
use crate::program::base_name;
use crate::rule_id;
use crate::syntax::Dialect;
use crate::syntax::command::{self, only_simple_command};
use crate::syntax::grammar;
use crate::syntax::tree::{Operator, Target};
use crate::tables::discards::TREE_PROGRAMS;
use crate::tables::holds;
use crate::tables::readers::FILTERS;
use crate::verdict::{Advice, Decision, Reason, Span, Verdict};

/// Longest command that a replacement may have, in bytes.
const MAX_WRITTEN_BYTES: usize = 300;
/// How often a command is changed in search of one that is allowed.
const MAX_CHANGES: usize = 4;

/// A command and its working directory, relative to the directory of the refused call.
struct ProposedCall {
    command: String,
    directory: Option<String>,
}

/// Changes the command, a few times at most, until it is allowed. `None` when that does not succeed.
pub(super) fn replacement(
    policy: &Policy,
    question: &Question<'_>,
    verdict: &Verdict,
) -> Option<Advice> {
    question.with_other_text("")?;
    let mut call = ProposedCall { command: question.source().into_owned(), directory: None };
    let mut reasons = verdict.reasons.clone();
    for _ in 0..MAX_CHANGES {
        call = reasons.iter().find_map(|reason| apply_change(policy, reason, &reasons, &call))?;
        if call.command.len() > MAX_WRITTEN_BYTES {
            return None;
        }
        let judgement = question.with_other_text(&call.command)?.judge(policy);
        if judgement.decision == Decision::Allow {
            let ProposedCall { command, directory } = call;
            return Some(Advice::Replace { command, directory });
        }
        reasons = judgement.reasons;
    }
    None
}

/// The command after the change that the hint of this reason advises, whatever the policy says of it.
pub(super) fn changed(
    policy: &Policy,
    reason: &Reason,
    verdict: &Verdict,
    source: &str,
) -> Option<String> {
    let call = ProposedCall { command: source.to_owned(), directory: None };
    let changed = apply_change(policy, reason, &verdict.reasons, &call)?;
    (changed.command.len() <= MAX_WRITTEN_BYTES).then_some(changed.command)
}

/// The call without the part that caused this reason.
fn apply_change(
    policy: &Policy,
    reason: &Reason,
    reasons: &[Reason],
    call: &ProposedCall,
) -> Option<ProposedCall> {
    if let Some(meant) = &reason.meant {
        return with_word(call, reason.span, meant);
    }
    match reason.rule {
        rule_id::SYNTAX_OPERATOR => first_command(call, first_operator(reasons)?),
        rule_id::SYNTAX_REDIRECTION => without_redirections(call),
        rule_id::PROGRAM_BUILTIN => looked_up(call),
        rule_id::LIST_NOT_ALLOWED => with_listed_program(policy, call, reason),
        // Under an allow list the path is refused and the bare name of the program may be listed. A program of the project
        // is another one than the host's of that name.
        rule_id::PROGRAM_UNTRUSTED_PATH
            if reason.decision == Decision::Deny && reason.offers.is_empty() =>
        {
            let written = call.command.get(reason.span.0..reason.span.1)?;
            with_word(call, reason.span, base_name(written))
        }
        _ => None,
    }
}

/// Replaces the word at `span`, when it is written without quotes.
fn with_word(call: &ProposedCall, (start, end): Span, word: &str) -> Option<ProposedCall> {
    let is_plain = |text: &str| {
        !text.is_empty()
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"./_+-".contains(&byte))
    };
    if !is_plain(call.command.get(start..end)?) || !is_plain(word) {
        return None;
    }
    let command = format!("{}{word}{}", &call.command[..start], &call.command[end..]);
    Some(ProposedCall { command, directory: call.directory.clone() })
}

/// The program that says where another is, in place of the built-in that does.
fn looked_up(call: &ProposedCall) -> Option<ProposedCall> {
    let words: Vec<&str> = call.command.split_whitespace().collect();
    let name = match words.as_slice() {
        ["type" | "hash", name] | ["command", "-v", name] if !name.starts_with('-') => name,
        _ => return None,
    };
    Some(ProposedCall { command: format!("which {name}"), directory: call.directory.clone() })
}

fn with_listed_program(
    policy: &Policy,
    call: &ProposedCall,
    reason: &Reason,
) -> Option<ProposedCall> {
    let program = reason.program.as_deref()?;
    if call.command.get(reason.span.0..reason.span.1)? != program {
        return None;
    }
    let rules = policy.checked.config.allow.as_deref().unwrap_or_default();
    let meant = nearest(program, rules.iter().map(|rule| rule.program.as_str()))?;
    // A typing mistake must not become a command that removes files.
    if TREE_PROGRAMS.iter().any(|(names, ..)| holds(names, meant)) {
        return None;
    }
    with_word(call, reason.span, meant)
}

fn first_operator(reasons: &[Reason]) -> Option<Span> {
    let operators = reasons.iter().filter(|reason| reason.rule == rule_id::SYNTAX_OPERATOR);
    operators.map(|reason| reason.span).min()
}

/// The first of several commands. When that is a `cd`, the rest, run in that directory.
fn first_command(call: &ProposedCall, (start, end): Span) -> Option<ProposedCall> {
    let first = call.command.get(..start)?.trim();
    let rest = call.command.get(end..)?.trim();
    let operator = call.command.get(start..end)?.trim();
    let goes_on = matches!(operator, "&&" | ";" | "");
    if let Some(folder) = folder_of(first).filter(|_| goes_on && !rest.is_empty()) {
        let directory = match &call.directory {
            Some(outer) if !folder.starts_with('/') => format!("{outer}/{folder}"),
            _ => folder,
        };
        return Some(ProposedCall { command: rest.to_owned(), directory: Some(directory) });
    }
    (!first.is_empty())
        .then(|| ProposedCall { command: first.to_owned(), directory: call.directory.clone() })
}

/// The folder of `cd FOLDER`, when its name is literal.
fn folder_of(text: &str) -> Option<String> {
    let reading = command::read(text, Dialect::Bash);
    if !reading.faults.is_empty() || !reading.assignments.is_empty() {
        return None;
    }
    let words: Vec<&str> = reading.words.iter().map(|word| word.text.as_str()).collect();
    match words.as_slice() {
        ["cd", "--", folder] => Some((*folder).to_owned()),
        ["cd", folder] if !folder.starts_with('-') && !folder.is_empty() => {
            Some((*folder).to_owned())
        }
        _ => None,
    }
}

/// The command without its redirections. A filter takes an input file as an argument instead; output is captured
/// anyway.
fn without_redirections(call: &ProposedCall) -> Option<ProposedCall> {
    let script = grammar::read(&call.command, Dialect::Bash).script.ok()?;
    let simple = only_simple_command(&script)?;
    let reads = simple.words.first().is_some_and(|word| {
        call.command.get(word.span.0..word.span.1).is_some_and(|name| holds(FILTERS, name))
    });
    let mut command = call.command.clone();
    for redirection in simple.redirections.iter().rev() {
        let (start, end) = redirection.span;
        let replacement = match (redirection.operator, &redirection.target) {
            (Operator::HereString | Operator::HereDocument | Operator::ReadWrite, _)
            | (_, Target::Document(_)) => return None,
            (Operator::Input, _) if !reads => return None,
            (Operator::Input, Target::Word(word)) => {
                call.command.get(word.span.0..word.span.1)?.to_owned()
            }
            _ => String::new(),
        };
        let (before, after) = (command.get(..start)?, command.get(end..)?);
        let parts = [before.trim_end(), &replacement, after.trim_start()];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        command = parts.join(" ");
    }
    (command != call.command && !command.is_empty())
        .then(|| ProposedCall { command, directory: call.directory.clone() })
}
