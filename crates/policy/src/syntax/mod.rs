//! Reads text of shells: [`grammar`] makes a [`tree`] of it, or says where it failed.
//!
//! [`command`] reads a text for hosts without a shell: it must be one plain command, and every other construct is a
//! [`construct::Fault`].

pub(crate) mod ansi_c;
pub(crate) mod command;
pub(crate) mod construct;
pub(crate) mod fault_text;
pub(crate) mod grammar;
#[cfg(test)]
mod tests;
pub(crate) mod tree;
pub(crate) mod unread;
pub(crate) mod word;

/// The shell whose syntax a text has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// bash; also the syntax of commands that no shell runs.
    Bash,
    /// `sh`. Forms that not all of these shells read alike are faults.
    Posix,
    /// A shell with a syntax of its own. Only one plain command is read.
    Words,
}
