//! Finds the program text in command lines of awk and sed, and asks about a text that may start a command.

use super::options::{Grammar, OptionsEnd, Parsed, parse};
use super::{Judge, shown};
use crate::languages::{is_quiet_awk, is_quiet_sed};
use crate::program::Program;
use crate::rule_id;
use crate::syntax::word::Word;
use crate::tables::holds;

const AWK: Grammar = Grammar {
    short: "F:v:f:e:E:i:l:W:bcCghMnNOPrsStVd::o::p::D::L::",
    long: "field-separator= assign= file= source= exec= include= load= lint? dump-variables? pretty-print? profile? debug? characters-as-bytes traditional copyright gen-pot help bignum use-lc-numeric non-decimal-data optimize no-optimize posix re-interval sandbox version lint-old",
};
const SED: Grammar = Grammar {
    short: "ne:f:Ei::rsuzl:b",
    long: "quiet silent expression= file= regexp-extended in-place? line-length= separate unbuffered null-data zero-terminated posix debug sandbox follow-symlinks binary help version",
};

/// Options of sed that supply the script, so that no operand does.
const SCRIPTS: &str = "e expression f file";

impl Judge<'_> {
    /// Judges awk or sed. True when the program is one of them.
    pub(super) fn judge_language(&mut self, program: &Program, words: &[Word]) -> bool {
        match program.kind() {
            "awk" | "gawk" | "mawk" | "nawk" | "original-awk" => self.judge_awk(program, words),
            "sed" | "gsed" => self.judge_sed(program, words),
            _ => return false,
        }
        true
    }

    fn judge_awk(&mut self, program: &Program, words: &[Word]) {
        let parsed = parse(&words[1..], AWK, OptionsEnd::FirstOperand);
        self.ask_about_hidden_text(program, &parsed, "f file E exec i include l load W D debug");
        let from_file = parsed.has("f file E exec");
        let sources: Vec<&Word> = parsed
            .given
            .iter()
            .filter(|given| matches!(given.name.as_str(), "e" | "source"))
            .filter_map(|given| given.value.as_ref())
            .collect();
        let operand = if from_file || !sources.is_empty() { None } else { parsed.operands.first() };
        if operand.is_none() && sources.is_empty() && !from_file && self.more_arguments {
            return self.ask_about_standard_input(program, words[0].span);
        }
        for source in sources.into_iter().chain(operand) {
            self.judge_program_text(program, source, &source.text, is_quiet_awk);
        }
    }

    fn judge_sed(&mut self, program: &Program, words: &[Word]) {
        let parsed = parse(&words[1..], SED, OptionsEnd::Anywhere);
        self.ask_about_hidden_text(program, &parsed, "f file");
        let pieces: Vec<&Word> = parsed
            .given
            .iter()
            .filter(|given| matches!(given.name.as_str(), "e" | "expression"))
            .filter_map(|given| given.value.as_ref())
            .collect();
        let from_file = parsed.has("f file");
        // Where `POSIXLY_CORRECT` is set, sed ends its options at the first operand and takes it as the script.
        let strictly = parse(&words[1..], SED, OptionsEnd::FirstOperand);
        if let Some(script) = strictly.operands.first()
            && !strictly.has(SCRIPTS)
            && parsed.has(SCRIPTS)
        {
            self.judge_program_text(program, script, &script.text, is_quiet_sed);
        }
        if pieces.is_empty() {
            match parsed.operands.first() {
                Some(script) if !from_file => {
                    self.judge_program_text(program, script, &script.text, is_quiet_sed);
                }
                None if self.more_arguments => {
                    self.ask_about_standard_input(program, words[0].span);
                }
                _ => {}
            }
        } else {
            let script: Vec<&str> = pieces.iter().map(|word| word.text.as_str()).collect();
            self.judge_program_text(program, pieces[0], &script.join("\n"), is_quiet_sed);
        }
    }

    fn ask_about_hidden_text(&mut self, program: &Program, parsed: &Parsed, options: &str) {
        if let Some(span) = parsed.unknown {
            self.ask_about_other_source(program, span, "an option that is not known here");
        }
        if let Some(given) = parsed.given.iter().find(|given| holds(options, &given.name)) {
            self.ask_about_other_source(program, given.span, "a file");
        }
    }

    /// Judges a program text, which is in `word` or begins with it. A text that may start a command is a question even
    /// where the kernel limits programs: nobody has read the arguments of that command.
    fn judge_program_text(
        &mut self,
        program: &Program,
        word: &Word,
        text: &str,
        is_quiet: fn(&str) -> bool,
    ) {
        if self.is_replaced(&word.with_text(text)) {
            let name = shown(&program.base);
            let message = format!("The program text of '{name}' is completed when it runs");
            self.ask_about_unknown_program(
                program,
                word.span,
                message,
                "Write the whole program text.",
            );
        } else if !is_quiet(text) {
            let message =
                format!("The program text of '{}' may start a command", shown(&program.base));
            let hint = "Use simpler text, or another program.";
            self.ask(rule_id::INTERPRETER_CODE, program, word.span, message, hint);
        }
    }
}
