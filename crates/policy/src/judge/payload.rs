//! Judges code and commands that arguments carry.

use super::{Judge, SourceKind, shown};
use crate::mark;
use crate::program::Program;
use crate::rule_id;
use crate::syntax::Dialect;
use crate::syntax::command::{self, Reading};
use crate::syntax::grammar;
use crate::syntax::tree::Script;
use crate::syntax::word::Word;
use crate::verdict::Span;

/// What messages call code that a built-in of a shell would run.
pub(super) const BUILTIN: &str = "the built-in";

/// Code or a command in an argument.
#[derive(Clone, Copy)]
pub(crate) enum Payload<'a> {
    /// A command line that a shell runs.
    Code(&'a Word),
    /// A command as words.
    Argv(&'a [Word]),
    /// Something that runs and cannot be read here.
    Opaque,
}

/// Texts that are replaced when a command runs, such as the `{}` of `find`. They are those of all enclosing commands,
/// because each command replaces its own before it starts the next one.
#[derive(Clone, Debug)]
pub(crate) struct Placeholders {
    marks: Vec<String>,
}

impl Placeholders {
    /// Adds a text that is replaced, and returns the former value.
    pub(super) fn replace(&mut self, mark: String) -> Self {
        let outer = self.clone();
        self.marks.push(mark);
        outer
    }

    /// The marks for what a shell expands.
    pub(super) fn of_shells() -> Self {
        Self { marks: mark::ALL_MARKS.map(String::from).to_vec() }
    }

    pub(super) fn are_in(&self, text: &str) -> bool {
        self.marks.iter().any(|mark| text.contains(mark.as_str()))
    }
}

impl Judge<'_> {
    /// Judges code that a new shell runs.
    pub(super) fn judge_code(&mut self, code: &Word, dialect: Dialect) {
        if dialect == Dialect::Words {
            return self.judge_plain_code(code);
        }
        self.nested(code.span, |judge| {
            judge.read_here(code, dialect, |judge, script| {
                judge.script_of_new_shell(script, dialect);
            });
        });
    }

    /// Judges code that the present shell runs.
    pub(super) fn judge_code_here(&mut self, code: &Word) {
        let dialect = self.walk.dialect();
        if dialect == Dialect::Words {
            return self.judge_plain_code(code);
        }
        self.nested(code.span, |judge| judge.read_here(code, dialect, Self::judge_script));
    }

    /// Reads code and lets `judge` judge it. All reasons point at the word that holds the code.
    fn read_here(&mut self, code: &Word, dialect: Dialect, judge: impl FnOnce(&mut Self, &Script)) {
        let outer = self.at.replace(self.at.unwrap_or(code.span));
        let more_arguments = std::mem::take(&mut self.more_arguments);
        let reading = grammar::read(&code.text, dialect);
        match &reading.script {
            Ok(script) => judge(self, script),
            Err(fault) => {
                self.report_fault(*fault, Some(&code.text));
                let plain = read_plain_code(code, dialect);
                if plain.program_is_literal {
                    self.judge_name_only(&plain.words);
                }
            }
        }
        self.more_arguments = more_arguments;
        self.at = outer;
    }

    /// Judges code that must be one simple command.
    fn judge_plain_code(&mut self, code: &Word) {
        self.nested(code.span, |judge| {
            let reading = read_plain_code(code, Dialect::Words);
            for fault in &reading.faults {
                judge.report_fault(*fault, None);
            }
            if reading.faults.is_empty() {
                judge.simple(&reading);
            } else if reading.program_is_literal {
                judge.judge_name_only(&reading.words);
            }
        });
    }

    fn simple(&mut self, reading: &Reading) {
        let more_arguments = std::mem::take(&mut self.more_arguments);
        self.judge_assignments(&reading.assignments, &reading.words);
        self.judge_command(&reading.words, SourceKind::Code);
        self.more_arguments = more_arguments;
    }

    /// Whether something is inserted into the word before it is used.
    pub(super) fn is_replaced(&self, code: &Word) -> bool {
        self.placeholder.are_in(&code.text)
    }

    /// Judges an argument that makes a program run something. Under an allow list it is denied. Under a deny list
    /// alone, a readable command is judged itself, and anything else is a question.
    pub(super) fn judge_executing_argument(
        &mut self,
        program: &Program,
        span: Span,
        construct: &str,
        payload: Payload<'_>,
    ) {
        if self.is_deny_only() && self.payload_is_readable(payload) {
            match payload {
                Payload::Code(code) => self.judge_code(code, Dialect::Posix),
                Payload::Argv(words) => self.judge_inner_command(words),
                Payload::Opaque => {}
            }
            return;
        }
        let message = format!("Command '{}' runs code given by {construct}", shown(&program.base));
        let hint = match construct {
            BUILTIN => "Do it without this built-in.",
            _ => "Leave that argument out, or run the inner command directly.",
        };
        let text = super::ReasonText { program: Some(program), message, hint };
        self.add_reason(self.denial_or_question(), rule_id::ARGUMENT_EXECUTES, span, text);
    }

    fn payload_is_readable(&self, payload: Payload<'_>) -> bool {
        match payload {
            Payload::Code(code) => {
                let reading = read_plain_code(code, Dialect::Words);
                reading.faults.is_empty() && !reading.words.is_empty() && !self.is_replaced(code)
            }
            Payload::Argv(words) => !words.is_empty(),
            Payload::Opaque => false,
        }
    }

    /// Asks about an argument that makes a program take options or code from a place that is not looked at.
    pub(super) fn ask_about_other_source(
        &mut self,
        program: &Program,
        span: Span,
        construct: &str,
    ) {
        let message = format!(
            "Command '{}' takes options or code from elsewhere by {construct}",
            shown(&program.base)
        );
        let hint = "Give the options themselves.";
        self.ask(rule_id::ARGUMENT_UNSEEN, program, span, message, hint);
    }

    /// Asks about a program or code that is known only when the command runs.
    pub(super) fn ask_about_unknown_program(
        &mut self,
        program: &Program,
        span: Span,
        message: String,
        hint: &str,
    ) {
        self.ask(rule_id::PROGRAM_DYNAMIC, program, span, message, hint);
    }
}

/// Reads code as one simple command. All spans are that of the word that holds it.
fn read_plain_code(code: &Word, dialect: Dialect) -> Reading {
    let mut reading = command::read(&code.text, dialect);
    for fault in &mut reading.faults {
        fault.span = code.span;
    }
    let assignments = reading.assignments.iter_mut().flat_map(|(name, value)| [name, value]);
    for word in assignments.chain(&mut reading.words) {
        word.span = code.span;
    }
    reading
}
