//! Judges built-ins of bash in a script.

use super::super::builtins::BUILTINS_WITHOUT_PROGRAM;
use super::super::{Judge, SourceKind};
use super::survey;
use crate::mark;
use crate::program::Program;
use crate::rule_id;
use crate::syntax::unread::Unread;
use crate::syntax::word::Word;
use crate::syntax::{Dialect, grammar};
use crate::tables::holds;
use crate::verdict::Span;

/// Built-ins that start nothing, write no file and change nothing that is tracked, whatever their arguments are.
const HARMLESS_BUILTINS: [&str; 20] = [
    ":", "break", "caller", "continue", "dirs", "disown", "echo", "exit", "false", "help",
    "logout", "pwd", "return", "shift", "times", "true", "type", "ulimit", "umask", "wait",
];
/// Built-ins that are allowed when their arguments are.
const EXAMINED_BUILTINS: [&str; 28] = [
    "[",
    "builtin",
    "cd",
    "command",
    "declare",
    "eval",
    "exec",
    "export",
    "getopts",
    "local",
    "popd",
    "printf",
    "pushd",
    "read",
    "readonly",
    "set",
    "shopt",
    "test",
    "trap",
    "typeset",
    "unset",
    ".",
    "source",
    "alias",
    "let",
    "jobs",
    "mapfile",
    "readarray",
];
/// Built-ins for which a program of the same name exists.
const BUILTINS_WITH_PROGRAM: [&str; 7] = ["[", "echo", "false", "printf", "pwd", "test", "true"];
/// Built-ins of bash that other shells may lack.
const BASH_BUILTINS: &str = "builtin caller compgen declare dirs enable help let logout mapfile popd pushd readarray shopt \
    source suspend typeset";
/// Options of `set` that do not change how words are read.
const SET_LETTERS: &str = "aefhuvxCET";
const SET_NAMES: [&str; 9] = [
    "allexport",
    "errexit",
    "errtrace",
    "functrace",
    "noclobber",
    "noglob",
    "nounset",
    "pipefail",
    "xtrace",
];
const SHOPT_NAMES: [&str; 7] =
    ["dotglob", "failglob", "globstar", "inherit_errexit", "nocaseglob", "nocasematch", "nullglob"];
pub(super) fn is_builtin(name: &str) -> bool {
    HARMLESS_BUILTINS.contains(&name) || EXAMINED_BUILTINS.contains(&name)
}

/// Whether bash handles a plain command of this name. `runs`: a program of this name may run, which needs no shell.
pub(crate) fn is_left_to_bash(name: &str, runs: bool) -> bool {
    (is_builtin(name) || holds(BUILTINS_WITHOUT_PROGRAM, name))
        && !(runs && BUILTINS_WITH_PROGRAM.contains(&name))
}

