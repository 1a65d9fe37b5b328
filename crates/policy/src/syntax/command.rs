//! Reads a text as one plain command. Anything else in the text is a fault.

use super::construct::{Construct, Fault};
use super::tree::{Command, RawWord, Script, Simple};
use super::word::Word;
use super::{Dialect, grammar};

/// The result of reading a text as one plain command.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    /// Names and values of the assignments in front of the program.
    pub(crate) assignments: Vec<(Word, Word)>,
    /// The words of the first simple command. When there are faults, only its leading literal words.
    pub(crate) words: Vec<Word>,
    /// Empty when the text is one simple command, or blank.
    pub(crate) faults: Vec<Fault>,
    /// Whether the name of the program is a literal word. It may be even when there are faults.
    pub(crate) program_is_literal: bool,
}

/// Reads the whole text.
pub(crate) fn read(source: &str, dialect: Dialect) -> Reading {
    let read = grammar::read(source, dialect);
    let mut reading = Reading { faults: read.constructs, ..Reading::default() };
    match read.script {
        Ok(script) if reading.faults.is_empty() => {
            if let Some(simple) = only_simple_command(&script) {
                plain(simple, &mut reading);
            }
            return reading;
        }
        // A construct that a plain command cannot have says more than the place where the grammar stopped.
        Err(fault)
            if reading.faults.is_empty() || !matches!(fault.construct, Construct::Unread(_)) =>
        {
            reading.faults.push(fault);
        }
        Ok(_) | Err(_) => {}
    }
    reading.words = read.first.iter().map_while(literal).collect();
    reading.program_is_literal = !reading.words.is_empty();
    reading
}

/// The simple command, when the script is nothing else.
pub(crate) fn only_simple_command(script: &Script) -> Option<&Simple> {
    match script.items.as_slice() {
        [item] if item.rest.is_empty() && !item.background => {
            match item.first.commands.as_slice() {
                [Command::Simple(simple)] => Some(simple),
                _ => None,
            }
        }
        _ => None,
    }
}

fn plain(simple: &Simple, reading: &mut Reading) {
    for assignment in &simple.assignments {
        let name = Word { text: assignment.name.clone(), span: assignment.span };
        let text = assignment.value.literal().unwrap_or_default();
        reading.assignments.push((name, Word { text, span: assignment.span }));
    }
    reading.words = simple.words.iter().filter_map(literal).collect();
    reading.program_is_literal = true;
}

/// The text of a word in which nothing is expanded. A tilde inside of a word is an ordinary character.
fn literal(word: &RawWord) -> Option<Word> {
    let pattern = |(c, bare): (char, bool)| bare && "*?[".contains(c);
    let is_pattern = word.bare() != Some("[") && word.characters().any(pattern);
    let text = word.literal().filter(|_| !is_pattern)?;
    Some(Word { text, span: word.span })
}
