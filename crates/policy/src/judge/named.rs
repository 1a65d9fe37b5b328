//! Collects the programs that a text names, and whether it can start others.

use std::collections::BTreeSet;

use crate::rule_id;

/// Rules whose reasons concern a program of known name. Any other reason means that further programs may run.
const RULES_ABOUT_KNOWN_PROGRAMS: [&str; 11] = [
    rule_id::LIST_NOT_ALLOWED,
    rule_id::LIST_DENIED,
    rule_id::LIST_ASKED,
    rule_id::LIST_EMPTY,
    rule_id::PROGRAM_UNTRUSTED_PATH,
    rule_id::PROGRAM_DIRECTORY,
    rule_id::EFFECT_EQUIVALENT,
    rule_id::EFFECT_DESTRUCTIVE,
    rule_id::EFFECT_WRITE,
    rule_id::EFFECT_SECRETS,
    rule_id::EFFECT_UPLOAD,
];

/// Base names of the programs that a text may start, each once, in the order of the text.
#[derive(Debug, Default)]
pub(crate) struct NamedPrograms {
    names: Vec<String>,
    seen: BTreeSet<String>,
    unread: bool,
    /// Whether one of them prints a secret alone.
    pub(crate) prints_secret: bool,
}

impl NamedPrograms {
    pub(super) fn add(&mut self, name: &str) {
        if !self.seen.contains(name) {
            self.seen.insert(name.to_owned());
            self.names.push(name.to_owned());
        }
    }

    /// Notes that some code could not be read.
    pub(super) fn note_unread_code(&mut self) {
        self.unread = true;
    }

    pub(super) fn note_reason(&mut self, rule: &str) {
        self.unread |= !RULES_ABOUT_KNOWN_PROGRAMS.contains(&rule);
    }

    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// The names, and whether no other program can run.
    pub(crate) fn into_parts(self) -> (Vec<String>, bool) {
        (self.names, !self.unread)
    }
}
