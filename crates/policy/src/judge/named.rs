//! Which programs a text names, and whether that is all it can name.

use std::collections::BTreeSet;

use crate::rule_id;

/// Findings about programs that are known. After any other something else may run.
const KNOWN: [&str; 9] = [
    rule_id::LIST_NOT_ALLOWED,
    rule_id::LIST_DENIED,
    rule_id::LIST_EMPTY,
    rule_id::PROGRAM_UNTRUSTED_PATH,
    rule_id::PROGRAM_DIRECTORY,
    rule_id::EFFECT_EQUIVALENT,
    rule_id::EFFECT_DESTRUCTIVE,
    rule_id::EFFECT_WRITE,
    rule_id::EFFECT_UPLOAD,
];

/// Base names of everything that may be started, each once, in the order of the text.
#[derive(Debug, Default)]
pub(crate) struct Named {
    names: Vec<String>,
    seen: BTreeSet<String>,
    unread: bool,
}

impl Named {
    pub(super) fn add(&mut self, name: &str) {
        if !self.seen.contains(name) {
            self.seen.insert(name.to_owned());
            self.names.push(name.to_owned());
        }
    }

    /// Something runs that could not be read.
    pub(super) fn unread(&mut self) {
        self.unread = true;
    }

    pub(super) fn found(&mut self, rule: &str) {
        self.unread |= !KNOWN.contains(&rule);
    }

    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// The names, and whether nothing else runs.
    pub(crate) fn into_parts(self) -> (Vec<String>, bool) {
        (self.names, !self.unread)
    }
}
