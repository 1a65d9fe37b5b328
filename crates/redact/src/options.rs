//! The options of a redactor.

/// The shortest known value that is accepted, unless [`Options::min_secret_length`] sets another length.
pub const DEFAULT_MIN_SECRET_LENGTH: usize = 6;

/// Which of the built-in rules apply.
#[derive(Clone, Default, PartialEq, Eq)]
pub enum Rules {
    /// All rules apply.
    #[default]
    Default,
    /// No rule applies: only known values, substrings and patterns are masked.
    None,
    /// Only the rules with these ids apply.
    Only(Vec<String>),
}

impl std::fmt::Debug for Rules {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Default => formatter.write_str("Default"),
            Self::None => formatter.write_str("None"),
            // The ids are not shown, because anything may have been given as an id.
            Self::Only(ids) => write!(formatter, "Only({})", ids.len()),
        }
    }
}

/// A file of rules.
#[derive(Clone)]
pub struct RuleFile {
    /// The name that messages use for the file, if it reads like a name.
    pub name: String,
    /// The text of the file.
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
    /// Known secrets as names and values. A value is masked wherever it occurs, also in its usual encodings.
    pub secrets: Vec<(String, String)>,
    /// Literal, case-sensitive texts that are masked wherever they occur.
    pub substrings: Vec<String>,
    /// Regular expressions, matched within one line.
    pub patterns: Vec<String>,
    /// Which built-in rules apply.
    pub rules: Rules,
    /// Files with further rules, in the TOML format of gitleaks. The rules of all files apply in addition to the
    /// built-in ones. A file can switch built-in rules off with `disabledRules` if it also has `useDefault = true`.
    pub rule_files: Vec<RuleFile>,
    /// The shortest known value that is accepted, in characters.
    pub min_secret_length: usize,
    /// Whether masks say which rule made them.
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
