//! What to look for.

/// Shortest known value accepted unless [`Options::min_secret_length`] says otherwise.
pub const DEFAULT_MIN_SECRET_LENGTH: usize = 6;

/// Which of the built-in rules apply.
#[derive(Clone, Default, PartialEq, Eq)]
pub enum Rules {
    /// All of them.
    #[default]
    Default,
    /// None: only known values, substrings and patterns.
    None,
    /// The rules with these ids.
    Only(Vec<String>),
}

impl std::fmt::Debug for Rules {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Default => formatter.write_str("Default"),
            Self::None => formatter.write_str("None"),
            // Anything may have been given for an id.
            Self::Only(ids) => write!(formatter, "Only({})", ids.len()),
        }
    }
}

/// A file of rules.
#[derive(Clone)]
pub struct RuleFile {
    /// What messages call it, if it reads like a name.
    pub name: String,
    /// What is in it.
    pub toml: String,
}

impl std::fmt::Debug for RuleFile {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("RuleFile").finish_non_exhaustive()
    }
}

/// What a [`crate::Redactor`] looks for.
#[derive(Clone)]
pub struct Options {
    /// Known secrets as (name, value). The value is masked wherever it appears, also in its usual encodings.
    pub secrets: Vec<(String, String)>,
    /// Literal, case-sensitive texts that are masked wherever they appear.
    pub substrings: Vec<String>,
    /// Regular expressions, matched within one line.
    pub patterns: Vec<String>,
    /// Which built-in rules apply.
    pub rules: Rules,
    /// Further rules, in the TOML shape of gitleaks. Those of all files apply, beside the built-in ones; a file can switch
    /// built-in rules off by `disabledRules` beside `useDefault = true`.
    pub rule_files: Vec<RuleFile>,
    /// Shortest known value accepted, in characters.
    pub min_secret_length: usize,
    /// Masks say which rule made them.
    pub label: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            secrets: Vec::new(),
            substrings: Vec::new(),
            patterns: Vec::new(),
            rules: Rules::Default,
            rule_files: Vec::new(),
            min_secret_length: DEFAULT_MIN_SECRET_LENGTH,
            label: false,
        }
    }
}

impl std::fmt::Debug for Options {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Options")
            .field("secrets", &self.secrets.len())
            .field("substrings", &self.substrings.len())
            .field("patterns", &self.patterns.len())
            .field("rules", &self.rules)
            .field("rule_files", &self.rule_files.len())
            .field("min_secret_length", &self.min_secret_length)
            .field("label", &self.label)
            .finish()
    }
}
