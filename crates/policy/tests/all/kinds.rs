//! Values that only run time knows, whose kind is known: numbers, paths of `mktemp`, names of files, and variables of a
//! trusted interpreter.

use handrail_policy::Decision::{Allow, Ask, Deny};
use handrail_policy::{Decision, Enforced, Surroundings};

use crate::common::{argv, lists, path_rules, policy, verify};

fn check(enforced: Enforced, rows: &[(&str, &str, Decision)]) {
    let (roots, rules) = (["/repo".to_owned()], path_rules());
    let environment = argv(&["PATH", "HOME", "TMPDIR"]);
    let mut wrong = Vec::new();
    for (list, text, expected) in rows {
        let surroundings = Surroundings {
            directory: Some("/repo"),
            writable_roots: Some(&roots),
            environment: &environment,
            path_rules: Some(&rules),
            enforced,
            ..Surroundings::default()
        };
        let verdict = policy(&lists(list)).decide_script(text, &surroundings);
        verify(&verdict, text.len());
        if verdict.decision != *expected {
            let reasons: Vec<_> = verdict.reasons.iter().map(|one| one.message.as_str()).collect();
            wrong.push(format!("{list} {text:?} {:?} {reasons:?}", verdict.decision));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const CONTAINED: Enforced = Enforced { roots: true, ..Enforced::NOTHING };

#[test]
fn numbers_are_data() {
    check(
        Enforced::NOTHING,
        &[
            ("+make nproc", "make -j$(nproc)", Allow),
            ("+make nproc", "x=$(nproc); make -j$x", Allow),
            ("+make nproc", "x=$(nproc); make -j\"${x}\" && make -j$x test", Allow),
            ("+make", "x=4; if true; then x=8; fi; make -j$x", Allow),
            ("+make wc", "n=$(wc -l < list); make -j $n", Allow),
            ("+make nproc", "make -j \"$(nproc)\"", Allow),
            ("+git wc", "git log -n $(wc -l < a)", Allow),
            ("+git seq", "git log -n $((1 + 1))", Allow),
            (
                "+git wc",
                "t=0; for f in $(git ls-files '*.py'); do n=$(wc -l < \"$f\"); t=$((t + n)); done; echo $t",
                Allow,
            ),
            ("+seq", "for i in $(seq 1 5); do echo $((i * 2)); done", Allow),
            ("+grep", "n=$(grep -c x a); [ $n -gt 0 ] && echo $((n + 1))", Allow),
            ("+cat wc", "n=$(cat a | wc -l); echo $((n + 1))", Allow),
            ("+date", "s=$(date +%s); e=$(date +%s); echo $((e - s))", Allow),
            (
                "+go git",
                "go build -ldflags \"-X main.v=$(git rev-parse --short HEAD)\" ./...",
                Allow,
            ),
            ("+git date", "git tag v$(date +%Y%m%d)", Allow),
        ],
    );
}

#[test]
fn what_is_no_number_is_none() {
    check(
        Enforced::NOTHING,
        &[
            ("+make cat", "make -j$(cat a)", Ask),
            ("+make wc", "make -j$(wc -l a)", Ask),
            ("+make wc", "wc() { echo 'SHELL=/x'; }; make $(wc -l)", Deny),
            ("+wc cat", "n=$(wc -l < a); n=$(cat a); echo $((n + 1))", Ask),
            ("+wc cat", "n=$(wc -l < a); read n; echo $((n + 1))", Ask),
            ("+seq", "for i in $(seq -f 'a[%g]' 1 5); do echo $((i * 2)); done", Ask),
            ("+seq", "for i in $(seq 1 5) \"$x\"; do echo $((i * 2)); done", Ask),
            ("+grep", "n=$(grep -rc x .); echo $((n + 1))", Ask),
            ("+grep", "n=$(grep -c x *); echo $((n + 1))", Ask),
            ("+git", "n=$(git rev-parse HEAD); echo $((n + 1))", Ask),
            ("+go git", "go build -ldflags \"$(git rev-parse x)\"", Ask),
            ("+go git", "go build -ldflags \"$(git log -1 --format=%s)\"", Ask),
            ("+make date", "make V=\"$(date '+$(shell id)')\"", Ask),
            ("+nproc", "$(nproc)", Ask),
            ("+nproc", "x=$(nproc); $x", Ask),
            ("+make nproc", "make -j$x; x=$(nproc)", Ask),
            ("+make nproc cat", "x=$(nproc); x=$(cat a); make -j$x", Ask),
            ("+make nproc", "x=$(nproc); read x; make -j$x", Ask),
            ("+make nproc", "x=$(nproc); x+=$y; make -j$x", Ask),
            ("+make nproc", "x=$(nproc); eval 'x=a'; make -j$x", Ask),
            ("+make nproc cat", "x=$(nproc); f() { x=$(cat a); }; f; make -j$x", Ask),
            ("+make", "nproc() { cat a; }; x=$(nproc); make -j$x", Deny),
            ("+bash nproc", "bash -c \"$(nproc)\"", Ask),
        ],
    );
}

#[test]
fn files_of_the_temporary_folder_are_written() {
    check(
        CONTAINED,
        &[
            ("+ls mktemp", "t=$(mktemp); ls > \"$t\"", Allow),
            ("+ls mktemp", "ls > \"$(mktemp)\"", Allow),
            (
                "+cat go mktemp rm",
                "d=$(mktemp -d) && cat > \"$d/main.go\" <<'E'\nx\nE\ngo run \"$d/main.go\" && rm -r \"$d\"",
                Allow,
            ),
            ("+ls mktemp", "d=$(mktemp -d -t a.XXXX); f=\"$d/b\"; ls > $f; ls < \"$f\"", Allow),
            ("+ls mktemp", "f() { local t=$(mktemp); ls > \"$t\"; }; f", Allow),
            ("+ls mktemp", "cd \"$(mktemp -d)\" && ls > a; cd /repo", Allow),
            ("+ls", "ls > \"$TMPDIR/a\"; ls >> $TMPDIR/b", Allow),
            ("+rm mktemp", "t=$(mktemp); trap 'rm -f \"$t\"' EXIT", Allow),
        ],
    );
}

#[test]
fn what_leads_out_of_the_temporary_folder_is_a_question() {
    check(
        CONTAINED,
        &[
            ("+ls mktemp", "t=$(mktemp -p /srv); ls > \"$t\"", Ask),
            ("+ls mktemp", "t=$(mktemp /srv/a.XXX); ls > \"$t\"", Ask),
            ("+ls mktemp", "t=$(mktemp a.XXX); ls > \"$t\"", Ask),
            ("+ls mktemp", "t=$(mktemp); t=/srv/a; ls > \"$t\"", Ask),
            ("+ls mktemp", "t=$(mktemp); read t; ls > \"$t\"", Ask),
            ("+ls mktemp", "t=$(mktemp); t+=/../../srv; ls > \"$t\"", Ask),
            ("+ls mktemp", "t=$(mktemp -d); ls > \"$t/../../srv/a\"", Ask),
            ("+ls mktemp", "t=$(mktemp -d); ls > \"$t/$x\"", Ask),
            ("+ls mktemp", "t=$(mktemp -d)$x; ls > \"$t\"", Ask),
            ("+ls mktemp", "t=$(mktemp); eval 't=/srv/a'; ls > \"$t\"", Ask),
            ("+ls mktemp", "cd \"$(mktemp -d)\" && ls > ../../srv/a", Ask),
            ("+ls mktemp", "mktemp() { echo /srv/a; }; ls > \"$(mktemp)\"", Deny),
            ("+ls", "TMPDIR=/srv; ls > \"$TMPDIR/a\"", Ask),
            ("+ls mktemp", "export TMPDIR=/srv; t=$(mktemp); ls > \"$t\"", Ask),
            ("+rm mktemp", "t=$(mktemp -d); rm -rf \"$t\"/*", Ask),
            ("+rm", "rm -rf \"$TMPDIR\"/*", Ask),
        ],
    );
    check(Enforced::NOTHING, &[("+ls mktemp", "t=$(mktemp); ls > \"$t\"", Ask)]);
}

#[test]
fn files_are_read_by_any_name_but_that_of_a_connection() {
    check(
        Enforced::NOTHING,
        &[
            ("+git wc", "for f in $(git ls-files); do wc -l < \"$f\"; done", Allow),
            ("+ls wc", "for f in $(ls *.c); do wc -l < $f; done", Allow),
            ("+wc node;~node", "while read -r f; do wc -l < \"$f\"; done < list", Allow),
            ("+wc", "while read -r f; do wc -l < \"$f\"; done < list", Ask),
            ("+git wc", "for f in $(git ls-files) \"$x\"; do wc -l < \"$f\"; done", Ask),
            ("+cat wc", "for f in $(cat list); do wc -l < \"$f\"; done", Ask),
            ("+wc node;~node", "x=b; wc < \"/dev/tcp/a/$x\"", Deny),
        ],
    );
}

#[test]
fn passwords_and_keys_of_the_machine_are_refused() {
    check(
        Enforced::NOTHING,
        &[
            ("+cat", "cat /etc/shadow", Deny),
            ("-rm", "cat /etc/shadow", Deny),
            ("+cat", "cat /etc/../etc//shadow-", Deny),
            ("+cat", "cat < /etc/gshadow; true", Deny),
            ("+cp", "cp -t . /etc/ssh/ssh_host_ed25519_key", Deny),
            ("+dd", "dd if=/etc/sudoers.d/a", Deny),
            ("+xargs cat", "xargs cat /etc/sudoers", Deny),
            ("+cat", "cat /etc/passwd /etc/ssh/ssh_host_ed25519_key.pub", Allow),
            ("+git", "git commit -m 'read /etc/shadow no more'", Allow),
            ("+cat", "cat etc/shadow", Allow),
        ],
    );
}

#[test]
fn variables_of_trusted_interpreters_say_no_more_than_these() {
    check(
        Enforced::NOTHING,
        &[
            ("+python3;~python3", "PYTHONPATH=src python3 -m a", Allow),
            ("+python3 pytest;~python3", "PYTHONPATH=src:lib pytest -q", Allow),
            ("+python3;~python3", "export PYTHONPATH=\"$PWD/src\"; python3 -m a", Allow),
            ("+node;~node", "NODE_PATH=lib NODE_OPTIONS='--require ./a.js' node b.js", Allow),
            ("+go", "CGO_ENABLED=0 GOFLAGS=-mod=mod go build ./...", Allow),
            ("+go", "GOFLAGS='-race -count=1' GOPROXY=off go test ./...", Allow),
            ("+npx", "NODE_OPTIONS=--max-old-space-size=4096 npx", Ask),
            // Not trusted, of another interpreter, or no code path.
            ("+python3", "PYTHONPATH=src python3 --version", Deny),
            ("+pytest", "PYTHONPATH=src pytest", Deny),
            ("+node python3;~node", "PYTHONPATH=src python3 --version", Deny),
            ("+node;~node", "NODE_OPTIONS='$(id)' node a.js", Deny),
            ("+ls;~python3", "PYTHONPATH=src ls", Deny),
            ("+python3;~python3", "LD_PRELOAD=./a.so python3 a.py", Deny),
            ("+python3;~python3", "PATH=.:$PATH python3 a.py", Deny),
            ("+python3 git;~python3", "GIT_SSH_COMMAND=id git fetch", Deny),
            ("+go", "GOFLAGS=-toolexec=./x go build", Deny),
            ("+go", "GOFLAGS='-mod=mod -toolexec=./x' go build", Deny),
            ("+go", "GOPROXY=https://a.example go build", Ask),
            ("+node", "NODE_OPTIONS='--require ./a.js' node --version", Deny),
        ],
    );
}

#[test]
fn the_shared_folder_of_temporary_files_is_written_where_it_is_a_runs_own() {
    let own = Enforced { temporary: true, ..Enforced::NOTHING };
    for (enforced, decision) in [(own, Allow), (Enforced::NOTHING, Ask)] {
        check(
            enforced,
            &[
                (
                    "+cat node rm;~node",
                    "cat > /tmp/a.mjs <<'E'\nx\nE\nnode /tmp/a.mjs; rm /tmp/a.mjs",
                    decision,
                ),
                ("+ls", "ls >> /tmp/a/b", decision),
                ("+ls", "cd /tmp && ls > a", decision),
                ("+ls", "ls > /tmp/../srv/a", Ask),
                ("+ls", "ls > /tmp/$x", Ask),
                ("+ls", "ls > /tmpfiles", Ask),
                ("+ls", "cd /tmp && ls > ../srv/a", Ask),
            ],
        );
    }
}

#[test]
fn the_folder_of_shared_memory_is_written_where_writes_are_held() {
    for (enforced, decision) in [(CONTAINED, Allow), (Enforced::NOTHING, Deny)] {
        check(enforced, &[("+cat", "echo 1 > /dev/shm/a && cat /dev/shm/a", decision)]);
        check(
            enforced,
            &[
                ("+cat", "echo 1 > /dev/shm/../sda", Deny),
                ("+cat", "echo 1 > /dev/shmem", Deny),
                ("+cat", "echo 1 > /dev/shm/$x", Ask),
            ],
        );
    }
}

#[test]
fn a_program_that_a_rule_for_its_place_names_may_be_told_where_code_lies() {
    let config = handrail_policy::Config {
        allow: Some(vec![handrail_policy::Rule::program(".venv/bin/*")]),
        roots: vec!["/repo".to_owned()],
        ..handrail_policy::Config::default()
    };
    let policy = handrail_policy::Policy::new(config).expect("the rule is valid");
    let roots = ["/repo".to_owned()];
    for (text, expected) in [
        ("PYTHONPATH=src .venv/bin/pytest -q; true", Allow),
        ("PYTHONPATH=src pytest -q; true", Deny),
        ("LD_PRELOAD=./a.so .venv/bin/pytest -q; true", Deny),
    ] {
        let surroundings = Surroundings {
            directory: Some("/repo"),
            writable_roots: Some(&roots),
            ..Surroundings::default()
        };
        let verdict = policy.decide_script(text, &surroundings);
        assert_eq!(verdict.decision, expected, "{text} {:?}", verdict.reasons);
    }
}

#[test]
fn files_that_find_removes_are_those_that_rm_may_remove() {
    check(
        Enforced::NOTHING,
        &[
            ("+find rm", "find . -name '*.pyc' -delete", Allow),
            ("+find rm", "find . -type d -empty -name tmp -delete", Allow),
            ("+find rm", "find src lib -name '*.o' -type f -delete", Allow),
            ("+find rm", "find . '(' -name '*.pyc' -o -iname '*.pyo' ')' -delete", Allow),
            ("+find rm", "find . -not -path './.venv/*' -name '*.pyc' -delete", Allow),
            ("+find", "find . -name '*.pyc' -delete", Ask),
            ("+find rm", "find . -delete", Ask),
            ("+find rm", "find -type f -delete", Ask),
            ("+find rm", "find . -name '*' -delete", Ask),
            ("+find rm", "find . -delete -name '*.pyc'", Ask),
            ("+find rm", "find . '!' -name '*.pyc' -delete", Ask),
            ("+find rm", "find . -not '(' -name '*.pyc' ')' -delete", Ask),
            ("+find rm", "find . -name '*.pyc' -o -type f -delete", Ask),
            ("+find rm", "find . -name '*.pyc' , -type f -delete", Ask),
            ("+find rm", "find / -name '*.pyc' -delete", Ask),
            ("+find rm", "find ../x -name '*.pyc' -delete", Ask),
            ("+find rm", "find ~ -name '*.pyc' -delete", Ask),
            ("+find rm", "find -L . -name '*.pyc' -delete", Ask),
            ("+find rm", "find \"$x\" -name '*.pyc' -delete", Ask),
            ("+find rm", "find .git -name '*.lock' -delete", Ask),
            ("+find rm", "find . -name .git -delete", Ask),
            ("+find rm;-rm", "find . -name '*.pyc' -delete", Ask),
        ],
    );
}
