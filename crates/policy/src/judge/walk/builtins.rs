//! Built-ins of bash inside of a script.

use super::super::builtins::WITHOUT_PROGRAM;
use super::super::{Judge, Place};
use super::survey;
use crate::mark;
use crate::program::Program;
use crate::rule_id;
use crate::syntax::word::Word;
use crate::syntax::{Dialect, grammar};
use crate::tables::holds;
use crate::verdict::Span;

/// They start nothing, write no file and change nothing that is tracked, whatever their arguments.
const PURE: [&str; 19] = [
    ":", "break", "caller", "continue", "dirs", "echo", "exit", "false", "help", "logout", "pwd",
    "return", "shift", "times", "true", "type", "ulimit", "umask", "wait",
];
/// Free too, after a look at their arguments.
const EXAMINED: [&str; 25] = [
    "[", "builtin", "cd", "command", "declare", "eval", "exec", "export", "getopts", "local",
    "popd", "printf", "pushd", "read", "readonly", "set", "shopt", "test", "trap", "typeset",
    "unset", ".", "source", "alias", "let",
];
/// Those that have a program of their name.
const WITH_PROGRAM: [&str; 7] = ["[", "echo", "false", "printf", "pwd", "test", "true"];
/// Built-ins that not every `sh` has.
const OF_BASH: &str = "builtin caller compgen declare dirs enable help let logout mapfile popd pushd readarray shopt \
    source suspend typeset";
/// Options of `set` that change neither how words are read nor what is exported.
const SET_LETTERS: &str = "efhuvxCET";
const SET_NAMES: [&str; 8] =
    ["errexit", "errtrace", "functrace", "noclobber", "noglob", "nounset", "pipefail", "xtrace"];
const SHOPT_NAMES: [&str; 7] =
    ["dotglob", "failglob", "globstar", "inherit_errexit", "nocaseglob", "nocasematch", "nullglob"];
pub(super) fn is_builtin(name: &str) -> bool {
    PURE.contains(&name) || EXAMINED.contains(&name)
}

/// Whether a plain command of this name is left to bash; `runs`: a program of that name may run without it.
pub(crate) fn is_free(name: &str, runs: bool) -> bool {
    (is_builtin(name) || holds(WITHOUT_PROGRAM, name)) && !(runs && WITH_PROGRAM.contains(&name))
}

