//! Arguments that are only known when a command runs: from `xargs`, `find -exec`, `fd -x`.

use crate::common::{allow, check_argvs, check_lines};
use handrail_policy::Decision::{Allow, Ask, Deny};
use handrail_policy::Enforced;
use handrail_policy::limits::MAX_INNER_COMMANDS;

const LISTED: &str = "xargs find gfind bfs fd flock busybox watch su script nice env timeout tar git sed awk sort make \
    npm ls cat grep rm cp mv mkdir wc test mytool ssh rg zip sqlite3 docker gcc bash setarch curl command taskset ninja mypy doxygen";

fn each(lines: &[&str], decision: handrail_policy::Decision) {
    let policy = allow(LISTED);
    for line in lines {
        let verdict = policy.decide_line(line, Enforced::NOTHING);
        crate::common::verify(&verdict, line.len());
        assert_eq!(verdict.decision, decision, "{line} {:?}", verdict.reasons);
    }
}

/// No word of `find` hides an action, whatever stands in front of it.
#[test]
fn actions_of_find_behind_every_word() {
    for before in [
        "-not -name -files0-from",
        "-name -exec",
        "-name -execdir",
        "-newer -ok",
        "-D",
        "-D exec",
        "-files0-from x",
        "-files0-from",
        "-path -fprintf",
        "-fprintf x",
        "-exec true",
        "-exec true ';' -name",
        "-exec ls {} + -name",
        "-name '('",
        "--",
        "-regex ;",
    ] {
        for action in ["-exec", "-execdir", "-ok", "-okdir"] {
            let line = format!("find / -maxdepth 0 {before} {action} sh -c 'id' ';'");
            let verdict = allow("find ls true").decide_line(&line, Enforced::NOTHING);
            // A bare `;` in the text ends it before find is asked.
            let rule = verdict.reasons[0].rule;
            assert_eq!(verdict.decision, Deny, "{line}");
            assert!(rule == "list.not_allowed" || line.contains("-regex ;"), "{line} {rule}");
        }
        for action in ["-delete", "-fprint x", "-fprint0 x", "-fprintf x y", "-fls x"] {
            let line = format!("find . {before} {action}").replace(" ;", " x");
            let verdict = allow("find ls true").decide_line(&line, Enforced::NOTHING);
            assert_ne!(verdict.decision, Allow, "{line}");
        }
    }
    // `-ok` ends at `;` only.
    each(&["find . -ok tar {} + --to-command=id ';'", "find . -okdir tar x {} + -I id ';'"], Deny);
}

#[test]
fn the_most_commands_inside_of_one() {
    for (count, decision) in [(MAX_INNER_COMMANDS, Allow), (MAX_INNER_COMMANDS + 1, Deny)] {
        let line = format!("find . {}", "-exec ls ';' ".repeat(count));
        assert_eq!(
            allow("find ls").decide_line(&line, Enforced::NOTHING).decision,
            decision,
            "{count}"
        );
    }
    // Every `find` sees the actions of all behind it.
    let line = format!("find . {}", "-exec find . ".repeat(40));
    assert_eq!(allow("find").decide_line(&line, Enforced::NOTHING).decision, Deny);
}

