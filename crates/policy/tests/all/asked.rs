//! Uses of listed programs that a host wants to be asked about.

use handrail_policy::Decision::{Allow, Ask};
use handrail_policy::{Config, Decision, Enforced, Policy, Rule, Surroundings};

fn rule(text: &str) -> Rule {
    let mut words = text.split(' ').map(str::to_owned);
    let program = words.next().unwrap_or_default();
    let args: Vec<String> = words.collect();
    Rule { program, args: (!args.is_empty()).then_some(args) }
}

fn policy(allow: &[&str], ask: &[&str]) -> Policy {
    let rules = |texts: &[&str]| texts.iter().map(|text| rule(text)).collect::<Vec<_>>();
    let config = Config { allow: Some(rules(allow)), ask: rules(ask), ..Config::default() };
    Policy::new(config).expect("the lists are valid")
}

fn decide(policy: &Policy, text: &str, enforced: Enforced) -> (Decision, Vec<&'static str>) {
    let roots = ["/repo".to_owned()];
    let surroundings = Surroundings {
        directory: Some("/repo"),
        writable_roots: Some(&roots),
        enforced,
        ..Surroundings::default()
    };
    let verdict = policy.decide_script(text, &surroundings);
    (verdict.decision, verdict.reasons.iter().map(|reason| reason.rule).collect())
}

const LISTED: &[&str] =
    &["git", "xargs", "env", "sh", "bash", "find", "echo", "timeout", "nohup", "ls", "tsc"];
const EVERYTHING_HELD: Enforced =
    Enforced { exec: true, writes: false, roots: true, signals: true, temporary: true };

#[test]
fn a_use_is_asked_about_however_it_is_started() {
    let asking = policy(LISTED, &["git push", "git send-pack"]);
    let plain = policy(LISTED, &[]);
    for text in [
        "git push",
        "git push origin main",
        "git -C sub push -u origin HEAD",
        "git --no-pager -c color.ui=never push",
        "git --git-dir=.git push",
        "git --git-dir .git push",
        "git send-pack origin main",
        "git add -A && git commit -m a && git push",
        "env git push",
        "timeout 5 nohup git push",
        "sh -c 'git push'",
        "find . -maxdepth 0 -exec git push \\;",
        "f() { git push; }; f",
        "ls | while read -r x; do git push; done",
        "\\git \"pu\"'sh'",
    ] {
        for enforced in [Enforced::NOTHING, EVERYTHING_HELD] {
            let (decision, rules) = decide(&asking, text, enforced);
            assert_eq!(decision, Ask, "{text}");
            assert!(rules.contains(&"list.asked"), "{text} {rules:?}");
        }
        let (decision, rules) = decide(&plain, text, EVERYTHING_HELD);
        assert_eq!(decision, Allow, "{text} {rules:?}");
    }
}

#[test]
fn words_that_only_run_time_knows_may_be_the_ones() {
    let asking = policy(LISTED, &["git push", "tsc --watch"]);
    for text in [
        "git $x",
        "x=push; git $x",
        "echo push | xargs git",
        "echo origin | xargs git push",
        "tsc $x",
        "tsc \"$x\" a",
    ] {
        let (decision, rules) = decide(&asking, text, EVERYTHING_HELD);
        assert_eq!(decision, Ask, "{text}");
        assert!(rules.contains(&"list.asked"), "{text} {rules:?}");
    }
    for text in ["tsc -p \"$x\"", "git add \"$x\"", "git commit -m push", "git log --grep push"] {
        let (_, rules) = decide(&asking, text, EVERYTHING_HELD);
        assert!(!rules.contains(&"list.asked"), "{text} {rules:?}");
    }
}

#[test]
fn a_rule_that_names_the_use_answers_it() {
    for (allow, text, decision) in [
        (&["git", "git push"][..], "git push origin main", Allow),
        (&["git", "git push origin"], "git push origin main", Allow),
        (&["git", "git log"], "git push", Ask),
        (&["git", "git push"], "git -C sub push", Ask),
        (&["git", "git push"], "git push --force", Ask),
    ] {
        let found = decide(&policy(allow, &["git push"]), text, EVERYTHING_HELD);
        assert_eq!(found.0, decision, "{allow:?} {text} {:?}", found.1);
    }
    let whole = policy(&["git", "git log"], &["git"]);
    assert_eq!(decide(&whole, "git status", EVERYTHING_HELD).0, Ask);
    assert_eq!(decide(&whole, "git log", EVERYTHING_HELD).0, Allow);
}

#[test]
fn what_is_denied_stays_denied() {
    let config = Config {
        allow: Some(vec![rule("git")]),
        deny: Some(vec![rule("git push")]),
        ask: vec![rule("git push")],
        ..Config::default()
    };
    let policy = Policy::new(config).expect("the lists are valid");
    assert_eq!(policy.decide_line("git push", Enforced::NOTHING).decision, Decision::Deny);
    let broken = Config { ask: vec![rule("gi*")], ..Config::default() };
    let error = Policy::new(broken).expect_err("a pattern is no name");
    assert_eq!(error.place(), ("ask", 0));
}
