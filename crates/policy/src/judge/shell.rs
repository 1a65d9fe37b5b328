//! Shells: their code is read here, or it is a question.

use super::{Judge, shown};
use crate::program::Program;
use crate::rule_id;
use crate::syntax::Dialect;
use crate::syntax::word::Word;
use crate::tables::holds;
use crate::verdict::Span;

/// Shells whose quoting is that of POSIX, so that their code can be read here.
const POSIX_LIKE: [&str; 16] = [
    "ash", "bash", "dash", "hush", "ksh", "ksh93", "lksh", "mksh", "oksh", "pdksh", "posh",
    "rbash", "rksh", "rzsh", "sh", "zsh",
];
/// Only these read `$'…'` like this crate.
const BASH_LIKE: [&str; 2] = ["bash", "rbash"];
/// These read nothing but what POSIX has, where this crate reads it too; the others have forms of their own.
const POSIX: [&str; 4] = ["ash", "dash", "posh", "sh"];
/// Long options that take the next word.
const VALUED: [&str; 3] = ["rcfile", "init-file", "emulate"];
/// Options that start no other file than the one named by the arguments.
const QUIET: &str = "norc noprofile posix login restricted verbose noediting protected dump-strings dump-po-strings \
    no-rcs pretty-print";
/// Values of `-o` and `-O` that change neither how the code is read nor where its variables come from (`keyword` makes
/// `ls X=1` set one).
const PLAIN_OPTIONS: &str = "errexit nounset pipefail xtrace noglob posix verbose noexec";
const PLAIN_SHOPTS: &str =
    "dotglob extglob failglob globstar inherit_errexit lastpipe nocaseglob nullglob";

/// Options with which a bash that runs the lines of a terminal is started by a host.
const OF_LINE_SHELLS: &str = "-i --norc --noprofile --posix";
/// No line editor (a tab completes nothing, no key edits a line) and no history (`!` is a character): what such a bash runs
/// is what was typed.
const AS_TYPED: [&str; 2] = ["--noediting", "+H"];

/// What the options of a shell say.
struct Options<'a> {
    code: Option<&'a Word>,
    script: Option<&'a Word>,
    /// A start-up file, another mode, or an option not known here.
    unclear: Option<Span>,
}

impl Judge<'_> {
    /// True when the program is a shell, which is then judged.
    pub(super) fn shell(&mut self, program: &Program, words: &[Word]) -> bool {
        let name =
            program.folded.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
        let Some(shell) =
            POSIX_LIKE.iter().find(|known| **known == program.folded || **known == name)
        else {
            return false;
        };
        if is_only_version(&words[1..]) {
            return true;
        }
        if self.is_trusted(program) {
            self.named.unread();
            return true;
        }
        let options = read(&words[1..], shell);
        if let Some(span) = options.unclear {
            self.opaque_code(program, span, "with an option that starts other code");
        }
        let dialect = if BASH_LIKE.contains(shell) {
            Dialect::Bash
        } else if POSIX.contains(shell) {
            Dialect::Posix
        } else {
            Dialect::Words
        };
        match (options.code, options.script) {
            (Some(code), _) if self.is_replaced(code) => {
                let message =
                    format!("The code of '{}' is completed when it runs", shown(&program.base));
                let hint =
                    "Pass the names as arguments of the code, or run the inner program itself.";
                self.dynamic(program, code.span, message, hint);
            }
            (Some(code), _) => self.code(code, dialect),
            (None, Some(script)) => self.opaque_code(program, script.span, "from a file"),
            (None, None) => self.standard_input(program, words[0].span, dialect),
        }
        true
    }

    /// A here-document or here-string is code like any other.
    fn standard_input(&mut self, program: &Program, span: Span, dialect: Dialect) {
        match self.walk.input.take().filter(|_| !self.more_arguments) {
            Some(code) if !self.is_replaced(&code) => self.code(&code, dialect),
            _ => self.opaque_code(program, span, "from standard input"),
        }
    }

    fn opaque_code(&mut self, program: &Program, span: Span, origin: &str) {
        let message = format!("Command '{}' would run code {origin}", shown(&program.base));
        let hint = "Run the programs directly.";
        self.ask(rule_id::SHELL_SCRIPT, program, span, message, hint);
    }
}

/// How a bash starts so that it runs the lines of its terminal as they were typed. None for another command, and for a bash
/// that takes code from elsewhere.
pub(crate) fn line_shell(words: &[Word]) -> Option<Vec<String>> {
    let mut texts = words.iter().map(|word| word.text.as_str());
    let program = texts.next().filter(|name| holds("bash /bin/bash /usr/bin/bash", name))?;
    let options: Vec<&str> = texts.collect();
    if !options.iter().all(|option| holds(OF_LINE_SHELLS, option)) {
        return None;
    }
    // bash takes long options only in front of letters.
    let (long, letters): (Vec<&str>, Vec<&str>) =
        options.into_iter().partition(|option| option.starts_with("--"));
    let argv = [program].into_iter().chain(long).chain(AS_TYPED).chain(letters);
    Some(argv.map(str::to_owned).collect())
}

/// Exactly one argument that only prints.
pub(super) fn is_only_version(arguments: &[Word]) -> bool {
    matches!(arguments, [only] if matches!(only.text.as_str(), "--version" | "--help"))
}

fn read<'a>(arguments: &'a [Word], shell: &str) -> Options<'a> {
    let mut options = Options { code: None, script: None, unclear: None };
    let is_bash = BASH_LIKE.contains(&shell);
    let mut wants_code = false;
    let mut rest = arguments.iter();
    while let Some(word) = rest.next() {
        let text = word.text.as_str();
        let Some(sign) = text.chars().next().filter(|c| matches!(c, '-' | '+')) else {
            place(&mut options, word, wants_code);
            return options;
        };
        if text == "--" || text == "-" {
            if let Some(word) = rest.next() {
                place(&mut options, word, wants_code);
            }
            return options;
        }
        if let Some(long) = text.strip_prefix("--").filter(|_| sign == '-') {
            if VALUED.contains(&long) {
                rest.next();
            }
            if !holds(QUIET, long) {
                options.unclear.get_or_insert(word.span);
            }
            continue;
        }
        // bash takes one dash for two, where no letters stood before.
        if holds(QUIET, &text[1..]) || VALUED.contains(&&text[1..]) {
            options.unclear.get_or_insert(word.span);
        }
        for letter in text.chars().skip(1) {
            let plain = match letter {
                'c' if sign == '-' => {
                    wants_code = true;
                    true
                }
                'o' => rest.next().is_some_and(|value| holds(PLAIN_OPTIONS, &value.text)),
                'O' => {
                    let value = rest.next();
                    is_bash && value.is_some_and(|value| holds(PLAIN_SHOPTS, &value.text))
                }
                'e' | 'f' | 'l' | 'n' | 'u' | 'v' | 'x' => true,
                // Elsewhere these letters are other options: `-b` ends them in zsh.
                'a' | 'b' | 'h' | 'm' | 'p' | 'r' | 't' | 'B' | 'C' | 'E' | 'P' | 'T' => is_bash,
                _ => false,
            };
            if !plain {
                options.unclear.get_or_insert(word.span);
            }
        }
    }
    options
}

fn place<'a>(options: &mut Options<'a>, word: &'a Word, wants_code: bool) {
    if wants_code {
        options.code = Some(word);
    } else {
        options.script = Some(word);
    }
}
