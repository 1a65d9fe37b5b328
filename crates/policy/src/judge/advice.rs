//! Names programs that an allowed command would start although they are not listed. The answer mentions them; the
//! decision stays.

use super::{Judge, shown};
use crate::lists;
use crate::program::Program;
use crate::syntax::word::Word;
use crate::tables::advice::ADVICE;
use crate::tables::is_one_like;

/// Most unlisted programs that one answer names.
const MAX_NAMED_PROGRAMS: usize = 3;

impl Judge<'_> {
    /// Notes which unlisted programs the command would start, for the first command that has any.
    pub(super) fn note_unlisted_programs(&mut self, program: &Program, words: &[Word]) {
        let is_open = self.has_allow_list() && self.advice.is_none();
        let Some(row) = ADVICE.find_program(program).filter(|_| is_open) else { return };
        let is_used = |patterns: &str| {
            patterns == "*" || words[1..].iter().any(|word| is_one_like(patterns, &word.text))
        };
        let is_listed = |name: &str| {
            let listing = lists::allowed(&self.policy.config, &Program::bare(name), &[]);
            listing != lists::Listing::NotListed
        };
        let used = row.uses.iter().filter(|(patterns, _)| is_used(patterns));
        let mut missing: Vec<&str> = used
            .flat_map(|(_, starts)| starts.split(' '))
            .filter(|name| !is_listed(name))
            .collect();
        missing.dedup();
        missing.truncate(MAX_NAMED_PROGRAMS);
        if missing.is_empty() {
            return;
        }
        let (names, verb) = (missing.join("', '"), if missing.len() == 1 { "is" } else { "are" });
        let name = shown(&program.base);
        self.advice = Some(format!("'{name}' may start '{names}', which {verb} not listed."));
    }
}
