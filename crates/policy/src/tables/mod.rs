//! The tables: data only, one row per program.

pub(crate) mod arguments;
pub(crate) mod environment;
pub(crate) mod equivalents;
pub(crate) mod extensibles;
pub(crate) mod git;
mod index;
pub(crate) mod interpreters;
pub(crate) mod launchers;
pub(crate) mod managers;
pub(crate) mod projects;
pub(crate) mod readers;
pub(crate) mod starters;

pub(crate) use index::{Index, Names};

/// Whether a list of names, separated by single blanks, holds this one. For short lists; long ones are [`Names`].
pub(crate) fn holds(names: &str, name: &str) -> bool {
    names.as_bytes().split(|&byte| byte == b' ').any(|known| known == name.as_bytes())
}
