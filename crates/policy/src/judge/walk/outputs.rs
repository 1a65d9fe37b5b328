//! What substitutions print, as far as the command says it: a number, a plain word, the path of a temporary file, names
//! of files.

use std::collections::BTreeSet;

use super::super::Judge;
use super::names::{is_number, is_set_by_bash};
use super::survey::{Setting, each_setting};
use crate::rule_id;
use crate::syntax::tree::{Command, Part, RawWord, Script, Simple};
use crate::verdict::Span;

/// What a command prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Output {
    /// Numbers, or nothing.
    Number,
    /// One word of letters, digits and `._:+-` that does not begin with a dash, or nothing.
    Plain,
    /// The path of a new file or folder in the private temporary folder, or nothing.
    Temporary,
    /// Names of files, none of which begins with a slash.
    Files,
}

/// The variable that names the private temporary folder of a run.
const TEMPORARY_FOLDER: &str = "TMPDIR";
/// How often variables for paths behind other variables' paths are looked for.
const MAX_DERIVED: usize = 4;

impl Judge<'_> {
    /// What the only command of a substitution prints, or the last one of its pipe.
    pub(super) fn output_of(&self, script: &Script) -> Option<Output> {
        let facts = &self.walk.shell.facts;
        let output = output_of(script, &facts.functions)?;
        let is_elsewhere = output == Output::Temporary && facts.sets_temporary_folder;
        (!is_elsewhere).then_some(output)
    }

    /// The same for a word that is a substitution and nothing else.
    pub(super) fn output_of_word(&self, word: &RawWord) -> Option<Output> {
        match word.parts.as_slice() {
            [Part::Command(script, _)] => self.output_of(script),
            _ => None,
        }
    }

    /// Whether the variable holds a number wherever it is used, as far as is known before its last use: the text has set it
    /// already, and sets it to nothing else.
    pub(super) fn is_counted(&self, name: &str) -> bool {
        let is_given = self.walk.surroundings.environment.iter().any(|one| one == name);
        self.walk.number_variables.contains(name)
            && self.walk.shell.facts.numbers.contains(name)
            && !is_given
            && !self.walk.surroundings.is_continued
    }

    /// Whether the variable holds a path in the private temporary folder, as far as is known before its last use.
    pub(super) fn is_temporary(&self, name: &str) -> bool {
        let facts = &self.walk.shell.facts;
        let is_given = self.walk.surroundings.environment.iter().any(|one| one == name);
        if name == TEMPORARY_FOLDER {
            is_given && !facts.sets_temporary_folder
        } else {
            facts.temporary.contains(name) && !is_given && !is_set_by_bash(name)
        }
    }

    /// Asks where text that was evaluated or read from a file sets such a variable to something else.
    pub(in crate::judge) fn judge_temporary_uses(&mut self) {
        for (name, span) in std::mem::take(&mut self.walk.temporary_uses) {
            let is_set = |name: &str| {
                self.walk.text_variables.contains(name) || self.walk.number_variables.contains(name)
            };
            if is_set(&name) || is_set(TEMPORARY_FOLDER) {
                self.ask_about_temporary_path(span);
            }
        }
    }

    fn ask_about_temporary_path(&mut self, span: Span) {
        let message = "A variable for a temporary file is set to something else as well";
        let hint = "Give the other value to another variable.";
        self.ask_without_program(rule_id::PROGRAM_DYNAMIC, span, message, hint);
    }
}

/// The variables that are only ever set to paths in the private temporary folder, and those that are set to anything else.
pub(super) fn variables(
    script: &Script,
    functions: &BTreeSet<String>,
) -> (BTreeSet<String>, BTreeSet<String>) {
    let mut temporary = BTreeSet::new();
    for _ in 0..MAX_DERIVED {
        let (found, others) = variables_knowing(script, functions, &temporary);
        let found: BTreeSet<String> = found.difference(&others).cloned().collect();
        if others.contains(TEMPORARY_FOLDER) {
            return (BTreeSet::new(), others);
        }
        if found == temporary {
            return (temporary, others);
        }
        temporary = found;
    }
    variables_knowing(script, functions, &BTreeSet::new())
}

/// The variables that are only ever set to numbers, which are written out or printed by such a command.
pub(super) fn number_variables(script: &Script, functions: &BTreeSet<String>) -> BTreeSet<String> {
    let mut numbers = BTreeSet::new();
    let mut others = BTreeSet::new();
    let is_counted = |value: &RawWord| match value.parts.as_slice() {
        [Part::Command(script, _)] => output_of(script, functions) == Some(Output::Number),
        _ => is_number(value),
    };
    each_setting(script, &mut |name, setting| {
        let is_number = match setting {
            Setting::Assignment(one) => {
                !one.appends && one.subscript.is_none() && is_counted(&one.value)
            }
            Setting::Local(value) => is_counted(value),
            Setting::Other => false,
        };
        let names = if is_number { &mut numbers } else { &mut others };
        names.insert(name.to_owned());
    });
    numbers.retain(|name| !others.contains(name) && !is_set_by_bash(name));
    numbers
}

/// The variables that are set to such a path somewhere, and those that are set to anything else, when these hold such paths.
fn variables_knowing(
    script: &Script,
    functions: &BTreeSet<String>,
    known: &BTreeSet<String>,
) -> (BTreeSet<String>, BTreeSet<String>) {
    let mut temporary = BTreeSet::new();
    let mut others = BTreeSet::new();
    let is_path = |value: &RawWord| is_temporary(value, functions, known);
    each_setting(script, &mut |name, setting| {
        let is_path = match setting {
            Setting::Assignment(one) => {
                !one.appends && one.subscript.is_none() && is_path(&one.value)
            }
            Setting::Local(value) => is_path(value),
            Setting::Other => false,
        };
        let names = if is_path { &mut temporary } else { &mut others };
        names.insert(name.to_owned());
    });
    (temporary, others)
}

