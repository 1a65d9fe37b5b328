//! Effects that nobody lists a program for: scripts of packages, files that are written, discarded or sent away.

use super::{Judge, shown};
use crate::lists;
use crate::program::Program;
use crate::rule_id;
use crate::syntax::word::Word;
use crate::verdict::Span;

impl Judge<'_> {
    /// Scripts of packages or projects. Listing the program does not say that they may run; a rule that names this use
    /// says so. Under a deny list alone they are left to the kernel plan. The use ends with word `at`.
    pub(super) fn scripts(&mut self, program: &Program, words: &[Word], at: usize) {
        let rules = self.policy.config.allow.as_deref();
        if rules.is_none_or(|rules| lists::names_use(rules, program, &words[1..], at))
            || self.is_trusted(program)
        {
            return;
        }
        let message =
            format!("Command '{}' would run scripts of packages or projects", shown(&program.base));
        let hint = "A host can list this use (program and args), or name the program in trustInterpreters.";
        self.ask(rule_id::INTERPRETER_CODE, program, words[at].span, message, hint);
    }

    /// Writing is not what these programs are listed for, and the file may be one that others run.
    pub(super) fn writes(&mut self, program: &Program, span: Span, construct: &str) {
        if self.has_allow_list() {
            let message =
                format!("Command '{}' writes a file chosen by {construct}", shown(&program.base));
            let hint = "Read the standard output instead.";
            self.ask(rule_id::EFFECT_WRITE, program, span, message, hint);
        }
    }

    pub(super) fn sends(&mut self, program: &Program, span: Span, name: &str) {
        if self.has_allow_list() {
            let message = format!("Command '{}' sends a file away by {name}", shown(&program.base));
            let hint = "Leave that argument out.";
            self.ask(rule_id::EFFECT_UPLOAD, program, span, message, hint);
        }
    }
}
