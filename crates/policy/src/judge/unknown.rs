//! Judges programs that have the effect of a denied one, and programs that no table knows.

use super::{Judge, shown};
use crate::program::{Origin, Program};
use crate::rule_id;
use crate::syntax::word::Word;
use crate::tables::readers::READERS;
use crate::verdict::Span;

impl Judge<'_> {
    /// Under a deny list alone, asks about a program that has the effect of a denied one.
    pub(super) fn judge_equivalents(&mut self, program: &Program, words: &[Word]) {
        if !self.is_deny_only() || self.is_denied_kind(&program.folded) {
            return;
        }
        let covers = |name: &str| {
            let arguments = || words[1..].iter().map(|word| word.text.as_str());
            self.policy.denied_effects.iter().any(|group| group.covers(name, arguments()))
        };
        if covers(&program.folded) || covers(program.kind()) {
            self.ask_about_equivalent(program, words[0].span);
        }
    }

    pub(super) fn ask_about_equivalent(&mut self, program: &Program, span: Span) {
        let message =
            format!("Command '{}' can have the effect of a denied one", shown(&program.base));
        let hint = "Do without this effect.";
        self.ask(rule_id::EFFECT_EQUIVALENT, program, span, message, hint);
    }

    /// Under a deny list, asks when a program that no table knows has a denied name among its arguments: it may be a
    /// launcher.
    pub(super) fn judge_unknown_launcher(&mut self, program: &Program, words: &[Word]) {
        let is_reader = READERS.hold(&program.folded);
        if self.policy.config.deny.is_none() || (is_reader && program.origin != Origin::Untrusted) {
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
            let hint = "Run the program that is meant directly.";
            self.ask(rule_id::ARGUMENT_NAMES_DENIED, program, span, message, hint);
        }
    }
}