#[test]
fn appended_arguments_are_questions() {
    each(
        &[
            "xargs -a f find",
            "xargs -a f find .",
            "xargs -a f find . -exec ls",
            "xargs -a f flock y",
            "xargs -a f flock",
            "xargs -a f flock y -c",
            "xargs -a f xargs",
            "xargs -a f xargs -n 1",
            "xargs -a f xargs tar",
            "xargs -a f -I% -n 9 find",
            "xargs -a f -n 9 -I% find",
            "xargs -a f -I% -L1 find",
            "xargs -a f -I% --max-lines find",
            "xargs -a f -i -l find",
            "xargs -a f -I% tar cf o.tar % y",
            "xargs -a f -I% tar cf o.tar x%",
            "xargs -I% find % -name x",
            "xargs -I% nice -n % ls",
            "xargs -I% timeout % ls",
            "xargs -I% flock % ls",
            "xargs -I '' tar cf x y",
            "xargs busybox",
            "xargs busybox --",
            "xargs busybox --install",
            "xargs busybox tar",
            "xargs nice",
            "xargs nice tar",
            "xargs nice -n",
            "xargs env A=b",
            "xargs env -S 'nice tar'",
            "xargs taskset -p",
            "xargs timeout 5",
            "xargs setarch x86_64",
            "xargs watch",
            "xargs watch ls",
            "xargs su x -c ls",
            "xargs script -c ls",
            "xargs fd x",
            "xargs sed s/a/b/",
            "xargs awk '{print}'",
            "xargs sort",
            "xargs make",
            "xargs npm ls",
            "xargs git add",
            "xargs ssh host",
            "xargs rg x",
            "xargs zip a",
            "xargs sqlite3 a",
            "xargs docker ps",
            "xargs gcc -c",
            "xargs mytool",
            "xargs ninja",
            "xargs mypy",
            "xargs doxygen",
            "xargs bash",
            "xargs curl",
            "fd -x tar",
            "fd -x tar xf {}",
            "fd -X sed -n p",
            "fd -x git add {/}",
            "find . -exec xargs -a {} tar {} +",
            "bfs -f x -exec tar xf {} ';'",
        ],
        Ask,
    );
    each(
        &[
            "xargs --process-slot-var=BASH_ENV ls",
            "xargs --process-slot-var LD_PRELOAD ls",
            "xargs -I% env % ls",
            "xargs -I% busybox %",
        ],
        Deny,
    );
    each(
        &[
            "xargs",
            "xargs ls",
            "xargs -0 -n1 rm -f",
            "xargs -I% mv % dir",
            "xargs -I% cp -t x %",
            "xargs grep -l foo",
            "xargs nice -n 5 wc -l",
            "xargs xargs ls",
            "xargs mkdir -p",
            "xargs flock y ls",
            "xargs bash -c ls",
            "xargs watch -x ls",
            "xargs busybox ls",
            "fd -x ls",
            "fd -X grep x",
        ],
        Allow,
    );
    check_lines(&[
        ("+xargs python3;~python3", "xargs python3 x.py", Allow, "list.allowed"),
        ("+xargs python3", "xargs python3 --version", Ask, "program.dynamic"),
        ("-rm", "xargs -a f find", Ask, "program.dynamic"),
        ("-rm", "xargs -a f xargs", Ask, "program.dynamic"),
    ]);
}

/// A path from `find` begins with a starting point.
#[test]
fn paths_of_find_that_can_and_cannot_be_options() {
    each(
        &[
            "find . -exec tar rf x.tar {} +",
            "find -name x -exec tar rf x.tar {} +",
            "find -L ./a /b -exec tar xf {} ';'",
            "find src -exec git add {} +",
            "find src lib -exec tar rf x.tar {} +",
            "find src -execdir sed -i s/a/b/ {} ';'",
            "find . -name '*.c' -exec sed -i s/a/b/ {} +",
            "find src -name '*.c' -exec sed -n -e 1p {} +",
            "find /tmp -exec awk '{print}' {} +",
            "find . -name '*.c' -exec gcc -c {} -o {}.o ';'",
            "find . -exec nice sort {} +",
            "find - -exec cat {} +",
            "find . -exec grep -l foo {} +",
            "find . -exec rm {} +",
            "find . -exec cp {} {}.bak ';'",
            "find . -exec bash -c ls {} ';'",
            "find . -exec ls ';' -exec tar cf x y ';'",
            "find . -exec test -f {} ';'",
            "find -files0-from x -exec cat {} ';'",
        ],
        Allow,
    );
    each(
        &[
            "find - -exec tar xf x {} +",
            "find '' -exec tar xf x {} +",
            "find a b c d e -exec tar xf x {} +",
            "find -files0-from x -exec tar xf x {} +",
            "find . -files0-from x -exec tar xf x {} +",
            "find -files0-from x -execdir tar xf x {} +",
            "find . -exec tar xf x -{} ';'",
            "find . -exec tar --x={} ';'",
            "find . -exec sed s/a/{}/ x ';'",
            "find . -exec make X={} ';'",
            "find s -exec sed {} x ';'",
            "find /tmp -exec sed {} x ';'",
            "find /tmp -exec sed -n {} ';'",
            "find . -exec sed -e {} x ';'",
            "find /tmp -exec awk {} x ';'",
            "find X= -exec make {} ';'",
            "find . -exec mytool -{} ';'",
            "find . -exec bash {} ';'",
            "find . -exec bash -c {} ';'",
            "find x -maxdepth 0 -exec git {} y ';'",
            "find run -maxdepth 0 -exec docker {} y ';'",
            "find exec -maxdepth 0 -exec npm {} y ';'",
        ],
        Ask,
    );
    // The beginning of a path is text of the command.
    each(
        &[
            "find LD_PRELOAD= -exec env {} ls ';'",
            "find . -exec {} ';'",
            "find . -exec nice {} ';'",
            "find . -exec tar --to-command {} -xf x ';'",
        ],
        Deny,
    );
    check_argvs(&[(
        "+find tar",
        &["find", ".", "-exec", "tar", "cf", "x", "{}", "+"],
        Allow,
        "list.allowed",
    )]);
}
