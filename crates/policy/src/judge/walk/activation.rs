//! Recognises the script that activates a Python environment (`bin/activate` of `venv`, `virtualenv` and `uv`). It sets
//! variables by commands that start nothing that a person would list.

use super::survey::{every_command, every_word};
use crate::syntax::tree::{
    Assignment, Command, Compound, Form, Item, Operator, Part, Pipeline, RawWord, Redirection,
    Script, Simple, Target,
};
use crate::syntax::{Dialect, grammar};
use crate::tables::holds;

/// Commands of such scripts. `cygpath` and `uname` are for systems whose paths have another form.
const COMMANDS: &str = "[ alias basename command cygpath deactivate echo exit export hash return test true unalias uname unset";
/// Functions that such scripts define.
const FUNCTIONS: &str = "deactivate pydoc";
/// Variables that such scripts set, besides those that keep former values.
const VARIABLES: &str = "PATH PS1 PYTHONHOME VIRTUAL_ENV VIRTUAL_ENV_PROMPT";
const FORMER_VALUES: &str = "_OLD_VIRTUAL_";
/// The values of `PATH`, with the names of variables in place of their values.
const SEARCH_PATHS: [&str; 2] = ["$VIRTUAL_ENV/bin:$PATH", "$_OLD_VIRTUAL_PATH"];

/// The folder of the environment whose `bin/activate` has this path.
pub(super) fn folder_of_activation(path: &str) -> Option<&str> {
    path.strip_suffix("/bin/activate").filter(|folder| !folder.is_empty())
}

/// The folder of the environment that this text activates. `None` when the text may do anything else.
pub(super) fn activated_folder(text: &str) -> Option<String> {
    let script = grammar::read(text, Dialect::Bash).script.ok()?;
    let mut is_activation = true;
    let mut folder = None;
    every_command(&script, &mut |command| match command {
        Command::Simple(simple) => {
            is_activation &= is_usual(simple, &mut folder);
            for assignment in &simple.assignments {
                is_activation &= !assignment.appends
                    && !assignment.is_of_array()
                    && is_usual_value(assignment, &mut folder);
            }
        }
        Command::Function(function) => is_activation &= holds(FUNCTIONS, &function.name),
        Command::Compound(compound, redirections) => {
            is_activation &= is_quiet(redirections)
                && matches!(
                    compound,
                    Compound::Group(_)
                        | Compound::Subshell(_)
                        | Compound::If(..)
                        | Compound::Case(..)
                );
        }
    });
    every_word(&script, &mut |word| is_activation &= !word.parts.iter().any(writes_or_evaluates));
    folder.filter(|_| is_activation)
}

/// Whether the part makes a file, or changes a variable or computes with it.
fn writes_or_evaluates(part: &Part) -> bool {
    match part {
        Part::Process(_) | Part::Arithmetic(_) | Part::List(_) => true,
        Part::Parameter(parameter) => {
            parameter.subscript.is_some()
                || !matches!(parameter.form, Form::Plain | Form::Length | Form::Alternative(_))
        }
        _ => false,
    }
}

fn is_usual(simple: &Simple, folder: &mut Option<String>) -> bool {
    let is_command = match simple.words.as_slice() {
        [] => true,
        // `$(command -v cygpath …)`: the commands inside are looked at by themselves, and get no arguments.
        [only] if matches!(only.parts.as_slice(), [Part::Command(..)]) => is_lookup(only),
        [first, rest @ ..] => {
            let arguments: Vec<Option<&str>> = rest.iter().map(RawWord::bare).collect();
            match first.bare() {
                Some("command") => arguments.first() == Some(&Some("-v")),
                Some("alias" | "unalias") => arguments == [Some("pydoc")],
                Some("hash") => arguments == [Some("-r")],
                Some("python") => arguments.starts_with(&[Some("-m"), Some("pydoc")]),
                Some("export") => rest.iter().all(|word| match word.literal() {
                    Some(text) if text.starts_with("VIRTUAL_ENV=") => {
                        is_known_folder(&text["VIRTUAL_ENV=".len()..], folder)
                    }
                    Some(name) => is_usual_name(&name),
                    None => false,
                }),
                Some("unset") => arguments.iter().all(|argument| {
                    argument.is_some_and(|name| {
                        is_usual_name(name)
                            || name == "-f"
                            || name == "SCRIPT_PATH"
                            || holds(FUNCTIONS, name)
                    })
                }),
                Some(name) => holds(COMMANDS, name),
                None => false,
            }
        }
    };
    is_command && is_quiet(&simple.redirections)
}

/// Whether the word is a substitution that looks up a command.
fn is_lookup(word: &RawWord) -> bool {
    matches!(word.parts.as_slice(), [Part::Command(script, _)] if first_word(script) == Some("command"))
}

/// The name of the only command of a script.
fn first_word(script: &Script) -> Option<&str> {
    match script.items.as_slice() {
        [Item { first: Pipeline { commands, .. }, rest, .. }] if rest.is_empty() => {
            match commands.as_slice() {
                [Command::Simple(simple)] => simple.words.first().and_then(RawWord::bare),
                _ => None,
            }
        }
        _ => None,
    }
}

fn is_usual_name(name: &str) -> bool {
    holds(VARIABLES, name) || name.starts_with(FORMER_VALUES)
}

fn is_usual_value(assignment: &Assignment, folder: &mut Option<String>) -> bool {
    let value = outline(&assignment.value);
    match assignment.name.as_str() {
        "PATH" => SEARCH_PATHS.contains(&value.as_str()),
        "PYTHONHOME" => value == "$_OLD_VIRTUAL_PYTHONHOME",
        "VIRTUAL_ENV" => match assignment.value.literal() {
            Some(literal) => is_known_folder(&literal, folder),
            // The path in the form of another system.
            None => matches!(assignment.value.parts.as_slice(), [Part::Command(script, _)]
                if first_word(script) == Some("cygpath")),
        },
        name => is_usual_name(name),
    }
}

/// Whether the text is the path of the environment, which has only one.
fn is_known_folder(text: &str, folder: &mut Option<String>) -> bool {
    let is_known = text.starts_with('/') && folder.as_deref().is_none_or(|known| known == text);
    *folder = Some(text.to_owned());
    is_known
}

/// The text, with `$NAME` for each variable, and nothing for each substitution.
fn outline(word: &RawWord) -> String {
    let mut text = String::new();
    for part in &word.parts {
        match part {
            Part::Bare(piece) | Part::Quoted(piece) => text.push_str(piece),
            Part::Parameter(parameter) => {
                text.push('$');
                text.push_str(&parameter.name);
            }
            _ => text.push('\u{1}'),
        }
    }
    text
}

/// Whether the redirections write no file.
fn is_quiet(redirections: &[Redirection]) -> bool {
    redirections.iter().all(|redirection| {
        redirection.operator == Operator::Duplicate
            || matches!(&redirection.target, Target::Word(word) if word.bare() == Some("/dev/null"))
    })
}
