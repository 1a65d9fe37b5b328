//! Applies every piece of advice of a verdict, and judges again.

use handrail_policy::{Advice, Config, Decision, Policy, Reason, Verdict};

/// `judge` gives the verdict on the same question under another policy, or on another text.
pub(crate) fn check_advice(
    config: &Config,
    verdict: &Verdict,
    judge: impl Fn(&Policy, Option<&str>) -> Verdict,
) {
    let policy = |config: Config| Policy::new(config).expect("advice makes a valid policy");
    let own = policy(config.clone());
    for reason in &verdict.reasons {
        for advice in &reason.advice {
            match advice {
                Advice::Replace { command, .. } => {
                    let after = judge(&own, Some(command));
                    assert_eq!(after.decision, Decision::Allow, "{command:?} {:?}", after.reasons);
                }
                Advice::Approve => assert_eq!(reason.decision, Decision::Ask, "{reason:?}"),
                option => {
                    let after = judge(&policy(with(config, &[option])), None);
                    for found in refusals(&after) {
                        assert!(!is_same(found, reason), "{option:?} leaves {reason:?}");
                        assert!(
                            refusals(verdict).any(|known| is_same(known, found)),
                            "{option:?} leads to {found:?}"
                        );
                    }
                    if verdict.reasons.len() == 1 {
                        assert_eq!(after.decision, Decision::Allow, "{option:?} {after:?}");
                    }
                }
            }
        }
    }
    check_together(config, verdict, |config| judge(&policy(config), None));
}

/// One option for every reason that has any: what is left is what somebody may approve.
fn check_together(config: &Config, verdict: &Verdict, judge: impl Fn(Config) -> Verdict) {
    let options: Vec<&Advice> = verdict.reasons.iter().filter_map(option_of).collect();
    let approves = |reason: &Reason| reason.advice.contains(&Advice::Approve);
    if options.is_empty() && !verdict.reasons.iter().any(approves) {
        return;
    }
    let after = judge(with(config, &options));
    let is_lifted =
        |reason: &Reason| reason.decision == Decision::Allow || option_of(reason).is_some();
    if verdict.reasons.iter().all(is_lifted) {
        assert_eq!(after.decision, Decision::Allow, "{options:?} leave {:?}", after.reasons);
    }
    for found in refusals(&after) {
        assert_eq!(found.decision, Decision::Ask, "{options:?} leave {found:?}");
        let known = verdict.reasons.iter().find(|reason| is_same(reason, found));
        assert!(known.is_some_and(approves), "{options:?} lead to {found:?}");
    }
}

fn option_of(reason: &Reason) -> Option<&Advice> {
    let is_option = |advice: &&Advice| !matches!(advice, Advice::Replace { .. } | Advice::Approve);
    reason.advice.iter().find(is_option)
}

fn refusals(verdict: &Verdict) -> impl Iterator<Item = &Reason> {
    verdict.reasons.iter().filter(|reason| reason.decision != Decision::Allow)
}

fn is_same(one: &Reason, other: &Reason) -> bool {
    (one.rule, one.span, &one.program, &one.message)
        == (other.rule, other.span, &other.program, &other.message)
}

fn with(config: &Config, options: &[&Advice]) -> Config {
    let mut config = config.clone();
    for option in options {
        match option {
            Advice::Allow(rule) => config.allow.get_or_insert_default().push(rule.clone()),
            Advice::Trust(program) => config.trust_interpreters.push(program.clone()),
            other => panic!("no option: {other:?}"),
        }
    }
    config
}
