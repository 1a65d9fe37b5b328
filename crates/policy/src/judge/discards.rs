//! What is discarded: by an argument of a program that is for something else, by going through a whole tree, by a service.

use super::{Judge, shown};
use crate::lists;
use crate::mark;
use crate::program::Program;
use crate::rule_id;
use crate::syntax::word::Word;
use crate::tables::discards::{SERVICES, SPARING, TREES, VERBS};
use crate::tables::{holds, is_one_like};
use crate::verdict::Span;

/// How many words of a service may say what it does.
const SERVICE_WORDS: usize = 2;

impl Judge<'_> {
    /// A program that is not for it discards data: a question where it is listed, and where `rm` is denied. The word of
    /// `words` that says so is at `at`.
    pub(super) fn discards(&mut self, program: &Program, words: &[Word], at: usize, name: &str) {
        if self.has_allow_list() {
            self.destroys(program, words, at, name);
        } else if self.policy.denied_effects.iter().any(|group| group.discards) {
            self.equivalent(program, words[at].span);
        }
    }

    /// A rule that names this use answers the question.
    fn destroys(&mut self, program: &Program, words: &[Word], at: usize, name: &str) {
        let rules = self.policy.config.allow.as_deref().unwrap_or_default();
        if lists::names_use(rules, program, &words[1..], at) {
            return;
        }
        let message = format!("Command '{}' discards data by {name}", shown(&program.base));
        let hint = "Leave that argument out.";
        self.ask(rule_id::EFFECT_DESTRUCTIVE, program, words[at].span, message, hint);
    }

    /// What discards more than the files that are named. A list of what is denied leaves what services hold to whoever may
    /// reach them.
    pub(super) fn discards_widely(&mut self, program: &Program, words: &[Word]) {
        if let Some((_, letters, long)) =
            TREES.iter().find(|(names, ..)| holds(names, &program.folded))
        {
            self.whole_tree(program, words, letters, long);
        } else if self.has_allow_list() && SERVICES.hold(&program.folded) {
            self.service(program, words);
        }
    }

    fn whole_tree(&mut self, program: &Program, words: &[Word], letters: &str, long: &str) {
        let recurses = |word: &Word| {
            let text = word.text.as_str();
            let clustered = || text.contains(|letter| letters.contains(letter));
            text.starts_with(mark::ALL) && !text.contains('/')
                || text.starts_with("--") && text.len() > 2 && long.starts_with(text)
                || text.starts_with('-') && !text.starts_with("--") && clustered()
        };
        if !letters.is_empty() && !words[1..].iter().any(recurses) {
            return;
        }
        let directory = self.walk.surroundings.directory;
        let is_wide = |text: &str| match directory.filter(|_| text.starts_with("..")) {
            Some(directory) => is_wide(&format!("{directory}/{text}")),
            None => is_wide(text),
        };
        let wide = words.iter().enumerate().skip(1).find(|(_, word)| is_wide(&word.text));
        if let Some((at, word)) = wide {
            let rules = self.policy.config.allow.as_deref().unwrap_or_default();
            if lists::names_use(rules, program, &words[1..], at) || self.is_kept_from_writing() {
                return;
            }
            let message = format!(
                "Command '{}' would go through the root, a home, or a folder that is only known when it runs",
                shown(&program.base)
            );
            let hint = "Name the folders themselves.";
            self.ask(rule_id::EFFECT_DESTRUCTIVE, program, word.span, message, hint);
        }
    }

    fn service(&mut self, program: &Program, words: &[Word]) {
        let is_value = |at: usize| {
            let before = words[at - 1].text.as_str();
            at > 1
                && before.starts_with('-')
                && !before.contains('=')
                && !is_one_like(VERBS, before)
        };
        let spares = |(at, word): (usize, &Word)| holds(SPARING, &word.text) && !is_value(at);
        if words.iter().enumerate().skip(1).any(spares) {
            return;
        }
        let mut operands = 0;
        for (at, word) in words.iter().enumerate().skip(1) {
            let text = word.text.to_ascii_lowercase();
            if is_one_like(VERBS, &text) {
                return self.destroys(program, words, at, "a word that deletes");
            }
            if operands < SERVICE_WORDS && mark::is_in(&text) {
                return self.unknown_subcommand(program, word.span);
            }
            operands += usize::from(!text.starts_with('-') && !is_value(at));
        }
    }

    fn unknown_subcommand(&mut self, program: &Program, span: Span) {
        let message = format!("What '{}' does is only known when it runs", shown(&program.base));
        self.dynamic(program, span, message, "Write the subcommand itself.");
    }
}

/// Whether the operand is the root, a folder right beneath it, a home, everything in one of these, or something beneath a
/// folder of which nothing is known: that may be empty. A home is a part that only run time knows, right beneath the root.
fn is_wide(text: &str) -> bool {
    let unknown = [mark::ONE, mark::MANY];
    if text.starts_with(unknown) {
        return text.trim_start_matches(unknown).starts_with('/');
    }
    let Some(path) = text.strip_prefix('/') else { return false };
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').filter(|part| !matches!(*part, "" | ".")) {
        if part == ".." {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    let all = mark::PATH.to_string();
    while parts.len() > 1 && parts.last() == Some(&all.as_str()) {
        parts.pop();
    }
    parts.len() < 2
}
