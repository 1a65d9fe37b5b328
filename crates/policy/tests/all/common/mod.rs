//! What the test files share: configurations and a reader of the corpus.

pub(crate) mod advice;
pub(crate) mod bash;
pub(crate) mod json;

use advice::check_advice;
use handrail_policy::Enforced;
use handrail_policy::paths::{PathRules, PathRulesConfig};
use handrail_policy::{Config, Decision, Policy, Rule, Verdict};

/// Which lists a case has.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lists {
    pub(crate) allow: Option<Vec<String>>,
    pub(crate) deny: Option<Vec<String>>,
    pub(crate) trust: Vec<String>,
}

pub(crate) fn names(text: &str) -> Vec<String> {
    text.split_whitespace().map(String::from).collect()
}

pub(crate) fn allow(text: &str) -> Policy {
    policy(&Lists { allow: Some(names(text)), ..Lists::default() })
}

pub(crate) fn deny(text: &str) -> Policy {
    policy(&Lists { deny: Some(names(text)), ..Lists::default() })
}

pub(crate) fn policy(lists: &Lists) -> Policy {
    Policy::new(config(lists)).expect("the lists of the tests are valid")
}

pub(crate) fn config(lists: &Lists) -> Config {
    let rules = |names: &Vec<String>| names.iter().map(Rule::program).collect();
    Config {
        allow: lists.allow.as_ref().map(rules),
        deny: lists.deny.as_ref().map(rules),
        trust_interpreters: lists.trust.clone(),
        ..Config::default()
    }
}

pub(crate) fn argv(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// What holds for every verdict.
pub(crate) fn verify(verdict: &Verdict, source_bytes: usize) {
    let worst = verdict.reasons.iter().map(|reason| reason.decision).max();
    assert_eq!(worst, Some(verdict.decision), "the worst reason decides");
    assert!(verdict.reasons.is_sorted_by(|a, b| a.decision >= b.decision), "worst first");
    for reason in &verdict.reasons {
        assert!(reason.span.0 <= reason.span.1 && reason.span.1 <= source_bytes, "{reason:?}");
        assert!(!reason.message.is_empty());
        // Whether anybody can be asked only the host knows, and says.
        assert!(!format!("{reason:?}").contains("approv"), "{reason:?}");
    }
    if verdict.decision == Decision::Allow {
        assert!(verdict.argv.is_some());
        assert_eq!(verdict.reasons.len(), 1);
        assert_eq!(verdict.reasons[0].rule, "list.allowed");
    }
}

/// `+a b` allows only these, `-a b` denies these, `~a` trusts; fields are separated by `;`.
pub(crate) fn lists(text: &str) -> Lists {
    let mut lists = Lists::default();
    for field in text.split(';') {
        match field.split_at(1) {
            ("+", list) => lists.allow = Some(names(list)),
            ("-", list) => lists.deny = Some(names(list)),
            ("~", list) => lists.trust = names(list),
            other => panic!("no such field: {other:?}"),
        }
    }
    lists
}

pub(crate) type Row = (&'static str, &'static str, Decision, &'static str);

fn check(verdict: &Verdict, bytes: usize, row: &Row) {
    verify(verdict, bytes);
    let (lists, command, decision, rule) = row;
    assert_eq!(verdict.decision, *decision, "{lists} {command:?} {:?}", verdict.reasons);
    let rules: Vec<&str> = verdict
        .reasons
        .iter()
        .filter(|reason| reason.decision == *decision)
        .map(|reason| reason.rule)
        .collect();
    assert!(rules.contains(rule), "{lists} {command:?} {rules:?}");
}

pub(crate) fn check_lines(rows: &[Row]) {
    for row in rows {
        let lists = lists(row.0);
        let verdict = policy(&lists).decide_line(row.1, Enforced::NOTHING);
        check(&verdict, row.1.len(), row);
        check_advice(&config(&lists), &verdict, |policy, text| {
            policy.decide_line(text.unwrap_or(row.1), Enforced::NOTHING)
        });
    }
}

/// The program of the line is listed, alone or with `ls`.
pub(crate) fn listed(line: &'static str) -> &'static str {
    let program = line.split(' ').next().unwrap_or_default();
    format!("+{program} ls").leak()
}

pub(crate) fn denied(lines: &[&'static str]) {
    for line in lines {
        check_lines(&[(listed(line), line, Decision::Deny, "argument.executes")]);
    }
}

pub(crate) fn asked(lines: &[&'static str], rule: &'static str) {
    for line in lines {
        check_lines(&[(listed(line), line, Decision::Ask, rule)]);
    }
}

pub(crate) fn passed(lines: &[&'static str]) {
    for line in lines {
        check_lines(&[(listed(line), line, Decision::Allow, "list.allowed")]);
    }
}

pub(crate) fn check_argvs(rows: &[(&'static str, &[&str], Decision, &'static str)]) {
    for (list, words, decision, rule) in rows {
        let words = argv(words);
        let joined = words.join(" ");
        let lists = lists(list);
        let verdict = policy(&lists).decide_argv(&words, Enforced::NOTHING);
        verify(&verdict, joined.len());
        check_advice(&config(&lists), &verdict, |policy, _| {
            policy.decide_argv(&words, Enforced::NOTHING)
        });
        assert_eq!(verdict.decision, *decision, "{list} {words:?} {:?}", verdict.reasons);
        assert!(
            verdict.reasons.iter().any(|reason| reason.rule == *rule),
            "{words:?} {:?}",
            verdict.reasons
        );
    }
}

/// The whole list of places that are not written to.
pub(crate) fn path_rules() -> PathRules {
    let config = PathRulesConfig { write: true, ..PathRulesConfig::default() };
    PathRules::new(config).expect("nothing is lifted")
}
