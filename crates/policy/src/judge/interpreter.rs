//! Judges interpreters of languages that this crate does not read.

use super::shell::is_only_version;
use super::{Judge, ReasonText, shown};
use crate::config::Rule;
use crate::program::Program;
use crate::rule_id;
use crate::syntax::word::Word;
use crate::tables::interpreters::INTERPRETERS;
use crate::verdict::{Advice, Decision};

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
        if self.is_trusted(program) || !self.answered.is_empty() {
            self.named.note_unread_code();
            return true;
        }
        let (span, origin) = match arguments.iter().find(|word| !word.text.starts_with('-')) {
            _ if arguments.is_empty() => (words[0].span, "from standard input"),
            None => (arguments[0].span, "from its arguments"),
            Some(word) => (word.span, "from its arguments or a file"),
        };
        let message = format!("Command '{}' would run code {origin}", shown(&program.base));
        let text = ReasonText { program: Some(program), message, hint: "" };
        let offers = tested_use(program, arguments).into_iter().collect();
        self.add_liftable_reason(Decision::Ask, rule_id::INTERPRETER_CODE, span, text, offers);
        true
    }
}

/// A rule for `-m MODULE` or `--test`: less than any code.
fn tested_use(program: &Program, arguments: &[Word]) -> Option<Advice> {
    let is_module = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_alphabetic())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
    };
    let args = match arguments {
        [option, module, ..] if option.text == "-m" && is_module(&module.text) => {
            vec![option.text.clone(), module.text.clone()]
        }
        [option, ..] if option.text == "--test" => vec![option.text.clone()],
        _ => return None,
    };
    Some(Advice::Allow(Rule { program: program.base.clone(), args: Some(args) }))
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
