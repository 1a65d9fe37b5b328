//! Arguments that are only known when a command runs: `xargs` appends them, `find` and `xargs -I` put them in.

use super::{Judge, shown};
use crate::mark;
use crate::program::{Origin, Program};
use crate::syntax::word::Word;
use crate::tables::readers::{CONFIGURED, READERS, SENDING};
use crate::tables::uses::{Row, USES};
use crate::verdict::Span;

impl Judge<'_> {
    /// A question for a program that may do something else with such arguments.
    pub(super) fn completed_later(&mut self, program: &Program, span: Span, arguments: &[Word]) {
        let replaced =
            !self.replaced_by_path && arguments.iter().any(|word| self.is_replaced(word));
        if self.more_arguments || replaced {
            let message = format!(
                "Arguments of '{}' are only known when it runs, and some make it run code",
                shown(&program.base)
            );
            let hint = "Give the arguments themselves, or begin a pattern with `./`.";
            self.dynamic(program, span, message, hint);
        }
    }

    /// The same for a program whose arguments are looked at for what no plan sees.
    pub(super) fn told_later(&mut self, program: &Program, words: &[Word]) {
        if self.does_unseen(program, &words[1..]) || !self.is_held_to_list() {
            self.completed_later(program, words[0].span, &words[1..]);
        }
    }

    /// Whether arguments that are not known may make this program do what it is not listed for: discard data, send it away,
    /// change settings, run code in its own process or in a listed shell. A subcommand that is known says which row counts.
    pub(super) fn does_unseen(&self, program: &Program, arguments: &[Word]) -> bool {
        if SENDING.contains(&program.kind()) || program.origin == Origin::Untrusted {
            return true;
        }
        let Some(row) = USES.find_program(program) else { return false };
        if row.subcommands.is_empty() {
            return row.does_anything();
        }
        let is_known = |word: &&Word| !mark::is_in(&word.text) && !self.is_replaced(word);
        let mut known = arguments.iter().take_while(is_known);
        let Some(subcommand) = known.find(|word| !word.text.starts_with(['-', '+'])) else {
            return true;
        };
        let own = USES.find(&format!("{}-{}", row.name, subcommand.text));
        row.does_unseen() || own.is_some_and(Row::does_anything)
    }

    /// Under a deny list alone a program that no table knows starts nothing by what a shell puts into its arguments.
    pub(super) fn is_known_later_by_a_shell(&self, words: &[Word]) -> bool {
        let other = |word: &Word| self.placeholder.are_in(&word.text.replace(crate::mark::ALL, ""));
        self.is_deny_only() && !self.more_arguments && !words.iter().any(other)
    }

    /// The same for words in front of the program that a launcher starts.
    pub(super) fn front_completed_later(&mut self, program: &Program, front: &[Word]) {
        let replaced = |word: &Word| !self.replaced_by_path && self.is_replaced(word);
        if let Some(word) = front.iter().find(|word| replaced(word)) {
            let message =
                format!("Options of '{}' are only known when it runs", shown(&program.base));
            self.dynamic(program, word.span, message, "Write the options themselves.");
        }
    }

    /// Under a path from `find`: programs for which an operand is code.
    pub(super) fn operand_completed_later(&mut self, program: &Program, words: &[Word]) {
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
            self.dynamic(program, word.span, message, hint);
        }
    }

    /// Whether arguments are data for this program, whatever they say. `has_row`: it stands in another table.
    pub(super) fn is_plain_reader(program: &Program, has_row: bool) -> bool {
        !has_row
            && READERS.hold(&program.folded)
            && !CONFIGURED.hold(&program.folded)
            && !SENDING.contains(&program.kind())
            && program.origin != Origin::Untrusted
    }
}
