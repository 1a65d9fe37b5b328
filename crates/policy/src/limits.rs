//! Every bound of the crate, with its unit.

/// Longest command, in bytes: the string, or the argv joined by single spaces.
pub const MAX_COMMAND_BYTES: usize = 64 * 1024;

/// How deep code may hide in code (`bash -c "env -S 'nice …'"`), counted in nested readings.
pub const MAX_NESTING: usize = 16;

/// How deep commands, substitutions and groups of one text may be nested.
pub const MAX_SYNTAX_DEPTH: usize = 64;

/// Most commands that one command may hold, nested or side by side (`find -exec … -exec …`): each is judged.
pub const MAX_INNER_COMMANDS: usize = 256;

/// Most words of one command, the program included.
pub const MAX_WORDS: usize = 8192;

/// Most reasons in one verdict. Reasons past the limit are dropped, their decision is not.
pub const MAX_REASONS: usize = 64;
