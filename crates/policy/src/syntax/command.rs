//! The reading as one plain command: everything else in the text is a fault.

use super::construct::{Construct, Fault};
use super::tree::{Command, RawWord, Script, Simple};
use super::word::Word;
use super::{Dialect, grammar};

/// What a text was read as.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    /// Names and values in front of the program.
    pub(crate) assignments: Vec<(Word, Word)>,
    /// The words of the first simple command; with faults, as far as they are literal.
    pub(crate) words: Vec<Word>,
    /// Empty exactly when the text is one simple command, or nothing at all.
    pub(crate) faults: Vec<Fault>,
    /// The program's name is one literal word, whatever else is wrong.
    pub(crate) program_is_literal: bool,
}

/// Reads the whole text.
pub(crate) fn read(source: &str, dialect: Dialect) -> Reading {
    let read = grammar::read(source, dialect);
    let mut reading = Reading { faults: read.constructs, ..Reading::default() };
    match read.script {
        Ok(script) if reading.faults.is_empty() => {
            if let Some(simple) = only(&script) {
                plain(simple, &mut reading);
            }
            return reading;
        }
        // What one plain command does not have explains more than where the grammar gave up.
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

/// The simple command that is all of a script.
pub(crate) fn only(script: &Script) -> Option<&Simple> {
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

/// A word of which nothing is expanded. A tilde inside of a word is a letter.
fn literal(word: &RawWord) -> Option<Word> {
    let pattern = |(c, bare): (char, bool)| bare && "*?[".contains(c);
    let is_pattern = word.bare() != Some("[") && word.characters().any(pattern);
    let text = word.literal().filter(|_| !is_pattern)?;
    Some(Word { text, span: word.span })
}
