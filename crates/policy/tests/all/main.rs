//! One binary: a module per subject, and what they share.

mod common;

mod advice;
mod arrays;
mod asked;
mod cases;
mod classes;
mod configuration;
mod corpus;
mod discards;
mod generated;
mod git;
mod held;
mod history;
mod kinds;
mod later;
mod limits;
mod managers;
mod named;
mod named_uses;
mod options;
mod oracle;
mod paths;
mod places;
mod properties;
mod run_later;
mod scripts;
mod settings;
mod sourced;
mod starting;
mod surroundings;
mod tools;
mod typed;
