//! What a row of the tables is, and the ids of their rules.

/// Stable ids; a host lifts a rule by its id.
pub mod rule_id {
    /// What git obeys, and what a repository is made of.
    pub const GIT_METADATA: &str = "git.metadata";
    /// What a shell runs when it starts.
    pub const SHELL_STARTUP: &str = "shell.startup";
    /// What an editor runs or trusts.
    pub const EDITOR_SETTINGS: &str = "editor.settings";
    /// What hooks and pipelines of a repository run.
    pub const REPO_AUTOMATION: &str = "repo.automation";
    /// What an agent runs, trusts or is told.
    pub const AGENT_SETTINGS: &str = "agent.settings";
    /// Settings of tools that name programs or servers.
    pub const TOOL_CONFIG: &str = "tool.config";
    /// What a session of the user starts, and the programs it finds first.
    pub const HOME_STARTUP: &str = "home.startup";
    /// Folders of the system.
    pub const SYSTEM_PATH: &str = "system.path";
    /// Keys and logins that programs of the user keep.
    pub const SECRETS_CREDENTIALS: &str = "secrets.credentials";
    /// Environment files.
    pub const SECRETS_DOTENV: &str = "secrets.dotenv";
    /// Private keys and key stores.
    pub const SECRETS_KEY: &str = "secrets.key";
    /// What was typed into shells and consoles.
    pub const SECRETS_HISTORY: &str = "secrets.history";
    /// Memory, environment and descriptors of processes.
    pub const PROC_PRIVATE: &str = "proc.private";
    /// Devices.
    pub const SYSTEM_DEVICE: &str = "system.device";
    /// Places that the host named.
    pub const HOST_PROTECTED: &str = "host.protected";

    /// All of them.
    pub(crate) const ALL: [&str; 15] = [
        GIT_METADATA,
        SHELL_STARTUP,
        EDITOR_SETTINGS,
        REPO_AUTOMATION,
        AGENT_SETTINGS,
        TOOL_CONFIG,
        HOME_STARTUP,
        SYSTEM_PATH,
        SECRETS_CREDENTIALS,
        SECRETS_DOTENV,
        SECRETS_KEY,
        SECRETS_HISTORY,
        PROC_PRIVATE,
        SYSTEM_DEVICE,
        HOST_PROTECTED,
    ];
}

/// Where the first component of a pattern stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// At any depth.
    Anywhere,
    /// Directly in the home folder.
    Home,
    /// At the root of the file system.
    Absolute,
    /// The same; a root that the host configured below it lifts it there.
    System,
}

/// Patterns that share a rule. A pattern is one component or several joined by `/`, each with at most one `*`. It covers
/// what it names and everything below.
pub(super) struct Row {
    pub(super) rule: &'static str,
    pub(super) place: Place,
    /// With blanks between them.
    pub(super) patterns: &'static str,
    /// Names that the last component of the patterns does not mean.
    pub(super) except: &'static str,
    pub(super) hint: &'static str,
}

/// A row without exceptions.
pub(super) const fn row(
    rule: &'static str,
    place: Place,
    patterns: &'static str,
    hint: &'static str,
) -> Row {
    Row { rule, place, patterns, except: "", hint }
}