impl Judge<'_> {
    /// Judges a built-in of a script. True when the command is one.
    pub(in crate::judge) fn judge_builtin_of_script(
        &mut self,
        program: &Program,
        words: &[Word],
    ) -> bool {
        let name = program.base.as_str();
        if self.walk.shell.dialect != Dialect::Bash && holds(BASH_BUILTINS, name) {
            // The word is a built-in for some shells and a program for others.
            self.judge_by_lists(program, words);
            self.refused_builtin(program, words[0].span);
            if name == "builtin" {
                self.judge_rest_of_command(program, &words[1..]);
            }
            return true;
        }
        if self.judge_kill_built_in(program, words) {
            return true;
        }
        if !is_builtin(name) {
            return false;
        }
        self.compare_with_deny_list(program, words);
        let arguments = &words[1..];
        match name {
            "cd" | "pushd" => self.change_directory(program, words),
            "popd" => self.walk.shell.directories = None,
            "declare" | "export" | "local" | "readonly" | "typeset" => {
                self.judge_declaration(program, words);
            }
            // `-a` is followed by the name of an array, as every operand of `mapfile` is.
            "read" => {
                self.judge_read_input(program, words);
                self.names_behind(arguments, "pnNtduia", "rs");
            }
            "mapfile" | "readarray" => {
                self.judge_read_input(program, words);
                self.names_behind(arguments, "dnOsu", "t");
            }
            "unset" => self.judge_unset(program, arguments),
            "getopts" => match arguments {
                [letters, name, ..]
                    if !mark::is_in(&letters.text) && !letters.text.starts_with('-') =>
                {
                    self.given_text(name);
                }
                _ => self.refused_builtin(program, words[0].span),
            },
            "printf" => self.judge_printf(program, arguments),
            "test" | "[" => self.judge_test(program, arguments),
            "set" => self.judge_set(program, words),
            "shopt" => self.judge_shopt(program, words),
            "wait" => {
                if let Some(word) =
                    arguments.iter().find(|word| !is_harmless_wait_argument(&word.text))
                {
                    self.may_be_option(program, word.span, "Wait for `$!`, or for everything.");
                }
            }
            "eval" => self.judge_eval(program, words),
            "trap" => self.judge_trap(program, words),
            "command" | "builtin" => self.judge_rest_of_command(program, arguments),
            "exec" => {
                if arguments
                    .first()
                    .is_some_and(|word| word.text == "-a" || word.text.starts_with('-'))
                {
                    self.judge_arguments(program, words);
                } else if !arguments.is_empty() {
                    self.judge_inner_command(arguments);
                }
            }
            // With `-x`, the arguments are a command.
            "jobs" if arguments.iter().all(|word| is_harmless_jobs_argument(&word.text)) => {}
            "." | "source" => self.judge_source(program, words),
            "alias" | "jobs" | "let" => self.refused_builtin(program, words[0].span),
            _ => {}
        }
        true
    }

    /// Judges the command after `command` or `builtin`, which is never a function.
    fn judge_rest_of_command(&mut self, program: &Program, arguments: &[Word]) {
        let Some(first) = arguments.first() else { return };
        match first.text.as_str() {
            "-v" | "-V" | "-pv" | "-pV" => {}
            "-p" | "--" => self.judge_rest_of_command(program, &arguments[1..]),
            text if text.starts_with('-') => self.ask_about_unknown_option(program, first.span),
            _ => self.nested(first.span, |judge| judge.judge_command(arguments, SourceKind::Code)),
        }
    }

    fn given_text(&mut self, word: &Word) {
        if let Some(name) = self.assignable_name(&word.text, word.span) {
            self.set_variable(name, None, word.span);
        }
    }

    /// Judges operands that name variables to be set. `valued`: letters of options that take a value; `plain`: letters
    /// of those that take none.
    fn names_behind(&mut self, arguments: &[Word], valued: &str, plain: &str) {
        if let Some(word) = arguments.iter().find(|word| may_be_many(&word.text)) {
            self.plain_name("", word.span);
        }
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
                // Such an option runs code, or is unknown.
                self.plain_name("", word.span);
            }
            let Some(at) = value else { continue };
            let is_separate = at + 1 == letters.len();
            let text = if is_separate { rest.next().cloned() } else { Some(word.tail(at + 2)) };
            if let Some(name) = text.filter(|_| letters[at..].starts_with('a')) {
                self.given_text(&name);
            }
        }
    }

    fn judge_unset(&mut self, program: &Program, arguments: &[Word]) {
        for word in arguments {
            let is_function = self.walk.shell.facts.functions.contains(&word.text);
            if word.text == "-v" {
                continue;
            }
            if word.text.starts_with('-') || is_function {
                self.refused_builtin(program, word.span);
            } else if let Some(name) = self.assignable_name(&word.text, word.span) {
                self.judge_assigned_name(name, word.span);
            }
        }
    }

    /// Judges `export X=1`, `local x` and their like. An exported variable is judged like one in front of a command.
    fn judge_declaration(&mut self, program: &Program, words: &[Word]) {
        let mut exports = program.base == "export";
        let mut fixes = program.base == "readonly";
        // `local` is an error outside of a function, so that it may set nothing.
        let is_local = program.base == "local";
        let mut makes_array = false;
        for word in &words[1..] {
            let text = word.text.as_str();
            if let Some(letters) = text.strip_prefix(['-', '+']) {
                exports |= letters.contains('x');
                fixes |= letters.contains('r');
                makes_array |= letters.contains('a');
                if letters.contains('A') {
                    self.report_unread(Unread::AssociativeArray, word.span);
                    continue;
                }
                if !letters.chars().all(|letter| "agprxF-".contains(letter))
                    || (exports && letters.contains('f'))
                {
                    self.refused_builtin(program, word.span);
                }
                continue;
            }
            if text.contains(mark::ANY_WORDS) {
                // The expansion may make more words, which would set more variables.
                self.refused_builtin(program, word.span);
            }
            let end = text.find('=').unwrap_or(text.len());
            let name = text[..end].trim_end_matches('+');
            if !self.plain_name(name, word.span) {
                continue;
            }
            let value = text.get(end + 1..);
            if makes_array {
                self.walk.arrays.insert(name.to_owned());
            }
            if value
                .is_some_and(|value| value.starts_with('(') || value.starts_with(mark::ALL_MARKS))
            {
                // bash evaluates such a text when the variable is an array.
                self.walk.declared_texts.push((name.to_owned(), word.span));
            }
            if exports {
                let unknown = mark::ANY_TEXT.to_string();
                self.judge_variable(Some(program), name, value.unwrap_or(&unknown), word.span);
            }
            match value {
                Some(value) if !text[..end].ends_with('+') && !is_local => {
                    self.set_variable(name, Some(value), word.span);
                }
                Some(value) => {
                    let value = Some(value).filter(|value| mark::is_temporary_path(value));
                    self.set_variable(name, value, word.span);
                }
                None if exports || fixes => {}
                None => self.judge_assigned_name(name, word.span),
            }
        }
    }

    fn judge_printf(&mut self, program: &Program, arguments: &[Word]) {
        const HINT: &str = "Begin with a literal format, such as `'%s\\n'`.";
        match arguments {
            [option, name, rest @ ..] if option.text == "-v" => {
                self.given_text(name);
                // When `-v` is repeated, bash uses the last name.
                self.judge_printf(program, rest);
            }
            [first, ..] if first.text.starts_with('-') && first.text != "--" => {
                self.refused_builtin(program, first.span);
            }
            [first, ..] if first.text.starts_with(mark::ALL_MARKS) => {
                self.may_be_option(program, first.span, HINT);
            }
            _ => {}
        }
    }

    /// Judges `test`, which evaluates a subscript in the word after `-v`. A word that may become `-v` must not stand in
    /// front of a word that may have a subscript.
    fn judge_test(&mut self, program: &Program, arguments: &[Word]) {
        const HINT: &str =
            "Put double quotes around the word, and an operator in front of it or behind.";
        for (at, word) in arguments.iter().enumerate() {
            let text = word.text.as_str();
            // A number that only run time knows may be empty, so that the word vanishes.
            let mut behind = arguments[at + 1..].iter();
            let next = behind.find(|next| !next.text.replace(mark::ANY_NUMBER, "").is_empty());
            if matches!(text, "-v" | "-R") {
                if let Some(name) = next.filter(|name| may_be_subscript(name)) {
                    self.assignable_name(&name.text, name.span);
                }
            } else if text.contains(mark::ANY_WORDS)
                || (may_be_lookup(text)
                    && (text.contains(mark::ANY_PATH) || next.is_some_and(may_be_subscript)))
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
        self.ask_about_unknown_program(program, span, message, hint);
    }

    fn judge_set(&mut self, program: &Program, words: &[Word]) {
        let mut rest = words[1..].iter();
        while let Some(word) = rest.next() {
            let text = word.text.as_str();
            let Some(letters) =
                text.strip_prefix(['-', '+']).filter(|_| text != "--" && text != "-")
            else {
                if text.starts_with(mark::ALL_MARKS) {
                    self.may_be_option(program, word.span, "Write `set -- …`.");
                }
                // The remaining words become positional parameters.
                return;
            };
            // The letter `o` takes the next word, wherever it stands in its cluster.
            let (letters, named) = match letters.strip_suffix('o') {
                Some(letters) => (letters, rest.next()),
                None => (letters, None),
            };
            // From now on every variable that is set is judged like one that is exported, also after `set +a`.
            self.walk.exports_all |=
                letters.contains('a') || named.is_some_and(|name| name.text == "allexport");
            if !letters.chars().all(|letter| SET_LETTERS.contains(letter))
                || named.is_some_and(|name| !SET_NAMES.contains(&name.text.as_str()))
            {
                self.refused_builtin(program, word.span);
            }
        }
    }

    fn judge_shopt(&mut self, program: &Program, words: &[Word]) {
        let plain = |word: &Word| {
            matches!(word.text.as_str(), "-s" | "-u" | "-q" | "-p")
                || SHOPT_NAMES.contains(&word.text.as_str())
        };
        if let Some(word) = words[1..].iter().find(|word| !plain(word)) {
            self.refused_builtin(program, word.span);
        }
    }

    /// Judges the text of `eval` like a part of the script, with what is known at this command.
    fn judge_eval(&mut self, program: &Program, words: &[Word]) {
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
            self.ask_about_unknown_program(program, code.span, message, "Run the command itself.");
            self.walk.shell.directories = None;
            return;
        }
        self.judge_code_here(&code);
    }

    /// Whether code may change the directory. Code that cannot be read may.
    fn can_change_directory(&self, code: &Word) -> bool {
        let reading = grammar::read(&code.text, self.walk.shell.dialect);
        let functions = &self.walk.shell.facts.functions;
        reading.script.map_or(true, |script| survey::changes_directory(&[&script], functions))
    }

    /// Judges `trap`. Its code may run after any command, so it must not change the directory that later commands are
    /// judged in.
    fn judge_trap(&mut self, program: &Program, words: &[Word]) {
        let first = usize::from(words.get(1).is_some_and(|word| word.text == "--"));
        let Some(code) = words.get(1 + first) else { return };
        let resets = matches!(code.text.as_str(), "-" | "" | "-p" | "-l")
            || code.text.bytes().all(|b| b.is_ascii_digit());
        if resets {
            return;
        }
        if mark::is_in(&code.text) && !has_only_separate_numbers(&code.text) {
            let message = "The text that 'trap' runs is only known when it runs".to_owned();
            return self.ask_about_unknown_program(
                program,
                code.span,
                message,
                "Write the command itself.",
            );
        }
        // Code that runs at the exit of the shell is followed by no command.
        let signals = words.iter().rev().take_while(|word| word.span != code.span);
        let runs_only_at_exit = signals.clone().count() > 0
            && signals.clone().all(|word| matches!(word.text.as_str(), "EXIT" | "0"));
        if !runs_only_at_exit && self.can_change_directory(code) {
            let message = "The code of a 'trap' changes the directory";
            let hint = "Do that outside of the trap.";
            self.ask_without_program(rule_id::PROGRAM_DYNAMIC, code.span, message, hint);
        }
        self.in_subshell(|judge| {
            judge.anything_changed();
            judge.judge_code_here(code);
        });
    }
}

