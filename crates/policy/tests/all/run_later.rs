//! Files that a tool runs or believes later: which names they have, and which commands write them.

use handrail_policy::Decision::{self, Allow, Ask, Deny};
use handrail_policy::paths::{Blocked, PathRules, PathRulesConfig, rule_id};
use handrail_policy::{Enforced, Entry, FileText, Files, Surroundings};

use crate::common::{lists, policy, verify};

/// Files and folders of the project.
const FILES: [&str; 4] = ["/w/CLAUDE.md", "/w/.gdbinit", "/w/.npmrc", "/w/lefthook.yml"];
const FOLDERS: [&str; 4] = ["/w", "/w/sub", "/w/.git/hooks", "/w/backup"];

struct Project;

impl Files for Project {
    fn text(&self, _: &str) -> FileText {
        FileText::Unreadable
    }

    fn entry(&self, path: &str) -> Entry {
        match path {
            path if FILES.contains(&path) => Entry::Other,
            path if FOLDERS.contains(&path) => Entry::Folder,
            _ => Entry::Missing,
        }
    }

    fn is_program(&self, _: &str) -> bool {
        false
    }
}

fn rules(lifted: &[&str]) -> PathRules {
    let roots = ["/w", "/srv/.agent/rules/project", "/home/a/.cursor/worktrees/p"]
        .map(str::to_owned)
        .to_vec();
    let lifted = lifted.iter().copied().map(str::to_owned).collect();
    let config = PathRulesConfig { write: true, roots, lifted, ..PathRulesConfig::default() };
    PathRules::new(config).expect("rules exist")
}

fn blocked(path: &str) -> Option<Blocked> {
    rules(&[]).judge_write(path)
}

/// The rows name none of these: their shape does.
const BY_SHAPE: [(&str, &str); 24] = [
    (".augment/rules/style.md", rule_id::AGENT_INSTRUCTIONS),
    (".amazonq/rules/a.md", rule_id::AGENT_INSTRUCTIONS),
    (".continue/rules/a.md", rule_id::AGENT_INSTRUCTIONS),
    (".trae/rules/project_rules.md", rule_id::AGENT_INSTRUCTIONS),
    (".kilocode/rules/a.md", rule_id::AGENT_INSTRUCTIONS),
    (".qwen/settings.json", rule_id::AGENT_INSTRUCTIONS),
    (".abacusai/skills/a/SKILL.md", rule_id::AGENT_INSTRUCTIONS),
    (".clinerules", rule_id::AGENT_INSTRUCTIONS),
    (".codexrules", rule_id::AGENT_INSTRUCTIONS),
    (".goosehints", rule_id::AGENT_INSTRUCTIONS),
    ("packages/a/agents.md", rule_id::AGENT_INSTRUCTIONS),
    (".pryrc", rule_id::TOOL_STARTUP),
    (".irbrc", rule_id::TOOL_STARTUP),
    (".pdbrc", rule_id::TOOL_STARTUP),
    (".psqlrc", rule_id::TOOL_STARTUP),
    (".bazelrc", rule_id::TOOL_STARTUP),
    (".lintstagedrc", rule_id::TOOL_STARTUP),
    (".Rprofile", rule_id::TOOL_STARTUP),
    (".ocamlinit", rule_id::TOOL_STARTUP),
    ("a.out-gdb.py", rule_id::TOOL_STARTUP),
    ("usercustomize.py", rule_id::TOOL_STARTUP),
    (".githooks/pre-push", rule_id::REPO_AUTOMATION),
    (".circleci/config.yml", rule_id::REPO_AUTOMATION),
    (".gitlab-ci.yml", rule_id::REPO_AUTOMATION),
];

#[test]
fn a_shape_covers_tools_that_no_row_names() {
    for (path, rule) in BY_SHAPE {
        let found = blocked(&format!("/w/{path}")).unwrap_or_else(|| panic!("{path}"));
        assert_eq!((found.rule, found.is_only_new()), (rule, true), "{path}");
    }
}

#[test]
fn settings_that_name_programs_are_kept_and_sources_may_be_edited() {
    let kept = [
        ".cargo/config.toml",
        ".yarn/releases/yarn-4.cjs",
        ".mvn/extensions.xml",
        ".gradle/init.gradle",
        ".gemini/commands/a.toml",
        ".kiro/settings/mcp.json",
        ".zed/tasks.json",
        "opencode.json",
        ".git",
        "a/.envrc",
        // A source within a place that is kept.
        ".git/rules/AGENTS.md",
        ".agent/rules/.bashrc",
    ];
    let sources = [
        "AGENTS.md",
        "lefthook.yml",
        ".pre-commit-config.yaml",
        ".gdbinit",
        "src/sitecustomize.py",
        "lefthook.toml",
        ".lintstagedrc.json",
        ".mise.local.toml",
        ".hg/hgrc",
        ".github/actions/build/action.yml",
        ".drone.yml",
        ".venv/lib/python3.12/site-packages/a.pth",
        "gradle/wrapper/gradle-wrapper.properties",
    ];
    let free = [
        "build.gradle",
        "package.json",
        "Makefile",
        "conftest.py",
        ".prettierrc",
        ".eslintrc",
        ".eslintrc.json",
        ".editorconfig",
        ".dockerignore",
        ".github/dependabot.yml",
        ".github/PULL_REQUEST_TEMPLATE.md",
        ".claude/notes.md",
        ".changeset/brave-lions.md",
        "docs/rules/a.md",
        "docs/agents-sdk.md",
        "docs/claude-agent-sdk.md",
        "docs/data-pipelines.yml",
        "AGENTIC.md",
        "app/customize.py",
        ".mocharc",
        ".czrc",
        "src/hooks/use.ts",
        "model.pth",
        "main.rc",
        "init.py",
        "profile",
    ];
    for path in kept {
        assert!(blocked(&format!("/w/{path}")).is_some_and(|one| !one.is_only_new()), "{path}");
    }
    for path in sources {
        assert!(blocked(&format!("/w/{path}")).is_some_and(|one| one.is_only_new()), "{path}");
    }
    for path in free {
        assert_eq!(blocked(&format!("/w/{path}")), None, "{path}");
    }
}

