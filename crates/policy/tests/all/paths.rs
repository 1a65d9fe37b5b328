//! Protected places: what is refused, what is not, and what hosts change.

use handrail_policy::paths::{DotenvReads, PathRules, PathRulesConfig, fold, rule_id};
use proptest::prelude::*;

fn config() -> PathRulesConfig {
    PathRulesConfig {
        home: Some("/home/u".into()),
        write: true,
        read: true,
        ..PathRulesConfig::default()
    }
}

fn rules() -> PathRules {
    PathRules::new(config()).expect("no rule is lifted")
}

fn write_rule(path: &str) -> Option<&'static str> {
    rules().judge_write(path).map(|blocked| blocked.rule)
}

fn read_rule(path: &str) -> Option<&'static str> {
    rules().judge_read(path).map(|blocked| blocked.rule)
}

#[test]
fn places_that_programs_obey_are_not_written_to() {
    let cases = [
        ("/w/.git", rule_id::GIT_METADATA),
        ("/w/a/b/.git/hooks/pre-commit", rule_id::GIT_METADATA),
        ("/w/.gitmodules", rule_id::GIT_METADATA),
        ("/w/.gitattributes", rule_id::GIT_METADATA),
        ("/w/.bashrc", rule_id::SHELL_STARTUP),
        ("/w/.envrc", rule_id::SHELL_STARTUP),
        ("/home/u/.config/fish/config.fish", rule_id::SHELL_STARTUP),
        ("/w/.vscode/settings.json", rule_id::EDITOR_SETTINGS),
        ("/w/proj.code-workspace", rule_id::EDITOR_SETTINGS),
        ("/w/.devcontainer/devcontainer.json", rule_id::EDITOR_SETTINGS),
        ("/w/.github/workflows/ci.yml", rule_id::REPO_AUTOMATION),
        ("/w/.husky/pre-push", rule_id::REPO_AUTOMATION),
        ("/w/.claude/settings.json", rule_id::AGENT_SETTINGS),
        ("/w/.claude/settings.local.json", rule_id::AGENT_SETTINGS),
        ("/w/.mcp.json", rule_id::AGENT_SETTINGS),
        ("/w/.cursor/mcp.json", rule_id::AGENT_SETTINGS),
        ("/w/.npmrc", rule_id::TOOL_CONFIG),
        ("/w/.yarnrc.yml", rule_id::TOOL_CONFIG),
        ("/w/.pnpmfile.cjs", rule_id::TOOL_CONFIG),
        ("/home/u/.ssh/authorized_keys", rule_id::SECRETS_CREDENTIALS),
        ("/home/u/.aws/config", rule_id::SECRETS_CREDENTIALS),
        ("/home/u/.config/systemd/user/x.service", rule_id::HOME_STARTUP),
        ("/home/u/.local/bin/ls", rule_id::HOME_STARTUP),
        ("/etc/passwd", rule_id::SYSTEM_PATH),
        ("/etc", rule_id::SYSTEM_PATH),
        ("/usr/local/bin/ls", rule_id::SYSTEM_PATH),
        ("/lib64/x.so", rule_id::SYSTEM_PATH),
        ("/var/spool/cron/root", rule_id::SYSTEM_PATH),
        ("/private/etc/hosts", rule_id::SYSTEM_PATH),
    ];
    for (path, rule) in cases {
        assert_eq!(write_rule(path), Some(rule), "{path}");
    }
}

