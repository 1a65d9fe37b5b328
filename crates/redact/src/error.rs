//! The reasons why a redactor cannot be built. No message contains the value of a secret, a substring or a pattern.

use std::fmt;

use crate::detect::random::is_alternating;
use crate::limits::MAX_LITERAL_BYTES;

/// The error of options that cannot be used. It does not depend on any text that is redacted later.
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
        /// The character at which parsing failed.
        position: Option<usize>,
        /// What is wrong there.
        reason: String,
    },
    /// The pattern at `index` is longer than [`crate::MAX_PATTERN_BYTES`], or there are more than [`crate::MAX_PATTERNS`].
    PatternLimit {
        /// Which of the patterns.
        index: usize,
        /// Which limit is exceeded, in words.
        reason: String,
    },
    /// A known value would be masked in too many harmless places.
    SecretRefused {
        /// The name of the secret, if it reads like a name: a value may stand in its place.
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
        /// The id that was given, if it reads like an id.
        id: String,
    },
    /// A rule file cannot be used.
    RuleFile {
        /// The file's name.
        file: String,
        /// The line, counted from 1. `None` if the error concerns the whole file.
        line: Option<usize>,
        /// The id of the rule that the error is in, if it is in one.
        rule: Option<String>,
        /// What is wrong. The text contains no part of a value or a regular expression.
        reason: String,
    },
    /// All literals together are too large to search for.
    LiteralsTooLarge,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind) -> Self {
        Self { kind }
    }

    /// The error of a pattern. Without a position the pattern was parsed and exceeds a limit.
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

    /// Adds the id of the rule that the error is in.
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

/// A name up to this length is always shown.
const MAX_SHORT_NAME_CHARS: usize = 12;

/// A name that is longer than this is never shown.
const MAX_NAME_CHARS: usize = 80;

/// A name with up to this many digits may contain a year. With more digits, at most one in [`MIN_CHARS_PER_DIGIT`]
/// characters may be a digit.
const MAX_YEAR_DIGITS: usize = 4;
const MIN_CHARS_PER_DIGIT: usize = 5;

/// The name as it is written in a message. A name that looks like a key is left out.
pub(crate) fn shown(name: &str) -> String {
    let count = name.chars().count();
    let digits = name.bytes().filter(u8::is_ascii_digit).count();
    let has_words = || {
        digits <= MAX_YEAR_DIGITS.max(count / MIN_CHARS_PER_DIGIT)
            && !is_alternating(name.as_bytes())
    };
    let is_name = count <= MAX_SHORT_NAME_CHARS || count <= MAX_NAME_CHARS && has_words();
    if is_name { name.to_owned() } else { "(a name that is not shown)".to_owned() }
}
