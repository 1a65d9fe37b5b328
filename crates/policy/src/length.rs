//! The limits on the length of a command, and the message about a longer one.

use std::fmt;

use crate::limits::{MAX_COMMAND_BYTES, MAX_WORDS};

/// What to do when a command is too long.
pub(crate) const TOO_LONG_HINT: &str =
    "Split the work over several calls, or pass the text as standard input.";

/// What a command has too much of. Its `Display` is the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Excess {
    /// More bytes than `MAX_COMMAND_BYTES`.
    Bytes(usize),
    /// More words than `MAX_WORDS`.
    Words(usize),
    /// More words than `MAX_WORDS`; reading stopped there.
    UncountedWords,
}

impl Excess {
    /// A longer text is not read at all.
    pub(crate) fn of_bytes(bytes: usize) -> Option<Self> {
        (bytes > MAX_COMMAND_BYTES).then_some(Self::Bytes(bytes))
    }

    pub(crate) fn of_words(words: usize) -> Option<Self> {
        (words > MAX_WORDS).then_some(Self::Words(words))
    }
}

impl fmt::Display for Excess {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("The command is too long: it has ")?;
        match self {
            Self::Bytes(bytes) => {
                write!(formatter, "{bytes} bytes, and {MAX_COMMAND_BYTES} are the most")
            }
            Self::Words(words) => write!(formatter, "{words} words, and {MAX_WORDS} are the most"),
            Self::UncountedWords => {
                write!(formatter, "too many words, and {MAX_WORDS} are the most")
            }
        }
    }
}