#[test]
fn what_agents_are_asked_to_change_is_theirs() {
    let free = [
        "/w/package.json",
        "/w/Cargo.toml",
        "/w/build.rs",
        "/w/app.csproj",
        "/w/Makefile",
        "/w/.gitignore",
        "/w/.github/CODEOWNERS",
        "/w/.claude/notes.md",
        "/w/etc/passwd",
        "/w/usr/bin/x",
        "/etcetera/x",
        "/w/.env",
        "/w/git/config",
        "/w/x.git/y",
        "/w/.config/gh/x",
        "/tmp/x",
        "/var/tmp/x",
        "/w/a.code-workspace.md",
        "/home/other/.aws/config",
        "/home/u/project/.aws/task.json",
        "/libraries/x",
    ];
    for path in free {
        assert_eq!(write_rule(path), None, "{path}");
    }
    // One folding for every platform: a name too many is refused rather than one too few.
    assert_eq!(write_rule("/library/x"), Some(rule_id::SYSTEM_PATH));
}

#[test]
fn secrets_and_what_shows_processes_are_not_read() {
    let cases = [
        ("/w/.env", Some(rule_id::SECRETS_DOTENV)),
        ("/w/.env.production", Some(rule_id::SECRETS_DOTENV)),
        ("/w/.env.example.local", Some(rule_id::SECRETS_DOTENV)),
        ("/w/.env.example", None),
        ("/w/.env.dist", None),
        ("/w/.environment", None),
        ("/w/server.pem", Some(rule_id::SECRETS_KEY)),
        ("/w/id_ed25519", Some(rule_id::SECRETS_KEY)),
        ("/w/id_ed25519.pub", None),
        ("/w/key.ts", None),
        ("/w/.netrc", Some(rule_id::SECRETS_CREDENTIALS)),
        ("/w/gha-creds-1a2b.json", Some(rule_id::SECRETS_CREDENTIALS)),
        ("/w/prod.tfstate", Some(rule_id::SECRETS_CREDENTIALS)),
        ("/home/u/.kube/config", Some(rule_id::SECRETS_CREDENTIALS)),
        ("/home/u/.terraform.d/credentials.tfrc.json", Some(rule_id::SECRETS_CREDENTIALS)),
        ("/etc/shadow", Some(rule_id::SECRETS_CREDENTIALS)),
        ("/etc/shadow-", Some(rule_id::SECRETS_CREDENTIALS)),
        ("/etc/hostname", None),
        ("/run/secrets/db", Some(rule_id::SECRETS_CREDENTIALS)),
        ("/home/u/.bash_history", Some(rule_id::SECRETS_HISTORY)),
        ("/proc/self/environ", Some(rule_id::PROC_PRIVATE)),
        ("/proc/1/root/etc/passwd", Some(rule_id::PROC_PRIVATE)),
        ("/proc/1/task/1/status", Some(rule_id::PROC_PRIVATE)),
        ("/proc/kmsg", Some(rule_id::PROC_PRIVATE)),
        ("/proc/meminfo", None),
        ("/proc/1/status", None),
        ("/dev/fd/0", Some(rule_id::SYSTEM_DEVICE)),
        ("/w/node_modules/x/index.js", None),
    ];
    for (path, rule) in cases {
        assert_eq!(read_rule(path), rule, "{path}");
    }
}

#[test]
fn another_spelling_is_the_same_name() {
    let spellings = [
        "/w/.GIT/config",
        "/w/.git./config",
        "/w/.git ./config",
        "/w/.g\u{200c}it/config",
        "/w/.\u{ff47}it/config",
        "/w/.g\u{131}t/config",
        "/w//./.git//config",
        "/w/x/../.git/config",
        "/w/.git\u{feff}/config",
    ];
    for path in spellings {
        assert_eq!(write_rule(path), Some(rule_id::GIT_METADATA), "{path:?}");
    }
    assert_eq!(read_rule("/w/ID_RSA"), Some(rule_id::SECRETS_KEY));
    assert_eq!(read_rule("/w/\u{212a}.KEY"), Some(rule_id::SECRETS_KEY));
    assert_eq!(fold("Straße. . "), "strasse");
}

