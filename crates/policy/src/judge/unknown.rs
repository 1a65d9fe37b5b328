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
        let uses = |user: &str, argument: &str| {
            (user == name || user == program.kind())
                && words[1..].iter().any(|word| is_use(user, argument, &word.text))
        };
        let equivalent = self.policy.denied_effects.iter().any(|group| {
            group.programs.contains(&name)
                || group.prefixes.iter().any(|prefix| name.starts_with(prefix))
                || group.uses.iter().any(|(user, argument)| uses(user, argument))
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

/// Whether a word is this argument: long names may be abbreviated and letters stand in clusters, in every program alike.
/// A word too many is a question too many.
fn is_use(program: &str, argument: &str, word: &str) -> bool {
    if let Some(full) = argument.strip_prefix("--") {
        let name = word.strip_prefix("--").and_then(|text| text.split('=').next());
        return name.is_some_and(|name| !name.is_empty() && full.starts_with(name));
    }
    match argument.strip_prefix('-') {
        Some(letter) if letter.len() == 1 => {
            word.starts_with('-') && !word.starts_with("--") && word.contains(letter)
        }
        // Subcommands of Mercurial may be abbreviated.
        None if program == "hg" => word.len() > 1 && argument.starts_with(word),
        _ => word.eq_ignore_ascii_case(argument),
    }
}
