//! Effects that nobody lists a program for: scripts of packages, files that are written, discarded or sent away.

use super::{Judge, Text, shown};
use crate::config::Rule;
use crate::lists;
use crate::program::Program;
use crate::rule_id;
use crate::syntax::word::Word;
use crate::verdict::{Advice, Decision, Span};

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
        let hint = "Use a program made for the task.";
        let text = Text { program: Some(program), message, hint };
        let offers = this_use(program, words, at).into_iter().collect();
        let rule = rule_id::INTERPRETER_CODE;
        self.find_liftable(Decision::Ask, rule, words[at].span, text, offers);
    }

    /// Writing is not what these programs are listed for, and the file may be one that others run.
    pub(super) fn writes(&mut self, program: &Program, span: Span, construct: &str) {
        if self.has_allow_list() && !self.is_kept_from_writing() {
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

/// A rule for the words up to word `at`, where all of them are names.
pub(super) fn this_use(program: &Program, words: &[Word], at: usize) -> Option<Advice> {
    let args: Vec<String> = words.get(1..=at)?.iter().map(|word| word.text.clone()).collect();
    let is_name = |text: &String| {
        text.starts_with(|c: char| c.is_ascii_alphanumeric())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b":._-".contains(&byte))
    };
    let is_use = !args.is_empty() && args.iter().all(is_name);
    is_use.then(|| Advice::Allow(Rule { program: program.base.clone(), args: Some(args) }))
}
