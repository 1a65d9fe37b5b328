//! Removing the history of the repository that a command works in.

use handrail_policy::Decision::{Allow, Ask};
use handrail_policy::{Config, Decision, Enforced, Policy, Rule, Surroundings};

fn decide(text: &str, more: &[&[&str]]) -> (Decision, Vec<&'static str>) {
    let listed = "rm mv unlink shred find xargs ls cp git mkdir cat env sh";
    let named = more.iter().map(|words| Rule {
        program: words[0].into(),
        args: Some(words[1..].iter().map(|word| (*word).to_owned()).collect()),
    });
    let roots = ["/repo".to_owned()];
    let config = Config {
        allow: Some(listed.split(' ').map(Rule::program).chain(named).collect()),
        roots: roots.to_vec(),
        ..Config::default()
    };
    let enforced = Enforced { exec: true, roots: true, signals: true, ..Enforced::NOTHING };
    let surroundings = Surroundings {
        directory: Some("/repo/packages/a"),
        writable_roots: Some(&roots),
        enforced,
        ..Surroundings::default()
    };
    let policy = Policy::new(config).expect("the lists are valid");
    let verdict = policy.decide_script(text, &surroundings);
    (verdict.decision, verdict.reasons.iter().map(|reason| reason.rule).collect())
}

#[test]
fn is_a_question() {
    for text in [
        "rm -rf .git",
        "rm -r ../../.git/",
        "rm -rf /repo/.git /repo/dist",
        "rm -rf ./.git ./dist",
        "cd ../.. && rm -rf .git",
        "cd /repo/.git && rm -rf objects",
        "cd /repo/.git; rm -rf *",
        "rm -rf /repo/.git/objects /repo/.git/refs",
        "rm -f /repo/.git/HEAD",
        "unlink .git/HEAD",
        "rm -rf .g*",
        "rm -rf ../../.[a-z]*",
        "rm -rf .git/*",
        "rm -rf .git/\"$x\"",
        "mv .git /repo/old",
        "mv -t /repo/old .git",
        "mv .git .git.old",
        "find .git -type f -exec rm -f {} +",
        "find .git -delete",
        "env rm -rf .git",
        "sh -c 'rm -rf .git'",
        "ls | xargs rm -rf .git",
        "rm -rf /repo",
        "rm -rf ../..",
    ] {
        let (decision, rules) = decide(text, &[]);
        assert_eq!(decision, Ask, "{text} {rules:?}");
        assert!(rules.contains(&"effect.destructive"), "{text} {rules:?}");
    }
}

#[test]
fn is_not_confused_with_what_looks_like_it() {
    for text in [
        "rm -f .git/index.lock",
        "rm -f /repo/.git/*.lock",
        "rm -rf .github .gitlab",
        "rm -f .gitignore",
        "rm -rf .c*",
        "rm -rf *",
        "rm -rf vendor/tool/.git",
        "mkdir -p out && cd out && rm -rf .git",
        "cp -r .git /repo/backup",
        "ls .git",
        "mv backup .git",
        "rm -rf /repo/packages/b",
    ] {
        let (decision, rules) = decide(text, &[]);
        assert_eq!(decision, Allow, "{text} {rules:?}");
    }
}

#[test]
fn a_rule_that_names_it_answers() {
    assert_eq!(decide("rm -rf .git", &[&["rm", "-rf", ".git"]]).0, Allow);
    assert_eq!(decide("rm -rf dist .git", &[&["rm", "-rf", "dist"]]).0, Ask);
}
