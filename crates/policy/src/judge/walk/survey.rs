//! Finds what parts of a script may do without judging them: which functions exist, what changes the directory, what sets
//! variables.

use std::collections::{BTreeMap, BTreeSet};

use super::names::is_set_by_bash;
use crate::syntax::tree::{
    Assignment, Command, Compound, Form, Item, Part, Pipeline, RawWord, Redirection, Script,
    Simple, Subscript,
};
use crate::tables::holds;

/// Facts about the whole text of a shell.
#[derive(Debug, Default)]
pub(crate) struct ScriptFacts {
    /// Names of all functions that are defined anywhere, also in substitutions.
    pub(super) functions: BTreeSet<String>,
    /// Functions that are surely defined before anything calls them.
    pub(super) defined_early: BTreeSet<String>,
    pub(super) changes_directory: bool,
    /// Variables that are only ever set to what `mktemp` prints, or to a path behind that.
    pub(super) temporary: BTreeSet<String>,
    /// Variables that are only ever set to numbers.
    pub(super) numbers: BTreeSet<String>,
    /// Whether the text sets `TMPDIR`.
    pub(super) sets_temporary_folder: bool,
    /// Arrays whose first words are known where they are used.
    pub(super) arrays: BTreeMap<String, KnownArray>,
}

/// An array that the text sets to words once, before anything could use it, and otherwise only adds words to.
#[derive(Debug, Default)]
pub(super) struct KnownArray {
    /// The assignments, of which the first sets it. They are compared and never read.
    pub(super) assignments: Vec<*const Assignment>,
    /// Whether one of them adds words.
    pub(super) grows: bool,
}

