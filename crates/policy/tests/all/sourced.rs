//! Files that a script reads as code are judged as a part of it.

use std::collections::BTreeMap;

use handrail_policy::Decision::{Allow, Ask, Deny};
use handrail_policy::{Decision, Enforced, Entry, FileText, Files, Surroundings};

use crate::common::{lists, path_rules, policy, verify};

/// Texts of files, and paths of programs.
#[derive(Default)]
struct Memory {
    texts: BTreeMap<&'static str, String>,
    programs: Vec<&'static str>,
}

impl Files for Memory {
    fn text(&self, path: &str) -> FileText {
        match self.texts.get(path) {
            Some(text) if text == "unreadable" => FileText::Unreadable,
            Some(text) => FileText::Text(text.clone()),
            None => FileText::Missing,
        }
    }

    fn entry(&self, path: &str) -> Entry {
        if self.texts.contains_key(path) { Entry::Other } else { Entry::Missing }
    }

    fn is_program(&self, path: &str) -> bool {
        self.programs.contains(&path)
    }
}

/// The script of `venv`, shortened by its comments.
const VENV: &str = r#"deactivate () {
    if [ -n "${_OLD_VIRTUAL_PATH:-}" ] ; then
        PATH="${_OLD_VIRTUAL_PATH:-}"
        export PATH
        unset _OLD_VIRTUAL_PATH
    fi
    if [ -n "${_OLD_VIRTUAL_PYTHONHOME:-}" ] ; then
        PYTHONHOME="${_OLD_VIRTUAL_PYTHONHOME:-}"
        export PYTHONHOME
        unset _OLD_VIRTUAL_PYTHONHOME
    fi
    hash -r 2> /dev/null
    if [ -n "${_OLD_VIRTUAL_PS1:-}" ] ; then
        PS1="${_OLD_VIRTUAL_PS1:-}"
        export PS1
        unset _OLD_VIRTUAL_PS1
    fi
    unset VIRTUAL_ENV
    unset VIRTUAL_ENV_PROMPT
    if [ ! "${1:-}" = "nondestructive" ] ; then
        unset -f deactivate
    fi
}
deactivate nondestructive
case "$(uname)" in
    CYGWIN*|MSYS*|MINGW*)
        VIRTUAL_ENV=$(cygpath /repo/.venv)
        export VIRTUAL_ENV
        ;;
    *)
        export VIRTUAL_ENV=/repo/.venv
        ;;
esac
_OLD_VIRTUAL_PATH="$PATH"
PATH="$VIRTUAL_ENV/"bin":$PATH"
export PATH
if [ -n "${PYTHONHOME:-}" ] ; then
    _OLD_VIRTUAL_PYTHONHOME="${PYTHONHOME:-}"
    unset PYTHONHOME
fi
if [ -z "${VIRTUAL_ENV_DISABLE_PROMPT:-}" ] ; then
    _OLD_VIRTUAL_PS1="${PS1:-}"
    PS1="("'(.venv) '") ${PS1:-}"
    export PS1
    VIRTUAL_ENV_PROMPT='(.venv) '
    export VIRTUAL_ENV_PROMPT
fi
hash -r 2> /dev/null
"#;

/// The script of `uv` and `virtualenv`.
const UV: &str = r#"if [ "${BASH_SOURCE-}" = "$0" ]; then
    echo "You must source this script: \$ source $0" >&2
    exit 33
fi
deactivate () {
    unset -f pydoc >/dev/null 2>&1 || true
    if ! [ -z "${_OLD_VIRTUAL_PATH:+_}" ] ; then
        PATH="$_OLD_VIRTUAL_PATH"
        export PATH
        unset _OLD_VIRTUAL_PATH
    fi
    hash -r 2>/dev/null
    unset VIRTUAL_ENV
    if [ ! "${1-}" = "nondestructive" ] ; then
        unset -f deactivate
    fi
}
deactivate nondestructive
VIRTUAL_ENV='/repo/.venv'
if ([ "$OSTYPE" = "cygwin" ] || [ "$OSTYPE" = "msys" ]) && $(command -v cygpath &> /dev/null) ; then
    VIRTUAL_ENV=$(cygpath -u "$VIRTUAL_ENV")
fi
export VIRTUAL_ENV
unset SCRIPT_PATH
_OLD_VIRTUAL_PATH="$PATH"
PATH="$VIRTUAL_ENV/bin:$PATH"
export PATH
if [ "x" != x ] ; then
    VIRTUAL_ENV_PROMPT=""
else
    VIRTUAL_ENV_PROMPT=$(basename "$VIRTUAL_ENV")
fi
export VIRTUAL_ENV_PROMPT
alias pydoc 2>/dev/null >/dev/null && unalias pydoc || true
pydoc () {
    python -m pydoc "$@"
}
hash -r 2>/dev/null || true
"#;

