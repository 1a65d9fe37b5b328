//! Judges words that a shell runs itself instead of starting a program.

use super::payload::{BUILTIN, Payload};
use super::{Judge, ReasonText, SourceKind, shown};
use crate::program::{Origin, Program};
use crate::rule_id;
use crate::syntax::Dialect;
use crate::syntax::word::Word;
use crate::tables::holds;
use crate::verdict::Decision;

/// Built-ins for which no program of the same name exists: without a shell there is nothing to run.
pub(super) const BUILTINS_WITHOUT_PROGRAM: &str = ". : alias bg bind break builtin caller cd command compgen complete compopt \
    continue declare dirs disown enable eval exec exit export fc fg getopts hash help history jobs let local logout \
    mapfile popd pushd read readarray readonly return set shift shopt source suspend trap type typeset ulimit umask \
    unalias unset wait times";

impl Judge<'_> {
    /// Judges a built-in. True when the command is one, so that nothing is left to judge.
    pub(super) fn judge_builtin(
        &mut self,
        program: &Program,
        words: &[Word],
        source: SourceKind,
    ) -> bool {
        let name = program.base.as_str();
        if program.origin != Origin::Bare {
            return false;
        }
        if source == SourceKind::Code {
            return self.judge_builtin_in_code(program, words);
        }
        if !has_no_program(program) {
            return false;
        }
        let message = format!("Command '{}' is a shell built-in, not a program", shown(name));
        let hint = match name {
            "cd" => "Pass the working directory with the call.",
            "export" | "declare" | "typeset" | "set" => {
                "Write `NAME=value` in front of the program."
            }
            "type" | "command" | "hash" => "Use `which`.",
            _ => "No shell runs here: leave it out.",
        };
        let text = ReasonText { program: Some(program), message, hint };
        self.add_reason(Decision::Deny, rule_id::PROGRAM_BUILTIN, words[0].span, text);
        self.compare_with_deny_list(program, words);
        // Commands in its arguments are judged too, so that all reasons are given at once.
        if matches!(name, "builtin" | "command" | "eval" | "exec") {
            self.judge_arguments(program, words);
        }
        true
    }

    fn judge_builtin_in_code(&mut self, program: &Program, words: &[Word]) -> bool {
        if self.judge_builtin_of_script(program, words) {
            // bash's own arguments were examined by `builtin_of_script`; those of other shells were not.
            if self.walk.dialect() == Dialect::Words {
                self.judge_evaluated_arguments(program, words);
            }
            return true;
        }
        if !has_no_program(program) {
            return false;
        }
        self.compare_with_deny_list(program, words);
        self.judge_executing_argument(program, words[0].span, BUILTIN, Payload::Opaque);
        true
    }

    /// Refuses arguments that the built-in would expand a second time: a quoted substitution would run then.
    fn judge_evaluated_arguments(&mut self, program: &Program, words: &[Word]) {
        let evaluates = |word: &Word| {
            word.text.contains('`') || word.text.contains("$(") || word.text.contains("${")
        };
        let harmless = matches!(program.base.as_str(), "echo" | "pwd" | "true" | "false" | ":");
        if let Some(word) = words[1..].iter().find(|word| evaluates(word))
            && !harmless
        {
            self.judge_executing_argument(
                program,
                word.span,
                "an argument that is evaluated again",
                Payload::Opaque,
            );
        }
    }
}

/// Whether the word is a shell built-in for which no program exists.
pub(super) fn has_no_program(program: &Program) -> bool {
    program.origin == Origin::Bare && holds(BUILTINS_WITHOUT_PROGRAM, &program.base)
}
