//! Refused commands as agents type them: what lifts each reason, and that it does.

use handrail_policy::paths::{PathRules, PathRulesConfig};
use handrail_policy::{
    Advice, Config, Enforced, Entry, FileText, Files, Policy, Reason, Rule, Surroundings, Verdict,
};

use crate::common::advice::check_advice;
use crate::common::json::Json;
use crate::common::{argv, path_rules, verify};

struct Case {
    command: String,
    config: Config,
    script: bool,
    gives: Vec<String>,
}

fn cases() -> Vec<Case> {
    let file = Json::parse(include_str!("../../../../test/corpus/refused.json"));
    let cases = file.get("cases").expect("cases").list().iter().map(|case| {
        let rules = |name: &str| {
            let entries = case.get(name)?.texts();
            Some(entries.iter().map(|entry| rule(entry)).collect())
        };
        Case {
            command: case.get("command").map_or("", Json::text).to_owned(),
            config: Config { allow: rules("allow"), deny: rules("deny"), ..Config::default() },
            script: case.get("shell").is_some(),
            gives: case.get("gives").map_or_else(Vec::new, Json::texts),
        }
    });
    cases.collect()
}

/// A program, or a program and the words that its arguments begin with.
fn rule(entry: &str) -> Rule {
    let mut words = entry.split(' ').map(str::to_owned);
    let program = words.next().unwrap_or_default();
    let args: Vec<String> = words.collect();
    Rule { program, args: (!args.is_empty()).then_some(args) }
}

fn judge(policy: &Policy, text: &str, script: bool) -> Verdict {
    if !script {
        return policy.decide_line(text, Enforced::NOTHING);
    }
    let roots = ["/repo".to_owned()];
    let environment = argv(&["PATH", "HOME", "LANG"]);
    let rules = path_rules();
    let surroundings = Surroundings {
        directory: Some("/repo"),
        writable_roots: Some(&roots),
        environment: &environment,
        path_rules: Some(&rules),
        files: None,
        enforced: Enforced::NOTHING,
        is_continued: false,
    };
    policy.decide_script(text, &surroundings)
}

fn written(reason: &Reason) -> String {
    let pieces = reason.advice.iter().map(|advice| match advice {
        Advice::Replace { command, directory: Some(directory) } => {
            format!("replace {command} in {directory}")
        }
        Advice::Replace { command, .. } => format!("replace {command}"),
        Advice::Allow(Rule { program, args }) => {
            let words: Vec<&str> = args.iter().flatten().map(String::as_str).collect();
            format!("allow {program} {}", words.join(" ")).trim_end().to_owned()
        }
        Advice::Trust(program) => format!("trust {program}"),
        Advice::Approve => "approve".to_owned(),
        other => format!("{other:?}"),
    });
    let pieces: Vec<String> = pieces.collect();
    let given = if pieces.is_empty() { "nothing".to_owned() } else { pieces.join(", ") };
    format!("{}: {given}", reason.rule)
}