fn decide(memory: &Memory, list: &str, text: &str) -> Decision {
    let (roots, rules) = (["/repo".to_owned()], path_rules());
    let surroundings = Surroundings {
        directory: Some("/repo"),
        writable_roots: Some(&roots),
        path_rules: Some(&rules),
        files: Some(memory),
        enforced: Enforced { roots: true, signals: true, ..Enforced::NOTHING },
        ..Surroundings::default()
    };
    let verdict = policy(&lists(list)).decide_script(text, &surroundings);
    verify(&verdict, text.len());
    verdict.decision
}

fn check(memory: &Memory, rows: &[(&str, &str, Decision)]) {
    let mut wrong = Vec::new();
    for (list, text, expected) in rows {
        let decision = decide(memory, list, text);
        if decision != *expected {
            wrong.push(format!("{list} {text:?} {decision:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn files(all: &[(&'static str, &str)]) -> Memory {
    let texts = all.iter().map(|(path, text)| (*path, (*text).to_owned())).collect();
    Memory { texts, programs: Vec::new() }
}

#[test]
fn environments_are_activated() {
    for text in [VENV, UV] {
        let memory = files(&[("/repo/.venv/bin/activate", text)]);
        check(
            &memory,
            &[
                ("+ls", "source .venv/bin/activate && ls", Allow),
                ("+ls", "set -euo pipefail; . ./.venv/bin/activate; ls; deactivate", Allow),
                ("+ls", "cd .venv && . bin/activate && ls", Allow),
                ("+ls", "source .venv/bin/activate; id", Deny),
                ("+ls", "ls; deactivate", Deny),
                ("+ls", "cd .venv && ls && . bin/activate && ls > a && ls; deactivate", Allow),
                ("-rm", "source .venv/bin/activate; rm a", Deny),
            ],
        );
    }
    // The environment is made by the script itself.
    check(
        &Memory::default(),
        &[("+python3;~python3", "python3 -m venv v && . v/bin/activate", Allow)],
    );
}

#[test]
fn an_activation_that_does_anything_else_is_none() {
    for (from, to) in [
        ("hash -r 2> /dev/null\n", "hash -r 2> /dev/null\nid\n"),
        ("hash -r 2> /dev/null\n", "hash -r > ../a\n"),
        ("hash -r 2> /dev/null\n", "hash -p /repo/x ls\n"),
        ("PATH=\"$VIRTUAL_ENV/", "PATH=\"/repo/x:$VIRTUAL_ENV/"),
        ("export VIRTUAL_ENV=/repo/.venv", "export VIRTUAL_ENV=/srv/x"),
        ("export VIRTUAL_ENV=/repo/.venv", "export VIRTUAL_ENV=$(echo /srv/x)"),
        ("$(uname)", "$(id)"),
        ("$(cygpath /repo/.venv)", "$(echo /srv)"),
        ("unset VIRTUAL_ENV\n", "unset HOME\n"),
        ("export VIRTUAL_ENV_PROMPT", "export LD_PRELOAD=./x.so"),
        ("export VIRTUAL_ENV_PROMPT", "export BASH_ENV"),
        ("deactivate () {", "ls () { :; }\ndeactivate () {"),
        ("deactivate nondestructive", "alias ls=id"),
        ("deactivate nondestructive", "command rm -r src"),
        ("deactivate nondestructive", "$(command -v rm) -r src"),
        ("deactivate nondestructive", "$(rm -r src)"),
        ("deactivate nondestructive", "eval \"$x\""),
        ("deactivate nondestructive", "for a in 1; do :; done"),
        ("deactivate nondestructive", "trap id EXIT"),
        ("deactivate nondestructive", "echo ${x:=1} <(id)"),
    ] {
        assert!(VENV.contains(from), "{from}");
        let changed = VENV.replacen(from, to, 1);
        let memory = files(&[("/repo/.venv/bin/activate", &changed)]);
        assert_ne!(decide(&memory, "+ls", ". .venv/bin/activate; ls"), Allow, "{to}");
    }
    let unreadable = files(&[("/repo/.venv/bin/activate", "unreadable")]);
    assert_eq!(decide(&unreadable, "+ls", ". .venv/bin/activate; ls"), Ask);
}

#[test]
fn programs_of_the_environment_are_meant_by_their_paths() {
    let mut memory = files(&[("/repo/.venv/bin/activate", VENV)]);
    memory.programs = vec!["/repo/.venv/bin/ls"];
    check(
        &memory,
        &[
            // The file may have been planted.
            ("+ls", "ls", Allow),
            ("+ls cat", ". .venv/bin/activate; ls", Deny),
            ("+ls cat timeout", ". .venv/bin/activate; timeout 5 ls", Deny),
            ("+ls cat", ". .venv/bin/activate; cat a", Allow),
            ("+ls cat", ". .venv/bin/activate; deactivate; ls", Allow),
            ("+ls bash", ". .venv/bin/activate; bash -c ls", Deny),
            ("+ls cat", "cat a && . .venv/bin/activate && ls", Deny),
            ("+ls cat", "cat a && . .venv/bin/activate; ls", Deny),
            ("+ls cat", "cat a && . .venv/bin/activate && cat b; deactivate", Allow),
            ("+cat", "cat a && . .venv/bin/activate; ls", Deny),
            ("+ls cat", "cat a || . .venv/bin/activate; cat a", Allow),
        ],
    );
}

#[test]
fn other_files_are_parts_of_the_script() {
    let memory = files(&[
        ("/repo/.env", "MODE=test\nNAME=\"my shop\"\nexport PORT=80\n"),
        ("/repo/lib.sh", "set -e\nls src\ncd src\n"),
        ("/repo/src/a.sh", ". ./b.sh\n"),
        ("/repo/src/b.sh", "cat c\n"),
        ("/repo/loop.sh", ". ./loop.sh\n"),
        ("/repo/rm.sh", "rm -rf /\n"),
        ("/repo/path.env", "PATH=/repo/x:$PATH\n"),
        ("/repo/odd", "echo \u{202e}\n"),
        ("/srv/x", "ls\n"),
        ("/repo/unreadable", "unreadable"),
    ]);
    check(
        &memory,
        &[
            ("+python3;~python3", "set -a; source .env; set +a; python3 -c pass", Allow),
            ("+ls", ". ./.env; echo \"$NAME\"", Allow),
            ("+ls cat", ". ./lib.sh && . ./a.sh", Allow),
            ("+ls", "if [ -f .env ]; then . ./.env; fi; ls", Allow),
            // What the file does is judged.
            ("+ls", ". ./a.sh", Ask),
            ("+ls", "cd src; . ./a.sh", Deny),
            ("+cat", ". ./lib.sh", Deny),
            ("+ls rm", ". ./rm.sh", Ask),
            ("-rm", ". ./rm.sh", Deny),
            ("+ls", ". ./path.env; ls", Deny),
            ("+ls", "set -a; . ./path.env; ls", Deny),
            ("+ls", ". ./odd", Ask),
            ("+ls", ". ./loop.sh", Deny),
            // Where it lies, and whether it is there.
            ("+ls", ". /srv/x", Deny),
            ("+ls", ". ../srv/x", Deny),
            ("+ls", ". \"$x\"", Deny),
            ("+ls", ". ./none", Ask),
            ("+ls", ". ./unreadable", Ask),
            ("+ls cat", ". <(cat .env)", Deny),
            ("+ls cat", "source ~/.bashrc", Deny),
        ],
    );
}

#[test]
fn what_the_script_itself_writes_is_judged_too() {
    let memory =
        files(&[("/repo/.env", "A=1\n"), ("/repo/.env.example", "B=1\n"), ("/repo/bad", "id\n")]);
    let rows = [
        ("printf 'MODE=test\\nNAME=shop\\n' > .env; set -a; source .env; set +a", Allow),
        ("echo B=2 >> .env && . ./.env", Allow),
        ("printf '%s=%s\\n' A b > new.env; . ./new.env", Allow),
        ("cat > new.env <<'E'\nA=1\nE\n. ./new.env", Allow),
        ("cp .env.example .env && . ./.env", Allow),
        ("grep A .env; . ./.env; cat .env", Allow),
        // Known, and not allowed.
        ("echo id >> .env; . ./.env", Deny),
        ("cat > new.env <<'E'\nid\nE\n. ./new.env", Deny),
        ("cp bad .env; . ./.env", Deny),
        // Not known.
        ("ls > .env; . ./.env", Ask),
        ("echo $x > .env; . ./.env", Ask),
        ("cat > .env <<E\nA=$x\nE\n. ./.env", Ask),
        ("{ echo A=1; ls; } > .env; . ./.env", Ask),
        ("ls | tee .env; . ./.env", Ask),
        ("sed -i s/1/2/ .env; . ./.env", Ask),
        ("cp a .env; cp .env b; . ./.env", Ask),
        ("echo -e 'A=1' > .env; . ./.env", Ask),
        ("printf '\\151\\144' > .env; . ./.env", Ask),
        ("for i in 1 2; do . ./.env; echo id > .env; done", Deny),
        (". ./.env & sed -i s/1/2/ ./.env", Ask),
    ];
    let rows: Vec<_> =
        rows.iter().map(|(text, expected)| ("+ls tee sed cp cat grep", *text, *expected)).collect();
    check(&memory, &rows);
}
