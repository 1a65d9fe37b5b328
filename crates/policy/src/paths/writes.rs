//! Files that no tool writes, because a program of the user obeys them later, without any confinement.
//!
//! Manifests and lock files (`package.json`, `Cargo.toml`, `build.rs`, `*.gradle`, `*.csproj`), makefiles and scripts
//! are left out: a build runs what they say, but agents are asked to change them all the time.

use super::table::SourceKind::{Absolute, Anywhere, Home, System};
use super::table::{Row, row, rule_id};

const CREDENTIALS: &str = "Keys and logins are the user's; ask the user to change them.";
const SYSTEM: &str = "It belongs to the system; write into the workspace.";

pub(super) const WRITES: &[Row] = &[
    row(
        rule_id::GIT_METADATA,
        Anywhere,
        ".git .gitmodules .gitconfig .gitattributes .config/git",
        "Git runs programs that these files name: ask the user to change them.",
    ),
    row(
        rule_id::SHELL_STARTUP,
        Anywhere,
        ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .zshrc .zprofile .zshenv .zlogin .zlogout \
         .profile .kshrc .cshrc .tcshrc .login .xprofile .config/fish .envrc",
        "A shell runs this file when it starts; ask the user to change it.",
    ),
    row(
        rule_id::EDITOR_SETTINGS,
        Anywhere,
        ".vscode *.code-workspace .idea .devcontainer .devcontainer.json .vimrc .exrc .nvimrc .config/nvim .emacs \
         .emacs.d .dir-locals.el",
        "An editor runs or trusts what this file says; ask the user to change it.",
    ),
    row(
        rule_id::REPO_AUTOMATION,
        Anywhere,
        ".husky .github/hooks .github/workflows",
        "Hooks and pipelines run what this file says; ask the user to change it.",
    ),
    row(
        rule_id::AGENT_SETTINGS,
        Anywhere,
        ".mcp.json .cursor .claude/settings*.json .claude/hooks .claude/commands .claude/agents .claude/skills \
         .claude.json .codex .agents .gemini/settings.json .roo .windsurf .github/agents handrail.toml .config/handrail \
         .local/state/handrail",
        "Agents run or trust what this file says; ask the user to change it.",
    ),
    row(
        rule_id::TOOL_CONFIG,
        Anywhere,
        ".ripgreprc .npmrc .yarnrc* .pnpmfile.* .pypirc .condarc .netrc pip.conf",
        "Tools take programs and servers from this file; ask the user to change it.",
    ),
    row(rule_id::SECRETS_CREDENTIALS, Anywhere, ".ssh .gnupg", CREDENTIALS),
    row(
        rule_id::SECRETS_CREDENTIALS,
        Home,
        ".aws .azure .kube .docker/config.json .config/gh .config/gcloud",
        CREDENTIALS,
    ),
    row(
        rule_id::HOME_STARTUP,
        Home,
        ".config/autostart .config/systemd .config/environment.d .pam_environment .local/bin Library/LaunchAgents \
         Library/Application*Support",
        "The user's session starts what stands there; ask the user to change it.",
    ),
    row(rule_id::SYSTEM_PATH, Absolute, "proc sys dev boot etc private/etc System", SYSTEM),
    row(
        rule_id::SYSTEM_PATH,
        System,
        "usr bin sbin lib lib32 lib64 libx32 run var/spool/cron var/run var/lib root opt Library private/var \
         Applications",
        SYSTEM,
    ),
];
