//! The tables: data only, one row per program.

pub(crate) mod arguments;
pub(crate) mod equivalents;
pub(crate) mod git;
pub(crate) mod launchers;
pub(crate) mod readers;
pub(crate) mod starters;

/// Whether a row's names, separated by single blanks, hold this one. Called for every row of a table, so it looks at
/// bytes and compares only what is as long.
pub(crate) fn holds(names: &str, name: &str) -> bool {
    names.as_bytes().split(|&byte| byte == b' ').any(|known| known == name.as_bytes())
}
