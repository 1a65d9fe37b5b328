//! Judges variables of the shell. One that is not exported is data, unless it decides what the shell runs.

use std::rc::Rc;

use super::super::{Judge, ReasonText};
use super::input::may_be_shell_input;
use super::outputs::Output;
use crate::mark;
use crate::rule_id;
use crate::syntax::construct::{Construct, Fault};
use crate::syntax::tree::{Assignment, Form, Part, RawWord, Subscript};
use crate::syntax::unread::Unread;
use crate::tables::holds;
use crate::verdict::{Decision, Span};

impl Judge<'_> {
    /// Judges `NAME=value` without a program.
    pub(super) fn judge_assignment(&mut self, assignment: &Assignment) {
        let name = assignment.name.as_str();
        if let Some(index) = &assignment.subscript {
            self.judge_arithmetic(index);
        }
        if assignment.is_of_array() {
            self.walk.arrays.insert(name.to_owned());
        }
        if let Some(words) = assignment.value.list() {
            let facts = Rc::clone(&self.walk.shell.facts);
            let known = facts
                .arrays
                .get(name)
                .filter(|one| one.assignments.iter().any(|one| std::ptr::eq(*one, assignment)));
            let was_changed = self.walk.changed_variables.contains(name);
            self.check(name, "", assignment.span);
            let fields = self.set_variable_to_words(name, words);
            if known.is_some() && !was_changed {
                self.walk.changed_variables.remove(name);
            }
            if known.is_some() && !assignment.appends {
                Rc::make_mut(&mut self.walk.shell.arrays).insert(name.to_owned(), fields);
            }
            return;
        }
        let value = self.text(&assignment.value);
        let whole_value = Some(value).filter(|_| !assignment.appends);
        let is_counted = self.output_of_word(&assignment.value) == Some(Output::Number);
        if is_counted || is_number(&assignment.value) {
            self.walk.number_variables.insert(name.to_owned());
            self.check(name, whole_value.as_deref().unwrap_or_default(), assignment.span);
        } else {
            self.set_variable(name, whole_value.as_deref(), assignment.span);
        }
    }

    /// Judges the assignment of a value to a variable. `value` is `None` when it is known only at run time.
    pub(super) fn set_variable(&mut self, name: &str, value: Option<&str>, span: Span) {
        let is_number = value.is_some_and(is_plain_number);
        if is_number {
            self.walk.number_variables.insert(name.to_owned());
        } else if !value.is_some_and(mark::is_temporary_path) {
            self.walk.text_variables.insert(name.to_owned());
        }
        let may_be_input = |value| self.is_typed_into() && may_be_shell_input(value);
        if value.is_none_or(|value| may_be_socket(value) || may_be_input(value)) {
            self.walk.possible_sockets.insert(name.to_owned());
        }
        self.check(name, value.unwrap_or_default(), span);
    }

    /// Judges that a variable gets one word after another of these, as that of a loop does, or all of them, as an array
    /// does. Returns the words.
    pub(super) fn set_variable_to_words(&mut self, name: &str, words: &[RawWord]) -> Vec<String> {
        let mut all = Vec::new();
        for word in words {
            let numbers = word.array().filter(|array| {
                self.walk.number_variables.contains(&array.name)
                    && !self.walk.text_variables.contains(&array.name)
            });
            let output = if is_list_of_indices(word) || is_number(word) || numbers.is_some() {
                Some(Output::Number)
            } else {
                self.output_of_word(word)
            };
            if let Some(array) = numbers {
                self.walk.copied_numbers.push((array.name.clone(), name.to_owned()));
            }
            let fields = self.fields(word);
            match output.filter(|one| matches!(one, Output::Number | Output::Files)) {
                Some(output) => self.set_variable_to_output(name, output, word.span),
                None => {
                    for value in &fields {
                        self.set_variable(name, Some(value), word.span);
                    }
                }
            }
            all.extend(fields);
        }
        all
    }

    /// Asks where the words of an array were taken to be known, and code that was evaluated or read from a file, or
    /// arithmetic, changes it.
    pub(in crate::judge) fn judge_array_uses(&mut self) {
        for (name, span) in std::mem::take(&mut self.walk.array_uses) {
            if self.walk.changed_variables.contains(&name) {
                let message = "An array is changed in a way that is not followed";
                let hint = "Give the other words to another array.";
                self.ask_without_program(rule_id::PROGRAM_DYNAMIC, span, message, hint);
            }
        }
    }

    /// Judges the declarations that would evaluate their text, once all arrays of the script are known.
    pub(in crate::judge) fn judge_declared_texts(&mut self) {
        for (name, span) in std::mem::take(&mut self.walk.declared_texts) {
            if self.walk.arrays.contains(&name) {
                self.ask_about_declared_text(span);
            }
        }
    }

    pub(super) fn ask_about_declared_text(&mut self, span: Span) {
        let message =
            "A text that only run time knows is read as the words of an array, and evaluated";
        let hint = "Write the words between parentheses, `name=(\"$text\")`, or use another name.";
        self.ask_without_program(rule_id::PROGRAM_DYNAMIC, span, message, hint);
    }

    /// Judges the assignment of one word after another of what a substitution prints.
    fn set_variable_to_output(&mut self, name: &str, output: Output, span: Span) {
        if output == Output::Number {
            self.walk.number_variables.insert(name.to_owned());
        } else {
            self.walk.text_variables.insert(name.to_owned());
        }
        self.check(name, "", span);
    }

    /// Judges the name of a variable whose value is judged elsewhere.
    pub(super) fn judge_assigned_name(&mut self, name: &str, span: Span) {
        self.check(name, "", span);
    }

    /// Refuses to set a variable that bash sets itself: bash evaluates some of them, and may change others at any time.
    pub(super) fn refuse_if_set_by_bash(&mut self, name: &str, value: &str, span: Span) {
        let is_number = is_plain_number(value);
        let is_counter = matches!(name, "COLUMNS" | "LINES" | "OPTIND" | "SECONDS");
        let is_text = matches!(name, "_" | "OPTARG" | "REPLY");
        if is_set_by_bash(name) && !is_text && !(is_counter && is_number) {
            self.refused_variable(name, span);
        }
    }

    /// Judges that arithmetic may set a variable to a number.
    pub(super) fn judge_counter(&mut self, name: &str, span: Span) {
        self.check_use(name, "0", span);
    }

    fn check(&mut self, name: &str, value: &str, span: Span) {
        self.refuse_if_set_by_bash(name, value, span);
        self.check_use(name, value, span);
    }

    fn check_use(&mut self, name: &str, value: &str, span: Span) {
        self.walk.changed_variables.insert(name.to_owned());
        let is_exported = self.walk.surroundings.environment.iter().any(|one| one == name);
        if is_exported || self.walk.exports_all {
            self.judge_variable(None, name, value, span);
        } else {
            self.judge_shell_variable(name, span);
        }
        // bash reads the rest of the script in the character set that these variables select.
        let selects_charset = ["LANG", "LC_ALL", "LC_CTYPE"].contains(&name);
        let folded = value.to_ascii_lowercase();
        if selects_charset
            && !matches!(value, "" | "C" | "POSIX")
            && !folded.ends_with("utf-8")
            && !folded.ends_with("utf8")
        {
            self.refused_variable(name, span);
        }
    }

    /// Judges the name of a variable that a built-in sets, or of an element of one with a number that is written out.
    /// The name of the variable, unless it has another subscript: bash would evaluate that.
    pub(super) fn assignable_name<'a>(&mut self, text: &'a str, span: Span) -> Option<&'a str> {
        let (name, index) =
            text.strip_suffix(']').and_then(|text| text.split_once('[')).unwrap_or((text, "0"));
        let is_number = !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit());
        self.plain_name(if is_number { name } else { "" }, span).then_some(name)
    }

    /// Judges the name of a variable that a built-in sets. True when it is a plain name: bash would evaluate a
    /// subscript in it.
    pub(super) fn plain_name(&mut self, text: &str, span: Span) -> bool {
        let is_plain = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if !is_plain {
            let message =
                "The name of a variable is not plain, and a subscript in it would be evaluated"
                    .to_owned();
            let hint = "Write the name itself, without brackets and expansions.";
            let text = ReasonText { program: None, message, hint };
            self.add_reason(self.denial_or_question(), rule_id::ARGUMENT_EXECUTES, span, text);
        }
        is_plain
    }

    /// Refuses a form that the grammar reads and the walk does not understand.
    pub(super) fn report_unread(&mut self, unread: Unread, span: Span) {
        self.report_fault(Fault { construct: Construct::Unread(unread), span }, None);
    }

    pub(super) fn ask_without_program(
        &mut self,
        rule: &'static str,
        span: Span,
        message: &str,
        hint: &str,
    ) {
        let text = ReasonText { program: None, message: message.to_owned(), hint };
        self.add_reason(Decision::Ask, rule, span, text);
    }
}

