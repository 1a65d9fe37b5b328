//! Judging a script: its commands in the order of the text, with what is known of variables, directories and functions
//! at each. Nothing is run: a branch is taken and not taken, a loop runs any number of times.

mod arithmetic;
mod builtins;
mod call;
mod directory;
mod expand;
mod names;
mod redirect;
mod state;
mod survey;

use std::collections::BTreeSet;

use super::{Judge, Text};
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

pub(crate) use builtins::is_free;
pub(crate) use survey::every_word;

/// What a walk knows besides the reasons.
#[derive(Debug)]
pub(crate) struct Walk<'p> {
    pub(super) surroundings: Surroundings<'p>,
    pub(super) shell: Shell,
    /// Standard input of the command that is judged is a pipe or a file.
    pub(super) fed: bool,
    /// Its text, where it is written in the script.
    pub(super) input: Option<Word>,
    /// Names that are given text somewhere, and not only numbers.
    texts: BTreeSet<String>,
    numbers: BTreeSet<String>,
    /// Characters of words that were expanded, and words.
    expanded: usize,
    /// The words of a `[` are expanded: a number is one word there.
    counts: bool,
    /// Names that are taken for numbers, and where.
    evaluated: Vec<(String, Span)>,
    /// Names that are given what may be the name of a socket, and names of files that are opened, with where.
    sockets: BTreeSet<String>,
    opened: Vec<(String, Span)>,
}

impl<'p> Walk<'p> {
    pub(crate) fn new(surroundings: Surroundings<'p>) -> Self {
        Self {
            shell: Shell::new(Dialect::Bash, surroundings.directory),
            surroundings,
            fed: false,
            input: None,
            texts: BTreeSet::new(),
            numbers: BTreeSet::new(),
            expanded: 0,
            counts: false,
            evaluated: Vec::new(),
            sockets: BTreeSet::new(),
            opened: Vec::new(),
        }
    }

    /// Of the shell whose commands are judged.
    pub(super) fn dialect(&self) -> Dialect {
        self.shell.dialect
    }
}

