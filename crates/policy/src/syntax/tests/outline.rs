//! A reading as lines of text, to be compared with that of bash.

use std::fmt::Write as _;

use crate::syntax::tree::{
    Command, Compound, Form, Operator, Parameter, Part, Pipeline, RawWord, Redirection, Script,
    Simple, Subscript, Target,
};
use crate::syntax::{Dialect, grammar};

/// One line for each simple command, in order, with its assignments, words and redirections; absent when the text is
/// not read.
pub(super) fn outline(text: &str) -> Option<Vec<String>> {
    let script = grammar::read(text, Dialect::Bash).script.ok()?;
    let mut lines = Lines::default();
    lines.script(&script);
    Some(lines.all)
}

#[derive(Default)]
struct Lines {
    all: Vec<String>,
}

impl Lines {
    fn script(&mut self, script: &Script) {
        for item in &script.items {
            self.pipeline(&item.first);
            for (connector, pipeline) in &item.rest {
                self.all.push(format!("{connector:?}"));
                self.pipeline(pipeline);
            }
            if item.background {
                self.all.push("&".to_owned());
            }
        }
    }

    fn pipeline(&mut self, pipeline: &Pipeline) {
        for (at, command) in pipeline.commands.iter().enumerate() {
            if at > 0 {
                self.all.push("|".to_owned());
            }
            self.command(command);
        }
    }

    fn command(&mut self, command: &Command) {
        match command {
            Command::Simple(simple) => self.simple(simple),
            Command::Compound(compound, redirections) => {
                self.compound(compound);
                self.all.push(format!("end{}", self.redirections(redirections)));
            }
            Command::Function(function) => {
                self.all.push(format!("function {}", function.name));
                // bash prints a group around a body that is none.
                let is_group = matches!(*function.body, Command::Compound(Compound::Group(_), _));
                if !is_group {
                    self.all.push("{".to_owned());
                }
                self.command(&function.body);
                if !is_group {
                    self.all.push("end".to_owned());
                }
            }
        }
    }

    fn simple(&mut self, simple: &Simple) {
        let mut line = String::new();
        for assignment in &simple.assignments {
            let sign = if assignment.appends { "+=" } else { "=" };
            let index = assignment.subscript.as_ref();
            let index =
                index.map_or_else(String::new, |index| format!("[{}]", self.arithmetic(index)));
            let name = &assignment.name;
            let _ = write!(line, "{name}{index}{sign}{} ", self.word(&assignment.value));
        }
        for word in &simple.words {
            let _ = write!(line, "[{}] ", self.word(word));
        }
        let redirections = self.redirections(&simple.redirections);
        self.all.push(format!("{line}{redirections}"));
    }

    fn compound(&mut self, compound: &Compound) {
        match compound {
            Compound::Group(script) => self.part("{", script),
            Compound::Subshell(script) => self.part("(", script),
            Compound::If(arms, otherwise) => {
                for (at, (condition, body)) in arms.iter().enumerate() {
                    // bash prints `elif` as `else if`.
                    if at > 0 {
                        self.all.push("else".to_owned());
                    }
                    self.part("if", condition);
                    self.part("then", body);
                }
                if let Some(otherwise) = otherwise {
                    self.part("else", otherwise);
                }
                self.all.extend(arms.iter().skip(1).map(|_| "end".to_owned()));
            }
            Compound::For { name, words, body } => {
                let words = words.as_ref().map_or_else(
                    || " ${@  true}".to_owned(),
                    |words| {
                        words.iter().fold(String::new(), |all, word| all + " " + &self.word(word))
                    },
                );
                self.part(&format!("for {name}{words}"), body);
            }
            Compound::ArithmeticFor(text, body) => {
                // bash prints `1` for an expression that is left out.
                let text = self.arithmetic(text);
                let parts: Vec<&str> =
                    text.split(';').map(|part| if part.is_empty() { "1" } else { part }).collect();
                self.part(&format!("for (({}))", parts.join(";")), body);
            }
            Compound::Loop(condition, body) => {
                self.part("while", condition);
                self.part("do", body);
            }
            Compound::Case(subject, arms) => {
                let subject = self.word(subject);
                self.all.push(format!("case {subject}"));
                for (patterns, body) in arms {
                    let patterns: Vec<String> =
                        patterns.iter().map(|word| self.word(word)).collect();
                    self.part(&patterns.join("|"), body);
                }
            }
            Compound::Conditional(operands) => {
                let words: Vec<String> = operands
                    .iter()
                    .map(|operand| format!("{:?} {}", operand.role, self.word(&operand.word)))
                    .collect();
                self.all.push(format!("[[ {} ]]", words.join(" ")));
            }
            Compound::Arithmetic(text) => {
                let text = self.arithmetic(text);
                self.all.push(format!("(({text}))"));
            }
        }
    }

