//! Syntax that the grammar has no rule for, and the messages about it.

use crate::rule_id;

/// A form of syntax that is refused because it is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unread {
    /// The text ends too early, or has a sign in a wrong place.
    Syntax,
    /// The same within a compound command or a substitution, by what that begins with.
    Within(&'static str),
    /// Nothing ends a compound command or a substitution, by what that begins with.
    Unclosed(&'static str),
    Depth,
    Coprocess,
    Select,
    Array,
    AssociativeArray,
    /// A parenthesis that begins no command, as in an extended pattern.
    Pattern,
    Indirect,
    Transformation,
    FunctionSubstitution,
    OldArithmetic,
    /// A sign in arithmetic after which text may be evaluated again.
    Arithmetic,
    DocumentEnd,
    Descriptor,
    QuoteInExpansion,
    Braces,
    FunctionName,
    /// A form that `sh` need not have, by its name.
    NotPosix(&'static str),
}

impl Unread {
    /// The rule, the message, and what to do instead.
    pub(crate) fn describe(self) -> (&'static str, String, &'static str) {
        let (rule, message, hint) = match self {
            Self::Syntax | Self::Within(_) | Self::Unclosed(_) => (
                rule_id::SYNTAX_UNREADABLE,
                "The text could not be read as shell syntax",
                "Close every quote, parenthesis and compound command, and use plain forms.",
            ),
            Self::Depth => (
                rule_id::HYGIENE_NESTING,
                "Commands are nested too deeply",
                "Use fewer substitutions and groups inside of each other.",
            ),
            Self::Coprocess => (
                rule_id::SYNTAX_KEYWORD,
                "A `coproc` is not understood here",
                "Join the commands with a pipe, or start one with `&`.",
            ),
            Self::Select => (
                rule_id::SYNTAX_KEYWORD,
                "A `select` is not understood here",
                "Nobody answers it here: use `for`.",
            ),
            Self::Array => (
                rule_id::SYNTAX_GROUP,
                "This form of an array is not understood here",
                "Set it in a command of its own, by `name=(word …)`, `name+=(word …)` or `name[0]=word`, and use `\"${name[@]}\"` or `\"${name[0]}\"`.",
            ),
            Self::AssociativeArray => (
                rule_id::SYNTAX_GROUP,
                "An associative array (`declare -A`) is not understood here: bash evaluates its subscripts",
                "Use `case`, a plain array whose words have the form `key=value`, or a program such as `awk` or `jq`.",
            ),
            Self::Pattern => (
                rule_id::SYNTAX_GROUP,
                "An unquoted parenthesis that is no command is not understood here",
                "Put quotes around it, or keep the pattern in a variable.",
            ),
            Self::Indirect => (
                rule_id::SYNTAX_EXPANSION,
                "An indirect expansion (`${!name}`) is not understood here",
                "Use the variable itself.",
            ),
            Self::Transformation => (
                rule_id::SYNTAX_EXPANSION,
                "An expansion of the form `${name@…}` is not understood here: it may evaluate the value",
                "Use `\"$name\"`, or `printf '%q'`.",
            ),
            Self::FunctionSubstitution => (
                rule_id::SYNTAX_EXPANSION,
                "A substitution of the form `${ …; }` is not understood here",
                "Write `$(…)`.",
            ),
            Self::OldArithmetic => (
                rule_id::SYNTAX_EXPANSION,
                "An arithmetic expansion of the form `$[…]` is not understood here",
                "Write `$((…))`.",
            ),
            Self::Arithmetic => (
                rule_id::SYNTAX_EXPANSION,
                "Arithmetic with subscripts, quotes or unusual signs is not understood here",
                "Use numbers, names and operators, and `))` at the end.",
            ),
            Self::DocumentEnd => (
                rule_id::SYNTAX_REDIRECTION,
                "A here-document has no end that can be found",
                "Let its lines follow the command, and put the delimiter alone on the last line.",
            ),
            Self::Descriptor => (
                rule_id::SYNTAX_REDIRECTION,
                "A descriptor that is chosen when the script runs is not understood here",
                "Write its number.",
            ),
            _ => return self.describe_words(),
        };
        (rule, message.to_owned(), hint)
    }

    fn describe_words(self) -> (&'static str, String, &'static str) {
        let (rule, message, hint) = match self {
            Self::QuoteInExpansion => (
                rule_id::SYNTAX_QUOTING,
                "A quote inside of an expansion that is quoted itself is read differently by different shells",
                "Set a variable to the text first, or leave the quotes out.",
            ),
            Self::Braces => (
                rule_id::SYNTAX_BRACE,
                "A brace expansion here is not understood",
                "Write the words out, or put quotes around the word if it is meant literally.",
            ),
            Self::FunctionName => (
                rule_id::SYNTAX_GROUP,
                "A function needs a plain name that is no reserved word",
                "Use letters, digits and underscores.",
            ),
            Self::NotPosix(what) => {
                let message = format!("{what} is not understood by every `sh`");
                return (rule_id::SYNTAX_UNREADABLE, message, "Use `bash -c`, or the plain form.");
            }
            _ => (rule_id::SYNTAX_UNREADABLE, "The text could not be read", "Use plain forms."),
        };
        (rule, message.to_owned(), hint)
    }
}
