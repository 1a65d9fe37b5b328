//! The form of a row of the path tables, and the ids of their rules.

/// Stable ids, by which a host lifts rules.
pub mod rule_id {
    /// Files that git obeys, and files of a repository itself.
    pub const GIT_METADATA: &str = "git.metadata";
    /// Files that a shell runs when it starts.
    pub const SHELL_STARTUP: &str = "shell.startup";
    /// Files that an editor runs or trusts.
    pub const EDITOR_SETTINGS: &str = "editor.settings";
    /// Files that hooks and pipelines of a repository run.
    pub const REPO_AUTOMATION: &str = "repo.automation";
    /// Files that an agent runs, trusts or takes instructions from.
    pub const AGENT_SETTINGS: &str = "agent.settings";
    /// Files that an agent takes instructions from, which a project may have among its sources.
    pub const AGENT_INSTRUCTIONS: &str = "agent.instructions";
    /// Settings of tools that name programs or servers.
    pub const TOOL_CONFIG: &str = "tool.config";
    /// Files that a tool runs when it starts.
    pub const TOOL_STARTUP: &str = "tool.startup";
    /// Files that start with a session of the user, and folders that the user's programs are found in first.
    pub const HOME_STARTUP: &str = "home.startup";
    /// Folders of the system.
    pub const SYSTEM_PATH: &str = "system.path";
    /// Keys and logins that the user's programs keep.
    pub const SECRETS_CREDENTIALS: &str = "secrets.credentials";
    /// Environment files.
    pub const SECRETS_DOTENV: &str = "secrets.dotenv";
    /// Private keys and key stores.
    pub const SECRETS_KEY: &str = "secrets.key";
    /// Histories of what was typed into shells and consoles.
    pub const SECRETS_HISTORY: &str = "secrets.history";
    /// Logins, settings and records of conversations that agents keep.
    pub const AGENT_STATE: &str = "agent.state";
    /// The home folders of other users.
    pub const OTHER_HOMES: &str = "home.others";
    /// Memory, environment and descriptors of processes.
    pub const PROC_PRIVATE: &str = "proc.private";
    /// Devices.
    pub const SYSTEM_DEVICE: &str = "system.device";
    /// Places that the host added.
    pub const HOST_PROTECTED: &str = "host.protected";

    /// All ids.
    pub(crate) const ALL: [&str; 19] = [
        GIT_METADATA,
        SHELL_STARTUP,
        EDITOR_SETTINGS,
        REPO_AUTOMATION,
        AGENT_SETTINGS,
        AGENT_INSTRUCTIONS,
        TOOL_CONFIG,
        TOOL_STARTUP,
        HOME_STARTUP,
        SYSTEM_PATH,
        SECRETS_CREDENTIALS,
        SECRETS_DOTENV,
        SECRETS_KEY,
        SECRETS_HISTORY,
        AGENT_STATE,
        OTHER_HOMES,
        PROC_PRIVATE,
        SYSTEM_DEVICE,
        HOST_PROTECTED,
    ];
}

/// Where the first component of a pattern has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SourceKind {
    /// At any depth.
    Anywhere,
    /// Directly in the home folder.
    Home,
    /// At the root of the file system.
    Absolute,
    /// At the root of the file system, except beneath a root that the host configured there.
    System,
    /// At the root of the file system, except where the home folder lies there, and beneath a root that the host configured
    /// there.
    Others,
}

/// Whether commands are kept from reading a place as well, and not only tools that open files themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForCommands {
    /// They are not: the name says too little about what stands there, or the kernel plan holds it in another way.
    No,
    /// They are.
    Held,
    /// They are with every plan: the files hold passwords and keys of the machine.
    Always,
    /// They cannot connect to what listens there.
    Sockets,
}

/// Patterns with the same rule. A pattern is one or several components joined by `/`, each with at most one `*`. It
/// covers the places that it names and everything beneath them.
pub(super) struct Row {
    pub(super) rule: &'static str,
    pub(super) place: SourceKind,
    /// The patterns, with blanks between them.
    pub(super) patterns: &'static str,
    /// Names that the last component of the patterns does not match.
    pub(super) except: &'static str,
    /// What to do instead. Empty where `later` says it.
    pub(super) hint: &'static str,
    pub(super) later: Option<Later>,
    pub(super) commands: ForCommands,
}

/// Who runs or believes a file, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Later {
    /// Who, and what is done with the file: `git runs programs that it names`.
    pub takes: &'static str,
    /// To be read after `when`.
    pub when: &'static str,
    /// Whether one that exists is a source like others. One that does not is refused all the same.
    pub may_be_edited: bool,
}

impl Row {
    /// A row of files that a tool runs or believes later.
    pub(super) const fn later(
        rule: &'static str,
        place: SourceKind,
        patterns: &'static str,
        later: Later,
    ) -> Row {
        Row { later: Some(later), ..row(rule, place, patterns, "") }
    }

    /// The same row without these names.
    pub(super) const fn except(self, except: &'static str) -> Row {
        Row { except, ..self }
    }

    /// The same row, which holds for commands too.
    pub(super) const fn for_commands(self, commands: ForCommands) -> Row {
        Row { commands, ..self }
    }
}

/// A row without exceptions.
pub(super) const fn row(
    rule: &'static str,
    place: SourceKind,
    patterns: &'static str,
    hint: &'static str,
) -> Row {
    Row { rule, place, patterns, except: "", hint, later: None, commands: ForCommands::No }
}
