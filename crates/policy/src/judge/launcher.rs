//! Judges launchers: programs that start the program that their arguments name.

use super::options::{OptionsEnd, Parsed, parse};
use super::payload::Payload;
use super::{Judge, shown};
use crate::mark;
use crate::program::Program;
use crate::rule_id;
use crate::syntax::Dialect;
use crate::syntax::command;
use crate::syntax::word::Word;
use crate::tables::holds;
use crate::tables::launchers::{LAUNCHERS, Launcher, Operands};
use crate::verdict::Span;

/// Options of launchers that choose the directory of the inner program.
const CHANGES_DIRECTORY: &str = "C chdir D w wd W wdns";

impl Judge<'_> {
    /// Judges a launcher. True when the program is one.
    pub(super) fn judge_launcher(&mut self, program: &Program, words: &[Word]) -> bool {
        let Some(row) = LAUNCHERS.find_program(program) else { return false };
        self.judge_launch(row, program, words[0].span, &words[1..]);
        true
    }

    /// Judges a launcher by the name of its row, for programs with many names.
    pub(super) fn judge_launcher_named(&mut self, name: &str, program: &Program, words: &[Word]) {
        if let Some(row) = LAUNCHERS.find(name) {
            self.judge_launch(row, program, words[0].span, &words[1..]);
        }
    }

    fn judge_launch(&mut self, row: &Launcher, program: &Program, span: Span, arguments: &[Word]) {
        let options_end = match row.operands {
            Operands::Other => OptionsEnd::Anywhere,
            _ => OptionsEnd::FirstOperand,
        };
        let parsed = parse(arguments, row.grammar, options_end);
        if let Some(unknown) = parsed.unknown {
            self.ask_about_unknown_option(program, unknown);
        }
        if row.outside {
            self.ask_about_outside(program, span);
        }
        let is_pipe = |word: &Word| word.text.starts_with(['|', '!']);
        if let Some(given) =
            parsed.given.iter().find(|given| given.value.as_ref().is_some_and(is_pipe))
        {
            self.judge_executing_argument(
                program,
                given.span,
                "a name that is a pipe",
                Payload::Opaque,
            );
        }
        self.judge_other_files(row, program, span, &parsed);
        if parsed.has(row.inert) {
            if self.more_arguments && program.folded != "command" {
                self.ask_about_standard_input(program, span);
            }
            return;
        }
        if program.folded == "env"
            && let Some(text) = parsed.value("S split-string")
        {
            return self.split_string(row, program, text, &parsed);
        }
        if row.operands == Operands::Other || parsed.has(row.code) {
            self.ask_about_unknown_arguments(program, span, arguments);
        }
        if let Some(code) = parsed.value(row.code) {
            return self.judge_code_of(program, code);
        }
        if let Some((first, rest)) = parsed.operands.split_first()
            && holds(row.optional, &first.text)
        {
            return self.judge_launch(&Launcher { optional: "", ..*row }, program, span, rest);
        }
        let mut rest = parsed.operands.get(row.skip..).unwrap_or_default();
        if row.operands == Operands::Other {
            rest = &[];
        }
        if program.folded == "env" {
            rest = self.of_env(program, span, &parsed, rest);
        }
        if row.assigns {
            rest = self.leading_assignments(program, rest);
        }
        self.ask_about_unknown_options(program, &arguments[..arguments.len() - rest.len()]);
        if let Some(folder) = parsed.value(CHANGES_DIRECTORY) {
            let is_known = !mark::is_in(&folder.text) && !self.is_replaced(folder);
            let directories = if is_known { self.resolve(&folder.text) } else { None };
            return self.in_directories(directories, |judge| {
                judge.judge_started(row, program, span, &parsed, rest);
            });
        }
        self.judge_started(row, program, span, &parsed, rest);
    }

    /// Judges what a launcher starts: the operands that are left.
    fn judge_started(
        &mut self,
        row: &Launcher,
        program: &Program,
        span: Span,
        parsed: &Parsed,
        rest: &[Word],
    ) {
        // The code of `flock FILE -c CODE`.
        let is_code =
            |word: &Word| !row.code.is_empty() && matches!(&word.text[..], "-c" | "--command");
        match (rest, row.operands) {
            ([], _) if row.shell => self.ask_about_shell(program, span),
            ([], _) if self.more_arguments => self.ask_about_standard_input(program, span),
            ([], _) => {}
            ([flag, code, ..], _) if is_code(flag) => self.judge_code_of(program, code),
            ([flag], _) if self.more_arguments && is_code(flag) => {
                self.ask_about_standard_input(program, span);
            }
            (words, Operands::Joined(exec)) if !parsed.has(exec) => {
                let text: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
                self.ask_about_unknown_arguments(program, span, words);
                self.judge_code_of(program, &words[0].with_text(text.join(" ")));
            }
            (words, _) => self.judge_inner_command(words),
        }
    }

    /// Operands of `env` without the `-` that means `-i`. Asks when `env` would unset the variables that keep git from
    /// running programs of a repository.
    fn of_env<'a>(
        &mut self,
        program: &Program,
        span: Span,
        parsed: &Parsed,
        mut rest: &'a [Word],
    ) -> &'a [Word] {
        let mut unsets_git_settings = parsed.has("i ignore-environment");
        if rest.first().is_some_and(|word| word.text == "-") {
            rest = &rest[1..];
            unsets_git_settings = true;
        }
        unsets_git_settings |= parsed.given.iter().any(|given| {
            matches!(given.name.as_str(), "u" | "unset")
                && given.value.as_ref().is_some_and(|name| name.text.starts_with("GIT_CONFIG_"))
        });
        if unsets_git_settings && rest.iter().any(|word| word.text.contains("git")) {
            self.ask_about_other_source(program, span, "taking the settings of git away");
        }
        rest
    }

    /// Asks when an option makes the name of the inner program mean another file, or gives it other libraries or
    /// variables: the lists mean the files of this machine.
    fn judge_other_files(
        &mut self,
        row: &Launcher,
        program: &Program,
        span: Span,
        parsed: &Parsed,
    ) {
        let means_other_files = parsed.has(row.elsewhere) || row.elsewhere == "*";
        let starts_program = parsed.operands.len() > row.skip || row.operands == Operands::Other;
        if means_other_files && starts_program && self.has_allow_list() {
            self.ask_about_other_source(program, span, "another root, library or set of variables");
        }
    }

    /// Judges code that the launcher passes to a shell of its choice.
    pub(super) fn judge_code_of(&mut self, program: &Program, code: &Word) {
        if self.is_replaced(code) {
            let message =
                format!("The code of '{}' is completed when it runs", shown(&program.base));
            self.ask_about_unknown_program(
                program,
                code.span,
                message,
                "Run the inner program itself.",
            );
        } else {
            self.judge_code(code, Dialect::Words);
        }
    }

    /// Judges `env -S TEXT`, which splits the text into words and appends the other operands. Text with its own escapes
    /// is a question.
    fn split_string(&mut self, row: &Launcher, program: &Program, text: &Word, parsed: &Parsed) {
        let reading = command::read(&text.text, Dialect::Posix);
        if !reading.faults.is_empty() || text.text.contains('\\') || text.text.contains('#') {
            let message = "The text that 'env' splits is not plain words".to_owned();
            return self.ask_about_unknown_program(
                program,
                text.span,
                message,
                "Write the words themselves.",
            );
        }
        let mut words: Vec<Word> = Vec::new();
        for (name, value) in &reading.assignments {
            words.push(text.with_text(format!("{}={}", name.text, value.text)));
        }
        words.extend(reading.words.iter().map(|word| text.with_text(word.text.clone())));
        words.extend(parsed.operands.iter().cloned());
        self.nested(text.span, |judge| judge.judge_launch(row, program, text.span, &words));
    }

    fn leading_assignments<'a>(&mut self, program: &Program, words: &'a [Word]) -> &'a [Word] {
        let count = words.iter().take_while(|word| word.text.contains('=')).count();
        for word in &words[..count] {
            let (name, value) = word.text.split_once('=').unwrap_or_default();
            self.judge_variable(Some(program), name, value, word.span);
        }
        &words[count..]
    }

    pub(super) fn ask_about_unknown_option(&mut self, program: &Program, span: Span) {
        let message = format!("An option of '{}' is not known here", shown(&program.base));
        let hint = "Run the inner program directly, or use the documented long options.";
        self.ask(rule_id::LAUNCHER_OPTION, program, span, message, hint);
    }

    pub(super) fn ask_about_outside(&mut self, program: &Program, span: Span) {
        let message =
            format!("Command '{}' starts programs that nothing here guards", shown(&program.base));
        let hint = "Run the inner program directly.";
        self.ask(rule_id::LAUNCHER_OUTSIDE, program, span, message, hint);
    }

    pub(super) fn ask_about_shell(&mut self, program: &Program, span: Span) {
        let message = format!("Command '{}' would start a shell", shown(&program.base));
        self.ask_about_unknown_program(program, span, message, "Name the program to run.");
    }

    /// Asks because the inner command comes from standard input.
    pub(super) fn ask_about_standard_input(&mut self, program: &Program, span: Span) {
        let message = format!("What '{}' starts is read from standard input", shown(&program.base));
        self.ask_about_unknown_program(program, span, message, "Name the program to run.");
    }
}
