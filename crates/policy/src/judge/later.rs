//! Arguments that are only known when a command runs: `xargs` appends them, `find` and `xargs -I` put them in.

use super::{Judge, shown};
use crate::program::{Origin, Program};
use crate::syntax::word::Word;
use crate::tables::readers::{CONFIGURED, READERS};

impl Judge<'_> {
    /// A question for a program that may do something else with such arguments.
    pub(super) fn completed_later(&mut self, program: &Program, words: &[Word]) {
        let replaced =
            !self.replaced_by_path && words[1..].iter().any(|word| self.is_replaced(word));
        if self.more_arguments || replaced {
            let message = format!(
                "Arguments of '{}' are only known when it runs, and some make it run code",
                shown(&program.base)
            );
            self.dynamic(program, words[0].span, message, "Give the arguments themselves.");
        }
    }

    /// The same for words in front of the program that a launcher starts.
    pub(super) fn front_completed_later(&mut self, program: &Program, front: &[Word]) {
        let replaced = |word: &Word| !self.replaced_by_path && self.is_replaced(word);
        if let Some(word) = front.iter().find(|word| replaced(word)) {
            self.fed(program, word.span);
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
            && program.origin != Origin::Untrusted
    }
}
