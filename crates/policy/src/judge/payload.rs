//! Code and commands carried in arguments.

use super::{Judge, Place, shown};
use crate::mark;
use crate::program::Program;
use crate::rule_id;
use crate::syntax::Dialect;
use crate::syntax::command::{self, Reading};
use crate::syntax::grammar;
use crate::syntax::tree::Script;
use crate::syntax::word::Word;
use crate::verdict::Span;

/// What an argument carries.
#[derive(Clone, Copy)]
pub(crate) enum Payload<'a> {
    /// A command line that a shell runs.
    Code(&'a Word),
    /// A command as words.
    Argv(&'a [Word]),
    /// Something that runs and cannot be read here.
    Opaque,
}

/// Text that is replaced when the command runs (`{}` of `find`): the marks of every command around this one, because
/// each replaces its own before the next one starts.
#[derive(Clone, Debug)]
pub(crate) struct Placeholders {
    marks: Vec<String>,
}

impl Placeholders {
    /// Adds a mark and returns what was there before.
    pub(super) fn replace(&mut self, mark: String) -> Self {
        let outer = self.clone();
        self.marks.push(mark);
        outer
    }

    /// What a shell leaves open, at any depth.
    pub(super) fn of_shells() -> Self {
        Self { marks: mark::ALL.map(String::from).to_vec() }
    }

    pub(super) fn are_in(&self, text: &str) -> bool {
        self.marks.iter().any(|mark| text.contains(mark.as_str()))
    }
}

impl Judge<'_> {
    /// Code of a shell that starts for it.
    pub(super) fn code(&mut self, code: &Word, dialect: Dialect) {
        if dialect == Dialect::Words {
            return self.plain_code(code);
        }
        self.nested(code.span, |judge| {
            judge.read_here(code, dialect, |judge, script| {
                judge.script_of_new_shell(script, dialect);
            });
        });
    }

    /// The same for the shell that runs already.
    pub(super) fn code_here(&mut self, code: &Word) {
        let dialect = self.walk.dialect();
        if dialect == Dialect::Words {
            return self.plain_code(code);
        }
        self.nested(code.span, |judge| judge.read_here(code, dialect, Self::script));
    }

    /// Reasons of the code point at the word it stands in.
    fn read_here(&mut self, code: &Word, dialect: Dialect, judge: impl FnOnce(&mut Self, &Script)) {
        let outer = self.at.replace(self.at.unwrap_or(code.span));
        let more_arguments = std::mem::take(&mut self.more_arguments);
        let reading = grammar::read(&code.text, dialect);
        match &reading.script {
            Ok(script) => judge(self, script),
            Err(fault) => {
                self.fault(*fault);
                let plain = reread(code, dialect);
                if plain.program_is_literal {
                    self.name_only(&plain.words);
                }
            }
        }
        self.more_arguments = more_arguments;
        self.at = outer;
    }

    /// It must be one simple command, and that command is judged.
    fn plain_code(&mut self, code: &Word) {
        self.nested(code.span, |judge| {
            let reading = reread(code, Dialect::Words);
            for fault in &reading.faults {
                judge.fault(*fault);
            }
            if reading.faults.is_empty() {
                judge.simple(&reading);
            } else if reading.program_is_literal {
                judge.name_only(&reading.words);
            }
        });
    }

    fn simple(&mut self, reading: &Reading) {
        let more_arguments = std::mem::take(&mut self.more_arguments);
        self.assignments(&reading.assignments, &reading.words);
        self.command(&reading.words, Place::Code);
        self.more_arguments = more_arguments;
    }

    /// Whether text is replaced in this code before it runs.
    pub(super) fn is_replaced(&self, code: &Word) -> bool {
        self.placeholder.are_in(&code.text)
    }

    /// An argument that makes a program run something: denied under an allow list; under a deny
    /// list what it runs is judged where it can be read, and a question otherwise.
    pub(super) fn executes(
        &mut self,
        program: &Program,
        span: Span,
        construct: &str,
        payload: Payload<'_>,
    ) {
        if self.is_deny_only() && self.payload_is_readable(payload) {
            match payload {
                Payload::Code(code) => self.code(code, Dialect::Posix),
                Payload::Argv(words) => self.inner(words),
                Payload::Opaque => {}
            }
            return;
        }
        let message = format!("Command '{}' runs code given by {construct}", shown(&program.base));
        let text = super::Text {
            program: Some(program),
            message,
            hint: "Leave that argument out, or run the inner command directly.",
        };
        self.find(self.strict(), rule_id::ARGUMENT_EXECUTES, span, text);
    }

    fn payload_is_readable(&self, payload: Payload<'_>) -> bool {
        match payload {
            Payload::Code(code) => {
                let reading = reread(code, Dialect::Words);
                reading.faults.is_empty() && !reading.words.is_empty() && !self.is_replaced(code)
            }
            Payload::Argv(words) => !words.is_empty(),
            Payload::Opaque => false,
        }
    }

    /// An argument that makes a program read options or code from where nobody looks here.
    pub(super) fn unseen(&mut self, program: &Program, span: Span, construct: &str) {
        let message = format!(
            "Command '{}' takes options or code from elsewhere by {construct}",
            shown(&program.base)
        );
        let hint = "Give the options themselves.";
        self.ask(rule_id::ARGUMENT_UNSEEN, program, span, message, hint);
    }

    /// A started command that is only known when it runs.
    pub(super) fn dynamic(&mut self, program: &Program, span: Span, message: String, hint: &str) {
        self.ask(rule_id::PROGRAM_DYNAMIC, program, span, message, hint);
    }
}

/// Reads code; every span becomes that of the word it stands in.
fn reread(code: &Word, dialect: Dialect) -> Reading {
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
