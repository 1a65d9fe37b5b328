//! Judges shells by the code that they run. Code that cannot be read is a question.

use super::walk::normal;
use super::{Judge, shown};
use crate::program::Program;
use crate::rule_id;
use crate::syntax::Dialect;
use crate::syntax::word::Word;
use crate::tables::holds;
use crate::verdict::Span;

/// Shells with the quoting of POSIX, whose code can be read.
const POSIX_LIKE: [&str; 16] = [
    "ash", "bash", "dash", "hush", "ksh", "ksh93", "lksh", "mksh", "oksh", "pdksh", "posh",
    "rbash", "rksh", "rzsh", "sh", "zsh",
];
/// Shells that read `$'…'` as this crate does.
const BASH_LIKE: [&str; 2] = ["bash", "rbash"];
/// Shells with no syntax beyond POSIX.
const STRICT_POSIX: [&str; 4] = ["ash", "dash", "posh", "sh"];
/// Long options that take the next word.
const VALUED_OPTIONS: [&str; 3] = ["rcfile", "init-file", "emulate"];
/// Long options with which a shell reads no file but the script that it was given.
const QUIET_OPTIONS: &str = "norc noprofile posix login restricted verbose noediting protected dump-strings dump-po-strings \
    no-rcs pretty-print";
/// Values of `-o`, then of `-O`, that change neither how code is read nor where its variables come from. `keyword` is
/// none: it makes `ls X=1` set a variable.
const PLAIN_OPTIONS: &str = "errexit nounset pipefail xtrace noglob posix verbose noexec";
const PLAIN_SHOPTS: &str =
    "dotglob extglob failglob globstar inherit_errexit lastpipe nocaseglob nullglob";

/// Options that a bash may have when its lines are judged as they are typed.
const LINE_SHELL_OPTIONS: &str = "-i -s --norc --noprofile --posix";
/// Options that switch off the line editor (tabs complete nothing, no key edits a line) and history (`!` is an ordinary
/// character), so that bash runs the lines that were typed.
const RAW_LINE_OPTIONS: [&str; 2] = ["--noediting", "+H"];

/// The command line of a shell, as far as it matters here.
struct Options<'a> {
    code: Option<&'a Word>,
    script: Option<&'a Word>,
    /// Where an option stands that names a start-up file, selects another mode, or is unknown.
    unclear: Option<Span>,
}

impl Judge<'_> {
    /// Judges a shell. True when the program is one.
    pub(super) fn judge_shell(&mut self, program: &Program, words: &[Word]) -> bool {
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
            self.named.note_unread_code();
            return true;
        }
        let options = read(&words[1..], shell);
        if let Some(span) = options.unclear {
            self.ask_about_opaque_code(program, span, "with an option that starts other code");
        }
        let dialect = if BASH_LIKE.contains(shell) {
            Dialect::Bash
        } else if STRICT_POSIX.contains(shell) {
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
                self.ask_about_unknown_program(program, code.span, message, hint);
            }
            (Some(code), _) => self.judge_code(code, dialect),
            (None, Some(script)) => self.ask_about_opaque_code(program, script.span, "from a file"),
            (None, None) => self.judge_standard_input(program, words[0].span, dialect),
        }
        true
    }

    /// Judges standard input, which is code like any other when it is a here-document or here-string.
    fn judge_standard_input(&mut self, program: &Program, span: Span, dialect: Dialect) {
        match self.walk.input.take().filter(|_| !self.more_arguments) {
            Some(code) if !self.is_replaced(&code) => self.judge_code(&code, dialect),
            _ if self.is_line_shell && self.depth == 0 => {
                self.ask_about_opaque_code(program, span, "from standard input");
            }
            _ => {
                let origin = "from standard input, where nobody judges it";
                self.ask_about_opaque_code(program, span, origin);
            }
        }
    }

    fn ask_about_opaque_code(&mut self, program: &Program, span: Span, origin: &str) {
        let message = format!("Command '{}' would run code {origin}", shown(&program.base));
        let hint = "Give its commands in the call itself.";
        self.ask(rule_id::SHELL_SCRIPT, program, span, message, hint);
    }
}

/// How to start this command so that it runs the lines of its terminal as they are typed. `None` for anything but a
/// bash that takes all of its code from the terminal.
pub(crate) fn line_shell(words: &[Word]) -> Option<Vec<String>> {
    let mut texts = words.iter().map(|word| word.text.as_str());
    let is_bash = |name: &str| {
        let path = if name.starts_with('/') { normal(name) } else { name.to_owned() };
        holds("bash /bin/bash /usr/bin/bash", &path)
    };
    let program = texts.next().filter(|name| is_bash(name))?;
    let options: Vec<&str> = texts.collect();
    if !options.iter().all(|option| holds(LINE_SHELL_OPTIONS, option)) {
        return None;
    }
    // bash takes long options only in front of letters.
    let (long, letters): (Vec<&str>, Vec<&str>) =
        options.into_iter().partition(|option| option.starts_with("--"));
    let argv = [program].into_iter().chain(long).chain(RAW_LINE_OPTIONS).chain(letters);
    Some(argv.map(str::to_owned).collect())
}

/// Whether the only argument is one that prints something.
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
            if VALUED_OPTIONS.contains(&long) {
                rest.next();
            }
            if !holds(QUIET_OPTIONS, long) {
                options.unclear.get_or_insert(word.span);
            }
            continue;
        }
        // As the first option, bash accepts a long option with a single dash.
        if holds(QUIET_OPTIONS, &text[1..]) || VALUED_OPTIONS.contains(&&text[1..]) {
            options.unclear.get_or_insert(word.span);
        }
        for letter in text.chars().skip(1) {
            let is_harmless = match letter {
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
                // In other shells these letters have other meanings: in zsh, `-b` ends the options.
                'a' | 'b' | 'h' | 'm' | 'p' | 'r' | 't' | 'B' | 'C' | 'E' | 'P' | 'T' => is_bash,
                _ => false,
            };
            if !is_harmless {
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
