//! Every bound at N and N + 1, and what messages never say.

use crate::common::{allow, argv, deny, verify};
use handrail_policy::Enforced;
use handrail_policy::limits::{
    MAX_COMMAND_BYTES, MAX_NESTING, MAX_REASONS, MAX_SYNTAX_DEPTH, MAX_WORDS,
};
use handrail_policy::{Config, Decision, Policy, Rule, Surroundings, Verdict};

#[test]
fn the_longest_command() {
    for extra in [0, 1] {
        let line = format!("echo {}", "a".repeat(MAX_COMMAND_BYTES - 5 + extra));
        let words = argv(&["echo", &line[5..]]);
        for verdict in [
            allow("echo").decide_line(&line, Enforced::NOTHING),
            allow("echo").decide_argv(&words, Enforced::NOTHING),
        ] {
            verify(&verdict, line.len());
            if extra == 0 {
                assert_eq!(verdict.decision, Decision::Allow);
            } else {
                assert_too_long(&verdict, "it has 65537 bytes, and 65536 are the most");
            }
        }
    }
}

#[test]
fn the_most_words() {
    for extra in [0, 1] {
        let line = format!("echo{}", " a".repeat(MAX_WORDS - 1 + extra));
        let words: Vec<String> = line.split(' ').map(String::from).collect();
        for (verdict, count) in [
            // Of a text no more words are read than may be there.
            (allow("echo").decide_line(&line, Enforced::NOTHING), "too many"),
            (allow("echo").decide_argv(&words, Enforced::NOTHING), "8193"),
        ] {
            verify(&verdict, line.len());
            if extra == 0 {
                assert_eq!(verdict.decision, Decision::Allow);
            } else {
                assert_too_long(&verdict, &format!("it has {count} words, and 8192 are the most"));
            }
        }
    }
}

#[test]
fn a_command_that_is_too_long_in_both_ways_is_told_its_bytes() {
    let words = vec!["x".repeat(8); MAX_WORDS + 1];
    let verdict = allow("x").decide_argv(&words, Enforced::NOTHING);
    assert_too_long(&verdict, "it has 73736 bytes, and 65536 are the most");
}

/// `env` appends what follows to the words it splits.
#[test]
fn an_inner_command_that_is_too_long_is_told_its_words() {
    let code = format!("echo{}", " a".repeat(MAX_WORDS - 1));
    let full = allow("env echo").decide_argv(&argv(&["env", "-S", &code]), Enforced::NOTHING);
    assert_eq!(full.decision, Decision::Allow);
    let verdict =
        allow("env echo").decide_argv(&argv(&["env", "-S", &code, "b"]), Enforced::NOTHING);
    assert_too_long(&verdict, "it has 8193 words, and 8192 are the most");
}

#[test]
fn code_of_a_shell_that_is_too_long_is_told_the_limit() {
    let code = format!("echo{}", " a".repeat(MAX_WORDS));
    let verdict = allow("bash echo").decide_argv(&argv(&["bash", "-c", &code]), Enforced::NOTHING);
    assert_too_long(&verdict, "it has too many words, and 8192 are the most");
}

fn assert_too_long(verdict: &Verdict, facts: &str) {
    assert_eq!(verdict.decision, Decision::Deny);
    let reason = &verdict.reasons[0];
    assert_eq!(reason.rule, "hygiene.length");
    assert_eq!(reason.message, format!("The command is too long: {facts}"));
    assert!(reason.hint.is_some());
}

#[test]
fn the_deepest_nesting() {
    for extra in [0, 1] {
        let line = format!("{}true", "nice ".repeat(MAX_NESTING + extra));
        let verdict = allow("nice true").decide_line(&line, Enforced::NOTHING);
        verify(&verdict, line.len());
        assert_eq!(verdict.decision, if extra == 0 { Decision::Allow } else { Decision::Deny });
        assert_eq!(
            verdict.reasons[0].rule,
            if extra == 0 { "list.allowed" } else { "hygiene.nesting" }
        );
    }
}

