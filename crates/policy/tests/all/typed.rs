//! What is typed into a shell, and lists of rules as a person types them.

use handrail_policy::Decision::{Allow, Ask, Deny};
use handrail_policy::{Enforced, Surroundings, rule_words};

use crate::common::{allow, lists, policy, verify};

#[test]
fn a_line_that_would_arrive_as_another_is_denied() {
    let policy = allow("echo cat");
    for (line, edits_lines, decision) in [
        ("echo a", true, Allow),
        ("echo a\ncat b", true, Allow),
        ("echo a\tb", false, Allow),
        ("echo a\tb", true, Deny),
        ("echo !!", false, Allow),
        ("echo !!", true, Deny),
        ("echo a\u{4}", false, Deny),
        ("echo a\r", false, Deny),
        ("echo a\u{7f}", false, Deny),
        ("rm a", false, Deny),
    ] {
        let verdict = policy.decide_typed(line, edits_lines, &Surroundings::default());
        verify(&verdict, line.len());
        assert_eq!(verdict.decision, decision, "{line:?} {:?}", verdict.reasons);
        let is_control = verdict.reasons[0].rule == "session.control";
        assert_eq!(is_control, decision == Deny && line != "rm a", "{line:?}");
    }
}

/// The lists, the command, how it starts where its lines are judged, and whether it may then.
#[test]
fn a_bash_that_takes_its_lines_from_a_terminal() {
    let plain = Some("bash --noediting +H");
    for (list, command, shell, may_start) in [
        ("+bash", "bash", plain, true),
        ("+ls", "bash", plain, false),
        ("-bash", "bash", plain, false),
        // Its code is not judged, nor are its lines.
        ("+bash;~bash", "bash", plain, false),
        ("+bash", "'bash'", plain, true),
        ("+bash", "/bin/bash -i", Some("/bin/bash --noediting +H -i"), true),
        ("+bash", "bash -i --norc", Some("bash --norc --noediting +H -i"), true),
        ("+bash", "bash -s", Some("bash --noediting +H -s"), true),
        ("+bash", "/usr/bin/../bin/bash", Some("/usr/bin/../bin/bash --noediting +H"), true),
        ("+bash", "/usr/bin/../local/bash", None, false),
        ("+bash", "bash -x", None, false),
        ("+bash", "bash --rcfile x", None, false),
        ("+bash", "bash x.sh", None, false),
        ("+bash", "bash -c ls", None, false),
        ("+bash", "A=1 bash", None, false),
        ("+sh", "sh", None, false),
        ("+python3", "python3", None, false),
    ] {
        let verdict = policy(&lists(list)).decide_line(command, Enforced::NOTHING);
        assert_eq!(verdict.line_shell.as_ref().map(|argv| argv.join(" ")).as_deref(), shell);
        let with_lines = verdict.with_judged_lines();
        assert_eq!(with_lines.is_some(), may_start, "{list} {command} {:?}", verdict.reasons);
        if let Some(with_lines) = with_lines {
            verify(&with_lines, command.len());
            assert_eq!((verdict.decision, with_lines.decision), (Ask, Allow));
            assert_eq!(with_lines.argv, verdict.line_shell);
        }
    }
}

#[test]
fn what_a_rule_would_silently_be_instead_is_refused() {
    for (list, problem) in [
        ("", "has an empty entry"),
        ("ls,", "has an empty entry"),
        ("ls, ,cat", "has an empty entry"),
        ("ls,'a", "entry 2 has a ' without its end"),
        ("ls \"a", "entry 1 has a \" without its end"),
        ("ls a\\", "entry 1 ends with a backslash"),
        ("ls $a", "entry 1 has a $ that is not quoted"),
        ("ls \"$a\"", "entry 1 has a $ that is not quoted"),
        ("ls \"`a`\"", "entry 1 has a ` that is not quoted"),
        ("ls `a", "entry 1 has a ` that is not quoted"),
        ("ls,cat a*", "entry 2 has a * that is not quoted"),
        ("ls|cat", "entry 1 has a | that is not quoted"),
        ("ls <(a)", "entry 1 has a < that is not quoted"),
    ] {
        let given = rule_words(list).expect_err(list);
        assert!(given.starts_with(problem), "{list:?}: {given}");
    }
    // An argument that is empty is one, wherever a comma stands.
    assert_eq!(rule_words("a '',b"), Ok(vec![vec!["a".into(), String::new()], vec!["b".into()]]));
}