#[test]
fn a_root_in_such_a_folder_is_where_the_host_works() {
    assert_eq!(blocked("/srv/.agent/rules/project/src/a.ts"), None);
    assert!(blocked("/srv/.agent/rules/other/a.ts").is_some());
    assert!(blocked("/srv/.agent/rules/project/.other/rules/a.md").is_some());
    assert_eq!(blocked("/home/a/.cursor/worktrees/p/src/a.ts"), None);
    assert!(blocked("/home/a/.cursor/worktrees/other/a.ts").is_some());
    assert!(blocked("/home/a/.cursor/worktrees/p/.cursor/mcp.json").is_some());
}

#[test]
fn the_refusal_says_who_runs_the_file_and_what_lifts_it() {
    let hint = |path: &str| blocked(path).expect("protected").hint().into_owned();
    assert_eq!(
        hint("/w/.envrc"),
        "A shell runs it when it starts, or enters the folder. Ask the user to change it, or the host for \
         `lift: ['shell.startup']`."
    );
    assert_eq!(
        hint("/w/AGENTS.md"),
        "Agents follow or run what it says when they start in the folder. It does not exist yet: ask the user to make \
         it, or the host for `lift: ['agent.instructions']`."
    );
    for path in ["/w/.envrc", "/w/AGENTS.md", "/w/.pryrc", "/w/lefthook.yml", "/w/.npmrc"] {
        let rule = blocked(path).expect("protected").rule;
        assert_eq!(rules(&[rule]).judge_write(path), None, "{path}");
    }
}

const ALL: &str =
    "+cp mv ln install rsync tee touch truncate sed sort curl wget patch echo cat cd env";

fn decide(text: &str, with_rules: bool, enforced: Enforced) -> Decision {
    let (roots, rules) = (["/w".to_owned()], rules(&[]));
    let surroundings = Surroundings {
        directory: Some("/w"),
        writable_roots: Some(&roots),
        path_rules: with_rules.then_some(&rules),
        files: Some(&Project),
        enforced,
        ..Surroundings::default()
    };
    let verdict = policy(&lists(ALL)).decide_script(text, &surroundings);
    verify(&verdict, text.len());
    verdict.decision
}

const HELD: Enforced = Enforced { exec: true, roots: true, ..Enforced::NOTHING };

/// Commands that plant or change a file of the class, and the decision. Without the rules every one of them goes through.
const ATTACKS: [(&str, Decision); 25] = [
    ("cp x .envrc", Ask),
    ("cp x sub/.pryrc", Ask),
    ("cp x AGENTS.md", Ask),
    ("cp -r template/.vscode .", Ask),
    ("cp a/.bashrc sub", Ask),
    ("cp a .zed/tasks.json", Ask),
    ("mv x .git/hooks/post-checkout", Ask),
    ("mv pre-commit .git/hooks", Ask),
    ("mv -t .git/hooks pre-commit", Ask),
    ("mv --target-directory=.git/hooks pre-commit", Ask),
    ("ln -s notes.md GEMINI.md", Ask),
    ("install -m 755 x .githooks/pre-push", Ask),
    ("rsync x .npmrc", Ask),
    ("cat x | tee .pdbrc", Ask),
    ("tee -a a b .npmrc < x", Ask),
    ("touch .envrc", Ask),
    ("sed -i s/a/b/ .npmrc", Ask),
    ("sed --in-place=.bak -e s/a/b/ .npmrc", Ask),
    ("sort -o .bashrc x", Ask),
    ("sort -o.bashrc x", Ask),
    ("cd sub && tee ../.cargo/config.toml < x", Ask),
    ("env tee .pryrc < x", Ask),
    ("echo x > AGENTS.md", Ask),
    ("echo x > sub/.pryrc", Ask),
    ("echo x > .envrc", Deny),
];

#[test]
fn a_command_that_names_such_a_file_as_its_output_is_asked_about() {
    let mut wrong = Vec::new();
    for (text, expected) in ATTACKS {
        for enforced in [Enforced::NOTHING, HELD] {
            let (decision, unguarded) =
                (decide(text, true, enforced), decide(text, false, enforced));
            if (decision, unguarded) != (expected, Allow) {
                wrong.push(format!("{text:?} {decision:?} {unguarded:?}"));
            }
        }
        let prevented = Enforced { writes: true, ..HELD };
        if expected == Ask {
            assert_eq!(decide(text, true, prevented), Allow, "{text}: nothing is written anyway");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn ordinary_copies_and_edits_are_not_asked_about() {
    let free = [
        "cp .envrc .envrc.bak",
        "cp .npmrc backup.txt",
        "cp a b",
        "cp -r src backup",
        "cp model.pth sub",
        "mv CLAUDE.md notes.md",
        "echo x >> CLAUDE.md",
        "tee .gdbinit < x",
        "sed -i s/a/b/ lefthook.yml",
        "sed s/x/.envrc/ a",
        "sed -i s/x/.envrc/ a",
        "touch a b",
        "cat .envrc",
        "sort -o a b",
        "ln -s CLAUDE.md notes.md",
        "install -m 755 x sub/x",
        "echo x > build.gradle",
        "tee .prettierrc < x",
    ];
    for text in free {
        assert_eq!(decide(text, true, HELD), Allow, "{text}");
    }
}
