//! Asks about the uses of programs that the host wants to be asked about.

use super::effects::this_use;
use super::git::subcommand_index;
use super::{Judge, ReasonText, shown};
use crate::config::Rule;
use crate::lists;
use crate::mark;
use crate::program::Program;
use crate::rule_id;
use crate::syntax::word::Word;
use crate::verdict::Decision;

impl Judge<'_> {
    /// Asks where a rule of `ask` covers this use, unless a rule of the allow list names the same words or more.
    pub(super) fn judge_asked_use(&mut self, program: &Program, words: &[Word]) {
        let config = &self.policy.config;
        let from = if program.kind() == "git" { subcommand_index(words) } else { 1 };
        let arguments = &words[from..];
        let covers = |rule: &&Rule| {
            lists::is_named(rule, program, &config.roots)
                && self.may_start_with(rule.args.as_deref().unwrap_or_default(), arguments)
        };
        let Some(rule) = config.ask.iter().find(covers) else { return };
        if self.is_unlisted(program, words) {
            return;
        }
        let count = rule.args.as_ref().map_or(0, Vec::len).min(arguments.len());
        let last = if count == 0 { 0 } else { from + count - 1 };
        let span = words[last].span;
        // A rule of `ask` without arguments is answered by any rule that has some.
        if self.answered.contains(&span) || (count == 0 && !self.answered.is_empty()) {
            return self.named.note_unread_code();
        }
        let message =
            format!("Command '{}' is to be asked about in this use", shown(&program.base));
        let text = ReasonText { program: Some(program), message, hint: "Leave it to the user." };
        let offers = this_use(program, words, last).into_iter().collect();
        self.add_liftable_reason(Decision::Ask, rule_id::LIST_ASKED, span, text, offers);
    }

    /// Whether the arguments begin with these. A word that only run time knows may be any, and so may what is appended.
    fn may_start_with(&self, args: &[String], arguments: &[Word]) -> bool {
        let is_open = |word: &Word| mark::is_in(&word.text) || self.is_replaced(word);
        let is_last_open = arguments.last().is_some_and(|word| word.text.contains(mark::ANY_WORDS));
        (arguments.len() >= args.len() || self.more_arguments || is_last_open)
            && args.iter().zip(arguments).all(|(arg, word)| *arg == word.text || is_open(word))
    }
}