/// All that differ are told at once.
#[test]
fn each_reason_has_the_advice_that_lifts_it() {
    let mut wrong = Vec::new();
    for case in cases() {
        let policy = Policy::new(case.config.clone()).expect("the lists are valid");
        let verdict = judge(&policy, &case.command, case.script);
        verify(&verdict, case.command.len());
        check_advice(&case.config, &verdict, |policy, text| {
            judge(policy, text.unwrap_or(&case.command), case.script)
        });
        let given: Vec<String> = verdict.reasons.iter().map(written).collect();
        if given != case.gives {
            wrong.push(format!("{:?}\t{given:?}", case.command));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A list, whether a shell runs the command, the command, and the hints of its reasons.
type HintRow = (&'static [&'static str], bool, &'static str, &'static [Option<&'static str>]);

const HINTS: [HintRow; 18] = [
    (
        &["node"],
        false,
        "node a.js > o",
        &[Some(
            "However it is written, it is refused: Command 'node' would run code from its arguments or a file (interpreter.code), which only the host can change.",
        )],
    ),
    (
        &["ls", "echo"],
        false,
        "for f in *; do rm $f; done",
        &[
            Some(
                "However it is written, it is refused (list.not_allowed), which only the host can change.",
            ),
            None,
            None,
        ],
    ),
    (
        &["ls"],
        false,
        "ls $(date)",
        &[Some(
            "Run the inner command first and pass its output as an argument. Even so, the one in column 6 is refused (list.not_allowed), which only the host can change.",
        )],
    ),
    (
        &["ls"],
        false,
        "ls $(ls)",
        &[Some("Run the inner command first and pass its output as an argument.")],
    ),
    (&[], false, "for f in a; do ls; done", &[Some("No program is allowed here."), None]),
    (&[], false, "ls $(date)", &[Some("No program is allowed here."), None]),
    (&[], true, "if true; then true", &[Some("It is written `if …; then …; fi`.")]),
    (&["ls"], false, "ruby g.rb > o", &[None, Some("Use one of the allowed programs.")]),
    (
        &["ls"],
        false,
        "ls && ruby g.rb",
        &[Some(
            "Run the commands one at a time, each in its own call. Even so, the one in column 7 is refused (list.not_allowed), which only the host can change.",
        )],
    ),
    (
        &["ls"],
        false,
        "ls && ls -l",
        &[Some("Run the commands one at a time, each in its own call.")],
    ),
    (
        &["ls"],
        false,
        "ls > o",
        &[Some(
            "Leave the redirection out: name an input file as an argument; what is written is captured anyway.",
        )],
    ),
    (&["git"], false, "git push --force", &[Some("Leave that argument out.")]),
    (&["git"], false, "git push --force --mirror", &[None, None]),
    (&["ls"], false, "docker build .", &[Some("Use one of the allowed programs."), None]),
    (
        &["ls"],
        true,
        "ls ; ; pwd",
        &[Some("In front of it a command is missing; or it is one too many.")],
    ),
    (&["ls"], true, "if ls; then ls", &[Some("It is written `if …; then …; fi`.")]),
    (
        &["echo"],
        true,
        "echo Bob's file",
        &[Some(
            "An apostrophe in a word begins a quote: put the words into double quotes, or write it as \\'.",
        )],
    ),
    (
        &["cargo check"],
        false,
        "cargo build",
        &[Some("Of 'cargo' only these uses are allowed: 'cargo check'.")],
    ),
];

#[test]
fn a_hint_that_leads_to_a_refusal_says_so() {
    for (allow, script, command, expected) in HINTS {
        let allow = Some(allow.iter().map(|entry| rule(entry)).collect());
        let policy = Policy::new(Config { allow, ..Config::default() }).expect("the list is valid");
        let verdict = judge(&policy, command, script);
        let hints: Vec<Option<&str>> =
            verdict.reasons.iter().map(|one| one.hint.as_deref()).collect();
        assert_eq!(hints, expected, "{command} {:?}", verdict.reasons);
    }
}

/// What commands in a home folder that is known are told, in a call and in a script: the hint is followed before it is given.
#[test]
fn a_hint_about_the_writing_is_followed_before_it_is_given() {
    let rules = PathRules::new(PathRulesConfig {
        home: Some("/home/me".to_owned()),
        write: true,
        ..PathRulesConfig::default()
    });
    let rules = rules.expect("no rule is lifted");
    let roots = ["/repo".to_owned(), "/home/me/notes".to_owned()];
    let files = |path: &str| match path {
        "/repo/get.sh" => Some("wget http://host.example/x\nls"),
        "/repo/list.sh" => Some("ls\ncat a.txt"),
        _ => None,
    };
    let files = GivenFiles(files);
    let literal = "Write to a literal path beneath a root that commands may change, or leave the redirection out: both outputs are captured.";
    let in_call = "Give its commands in the call itself.";
    let outside = "Written out, it is refused too: A redirection writes outside of the roots that commands may change (effect.write). Write beneath one of them, or leave the redirection out: both outputs are captured.";
    let protected = |path: &str| {
        let blocked = rules.judge_write(path).expect("a protected place");
        let (rule, hint) = (blocked.rule, blocked.hint());
        format!(
            "Written out, it is refused too: The target of a redirection is protected ({rule}) (effect.write). {hint}"
        )
    };
    let however = |why: &str| {
        format!("However it is written, it is refused{why}, which only the host can change.")
    };
    let code = |from: &str| {
        however(&format!(": Command 'python3' would run code {from} (interpreter.code)"))
    };
    for (script, command, expected) in [
        (true, "echo x >> ~/.zshrc", protected("/home/me/.zshrc")),
        (true, "echo x >> \"$HOME/.profile\"", protected("/home/me/.profile")),
        (true, "D=.git; echo x > $D/hooks/x", protected("/repo/.git/hooks/x")),
        (true, "echo x > \"$D/.git/config\"", protected("/repo/.git/config")),
        (true, "echo x > ${HOME}/x.txt", outside.to_owned()),
        (true, "echo x > ~/notes/x.txt", literal.to_owned()),
        (true, "echo x > $D/x.txt", literal.to_owned()),
        (true, "bash get.sh", "Its commands are refused too (list.not_allowed), which only the host can change.".to_owned()),
        (true, "bash ./list.sh", in_call.to_owned()),
        (false, "bash get.sh", "Its commands are refused too (list.not_allowed), which only the host can change.".to_owned()),
        (false, "bash other.sh", in_call.to_owned()),
        (false, "python3 -c 'print(1)' < a.txt", code("from its arguments or a file")),
        (false, "python3 <<E\nprint(1)\nE", code("from standard input")),
        (false, "python3 -c \"print($X)\"", code("from its arguments or a file")),
        (false, "cat ~/.netrc", however(": It names a path that commands do not read (secrets.credentials)")),
        (false, "cat $HOME/.ssh/id", however(": It names a path that commands do not read (secrets.credentials)")),
        (false, "cat ~/notes/a.txt", "Write the path out, or put quotes around the word if it is meant literally.".to_owned()),
        (false, "while read -r x; do cat $x; done", "Run the commands one at a time, each in its own call. Even so, the one in column 7 is refused: Command 'read' is a shell built-in, not a program (program.builtin). No shell runs here: leave it out.".to_owned()),
        (false, "export A=1 && ls", "Run the commands one at a time, each in its own call. Even so, the one in column 1 is refused: Command 'export' is a shell built-in, not a program (program.builtin). Write `NAME=value` in front of the program.".to_owned()),
        (false, "f() { ls; }; f", "Run the commands one at a time, each in its own call.".to_owned()),
        (false, "cat $X | cat", "Write the value itself, or put single quotes around the word if the text is meant literally.".to_owned()),
        // A word behind the first command may be a secret.
        (false, "cat | word-of-nobody", "Run the commands one at a time, each in its own call. Even so, the one in column 7 is refused (list.not_allowed), which only the host can change.".to_owned()),
        (false, "type ls", "That alone is refused: Command 'which' is not allowed (list.not_allowed), which only the host can change.".to_owned()),
    ] {
        let allow = ["ls", "cat", "echo", "bash", "python3"].map(rule).to_vec();
        let policy = Policy::new(Config { allow: Some(allow), ..Config::default() }).expect("valid");
        let surroundings = Surroundings {
            directory: Some("/repo"),
            writable_roots: Some(&roots),
            path_rules: Some(&rules),
            files: Some(&files),
            ..Surroundings::default()
        };
        let verdict = if script {
            policy.decide_script(command, &surroundings)
        } else {
            policy.decide_line(command, surroundings)
        };
        let hints: Vec<&str> =
            verdict.reasons.iter().filter_map(|one| one.hint.as_deref()).collect();
        assert_eq!(hints.first().copied(), Some(expected.as_str()), "{command} {hints:?}");
    }
}

/// The files that a host reads, by their paths.
struct GivenFiles(fn(&str) -> Option<&'static str>);

impl Files for GivenFiles {
    fn text(&self, path: &str) -> FileText {
        (self.0)(path).map_or(FileText::Missing, |text| FileText::Text(text.to_owned()))
    }

    fn entry(&self, path: &str) -> Entry {
        (self.0)(path).map_or(Entry::Missing, |_| Entry::Other)
    }

    fn is_program(&self, _path: &str) -> bool {
        false
    }
}

#[test]
fn where_nothing_can_be_written_no_hint_names_a_place() {
    let allow = Some(vec![Rule::program("ls")]);
    let policy = Policy::new(Config { allow, ..Config::default() }).expect("the list is valid");
    let roots = ["/repo".to_owned()];
    let rules = path_rules();
    for command in ["ls > /repo/$X", "ls > ../o", "ls > /etc/o", "ls > \"$X\""] {
        for writable in [&roots[..], &[]] {
            let surroundings = Surroundings {
                directory: Some("/repo"),
                writable_roots: Some(writable),
                path_rules: Some(&rules),
                ..Surroundings::default()
            };
            let verdict = policy.decide_script(command, &surroundings);
            let hints: String = verdict.reasons.iter().filter_map(|one| one.hint.clone()).collect();
            let is_closed = hints.starts_with("Nothing can be written here: leave");
            assert_eq!(is_closed, writable.is_empty(), "{command}: {hints}");
            assert_eq!(hints.matches('.').count(), 1, "one hint: {hints}");
        }
    }
}

#[test]
fn what_cannot_be_read_is_told_with_its_place() {
    let policy =
        Policy::new(Config { deny: Some(Vec::new()), ..Config::default() }).expect("valid");
    for (command, message) in [
        ("ls ; ; pwd", "The `;` in column 6 does not belong there"),
        ("ls\n| wc", "The `|` in line 2, column 1 does not belong there"),
        ("ls )", "The `)` in column 4 does not belong there"),
        ("ls; done", "The `done` in column 5 does not belong there"),
        ("ls &&", "The shell syntax ends too early"),
        ("if ls; then ls", "The `if` in column 1 has no end"),
        ("ls\nfor x in 1; do\n ls", "The `for` in line 2, column 1 has no end"),
        ("if ls; done", "The `done` in column 8 does not belong there"),
        ("{ ls", "The `{` in column 1 has no end"),
        ("echo $(ls", "The `$(` in column 6 has no end"),
        ("( ls", "The `(` in column 1 has no end"),
        ("echo 'a", "A single quote has no end: it begins in column 6"),
    ] {
        let verdict = judge(&policy, command, true);
        assert_eq!(verdict.reasons[0].message, message, "{command}");
    }
}