#[test]
fn the_most_reasons_and_the_decision_beyond_them() {
    for extra in [0, 1] {
        // Every `-execdir ./…` is a question of its own; the denial stands at the very end.
        let many: Vec<String> =
            (0..MAX_REASONS - 1 + extra).map(|n| format!("-execdir ./x{n} ';'")).collect();
        let line = format!("find . {} -exec rm ';'", many.join(" "));
        let verdict = deny("rm").decide_line(&line, Enforced::NOTHING);
        verify(&verdict, line.len());
        assert_eq!(verdict.decision, Decision::Deny);
        assert_eq!(verdict.reasons.len(), MAX_REASONS);
        assert_eq!(verdict.reasons[0].rule, "list.denied");
    }
}

#[test]
fn messages_follow_the_known_texts() {
    let text = |policy: &Policy, line: &str| {
        policy.decide_line(line, Enforced::NOTHING).reasons[0].message.clone()
    };
    assert_eq!(text(&allow("ls"), "curl x"), "Command 'curl' is not allowed");
    assert_eq!(text(&deny("curl"), "/usr/bin/curl x"), "Command 'curl' is denied by policy");
    assert_eq!(text(&allow("ls"), "  "), "Empty command");
    assert_eq!(text(&allow(""), "ls"), "Command 'ls' is not allowed");
}

#[test]
fn a16_no_message_shows_a_value_or_a_whole_argument() {
    let value = ["to", "ken", "-4711"].concat();
    let lines = [
        format!("TOKEN={value} curl x"),
        format!("LD_PRELOAD={value} curl x"),
        format!("env TOKEN={value} curl {value}"),
        format!("env LD_PRELOAD={value} ls"),
        format!("bash -c 'TOKEN={value} curl x'"),
        format!("git -c alias.x='!{value}' x"),
        format!("tar --to-command={value} -xf a"),
        format!("ssh -o ProxyCommand='curl {value}' x"),
        format!("python3 -c {value}"),
        format!("ls ${{{value}}} | x {value}"),
        format!("ls '{value}"),
        format!("mytool rm={value}"),
        format!("nice --{value} ls"),
    ];
    for line in &lines {
        for policy in [allow("ls env bash git tar ssh python3 nice"), deny("rm curl")] {
            let verdict = policy.decide_line(line, Enforced::NOTHING);
            let shown = format!("{verdict:?}");
            assert!(!shown.contains(&value), "{line}: {shown}");
        }
    }
    let verdict =
        allow("ls").decide_argv(&argv(&[&format!("TOKEN={value}"), "curl"]), Enforced::NOTHING);
    assert!(!format!("{verdict:?}").contains(&value));
    let program = allow("ls").decide_line(&lines[0], Enforced::NOTHING).reasons[0].program.clone();
    assert_eq!(program.as_deref(), Some("curl"));
}

#[test]
fn spans_point_at_what_is_meant() {
    let line = "TOKEN=a find . -exec rm {} ';' é";
    let verdict = deny("rm").decide_line(line, Enforced::NOTHING);
    let (start, end) = verdict.reasons[0].span;
    assert_eq!(&line[start..end], "rm");
    let verdict = allow("echo").decide_line("echo é 2>&1", Enforced::NOTHING);
    assert_eq!(verdict.reasons[0].span, (8, 11));
    let words = argv(&["nice", "-n", "5", "rm", "é"]);
    let (start, end) = deny("rm").decide_argv(&words, Enforced::NOTHING).reasons[0].span;
    assert_eq!(&words.join(" ")[start..end], "rm");
}

#[test]
fn the_argv_and_the_assignments_are_returned() {
    let verdict = allow("ls").decide_line("A='x y' B= ls -l 'a b'", Enforced::NOTHING);
    assert_eq!(verdict.argv, Some(argv(&["ls", "-l", "a b"])));
    let assignments: Vec<(&str, &str)> =
        verdict.assignments.iter().map(|a| (a.name.as_str(), a.value.as_str())).collect();
    assert_eq!(assignments, [("A", "x y"), ("B", "")]);
    assert_eq!(allow("ls").decide_line("ls | x", Enforced::NOTHING).argv, None);
}

