//! Reading a string as one simple command: tokens, words, quoting.
//!
//! [`lexer::Lexer`] yields one token per call and keeps no state besides its position, so a
//! grammar for lists, pipes and substitutions can drive it; [`command`] is the only grammar on top
//! of it today and turns everything but one simple command into a [`construct::Fault`].

pub(crate) mod ansi_c;
pub(crate) mod command;
pub(crate) mod construct;
pub(crate) mod grammar;
pub(crate) mod outline;
pub(crate) mod tree;
pub(crate) mod unread;
pub(crate) mod word;

/// Whose rules of quoting hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// bash, and this crate's own reading.
    Bash,
    /// `sh`: forms that not every one of them reads alike are faults.
    Posix,
    /// A shell of the family with a grammar of its own: only one plain command is read.
    Words,
}
