//! The tables: data only, one row per program.

pub(crate) mod arguments;
pub(crate) mod equivalents;
pub(crate) mod git;
pub(crate) mod launchers;
pub(crate) mod readers;
pub(crate) mod starters;
