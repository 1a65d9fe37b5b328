//! Texts for bash: lists, script, decision, and the rule of the reason that decides.

use handrail_policy::Decision::Allow;
use handrail_policy::{Config, Decision, Policy, Rule, Surroundings, Verdict};

use crate::common::{Row, argv, lists, policy, verify};

const ROOT: &str = "/work";

fn decide(policy: &Policy, text: &str) -> Verdict {
    let roots = [ROOT.to_owned()];
    let environment = argv(&["PATH", "HOME", "LANG", "LC_ALL", "PAGER"]);
    let surroundings = Surroundings {
        directory: Some(ROOT),
        writable_roots: Some(&roots),
        environment: &environment,
        write_rules: None,
    };
    let verdict = policy.decide_script(text, &surroundings);
    verify(&verdict, text.len());
    verdict
}

fn check(rows: &[Row]) {
    for (list, text, decision, rule) in rows {
        let verdict = decide(&policy(&lists(list)), text);
        assert_eq!(verdict.decision, *decision, "{list} {text:?} {:#?}", verdict.reasons);
        let rules: Vec<&str> = verdict
            .reasons
            .iter()
            .filter(|reason| reason.decision == *decision)
            .map(|reason| reason.rule)
            .collect();
        assert!(rules.contains(rule), "{list} {text:?} {rules:?}");
    }
}

fn allowed(rows: &[(&'static str, &'static str)]) {
    for (list, text) in rows {
        check(&[(list, text, Allow, "list.allowed")]);
    }
}

/// Rules with arguments: `npm test` is the program and one word.
fn with_rules(rules: &[&str]) -> Policy {
    let allow = rules
        .iter()
        .map(|rule| {
            let mut words = rule.split(' ').map(String::from);
            let program = words.next().expect("a program");
            let args: Vec<String> = words.collect();
            Rule { program, args: (!args.is_empty()).then_some(args) }
        })
        .collect();
    Policy::new(Config { allow: Some(allow), ..Config::default() }).expect("valid")
}

#[test]
fn what_agents_write_every_day_runs_unasked() {
    for (rules, text) in [
        ("git,head", "git log | head -5"),
        ("npm test", "cd sub && npm test"),
        ("echo", "echo \"a\" > out.txt"),
        ("wc", "for f in *.txt; do wc -l \"$f\"; done"),
        ("npm test", "FOO=1 npm test"),
        ("a,b,c", "a || b; c"),
        ("ls", "ls 2>/dev/null || true"),
        ("ls", "set -euo pipefail; ls"),
        ("cat", "[ -f a ] && cat a"),
        ("git", "git commit -m \"$(cat <<'EOF'\nfix: it's done\n\nrm -rf / is gone\nEOF\n)\""),
        ("npm test,tail", "npm test > out.log 2>&1 || tail -5 out.log"),
        ("x", "while read -r l; do echo \"$l\"; done < a.txt"),
    ] {
        let rules: Vec<&str> = rules.split(',').collect();
        let verdict = decide(&with_rules(&rules), text);
        assert_eq!(verdict.decision, Decision::Allow, "{text:?} {:#?}", verdict.reasons);
    }
}
