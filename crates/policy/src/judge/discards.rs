//! Judges what is discarded: data by a mode of a program that exists for something else, whole trees of files, and what
//! services hold.

use super::{Judge, shown};
use crate::lists;
use crate::mark;
use crate::program::Program;
use crate::rule_id;
use crate::syntax::word::Word;
use crate::tables::discards::{DISCARDING_WORDS, HARMLESS_OPTIONS, SERVICES, TREE_PROGRAMS};
use crate::tables::{holds, is_one_like};
use crate::verdict::Span;

/// Only the first words of a service's command line, up to this many, name its subcommand.
const MAX_SUBCOMMAND_WORDS: usize = 2;

impl Judge<'_> {
    /// Judges a use that discards data by a program that exists for something else. It is a question under an allow
    /// list, and where the deny list names `rm`. The word at index `at` selects that use.
    pub(super) fn judge_discard(
        &mut self,
        program: &Program,
        words: &[Word],
        at: usize,
        name: &str,
    ) {
        if self.has_allow_list() {
            self.ask_about_discard(program, words, at, name);
        } else if self.policy.denied_effects.iter().any(|group| group.discards) {
            self.ask_about_equivalent(program, words[at].span);
        }
    }

    /// Asks, unless a rule of the allow list names this very use.
    fn ask_about_discard(&mut self, program: &Program, words: &[Word], at: usize, name: &str) {
        if lists::names_use(&self.policy.config, program, &words[1..], at) {
            return;
        }
        let message = format!("Command '{}' discards data by {name}", shown(&program.base));
        let hint = "Leave that argument out.";
        self.ask(rule_id::EFFECT_DESTRUCTIVE, program, words[at].span, message, hint);
    }

    /// Judges commands that discard more than the files they name. Under a deny list alone, services are not looked at.
    pub(super) fn judge_wide_discard(&mut self, program: &Program, words: &[Word]) {
        if let Some((_, letters, long)) =
            TREE_PROGRAMS.iter().find(|(names, ..)| holds(names, &program.folded))
        {
            self.judge_whole_tree(program, words, letters, long);
        } else if self.has_allow_list() && SERVICES.hold(&program.folded) {
            self.judge_service(program, words);
        }
    }

    fn judge_whole_tree(&mut self, program: &Program, words: &[Word], letters: &str, long: &str) {
        let recurses = |word: &Word| {
            let text = word.text.as_str();
            let clustered = || text.contains(|letter| letters.contains(letter));
            text.starts_with(mark::ALL_MARKS) && !text.contains('/')
                || text.starts_with("--") && text.len() > 2 && long.starts_with(text)
                || text.starts_with('-') && !text.starts_with("--") && clustered()
        };
        if !letters.is_empty() && !words[1..].iter().any(recurses) {
            return;
        }
        let directory = self.walk.surroundings.directory;
        let is_whole_tree = |text: &str| match directory.filter(|_| text.starts_with("..")) {
            Some(directory) => is_whole_tree(&format!("{directory}/{text}")),
            None => is_whole_tree(text),
        };
        let wide = words.iter().enumerate().skip(1).find(|(_, word)| is_whole_tree(&word.text));
        if let Some((at, word)) = wide {
            let is_named = lists::names_use(&self.policy.config, program, &words[1..], at);
            if is_named || self.is_writing_prevented() {
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

    fn judge_service(&mut self, program: &Program, words: &[Word]) {
        let is_value = |at: usize| {
            let preceding = words[at - 1].text.as_str();
            at > 1
                && preceding.starts_with('-')
                && !preceding.contains('=')
                && !is_one_like(DISCARDING_WORDS, preceding)
        };
        let spares =
            |(at, word): (usize, &Word)| holds(HARMLESS_OPTIONS, &word.text) && !is_value(at);
        if words.iter().enumerate().skip(1).any(spares) {
            return;
        }
        let mut operands = 0;
        for (at, word) in words.iter().enumerate().skip(1) {
            let text = word.text.to_ascii_lowercase();
            if is_one_like(DISCARDING_WORDS, &text) {
                return self.ask_about_discard(program, words, at, "a word that deletes");
            }
            if operands < MAX_SUBCOMMAND_WORDS && mark::is_in(&text) {
                return self.ask_about_unknown_subcommand(program, word.span);
            }
            operands += usize::from(!text.starts_with('-') && !is_value(at));
        }
    }

    fn ask_about_unknown_subcommand(&mut self, program: &Program, span: Span) {
        let message = format!("What '{}' does is only known when it runs", shown(&program.base));
        self.ask_about_unknown_program(program, span, message, "Write the subcommand itself.");
    }
}

/// Whether an operand stands for the root, a folder directly beneath it, a home, everything in one of these, or a path
/// beneath a folder whose name is not known and may be empty. A home appears as an unknown part directly beneath the
/// root.
fn is_whole_tree(text: &str) -> bool {
    let unknown = [mark::ANY_TEXT, mark::ANY_WORDS, mark::TEMPORARY_PATH];
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
    let everything = mark::ANY_PATH.to_string();
    while parts.len() > 1 && parts.last() == Some(&everything.as_str()) {
        parts.pop();
    }
    parts.len() < 2
}
