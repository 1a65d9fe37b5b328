//! Judges a script command by command, in the order of the text. The walk tracks possible directories, kinds of
//! variables, and functions. It runs nothing: each branch may be taken or not, and each loop may run any number of
//! times.

mod activation;
mod arithmetic;
mod builtins;
mod call;
mod contents;
mod directory;
mod expand;
mod input;
mod names;
mod outputs;
mod redirect;
mod source;
mod state;
mod survey;

use std::collections::BTreeSet;

use super::{Judge, ReasonText};
use crate::rule_id;
use crate::surroundings::Surroundings;
use crate::syntax::Dialect;
use crate::syntax::tree::{
    Command, Compound, Connector, Function, Item, Operand, Pipeline, RawWord, Role, Script,
};
use crate::syntax::word::Word;
use crate::verdict::{Decision, Span};
use redirect::Input;
use state::Shell;

pub(crate) use builtins::is_left_to_bash;
pub(in crate::judge) use directory::{is_beneath, normal};
pub(crate) use survey::{every_command, every_word};

/// The state of a walk through a script.
#[expect(clippy::struct_excessive_bools, reason = "independent facts about the script so far")]
#[derive(Debug)]
pub(crate) struct Walk<'p> {
    pub(super) surroundings: Surroundings<'p>,
    pub(super) shell: Shell,
    /// Whether standard input of the present command is a pipe or a file.
    pub(super) has_input: bool,
    /// How many items of the script that is judged next are followed by lines that the shell reads later.
    followed_items: usize,
    /// Whether such lines follow the present command.
    pub(super) is_followed: bool,
    /// In how many scripts, one inside of the other, the present command stands.
    pub(super) script_depth: usize,
    /// Whether the present command stands in a function, whose input is that of its caller.
    pub(super) is_in_function: bool,
    /// Whether the present command begins with a bare `read`.
    pub(super) is_bare_read: bool,
    /// The text of standard input, when it is written in the script.
    pub(super) input: Option<Word>,
    /// Variables that are set to text somewhere, and those that are set to numbers.
    text_variables: BTreeSet<String>,
    number_variables: BTreeSet<String>,
    /// How many characters were expanded so far, with the cost of words.
    expanded_characters: usize,
    /// Whether words of `[`, `test`, `trap` or `wait` are expanded, where a number is a single word.
    expects_numbers: bool,
    /// Variables that must only hold numbers, and where they are used.
    numeric_uses: Vec<(String, Span)>,
    /// Arrays that hold numbers so far, each with a variable that gets its elements.
    copied_numbers: Vec<(String, String)>,
    /// Variables that must only hold paths of `mktemp`, and where they are used.
    temporary_uses: Vec<(String, Span)>,
    /// Variables that may hold the name of a socket, and variables that redirections open, with where they do.
    possible_sockets: BTreeSet<String>,
    opened_variables: Vec<(String, Span)>,
    /// What the script itself does to files that it may read as code.
    contents: contents::Contents,
    /// Variables that are arrays somewhere, and variables that a declaration gives a text which bash would read as the
    /// words of an array if they were.
    arrays: BTreeSet<String>,
    declared_texts: Vec<(String, Span)>,
    /// Variables that anything but a known assignment of an array changes, and known arrays, with where they are used.
    changed_variables: BTreeSet<String>,
    array_uses: Vec<(String, Span)>,
    /// Whether a Python environment was activated anywhere.
    has_activated: bool,
    /// Whether an option of the shell exports every variable that is set (`set -a`).
    exports_all: bool,
}

impl<'p> Walk<'p> {
    pub(crate) fn new(surroundings: Surroundings<'p>) -> Self {
        let mut shell = Shell::new(Dialect::Bash, surroundings.directory);
        shell.is_typed_into = surroundings.is_continued;
        Self {
            shell,
            surroundings,
            followed_items: 0,
            is_followed: false,
            script_depth: 0,
            is_in_function: false,
            is_bare_read: false,
            has_input: false,
            input: None,
            text_variables: BTreeSet::new(),
            number_variables: BTreeSet::new(),
            expanded_characters: 0,
            expects_numbers: false,
            numeric_uses: Vec::new(),
            copied_numbers: Vec::new(),
            temporary_uses: Vec::new(),
            possible_sockets: BTreeSet::new(),
            opened_variables: Vec::new(),
            arrays: BTreeSet::new(),
            declared_texts: Vec::new(),
            changed_variables: BTreeSet::new(),
            array_uses: Vec::new(),
            contents: contents::Contents::default(),
            has_activated: false,
            exports_all: false,
        }
    }

    /// The dialect of the shell whose commands are judged.
    pub(super) fn dialect(&self) -> Dialect {
        self.shell.dialect
    }
}

