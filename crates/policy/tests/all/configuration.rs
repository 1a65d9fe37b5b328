//! What a configuration may say, and how it is refused.

use crate::common::argv;
use handrail_policy::Enforced;
use handrail_policy::{Config, Decision, ErrorKind, Policy, Rule};

fn allowing(program: &str) -> Config {
    Config { allow: Some(vec![Rule::program(program)]), ..Config::default() }
}

fn denying(program: &str) -> Config {
    Config { deny: Some(vec![Rule::program(program)]), ..Config::default() }
}

fn trusting(name: &str) -> Config {
    Config { trust_interpreters: vec![name.to_owned()], ..Config::default() }
}

#[test]
fn configurations_that_cannot_mean_what_they_say() {
    for (config, kind, text) in [
        (allowing(""), ErrorKind::EmptyName, "entry 0 of allow is empty"),
        (allowing("git status"), ErrorKind::NotAName, "entry 0 of allow is not a program name"),
        (
            allowing("./x"),
            ErrorKind::NoRoots,
            "entry 0 of allow is a path beneath a root, and there",
        ),
        (allowing("a/../b"), ErrorKind::NotAbsolute, "entry 0 of allow must be an absolute path"),
        (allowing("./"), ErrorKind::NotAbsolute, "entry 0 of allow must be an absolute path"),
        (allowing("a//b"), ErrorKind::NotAbsolute, "entry 0 of allow must be an absolute path"),
        (allowing("/a/../b"), ErrorKind::NotAbsolute, "entry 0 of allow must be an absolute path"),
        (
            trusting("/bin/sh"),
            ErrorKind::PathAsInterpreter,
            "entry 0 of trustInterpreters must be a program name",
        ),
        (
            Config { trusted_directories: vec!["/bin/".into(), "bin".into()], ..Config::default() },
            ErrorKind::NotAbsolute,
            "entry 1 of trusted_directories must be an absolute path",
        ),
    ] {
        let error = Policy::new(config).expect_err(text);
        assert_eq!(error.kind(), kind);
        assert_eq!(error.code(), "ERR_INVALID_ARGUMENT");
        assert!(error.to_string().starts_with(text), "{error}");
    }
}

#[test]
fn a_pattern_names_no_program() {
    for pattern in [
        "*",
        "?",
        "**",
        "git*",
        "*git",
        "pytho?3",
        "[a-z]sh",
        "ba[s]h",
        "[]]",
        "[[]",
        "git *",
        "/usr/bin/*",
        "/usr/b?n/git",
        "/usr/bin/[ab]",
    ] {
        for (config, list) in [
            (allowing(pattern), "allow"),
            (denying(pattern), "deny"),
            (trusting(pattern), "trustInterpreters"),
        ] {
            let error = Policy::new(config).expect_err(pattern);
            assert_eq!(error.kind(), ErrorKind::Pattern, "{pattern}");
            assert_eq!(error.code(), "ERR_INVALID_ARGUMENT");
            assert_eq!(error.place(), (list, 0));
            assert_eq!(
                error.to_string(),
                format!(
                    "entry 0 of {list} is a pattern, and programs are matched by their whole \
                     name: name each one"
                )
            );
        }
    }
}

#[test]
fn only_the_last_part_of_a_place_is_a_pattern() {
    let with_roots = |config: Config| Config { roots: vec!["/srv/app".into()], ..config };
    for pattern in ["**/x", "./git*", "a/*/b", "a/b?", "a/***", "./[ab]", "a*/*"] {
        for (config, list) in [
            (allowing(pattern), "allow"),
            (denying(pattern), "deny"),
            (trusting(pattern), "trustInterpreters"),
        ] {
            let error = Policy::new(with_roots(config)).expect_err(pattern);
            assert_eq!(error.kind(), ErrorKind::PlacePattern, "{pattern}");
            assert_eq!(error.place(), (list, 0));
            assert!(error.to_string().contains("as in 'node_modules/.bin/*'"), "{error}");
        }
    }
    for place in ["./*", "./**", "a/*", "a/b/**", ".venv/bin/pytest", "./gradlew"] {
        Policy::new(with_roots(allowing(place))).expect(place);
        Policy::new(with_roots(denying(place))).expect(place);
        let error = Policy::new(with_roots(trusting(place))).expect_err(place);
        assert_eq!(error.kind(), ErrorKind::PathAsInterpreter);
    }
}

#[test]
fn the_place_of_a_pattern_is_its_own() {
    let rules = ["git", "[", "ls*"].map(Rule::program).to_vec();
    let config = Config { allow: Some(vec![]), deny: Some(rules), ..Config::default() };
    assert_eq!(Policy::new(config).expect_err("a pattern").place(), ("deny", 2));
}

#[test]
fn a_name_with_a_bracket_is_a_name() {
    for name in ["[", "[[", "]", "[]", "a]b[", "g++", "x86_64-linux-gnu-gcc"] {
        let policy = Policy::new(allowing(name)).expect(name);
        assert_eq!(
            policy.decide_argv(&argv(&[name]), Enforced::NOTHING).decision,
            Decision::Allow,
            "{name}"
        );
        let policy = Policy::new(denying(name)).expect(name);
        assert_eq!(
            policy.decide_argv(&argv(&[name]), Enforced::NOTHING).decision,
            Decision::Deny,
            "{name}"
        );
    }
    let policy = Policy::new(allowing("[")).expect("a name");
    assert_eq!(policy.decide_line("[ -f a ]", Enforced::NOTHING).decision, Decision::Allow);
    let policy = Policy::new(allowing("/usr/bin/[")).expect("a path");
    let words = argv(&["/usr/bin/[", "-f", "a", "]"]);
    assert_eq!(policy.decide_argv(&words, Enforced::NOTHING).decision, Decision::Allow);
}

/// They are compared word for word; what looks like a pattern is one word.
#[test]
fn arguments_of_a_rule_may_look_like_patterns() {
    for argument in ["*", "?", "*.rs", "[a-z]*"] {
        let rule = Rule { program: "ls".into(), args: Some(argv(&[argument])) };
        let lists = Config { allow: Some(vec![rule.clone()]), ..Config::default() };
        let policy = Policy::new(lists).expect(argument);
        for (words, decision) in [
            (vec!["ls", argument], Decision::Allow),
            (vec!["ls", argument, "-l"], Decision::Allow),
            (vec!["ls", "a"], Decision::Deny),
            (vec!["ls"], Decision::Deny),
        ] {
            assert_eq!(
                policy.decide_argv(&argv(&words), Enforced::NOTHING).decision,
                decision,
                "{words:?}"
            );
        }
        let policy = Policy::new(Config { deny: Some(vec![rule]), ..Config::default() });
        let policy = policy.expect(argument);
        assert_eq!(
            policy.decide_argv(&argv(&["ls", argument]), Enforced::NOTHING).decision,
            Decision::Deny
        );
        assert_eq!(
            policy.decide_argv(&argv(&["ls", "a"]), Enforced::NOTHING).decision,
            Decision::Allow
        );
    }
}
