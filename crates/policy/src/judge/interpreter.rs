//! Judges interpreters of languages that this crate does not read.

use super::shell::is_only_version;
use super::{Judge, shown};
use crate::program::Program;
use crate::rule_id;
use crate::syntax::word::Word;
use crate::tables::interpreters::INTERPRETERS;

/// Arguments with which an interpreter only prints something, when each is the only one.
const PRINTING: [&str; 6] = ["-V", "-v", "-h", "-version", "-help", "-VV"];

impl Judge<'_> {
    /// Judges an interpreter. True when the program is one.
    pub(super) fn judge_interpreter(&mut self, program: &Program, words: &[Word]) -> bool {
        if !is_interpreter(&program.folded) {
            return false;
        }
        let arguments = &words[1..];
        // With `-v`, Python still reads its program from standard input.
        let verbose =
            program.folded.starts_with("py") && arguments.iter().any(|word| word.text == "-v");
        let printing =
            matches!(arguments, [only] if PRINTING.contains(&only.text.as_str())) && !verbose;
        if is_only_version(arguments) || (printing && !self.more_arguments) {
            return true;
        }
        if self.is_trusted(program) {
            self.named.note_unread_code();
            return true;
        }
        let (span, origin) = match arguments.iter().find(|word| !word.text.starts_with('-')) {
            _ if arguments.is_empty() => (words[0].span, "from standard input"),
            None => (arguments[0].span, "from its arguments"),
            Some(word) => (word.span, "from its arguments or a file"),
        };
        let message = format!("Command '{}' would run code {origin}", shown(&program.base));
        let hint = "Use a program made for the task.";
        self.ask(rule_id::INTERPRETER_CODE, program, span, message, hint);
        true
    }
}

fn is_interpreter(folded: &str) -> bool {
    let is_known = |name: &str| INTERPRETERS.hold(name);
    let mut stem =
        folded.strip_suffix("-dbg").or_else(|| folded.strip_suffix("-debug")).unwrap_or(folded);
    // Builds of Python have a letter after the version, as in `python3.11t`.
    if let Some(shorter) = stem.strip_suffix(['d', 'm', 't'])
        && shorter.ends_with(|c: char| c.is_ascii_digit())
    {
        stem = shorter;
    }
    let unversioned = stem.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'));
    is_known(folded) || (unversioned.len() < folded.len() && is_known(unversioned))
}
