//! Judges effects for which nobody lists a program: scripts of packages that run, and files that are written or sent
//! away.

use super::{Judge, ReasonText, shown};
use crate::config::Rule;
use crate::lists;
use crate::program::Program;
use crate::rule_id;
use crate::syntax::word::Word;
use crate::verdict::{Advice, Decision, Span};

/// Effects that a rule for the very use answers.
pub(super) const IDS: [&str; 3] =
    [rule_id::EFFECT_DESTRUCTIVE, rule_id::EFFECT_UPLOAD, rule_id::EFFECT_WRITE];

impl Judge<'_> {
    /// Judges a use that runs scripts of packages or projects. It is a question under an allow list, unless a rule
    /// names this very use. Under a deny list alone the kernel plan holds what the scripts may do. The last word of the
    /// use has index `at`.
    pub(super) fn judge_scripts(&mut self, program: &Program, words: &[Word], at: usize) {
        if !self.has_allow_list()
            || lists::names_use(&self.policy.config, program, &words[1..], at)
            || self.is_trusted(program)
        {
            return;
        }
        let message =
            format!("Command '{}' would run scripts of packages or projects", shown(&program.base));
        let text = ReasonText { program: Some(program), message, hint: "" };
        let offers = this_use(program, words, at).into_iter().collect();
        let rule = rule_id::INTERPRETER_CODE;
        self.add_liftable_reason(Decision::Ask, rule, words[at].span, text, offers);
    }

    /// Asks about a file that an argument lets the caller choose: nobody lists these programs for writing, and other
    /// programs may run or obey the file.
    pub(super) fn judge_written_file(&mut self, program: &Program, span: Span, construct: &str) {
        if self.has_allow_list() && !self.is_writing_prevented() {
            let message =
                format!("Command '{}' writes a file chosen by {construct}", shown(&program.base));
            let hint = "Read the standard output instead.";
            self.ask(rule_id::EFFECT_WRITE, program, span, message, hint);
        }
    }

    pub(super) fn judge_sent_file(&mut self, program: &Program, span: Span, name: &str) {
        if self.has_allow_list() {
            let message = format!("Command '{}' sends a file away by {name}", shown(&program.base));
            let hint = "Leave the sending to the user.";
            self.ask(rule_id::EFFECT_UPLOAD, program, span, message, hint);
        }
    }
}

/// A rule that allows the program with its words up to index `at`. `None` when one of them is more than a plain name.
pub(super) fn this_use(program: &Program, words: &[Word], at: usize) -> Option<Advice> {
    use_of(program, words, at, is_name)
}

/// The same, where the words may be options without a value: what else begins with a dash may hold a secret.
pub(super) fn use_with_options(program: &Program, words: &[Word], at: usize) -> Option<Advice> {
    let is_option = |text: &str| match text.strip_prefix("--") {
        Some(name) => name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'),
        None => {
            text.len() == 2 && text.starts_with('-') && text.as_bytes()[1].is_ascii_alphabetic()
        }
    };
    use_of(program, words, at, |text| is_name(text) || is_option(text))
}

fn use_of(
    program: &Program,
    words: &[Word],
    at: usize,
    is_plain: impl Fn(&str) -> bool,
) -> Option<Advice> {
    let args: Vec<String> = words.get(1..=at)?.iter().map(|word| word.text.clone()).collect();
    let is_use = !args.is_empty() && args.iter().all(|arg| is_plain(arg));
    is_use.then(|| Advice::Allow(Rule { program: program.base.clone(), args: Some(args) }))
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b":._-".contains(&byte))
}