impl Judge<'_> {
    /// True when the word is a built-in that was judged here.
    pub(in crate::judge) fn builtin_of_script(
        &mut self,
        program: &Program,
        words: &[Word],
    ) -> bool {
        let name = program.base.as_str();
        if self.walk.shell.dialect != Dialect::Bash && holds(OF_BASH, name) {
            // A built-in for one `sh`, a program for another.
            self.listing(program, words);
            self.refused_builtin(program, words[0].span);
            if name == "builtin" {
                self.behind(program, &words[1..]);
            }
            return true;
        }
        if !is_builtin(name) {
            return false;
        }
        self.deny_side_only(program, words);
        let arguments = &words[1..];
        match name {
            "cd" | "pushd" => self.change_directory(program, words),
            "popd" => self.walk.shell.directories = None,
            "declare" | "export" | "local" | "readonly" | "typeset" => {
                self.declared(program, words);
            }
            "read" => {
                if let Some(word) = arguments.iter().find(|word| may_be_many(&word.text)) {
                    self.plain_name("", word.span);
                }
                self.names_behind(arguments, "pnNtdui", "rs");
            }
            "unset" => self.unset(program, arguments),
            "getopts" => match arguments {
                [letters, name, ..]
                    if !mark::is_in(&letters.text) && !letters.text.starts_with('-') =>
                {
                    self.given_text(name);
                }
                _ => self.refused_builtin(program, words[0].span),
            },
            "printf" => self.printf(program, arguments),
            "test" | "[" => self.test(program, arguments),
            "set" => self.set(program, words),
            "shopt" => self.shopt(program, words),
            "wait" => {
                if let Some(word) = arguments.iter().find(|word| !is_waited_for(&word.text)) {
                    self.may_be_option(program, word.span, "Wait for `$!`, or for everything.");
                }
            }
            "eval" => self.evaluate(program, words),
            "trap" => self.trap(program, words),
            "command" | "builtin" => self.behind(program, arguments),
            "exec" => {
                if arguments
                    .first()
                    .is_some_and(|word| word.text == "-a" || word.text.starts_with('-'))
                {
                    self.inspect(program, words);
                } else if !arguments.is_empty() {
                    self.inner(arguments);
                }
            }
            "." | "source" | "alias" | "let" => self.refused_builtin(program, words[0].span),
            _ => {}
        }
        true
    }

    /// What follows `command` and `builtin` is a built-in or a program, and never a function.
    fn behind(&mut self, program: &Program, arguments: &[Word]) {
        let Some(first) = arguments.first() else { return };
        match first.text.as_str() {
            "-v" | "-V" | "-pv" | "-pV" => {}
            "-p" | "--" => self.behind(program, &arguments[1..]),
            text if text.starts_with('-') => self.unknown_option(program, first.span),
            _ => self.nested(first.span, |judge| judge.command(arguments, Place::Code)),
        }
    }

    fn given_text(&mut self, word: &Word) {
        if self.plain_name(&word.text, word.span) {
            self.set_variable(&word.text, None, word.span);
        }
    }

    /// Operands that name variables, behind options: letters with a value, and letters without.
    fn names_behind(&mut self, arguments: &[Word], valued: &str, plain: &str) {
        let mut rest = arguments.iter();
        while let Some(word) = rest.next() {
            let Some(letters) =
                word.text.strip_prefix('-').filter(|_| !word.text.starts_with("--"))
            else {
                if word.text != "--" {
                    self.given_text(word);
                }
                continue;
            };
            let value = letters.find(|c| valued.contains(c));
            let before = &letters[..value.unwrap_or(letters.len())];
            if !before.chars().all(|c| plain.contains(c)) {
                // An array, or a part that is not known.
                self.plain_name("", word.span);
            }
            if value.is_some_and(|at| at + 1 == letters.len()) {
                rest.next();
            }
        }
    }

    fn unset(&mut self, program: &Program, arguments: &[Word]) {
        for word in arguments {
            let is_function = self.walk.shell.facts.functions.contains(&word.text);
            if word.text == "-v" {
                continue;
            }
            if word.text.starts_with('-') || is_function {
                self.refused_builtin(program, word.span);
            } else if self.plain_name(&word.text, word.span) {
                self.assigned(&word.text, word.span);
            }
        }
    }

    /// `export X=1`, `local x`, …: one that is exported is judged as if it stood in front of every command.
    fn declared(&mut self, program: &Program, words: &[Word]) {
        let mut exports = program.base == "export";
        let mut fixes = program.base == "readonly";
        // Outside of a function `local` sets nothing.
        let is_local = program.base == "local";
        for word in &words[1..] {
            let text = word.text.as_str();
            if let Some(letters) = text.strip_prefix(['-', '+']) {
                exports |= letters.contains('x');
                fixes |= letters.contains('r');
                if !letters.chars().all(|letter| "gprxF-".contains(letter))
                    || (exports && letters.contains('f'))
                {
                    self.refused_builtin(program, word.span);
                }
                continue;
            }
            if text.contains(mark::MANY) {
                // More words may follow, and set more.
                self.refused_builtin(program, word.span);
            }
            let end = text.find('=').unwrap_or(text.len());
            let name = text[..end].trim_end_matches('+');
            if !self.plain_name(name, word.span) {
                continue;
            }
            let value = text.get(end + 1..);
            if exports {
                let unknown = mark::ONE.to_string();
                self.variable(Some(program), name, value.unwrap_or(&unknown), word.span);
            }
            match value {
                Some(value) if !text[..end].ends_with('+') && !is_local => {
                    self.set_variable(name, Some(value), word.span);
                }
                Some(_) => self.set_variable(name, None, word.span),
                None if exports || fixes => {}
                None => self.assigned(name, word.span),
            }
        }
    }

    fn printf(&mut self, program: &Program, arguments: &[Word]) {
        const HINT: &str = "Begin with a literal format, such as `'%s\\n'`.";
        match arguments {
            [option, name, rest @ ..] if option.text == "-v" => {
                self.given_text(name);
                // The last one counts.
                self.printf(program, rest);
            }
            [first, ..] if first.text.starts_with('-') && first.text != "--" => {
                self.refused_builtin(program, first.span);
            }
            [first, ..] if first.text.starts_with(mark::ALL) => {
                self.may_be_option(program, first.span, HINT);
            }
            _ => {}
        }
    }

    /// `-v` in front of a name evaluates a subscript of it, wherever in the expression the two stand: a word that may be
    /// the one must not stand in front of a word that may be the other.
    fn test(&mut self, program: &Program, arguments: &[Word]) {
        const HINT: &str =
            "Put double quotes around the word, and an operator in front of it or behind.";
        for (at, word) in arguments.iter().enumerate() {
            let text = word.text.as_str();
            // A number may be no word at all.
            let mut behind = arguments[at + 1..].iter();
            let next = behind.find(|next| !next.text.replace(mark::NUMBER, "").is_empty());
            if matches!(text, "-v" | "-R") {
                if let Some(name) = next.filter(|name| may_be_subscript(name)) {
                    self.plain_name(&name.text, name.span);
                }
            } else if text.contains(mark::MANY)
                || (may_be_lookup(text)
                    && (text.contains(mark::PATH) || next.is_some_and(may_be_subscript)))
            {
                self.may_be_option(program, word.span, HINT);
            }
        }
    }

    fn may_be_option(&mut self, program: &Program, span: Span, hint: &str) {
        let message = format!(
            "A word of '{}' that is only known when it runs may be an option",
            program.base
        );
        self.dynamic(program, span, message, hint);
    }

    fn set(&mut self, program: &Program, words: &[Word]) {
        let mut rest = words[1..].iter();
        while let Some(word) = rest.next() {
            let text = word.text.as_str();
            let Some(letters) =
                text.strip_prefix(['-', '+']).filter(|_| text != "--" && text != "-")
            else {
                if text.starts_with(mark::ALL) {
                    self.may_be_option(program, word.span, "Write `set -- …`.");
                }
                // The rest are positional parameters.
                return;
            };
            // `o` takes the next word wherever it stands.
            let (letters, named) = match letters.strip_suffix('o') {
                Some(letters) => (letters, rest.next()),
                None => (letters, None),
            };
            if !letters.chars().all(|letter| SET_LETTERS.contains(letter))
                || named.is_some_and(|name| !SET_NAMES.contains(&name.text.as_str()))
            {
                self.refused_builtin(program, word.span);
            }
        }
    }

    fn shopt(&mut self, program: &Program, words: &[Word]) {
        let plain = |word: &Word| {
            matches!(word.text.as_str(), "-s" | "-u" | "-q" | "-p")
                || SHOPT_NAMES.contains(&word.text.as_str())
        };
        if let Some(word) = words[1..].iter().find(|word| !plain(word)) {
            self.refused_builtin(program, word.span);
        }
    }

    /// The text is read like the rest of the script, with what is known at this place.
    fn evaluate(&mut self, program: &Program, words: &[Word]) {
        let operands = match &words[1..] {
            [dashes, rest @ ..] if dashes.text == "--" => rest,
            all => all,
        };
        let text: Vec<&str> = operands.iter().map(|word| word.text.as_str()).collect();
        let code = words[0].with_text(text.join(" "));
        if code.text.starts_with('-') {
            self.refused_builtin(program, words[0].span);
        }
        if mark::is_in(&code.text) {
            let message = "The text that 'eval' runs is only known when it runs".to_owned();
            self.dynamic(program, code.span, message, "Run the command itself.");
            self.walk.shell.directories = None;
            return;
        }
        self.code_here(&code);
    }

    /// Code that is not read leads anywhere.
    fn may_move(&self, code: &Word) -> bool {
        let reading = grammar::read(&code.text, self.walk.shell.dialect);
        let functions = &self.walk.shell.facts.functions;
        reading.script.map_or(true, |script| survey::moves(&[&script], functions))
    }

    /// Its code runs at any time, so it must not change what the rest of the script goes by.
    fn trap(&mut self, program: &Program, words: &[Word]) {
        let first = usize::from(words.get(1).is_some_and(|word| word.text == "--"));
        let Some(code) = words.get(1 + first) else { return };
        let resets = matches!(code.text.as_str(), "-" | "" | "-p" | "-l")
            || code.text.bytes().all(|b| b.is_ascii_digit());
        if resets {
            return;
        }
        if mark::is_in(&code.text) {
            let message = "The text that 'trap' runs is only known when it runs".to_owned();
            return self.dynamic(program, code.span, message, "Write the command itself.");
        }
        // Nothing follows the end.
        let at_end = words.iter().rev().take_while(|word| word.span != code.span);
        let only_end = at_end.clone().count() > 0
            && at_end.clone().all(|word| matches!(word.text.as_str(), "EXIT" | "0"));
        if !only_end && self.may_move(code) {
            let message = "The code of a 'trap' changes the directory";
            let hint = "Do that outside of the trap.";
            self.asks(rule_id::PROGRAM_DYNAMIC, code.span, message, hint);
        }
        self.in_subshell(|judge| {
            judge.anything_changed();
            judge.code_here(code);
        });
    }
}

/// Whether it may become more than one word.
fn may_be_many(text: &str) -> bool {
    text.contains([mark::MANY, mark::PATH])
}

/// `-n`, `-f`, numbers and jobs: `-p` would name a variable.
fn is_waited_for(text: &str) -> bool {
    let number = text.strip_prefix('%').unwrap_or(text).trim_start_matches(mark::NUMBER);
    matches!(text, "-n" | "-f") || number.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a word may be `-v` or `-R` when it runs. What a pattern in brackets matches is not looked at.
fn may_be_lookup(text: &str) -> bool {
    let open = [mark::ONE, mark::PATH];
    let text = text.replace(mark::NUMBER, "");
    let Some(at) = text.find(open) else { return false };
    let behind = text.trim_start_matches(|c| !open.contains(&c)).trim_start_matches(open);
    ["-v", "-R"].iter().any(|option| {
        option.strip_prefix(&text[..at]).is_some_and(|rest| {
            behind.contains([']', mark::ONE, mark::PATH]) || rest.ends_with(behind)
        })
    })
}

/// Whether a word may be a name with a subscript when it runs.
fn may_be_subscript(word: &Word) -> bool {
    word.text != "[" && word.text.contains(['[', mark::ONE, mark::MANY, mark::PATH])
}
