//! Judges one simple command of a script.

use super::super::payload::{BUILTIN, Payload};
use super::super::{Judge, SourceKind, shown};
use super::builtins;
use super::redirect::Input;
use crate::mark;
use crate::program::{Origin, Program};
use crate::rule_id;
use crate::syntax::Dialect;
use crate::syntax::grammar::DECLARING_BUILTINS;
use crate::syntax::tree::{Assignment, Part, RawWord, Simple};
use crate::syntax::word::Word;
use crate::verdict::Span;

/// Programs that take commands, in a language of their own, from standard input.
const COMMAND_READERS: [&str; 18] = [
    "at", "batch", "crontab", "dc", "ed", "ex", "ftp", "gdb", "lldb", "m4", "mail", "mailx",
    "mysql", "psql", "red", "sftp", "sqlite3", "vim",
];

impl Judge<'_> {
    pub(super) fn judge_simple_command(&mut self, simple: &Simple) {
        let words = self.words_of(simple);
        let mut input = None;
        self.note_written_files(simple, &words);
        let mut fed = self.walk.has_input;
        for redirection in &simple.redirections {
            match self.judge_redirection(redirection) {
                Input::Same => continue,
                Input::Opaque => input = None,
                Input::Text(text) => input = Some(text),
            }
            fed = true;
        }
        let Some(first) = words.first() else {
            // The command has no words left, so that its assignments set variables of the shell.
            simple.assignments.iter().for_each(|assignment| self.judge_assignment(assignment));
            return;
        };
        if self.depth == 0 {
            self.commands = 0;
        }
        let name = first.text.clone();
        let outer_input = std::mem::replace(&mut self.walk.input, input);
        let outer_fed = std::mem::replace(&mut self.walk.has_input, fed);
        let outer_by_path = std::mem::replace(&mut self.replaced_by_path, are_paths(&words[1..]));
        let outer_variable = self.unknown_variable.clone();
        let is_builtin = builtins::is_builtin(&name);
        self.judge_lasting_input(&words, &simple.redirections);
        self.walk.is_bare_read = simple.words.first().and_then(RawWord::bare) == Some("read");
        for assignment in &simple.assignments {
            self.judge_assignment_for(assignment, &words, is_builtin);
        }
        if self.is_end_of_activation(&name) {
            self.walk.shell.environment = None;
        } else if self.is_function(&name) {
            self.judge_call(&name, first.span);
        } else {
            self.judge_command(&words, SourceKind::Code);
            if self.walk.shell.facts.functions.contains(&name) {
                // Without the kernel plan it is not known whether the name means the function or a program.
                self.anything_changed();
            }
        }
        if !simple.assignments.is_empty() {
            self.unknown_variable = outer_variable;
        }
        self.replaced_by_path = outer_by_path;
        self.walk.has_input = outer_fed;
        self.walk.input = outer_input;
    }

    /// Whether the name surely means a function: it is defined before anything calls it, or the kernel would start no
    /// program of this name, because functions with names of listed programs are denied.
    fn is_function(&mut self, name: &str) -> bool {
        let facts = &self.walk.shell.facts;
        facts.defined_early.contains(name)
            || facts.functions.contains(name) && self.is_limited_to_list()
    }

    fn words_of(&mut self, simple: &Simple) -> Vec<Word> {
        // Only bash treats such arguments as assignments, and only when the name of the built-in is not quoted.
        let declares = self.walk.dialect() == Dialect::Bash
            && simple
                .words
                .first()
                .and_then(RawWord::bare)
                .is_some_and(|name| DECLARING_BUILTINS.contains(&name));
        let tests = simple
            .words
            .first()
            .and_then(RawWord::bare)
            .is_some_and(|name| matches!(name, "[" | "test" | "trap" | "wait"));
        let counts = std::mem::replace(&mut self.walk.expects_numbers, tests);
        let mut words: Vec<Word> = Vec::new();
        for raw in &simple.words {
            if let (Some(list), [Part::Bare(text), ..]) = (raw.list(), raw.parts.as_slice()) {
                // Only a declaration has such a word: the array is set, and declared.
                let name = text.trim_end_matches(['+', '=']).to_owned();
                self.set_variable_to_words(&name, list);
                self.walk.arrays.insert(name.clone());
                words.push(Word { text: name, span: raw.span });
                continue;
            }
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
        self.walk.expects_numbers = counts;
        words
    }

    /// Judges a variable that is set for one command.
    fn judge_assignment_for(&mut self, assignment: &Assignment, words: &[Word], is_builtin: bool) {
        let value = self.text(&assignment.value);
        let name = assignment.name.as_str();
        self.walk.text_variables.insert(name.to_owned());
        if is_builtin || name == "FUNCNEST" {
            self.refuse_if_set_by_bash(name, &value, assignment.span);
            // After some built-ins the variable keeps this value.
            self.walk.possible_sockets.insert(name.to_owned());
        }
        // For `read`, `IFS` only says where lines are split.
        if name == "IFS" && words[0].text == "read" {
            return;
        }
        let program = self.program_by(&words[0].text);
        self.judge_variable(Some(&program), name, &value, assignment.span);
    }

    /// Judges the call of a function. Afterwards nothing is known about what it may have changed.
    fn judge_call(&mut self, name: &str, span: Span) {
        let program = self.program(name);
        self.compare_with_deny_list(&program, &[Word { text: name.to_owned(), span }]);
        self.judge_followed(span);
        self.ask_about_unknown_variable(&program, &[]);
        self.anything_changed();
    }

    pub(super) fn anything_changed(&mut self) {
        if self.walk.shell.facts.changes_directory {
            self.walk.shell.directories = None;
        }
    }

    /// Judges a command whose name is known only at run time.
    pub(in crate::judge) fn judge_unknown_name(&mut self, words: &[Word]) {
        let name = &words[0].text;
        let base = name.rsplit('/').next().unwrap_or_default();
        let program = Program::parse(base, &[]);
        let message = "The name of the program is not known before it runs".to_owned();
        self.ask_about_unknown_program(&program, words[0].span, message, self.naming_hint());
        if !mark::is_in(base) && !base.is_empty() {
            self.compare_with_deny_list(&program, words);
        }
        self.walk.shell.directories = None;
    }

    /// Asks when the script feeds text to a program that takes commands from standard input.
    pub(in crate::judge) fn judge_commands_on_input(&mut self, program: &Program, words: &[Word]) {
        let takes_commands =
            COMMAND_READERS.contains(&program.kind()) && program.origin != Origin::Untrusted;
        if self.walk.has_input && takes_commands && !self.is_trusted(program) {
            let message =
                format!("Command '{}' may take commands from standard input", shown(&program.base));
            let hint = "Give its commands as arguments.";
            self.ask(rule_id::INTERPRETER_CODE, program, words[0].span, message, hint);
        }
    }

    /// Refuses a built-in whose effect on the rest of the script is not tracked.
    pub(super) fn refused_builtin(&mut self, program: &Program, span: Span) {
        self.judge_executing_argument(program, span, BUILTIN, Payload::Opaque);
    }
}

/// Whether there are unknown words and all of them are paths with a known beginning.
fn are_paths(words: &[Word]) -> bool {
    let mut marked = words.iter().filter(|word| mark::is_in(&word.text)).peekable();
    marked.peek().is_some() && marked.all(|word| mark::is_named_path(&word.text))
}
