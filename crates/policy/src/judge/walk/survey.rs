//! What a piece of script may change, found without walking it.

use std::collections::BTreeSet;

use crate::syntax::tree::{
    Command, Compound, Form, Item, Part, Pipeline, RawWord, Redirection, Role, Script, Simple,
};
use crate::tables::holds;

/// Names that may be functions: those of the text, and those that exist already.
pub(super) type Functions<'a> = [&'a BTreeSet<String>; 2];

/// What may be different after a piece of script.
#[derive(Debug, Default)]
pub(super) struct Effects {
    pub(super) names: BTreeSet<String>,
    /// Any variable: names that are not written there may be set.
    pub(super) everything: bool,
    /// The working directory.
    pub(super) moves: bool,
}

/// What holds for a whole text.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// Every name that is defined as a function somewhere, substitutions included.
    pub(super) functions: BTreeSet<String>,
    /// Functions that exist before the first of them is called.
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
                moves |= of_simple(simple, [&none; 2]).moves;
            }
        });
        let early = early(script, &functions);
        Self { functions, early, moves }
    }
}

fn early(script: &Script, functions: &BTreeSet<String>) -> BTreeSet<String> {
    let mut early = BTreeSet::new();
    for item in &script.items {
        if let ([], [Command::Function(function)], false) =
            (item.rest.as_slice(), item.first.commands.as_slice(), item.background)
        {
            early.insert(function.name.clone());
            continue;
        }
        let mut calls = false;
        in_item(item, &mut |command| {
            if let Command::Simple(simple) = command {
                let first = simple.words.first().filter(|first| !has_braces(first));
                let name = first.and_then(RawWord::literal);
                calls |= !simple.words.is_empty()
                    && name.is_none_or(|name| {
                        functions.contains(&name) || OPAQUE.contains(&name.as_str())
                    });
            }
        });
        let mut runs = false;
        item_words(item, &mut |word| runs |= has_substitution(word));
        if calls || runs {
            break;
        }
    }
    early
}

fn has_substitution(word: &RawWord) -> bool {
    let mut has = false;
    substitutions(word, &mut |_| has = true);
    has
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

/// Built-ins that set the variables their arguments name.
const SETTING: &str = "declare export getopts let local mapfile printf read readarray readonly set typeset unset wait";
const MOVING: [&str; 3] = ["cd", "popd", "pushd"];
/// Behind these anything may happen.
const OPAQUE: [&str; 6] = [".", "builtin", "command", "eval", "source", "trap"];

/// How many commands there are in it.
pub(super) fn size(script: &Script) -> usize {
    let mut size = 0;
    each_command(script, &mut |_| size += 1);
    size
}

/// The effects of these, one after the other or alone.
pub(super) fn effects(scripts: &[&Script], functions: Functions<'_>) -> Effects {
    let mut all = Effects::default();
    for script in scripts {
        each_command(script, &mut |command| match command {
            Command::Simple(simple) => all.add(of_simple(simple, functions)),
            Command::Compound(Compound::For { name, .. }, _) => {
                all.names.insert(name.clone());
            }
            Command::Compound(Compound::Arithmetic(text) | Compound::ArithmeticFor(text, _), _) => {
                names_in(text, &mut all.names);
            }
            Command::Compound(Compound::Conditional(operands), _) => {
                let numbers = operands.iter().filter(|operand| operand.role == Role::Number);
                numbers.for_each(|operand| names_in(&operand.word, &mut all.names));
            }
            _ => {}
        });
        each_word(script, &mut |word| in_word(word, &mut all.names));
    }
    all
}

impl Effects {
    fn add(&mut self, other: Self) {
        self.names.extend(other.names);
        self.everything |= other.everything;
        self.moves |= other.moves;
    }
}

fn of_simple(simple: &Simple, functions: Functions<'_>) -> Effects {
    let mut effects = Effects::default();
    effects.names.extend(simple.assignments.iter().map(|assignment| assignment.name.clone()));
    let Some(first) = simple.words.first() else { return effects };
    let Some(name) = first.literal().filter(|_| !has_braces(first)) else {
        return Effects { everything: true, moves: true, ..effects };
    };
    if MOVING.contains(&name.as_str()) {
        effects.moves = true;
        effects.names.extend(["PWD", "OLDPWD"].map(str::to_owned));
    } else if OPAQUE.contains(&name.as_str()) || functions.iter().any(|names| names.contains(&name))
    {
        let looks_up = name == "command"
            && simple.words.get(1).and_then(RawWord::bare).is_some_and(|word| word == "-v");
        effects.everything = !looks_up;
        effects.moves = !looks_up;
    } else if holds(SETTING, &name) {
        for word in &simple.words[1..] {
            let text: String = word
                .characters()
                .map(|(character, _)| character)
                .take_while(|c| *c != '=' && *c != '+')
                .collect();
            effects.everything |= has_braces(word) || text.contains('\u{1}');
            effects.names.insert(text);
        }
    }
    effects
}

fn has_braces(word: &RawWord) -> bool {
    word.characters().any(|(character, bare)| bare && character == '{')
}

/// `${x:=w}`, and every name in arithmetic.
fn in_word(word: &RawWord, names: &mut BTreeSet<String>) {
    for part in &word.parts {
        match part {
            Part::Arithmetic(text) => names_in(text, names),
            Part::Parameter(parameter) => match &parameter.form {
                Form::Assign(inner) => {
                    names.insert(parameter.name.clone());
                    in_word(inner, names);
                }
                Form::Slice(text) => names_in(text, names),
                Form::Alternative(inner) | Form::Edit(inner) | Form::Element(inner) => {
                    in_word(inner, names);
                }
                Form::Plain | Form::Length => {}
            },
            _ => {}
        }
    }
}

fn names_in(text: &RawWord, names: &mut BTreeSet<String>) {
    for part in &text.parts {
        if let Part::Bare(piece) | Part::Quoted(piece) = part {
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
            names.extend(
                piece.split(|c| !is_part(c)).filter(|name| !name.is_empty()).map(str::to_owned),
            );
        }
    }
    in_word(text, names);
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
