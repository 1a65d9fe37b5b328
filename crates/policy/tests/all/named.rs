//! The programs that a text names, and whether these are all.

use handrail_policy::Enforced;
use handrail_policy::{Surroundings, Verdict};

use crate::common::{allow, argv, lists, policy};

fn check(verdict: &Verdict, text: &str, programs: &str, certain: bool) {
    assert_eq!(verdict.programs.join(" "), programs, "{text:?}");
    assert_eq!(verdict.programs_certain, certain, "{text:?} {:?}", verdict.reasons);
}

fn script(list: &str, text: &str) -> Verdict {
    policy(&lists(list)).decide_script(text, &Surroundings::default())
}

#[test]
fn programs_are_named_in_the_order_of_the_text() {
    let every = "+env git grep timeout xargs find ls wc sort cat bash";
    for (text, programs) in [
        ("ls -l", "ls"),
        ("/bin/ls", "ls"),
        ("git log | grep x | sort | git show", "git grep sort"),
        ("cd src && ls; echo a; wc -l < b", "ls wc"),
        ("env A=1 timeout 5 git status", "env timeout git"),
        ("find . -exec grep x {} +", "find grep"),
        ("find . -print0 | xargs -0 wc -l", "find xargs wc"),
        ("ls | xargs", "ls xargs echo"),
        ("bash -c 'sort a | wc'", "bash sort wc"),
        ("f() { wc a; }; for x in 1 2; do ls $x; f; done", "wc ls"),
        ("if ls a; then cat b; else sort c; fi", "ls cat sort"),
        ("echo $(cat a) `sort b` <(wc c)", "cat sort wc"),
        // What is not listed is known all the same.
        ("ls; rm a; reboot", "ls rm reboot"),
        ("echo a; true", ""),
    ] {
        check(&script(every, text), text, programs, true);
    }
    check(&allow("ls env").decide_line("env rm a", Enforced::NOTHING), "env rm a", "env rm", true);
    check(&allow("ls").decide_argv(&argv(&["ls", "a"]), Enforced::NOTHING), "ls a", "ls", true);
}

#[test]
fn what_is_dynamic_or_unread_is_not_certain() {
    for (list, text, programs) in [
        ("+ls", "ls; $x a", "ls"),
        ("+ls bash", "ls; bash a.sh", "ls bash"),
        ("+ls bash;~bash", "bash -c 'rm a'", "bash"),
        ("+ls python3;~python3", "python3 a.py", "python3"),
        ("+ls python3", "ls | python3", "ls python3"),
        ("+ls xargs", "ls | xargs -I{} {} a", "ls xargs {}"),
        ("+ls env", "env --nobody-knows ls", "env ls"),
        ("+tar", "tar --to-command=id xf a", "tar"),
        ("+ls", "LD_PRELOAD=a ls", "ls"),
        ("+ls", "ls 'a", "ls"),
        ("-rm", "awk 'BEGIN { system(\"id\") }'", "awk"),
    ] {
        check(&script(list, text), text, programs, false);
    }
    check(&allow("ls").decide_line("ls; rm a", Enforced::NOTHING), "ls; rm a", "ls", false);
}

/// A text, words that are among those it names, and whether there can be no others.
#[test]
fn words_that_may_be_files() {
    for (text, words, are_complete) in [
        ("python3 s.py; true", &["python3", "s.py", "true"][..], true),
        ("python3 \"my s.py\"", &["my s.py"], true),
        ("python3 s''.py", &["s.py"], true),
        ("python3 my\\ s.py", &["my s.py"], true),
        ("# it's\npython3 'a b' # isn't", &["a b"], true),
        ("bash -c 'python3 \"my s.py\"'", &["my s.py"], true),
        ("bash -c 'python3 $x'", &["python3 $x"], false),
        ("cc -o=out -Idir a.c > log", &["out", "a.c", "log"], true),
        ("A=x.py b", &["x.py"], true),
        ("if f; then g a; else h <b; fi", &["f", "a", "b"], true),
        ("a $(b c)", &["b", "c"], false),
        ("python3 s*.py", &["s*.py"], false),
        ("python3 $PWD/s.py", &["PWD/s.py"], false),
        ("python3 ~/s.py", &["~/s.py"], false),
        ("python3 {a,b}.py", &[], false),
        ("python3 <<'E'\nimport m\nE", &["m"], false),
        ("python3 'open", &["open"], false),
    ] {
        let named = handrail_policy::named_words(text);
        assert_eq!(named.are_complete, are_complete, "{text}");
        for word in words.iter().chain([&text]) {
            assert!(named.words.iter().any(|known| known == word), "{text}: {word} {named:?}");
        }
    }
}
