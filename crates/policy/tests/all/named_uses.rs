//! Rules with arguments answer the questions about that very use, and launchers find what the project has installed.

use handrail_policy::{
    Advice, Config, Decision, Enforced, Entry, FileText, Files, Policy, Rule, Surroundings, Verdict,
};

const ROOT: &str = "/srv/app";
/// The programs of the project.
const INSTALLED: [&str; 5] = [
    "/srv/app/node_modules/.bin/tsc",
    "/srv/app/node_modules/.bin/rm",
    "/srv/app/packages/a/node_modules/.bin/own",
    "/srv/app/.venv/bin/pytest",
    "/srv/app/.venv/bin/python",
];

struct Project;

impl Files for Project {
    fn text(&self, _: &str) -> FileText {
        FileText::Missing
    }

    fn entry(&self, _: &str) -> Entry {
        Entry::Missing
    }

    fn is_program(&self, path: &str) -> bool {
        INSTALLED.contains(&path)
    }
}

fn rule(words: &str) -> Rule {
    let mut words = words.split(' ').map(str::to_owned);
    let program = words.next().unwrap_or_default();
    let args: Vec<String> = words.collect();
    Rule { program, args: (!args.is_empty()).then_some(args) }
}

fn config(allow: &[&str]) -> Config {
    Config {
        allow: Some(allow.iter().copied().map(rule).collect()),
        roots: vec![ROOT.into()],
        ..Config::default()
    }
}

fn decide(config: Config, text: &str) -> Verdict {
    let roots = [ROOT.to_owned()];
    let surroundings = Surroundings {
        directory: Some(ROOT),
        writable_roots: Some(&roots),
        files: Some(&Project),
        ..Surroundings::default()
    };
    Policy::new(config).expect("a configuration").decide_script(text, &surroundings)
}

fn decision(allow: &[&str], text: &str) -> Decision {
    decide(config(allow), text).decision
}

#[test]
fn a_rule_with_arguments_answers_every_question_about_them() {
    for (whole, with_arguments, text) in [
        ("npx", "npx cowsay", "npx cowsay hello"),
        ("uv", "uv run black", "uv run black ."),
        ("python3", "python3 -m pytest", "python3 -m pytest -q"),
        ("node", "node --test", "node --test test/a.js"),
        ("node", "node server.js", "node server.js --port 1"),
        ("git", "git reset --hard", "git reset --hard"),
        ("git", "git push --force", "git push --force origin"),
        ("npm", "npm run build", "npm run build"),
        ("npm", "npm init vite", "npm init vite app"),
        ("bash", "bash build.sh", "bash build.sh a"),
        ("tar", "tar -cf a.tar --to-command=sort", "tar -cf a.tar --to-command=sort b"),
        ("docker", "docker rm", "docker rm x"),
        ("tmux", "tmux new", "tmux new -d"),
    ] {
        assert_ne!(decision(&[whole], text), Decision::Allow, "{text}");
        let verdict = decide(config(&[with_arguments]), text);
        assert_eq!(verdict.decision, Decision::Allow, "{text} {:?}", verdict.reasons);
        // What unread code starts is not in the text.
        let is_code = matches!(whole, "npx" | "uv" | "python3" | "node" | "bash");
        assert!(!is_code || !verdict.programs_certain, "{text}");
    }
}

#[test]
fn it_answers_nothing_about_other_arguments() {
    for (allow, text) in [
        (&["git push"][..], "git push --force"),
        (&["git reset"], "git reset --hard"),
        (&["git log"], "git log --output=x"),
        (&["npx cowsay"], "npx --yes cowsay"),
        (&["tar -cf a.tar"], "tar -cf a.tar --to-command=sort b"),
        (&["env A=1"], "env A=1 rm -rf /"),
        (&["env A=1", "sh"], "env A=1 sh -c 'rm x'"),
        (&["git push", "xargs"], "echo --force | xargs git push"),
        (&["find .", "rm"], "find . -delete"),
        // The words of one variable are one text.
        (&["git push"], "x='push --force'; git $x"),
    ] {
        assert_ne!(decision(allow, text), Decision::Allow, "{text}");
    }
    let denied = Config { deny: Some(vec![rule("npx")]), ..config(&["npx cowsay"]) };
    assert_eq!(decide(denied, "npx cowsay").decision, Decision::Deny);
    let denied = Config { deny: Some(vec![rule("rm")]), ..config(&["npx tsc", "npx rm"]) };
    assert_ne!(decide(denied, "npx rm x").decision, Decision::Allow);
}