#[test]
fn rules_with_arguments() {
    let rule = |args: &[&str]| Rule { program: "git".into(), args: Some(argv(args)) };
    let allowing = Policy::new(Config {
        allow: Some(vec![rule(&["log"]), rule(&["remote", "show"])]),
        ..Config::default()
    })
    .expect("valid");
    for (line, decision) in [
        ("git log -3", Decision::Allow),
        ("git remote show origin", Decision::Allow),
        ("git remote", Decision::Deny),
        ("git logs", Decision::Deny),
        ("git -C x log", Decision::Deny),
        ("git", Decision::Deny),
    ] {
        assert_eq!(allowing.decide_line(line, Enforced::NOTHING).decision, decision, "{line}");
    }
    let denying = Policy::new(Config { deny: Some(vec![rule(&["push"])]), ..Config::default() })
        .expect("valid");
    for (line, decision) in [
        ("git push", Decision::Deny),
        ("git -C x push", Decision::Ask),
        ("git log", Decision::Allow),
    ] {
        assert_eq!(denying.decide_line(line, Enforced::NOTHING).decision, decision, "{line}");
    }
}

fn script(text: &str) -> Verdict {
    let verdict = deny("rm").decide_script(text, &Surroundings::default());
    verify(&verdict, text.len());
    verdict
}

#[test]
fn the_deepest_syntax() {
    // A substitution is a list and the command in it; the innermost is one more.
    for (open, close, levels) in [
        ("( ", ")", 1),
        ("{ ", ";}", 1),
        ("$(", ")", 2),
        ("if ", "; then a; fi", 1),
        ("\"$(", ")\"", 2),
    ] {
        for extra in [0, 1] {
            let count = (MAX_SYNTAX_DEPTH - 1) / levels + extra;
            let text = format!("echo; {}a{}", open.repeat(count), close.repeat(count));
            let verdict = script(&text);
            let is_deep = verdict.reasons.iter().any(|reason| reason.rule == "hygiene.nesting");
            assert_eq!(is_deep, extra == 1, "{text} {:?}", verdict.reasons);
        }
    }
}

#[test]
fn the_most_words_of_braces() {
    for (text, read) in
        [("echo {1..256}", true), ("echo {1..257}", false), ("echo {1..99999999999}", false)]
    {
        assert_eq!(script(text).decision == Decision::Allow, read, "{text}");
    }
}

/// None of these takes more steps than its length allows: a test that runs for minutes has found one that does.
#[test]
fn long_texts_of_one_piece_are_decided() {
    let pieces = [
        "$(",
        "(",
        "{ ",
        "`",
        "\\`",
        "<<a ",
        "cat <<E\n$(a)\nE\n",
        "[",
        "\"${x:-",
        "${x:-",
        "{a,",
        "{",
        "{a,b}",
        "$((",
        "a;",
        "(a);",
        "a&&",
        "x=1;",
        "x=$x$x;",
        "f() { a; };",
        "if a; then ",
        "for i in a; do ",
        "case a in a) ",
        "[[ ( ",
        "eval 'a';",
        "bash -c 'a;a';",
        "trap 'a' EXIT;",
        "cd a||",
        "for i in {1..16};do a;done;",
        "((x++));",
        "$x",
    ];
    for piece in pieces {
        script(&piece.repeat(16 * 1024 / piece.len()));
    }
    let loops = |body: &str| {
        format!("{}{body}{}", "for i in 1 2 3 4 5 6 7 8; do ".repeat(20), "done;".repeat(20))
    };
    script(&loops(&"a;".repeat(1000)));
    script("x='eval \"$x\";eval \"$x\";eval \"$x\"'; eval \"$x\"");
    script(&format!("x={}; {}", "a".repeat(4000), "echo $x$x$x$x;".repeat(1000)));
    let names = |piece: &dyn Fn(usize) -> String| (0..1000).map(piece).collect::<String>();
    script(&format!("{}{}", names(&|at| format!("f{at}(){{ a;}};")), "f1;(b);".repeat(1000)));
    script(&names(&|at| format!("(v{at}=1);")));
    let braces = format!("echo{};", " {1..256}".repeat(31)).repeat(40);
    assert_eq!(script(&braces).decision, Decision::Ask, "more words than are looked at");
}
