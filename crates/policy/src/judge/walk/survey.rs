//! What a piece of script may lead to, found without walking it.

use std::collections::BTreeSet;

use crate::syntax::tree::{
    Command, Compound, Form, Item, Part, Pipeline, RawWord, Redirection, Script, Simple,
};
use crate::tables::holds;

/// What holds for a whole text.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// Every name that is defined as a function somewhere, substitutions included.
    pub(super) functions: BTreeSet<String>,
    /// Functions that exist for sure before the first of them is called.
    pub(super) early: BTreeSet<String>,
    pub(super) moves: bool,
}

impl Facts {
    pub(super) fn of(script: &Script) -> Self {
        let mut functions = BTreeSet::new();
        everywhere(script, &mut |command| {
            if let Command::Function(function) = command {
                functions.insert(function.name.clone());
            }
        });
        let (mut moves, none) = (false, BTreeSet::new());
        everywhere(script, &mut |command| {
            if let Command::Simple(simple) = command {
                moves |= may_move(simple, &none);
            }
        });
        let early = early(script, &functions);
        Self { functions, early, moves }
    }
}

/// What a piece of script calls.
#[derive(Default)]
struct Calls {
    functions: BTreeSet<String>,
    /// Something is called that is not known, or makes bash leave out the rest of a line, with the definitions in it.
    unsure: bool,
}

impl Calls {
    fn of(item: &Item, functions: &BTreeSet<String>) -> Self {
        let mut calls = Self::default();
        in_item(item, &mut |command| calls.add(command, functions));
        item_words(item, &mut |word| {
            calls.unsure |= may_fail(word);
            substitutions(word, &mut |inner| {
                everywhere(inner, &mut |command| calls.add(command, functions));
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
                        self.unsure |= OPAQUE.contains(&name.as_str()) || holds(FAILING, &name);
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

/// A function that no text calls before it is defined, or nothing at all is called before.
fn early(script: &Script, functions: &BTreeSet<String>) -> BTreeSet<String> {
    let mut early = BTreeSet::new();
    let mut mentioned = BTreeSet::new();
    let (mut called, mut unsure) = (false, false);
    for item in &script.items {
        let calls = Calls::of(item, functions);
        if let ([], [Command::Function(function)], false) =
            (item.rest.as_slice(), item.first.commands.as_slice(), item.background)
        {
            if !called || !mentioned.contains(&function.name) {
                early.insert(function.name.clone());
            }
            unsure |= calls.unsure;
        } else if calls.unsure {
            break;
        } else {
            called |= !calls.functions.is_empty();
        }
        mentioned.extend(calls.functions);
        if called && unsure {
            break;
        }
    }
    early
}

/// Whether it has a number that may be none, or something to assign to.
fn may_fail(word: &RawWord) -> bool {
    word.parts.iter().any(|part| match part {
        Part::Arithmetic(_) => true,
        Part::Parameter(parameter) => match &parameter.form {
            Form::Plain | Form::Length => false,
            Form::Alternative(inner) | Form::Edit(inner) => may_fail(inner),
            Form::Assign(_) | Form::Slice(_) | Form::Element(_) => true,
        },
        _ => false,
    })
}

fn substitutions(word: &RawWord, visit: &mut dyn FnMut(&Script)) {
    for part in &word.parts {
        match part {
            Part::Command(script, _) | Part::Process(script) => visit(script),
            Part::Arithmetic(inner) => substitutions(inner, visit),
            Part::Parameter(parameter) => match &parameter.form {
                Form::Plain | Form::Length => {}
                Form::Alternative(inner)
                | Form::Assign(inner)
                | Form::Edit(inner)
                | Form::Slice(inner)
                | Form::Element(inner) => substitutions(inner, visit),
            },
            Part::Bare(_) | Part::Quoted(_) => {}
        }
    }
}

/// Every command, those of substitutions included.
fn everywhere(script: &Script, visit: &mut dyn FnMut(&Command)) {
    each_command(script, visit);
    each_word(script, &mut |word| substitutions(word, &mut |inner| everywhere(inner, visit)));
}

const MOVING: [&str; 3] = ["cd", "popd", "pushd"];
/// After these anything may have happened.
const OPAQUE: [&str; 6] = [".", "builtin", "command", "eval", "source", "trap"];
/// Assignments fail after these, or everything does.
const FAILING: &str = "declare local readonly shopt typeset ulimit unset";

/// Whether one of these may change the directory, one after the other or alone.
pub(super) fn moves(scripts: &[&Script], functions: &BTreeSet<String>) -> bool {
    let mut moves = false;
    for script in scripts {
        each_command(script, &mut |command| {
            if let Command::Simple(simple) = command {
                moves |= may_move(simple, functions);
            }
        });
    }
    moves
}

fn may_move(simple: &Simple, functions: &BTreeSet<String>) -> bool {
    let Some(first) = simple.words.first() else { return false };
    let Some(name) = first.literal().filter(|_| !has_braces(first)) else { return true };
    let looks_up = name == "command" && simple.words.get(1).and_then(RawWord::bare) == Some("-v");
    let opaque = OPAQUE.contains(&name.as_str()) && !looks_up;
    MOVING.contains(&name.as_str()) || opaque || functions.contains(&name)
}

fn has_braces(word: &RawWord) -> bool {
    word.characters().any(|(character, bare)| bare && character == '{')
}

/// Every command of a script, those of functions and of compound commands included, but not those of substitutions:
/// these run in a shell of their own.
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

/// Every word of a script, those of substitutions included.
pub(crate) fn every_word(script: &Script, visit: &mut dyn FnMut(&RawWord)) {
    each_word(script, &mut |word| {
        visit(word);
        substitutions(word, &mut |inner| every_word(inner, visit));
    });
}

/// Every word of these commands.
fn each_word(script: &Script, visit: &mut dyn FnMut(&RawWord)) {
    script.items.iter().for_each(|item| item_words(item, visit));
}

fn item_words(item: &Item, visit: &mut dyn FnMut(&RawWord)) {
    in_item(item, &mut |command| match command {
        Command::Simple(simple) => {
            simple.assignments.iter().for_each(|assignment| visit(&assignment.value));
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
