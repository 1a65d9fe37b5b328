//! Tests of the whole crate, in one program.

#[path = "../../../text/tests/soak/mod.rs"]
mod soak;
mod support;

mod blocks;
mod cut_values;
mod escapes;
mod harmless;
mod hostile;
mod idle;
mod json;
mod known_values;
mod leaks;
mod learned;
mod options;
mod private_keys;
mod rates;
mod rule_file_errors;
mod rule_files;
mod rules;
mod splits;
mod streaming;
mod tables;
mod utf16;
mod windows;