/// Whether bash sets this variable itself, or lets nobody set it.
pub(super) fn is_set_by_bash(name: &str) -> bool {
    const NAMES: &str = "_ COLUMNS DIRSTACK EPOCHREALTIME EPOCHSECONDS EUID FUNCNAME FUNCNEST GROUPS HISTCMD LINENO \
        LINES MAPFILE OLDPWD OPTARG OPTIND PIPESTATUS PPID PWD RANDOM REPLY SECONDS SHLVL UID";
    holds(NAMES, name)
        || ["BASH", "COMP", "COPROC", "SRANDOM"].iter().any(|set| name.starts_with(set))
}

/// Whether opening this path may open a network connection. A path that ends in a pattern names a file that exists.
pub(super) fn may_be_socket(target: &str) -> bool {
    if mark::is_temporary_path(target) {
        return false;
    }
    let sockets = ["/dev/tcp/", "/dev/udp/"];
    let Some(at) = target.find(mark::ALL_MARKS) else {
        return sockets.iter().any(|socket| target.starts_with(socket));
    };
    let is_pattern = target[at..].starts_with(mark::ANY_PATH);
    !is_pattern && sockets.iter().any(|socket| socket.starts_with(&target[..at]))
}

/// Whether arithmetic reads the text as the same decimal number.
pub(super) fn is_plain_number(text: &str) -> bool {
    text == "0"
        || (text.starts_with(|c: char| matches!(c, '1'..='9'))
            && text.len() < 18
            && text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether the word is `"${!a[@]}"`. The indices of arrays that bash sets itself may be texts.
fn is_list_of_indices(word: &RawWord) -> bool {
    matches!(word.parts.as_slice(), [Part::Parameter(parameter)]
        if parameter.quoted
            && matches!(parameter.form, Form::Indices)
            && matches!(parameter.subscript, Some(Subscript::All))
            && !is_set_by_bash(&parameter.name))
}

/// Whether the value is always a number.
pub(super) fn is_number(value: &RawWord) -> bool {
    match value.parts.as_slice() {
        [Part::Arithmetic(_)] => true,
        [Part::Parameter(parameter)] => {
            matches!(parameter.form, Form::Length)
                || (parameter.is_plain()
                    && matches!(parameter.name.as_str(), "#" | "?" | "$" | "!"))
        }
        [Part::Bare(text) | Part::Quoted(text)] => is_plain_number(text),
        _ => false,
    }
}
