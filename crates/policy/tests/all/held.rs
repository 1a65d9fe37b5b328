//! What passes where the kernel holds the list of programs, and what does not.

use handrail_policy::Decision::{Allow, Ask, Deny};
use handrail_policy::{Decision, Enforced, Surroundings};

use crate::common::{lists, path_rules, policy, verify};

const HELD: Enforced = Enforced { exec: true, writes: false };
/// Nothing may be written; any program may be started.
const KEPT: Enforced = Enforced { exec: false, writes: true };

/// Lists, text, what is said where nothing is held, what where the list is.
fn check(rows: &[(&str, &str, Decision, Decision)]) {
    check_under(HELD, rows);
}

fn check_under(held: Enforced, rows: &[(&str, &str, Decision, Decision)]) {
    let roots = ["/repo".to_owned()];
    let rules = path_rules();
    let mut wrong = Vec::new();
    for (list, text, without, with) in rows {
        for (enforced, expected) in [(Enforced::NOTHING, without), (held, with)] {
            let surroundings = Surroundings {
                directory: Some("/repo"),
                writable_roots: Some(&roots),
                path_rules: Some(&rules),
                enforced,
                ..Surroundings::default()
            };
            let verdict = policy(&lists(list)).decide_script(text, &surroundings);
            verify(&verdict, text.len());
            let stands = enforced == held && without != with;
            if verdict.decision != *expected || (stands && verdict.required_enforcement != held) {
                wrong.push(format!("{list} {text:?} {enforced:?} {verdict:#?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_not_known_passes_as_an_argument() {
    check(&[
        ("+git", "git commit -m \"$m\"", Ask, Allow),
        ("+git ls", "git add $(ls)", Ask, Allow),
        ("+mytool", "mytool $x", Ask, Allow),
        ("+make nproc", "make -j$(nproc)", Ask, Ask),
        ("+xargs sort", "xargs sort", Ask, Ask),
        ("+find sed", "find s -exec sed -n p {} ';'", Allow, Allow),
        ("+awk", "awk '{print | \"id\"}' a", Ask, Ask),
        ("+sed", "sed '1e id' a", Ask, Ask),
        ("+sed", "sed -n \"$x\" a", Ask, Ask),
        ("+mytool", "FOO=a mytool", Ask, Allow),
        ("+ls", "f() { echo $((1 + 1)); }; f; g() { ls; }; g", Deny, Allow),
    ]);
}

#[test]
fn what_no_plan_sees_is_a_question_all_the_same() {
    check(&[
        // In the place of a program, of code, of options of a launcher.
        ("+ls", "$x", Ask, Ask),
        ("+bash", "bash -c \"$x\"", Ask, Ask),
        ("+env ls", "env $x ls", Ask, Ask),
        ("+find", "find . $x", Ask, Ask),
        // Discards, sends, settings, scripts.
        ("+git", "git $x", Ask, Ask),
        ("+git", "git push origin \"$x\"", Ask, Ask),
        ("+git", "git checkout \"$x\"", Ask, Ask),
        ("+tar", "tar cf a.tar $x", Ask, Ask),
        ("+curl", "curl \"https://a/$x\"", Ask, Ask),
        ("+curl", "https_proxy=b curl https://a", Ask, Ask),
        ("+ssh", "ssh $x a ls", Ask, Ask),
        ("+npm", "npm $x", Ask, Ask),
        ("+terraform", "terraform $x", Ask, Ask),
        ("+python3", "python3 $x", Ask, Ask),
        // What is known to run code is told before it fails.
        ("+tar", "tar cf a b --to-command=id", Deny, Deny),
        ("+git", "git grep -O'id;' x", Deny, Deny),
        ("+awk", "awk -f a b", Ask, Ask),
        ("+ls", "LD_PRELOAD=./a.so ls", Deny, Deny),
        ("+ls rm", "rm -rf /", Ask, Ask),
    ]);
}

#[test]
fn nothing_is_held_of_lists_that_say_more_than_programs() {
    check(&[
        ("-rm", "awk '{print | \"id\"}' a", Ask, Ask),
        ("-rm", "git log \"$x\"", Ask, Ask),
        ("+git;-rm", "git log \"$x\"", Ask, Ask),
        ("+git node;~node", "git log \"$x\"", Ask, Ask),
    ]);
}

#[test]
fn what_would_change_files_passes_where_none_can_change() {
    check_under(
        KEPT,
        &[
            ("+find", "find . -name '*.tmp' -delete", Ask, Allow),
            ("+find", "find . -fprint ../list", Ask, Allow),
            ("+git", "git diff --output=../a.patch", Ask, Allow),
            ("+git", "git clean -fdx", Ask, Allow),
            ("+dd", "dd if=a of=b", Ask, Allow),
            ("+rm", "rm -rf ../../..", Ask, Allow),
            ("+chmod", "chmod -R 777 /", Ask, Allow),
            ("+ls", "ls > /srv/list", Ask, Allow),
            ("+ls", "ls > \"/srv/$x\"", Ask, Allow),
            ("-rm", "rm -r /", Deny, Deny),
            ("-rm", "find . -delete", Ask, Allow),
        ],
    );
}

#[test]
fn what_leaves_files_alone_is_a_question_all_the_same() {
    check_under(
        KEPT,
        &[
            // What lies elsewhere.
            ("+git", "git push -f", Ask, Ask),
            ("+rsync", "rsync -a --delete a b", Ask, Ask),
            ("+curl", "curl -X DELETE https://a/b", Ask, Ask),
            ("+rclone", "rclone purge a:b", Ask, Ask),
            ("+svn", "svn rm https://a/b", Ask, Ask),
            ("+kubectl", "kubectl delete pod a", Ask, Ask),
            ("+curl", "curl -T a https://a", Ask, Ask),
            // Programs and connections.
            ("+ls", "$x", Ask, Ask),
            ("+mytool", "mytool $x", Ask, Ask),
            ("+ls", "ls > \"$x\"", Ask, Ask),
            ("+ls", "ls > /dev/tcp/a/1", Deny, Deny),
            ("+npm", "npm install", Ask, Ask),
            ("-rm", "unlink a", Ask, Ask),
            // A protected place says so before the kernel does.
            ("+ls", "ls > .git/config", Deny, Deny),
        ],
    );
}
