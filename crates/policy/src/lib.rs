//! Decides what a command would really run, and whether the lists of a host let it.
//!
//! Input is a string that must be *one simple command* with quoting ([`Policy::decide_line`]), a script
//! that bash runs ([`Policy::decide_script`]), or an argv that no shell sees ([`Policy::decide_argv`]).
//! Launchers, shells and arguments that run code are followed to the programs they start; every one of
//! those must pass. What cannot be proved is denied or asked, never allowed.
//!
//! Not judged here: what a listed program does to *files* (`cp a b` with `cp` listed, `sort -o`,
//! `sed -i`). That is the kernel plan's and the full front end's part.
//!
//! The crate does no IO, reads no clock and no environment, and never panics on any input.

mod advice;
mod checked;
mod config;
mod folder_makers;
mod hygiene;
mod judge;
mod languages;
mod length;
pub mod limits;
mod lists;
mod mark;
mod named_words;
mod nearest;
pub mod paths;
mod place;
pub mod plan;
mod policy;
mod program;
pub mod rule_id;
mod surroundings;
mod syntax;
mod tables;
mod verdict;

pub use config::{Config, DEFAULT_TRUSTED_DIRECTORIES, Error, ErrorKind, Rule};
pub use folder_makers::{FolderMakers, Made, is_dependency_folder};
pub use named_words::{NamedWords, named_words};
pub use nearest::mistakes;
pub use policy::Policy;
pub use surroundings::{Enforced, Entry, FileText, Files, Surroundings};
pub use syntax::grammar::rule_words;
pub use tables::printed_secrets::names_secret;
pub use verdict::{Advice, Assignment, Decision, Reason, Span, Verdict};
