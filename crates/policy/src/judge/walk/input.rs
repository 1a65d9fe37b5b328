//! Keeps the input of a shell that lines are typed into. What is judged are those lines: a command that changes where the
//! shell reads, or reads a part of what is typed, makes it run other ones.

use super::super::{Judge, ReasonText};
use super::directory::{is_beneath, normal};
use crate::mark;
use crate::program::Program;
use crate::rule_id;
use crate::syntax::tree::{Operator, RawWord, Redirection, Script};
use crate::syntax::word::Word;
use crate::tables::holds;
use crate::verdict::{Decision, Span};

/// Files that are the terminal, or a descriptor, of the process that opens them.
const INPUT_FILES: [&str; 3] = ["/dev/stdin", "/dev/tty", "/dev/console"];
/// Folders with such files.
const INPUT_FOLDERS: [&str; 3] = ["/dev/fd", "/dev/pts", "/proc"];
/// The digits of the descriptors that a command may copy or read: a shell keeps its own input at 0, or at 10 and higher.
const COMMON_DESCRIPTORS: &str = "1 2 3 4 5 6 7 8 9";

impl Judge<'_> {
    /// Whether the present command runs in the shell that the text is typed into, or in a subshell of it.
    pub(super) fn is_typed_into(&self) -> bool {
        self.walk.shell.is_typed_into
    }

    /// How many items of this text are run before the shell reads all of its lines.
    pub(super) fn followed_items(&self, script: &Script) -> usize {
        let last = script.items.iter().rposition(|item| item.ends_line);
        last.filter(|_| self.is_typed_into()).map_or(0, |at| at + 1)
    }

    /// Judges the redirections of `exec`, which last.
    pub(super) fn judge_lasting_input(&mut self, words: &[Word], redirections: &[Redirection]) {
        let mut names = words.iter().map(|word| word.text.as_str());
        let name = names.find(|name| !holds("command builtin -p --", name));
        if !self.is_typed_into() || name != Some("exec") {
            return;
        }
        let is_input = |one: &&Redirection| {
            let is_written = matches!(
                one.operator,
                Operator::Output
                    | Operator::Append
                    | Operator::Clobber
                    | Operator::Both
                    | Operator::BothAppend
                    | Operator::Duplicate
            );
            one.descriptor == 0 || !is_written
        };
        if let Some(redirection) = redirections.iter().find(is_input) {
            let message = "`exec` with an input would change where this shell reads its lines";
            let hint = "Give the input to the one command that reads it: `command <file`, `while read -r line; do …; done <file`.";
            self.refuse_input(redirection.span, message, hint);
        }
    }

    /// Judges the descriptor behind `<&` or `>&`.
    pub(super) fn judge_copied_descriptor(&mut self, word: &RawWord, span: Span) {
        let number = word.bare().map_or("", |text| text.trim_end_matches('-'));
        let is_closed = word.bare() == Some("-");
        if self.is_typed_into() && !is_closed && !holds(COMMON_DESCRIPTORS, number) {
            let message = "A copy of this descriptor would read what is typed into the shell";
            self.refuse_input(span, message, "Use a descriptor from 1 to 9, or name a file.");
        }
    }

    /// Judges a file that a redirection opens to read.
    pub(super) fn judge_opened_input(&mut self, target: &str, span: Span) {
        if !self.is_typed_into() {
            return;
        }
        let is_relative = !target.starts_with('/') && !mark::is_in(target);
        let paths = if is_relative { self.resolve(target) } else { None };
        let paths = paths.unwrap_or_else(|| vec![target.to_owned()]);
        if paths.iter().any(|path| may_be_shell_input(path)) {
            let message = "This file is, or may be, the input of the shell itself";
            let hint = "Name the file that is to be read, or `/dev/null`.";
            self.refuse_input(span, message, hint);
        }
    }

    /// Judges where `read` and `mapfile` read. From the input of the shell one `read` takes one whole line, when its name
    /// is written out in the text: whoever types knows then that the next line may be taken.
    pub(super) fn judge_read_input(&mut self, program: &Program, words: &[Word]) {
        let mut options = words[1..].iter().filter(|word| word.text.starts_with('-'));
        let descriptor = options.find(|word| word.text.contains('u'));
        let is_apart = match descriptor {
            None => {
                (self.walk.has_input && !self.walk.is_in_function)
                    || self.is_read_of_next_line(words)
            }
            Some(word) => {
                let at = words.iter().position(|one| one.span == word.span).unwrap_or_default();
                let next = words.get(at + 1).map_or("", |next| next.text.as_str());
                let (_, value) = word.text.split_once('u').unwrap_or_default();
                holds(COMMON_DESCRIPTORS, if value.is_empty() { next } else { value })
            }
        };
        if self.is_typed_into() && !is_apart {
            let message =
                format!("'{}' would take the lines that are typed for the shell", program.base);
            let hint = "Outside of a function, give it an input of its own: `read -r name <file`, `read -r name <<<\"text\"`, or a pipe.";
            self.refuse_input(words[0].span, &message, hint);
        }
    }

    fn is_read_of_next_line(&self, words: &[Word]) -> bool {
        let takes_part =
            |word: &Word| word.text.starts_with('-') && word.text.contains(['d', 'n', 'N']);
        self.walk.is_bare_read
            && self.walk.script_depth == 1
            && !self.walk.is_followed
            && !words[1..].iter().any(takes_part)
    }

    /// Judges a program, or a function, that runs before the shell has read all lines of the text.
    pub(in crate::judge) fn judge_followed(&mut self, span: Span) {
        if self.walk.is_followed && !self.walk.has_input {
            let message = "A program may read the lines that follow it, in place of the shell";
            let hint = "Send one line at a time, join the commands with `;` or `&&`, or give the program `</dev/null`.";
            self.refuse_input(span, message, hint);
        }
    }

    fn refuse_input(&mut self, span: Span, message: &str, hint: &str) {
        let text = ReasonText { program: None, message: message.to_owned(), hint };
        self.add_reason(Decision::Deny, rule_id::SESSION_INPUT, span, text);
    }
}

/// Whether opening this path may open the input of the shell that opens it. A process substitution does not.
pub(super) fn may_be_shell_input(target: &str) -> bool {
    if !target.starts_with('/') && !target.contains("..") {
        return false;
    }
    let Some(at) = target.find(mark::ALL_MARKS) else {
        let path = normal(target);
        return INPUT_FILES.contains(&path.as_str())
            || INPUT_FOLDERS.iter().any(|folder| is_beneath(&path, folder));
    };
    let known = &target[..at];
    let is_process = known == "/dev/fd/" && target[at..] == mark::ANY_PATH.to_string();
    let mut all = INPUT_FILES.iter().chain(&INPUT_FOLDERS);
    known.starts_with('/')
        && !is_process
        && all.any(|path| path.starts_with(known) || known.starts_with(path))
}
