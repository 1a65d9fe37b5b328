//! Shell constructs that one plain command does not have, and the messages about them.

use super::unread::Unread;
use crate::length::{self, Excess};
use crate::rule_id;
use crate::verdict::Span;

/// A construct in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Construct {
    Pipe,
    AndOr,
    Semicolon,
    Background,
    LineBreak,
    Redirection,
    HereDocument,
    Variable,
    ParameterExpansion,
    CommandSubstitution,
    Backtick,
    Arithmetic,
    ProcessSubstitution,
    Subshell,
    Parenthesis,
    Function,
    Array,
    Keyword(&'static str),
    Glob,
    Brace,
    Tilde,
    Append,
    Element,
    OnlyAssignments,
    SingleQuote,
    DoubleQuote,
    AnsiQuote,
    Backslash,
    AmbiguousQuote,
    AmbiguousEscape,
    Nul,
    Encoding,
    TooManyWords,
    /// A form that the grammar has no rule for.
    Unread(Unread),
}

/// A construct that makes a text unusable, and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) construct: Construct,
    pub(crate) span: Span,
}

const ONE_AT_A_TIME: &str = "Run the commands one at a time, each in its own call.";
const NO_EXPANSION: &str =
    "Write the value itself, or put single quotes around the word if the text is meant literally.";
const QUOTE_IT: &str = "Name the files, or put quotes around the word if it is meant literally.";
const NO_REDIRECTION: &str = "Leave the redirection out: name an input file as an argument; what is written is captured anyway.";
const CLOSE_IT: &str = "Close the quote.";

impl Construct {
    /// The rule, the message, and what to do instead.
    pub(crate) fn describe(self) -> (&'static str, String, &'static str) {
        let (rule, what, hint) = match self {
            Self::Unread(unread) => return unread.describe(),
            Self::Pipe => (rule_id::SYNTAX_OPERATOR, "A pipe (`|`)", ONE_AT_A_TIME),
            Self::AndOr => (rule_id::SYNTAX_OPERATOR, "A list (`&&`, `||`)", ONE_AT_A_TIME),
            Self::Semicolon => (rule_id::SYNTAX_OPERATOR, "A list (`;`)", ONE_AT_A_TIME),
            Self::Background => {
                (rule_id::SYNTAX_OPERATOR, "A background job (`&`)", "Run the command without `&`.")
            }
            Self::LineBreak => {
                (rule_id::SYNTAX_OPERATOR, "A line break between commands", ONE_AT_A_TIME)
            }
            Self::Redirection => {
                (rule_id::SYNTAX_REDIRECTION, "A redirection (`<`, `>`)", NO_REDIRECTION)
            }
            Self::HereDocument => (
                rule_id::SYNTAX_REDIRECTION,
                "A here-document or here-string (`<<`)",
                "Give the text as an argument, or name a file that has it.",
            ),
            Self::Variable => (rule_id::SYNTAX_EXPANSION, "A variable (`$name`)", NO_EXPANSION),
            Self::ParameterExpansion => {
                (rule_id::SYNTAX_EXPANSION, "A parameter expansion (`${…}`)", NO_EXPANSION)
            }
            Self::CommandSubstitution => (
                rule_id::SYNTAX_EXPANSION,
                "A command substitution (`$(…)`)",
                "Run the inner command first and pass its output as an argument.",
            ),
            Self::Backtick => (
                rule_id::SYNTAX_EXPANSION,
                "A command substitution (backticks)",
                "Run the inner command first, or put single quotes around the text.",
            ),
            Self::Arithmetic => (
                rule_id::SYNTAX_EXPANSION,
                "An arithmetic expansion (`$((…))`, `$[…]`)",
                "Write the number itself.",
            ),
            Self::ProcessSubstitution => (
                rule_id::SYNTAX_EXPANSION,
                "A process substitution (`<(…)`, `>(…)`)",
                "Run the inner command in a call of its own.",
            ),
            Self::Subshell => (rule_id::SYNTAX_GROUP, "A subshell (`(…)`)", ONE_AT_A_TIME),
            Self::Parenthesis => (
                rule_id::SYNTAX_GROUP,
                "An unquoted parenthesis",
                "Put quotes around the word if it is meant literally.",
            ),
            Self::Function => (rule_id::SYNTAX_GROUP, "A function definition", ONE_AT_A_TIME),
            Self::Array => (rule_id::SYNTAX_GROUP, "An array (`name=(…)`)", ONE_AT_A_TIME),
            Self::Keyword(word) => {
                return (
                    rule_id::SYNTAX_KEYWORD,
                    sentence(&format!("The shell keyword `{word}`")),
                    ONE_AT_A_TIME,
                );
            }
            Self::Glob => (rule_id::SYNTAX_GLOB, "A file name pattern (`*`, `?`, `[…]`)", QUOTE_IT),
            Self::Brace => (
                rule_id::SYNTAX_BRACE,
                "A brace expansion (`{a,b}`)",
                "Write the words out, or put quotes around the word if it is meant literally.",
            ),
            Self::Tilde => (
                rule_id::SYNTAX_TILDE,
                "A tilde for a home directory (`~`)",
                "Write the path out, or put quotes around the word if it is meant literally.",
            ),
            Self::Append => (
                rule_id::SYNTAX_ASSIGNMENT,
                "An appending assignment (`NAME+=…`)",
                "Write `NAME=value` with the whole value.",
            ),
            Self::Element => (
                rule_id::SYNTAX_ASSIGNMENT,
                "An assignment to an array element",
                "Write `NAME=value` in front of a program.",
            ),
            Self::OnlyAssignments => (
                rule_id::SYNTAX_ASSIGNMENT,
                "An assignment without a program",
                "A variable lasts for one command: write it in front of the program.",
            ),
            _ => return self.describe_text(),
        };
        (rule, sentence(what), hint)
    }