/// Whether the value is what `mktemp` prints, or a variable that holds it, alone or with the rest of a path behind it.
fn is_temporary(value: &RawWord, functions: &BTreeSet<String>, known: &BTreeSet<String>) -> bool {
    let Some((first, rest)) = value.parts.split_first() else { return false };
    let is_path = match first {
        Part::Command(script, _) => output_of(script, functions) == Some(Output::Temporary),
        Part::Parameter(parameter) => {
            parameter.is_plain()
                && (known.contains(&parameter.name) || parameter.name == TEMPORARY_FOLDER)
        }
        _ => false,
    };
    let rest: Option<String> = rest
        .iter()
        .map(|part| match part {
            Part::Bare(text) | Part::Quoted(text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    let is_rest = |rest: String| (rest.is_empty() || rest.starts_with('/')) && !rest.contains("..");
    is_path && rest.is_some_and(is_rest)
}

fn output_of(script: &Script, functions: &BTreeSet<String>) -> Option<Output> {
    let [item] = script.items.as_slice() else { return None };
    if !item.rest.is_empty() || item.background {
        return None;
    }
    let Some(Command::Simple(simple)) = item.first.commands.last() else { return None };
    let words: Option<Vec<String>> = simple.words.iter().map(literal).collect();
    let words = words?;
    let (name, arguments) = words.split_first()?;
    if functions.contains(name) || !simple.assignments.is_empty() {
        return None;
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match name.as_str() {
        "nproc" => Some(Output::Number),
        "seq" => {
            let is_number = |text: &&str| text.bytes().all(|b| b.is_ascii_digit() || b == b'-');
            arguments.iter().all(is_number).then_some(Output::Number)
        }
        "wc" => {
            matches!(arguments.as_slice(), ["-l" | "-c" | "-w" | "-m"]).then_some(Output::Number)
        }
        "grep" => counts_lines(&arguments).then_some(Output::Number),
        "date" => date(&arguments),
        "mktemp" => is_in_temporary_folder(&arguments).then_some(Output::Temporary),
        "git" => git(&arguments),
        // A name with a slash in front could follow a line end in the name of a folder.
        "ls" => {
            let is_plain = |text: &&str| !text.starts_with('-') && !text.contains('/');
            (!has_braces(simple) && arguments.iter().all(is_plain)).then_some(Output::Files)
        }
        _ => None,
    }
}

fn literal(word: &RawWord) -> Option<String> {
    word.literal().filter(|text| !text.starts_with('~'))
}

fn has_braces(simple: &Simple) -> bool {
    simple.words.iter().any(|word| word.characters().any(|one| one == ('{', true)))
}

/// Whether `grep` prints one number: it counts the lines of one file, or of its standard input.
fn counts_lines(arguments: &[&str]) -> bool {
    match arguments {
        ["-c" | "-ci" | "-ic" | "-cE" | "-Ec" | "-cv" | "-vc", operands @ ..] => {
            operands.len() <= 2
                && operands
                    .iter()
                    .all(|text| !text.starts_with('-') && !text.contains(['*', '?', '[', '{']))
        }
        _ => false,
    }
}

fn date(arguments: &[&str]) -> Option<Output> {
    let format = match arguments {
        [format] | ["-u", format] => format.strip_prefix('+')?,
        _ => return None,
    };
    if matches!(format, "%s" | "%Y") {
        return Some(Output::Number);
    }
    // These letters make digits, `-` and `:`, or what the text says.
    let mut characters = format.chars();
    while let Some(character) = characters.next() {
        match character {
            '%' if !matches!(
                characters.next()?,
                'Y' | 'm' | 'd' | 'H' | 'M' | 'S' | 's' | 'F' | 'T' | 'j' | 'y' | 'N'
            ) =>
            {
                return None;
            }
            '%' => {}
            plain if plain.is_ascii_alphanumeric() || "._:-".contains(plain) => {}
            _ => return None,
        }
    }
    (!format.starts_with('-') && !format.is_empty()).then_some(Output::Plain)
}

/// Whether `mktemp` makes its file in the folder that `TMPDIR` names, or right beneath `/tmp`.
fn is_in_temporary_folder(arguments: &[&str]) -> bool {
    let mut rest = arguments.iter();
    while let Some(text) = rest.next() {
        let is_known = match *text {
            "-d" | "-q" | "-dq" | "-qd" | "--directory" | "--quiet" => true,
            "-t" | "-dt" | "-td" => rest
                .next()
                .is_some_and(|template| !template.contains('/') && !template.starts_with('-')),
            text => {
                let suffix = text.strip_prefix("--suffix=").or_else(|| text.strip_prefix("/tmp/"));
                suffix.is_some_and(|suffix| !suffix.contains('/'))
            }
        };
        if !is_known {
            return false;
        }
    }
    true
}

fn git(arguments: &[&str]) -> Option<Output> {
    match arguments {
        ["rev-parse", "HEAD"] => Some(Output::Plain),
        ["rev-parse", option, "HEAD"] if *option == "--verify" || option.starts_with("--short") => {
            Some(Output::Plain)
        }
        ["rev-list", "--count", ..] => Some(Output::Number),
        ["ls-files", rest @ ..] | ["diff", "--name-only", rest @ ..] => {
            let is_plain = |text: &&str| {
                !text.starts_with('-')
                    || matches!(
                        *text,
                        "--" | "--cached"
                            | "-m"
                            | "-o"
                            | "--staged"
                            | "--exclude-standard"
                            | "--others"
                            | "--modified"
                    )
            };
            rest.iter().all(is_plain).then_some(Output::Files)
        }
        _ => None,
    }
}
