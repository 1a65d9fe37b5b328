//! Stable ids of the rules. Programs compare them, so their meaning never changes.

/// Everything in the command is allowed.
pub const LIST_ALLOWED: &str = "list.allowed";
/// A program is not on the allow list.
pub const LIST_NOT_ALLOWED: &str = "list.not_allowed";
/// A program is on the deny list, or may be.
pub const LIST_DENIED: &str = "list.denied";
/// A use of a listed program that the host wants to be asked about.
pub const LIST_ASKED: &str = "list.asked";
/// No list was given, or the allow list is empty: nothing runs.
pub const LIST_EMPTY: &str = "list.empty";

/// The command names no program.
pub const COMMAND_EMPTY: &str = "command.empty";

/// What the ids of shell syntax begin with.
pub(crate) const SYNTAX_PREFIX: &str = "syntax.";
/// What the ids of characters that do not belong into a command begin with.
pub(crate) const HYGIENE_PREFIX: &str = "hygiene.";

/// A list or pipe operator, or a line break between commands.
pub const SYNTAX_OPERATOR: &str = "syntax.operator";
/// A redirection, here-document or here-string.
pub const SYNTAX_REDIRECTION: &str = "syntax.redirection";
/// A parameter, command, arithmetic or process substitution.
pub const SYNTAX_EXPANSION: &str = "syntax.expansion";
/// An unquoted file name pattern.
pub const SYNTAX_GLOB: &str = "syntax.glob";
/// A brace expansion.
pub const SYNTAX_BRACE: &str = "syntax.brace";
/// A tilde that a shell would replace by a home directory.
pub const SYNTAX_TILDE: &str = "syntax.tilde";
/// A reserved word where a program is expected.
pub const SYNTAX_KEYWORD: &str = "syntax.keyword";
/// A subshell, group, function definition or array.
pub const SYNTAX_GROUP: &str = "syntax.group";
/// An assignment that is not `NAME=literal` in front of a program.
pub const SYNTAX_ASSIGNMENT: &str = "syntax.assignment";
/// A quote or a backslash without its end.
pub const SYNTAX_UNTERMINATED: &str = "syntax.unterminated";
/// Shell syntax that could not be read, so that nobody knows what would run.
pub const SYNTAX_UNREADABLE: &str = "syntax.unreadable";
/// A form of quoting that shells read differently.
pub const SYNTAX_QUOTING: &str = "syntax.quoting";

/// A NUL character, written or as an escape.
pub const HYGIENE_NUL: &str = "hygiene.nul";
/// The command has too many bytes or words.
pub const HYGIENE_LENGTH: &str = "hygiene.length";
/// Commands inside of commands, more levels than are allowed.
pub const HYGIENE_NESTING: &str = "hygiene.nesting";
/// A control character other than tab and line feed.
pub const HYGIENE_CONTROL: &str = "hygiene.control";
/// A character that makes the text look like another one.
pub const HYGIENE_DECEPTIVE: &str = "hygiene.deceptive";
/// Escapes that decode to bytes which are not UTF-8.
pub const HYGIENE_ENCODING: &str = "hygiene.encoding";

/// A typed line with a character that a terminal or a line editor acts on, so that another line would arrive.
pub const SESSION_CONTROL: &str = "session.control";
/// A typed line that changes or reads the input of the shell, so that it would run other lines than those that are typed.
pub const SESSION_INPUT: &str = "session.input";

/// A path outside the trusted directories names the program.
pub const PROGRAM_UNTRUSTED_PATH: &str = "program.untrusted_path";
/// The program or its code is known only at run time (from standard input, a pattern, another machine).
pub const PROGRAM_DYNAMIC: &str = "program.dynamic";
/// A directory that may lie outside of the roots.
pub const PROGRAM_DIRECTORY: &str = "program.directory";
/// A built-in of a shell, for which there is no program.
pub const PROGRAM_BUILTIN: &str = "program.builtin";
/// An unknown option of a program that starts other programs.
pub const LAUNCHER_OPTION: &str = "launcher.option";
/// A program that starts others where this machine does not confine them.
pub const LAUNCHER_OUTSIDE: &str = "launcher.outside";
/// A shell whose code could not be read, because it comes from a file or from standard input.
pub const SHELL_SCRIPT: &str = "shell.script";
/// Code for an interpreter, or scripts of packages and projects.
pub const INTERPRETER_CODE: &str = "interpreter.code";
/// An argument that makes the program run a command.
pub const ARGUMENT_EXECUTES: &str = "argument.executes";
/// An argument that makes a program take options or code from another place.
pub const ARGUMENT_UNSEEN: &str = "argument.unseen";
/// An argument of an unknown program names a denied program.
pub const ARGUMENT_NAMES_DENIED: &str = "argument.names_denied";
/// An environment variable that decides what runs.
pub const ENVIRONMENT_DANGEROUS: &str = "environment.dangerous";
/// A program with the effect of a denied one.
pub const EFFECT_EQUIVALENT: &str = "effect.equivalent";
/// An argument that discards data, a command on a whole tree, or a deletion at a service.
pub const EFFECT_DESTRUCTIVE: &str = "effect.destructive";
/// An argument that writes a file of the caller's choice, by a program that is not listed for writing.
pub const EFFECT_WRITE: &str = "effect.write";
/// A word that names a file with passwords or keys of the machine.
pub const EFFECT_SECRETS: &str = "effect.secrets";
/// An argument that sends a file away.
pub const EFFECT_UPLOAD: &str = "effect.upload";