/// How a variable is set.
pub(super) enum Setting<'a> {
    Assignment(&'a Assignment),
    /// The value that `local` gives it.
    Local(&'a RawWord),
    Other,
}

impl ScriptFacts {
    pub(super) fn of(script: &Script) -> Self {
        let mut functions = BTreeSet::new();
        every_command(script, &mut |command| {
            if let Command::Function(function) = command {
                functions.insert(function.name.clone());
            }
        });
        let (mut changes_directory, none) = (false, BTreeSet::new());
        every_command(script, &mut |command| {
            if let Command::Simple(simple) = command {
                changes_directory |= can_change_directory(simple, &none);
            }
        });
        let (defined_early, set_early) = certain_at_the_top(script, &functions);
        let arrays = known_arrays(script, &set_early);
        let (temporary, other) = super::outputs::variables(script, &functions);
        let numbers = super::outputs::number_variables(script, &functions);
        let sets_temporary_folder = other.contains("TMPDIR") || temporary.contains("TMPDIR");
        Self {
            functions,
            defined_early,
            changes_directory,
            temporary,
            numbers,
            sets_temporary_folder,
            arrays,
        }
    }
}

/// What a part of a script calls.
#[derive(Default)]
struct Calls {
    functions: BTreeSet<String>,
    /// Whether it calls something unknown, or may make bash skip the rest of a line and the definitions in it.
    unsure: bool,
}

impl Calls {
    fn of(item: &Item, functions: &BTreeSet<String>) -> Self {
        let mut calls = Self::default();
        in_item(item, &mut |command| calls.add(command, functions));
        item_words(item, &mut |word| {
            calls.unsure |= may_fail(word);
            substitutions(word, &mut |inner| {
                every_command(inner, &mut |command| calls.add(command, functions));
            });
        });
        calls
    }

    fn add(&mut self, command: &Command, functions: &BTreeSet<String>) {
        match command {
            Command::Simple(simple) => {
                let Some(first) = simple.words.first() else { return };
                match first.literal().filter(|_| !has_braces(first)) {
                    Some(name) if functions.contains(&name) => {
                        self.functions.insert(name);
                    }
                    Some(name) => {
                        self.unsure |= CODE_BUILTINS.contains(&name.as_str())
                            || holds(FAILING_BUILTINS, &name);
                    }
                    None => self.unsure = true,
                }
            }
            Command::Compound(Compound::Arithmetic(_) | Compound::ArithmeticFor(..), _) => {
                self.unsure = true;
            }
            _ => {}
        }
    }
}

/// The functions that are surely defined before anything calls them, and the assignments of arrays that have surely
/// taken place before what follows them.
fn certain_at_the_top(
    script: &Script,
    functions: &BTreeSet<String>,
) -> (BTreeSet<String>, Vec<*const Assignment>) {
    let mut defined_early = BTreeSet::new();
    let mut set_early: Vec<*const Assignment> = Vec::new();
    let mut mentioned = BTreeSet::new();
    let (mut called, mut unsure) = (false, false);
    for item in &script.items {
        let calls = Calls::of(item, functions);
        if let ([], [Command::Function(function)], false) =
            (item.rest.as_slice(), item.first.commands.as_slice(), item.background)
        {
            if !called || !mentioned.contains(&function.name) {
                defined_early.insert(function.name.clone());
            }
            unsure |= calls.unsure;
        } else if calls.unsure {
            break;
        } else {
            called |= !calls.functions.is_empty();
            set_early.extend(only_array(item).map(std::ptr::from_ref));
        }
        mentioned.extend(calls.functions);
        if called && unsure {
            break;
        }
    }
    (defined_early, set_early)
}

/// The assignment `name=(…)`, when the item is nothing else.
fn only_array(item: &Item) -> Option<&Assignment> {
    match item.first.commands.as_slice() {
        [Command::Simple(simple)] if item.rest.is_empty() && !item.background => {
            let is_alone = simple.words.is_empty() && simple.redirections.is_empty();
            match simple.assignments.as_slice() {
                [one] if is_alone && !one.appends && one.value.list().is_some() => Some(one),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The arrays that only one of these assignments sets, and that the text otherwise only adds words to.
fn known_arrays(script: &Script, set_early: &[*const Assignment]) -> BTreeMap<String, KnownArray> {
    let mut arrays: BTreeMap<String, KnownArray> = BTreeMap::new();
    if set_early.is_empty() {
        return arrays;
    }
    let mut others = BTreeSet::new();
    each_setting(script, &mut |name, setting| match setting {
        Setting::Assignment(one) if one.value.list().is_some() => {
            let array = arrays.entry(name.to_owned()).or_default();
            let is_first = set_early.contains(&std::ptr::from_ref(one));
            if one.appends != array.assignments.is_empty() && is_first != one.appends {
                array.grows |= one.appends;
                array.assignments.push(one);
            } else {
                others.insert(name.to_owned());
            }
        }
        _ => {
            others.insert(name.to_owned());
        }
    });
    arrays.retain(|name, _| !others.contains(name) && !is_set_by_bash(name));
    arrays
}

/// Visits every variable that a script sets by its name, also in substitutions.
pub(super) fn each_setting(script: &Script, visit: &mut dyn FnMut(&str, Setting<'_>)) {
    every_command(script, &mut |command| match command {
        Command::Simple(simple) => {
            for assignment in &simple.assignments {
                visit(&assignment.name, Setting::Assignment(assignment));
            }
            let name = simple.words.first().and_then(RawWord::bare).unwrap_or_default();
            if holds(SETTING_BUILTINS, name) {
                for word in &simple.words[1..] {
                    match split(word) {
                        (variable, Some(value)) if name == "local" => {
                            visit(&variable, Setting::Local(&value));
                        }
                        (variable, _) => visit(&variable, Setting::Other),
                    }
                }
            }
        }
        Command::Compound(Compound::For { name, .. }, _) => visit(name, Setting::Other),
        _ => {}
    });
    every_word(script, &mut |word| {
        for part in &word.parts {
            if let Part::Parameter(parameter) = part
                && matches!(parameter.form, Form::Assign(_))
            {
                visit(&parameter.name, Setting::Other);
            }
        }
    });
}

/// The name and the value of an operand such as `NAME=value`.
fn split(word: &RawWord) -> (String, Option<RawWord>) {
    let Some(text) = word.parts.first().and_then(Part::text) else { return (String::new(), None) };
    match text.split_once('=') {
        None => (text.split('[').next().unwrap_or_default().to_owned(), None),
        Some((name, rest)) => {
            let mut value = word.clone();
            value.parts[0] = Part::Bare(rest.to_owned());
            if rest.is_empty() {
                value.parts.remove(0);
            }
            (name.trim_end_matches('+').to_owned(), Some(value))
        }
    }
}

/// Whether expanding the word may fail: it has arithmetic, or assigns to a variable.
fn may_fail(word: &RawWord) -> bool {
    word.parts.iter().any(|part| match part {
        Part::Arithmetic(_) => true,
        Part::Parameter(parameter) => match &parameter.form {
            _ if matches!(parameter.subscript, Some(Subscript::At(_))) => true,
            Form::Plain | Form::Length | Form::Indices => false,
            Form::Alternative(inner) | Form::Edit(inner) => may_fail(inner),
            Form::Assign(_) | Form::Slice(_) => true,
        },
        Part::List(words) => words.iter().any(may_fail),
        _ => false,
    })
}

fn substitutions(word: &RawWord, visit: &mut dyn FnMut(&Script)) {
    for part in &word.parts {
        match part {
            Part::Command(script, _) | Part::Process(script) => visit(script),
            Part::Arithmetic(inner) => substitutions(inner, visit),
            Part::Parameter(parameter) => {
                parameter.words().for_each(|inner| substitutions(inner, visit));
            }
            Part::List(words) => words.iter().for_each(|inner| substitutions(inner, visit)),
            Part::Bare(_) | Part::Quoted(_) => {}
        }
    }
}

/// Visits every command of a script, also those of substitutions.
pub(crate) fn every_command(script: &Script, visit: &mut dyn FnMut(&Command)) {
    each_command(script, visit);
    each_word(script, &mut |word| substitutions(word, &mut |inner| every_command(inner, visit)));
}

const DIRECTORY_BUILTINS: [&str; 3] = ["cd", "popd", "pushd"];
/// Built-ins that may run any code.
const CODE_BUILTINS: [&str; 6] = [".", "builtin", "command", "eval", "source", "trap"];
/// Built-ins that set variables which their arguments name.
const SETTING_BUILTINS: &str =
    "declare export getopts local mapfile printf read readarray readonly typeset unset";
/// Built-ins that may make later assignments or commands fail.
const FAILING_BUILTINS: &str = "declare local readonly shopt typeset ulimit unset";

/// Whether running these scripts may change the directory.
pub(super) fn changes_directory(scripts: &[&Script], functions: &BTreeSet<String>) -> bool {
    let mut changes_directory = false;
    for script in scripts {
        each_command(script, &mut |command| {
            if let Command::Simple(simple) = command {
                changes_directory |= can_change_directory(simple, functions);
            }
        });
    }
    changes_directory
}

fn can_change_directory(simple: &Simple, functions: &BTreeSet<String>) -> bool {
    let Some(first) = simple.words.first() else { return false };
    let Some(name) = first.literal().filter(|_| !has_braces(first)) else { return true };
    let looks_up = name == "command" && simple.words.get(1).and_then(RawWord::bare) == Some("-v");
    let opaque = CODE_BUILTINS.contains(&name.as_str()) && !looks_up;
    DIRECTORY_BUILTINS.contains(&name.as_str()) || opaque || functions.contains(&name)
}

fn has_braces(word: &RawWord) -> bool {
    word.characters().any(|(character, bare)| bare && character == '{')
}

/// Visits every command of a script, also those of functions and compound commands. Substitutions are left out: they
/// run in a shell of their own.
fn each_command(script: &Script, visit: &mut dyn FnMut(&Command)) {
    script.items.iter().for_each(|item| in_item(item, visit));
}

fn in_item(item: &Item, visit: &mut dyn FnMut(&Command)) {
    in_pipeline(&item.first, visit);
    item.rest.iter().for_each(|(_, pipeline)| in_pipeline(pipeline, visit));
}

fn in_pipeline(pipeline: &Pipeline, visit: &mut dyn FnMut(&Command)) {
    pipeline.commands.iter().for_each(|command| in_command(command, visit));
}

fn in_command(command: &Command, visit: &mut dyn FnMut(&Command)) {
    visit(command);
    match command {
        Command::Simple(_) => {}
        Command::Function(function) => in_command(&function.body, visit),
        Command::Compound(compound, _) => {
            for script in scripts_of(compound) {
                each_command(script, visit);
            }
        }
    }
}

fn scripts_of(compound: &Compound) -> Vec<&Script> {
    match compound {
        Compound::Group(script)
        | Compound::Subshell(script)
        | Compound::For { body: script, .. }
        | Compound::ArithmeticFor(_, script) => vec![script],
        Compound::If(arms, otherwise) => {
            let arms = arms.iter().flat_map(|(condition, body)| [condition, body]);
            arms.chain(otherwise).collect()
        }
        Compound::Loop(condition, body) => vec![condition, body],
        Compound::Case(_, arms) => arms.iter().map(|(_, body)| body).collect(),
        Compound::Conditional(_) | Compound::Arithmetic(_) => Vec::new(),
    }
}

/// Visits every word of a script, also those of substitutions.
pub(crate) fn every_word(script: &Script, visit: &mut dyn FnMut(&RawWord)) {
    each_word(script, &mut |word| {
        visit(word);
        word.list().into_iter().flatten().for_each(&mut *visit);
        substitutions(word, &mut |inner| every_word(inner, visit));
    });
}

/// Visits every word of a script outside of substitutions.
fn each_word(script: &Script, visit: &mut dyn FnMut(&RawWord)) {
    script.items.iter().for_each(|item| item_words(item, visit));
}

fn item_words(item: &Item, visit: &mut dyn FnMut(&RawWord)) {
    in_item(item, &mut |command| match command {
        Command::Simple(simple) => {
            simple.assignments.iter().flat_map(Assignment::words).for_each(&mut *visit);
            simple.words.iter().for_each(&mut *visit);
            of_redirections(&simple.redirections, visit);
        }
        Command::Compound(compound, redirections) => {
            match compound {
                Compound::For { words, .. } => words.iter().flatten().for_each(&mut *visit),
                Compound::Case(subject, arms) => {
                    visit(subject);
                    arms.iter().flat_map(|(patterns, _)| patterns).for_each(&mut *visit);
                }
                Compound::Conditional(operands) => operands.iter().for_each(|one| visit(&one.word)),
                Compound::Arithmetic(text) | Compound::ArithmeticFor(text, _) => visit(text),
                _ => {}
            }
            of_redirections(redirections, visit);
        }
        Command::Function(_) => {}
    });
}

fn of_redirections(redirections: &[Redirection], visit: &mut dyn FnMut(&RawWord)) {
    redirections.iter().filter_map(|redirection| redirection.target.word()).for_each(visit);
}
