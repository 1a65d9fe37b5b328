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
    /// Any shell of the family: forms that not all of them read alike are faults.
    Posix,
}
