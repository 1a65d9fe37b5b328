//! Finds characters that do not belong into a command, or that make it look like another command.

use crate::rule_id;
use crate::verdict::Decision;

/// A kind of misplaced character that a text holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MisplacedCharacter {
    pub(crate) decision: Decision,
    pub(crate) rule: &'static str,
    pub(crate) message: &'static str,
    pub(crate) hint: &'static str,
    /// Offset of the first character of this kind, and its length, in bytes.
    pub(crate) at: usize,
    pub(crate) length: usize,
}

const NUL: (Decision, &str, &str, &str) = (
    Decision::Deny,
    rule_id::HYGIENE_NUL,
    "The command contains a NUL character",
    "No argument can hold a NUL: leave it out.",
);
const CONTROL: (Decision, &str, &str, &str) = (
    Decision::Ask,
    rule_id::HYGIENE_CONTROL,
    "The command contains a control character",
    "Leave it out, or write it as an escape that the program itself decodes.",
);
const DECEPTIVE: (Decision, &str, &str, &str) = (
    Decision::Ask,
    rule_id::HYGIENE_DECEPTIVE,
    "The command contains a character that makes it look like another command",
    "Use plain ASCII blanks and letters, without invisible characters.",
);

const TERMINAL_CONTROL: (Decision, &str, &str, &str) = (
    Decision::Deny,
    rule_id::SESSION_CONTROL,
    "The line holds a character that a terminal or a line editor would act on",
    "Leave it out, or write it as an escape that the program understands.",
);

/// The first character of a typed line that would not reach the program as it is. A terminal acts on control characters; a
/// program that edits its lines also completes names at a tab and expands its history at a `!`. Line ends divide lines.
pub(crate) fn find_terminal_control(line: &str, edits_lines: bool) -> Option<MisplacedCharacter> {
    let acts = |character: char| match character {
        '\n' => false,
        '\t' | '!' => edits_lines,
        '\0'..='\u{1f}' | '\u{7f}' => true,
        _ => false,
    };
    let (at, character) = line.char_indices().find(|(_, character)| acts(*character))?;
    let (decision, rule, message, hint) = TERMINAL_CONTROL;
    Some(MisplacedCharacter { decision, rule, message, hint, at, length: character.len_utf8() })
}

/// The first character of each kind that does not belong into a command.
pub(crate) fn misplaced_characters(text: &str) -> Vec<MisplacedCharacter> {
    let mut kinds: Vec<MisplacedCharacter> = Vec::new();
    for (at, character) in text.char_indices() {
        let Some((decision, rule, message, hint)) = classify(character) else { continue };
        if kinds.iter().all(|misplaced| misplaced.rule != rule) {
            let length = character.len_utf8();
            kinds.push(MisplacedCharacter { decision, rule, message, hint, at, length });
        }
    }
    kinds
}

fn classify(character: char) -> Option<(Decision, &'static str, &'static str, &'static str)> {
    match character {
        '\t' | '\n' | ' '..='~' => None,
        '\0' => Some(NUL),
        '\u{1}'..='\u{1f}' | '\u{7f}'..='\u{9f}' => Some(CONTROL),
        _ if is_deceptive(character) => Some(DECEPTIVE),
        _ => None,
    }
}

/// Whether the character changes the direction of text, is invisible, is a blank at which no shell splits, or is drawn
/// like an ASCII letter.
fn is_deceptive(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}'
        | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
        | '\u{ff01}'..='\u{ff5e}' | '\u{1d400}'..='\u{1d7ff}')
}
