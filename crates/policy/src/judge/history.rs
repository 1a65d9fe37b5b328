//! Asks before a command removes or moves away the history of the repository that it works in.

use super::{Judge, shown};
use crate::lists;
use crate::mark;
use crate::program::Program;
use crate::rule_id;
use crate::syntax::word::Word;
use crate::tables::discards::{HISTORY, REMOVING_PROGRAMS};
use crate::tables::holds;

use super::walk::{is_beneath, normal};

const REPOSITORY_FOLDER: &str = ".git";
/// What `find` and `xargs` replace by a path.
const PATH_PLACEHOLDER: &str = "{}";

impl Judge<'_> {
    /// Judges what a program that removes or moves files is told to remove. A repository beneath the working directory is
    /// not the one that the command works in: it may have been cloned to be copied from.
    pub(super) fn judge_removed_history(&mut self, program: &Program, words: &[Word]) {
        if !holds(REMOVING_PROGRAMS, &program.folded) || self.is_unlisted(program, words) {
            return;
        }
        let is_history = |(_, word): &(usize, &Word)| {
            let path = word.text.replace(PATH_PLACEHOLDER, &mark::ANY_PATH.to_string());
            let paths = self.resolve(&path).unwrap_or_else(|| vec![normal(&path)]);
            paths.iter().any(|path| self.holds_own_history(path))
        };
        let mut removed = removed_operands(program, words)
            .into_iter()
            .map(|at| (at, &words[at]))
            .filter(is_history);
        let Some((at, word)) = removed.next() else { return };
        let is_named = lists::names_use(&self.policy.config, program, &words[1..], at);
        let span = word.span;
        if is_named || self.is_writing_prevented() {
            return;
        }
        let name = shown(&program.base);
        let message = format!("Command '{name}' would remove the history of this repository");
        let hint = "Name other files, or leave it to the user.";
        self.ask(rule_id::EFFECT_DESTRUCTIVE, program, span, message, hint);
    }

    /// Whether the path is a root, or a part of the history of a repository around a root or the working directory.
    fn holds_own_history(&self, path: &str) -> bool {
        let roots = &self.policy.config.roots;
        let holds_root = |folder: &str| roots.iter().any(|root| is_beneath(root, folder));
        if holds_root(path) {
            return true;
        }
        let is_own = |folder: &str| match self.walk.surroundings.directory {
            Some(directory) => is_beneath(directory, folder) || holds_root(folder),
            None => true,
        };
        let parts: Vec<&str> = path.split('/').skip(1).collect();
        parts.iter().enumerate().any(|(at, part)| {
            part.starts_with('.')
                && may_be(part, REPOSITORY_FOLDER)
                && is_own(&normal(&parts[..at].join("/")))
                && parts
                    .get(at + 1)
                    .is_none_or(|entry| HISTORY.split(' ').any(|name| may_be(entry, name)))
        })
    }
}

/// The indices of the operands that are removed or moved away: for `mv` all but the last, unless an option names the
/// folder that they are moved to.
fn removed_operands(program: &Program, words: &[Word]) -> Vec<usize> {
    let is_operand = |at: &usize| !words[*at].text.starts_with('-');
    let mut operands: Vec<usize> = (1..words.len()).filter(is_operand).collect();
    let has_target =
        words.iter().any(|word| word.text.starts_with("-t") || word.text.starts_with("--t"));
    if matches!(program.kind(), "mv" | "gmv") && !has_target {
        operands.pop();
    }
    operands
}

/// Whether a part of a path, some of which only run time may know, may be this name.
fn may_be(part: &str, name: &str) -> bool {
    match (part.split_once(mark::ALL_MARKS), part.rsplit_once(mark::ALL_MARKS)) {
        (Some((start, _)), Some((_, end))) => name.starts_with(start) && name.ends_with(end),
        _ => part == name,
    }
}