impl Judge<'_> {
    /// Judges a script that the host's shell runs.
    pub(crate) fn judge_script_of_host(&mut self, script: &Script) {
        self.judge_whole_text(script);
    }

    /// Judges the whole text of a shell.
    fn judge_whole_text(&mut self, script: &Script) {
        let mut facts = survey::ScriptFacts::of(script);
        if self.walk.surroundings.is_continued {
            // An array that is fixed keeps its words.
            facts.arrays.clear();
        }
        let outer = std::mem::replace(&mut self.walk.shell.facts, facts.into());
        let shell = self.walk.shell.clone();
        loop {
            let before = self.unknown_variable.is_some();
            self.walk.followed_items = self.followed_items(script);
            self.judge_script(script);
            if before == self.unknown_variable.is_some() {
                break;
            }
            // A variable was exported. Loops and functions may run earlier commands after that, so that these are
            // judged again.
            self.walk.shell = shell.clone();
        }
        self.walk.shell.facts = outer;
    }

    /// Judges the text of another shell, of which only the working directory is known.
    pub(super) fn script_of_new_shell(&mut self, script: &Script, dialect: Dialect) {
        let mut shell = Shell::new(dialect, None);
        shell.directories.clone_from(&self.walk.shell.directories);
        shell.environment.clone_from(&self.walk.shell.environment);
        let outer = std::mem::replace(&mut self.walk.shell, shell);
        let input = self.walk.input.take();
        self.judge_whole_text(script);
        self.walk.shell = outer;
        self.walk.input = input;
    }

    pub(super) fn judge_script(&mut self, script: &Script) {
        // The shell reads a command with all scripts inside of it before it runs any part.
        let followed_items = std::mem::take(&mut self.walk.followed_items);
        let is_followed = self.walk.is_followed;
        self.walk.script_depth += 1;
        for (at, item) in script.items.iter().enumerate() {
            self.walk.is_followed = is_followed || at < followed_items;
            if item.background {
                self.in_subshell(|judge| judge.judge_item(item));
            } else {
                self.judge_item(item);
            }
        }
        self.walk.script_depth -= 1;
        self.walk.is_followed = is_followed;
    }

    fn judge_item(&mut self, item: &Item) {
        if item.rest.iter().all(|(connector, _)| *connector == Connector::And) {
            return self.judge_and_list(item);
        }
        self.judge_pipeline(&item.first);
        for (connector, pipeline) in &item.rest {
            let before = self.walk.shell.clone();
            if *connector == Connector::And {
                self.walk.shell.record_success();
            }
            self.judge_pipeline(pipeline);
            self.walk.shell.merge(&before);
        }
    }

    /// Judges pipelines joined by `&&`: each runs only after all in front of it have succeeded.
    fn judge_and_list(&mut self, item: &Item) {
        self.judge_pipeline(&item.first);
        let mut failures = Vec::new();
        for (_, pipeline) in &item.rest {
            failures.push(self.walk.shell.clone());
            self.walk.shell.record_success();
            self.judge_pipeline(pipeline);
        }
        for failure in &failures {
            self.walk.shell.merge(failure);
        }
    }

    fn judge_pipeline(&mut self, pipeline: &Pipeline) {
        if let [command] = pipeline.commands.as_slice() {
            self.judge_tree_command(command);
            if pipeline.prefixed {
                self.walk.shell.clear_cd();
            }
            return;
        }
        self.walk.shell.clear_cd();
        for (at, command) in pipeline.commands.iter().enumerate() {
            let fed = self.walk.has_input;
            self.walk.has_input |= at > 0;
            self.in_subshell(|judge| judge.judge_tree_command(command));
            self.walk.has_input = fed;
        }
    }

    fn judge_tree_command(&mut self, command: &Command) {
        self.walk.shell.clear_cd();
        match command {
            Command::Simple(simple) => self.judge_simple_command(simple),
            Command::Compound(compound, redirections) => {
                let fed = self.walk.has_input;
                for redirection in redirections {
                    self.record_output(redirection, None);
                    self.walk.has_input |=
                        !matches!(self.judge_redirection(redirection), Input::Same);
                }
                self.judge_compound(compound);
                self.walk.has_input = fed;
            }
            Command::Function(function) => self.judge_definition(function),
        }
    }

    pub(super) fn in_subshell(&mut self, judge: impl FnOnce(&mut Self)) {
        let outer = self.walk.shell.clone();
        judge(self);
        self.walk.shell = outer;
    }

    fn judge_compound(&mut self, compound: &Compound) {
        match compound {
            Compound::Group(script) => self.judge_script(script),
            Compound::Subshell(script) => self.in_subshell(|judge| judge.judge_script(script)),
            Compound::If(arms, otherwise) => self.judge_branches(arms, otherwise.as_ref()),
            Compound::For { name, words, body } => {
                self.judge_for_loop(name, words.as_deref(), body);
            }
            Compound::ArithmeticFor(text, body) => {
                self.judge_arithmetic(text);
                self.judge_repeated(&[body], |judge, _| judge.judge_script(body));
            }
            Compound::Loop(condition, body) => {
                self.judge_repeated(&[condition, body], |judge, _| {
                    judge.judge_script(condition);
                    judge.judge_script(body);
                });
            }
            Compound::Case(subject, arms) => {
                self.text(subject);
                let bodies: Vec<&Script> = arms.iter().map(|(_, body)| body).collect();
                // `;&` makes an arm continue with the next one.
                self.judge_repeated(&bodies, |judge, changes_directory| {
                    for (patterns, body) in arms {
                        for pattern in patterns {
                            judge.text(pattern);
                        }
                        judge.judge_script(body);
                        judge.walk.shell.forget_directory(changes_directory);
                    }
                });
            }
            Compound::Conditional(operands) => {
                for operand in operands {
                    self.judge_operand(operand);
                }
            }
            Compound::Arithmetic(text) => self.judge_arithmetic(text),
        }
    }

    fn judge_branches(&mut self, arms: &[(Script, Script)], otherwise: Option<&Script>) {
        let mut branch_ends: Vec<Shell> = Vec::new();
        for (condition, body) in arms {
            self.judge_script(condition);
            let after = self.walk.shell.clone();
            self.judge_script(body);
            branch_ends.push(std::mem::replace(&mut self.walk.shell, after));
        }
        if let Some(otherwise) = otherwise {
            self.judge_script(otherwise);
        }
        for end in &branch_ends {
            self.walk.shell.merge(end);
        }
    }

    /// Judges scripts that may run any number of times. Directories that they change are unknown before, between and
    /// after them.
    fn judge_repeated(&mut self, scripts: &[&Script], walk: impl FnOnce(&mut Self, bool)) {
        let changes_directory =
            survey::changes_directory(scripts, &self.walk.shell.facts.functions);
        self.walk.shell.forget_directory(changes_directory);
        walk(self, changes_directory);
        self.walk.shell.forget_directory(changes_directory);
    }

    fn judge_for_loop(&mut self, name: &str, words: Option<&[RawWord]>, body: &Script) {
        match words {
            Some(words) => drop(self.set_variable_to_words(name, words)),
            None => self.set_variable(name, None, (0, 0)),
        }
        self.judge_repeated(&[body], |judge, _| judge.judge_script(body));
    }

    fn judge_operand(&mut self, operand: &Operand) {
        match operand.role {
            Role::Text => {
                self.text(&operand.word);
            }
            Role::Number => self.judge_arithmetic(&operand.word),
            Role::Variable => {
                let name = self.text(&operand.word);
                self.assignable_name(&name, operand.word.span);
            }
        }
    }

    /// Judges the definition of a function: its body, for any arguments and variables.
    fn judge_definition(&mut self, function: &Function) {
        let name = function.name.as_str();
        // bash calls this function by itself, for every unknown command.
        let is_handler = name == "command_not_found_handle";
        if is_handler || self.is_listed_name(name) || builtins::is_left_to_bash(name, false) {
            let message = "A function has the name of a listed program or of a built-in".to_owned();
            let text =
                ReasonText { program: None, message, hint: "Give the function another name." };
            self.add_reason(Decision::Deny, rule_id::SYNTAX_GROUP, function.span, text);
        }
        if !self.walk.shell.facts.functions.contains(name) {
            let message = "A function is defined by text that is evaluated";
            let hint = "Define it in the script itself.";
            self.ask_without_program(rule_id::PROGRAM_DYNAMIC, function.span, message, hint);
        }
        // The function may be called anywhere, also in a pipe.
        let fed = std::mem::replace(&mut self.walk.has_input, true);
        let is_inner = std::mem::replace(&mut self.walk.is_in_function, true);
        self.in_subshell(|judge| {
            judge.anything_changed();
            judge.judge_tree_command(&function.body);
        });
        self.walk.is_in_function = is_inner;
        self.walk.has_input = fed;
    }

    fn is_listed_name(&self, name: &str) -> bool {
        let listed = self.policy.config.allow.as_deref().unwrap_or_default();
        let is_named =
            |rule: &crate::config::Rule| crate::program::base_name(&rule.program) == name;
        listed.iter().any(is_named) || self.is_denied_name(name)
    }
}