/// Each line keeps a script as it is, and would make a shell that it is typed into run other lines than those that are
/// judged.
#[test]
fn a_line_that_changes_or_reads_the_input_of_the_shell_is_denied() {
    let policy = allow("bash cat echo head ls wc");
    for line in [
        "exec <a",
        "exec 0<a",
        "exec -- <a",
        "exec 0<>a",
        "exec 3<a",
        "exec <&3",
        "exec 0<&3",
        "exec 0<&3-",
        "exec 0>a",
        "exec 3<&0",
        "exec <<<'rm b'",
        "exec <<'E'\nrm b\nE",
        "exec < <(echo rm b)",
        "exec 2>&1 <a",
        "exec cat <a",
        "{ exec <a; }",
        "if exec <a; then ls; fi",
        "f() { exec <a; }",
        "command exec <a",
        "builtin exec <a",
        "command -p exec <a",
        "eval 'exec <a'",
        "trap 'exec <a' EXIT",
        "e=1; exec <a",
        "cat 3<&0",
        "cat <&255",
        "cat </dev/stdin",
        "cat <//dev/./fd/0",
        "cat <../../../dev/tty",
        "cat </dev/pt*/0",
        "cat </proc/self/fd/255",
        "command read x",
        "re'a'd x",
        "eval 'read x'",
        "if ls; then read x; fi",
        "(read x)",
        "IFS= read x\necho b",
        "read x\necho b",
        "read -n 5 x",
        "read -N 5 x",
        "read -d '#' x",
        "read -rsn1 x",
        "read -u 0 x",
        "read -u 255 x <a",
        "read -ru255 x <a",
        "mapfile x",
        "readarray -u 0 x",
        "while read x; do echo \"$x\"; done",
        "f() { read x; }",
        "x=$(read y; echo \"$y\")",
        "head -c 5\necho rm b",
        "head -c 5 &\necho rm b",
        "if ls; then head -c 5; fi\necho rm b",
        "x=$(head -c 5)\necho rm b",
        "command head -c 5\necho rm b",
        "eval 'head -c 5'\necho rm b",
        "f() { head -c 5; }\nf\necho rm b",
        "echo a; head -c 5\ncat <<'E'\nrm b\nE",
        "cat <<'E'\na\nE\nhead -c 5\necho rm b",
    ] {
        let surroundings = Surroundings { writable_roots: None, ..Surroundings::default() };
        let verdict = policy.decide_typed(line, false, &surroundings);
        verify(&verdict, line.len());
        assert_eq!(verdict.decision, Deny, "{line:?} {:?}", verdict.reasons);
        let reason = verdict.reasons.iter().find(|reason| reason.rule == "session.input");
        assert!(
            reason.is_some_and(|reason| reason.hint.is_some()),
            "{line:?} {:?}",
            verdict.reasons
        );
        let script = policy.decide_script(line, &surroundings);
        let rules: Vec<_> = script.reasons.iter().map(|reason| reason.rule).collect();
        assert!(!rules.contains(&"session.input"), "{line:?} {rules:?}");
    }
}

/// What else could change the input of the shell is refused in every script.
#[test]
fn a_line_that_reads_code_from_elsewhere_is_not_allowed() {
    let policy = allow("bash cat echo");
    for line in [
        "source /dev/stdin",
        "x=/dev/stdin; cat <\"$x\"",
        "cat <\"$x\"",
        ". /dev/fd/0",
        "bash",
        "bash -s",
        "cat a | bash",
        "coproc cat",
        "exec {x}<a",
        "exec <&$x",
        "fc -s",
        "set -o vi",
        "set -o history",
        "set -t",
        "trap 'rm b' DEBUG",
        "enable -f a b",
        "bind -x a",
        "history -r a",
        "alias echo=rm",
        "shopt -s expand_aliases",
        "shopt -s execfail",
        "fg",
        "bg",
        "suspend",
        "select x in a; do echo; done",
    ] {
        let verdict = policy.decide_typed(line, false, &Surroundings::default());
        verify(&verdict, line.len());
        assert_ne!(verdict.decision, Allow, "{line:?}");
    }
}