    /// The same for mistakes in the text itself, such as an open quote.
    fn describe_text(self) -> (&'static str, String, &'static str) {
        match self {
            Self::SingleQuote => unterminated("A single quote has no end", CLOSE_IT),
            Self::DoubleQuote => unterminated("A double quote has no end", CLOSE_IT),
            Self::AnsiQuote => unterminated("A quote of the form $'…' has no end", CLOSE_IT),
            Self::Backslash => unterminated(
                "A backslash at the end escapes nothing",
                "Leave the last backslash out.",
            ),
            Self::AmbiguousQuote => other(
                rule_id::SYNTAX_QUOTING,
                "Quotes of the form $'…' and $\"…\" are read differently by different shells",
                "Use plain single quotes.",
            ),
            Self::AmbiguousEscape => other(
                rule_id::SYNTAX_QUOTING,
                "The escapes \\c and \\x{…} are read differently by different shells",
                "Use \\xHH or \\uHHHH.",
            ),
            Self::Nul => other(
                rule_id::HYGIENE_NUL,
                "The command contains a NUL character",
                "No argument can hold a NUL: leave it out.",
            ),
            Self::Encoding => other(
                rule_id::HYGIENE_ENCODING,
                "Escapes in the command decode to bytes that are not UTF-8",
                "Write the characters themselves.",
            ),
            _ => {
                (rule_id::HYGIENE_LENGTH, Excess::UncountedWords.to_string(), length::TOO_LONG_HINT)
            }
        }
    }
}

fn sentence(what: &str) -> String {
    format!("{what} is shell syntax: only one simple command is understood here")
}

fn unterminated(message: &str, hint: &'static str) -> (&'static str, String, &'static str) {
    (rule_id::SYNTAX_UNTERMINATED, message.to_owned(), hint)
}

fn other(
    rule: &'static str,
    message: &str,
    hint: &'static str,
) -> (&'static str, String, &'static str) {
    (rule, message.to_owned(), hint)
}
