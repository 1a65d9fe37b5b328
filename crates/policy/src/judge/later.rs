//! Judges arguments that are known only when a command runs: `xargs` appends them, and `find` and `xargs -I` insert
//! them.

use super::{Judge, shown};
use crate::mark;
use crate::program::{Origin, Program};
use crate::syntax::word::Word;
use crate::tables::readers::{CONFIGURED_READERS, READERS, SENDING_READERS};
use crate::tables::uses::{Row, USES};
use crate::verdict::Span;

impl Judge<'_> {
    /// Asks when arguments of this program are known only when it runs.
    pub(super) fn ask_about_unknown_arguments(
        &mut self,
        program: &Program,
        span: Span,
        arguments: &[Word],
    ) {
        let replaced =
            !self.replaced_by_path && arguments.iter().any(|word| self.is_more_than_number(word));
        if self.more_arguments || replaced {
            let message = format!(
                "Arguments of '{}' are only known when it runs, and some make it run code",
                shown(&program.base)
            );
            let hint = "Give the arguments themselves, or begin a pattern with `./`.";
            self.ask_about_unknown_program(program, span, message, hint);
        }
    }

    /// Whether something is inserted into the word that is more than a number: numbers are data for every program.
    fn is_more_than_number(&self, word: &Word) -> bool {
        self.is_replaced(&word.with_text(word.text.replace(mark::ANY_NUMBER, "")))
    }

    /// Asks about such arguments, unless no argument makes the program do more than it is listed for, and the kernel
    /// limits what it can start or change.
    pub(super) fn judge_unknown_arguments(&mut self, program: &Program, words: &[Word]) {
        if self.may_exceed_listing(program, &words[1..]) || !self.is_limited() {
            self.ask_about_unknown_arguments(program, words[0].span, &words[1..]);
        }
    }

    /// Whether the kernel limits what a listed program can start, or keeps its changes beneath the roots.
    pub(super) fn is_limited(&mut self) -> bool {
        self.is_limited_to_list() || self.is_writing_contained()
    }

    /// Whether unknown arguments could make this program do more than it is listed for: discard data, send it away,
    /// change settings, or run code in its own process or in a listed shell. A subcommand that is known selects its
    /// row.
    pub(super) fn may_exceed_listing(&self, program: &Program, arguments: &[Word]) -> bool {
        if SENDING_READERS.contains(&program.kind()) || program.origin == Origin::Untrusted {
            return true;
        }
        let Some(row) = USES.find_program(program) else { return false };
        if row.subcommands.is_empty() {
            return row.has_any_effect();
        }
        let is_known = |word: &&Word| !mark::is_in(&word.text) && !self.is_replaced(word);
        let mut known_arguments = arguments.iter().take_while(is_known);
        let Some(subcommand) = known_arguments.find(|word| !word.text.starts_with(['-', '+']))
        else {
            return true;
        };
        let own_row = USES.find(&format!("{}-{}", row.name, subcommand.text));
        row.has_unenforced_effect() || own_row.is_some_and(Row::has_any_effect)
    }

    /// Whether the unknown arguments come from a shell and the host has only a deny list. A program that no table knows
    /// is then taken to start nothing.
    pub(super) fn is_unknown_to_shell_only(&self, words: &[Word]) -> bool {
        let has_placeholder =
            |word: &Word| self.placeholder.are_in(&word.text.replace(crate::mark::ALL_MARKS, ""));
        self.is_deny_only() && !self.more_arguments && !words.iter().any(has_placeholder)
    }

    /// Asks when an unknown argument stands in front of the program that a launcher starts.
    pub(super) fn ask_about_unknown_options(&mut self, program: &Program, front: &[Word]) {
        let replaced = |word: &Word| !self.replaced_by_path && self.is_replaced(word);
        if let Some(word) = front.iter().find(|word| replaced(word)) {
            let message =
                format!("Options of '{}' are only known when it runs", shown(&program.base));
            self.ask_about_unknown_program(
                program,
                word.span,
                message,
                "Write the options themselves.",
            );
        }
    }

    /// Asks when a path from `find` stands where this program takes an operand as code.
    pub(super) fn ask_about_unknown_code(&mut self, program: &Program, words: &[Word]) {
        let is_code = |word: &&Word| {
            let assigns = matches!(program.kind(), "make" | "gmake") && !word.text.contains('=');
            self.replaced_by_path
                && self.is_replaced(word)
                && !word.text.starts_with("./")
                && !assigns
        };
        if let Some(word) = words[1..].iter().find(is_code) {
            let message = format!("Code of '{}' is completed when it runs", shown(&program.base));
            let hint = "Let the starting point of find begin with `./`.";
            self.ask_about_unknown_program(program, word.span, message, hint);
        }
    }

    /// Whether every argument is data for this program. `has_row`: it has a row in the table of uses.
    pub(super) fn is_plain_reader(program: &Program, has_row: bool) -> bool {
        !has_row
            && READERS.hold(&program.folded)
            && !CONFIGURED_READERS.hold(&program.folded)
            && !SENDING_READERS.contains(&program.kind())
            && program.origin != Origin::Untrusted
    }
}
