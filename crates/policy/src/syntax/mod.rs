//! Reading text as shell: [`grammar`] makes a [`tree`] of it, or says where it gave up.
//!
//! [`command`] is the view of it for hosts without a shell: one plain command, and a
//! [`construct::Fault`] for each kind of thing that is more.

pub(crate) mod ansi_c;
pub(crate) mod command;
pub(crate) mod construct;
pub(crate) mod grammar;
#[cfg(test)]
mod tests;
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
