//! Why a redactor cannot be built. No message holds the value of a secret, a substring or a pattern.

use std::fmt;

use crate::detect::random::is_restless;
use crate::limits::MAX_LITERAL_BYTES;

/// The options cannot be used. It does not depend on any text that is redacted later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
}

/// What is wrong with the options.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The pattern at `index` is not a regular expression of the supported syntax.
    PatternSyntax {
        /// Which of the patterns.
        index: usize,
        /// The character at which reading it failed.
        position: Option<usize>,
        /// What is wrong there.
        reason: String,
    },
    /// The pattern at `index` is longer than [`crate::MAX_PATTERN_BYTES`], or there are more than [`crate::MAX_PATTERNS`].
    PatternLimit {
        /// Which of the patterns.
        index: usize,
        /// Which limit, in words.
        reason: String,
    },
    /// A known value would be masked in too many harmless places.
    SecretRefused {
        /// The secret's name, if it reads like one: a value may stand in its place.
        name: String,
        /// Why.
        reason: String,
    },
    /// The substring at `index` is empty, has a line break, or is longer than [`MAX_LITERAL_BYTES`].
    SubstringRefused {
        /// Which of the substrings.
        index: usize,
        /// Why.
        reason: &'static str,
    },
    /// There is no built-in rule of this id.
    UnknownRule {
        /// The id as given, if it reads like one.
        id: String,
    },
    /// A rule file cannot be used.
    RuleFile {
        /// The file's name.
        file: String,
        /// The line, from 1; None when it is the file as a whole.
        line: Option<usize>,
        /// The id of the rule, when it is in one.
        rule: Option<String>,
        /// What is wrong; holds nothing of a value or a regular expression.
        reason: String,
    },
    /// All literals together are too large to search for.
    LiteralsTooLarge,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind) -> Self {
        Self { kind }
    }

    /// Without a position the pattern can be read, and exceeds a limit.
    pub(crate) fn pattern(index: usize, position: Option<usize>, reason: String) -> Self {
        Self::new(match position {
            Some(_) => ErrorKind::PatternSyntax { index, position, reason },
            None => ErrorKind::PatternLimit { index, reason: format!("it {reason}") },
        })
    }

    pub(crate) fn secret_refused(name: &str, reason: String) -> Self {
        Self::new(ErrorKind::SecretRefused { name: shown(name), reason })
    }

    pub(crate) fn substring_refused(index: usize, reason: &'static str) -> Self {
        Self::new(ErrorKind::SubstringRefused { index, reason })
    }

    pub(crate) fn unknown_rule(id: &str) -> Self {
        Self::new(ErrorKind::UnknownRule { id: shown(id) })
    }

    /// The same, in the rule of this id.
    pub(crate) fn of_rule(mut self, id: &str) -> Self {
        if let ErrorKind::RuleFile { rule, .. } = &mut self.kind {
            *rule = Some(id.to_owned());
        }
        self
    }

    pub(crate) fn literals_too_large() -> Self {
        Self::new(ErrorKind::LiteralsTooLarge)
    }

    /// What is wrong.
    pub fn kind(&self) -> &ErrorKind {
        &self.kind
    }

    /// The stable code: `ERR_INVALID_PATTERN`, `ERR_INVALID_RULE_FILE` or `ERR_INVALID_ARGUMENT`.
    pub fn code(&self) -> &'static str {
        match self.kind {
            ErrorKind::PatternSyntax { .. } | ErrorKind::PatternLimit { .. } => {
                "ERR_INVALID_PATTERN"
            }
            ErrorKind::RuleFile { .. } => "ERR_INVALID_RULE_FILE",
            _ => "ERR_INVALID_ARGUMENT",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ErrorKind::PatternSyntax { index, position: Some(position), reason } => {
                write!(formatter, "patterns[{index}] is invalid at character {position}: {reason}")
            }
            ErrorKind::PatternSyntax { index, position: None, reason } => {
                write!(formatter, "patterns[{index}] is invalid: {reason}")
            }
            ErrorKind::PatternLimit { index, reason } => {
                write!(formatter, "patterns[{index}] is refused: {reason}")
            }
            ErrorKind::SecretRefused { name, reason } => {
                write!(formatter, "the secret named `{name}` is refused: {reason}")
            }
            ErrorKind::SubstringRefused { index, reason } => {
                write!(
                    formatter,
                    "substrings[{index}] is refused: {reason} (limit {MAX_LITERAL_BYTES} bytes)"
                )
            }
            ErrorKind::UnknownRule { id } => write!(formatter, "there is no rule `{id}`"),
            ErrorKind::RuleFile { file, line, rule, reason } => {
                formatter.write_str(file)?;
                if let Some(line) = line {
                    write!(formatter, ":{line}")?;
                }
                if let Some(rule) = rule {
                    write!(formatter, ": rule `{rule}`")?;
                }
                write!(formatter, ": {reason}")
            }
            ErrorKind::LiteralsTooLarge => {
                write!(formatter, "the secrets and substrings are too large together")
            }
        }
    }
}

impl std::error::Error for Error {}

/// A name that is no longer is shown whatever it is made of.
const SHORT_NAME_CHARS: usize = 12;

/// A name that is longer is not shown.
const MAX_NAME_CHARS: usize = 80;

/// So many digits are a year; more are at most one in so many characters of a name.
const FEW_DIGITS: usize = 4;
const CHARS_OF_A_DIGIT: usize = 5;

/// A name as it may stand in a message: one that reads like a key is left out.
pub(crate) fn shown(name: &str) -> String {
    let count = name.chars().count();
    let digits = name.bytes().filter(u8::is_ascii_digit).count();
    let has_words =
        || digits <= FEW_DIGITS.max(count / CHARS_OF_A_DIGIT) && !is_restless(name.as_bytes());
    let is_name = count <= SHORT_NAME_CHARS || count <= MAX_NAME_CHARS && has_words();
    if is_name { name.to_owned() } else { "(a name that is not shown)".to_owned() }
}
