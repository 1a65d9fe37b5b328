//! Interpreters of languages that are not read here.

use super::shell::is_only_version;
use super::{Judge, shown};
use crate::program::Program;
use crate::rule_id;
use crate::syntax::word::Word;
use crate::tables::interpreters::INTERPRETERS;

/// Arguments that only print, when nothing else is given.
const PRINTING: [&str; 6] = ["-V", "-v", "-h", "-version", "-help", "-VV"];

impl Judge<'_> {
    /// True when the program is an interpreter, which is then judged.
    pub(super) fn interpreter(&mut self, program: &Program, words: &[Word]) -> bool {
        if !is_interpreter(&program.folded) {
            return false;
        }
        let arguments = &words[1..];
        // To Python, `-v` is a manner of reading standard input.
        let verbose =
            program.folded.starts_with("py") && arguments.iter().any(|word| word.text == "-v");
        let printing =
            matches!(arguments, [only] if PRINTING.contains(&only.text.as_str())) && !verbose;
        if is_only_version(arguments) || (printing && !self.more_arguments) {
            return true;
        }
        if self.is_trusted(program) {
            self.named.unread();
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
    let known = |name: &str| INTERPRETERS.hold(name);
    let mut stem =
        folded.strip_suffix("-dbg").or_else(|| folded.strip_suffix("-debug")).unwrap_or(folded);
    // `python3.11t`: builds are marked behind the number.
    if let Some(shorter) = stem.strip_suffix(['d', 'm', 't'])
        && shorter.ends_with(|c: char| c.is_ascii_digit())
    {
        stem = shorter;
    }
    let unversioned = stem.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'));
    known(folded) || (unversioned.len() < folded.len() && known(unversioned))
}
