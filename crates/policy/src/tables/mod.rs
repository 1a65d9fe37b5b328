//! The tables: data only, one row per program.

pub(crate) mod launchers;
