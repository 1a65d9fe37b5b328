//! Judges `kill` by the processes that it signals. Where the kernel keeps signals within the run, any of them is one that
//! the run itself started.

use super::{Judge, shown};
use crate::program::Program;
use crate::rule_id;
use crate::syntax::word::Word;

const NAME: &str = "kill";

impl Judge<'_> {
    /// Judges `kill` as the built-in of a shell: like `wait`, it need not be listed. False for another command, and where
    /// there is no allow list.
    pub(super) fn judge_kill_built_in(&mut self, program: &Program, words: &[Word]) -> bool {
        if program.base != NAME || !self.has_allow_list() {
            return false;
        }
        self.compare_with_deny_list(program, words);
        self.judge_signalled(program, words);
        true
    }

    /// Judges the processes that `kill` signals. A script knows no number but those that it was given when it ran.
    pub(super) fn judge_signalled(&mut self, program: &Program, words: &[Word]) {
        let targets = targets(&words[1..]);
        let written_out = targets.iter().find(|word| is_written_out(&word.text));
        if let Some(word) = written_out.filter(|_| self.has_allow_list()) {
            let message = format!(
                "Command '{}' signals a process by a number that is written out",
                shown(&program.base)
            );
            let hint = "Signal what the script started: `kill $!`, `kill %1` or `kill $(jobs -p)`.";
            self.ask(rule_id::PROGRAM_DYNAMIC, program, word.span, message, hint);
        }
        let is_unknown =
            self.more_arguments || words[1..].iter().any(|word| self.is_replaced(word));
        if is_unknown && !self.is_unknown_to_shell_only(words) && !self.are_signals_contained() {
            let message = format!(
                "Which processes '{}' signals is only known when it runs",
                shown(&program.base)
            );
            let hint = "Name a job of the script, such as `%1`.";
            self.ask_about_unknown_program(program, words[0].span, message, hint);
        }
    }
}

/// The operands. The first word may be a signal, as in `-9`.
fn targets(arguments: &[Word]) -> &[Word] {
    match arguments {
        [option, ..] if matches!(&option.text[..], "-l" | "-L" | "--list" | "--table") => &[],
        [option, _, rest @ ..] if matches!(&option.text[..], "-s" | "-n" | "--signal") => rest,
        [option, rest @ ..] if option.text.starts_with('-') => rest,
        all => all,
    }
}

/// Whether the operand is the number of a process or, with a dash, of a group. `0` is the group of the script itself.
fn is_written_out(text: &str) -> bool {
    let number = text.strip_prefix('-').unwrap_or(text);
    text != "0" && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}