#[test]
fn ordinary_lines_leave_the_input_of_the_shell_alone() {
    let policy = allow("cat echo head ls sort");
    for line in [
        "cat",
        "head -c 5",
        "exec 2>&1",
        "exec 3>&1",
        "exec 3>&-",
        "exec cat a",
        "exec 3>/dev/null",
        "read x",
        "ls; IFS= read -rsp 'Password: ' -t 5 x; echo \"$x\"",
        "read -r x <a",
        "read -r x <<<'a b'",
        "cat a | while read -r x; do echo \"$x\"; done",
        "while read -r x; do echo \"$x\"; done <a",
        "x=a; while read -r y; do echo \"$y\"; done <\"$x\"",
        "while read -ru 3 x; do echo \"$x\"; done 3<a",
        "while read -u3 -r x; do head -c 5; done 3<a",
        "mapfile -t x < <(ls)",
        "bash=1; echo \"$bash\"",
        "cat <dev/stdin",
        "cat <proc/a",
        "cat <b*",
        "cat <<'E'\na\nE",
        "cat a 2>&1",
        "cd a\nls",
        "echo a\necho b\ncat",
        "for x in a b; do\n  cat \"$x\"\n  ls\ndone",
        "f() {\n  ls\n  cat a\n}\necho b",
        "ls </dev/null\nls",
        "ls; cat a\n",
        "ls &&\nls",
        "ls | sort",
        "# a\nls",
    ] {
        let verdict = policy.decide_typed(line, false, &Surroundings::default());
        verify(&verdict, line.len());
        assert_eq!(verdict.decision, Allow, "{line:?} {:?}", verdict.reasons);
    }
}

/// A shell runs its own `printf` and `test`, not the listed programs of these names.
#[test]
fn a_built_in_sets_no_variable_that_decides_what_runs() {
    let policy = allow("[ cat echo printf test");
    for name in ["PROMPT_COMMAND", "PS0", "PS1", "PS2", "PS4", "ENV", "BASH_ENV", "PATH", "IFS"] {
        for line in [
            "@=a",
            "@+=a",
            "@[0]=a",
            "@=(a)",
            "printf -v @ a",
            "printf -v@ a",
            "printf -v '@[0]' a",
            "printf -v b -v @ a",
            "printf -v @ a; echo",
            "command printf -v @ a",
            "builtin printf -v @ a",
            "read @ <a",
            "read -a @ <a",
            "read b @ <a",
            "mapfile @ <a",
            "readarray -t @ <a",
            "getopts a @",
            "declare @=a",
            "declare -g @",
            "typeset @=a",
            "export @=a",
            "readonly @=a",
            "f() { local @=a; }",
            "let @=1",
            "unset @",
            "unset -v @",
            "for @ in a; do echo; done",
            "for @; do echo; done",
            "select @ in a; do echo; done",
            "echo ${@:=a}",
            "echo ${@=a}",
            "echo $((@=1))",
            "((@++))",
            "for ((@=1; @<2; @++)); do echo; done",
            "wait -p @",
            "coproc @ { cat; }",
            "exec {@}<a",
        ] {
            let line = line.replace('@', name);
            let verdict = policy.decide_typed(&line, false, &Surroundings::default());
            verify(&verdict, line.len());
            assert_ne!(verdict.decision, Allow, "{line:?}");
        }
    }
    // Without a shell the program of that name runs, which sets nothing.
    let alone = policy.decide_script("printf -v PS4 a", &Surroundings::default());
    assert_eq!(alone.decision, Allow);
    for line in ["printf '%s\\n' a", "printf -v b a", "[ -e a ]", "test a = b", "read -r b <a"] {
        let verdict = policy.decide_typed(line, false, &Surroundings::default());
        assert_eq!(verdict.decision, Allow, "{line:?} {:?}", verdict.reasons);
    }
    assert_ne!(
        policy.decide_typed("test -v 'a[$(id)]'", false, &Surroundings::default()).decision,
        Allow
    );
}

/// Whoever approves a shell reads whether its lines are judged.
#[test]
fn a_shell_whose_lines_nobody_judges_says_so() {
    let policy = allow("bash env sh");
    for (command, is_judged) in [
        ("bash", true),
        ("bash -i", true),
        ("/bin/bash", true),
        ("bash -x", false),
        ("bash 2>&1", false),
        ("(bash)", false),
        ("exec bash", false),
        ("A=1 bash", false),
        ("env bash", false),
        ("sh", false),
        ("bash --noediting", false),
    ] {
        let verdict = policy.decide_script(command, &Surroundings::default());
        assert_eq!(verdict.decision, Ask, "{command}");
        assert_eq!(verdict.line_shell.is_some(), is_judged, "{command}");
        let says = verdict.reasons.iter().any(|one| one.message.contains("nobody judges"));
        assert_eq!(says, !is_judged, "{command} {:?}", verdict.reasons);
    }
}
