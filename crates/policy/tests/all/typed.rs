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
