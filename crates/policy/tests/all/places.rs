//! Rules that name places beneath a root.

use crate::common::argv;
use handrail_policy::{Advice, Config, Decision, Enforced, Policy, Rule, Surroundings, Verdict};

const ROOT: &str = "/srv/app";

fn config(allow: &[&str], deny: &[&str]) -> Config {
    let rules = |names: &[&str]| names.iter().copied().map(Rule::program).collect();
    Config {
        allow: (!allow.is_empty()).then(|| rules(allow)),
        deny: (!deny.is_empty()).then(|| rules(deny)),
        roots: vec![ROOT.into(), "/link/app".into()],
        ..Config::default()
    }
}

fn surroundings(directory: &str) -> Surroundings<'_> {
    Surroundings { directory: Some(directory), ..Enforced::NOTHING.into() }
}

fn script(config: Config, text: &str) -> Verdict {
    let roots = [ROOT.to_owned()];
    let policy = Policy::new(config).expect("a configuration");
    let surroundings = Surroundings {
        directory: Some(ROOT),
        writable_roots: Some(&roots),
        ..Surroundings::default()
    };
    policy.decide_script(text, &surroundings)
}

#[test]
fn a_place_is_compared_with_the_path_that_a_word_stands_for() {
    let places = ["./.venv/bin/python", "node_modules/.bin/*", "target/**", "./check.sh"];
    let policy = Policy::new(config(&places, &[])).expect("a configuration");
    for (directory, line, expected) in [
        (ROOT, ".venv/bin/python -m pytest", Decision::Allow),
        (ROOT, "./.venv/bin/python -c 'import os'", Decision::Allow),
        (ROOT, "/srv/app/.venv/bin/python x.py", Decision::Allow),
        (ROOT, "/link/app/.venv/bin/python x.py", Decision::Allow),
        ("/link/app", "./check.sh --all", Decision::Allow),
        ("/srv/app/src", "../node_modules/.bin/tsc -p .", Decision::Allow),
        ("/srv/app/src", "./check.sh", Decision::Deny),
        ("/srv", "app/target/debug/app", Decision::Allow),
        ("/srv", "./check.sh", Decision::Deny),
        (ROOT, "check.sh", Decision::Deny),
        (ROOT, "python x.py", Decision::Deny),
        (ROOT, ".venv/bin/pytest", Decision::Deny),
        (ROOT, "node_modules/.bin/../evil", Decision::Deny),
        (ROOT, "node_modules/.bin/a/b", Decision::Deny),
        (ROOT, "/tmp/check.sh", Decision::Deny),
        (ROOT, "env ./check.sh", Decision::Deny),
    ] {
        let verdict = policy.decide_line(line, surroundings(directory));
        assert_eq!(verdict.decision, expected, "{directory} {line} {:?}", verdict.reasons);
        let words = argv(&line.split(' ').collect::<Vec<_>>());
        if !line.contains('\'') {
            let verdict = policy.decide_argv(&words, surroundings(directory));
            assert_eq!(verdict.decision, expected, "{directory} {words:?}");
        }
    }
    // Where the directory is unknown, a relative word names nothing.
    assert_eq!(policy.decide_line("./check.sh", Enforced::NOTHING).decision, Decision::Deny);
}

#[test]
fn a_script_names_places_from_every_directory_that_it_may_be_in() {
    let allow = ["./check.sh", "a/run", "env", "find", "echo", "xargs"];
    for (text, expected) in [
        ("./check.sh && echo done", Decision::Allow),
        ("cd a && ./run; true", Decision::Allow),
        ("cd a && ../check.sh", Decision::Allow),
        ("cd a; ./run", Decision::Deny),
        ("cd \"$X\" && ./run", Decision::Deny),
        ("bash -c 'cd a && ./run'", Decision::Deny),
        ("env -C a ./run", Decision::Allow),
        ("env -C a ./check.sh", Decision::Deny),
        ("env -C \"$X\" ./check.sh", Decision::Deny),
        ("find . -execdir ./check.sh {} +", Decision::Deny),
        ("find . -exec ./check.sh {} +", Decision::Allow),
        ("find . -name '*.js' | xargs ./check.sh", Decision::Allow),
    ] {
        let decision = script(config(&allow, &[]), text).decision;
        // What is not allowed may be a question.
        assert_eq!(decision == Decision::Allow, expected == Decision::Allow, "{text} {decision:?}");
    }
}

/// What a program at a place starts is not in the text, so a rewriter in the same text gets no further rights.
#[test]
fn the_code_of_a_program_at_a_place_is_not_judged() {
    for text in ["./run -c 'rm -rf /'", "./bash -c 'rm -rf /'", "./python3 x.py", "./sudo rm x"] {
        let verdict = script(config(&["./*"], &[]), text);
        assert_eq!(verdict.decision, Decision::Allow, "{text} {:?}", verdict.reasons);
        assert!(!verdict.programs_certain, "{text}");
    }
    let with_arguments = Config {
        allow: Some(vec![Rule { program: "./run".into(), args: Some(vec!["a".into()]) }]),
        ..config(&[], &[])
    };
    assert_eq!(script(with_arguments.clone(), "./run a -c x").decision, Decision::Allow);
    assert_eq!(script(with_arguments, "./run b").decision, Decision::Deny);
}

#[test]
fn a_denied_place_is_denied_by_every_spelling_and_wins() {
    for text in ["./evil", "/srv/app/evil", "bin/tool", "cd bin && ./tool", "./bin/../evil"] {
        let both = config(&["./*", "bin/*", "echo"], &["./evil", "bin/*"]);
        assert_eq!(script(both, text).decision, Decision::Deny, "{text}");
        assert_eq!(
            script(config(&[], &["./evil", "bin/*"]), text).decision,
            Decision::Deny,
            "{text}"
        );
    }
    // A denied name is denied at a place as well.
    assert_eq!(script(config(&["./*"], &["rm"]), "./rm x").decision, Decision::Deny);
}

#[test]
fn the_rule_that_lifts_a_denial_is_advised() {
    for (text, place) in [
        (".venv/bin/pytest -q", ".venv/bin/pytest"),
        ("./check.sh", "./check.sh"),
        ("/link/app/bin/x", "bin/x"),
        ("cd src && ../check.sh", "./check.sh"),
    ] {
        for allow in [&["echo"][..], &["pytest", "check.sh", "x"]] {
            let verdict = script(config(allow, &[]), text);
            let advice: Vec<&Advice> = verdict.reasons.iter().flat_map(|one| &one.advice).collect();
            let rule = Advice::Allow(Rule::program(place));
            assert!(advice.contains(&&rule), "{text} {advice:?} {:?}", verdict.reasons);
            let mut lifted = config(allow, &[]);
            lifted.allow.get_or_insert_default().push(Rule::program(place));
            assert_eq!(script(lifted, text).decision, Decision::Allow, "{text}");
        }
    }
    // A path outside of the roots has no such rule.
    let verdict = script(config(&["echo"], &[]), "/tmp/evil");
    assert!(verdict.reasons.iter().all(|one| one.advice.is_empty()), "{:?}", verdict.reasons);
}
