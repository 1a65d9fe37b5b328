//! The class of files that a tool runs or believes later, without any confinement: who does so, and when.
//!
//! One table for file tools and for judged commands. A row names its files by their shape where tools share one (`.*rc`,
//! the folder `rules` of a dot folder), so that a tool that nobody has heard of is covered as well.
//!
//! Manifests and lock files (`package.json`, `Cargo.toml`, `build.rs`, `*.gradle`, `*.csproj`), makefiles, scripts and
//! settings of linters are left out: a build runs what they say, but agents are asked to change them all the time.

use super::table::SourceKind::{Anywhere, Home};
use super::table::{Later, Row, SourceKind, rule_id};

/// A row of files that are never written.
const fn kept(
    rule: &'static str,
    place: SourceKind,
    patterns: &'static str,
    takes: &'static str,
    when: &'static str,
) -> Row {
    Row::later(rule, place, patterns, Later { takes, when, may_be_edited: false })
}

/// A row of files that a project has among its sources: who may write there does not plant one, and may edit one that is
/// there.
const fn source(
    rule: &'static str,
    patterns: &'static str,
    takes: &'static str,
    when: &'static str,
) -> Row {
    Row::later(rule, Anywhere, patterns, Later { takes, when, may_be_edited: true })
}

pub(super) const LATER: &[Row] = &[
    kept(
        rule_id::GIT_METADATA,
        Anywhere,
        ".git .gitmodules .gitconfig .gitattributes .config/git",
        "git runs programs that it names",
        "it works in the repository",
    ),
    kept(
        rule_id::SHELL_STARTUP,
        Anywhere,
        ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .zshrc .zprofile .zshenv .zlogin .zlogout \
         .profile .kshrc .cshrc .tcshrc .login .xprofile .config/fish .envrc",
        "a shell runs it",
        "it starts, or enters the folder",
    ),
    kept(
        rule_id::EDITOR_SETTINGS,
        Anywhere,
        ".vscode *.code-workspace .idea .zed .devcontainer .devcontainer.json .vimrc .exrc .nvimrc .config/nvim \
         .emacs .emacs.d .dir-locals*.el",
        "an editor runs or trusts what it says",
        "the folder is opened",
    ),
    kept(
        rule_id::REPO_AUTOMATION,
        Anywhere,
        ".husky .github/hooks .github/workflows",
        "git hooks and pipelines run what it says",
        "somebody commits or pushes",
    ),
    source(
        rule_id::REPO_AUTOMATION,
        ".*hooks lefthook*.yml lefthook*.yaml lefthook*.toml lefthook*.json .lefthook* .pre-commit-*.yaml \
         .*/workflows .*-ci.yml .*ci/config.yml azure-pipelines.yml bitbucket-pipelines.yml .github/actions \
         .drone.yml .woodpecker* .lintstagedrc.* .huskyrc.* .travis.yml Jenkinsfile .overcommit.yml",
        "git hooks and pipelines run what it says",
        "somebody commits or pushes",
    ),
    kept(
        rule_id::AGENT_SETTINGS,
        Anywhere,
        ".mcp.json .cursor .claude/settings*.json .claude/hooks .claude/commands .claude/agents .claude/skills \
         .claude.json .codex .agents .gemini .kiro .opencode opencode.json opencode.jsonc .roo .windsurf \
         .github/agents handrail.toml .config/handrail .local/state/handrail",
        "agents run or trust what it says",
        "they start in the folder",
    ),
    source(
        rule_id::AGENT_INSTRUCTIONS,
        "AGENT.md AGENTS.md AGENTS.*.md CLAUDE.md CLAUDE.*.md GEMINI.md CRUSH.md QWEN.md SOUL.md WARP.md \
         .github/copilot*.md .aider* .factory .hermes .junie .openhands crush.json .crush.json .*rules .*hints \
         .*/rules .*/hooks .*/agents .*/commands .*/skills .*/prompts .*/instructions .*/steering .*/settings*.json \
         .*/mcp*.json",
        "agents follow or run what it says",
        "they start in the folder",
    ),
    kept(
        rule_id::TOOL_CONFIG,
        Anywhere,
        ".ripgreprc .npmrc .yarnrc* .pnpmfile.* .pypirc .condarc .netrc pip.conf .cargo/config .cargo/config.toml \
         .yarn/releases .yarn/plugins .yarn/sdks .mvn .gradle .bundle",
        "tools take programs and servers from it",
        "they install or build",
    ),
    source(
        rule_id::TOOL_STARTUP,
        "gradle/wrapper .*init .*profile .*opts *-gdb.py *-gdb.gdb .ghci .iex.exs .mise* mise*.toml .config/mise \
         .hg/hgrc .helix .nvim.lua .perldb .project*.el .rspec .tmux.conf *.sublime-project",
        "a tool runs what it says",
        "it starts in the folder",
    ),
    source(
        rule_id::TOOL_STARTUP,
        "sitecustomize.py usercustomize.py site-packages/*.pth dist-packages/*.pth",
        "Python runs it",
        "it starts with the folder among those of its modules",
    ),
    // What linters, formatters and compilers take their settings from is written like other sources.
    source(rule_id::TOOL_STARTUP, ".*rc", "a tool runs or trusts what it says", "it starts in the folder")
        .except(
            ".babelrc .bowerrc .browserslistrc .c8rc .commitlintrc .coveragerc .csslintrc .eslintrc .flowrc \
             .graphqlrc .cspellrc .czrc .depcheckrc .doxygenrc .dprintrc .htmlhintrc .jestrc .jscsrc .jsdocrc \
             .jshintrc .luacheckrc .madgerc .markdownlintrc .mocharc .ncurc .nvmrc .nxrc .nycrc .parcelrc .postcssrc \
             .prettierrc .pylintrc .remarkrc .rubocoprc .sequelizerc .solhintrc .stylelintrc .swcrc .terserrc \
             .textlintrc .tslintrc .versionrc .yamllintrc",
        ),
    kept(
        rule_id::HOME_STARTUP,
        Home,
        ".config/autostart .config/systemd .config/environment.d .pam_environment .local/bin Library/LaunchAgents \
         Library/Application*Support",
        "the session of the user starts what stands there",
        "the user logs in or types a name",
    ),
];
