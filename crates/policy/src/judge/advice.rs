//! Names programs that an allowed command would start although they are not listed. The answer mentions them; the
//! decision stays.

use super::{Judge, shown};
use crate::lists;
use crate::program::{Origin, Program};
use crate::syntax::word::Word;
use crate::tables::advice::ADVICE;
use crate::tables::is_one_like;

/// Most unlisted programs that one answer names.
const MAX_NAMED_PROGRAMS: usize = 3;

impl Judge<'_> {
    /// Notes which unlisted programs the command would start, for the first command that has any.
    pub(super) fn note_unlisted_programs(&mut self, program: &Program, words: &[Word]) {
        let Some(rules) = self.policy.config.allow.as_deref() else { return };
        let Some(row) = ADVICE.find_program(program).filter(|_| self.advice.is_none()) else {
            return;
        };
        let is_used = |patterns: &str| {
            patterns == "*" || words[1..].iter().any(|word| is_one_like(patterns, &word.text))
        };
        let is_listed = |name: &str| {
            let helper = Program {
                base: name.to_owned(),
                folded: name.to_owned(),
                path: None,
                origin: Origin::Bare,
            };
            lists::allowed(rules, &helper, &[]) != lists::Listing::NotListed
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