    fn part(&mut self, head: &str, script: &Script) {
        self.all.push(head.to_owned());
        self.script(script);
    }

    fn redirections(&self, redirections: &[Redirection]) -> String {
        let mut text = String::new();
        for redirection in redirections {
            let target = redirection.target.word().map_or_else(String::new, |word| self.word(word));
            let document =
                if matches!(redirection.target, Target::Document(_)) { " lines" } else { "" };
            let operator = redirection.operator;
            // bash leaves the number of `1<>` out.
            let descriptor =
                if operator == Operator::ReadWrite { 0 } else { redirection.descriptor };
            let _ = write!(text, "{operator:?}{document} {descriptor} {target:?} ");
        }
        text
    }

    fn arithmetic(&self, text: &RawWord) -> String {
        self.word(text).split_whitespace().collect()
    }

    /// Characters that count as patterns, braces or tildes are marked.
    fn word(&self, word: &RawWord) -> String {
        let mut text = String::new();
        for part in &word.parts {
            match part {
                Part::Bare(piece) => {
                    for character in piece.chars() {
                        if "*?[{~".contains(character) {
                            text.push('\u{1}');
                        }
                        text.push(character);
                    }
                }
                Part::Quoted(piece) => text.push_str(piece),
                Part::Parameter(parameter) => text.push_str(&self.parameter(parameter)),
                Part::Command(script, quoted) => {
                    let _ = write!(text, "$({quoted} {})", inner(script));
                }
                Part::Process(script) => {
                    let _ = write!(text, "<({})", inner(script));
                }
                Part::List(words) => {
                    let words: Vec<String> = words.iter().map(|word| self.word(word)).collect();
                    let _ = write!(text, "({})", words.join("\u{2}"));
                }
                Part::Arithmetic(inside) => {
                    let _ = write!(text, "$(({}))", self.arithmetic(inside));
                }
            }
        }
        text
    }

    fn parameter(&self, parameter: &Parameter) -> String {
        let (kind, word) = match &parameter.form {
            Form::Plain => ("", None),
            Form::Length => ("#", None),
            Form::Indices => ("!", None),
            Form::Alternative(word) => ("-", Some(word)),
            Form::Assign(word) => ("=", Some(word)),
            Form::Edit(word) => ("/", Some(word)),
            Form::Slice(word) => (":", Some(word)),
        };
        let word = word.map_or_else(String::new, |word| self.word(word));
        let subscript = match &parameter.subscript {
            None => String::new(),
            Some(Subscript::All) => "[@]".to_owned(),
            Some(Subscript::Joined) => "[*]".to_owned(),
            Some(Subscript::At(index)) => format!("[{}]", self.arithmetic(index)),
        };
        format!("${{{kind}{}{subscript} {word} {}}}", parameter.name, parameter.quoted)
    }
}

fn inner(script: &Script) -> String {
    let mut lines = Lines::default();
    lines.script(script);
    lines.all.join("; ")
}
