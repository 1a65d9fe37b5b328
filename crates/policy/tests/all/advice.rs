//! Refused commands as agents type them: what lifts each reason, and that it does.

use handrail_policy::{Advice, Config, Enforced, Policy, Reason, Rule, Surroundings, Verdict};

use crate::common::advice::check_advice;
use crate::common::json::Json;
use crate::common::{argv, path_rules, verify};

struct Case {
    command: String,
    config: Config,
    script: bool,
    gives: Vec<String>,
}

fn cases() -> Vec<Case> {
    let file = Json::parse(include_str!("../../../../test/corpus/refused.json"));
    let cases = file.get("cases").expect("cases").list().iter().map(|case| {
        let rules = |name: &str| {
            let entries = case.get(name)?.texts();
            Some(entries.iter().map(|entry| rule(entry)).collect())
        };
        Case {
            command: case.get("command").map_or("", Json::text).to_owned(),
            config: Config { allow: rules("allow"), deny: rules("deny"), ..Config::default() },
            script: case.get("shell").is_some(),
            gives: case.get("gives").map_or_else(Vec::new, Json::texts),
        }
    });
    cases.collect()
}

/// A program, or a program and the words that its arguments begin with.
fn rule(entry: &str) -> Rule {
    let mut words = entry.split(' ').map(str::to_owned);
    let program = words.next().unwrap_or_default();
    let args: Vec<String> = words.collect();
    Rule { program, args: (!args.is_empty()).then_some(args) }
}

fn judge(policy: &Policy, text: &str, script: bool) -> Verdict {
    if !script {
        return policy.decide_line(text, Enforced::NOTHING);
    }
    let roots = ["/repo".to_owned()];
    let environment = argv(&["PATH", "HOME", "LANG"]);
    let rules = path_rules();
    let surroundings = Surroundings {
        directory: Some("/repo"),
        writable_roots: Some(&roots),
        environment: &environment,
        path_rules: Some(&rules),
        files: None,
        enforced: Enforced::NOTHING,
        is_continued: false,
    };
    policy.decide_script(text, &surroundings)
}

fn written(reason: &Reason) -> String {
    let pieces = reason.advice.iter().map(|advice| match advice {
        Advice::Replace { command, directory: Some(directory) } => {
            format!("replace {command} in {directory}")
        }
        Advice::Replace { command, .. } => format!("replace {command}"),
        Advice::Allow(Rule { program, args }) => {
            let words: Vec<&str> = args.iter().flatten().map(String::as_str).collect();
            format!("allow {program} {}", words.join(" ")).trim_end().to_owned()
        }
        Advice::Trust(program) => format!("trust {program}"),
        Advice::Approve => "approve".to_owned(),
        other => format!("{other:?}"),
    });
    let pieces: Vec<String> = pieces.collect();
    let given = if pieces.is_empty() { "nothing".to_owned() } else { pieces.join(", ") };
    format!("{}: {given}", reason.rule)
}

/// All that differ are told at once.
#[test]
fn each_reason_has_the_advice_that_lifts_it() {
    let mut wrong = Vec::new();
    for case in cases() {
        let policy = Policy::new(case.config.clone()).expect("the lists are valid");
        let verdict = judge(&policy, &case.command, case.script);
        verify(&verdict, case.command.len());
        check_advice(&case.config, &verdict, |policy, text| {
            judge(policy, text.unwrap_or(&case.command), case.script)
        });
        let given: Vec<String> = verdict.reasons.iter().map(written).collect();
        if given != case.gives {
            wrong.push(format!("{:?}\t{given:?}", case.command));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
