//! Effects of denied names by other means, and programs nobody knows.

use super::{Judge, shown};
use crate::program::{Origin, Program};
use crate::rule_id;
use crate::syntax::word::Word;
use crate::tables::readers::READERS;

impl Judge<'_> {
    /// Under a deny list alone: another program with the effect of a denied one is a question.
    pub(super) fn equivalents(&mut self, program: &Program, words: &[Word]) {
        if !self.is_deny_only() || self.is_denied_kind(&program.folded) {
            return;
        }
        let name = program.folded.as_str();
        let has = |argument: &str| words[1..].iter().any(|word| word.text == argument);
        let equivalent = self.policy.denied_effects.iter().any(|group| {
            group.programs.contains(&name)
                || group.prefixes.iter().any(|prefix| name.starts_with(prefix))
                || group.uses.iter().any(|(user, argument)| *user == name && has(argument))
        });
        if equivalent {
            let message =
                format!("Command '{}' can have the effect of a denied one", shown(&program.base));
            let hint = "Do without this effect, or ask for approval.";
            self.ask(rule_id::EFFECT_EQUIVALENT, program, words[0].span, message, hint);
        }
    }

    /// Under a deny list: a program that is in no table, with a denied name among its arguments,
    /// may be a launcher.
    pub(super) fn unknown_launcher(&mut self, program: &Program, words: &[Word]) {
        let known = READERS.hold(&program.folded);
        if self.policy.config.deny.is_none() || (known && program.origin != Origin::Untrusted) {
            return;
        }
        let names_denied = |word: &&Word| {
            word.text
                .split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '+' | '.' | '/')))
                .any(|token| !token.is_empty() && self.is_denied_name(token))
        };
        if let Some(span) = words[1..].iter().find(names_denied).map(|word| word.span) {
            let message =
                format!("An argument of '{}' names a denied program", shown(&program.base));
            let hint = "Run the program that is meant directly, or ask for approval.";
            self.ask(rule_id::ARGUMENT_NAMES_DENIED, program, span, message, hint);
        }
    }
}
