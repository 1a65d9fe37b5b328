//! Judges arithmetic. bash evaluates the values of variables in it again, with subscripts and the commands in them, so
//! that these variables must only ever hold numbers.

use super::super::{Judge, ReasonText};
use crate::rule_id;
use crate::syntax::tree::{Form, Part, RawWord, Subscript};
use crate::verdict::{Decision, Span};

/// Beginnings of the names of variables that bash itself sets to text.
const SET_BY_BASH: [&str; 12] = [
    "BASH",
    "COMP",
    "COPROC",
    "DIRSTACK",
    "FUNCNAME",
    "HOST",
    "MAPFILE",
    "OLDPWD",
    "OPTARG",
    "PIPESTATUS",
    "PWD",
    "REPLY",
];
/// How often copies of copies are looked for.
const MAX_COPY_PASSES: usize = 8;
/// Variables that bash itself sets to numbers.
const NUMBERS: [&str; 7] = ["EUID", "LINENO", "OPTIND", "PPID", "RANDOM", "SECONDS", "UID"];

impl Judge<'_> {
    /// Judges text that bash evaluates as arithmetic.
    pub(super) fn judge_arithmetic(&mut self, text: &RawWord) {
        let mut ends_in_name = false;
        for part in &text.parts {
            match part {
                Part::Bare(piece) | Part::Quoted(piece) => {
                    if ends_in_name && piece.starts_with(is_part) {
                        self.ask_about_evaluation(text.span);
                    }
                    if piece.contains(|c: char| !is_known(c)) {
                        self.ask_about_evaluation(text.span);
                    }
                    for name in
                        piece.split(|c| !is_part(c)).filter(|name| name.starts_with(is_letter))
                    {
                        self.name(name, text.span);
                    }
                    ends_in_name = piece.ends_with(is_part);
                }
                Part::Arithmetic(inner) => {
                    self.judge_arithmetic(inner);
                    ends_in_name = false;
                }
                Part::Parameter(parameter) => {
                    if ends_in_name && !parameter.name.is_empty() {
                        self.ask_about_evaluation(text.span);
                    }
                    let name = parameter.name.as_str();
                    let index = match &parameter.subscript {
                        Some(Subscript::At(index)) => Some(index),
                        _ => None,
                    };
                    let is_many = parameter.subscript.is_some() && index.is_none();
                    if let Some(index) = index {
                        self.judge_arithmetic(index);
                    }
                    match &parameter.form {
                        Form::Length => {}
                        Form::Plain if matches!(name, "#" | "?" | "$" | "!") => {}
                        Form::Plain if is_letter_first(name) && !is_many => {
                            self.name(name, parameter.span);
                        }
                        Form::Alternative(word) if is_letter_first(name) && !is_many => {
                            self.name(name, parameter.span);
                            self.judge_arithmetic(word);
                        }
                        _ => {
                            self.text(&RawWord { parts: vec![part.clone()], ..RawWord::default() });
                            self.ask_about_evaluation(parameter.span);
                        }
                    }
                    ends_in_name = true;
                }
                Part::Command(script, _) => {
                    self.in_subshell(|judge| judge.judge_script(script));
                    self.ask_about_evaluation(text.span);
                }
                Part::Process(_) | Part::List(_) => self.ask_about_evaluation(text.span),
            }
        }
    }

    fn name(&mut self, name: &str, span: Span) {
        self.walk.numeric_uses.push((name.to_owned(), span));
        self.judge_counter(name, span);
    }

    /// Judges the variables that arithmetic uses, once all assignments of the script are known.
    pub(in crate::judge) fn judge_numeric_uses(&mut self) {
        let copies = std::mem::take(&mut self.walk.copied_numbers);
        // A copy may be copied in turn, in any order. Where that goes on for too long, every copy counts as text.
        for pass in 1..=MAX_COPY_PASSES {
            let known = self.walk.text_variables.len();
            for (from, to) in &copies {
                if self.walk.text_variables.contains(from) || pass == MAX_COPY_PASSES {
                    self.walk.text_variables.insert(to.clone());
                    self.walk.possible_sockets.insert(to.clone());
                }
            }
            if known == self.walk.text_variables.len() {
                break;
            }
        }
        for (name, span) in std::mem::take(&mut self.walk.numeric_uses) {
            let is_number = self.walk.number_variables.contains(&name)
                || NUMBERS.contains(&name.as_str())
                || (name.contains(|c: char| c.is_ascii_lowercase())
                    && !self.walk.surroundings.is_continued);
            let is_set = name == "_"
                || SET_BY_BASH.iter().any(|set| name.starts_with(set))
                || self.walk.text_variables.contains(&name)
                || self.walk.surroundings.environment.contains(&name);
            if is_set || !is_number {
                self.ask_about_evaluation(span);
            }
        }
    }

    fn ask_about_evaluation(&mut self, span: Span) {
        let message =
            "A number is expected where text may be evaluated, and it is only known when it runs"
                .to_owned();
        let hint = "Use numbers and variables that only ever hold numbers, or compare with `[ \"$x\" -gt 0 ]`.";
        self.add_reason(
            Decision::Ask,
            rule_id::PROGRAM_DYNAMIC,
            span,
            ReasonText { program: None, message, hint },
        );
    }
}

fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

fn is_letter_first(name: &str) -> bool {
    name.starts_with(is_letter)
}

fn is_known(c: char) -> bool {
    c.is_ascii_alphanumeric() || " \t\n_+-*/%<>=!&|^~?:,()#;".contains(c)
}