/// Whether all that only run time knows of a text are numbers, each of which stands alone: whatever the number is, or
/// where it is missing, the shell reads the same commands.
fn has_only_separate_numbers(text: &str) -> bool {
    let separates = |c: char| " \t\"'".contains(c);
    let mut before = ' ';
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if mark::ALL_MARKS.contains(&character) {
            let is_alone = (separates(before) || before == '-')
                && characters.peek().is_none_or(|next| separates(*next) || ";\n)".contains(*next));
            if character != mark::ANY_NUMBER || !is_alone {
                return false;
            }
        }
        before = character;
    }
    true
}

/// Whether the text may become several words.
fn may_be_many(text: &str) -> bool {
    text.contains([mark::ANY_WORDS, mark::ANY_PATH])
}

fn is_harmless_jobs_argument(text: &str) -> bool {
    text.starts_with('%')
        || text
            .strip_prefix('-')
            .is_some_and(|letters| letters.chars().all(|c| "lnprs".contains(c)))
}

/// Whether an argument of `wait` is harmless: a number, a job, `-n` or `-f`. `-p` would set a variable.
fn is_harmless_wait_argument(text: &str) -> bool {
    let number = text.strip_prefix('%').unwrap_or(text).trim_start_matches(mark::ANY_NUMBER);
    matches!(text, "-n" | "-f") || number.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether the word may become `-v` or `-R`. Patterns in brackets are taken to match anything.
fn may_be_lookup(text: &str) -> bool {
    let open = [mark::ANY_TEXT, mark::ANY_PATH];
    let text = text.replace(mark::ANY_NUMBER, "");
    let Some(at) = text.find(open) else { return false };
    let behind = text.trim_start_matches(|c| !open.contains(&c)).trim_start_matches(open);
    ["-v", "-R"].iter().any(|option| {
        option.strip_prefix(&text[..at]).is_some_and(|rest| {
            behind.contains([']', mark::ANY_TEXT, mark::ANY_PATH]) || rest.ends_with(behind)
        })
    })
}

/// Whether the word may become a name with a subscript.
fn may_be_subscript(word: &Word) -> bool {
    word.text != "[" && word.text.contains(['[', mark::ANY_TEXT, mark::ANY_WORDS, mark::ANY_PATH])
}
