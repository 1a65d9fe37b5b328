//! Properties of every input.

use crate::common::{Lists, allow, argv, deny, names, policy, verify};
use handrail_policy::Enforced;
use handrail_policy::{Decision, Surroundings};
use proptest::prelude::*;
use proptest::sample::select;

/// Pieces that make a random line look like shell.
const PIECES: [&str; 44] = [
    "ls", "rm", "echo", " ", " ", "\t", "\n", "'", "\"", "\\", "$", "`", "$(", ")", "${", "}",
    "$'", "\\x72", "|", "&&", ";", "&", ">", "<", "<<E", "*", "?", "[", "{", ",", "~", "#", "=",
    "X=1", "!", "if", "-c", "bash", "env", "-S", "é", "\u{202e}", "\0", "git",
];

/// The same for scripts.
const SCRIPT_PIECES: [&str; 62] = [
    "ls",
    "rm",
    "x",
    "f",
    " ",
    " ",
    "\n",
    "'",
    "\"",
    "\\",
    "$",
    "$x",
    "`",
    "$(",
    "$((",
    "))",
    "((",
    "(",
    ")",
    "${",
    "}",
    "{ ",
    "; }",
    "{a,",
    "[[ ",
    " ]]",
    "[ ",
    " ]",
    "|",
    "|&",
    "&&",
    "||",
    ";",
    ";;",
    "&",
    ">",
    ">>",
    "2>&1",
    "<",
    "<<E\n",
    "\nE\n",
    "<<<",
    "<(",
    "*",
    "~",
    "#",
    "x=",
    "+=",
    "for x in ",
    "do ",
    "done",
    "while ",
    "if ",
    "then ",
    "else ",
    "fi",
    "case ",
    " in ",
    "esac",
    "f() ",
    "eval ",
    "é",
];

const OPERATORS: [&str; 9] = ["|", "||", "&&", ";", "&", "|&", "\n", ">", "<"];

/// A way to write `rm` that a shell reads as that program.
const SPELLINGS: [&str; 10] = [
    "rm",
    "/bin/rm",
    "/usr/bin//rm",
    "r\\m",
    "'rm'",
    "\"r\"m",
    "$'rm'",
    "$'\\x72m'",
    "$'\\u0072\\155'",
    "\\rm",
];

/// A launcher in front of a command.
const WRAPPERS: [&str; 23] = [
    "env ",
    "env -i A=b ",
    "nice -n 5 ",
    "nohup ",
    "timeout -k 1 5 ",
    "stdbuf -oL ",
    "setsid ",
    "ionice -c3 ",
    "taskset 1 ",
    "chrt -b 0 ",
    "setarch -R ",
    "prlimit --nofile=5 ",
    "unshare -r ",
    "flock . ",
    "setarch -R ",
    "/usr/bin/time -f %e ",
    "sudo -u x -- ",
    "doas ",
    "chroot . ",
    "xargs -n1 ",
    "busybox ",
    "find . -exec ",
    "watch -x ",
];

fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn prop_no_line_panics(line in any::<String>()) {
        for policy in [allow("ls bash env git"), deny("rm")] {
            verify(&policy.decide_line(&line, Enforced::NOTHING), line.len());
        }
    }

    #[test]
    fn prop_no_line_of_shell_pieces_panics(pieces in prop::collection::vec(select(&PIECES[..]), 0..24)) {
        let line = pieces.concat();
        for policy in [allow("ls bash env git echo"), deny("rm")] {
            let verdict = policy.decide_line(&line, Enforced::NOTHING);
            verify(&verdict, line.len());
            for reason in &verdict.reasons {
                prop_assert!(line.get(reason.span.0..reason.span.1).is_some(), "{:?}", reason);
            }
        }
    }

    #[test]
    fn prop_no_script_panics(text in any::<String>()) {
        for policy in [allow("ls bash env git"), deny("rm")] {
            verify(&policy.decide_script(&text, &Surroundings::default()), text.len());
        }
    }

    #[test]
    fn prop_no_script_of_shell_pieces_panics(pieces in prop::collection::vec(select(&SCRIPT_PIECES[..]), 0..32)) {
        let text = pieces.concat();
        for policy in [allow("ls bash env git echo"), deny("rm")] {
            let verdict = policy.decide_script(&text, &Surroundings::default());
            verify(&verdict, text.len());
            for reason in &verdict.reasons {
                prop_assert!(text.get(reason.span.0..reason.span.1).is_some(), "{:?}", reason);
            }
        }
    }

    #[test]
    fn prop_no_argv_panics(words in prop::collection::vec(prop_oneof![any::<String>(), select(&PIECES[..]).prop_map(String::from)], 0..12)) {
        let bytes = words.join(" ").len();
        for policy in [allow("ls bash env git"), deny("rm")] {
            verify(&policy.decide_argv(&words, Enforced::NOTHING), bytes);
        }
    }

    #[test]
    fn prop_any_argv_survives_quoting(words in prop::collection::vec("[^\0]{0,12}", 1..6)) {
        let mut words = words;
        words.insert(0, "echo".to_owned());
        let line = words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
        prop_assert_eq!(allow("echo").decide_line(&line, Enforced::NOTHING).argv, Some(words));
    }

    #[test]
    fn prop_an_unquoted_operator_is_never_allowed(
        before in prop::collection::vec("[^\0]{0,8}", 0..3), operator in select(&OPERATORS[..]),
        after in prop::collection::vec("[^\0]{0,8}", 1..3), blank in select(&["", " ", "\t"][..]),
    ) {
        let words = |words: &[String]| words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
        let line = format!("echo {}{blank}{operator}{blank}{}", words(&before), words(&after));
        for policy in [allow("echo"), deny("rm")] {
            prop_assert_eq!(policy.decide_line(&line, Enforced::NOTHING).decision, Decision::Deny, "{}", line);
        }
    }

    #[test]
    fn prop_a_wrapped_denied_program_is_never_allowed(
        wrappers in prop::collection::vec(select(&WRAPPERS[..]), 0..6), spelling in select(&SPELLINGS[..]), shell in any::<bool>(),
    ) {
        let command = format!("{}{spelling} canary", wrappers.concat());
        let line = if shell { format!("bash -c {}", quoted(&command)) } else { command };
        let verdict = deny("rm").decide_line(&line, Enforced::NOTHING);
        prop_assert_eq!(verdict.decision, Decision::Deny, "{}", line);
        let everything_else = Lists { allow: Some(names("env nice nohup timeout stdbuf setsid ionice taskset chrt setarch \
            prlimit unshare flock strace time sudo doas chroot xargs busybox find watch bash")), ..Lists::default() };
        prop_assert_eq!(policy(&everything_else).decide_line(&line, Enforced::NOTHING).decision, Decision::Deny, "{}", line);
    }

    #[test]
    fn prop_a_wrapped_harmless_program_is_not_denied(wrappers in prop::collection::vec(select(&WRAPPERS[..]), 0..6)) {
        let line = format!("{}cat file", wrappers.concat());
        // What is appended to a `find` may be an action.
        let feeds_find = wrappers.iter().skip_while(|wrapper| !wrapper.starts_with("xargs")).any(|wrapper| wrapper.starts_with("find"));
        let expected = if feeds_find { Decision::Ask } else { Decision::Allow };
        prop_assert_eq!(deny("rm").decide_line(&line, Enforced::NOTHING).decision, expected, "{}", line);
    }

    #[test]
    fn prop_an_argv_with_a_listed_program_and_plain_words_is_allowed(words in prop::collection::vec("[^\0]{0,12}", 0..6)) {
        let mut command = argv(&["echo"]);
        command.extend(words);
        prop_assert_eq!(allow("echo").decide_argv(&command, Enforced::NOTHING).decision, Decision::Allow);
    }
}