#[test]
fn a_root_below_a_folder_of_the_system_is_lifted_there() {
    let mut config = config();
    config.roots = ["/usr/src/app", "/root/project", "/etc/app", "/opt", "/dev/shm/w"]
        .map(String::from)
        .into();
    let rules = PathRules::new(config).unwrap();
    for path in ["/usr/src/app/x.ts", "/root/project/a/b"] {
        assert_eq!(rules.judge_write(path), None, "{path}");
    }
    for path in [
        "/usr/src/other",
        "/usr/src/app/../x",
        "/root/x",
        "/etc/app/x",
        "/opt/x",
        "/dev/shm/w/x",
        "/usr/src/app/.git/config",
        "/usr/src/application/x",
    ] {
        assert!(rules.judge_write(path).is_some(), "{path}");
    }
}

#[test]
fn hosts_switch_lists_lift_rules_and_protect_places() {
    let lists = |write, read| PathRules::new(PathRulesConfig { write, read, ..config() }).unwrap();
    let both = |rules: &PathRules| {
        (rules.judge_write("/w/.git/x").is_some(), rules.judge_read("/w/.env").is_some())
    };
    assert_eq!(both(&lists(true, false)), (true, false));
    assert_eq!(both(&lists(false, true)), (false, true));
    let masked = PathRulesConfig { dotenv_reads: DotenvReads::Mask, ..config() };
    let masked = PathRules::new(masked).unwrap();
    assert!(masked.judge_read("/w/.env").is_none() && masked.judge_read("/w/.netrc").is_some());
    let lifted = PathRulesConfig { lifted: vec![rule_id::GIT_METADATA.into()], ..config() };
    assert_eq!(both(&PathRules::new(lifted).unwrap()), (false, true));
    let unknown =
        PathRulesConfig { lifted: vec![rule_id::GIT_METADATA.into(), "git".into()], ..config() };
    assert_eq!(PathRules::new(unknown).unwrap_err().index, 1);

    let protected = PathRulesConfig {
        protected: vec!["/srv/agent/data".into(), "/srv/agent/config.toml".into()],
        roots: vec!["/srv/agent".into()],
        ..PathRulesConfig::default()
    };
    let rules = PathRules::new(protected.clone()).unwrap();
    for path in [
        "/srv/agent/data",
        "/srv/agent/data/db",
        "/srv/agent/CONFIG.toml",
        "/srv/agent/x/../data/y",
    ] {
        assert!(rules.judge_write(path).is_some() && rules.judge_read(path).is_some(), "{path}");
    }
    assert!(rules.judge_write("/srv/agent/database").is_none());
    // A workspace that is called `data` is what the host means.
    let inside = PathRulesConfig { roots: vec!["/srv/agent/data".into()], ..protected };
    assert!(PathRules::new(inside).unwrap().judge_write("/srv/agent/data/x").is_none());
}

#[test]
fn secrets_of_the_home_folder_are_named() {
    let rules = rules();
    let secrets = rules.secret_places();
    for path in ["/home/u/.ssh", "/home/u/.aws", "/home/u/.netrc", "/home/u/.bash_history"] {
        assert!(secrets.iter().any(|(secret, _)| secret == path), "{path}");
    }
    assert!(secrets.iter().all(|(secret, _)| !secret.contains('*')));
    assert!(PathRules::new(PathRulesConfig::default()).unwrap().secret_places().is_empty());
    let protected = PathRulesConfig { protected: vec!["/srv/key".into()], ..Default::default() };
    let rules = PathRules::new(protected).unwrap();
    assert_eq!(rules.secret_places()[0].1.rule, rule_id::HOST_PROTECTED);
}

proptest! {
    /// Judging says yes or no to any string, and what is protected stays so however it is written.
    #[test]
    fn any_path_is_judged(path in "\\PC{0,40}|[./ a-z\\x00-\\x1f]{0,40}") {
        let rules = rules();
        let _ = (rules.judge_write(&path), rules.judge_read(&path));
        let inside = format!("/{path}//.Git");
        prop_assert!(rules.judge_write(&inside).is_some());
    }
}
