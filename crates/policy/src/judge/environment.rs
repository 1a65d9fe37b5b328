//! Judges variables of the environment by what programs do with them.

use super::{Judge, ReasonText, shown};
use crate::mark;
use crate::program::{Program, base_name};
use crate::rule_id;
use crate::syntax::word::Word;
use crate::tables::environment::{
    DANGEROUS, DANGEROUS_LIKE, HARMLESS, HARMLESS_LIKE, OF_INTERPRETERS, PLAIN, WITH_VALUES,
};
use crate::tables::is_one_like;
use crate::verdict::Span;

impl Judge<'_> {
    /// Judges the assignments in front of a command.
    pub(crate) fn judge_assignments(&mut self, assignments: &[(Word, Word)], words: &[Word]) {
        let program = words.first().map(|word| self.program(&word.text));
        for (name, value) in assignments {
            self.judge_variable(program.as_ref(), &name.text, &value.text, name.span);
        }
    }

    /// Judges one variable that a program will see. Messages never show its value.
    pub(super) fn judge_variable(
        &mut self,
        program: Option<&Program>,
        name: &str,
        value: &str,
        span: Span,
    ) {
        match effect_of(name, value) {
            VariableEffect::Harmless => {}
            VariableEffect::Unknown => {
                if self.unknown_variable.is_none() {
                    self.unknown_variable = Some((name.to_owned(), span));
                }
            }
            VariableEffect::Dangerous
                if self.is_of_trusted_code(program, name) && !is_code_for_all(value) => {}
            VariableEffect::Dangerous => self.refuse_variable_of(program, name, span),
        }
    }

    /// Whether the variable says which code an interpreter runs that the host lists and trusts with any code.
    fn is_of_trusted_interpreter(&self, name: &str) -> bool {
        let config = &self.policy.config;
        let is_listed = |name: &String| {
            let rules = config.allow.as_deref().unwrap_or_default();
            rules.iter().any(|rule| rule.args.is_none() && base_name(&rule.program) == name)
        };
        let is_trusted = |patterns: &str| {
            let mut trusted = config.trust_interpreters.iter();
            trusted.any(|interpreter| is_one_like(patterns, interpreter) && is_listed(interpreter))
        };
        OF_INTERPRETERS
            .iter()
            .any(|(names, interpreters)| is_one_like(names, name) && is_trusted(interpreters))
    }

    /// The same, or whether a rule for its place trusts the program with any code.
    fn is_of_trusted_code(&self, program: Option<&Program>, name: &str) -> bool {
        let is_known = OF_INTERPRETERS.iter().any(|(names, _)| is_one_like(names, name));
        self.is_of_trusted_interpreter(name)
            || (is_known && program.is_some_and(|program| program.is_at_place))
    }

    /// Judges a variable of the shell that is not exported. Its value is data, unless the shell itself obeys it, or a
    /// program inherits it after all.
    pub(super) fn judge_shell_variable(&mut self, name: &str, span: Span) {
        // bash looks up the text of `$"…"` in the catalogues that the `TEXTDOMAIN` variables name.
        let of_bash = name.starts_with("BASH") || name.starts_with("TEXTDOMAIN");
        let is_dangerous = effect_of(name, "") == VariableEffect::Dangerous;
        if of_bash || (is_dangerous && !self.is_of_trusted_interpreter(name)) {
            self.refuse_variable_of(None, name, span);
        }
    }

    pub(super) fn refused_variable(&mut self, name: &str, span: Span) {
        self.refuse_variable_of(None, name, span);
    }

    fn refuse_variable_of(&mut self, program: Option<&Program>, name: &str, span: Span) {
        let message = format!("The variable {} decides what runs", shown(name));
        let hint = "Leave the assignment out.";
        let text = ReasonText { program, message, hint };
        self.add_reason(self.denial_or_question(), rule_id::ENVIRONMENT_DANGEROUS, span, text);
    }

    /// Asks when a variable that no table knows reaches this program, which is more than a plain reader. A trusted
    /// program may read any variable. git gets no exception: its helpers and hooks load libraries that obey variables
    /// of their own (`KRB5_CONFIG` and `GSS_MECH_CONFIG` load modules, `AWS_CONFIG_FILE` starts programs).
    pub(super) fn ask_about_unknown_variable(&mut self, program: &Program, arguments: &[Word]) {
        let Some((name, span)) = self.unknown_variable.clone() else { return };
        if self.has_allow_list()
            && !self.is_trusted(program)
            && (self.may_exceed_listing(program, arguments) || !self.is_limited())
        {
            let message = format!(
                "The variable {} may decide what '{}' runs",
                shown(&name),
                shown(&program.base)
            );
            let hint = "Leave the assignment out.";
            self.ask(rule_id::ENVIRONMENT_DANGEROUS, program, span, message, hint);
        }
    }
}

/// What programs do with a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum VariableEffect {
    Harmless,
    Unknown,
    Dangerous,
}

fn effect_of(name: &str, value: &str) -> VariableEffect {
    if is_code_for_all(value) {
        return VariableEffect::Dangerous;
    }
    let upper = name.to_ascii_uppercase();
    let is_plain_character = |c: char| c.is_ascii_alphanumeric() || "._-@:,+".contains(c);
    if is_one_like(PLAIN, &upper) && !value.chars().all(is_plain_character) {
        return VariableEffect::Dangerous;
    }
    if is_data(name, value) {
        return VariableEffect::Harmless;
    }
    if HARMLESS.hold(&upper) || is_one_like(HARMLESS_LIKE, &upper) {
        // make recipes and scripts often use variables without quotes, so that these characters would be code.
        let splits = value.contains([';', '&', '|', '<', '>', '$', '\n']) || mark::is_in(value);
        return if splits { VariableEffect::Unknown } else { VariableEffect::Harmless };
    }
    if DANGEROUS.hold(&upper) || is_one_like(DANGEROUS_LIKE, &upper) {
        return VariableEffect::Dangerous;
    }
    // A number names no program and no file, and is no option.
    let is_number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { VariableEffect::Harmless } else { VariableEffect::Unknown }
}

/// Whether the value is code under any name: bash imports a function from a variable whose value looks like one, and make
/// expands the values of all variables.
fn is_code_for_all(value: &str) -> bool {
    value.starts_with("()") || ["$(", "${", "`"].iter().any(|text| value.contains(text))
}

/// Whether a variable of this name and value surely names no program, no code and no file of options.
fn is_data(name: &str, value: &str) -> bool {
    let is_plain_character = |c: char| c.is_ascii_alphanumeric() || " +-=_./,:".contains(c);
    let fits =
        |words: &str| value.split(' ').all(|word| word.is_empty() || is_one_like(words, word));
    value.chars().all(is_plain_character)
        && WITH_VALUES.iter().any(|(names, words)| is_one_like(names, name) && fits(words))
}

#[cfg(test)]
mod tests;
