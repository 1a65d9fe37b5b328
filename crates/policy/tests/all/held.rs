//! What passes where the kernel holds the list of programs, and what does not.

use handrail_policy::Decision::{Allow, Ask, Deny};
use handrail_policy::{Decision, Enforced, Surroundings};

use crate::common::{lists, path_rules, policy, verify};

const HELD: Enforced = Enforced { exec: true, ..Enforced::NOTHING };
/// Nothing may be written; any program may be started.
const KEPT: Enforced = Enforced { writes: true, ..Enforced::NOTHING };
/// Files change beneath the roots only; any program may be started.
const CONTAINED: Enforced = Enforced { roots: true, ..Enforced::NOTHING };
/// Signals stay within the run.
const SIGNALS: Enforced = Enforced { signals: true, ..Enforced::NOTHING };

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
                let reasons = verdict.reasons.iter().map(|one| (one.rule, one.message.as_str()));
                let reasons: Vec<_> = reasons.collect();
                let needs = verdict.required_enforcement;
                wrong.push(format!("{list} {text:?} {enforced:?} {needs:?} {reasons:?}"));
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
        ("+make nproc", "make -j$(nproc)", Allow, Allow),
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

#[test]
fn signals_that_stay_within_the_run_are_free() {
    check_under(
        SIGNALS,
        &[
            ("+node", "node s.mjs & p=$!; kill $p", Ask, Ask),
            ("+sleep", "sleep 9 & p=$!; kill $p; kill -TERM \"$p\"", Ask, Allow),
            ("+sleep kill", "sleep 9 & kill %1; kill -9 $!; kill -s INT $!", Ask, Allow),
            ("+sleep kill", "kill -0 \"$1\" && kill -- -$1", Ask, Allow),
            ("+pgrep xargs kill", "pgrep node | xargs kill -9", Ask, Allow),
            ("+sleep", "sleep 9 & PID=$!; trap \"kill $PID\" EXIT; sleep 1", Ask, Allow),
            ("+sleep", "sleep 9 & P=$!; trap \"kill -9 '$P' 2>/dev/null\" EXIT INT", Ask, Allow),
            ("+sleep", "trap 'kill $(jobs -p)' EXIT; sleep 9 & sleep 1", Ask, Allow),
            ("+rm mktemp", "tmp=$(mktemp); trap 'rm -f \"$tmp\"' EXIT", Allow, Allow),
            ("+sleep", "stop() { kill \"$p\"; }; trap stop EXIT; sleep 9 & p=$!", Ask, Allow),
        ],
    );
}

#[test]
fn what_signals_something_else_or_runs_text_is_a_question_or_denied() {
    check_under(
        SIGNALS,
        &[
            // Numbers that nobody can know before the run.
            ("+kill", "kill -9 1", Ask, Ask),
            ("+kill", "kill 4242", Ask, Ask),
            ("+kill", "kill -- -1", Ask, Ask),
            ("+kill", "kill -9 -1", Ask, Ask),
            ("+sleep", "sleep 1 & kill 4242", Ask, Ask),
            // A denied `kill` stays denied, and another program of its kind has to be listed.
            ("-kill", "sleep 1 & kill $!", Deny, Deny),
            ("+sleep", "sleep 1 & pkill sleep", Deny, Deny),
            ("+sleep", "command -p kill4 $!", Deny, Deny),
            // The text of a trap that is no number.
            ("+sleep", "P='1; id'; trap \"kill $P\" EXIT", Ask, Ask),
            ("+sleep", "P=$!; P='1; id'; trap \"kill $P\" EXIT", Ask, Ask),
            ("+sleep", "P=$!; trap \"kill $P\" EXIT; read P", Ask, Ask),
            ("+sleep cat", "P=$(cat p); trap \"kill $P\" EXIT", Ask, Ask),
            ("+sleep", "P=$!; trap \"\\$$P\" EXIT", Ask, Ask),
            ("+sleep", "P=$!; trap \"x$P\" EXIT", Ask, Ask),
            ("+sleep", "P=$!; trap \"$P\" EXIT", Ask, Ask),
            ("+sleep", "P=$!; trap \"id $P\" EXIT", Deny, Deny),
            ("+sleep", "jobs -x id", Deny, Deny),
        ],
    );
}

#[test]
fn unknown_arguments_pass_where_writes_stay_beneath_the_roots() {
    check_under(
        CONTAINED,
        &[
            ("+grep xargs sed", "grep -rl a src | xargs sed -i 's/a/b/g'", Ask, Allow),
            ("+git xargs sed", "git ls-files -z | xargs -0 sed -i 's/a/b/g'", Ask, Allow),
            ("+find sed", "find . -name '*.c' -exec sed -i s/a/b/ {} +", Allow, Allow),
            ("+find xargs gofmt", "find . -name '*.go' | xargs gofmt -w", Allow, Allow),
            ("+ls xargs tsc", "ls *.ts | xargs tsc --noEmit", Ask, Allow),
            ("+ls xargs mytool", "ls | xargs -I{} mytool {}", Ask, Allow),
            ("+git xargs", "git ls-files -m | xargs git add", Ask, Allow),
            ("+mytool node;~node", "mytool \"$x\"", Ask, Allow),
            (
                "+ls xargs sh head",
                "ls | xargs -I{} sh -c 'echo \"$1\"; head -1 \"$1\"' _ {}",
                Allow,
                Allow,
            ),
            ("+mytool", "FOO=a mytool", Ask, Allow),
        ],
    );
}

#[test]
fn what_roots_do_not_hold_is_a_question_all_the_same() {
    check_under(
        CONTAINED,
        &[
            ("+ls xargs sed", "ls | xargs id", Deny, Deny),
            ("+ls xargs", "ls | xargs -I{} {}", Deny, Deny),
            ("+ls xargs sh head", "ls | xargs -I{} sh -c 'echo {}; head -1 {}'", Ask, Ask),
            ("+ls xargs bash", "ls | xargs bash -c", Ask, Ask),
            ("+ls xargs python3", "ls | xargs python3", Ask, Ask),
            ("+ls xargs tar", "ls | xargs tar cf a.tar", Ask, Ask),
            ("+ls xargs curl", "ls | xargs curl", Ask, Ask),
            ("+ls xargs git", "ls | xargs git", Ask, Ask),
            ("+ls xargs git", "ls | xargs git checkout --", Ask, Ask),
            ("+ls xargs find", "ls | xargs find", Ask, Ask),
            ("+ls xargs env", "ls | xargs env", Ask, Ask),
            ("+ls xargs awk", "ls | xargs awk", Ask, Ask),
            ("+find sh", "find . -exec sh -c 'rm {}' ';'", Ask, Ask),
            ("+mytool;-rm", "mytool \"$x\"", Ask, Ask),
        ],
    );
}