impl Judge<'_> {
    /// A script of the host's shell, to its end.
    pub(crate) fn whole_script(&mut self, script: &Script) {
        self.top(script);
    }

    /// A text that a shell starts with.
    fn top(&mut self, script: &Script) {
        let facts = survey::Facts::of(script);
        let outer = std::mem::replace(&mut self.walk.shell.facts, facts.into());
        let shell = self.walk.shell.clone();
        loop {
            let before = self.unknown_variable.is_some();
            self.script(script);
            if before == self.unknown_variable.is_some() {
                break;
            }
            // A loop or a function may run what stands in front of an `export` after it.
            self.walk.shell = shell.clone();
        }
        self.walk.shell.facts = outer;
    }

    /// A text that another shell starts with: nothing is known of its variables, but where it runs.
    pub(super) fn script_of_new_shell(&mut self, script: &Script, dialect: Dialect) {
        let mut shell = Shell::new(dialect, None);
        shell.directories.clone_from(&self.walk.shell.directories);
        let outer = std::mem::replace(&mut self.walk.shell, shell);
        let input = self.walk.input.take();
        self.top(script);
        self.walk.shell = outer;
        self.walk.input = input;
    }

    pub(super) fn script(&mut self, script: &Script) {
        for item in &script.items {
            if item.background {
                self.in_subshell(|judge| judge.item(item));
            } else {
                self.item(item);
            }
        }
    }

    fn item(&mut self, item: &Item) {
        self.pipeline(&item.first);
        for (connector, pipeline) in &item.rest {
            let before = self.walk.shell.clone();
            if *connector == Connector::And {
                self.walk.shell.arrive();
            }
            self.pipeline(pipeline);
            self.walk.shell.merge(&before);
        }
    }

    fn pipeline(&mut self, pipeline: &Pipeline) {
        if let [command] = pipeline.commands.as_slice() {
            self.walked(command);
            if pipeline.prefixed {
                self.walk.shell.stay();
            }
            return;
        }
        self.walk.shell.stay();
        for (at, command) in pipeline.commands.iter().enumerate() {
            let fed = self.walk.fed;
            self.walk.fed |= at > 0;
            self.in_subshell(|judge| judge.walked(command));
            self.walk.fed = fed;
        }
    }

    fn walked(&mut self, command: &Command) {
        self.walk.shell.stay();
        match command {
            Command::Simple(simple) => self.simple_command(simple),
            Command::Compound(compound, redirections) => {
                let fed = self.walk.fed;
                for redirection in redirections {
                    self.walk.fed |= !matches!(self.redirect(redirection), Input::Same);
                }
                self.compound(compound);
                self.walk.fed = fed;
            }
            Command::Function(function) => self.define(function),
        }
    }

    pub(super) fn in_subshell(&mut self, judge: impl FnOnce(&mut Self)) {
        let outer = self.walk.shell.clone();
        judge(self);
        self.walk.shell = outer;
    }

    fn compound(&mut self, compound: &Compound) {
        match compound {
            Compound::Group(script) => self.script(script),
            Compound::Subshell(script) => self.in_subshell(|judge| judge.script(script)),
            Compound::If(arms, otherwise) => self.branches(arms, otherwise.as_ref()),
            Compound::For { name, words, body } => self.for_loop(name, words.as_deref(), body),
            Compound::ArithmeticFor(text, body) => {
                self.arithmetic(text);
                self.repeated(&[body], |judge, _| judge.script(body));
            }
            Compound::Loop(condition, body) => self.repeated(&[condition, body], |judge, _| {
                judge.script(condition);
                judge.script(body);
            }),
            Compound::Case(subject, arms) => {
                self.text(subject);
                let bodies: Vec<&Script> = arms.iter().map(|(_, body)| body).collect();
                // An arm may go on with the next.
                self.repeated(&bodies, |judge, moves| {
                    for (patterns, body) in arms {
                        for pattern in patterns {
                            judge.text(pattern);
                        }
                        judge.script(body);
                        judge.walk.shell.forget(moves);
                    }
                });
            }
            Compound::Conditional(operands) => operands.iter().for_each(|one| self.operand(one)),
            Compound::Arithmetic(text) => self.arithmetic(text),
        }
    }

    fn branches(&mut self, arms: &[(Script, Script)], otherwise: Option<&Script>) {
        let mut ends: Vec<Shell> = Vec::new();
        for (condition, body) in arms {
            self.script(condition);
            let after = self.walk.shell.clone();
            self.script(body);
            ends.push(std::mem::replace(&mut self.walk.shell, after));
        }
        if let Some(otherwise) = otherwise {
            self.script(otherwise);
        }
        for end in &ends {
            self.walk.shell.merge(end);
        }
    }

    /// Where these may lead to is unknown before, between and after.
    fn repeated(&mut self, scripts: &[&Script], walk: impl FnOnce(&mut Self, bool)) {
        let moves = survey::moves(scripts, &self.walk.shell.facts.functions);
        self.walk.shell.forget(moves);
        walk(self, moves);
        self.walk.shell.forget(moves);
    }

    fn for_loop(&mut self, name: &str, words: Option<&[RawWord]>, body: &Script) {
        let mut values = Vec::new();
        for word in words.unwrap_or_default() {
            values.extend(self.fields(word));
        }
        let span = words.and_then(|words| words.first()).map_or((0, 0), |word| word.span);
        if words.is_none() {
            self.set_variable(name, None, span);
        }
        for value in &values {
            self.set_variable(name, Some(value), span);
        }
        self.repeated(&[body], |judge, _| judge.script(body));
    }

    fn operand(&mut self, operand: &Operand) {
        match operand.role {
            Role::Text => {
                self.text(&operand.word);
            }
            Role::Number => self.arithmetic(&operand.word),
            Role::Variable => {
                let name = self.text(&operand.word);
                self.plain_name(&name, operand.word.span);
            }
        }
    }

    /// The body is judged here, for any arguments and any variables.
    fn define(&mut self, function: &Function) {
        let name = function.name.as_str();
        // It calls this one by itself.
        let is_handler = name == "command_not_found_handle";
        if is_handler || self.is_listed_name(name) || builtins::is_free(name, false) {
            let message = "A function has the name of a listed program or of a built-in".to_owned();
            let text = Text { program: None, message, hint: "Give the function another name." };
            self.find(Decision::Deny, rule_id::SYNTAX_GROUP, function.span, text);
        }
        if !self.walk.shell.facts.functions.contains(name) {
            let message = "A function is defined by text that is evaluated";
            let hint = "Define it in the script itself.";
            self.asks(rule_id::PROGRAM_DYNAMIC, function.span, message, hint);
        }
        // It may be called in a pipe, and from anywhere.
        let fed = std::mem::replace(&mut self.walk.fed, true);
        self.in_subshell(|judge| {
            judge.anything_changed();
            judge.walked(&function.body);
        });
        self.walk.fed = fed;
    }

    fn is_listed_name(&self, name: &str) -> bool {
        let listed = self.policy.config.allow.as_deref().unwrap_or_default();
        let is_named =
            |rule: &crate::config::Rule| crate::program::base_name(&rule.program) == name;
        listed.iter().any(is_named) || self.is_denied_name(name)
    }
}
