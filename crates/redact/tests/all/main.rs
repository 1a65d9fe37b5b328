//! Tests of the whole crate, in one program.

#[path = "../../../text/tests/soak/mod.rs"]
mod soak;
mod support;

mod arguments;
mod assignments;
mod blocks;
mod choices;
mod command_lines;
mod documents;
mod elements;
mod escapes;
mod harmless;
mod hostile;
mod idle;
mod joined;
mod json;
mod known_values;
mod leaks;
mod named;
mod no_values;
mod options;
mod pairs;
mod piped;
mod positions;
mod private_keys;
mod rates;
mod rows;
mod rule_file_errors;
mod rule_files;
mod shapes;
mod splits;
mod sql;
mod streaming;
mod trusted;
mod utf16;
mod writing;