#[test]
fn what_the_project_has_installed_runs_where_a_rule_names_its_place() {
    const BIN: &str = "./node_modules/.bin/*";
    for (allow, text, expected) in [
        (&["npx", BIN][..], "npx tsc -p .", true),
        (&["npx", BIN], "npx --no-install tsc", true),
        (&["npx", BIN], "npx -y tsc", true),
        (&["npm", BIN], "npm exec -- tsc -p .", true),
        (&["npm", BIN], "npm exec tsc -- -p .", true),
        (&["pnpm", BIN], "pnpm exec tsc", true),
        (&["bunx", BIN], "bunx tsc", true),
        (&["npx", BIN], "cd packages/a && npx tsc", true),
        (&["npx", BIN], "cd packages/a && npx own", false),
        (&["npx", "packages/a/node_modules/.bin/*"], "cd packages/a && npx own", true),
        (&["npx", "packages/a/node_modules/.bin/*"], "cd packages/a; npx own", false),
        (&["npx", BIN], "cd \"$X\" && npx tsc", false),
        (&["npx", BIN, "env"], "env -C / npx tsc", false),
        (&["npx"], "npx tsc", false),
        (&["npx", "tsc"], "npx tsc", false),
        (&["npx", BIN], "npx cowsay", false),
        (&["npx", BIN], "npx tsc@5", false),
        (&["npx", BIN], "npx -p typescript tsc", false),
        (&["npx", BIN], "npx -c 'tsc; rm x'", false),
        (&["npx", BIN], "npx --unknown tsc", false),
        (&["npx", BIN], "npx ../tsc", false),
        (&["npx", BIN], "npx $X", false),
        (&["npx", BIN, "xargs", "echo"], "echo x | xargs -I tsc npx tsc", false),
        (&["npx", BIN, "xargs", "echo"], "echo x | xargs npx", false),
        (&["uv", ".venv/bin/pytest"], "uv run pytest -q", true),
        (&["uv", ".venv/bin/pytest"], "uv run --frozen pytest", true),
        (&["uv", ".venv/bin/*"], "uv run python -c 'import os'", true),
        (&["uv", ".venv/bin/*"], "uv run main.py", true),
        (&["uv", ".venv/bin/*"], "uv run -m pytest", true),
        (&["uv", ".venv/bin/pytest"], "uv run main.py", false),
        (&["uv", ".venv/bin/*"], "uv run --with black pytest", false),
        (&["uv", ".venv/bin/*"], "uv run --directory /tmp pytest", false),
        (&["uv", ".venv/bin/*"], "uv run black", false),
        (&["uv", "ls", ".venv/bin/*"], "uv run ls", true),
        (&["uv", "ls"], "uv run pytest", false),
        (&["uv", "find"], "uv run find . -delete", false),
        (&["poetry", ".venv/bin/*"], "poetry run pytest", true),
    ] {
        let verdict = decide(config(allow), text);
        assert_eq!(verdict.decision == Decision::Allow, expected, "{text} {:?}", verdict.reasons);
    }
    let denied = Config { deny: Some(vec![rule("rm")]), ..config(&["npx", BIN]) };
    assert_eq!(decide(denied, "npx rm x").decision, Decision::Deny);
}

#[test]
fn a_launcher_says_which_rule_lifts_its_question() {
    for (allow, text, expected) in [
        ("npx", "npx tsc -p .", rule("node_modules/.bin/tsc")),
        ("npm", "npm exec tsc", rule("node_modules/.bin/tsc")),
        ("uv", "uv run pytest", rule(".venv/bin/pytest")),
        ("python3", "python3 -m pytest", rule("python3 -m pytest")),
        ("node", "node --test", rule("node --test")),
    ] {
        let verdict = decide(config(&[allow]), text);
        assert_eq!(verdict.decision, Decision::Ask, "{text} {:?}", verdict.reasons);
        let advice: Vec<&Advice> = verdict.reasons.iter().flat_map(|one| &one.advice).collect();
        assert!(advice.contains(&&Advice::Allow(expected.clone())), "{text} {advice:?}");
        let mut lifted = config(&[allow]);
        lifted.allow.get_or_insert_default().push(expected);
        assert_eq!(decide(lifted, text).decision, Decision::Allow, "{text}");
    }
}

/// A rule for the launcher would not let the kernel execute what was downloaded: only somebody's consent does.
#[test]
fn what_would_be_downloaded_can_only_be_approved() {
    for text in ["npx cowsay", "npm exec cowsay", "uv run black"] {
        let verdict = decide(config(&["npx", "npm", "uv"]), text);
        let advice: Vec<&Advice> = verdict.reasons.iter().flat_map(|one| &one.advice).collect();
        assert_eq!(advice, [&Advice::Approve], "{text}");
    }
}

/// Where nobody looks files up, launchers are the questions that they were.
#[test]
fn without_files_a_launcher_is_a_question() {
    let policy = Policy::new(config(&["npx", "./node_modules/.bin/*"])).expect("a configuration");
    let verdict = policy.decide_line("npx tsc", Enforced::NOTHING);
    assert_eq!(verdict.decision, Decision::Ask);
}

#[test]
fn a_rule_for_installing_answers_what_is_installed() {
    for text in
        ["pip install x", "pip install .", "pip install -e .", "pip install git+https://a/b"]
    {
        assert_eq!(decision(&["pip", "pip install"], text), Decision::Allow, "{text}");
        assert_eq!(decision(&["pip"], text), Decision::Ask, "{text}");
    }
    // This rule is about packages that are built already.
    let built = ["pip install --only-binary=:all:"];
    assert_eq!(decision(&built, "pip install --only-binary=:all: x"), Decision::Allow);
    assert_eq!(decision(&built, "pip install --only-binary=:all: ."), Decision::Ask);
}
