//! The tables: data only, one row per program.

pub(crate) mod environment;
pub(crate) mod equivalents;
mod index;
pub(crate) mod interpreters;
pub(crate) mod launchers;
pub(crate) mod readers;
pub(crate) mod uses;

pub(crate) use index::{Index, Names};

/// Whether a list of names, separated by single blanks, holds this one. For short lists; long ones are [`Names`].
pub(crate) fn holds(names: &str, name: &str) -> bool {
    names.as_bytes().split(|&byte| byte == b' ').any(|known| known == name.as_bytes())
}
