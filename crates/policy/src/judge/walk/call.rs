//! One simple command of a script.

use super::super::payload::Payload;
use super::super::{Judge, Place, shown};
use super::builtins;
use super::redirect::Input;
use crate::mark;
use crate::program::{Origin, Program};
use crate::rule_id;
use crate::syntax::Dialect;
use crate::syntax::tree::{Assignment, RawWord, Simple};
use crate::syntax::word::Word;
use crate::verdict::Span;

/// Built-ins whose arguments that look like assignments are neither split nor matched.
const DECLARING: [&str; 5] = ["declare", "export", "local", "readonly", "typeset"];

/// Programs for which standard input is a language that starts others.
const READING_COMMANDS: [&str; 18] = [
    "at", "batch", "crontab", "dc", "ed", "ex", "ftp", "gdb", "lldb", "m4", "mail", "mailx",
    "mysql", "psql", "red", "sftp", "sqlite3", "vim",
];

impl Judge<'_> {
    pub(super) fn simple_command(&mut self, simple: &Simple) {
        let words = self.words_of(simple);
        let mut input = None;
        let mut fed = self.walk.fed;
        for redirection in &simple.redirections {
            match self.redirect(redirection) {
                Input::Same => continue,
                Input::Opaque => input = None,
                Input::Text(text) => input = Some(text),
            }
            fed = true;
        }
        let Some(first) = words.first() else {
            // Words that all vanish leave the assignments to the shell.
            simple.assignments.iter().for_each(|assignment| self.assign(assignment));
            return;
        };
        if self.depth == 0 {
            self.commands = 0;
        }
        let name = first.text.clone();
        let outer_input = std::mem::replace(&mut self.walk.input, input);
        let outer_fed = std::mem::replace(&mut self.walk.fed, fed);
        let outer_by_path = std::mem::replace(&mut self.replaced_by_path, are_paths(&words[1..]));
        let outer_variable = self.unknown_variable.clone();
        let is_builtin = builtins::is_builtin(&name);
        for assignment in &simple.assignments {
            self.assign_for(assignment, &words, is_builtin);
        }
        if self.is_function(&name) {
            self.call(&name, first.span);
        } else {
            self.command(&words, Place::Code);
            if self.walk.shell.facts.functions.contains(&name) {
                // It may be a function after all.
                self.anything_changed();
            }
        }
        if !simple.assignments.is_empty() {
            self.unknown_variable = outer_variable;
        }
        self.replaced_by_path = outer_by_path;
        self.walk.fed = outer_fed;
        self.walk.input = outer_input;
    }

    /// Whether it is certain to be one, or the kernel starts no program of this name: one that is listed is no function.
    fn is_function(&mut self, name: &str) -> bool {
        let facts = &self.walk.shell.facts;
        facts.early.contains(name) || facts.functions.contains(name) && self.is_held_to_list()
    }

    fn words_of(&mut self, simple: &Simple) -> Vec<Word> {
        // Not every `sh` treats what looks like an assignment as one, and bash only behind the bare name.
        let declares = self.walk.dialect() == Dialect::Bash
            && simple
                .words
                .first()
                .and_then(RawWord::bare)
                .is_some_and(|name| DECLARING.contains(&name));
        let tests = simple
            .words
            .first()
            .and_then(RawWord::bare)
            .is_some_and(|name| matches!(name, "[" | "test" | "wait"));
        let counts = std::mem::replace(&mut self.walk.counts, tests);
        let mut words: Vec<Word> = Vec::new();
        for raw in &simple.words {
            let assigns = declares
                && raw
                    .characters()
                    .take_while(|(c, bare)| *bare && (c.is_ascii_alphanumeric() || *c == '_'))
                    .count()
                    > 0
                && raw
                    .characters()
                    .find(|(c, bare)| !(*bare && (c.is_ascii_alphanumeric() || *c == '_')))
                    == Some(('=', true));
            let fields = if assigns { self.assignments_of(raw) } else { self.fields(raw) };
            words.extend(fields.into_iter().map(|text| Word { text, span: raw.span }));
        }
        self.walk.counts = counts;
        words
    }

    /// A variable for one command.
    fn assign_for(&mut self, assignment: &Assignment, words: &[Word], is_builtin: bool) {
        let value = self.text(&assignment.value);
        let name = assignment.name.as_str();
        self.walk.texts.insert(name.to_owned());
        if is_builtin || name == "FUNCNEST" {
            self.refuse_if_set_by_bash(name, &value, assignment.span);
            // Some built-ins keep it.
            self.walk.sockets.insert(name.to_owned());
        }
        // It only says how `read` splits.
        if name == "IFS" && words[0].text == "read" {
            return;
        }
        let program = Program::parse(&words[0].text, &self.policy.config.trusted_directories);
        self.variable(Some(&program), name, &value, assignment.span);
    }

    /// What a function changes is not known where it is called.
    fn call(&mut self, name: &str, span: Span) {
        let program = Program::parse(name, &self.policy.config.trusted_directories);
        self.deny_side_only(&program, &[Word { text: name.to_owned(), span }]);
        self.told_by_unknown_variable(&program, &[]);
        self.anything_changed();
    }

    pub(super) fn anything_changed(&mut self) {
        if self.walk.shell.facts.moves {
            self.walk.shell.directories = None;
        }
    }

    /// A name that only run time knows.
    pub(in crate::judge) fn dynamic_name(&mut self, words: &[Word]) {
        let name = &words[0].text;
        let base = name.rsplit('/').next().unwrap_or_default();
        let program = Program::parse(base, &[]);
        let message = "The name of the program is not known before it runs".to_owned();
        self.dynamic(&program, words[0].span, message, "Name the program itself.");
        if !mark::is_in(base) && !base.is_empty() {
            self.deny_side_only(&program, words);
        }
        self.walk.shell.directories = None;
    }

    /// Standard input of a program for which it is code, where the script says what that is.
    pub(in crate::judge) fn reads_commands(&mut self, program: &Program, words: &[Word]) {
        let reads =
            READING_COMMANDS.contains(&program.kind()) && program.origin != Origin::Untrusted;
        if self.walk.fed && reads && !self.is_trusted(program) {
            let message =
                format!("Command '{}' may take commands from standard input", shown(&program.base));
            let hint = "Give its commands as arguments.";
            self.ask(rule_id::INTERPRETER_CODE, program, words[0].span, message, hint);
        }
    }

    /// Built-ins that are not understood: what they do may change what the rest of the script means.
    pub(super) fn refused_builtin(&mut self, program: &Program, span: Span) {
        self.executes(program, span, "the built-in", Payload::Opaque);
    }
}

/// Whether everything unknown among these is a file name behind a beginning that is known.
fn are_paths(words: &[Word]) -> bool {
    let mut marked = words.iter().filter(|word| mark::is_in(&word.text)).peekable();
    marked.peek().is_some() && marked.all(|word| mark::is_named_path(&word.text))
}
