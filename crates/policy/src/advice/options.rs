//! Finds options of the host that would let a refused command pass, and says where consent would.

use super::Question;
use crate::config::{Config, Rule};
use crate::policy::Policy;
use crate::rule_id;
use crate::verdict::{Advice, Decision, Reason, Verdict};

/// Most different options that are tried for one verdict.
const MAX_TRIED_OPTIONS: usize = 24;

/// Adds to each reason the option that lifts it. Adds no option when a denial would remain, because following the
/// advice would only lead to the next refusal.
pub(super) fn advise(policy: &Policy, question: &Question<'_>, verdict: &mut Verdict) {
    let offers: Vec<Vec<Advice>> = verdict.reasons.iter().map(offers_for).collect();
    let judge_with = |options: &[&Advice]| {
        let policy = policy_with(policy, options)?;
        // Unless the host sets `exec`, the plan of a list with a trusted interpreter lets every program start.
        let trusts = |rule: &Rule| policy.checked.config.trust_interpreters.contains(&rule.program);
        let is_held = !policy.checked.config.allow.iter().flatten().any(trusts);
        Some(if is_held { question.judge(&policy) } else { question.unenforced().judge(&policy) })
    };
    let options = lifting_each(&verdict.reasons, &offers, &judge_with);
    if options.is_none() && verdict.decision == Decision::Deny {
        return;
    }
    let mut options = options.into_iter().flatten();
    for reason in &mut verdict.reasons {
        reason.advice.extend(options.next().flatten());
        if reason.decision == Decision::Ask {
            reason.advice.push(Advice::Approve);
        }
    }
}

/// Options that may lift the reason, the narrowest first.
fn offers_for(reason: &Reason) -> Vec<Advice> {
    let mut offers = reason.offers.clone();
    let Some(program) = reason.program.clone() else { return offers };
    match reason.rule {
        rule_id::LIST_NOT_ALLOWED => offers.push(Advice::Allow(Rule::program(program))),
        // When allowing the whole program does not lift the reason, allowing this use may.
        rule_id::LIST_EMPTY => offers.insert(0, Advice::Allow(Rule::program(program))),
        rule_id::INTERPRETER_CODE | rule_id::SHELL_SCRIPT => offers.push(Advice::Trust(program)),
        _ => {}
    }
    offers
}

/// For each reason, the option that lifts it. Every denial needs one, and every question that has one gets it. `None`
/// when a denial remains or a new reason appears.
fn lifting_each(
    reasons: &[Reason],
    offers: &[Vec<Advice>],
    judge_with: &impl Fn(&[&Advice]) -> Option<Verdict>,
) -> Option<Vec<Option<Advice>>> {
    if offers.iter().map(Vec::len).sum::<usize>() > MAX_TRIED_OPTIONS {
        return None;
    }
    let is_known = |found: &Reason| reasons.iter().any(|reason| is_same(reason, found));
    let lifts = |offer: &&Advice, reason: &Reason| {
        judge_with(&[*offer]).is_some_and(|verdict_after| {
            let mut remaining =
                verdict_after.reasons.iter().filter(|one| one.decision != Decision::Allow);
            remaining.all(|found| is_known(found) && !is_same(found, reason))
        })
    };
    // An option may lift more than the reason it was made for: a rule for one use does so often, and is the narrowest.
    let is_narrow = |offer: &&Advice| matches!(offer, Advice::Allow(rule) if rule.args.is_some());
    let narrow: Vec<&Advice> = offers.iter().flatten().filter(is_narrow).collect();
    let mut chosen: Vec<Option<Advice>> = reasons
        .iter()
        .zip(offers)
        .map(|(reason, own)| {
            let mut candidates = narrow.iter().copied().chain(own);
            candidates.find(|offer| lifts(offer, reason)).cloned()
        })
        .collect();
    // What was chosen for another reason may be enough for this one: a longer rule, or where this one has none.
    for at in 0..chosen.len() {
        let words = chosen[at].as_ref().map_or(0, words_of);
        let longer = chosen.iter().flatten().filter(|other| words_of(other) > words);
        let mut longer: Vec<&Advice> = longer.collect();
        longer.sort_by_key(|other| words_of(other));
        let enough = longer.into_iter().find(|other| lifts(other, &reasons[at])).cloned();
        if enough.is_some() {
            chosen[at] = enough;
        }
    }
    let is_open = |(reason, option): (&Reason, &Option<Advice>)| {
        option.is_none() && reason.decision == Decision::Deny
    };
    if reasons.iter().zip(&chosen).any(is_open) {
        return None;
    }
    let mut chosen_options: Vec<&Advice> = Vec::new();
    for option in chosen.iter().flatten() {
        if !chosen_options.contains(&option) {
            chosen_options.push(option);
        }
    }
    let verdict_after = if chosen_options.is_empty() { None } else { judge_with(&chosen_options) }?;
    let is_left = |found: &Reason| {
        found.decision == Decision::Allow || (found.decision == Decision::Ask && is_known(found))
    };
    (verdict_after.decision != Decision::Deny && verdict_after.reasons.iter().all(is_left))
        .then_some(chosen)
}

/// How many words of a command the option names.
fn words_of(option: &Advice) -> usize {
    match option {
        Advice::Allow(Rule { args: Some(args), .. }) => 1 + args.len(),
        _ => 1,
    }
}

fn is_same(one: &Reason, other: &Reason) -> bool {
    (one.rule, one.span, &one.program, &one.message)
        == (other.rule, other.span, &other.program, &other.message)
}

/// The policy of a host that has followed the advice. `None` when it is not about options, or does not fit these lists.
fn policy_with(policy: &Policy, options: &[&Advice]) -> Option<Policy> {
    let mut config: Config = policy.checked.config.clone();
    for option in options {
        match option {
            Advice::Allow(rule) => {
                if config.allow.is_none() && config.deny.is_some() {
                    return None;
                }
                config.allow.get_or_insert_default().push(rule.clone());
            }
            Advice::Trust(program) => config.trust_interpreters.push(program.clone()),
            Advice::Replace { .. } | Advice::Approve => return None,
        }
    }
    Policy::new(config).ok()
}
