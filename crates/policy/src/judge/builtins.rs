//! Words that a shell runs itself.

use super::payload::Payload;
use super::{Judge, Place, Text, shown};
use crate::program::{Origin, Program};
use crate::rule_id;
use crate::syntax::Dialect;
use crate::syntax::word::Word;
use crate::tables::holds;
use crate::verdict::Decision;

/// Built-ins without a program of that name. In a line there is nothing to run for them.
pub(super) const WITHOUT_PROGRAM: &str = ". : alias bg bind break builtin caller cd command compgen complete compopt \
    continue declare dirs disown enable eval exec exit export fc fg getopts hash help history jobs let local logout \
    mapfile popd pushd read readarray readonly return set shift shopt source suspend trap type typeset ulimit umask \
    unalias unset wait times";

/// Free inside the code of a shell: they start nothing and write no file.
const PURE: &str = ": [ break caller cd continue declare dirs echo exit export false getopts help let local popd \
    printf pushd pwd read readonly return set shift shopt test times true type typeset ulimit umask unalias unset \
    wait logout";

/// Those of them that set variables.
const DECLARING: &str = "declare export local readonly typeset";

impl Judge<'_> {
    /// Judges a built-in. True when nothing is left to judge.
    pub(super) fn builtin(&mut self, program: &Program, words: &[Word], place: Place) -> bool {
        let name = program.base.as_str();
        if program.origin != Origin::Bare {
            return false;
        }
        if place == Place::Code {
            return self.builtin_in_code(program, words);
        }
        if !has_no_program(program) {
            return false;
        }
        let message = format!("Command '{}' is a shell built-in, not a program", shown(name));
        let hint = match name {
            "cd" => "Pass the working directory with the call.",
            "export" | "declare" | "typeset" | "set" => {
                "Write `NAME=value` in front of the program."
            }
            "type" | "command" | "hash" => "Use `which`.",
            _ => "No shell runs here: leave it out.",
        };
        let text = Text { program: Some(program), message, hint };
        self.find(Decision::Deny, rule_id::PROGRAM_BUILTIN, words[0].span, text);
        self.deny_side_only(program, words);
        // What it would start is named as well, so that the reasons are complete.
        if matches!(name, "builtin" | "command" | "eval" | "exec") {
            self.inspect(program, words);
        }
        true
    }

    fn builtin_in_code(&mut self, program: &Program, words: &[Word]) -> bool {
        let name = program.base.as_str();
        if self.walk.dialect() != Dialect::Words && self.builtin_of_script(program, words) {
            return true;
        }
        if holds(PURE, name) {
            self.deny_side_only(program, words);
            self.evaluated_again(program, words);
            if holds(DECLARING, name) {
                self.declared_plainly(program, words);
            }
            return true;
        }
        match name {
            "exec" | "command" | "builtin" => {
                self.deny_side_only(program, words);
                self.inspect(program, words);
            }
            "eval" => {
                self.deny_side_only(program, words);
                let text: Vec<&str> = words[1..].iter().map(|word| word.text.as_str()).collect();
                self.code(&words[0].with_text(text.join(" ")), Dialect::Posix);
            }
            "trap" => {
                self.deny_side_only(program, words);
                if let Some(code) = words[1..].iter().find(|word| word.text != "--") {
                    self.code(code, Dialect::Posix);
                }
            }
            _ if holds(WITHOUT_PROGRAM, name) => {
                self.deny_side_only(program, words);
                self.executes(program, words[0].span, "the built-in", Payload::Opaque);
            }
            _ => return false,
        }
        true
    }

    /// Arithmetic and subscripts are evaluated again: quoted substitutions run after all.
    fn evaluated_again(&mut self, program: &Program, words: &[Word]) {
        let evaluates = |word: &Word| {
            word.text.contains('`') || word.text.contains("$(") || word.text.contains("${")
        };
        let harmless = matches!(program.base.as_str(), "echo" | "pwd" | "true" | "false" | ":");
        if let Some(word) = words[1..].iter().find(|word| evaluates(word))
            && !harmless
        {
            self.executes(
                program,
                word.span,
                "an argument that is evaluated again",
                Payload::Opaque,
            );
        }
    }

    fn declared_plainly(&mut self, program: &Program, words: &[Word]) {
        for word in &words[1..] {
            let name = word.text.split(['=', '+', '[']).next().unwrap_or_default();
            let value = word.text.get(name.len() + 1..).unwrap_or_default();
            self.variable(Some(program), name, value, word.span);
        }
    }
}

/// Whether the word is a shell built-in for which no program exists.
pub(super) fn has_no_program(program: &Program) -> bool {
    program.origin == Origin::Bare && holds(WITHOUT_PROGRAM, &program.base)
}
