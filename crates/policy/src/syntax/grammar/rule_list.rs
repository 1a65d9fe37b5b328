//! Lists of rules as a person types them: words as in a shell, with commas between the rules.

use super::{Dialect, Reader};
use crate::syntax::construct::Construct;
use crate::syntax::tree::{Part, RawWord};

/// The rules of a list, each as its words: `ls,npm test` is `[["ls"], ["npm", "test"]]`. A comma within quotes belongs to
/// its word.
///
/// # Errors
///
/// What is wrong with the list, to be read after its name: a rule without words, a quote without its end, and what a shell
/// would replace, because rules are matched as they are written.
pub fn rule_words(list: &str) -> Result<Vec<Vec<String>>, String> {
    let mut rules = Rules::default();
    let mut reader = Reader::new(list, Dialect::Bash);
    while let Some(byte) = reader.peek(0) {
        if byte.is_ascii_whitespace() {
            reader.position += 1;
            rules.end_word();
            continue;
        }
        if b"|;&<>()".contains(&byte) {
            return Err(rules.special(byte.into()));
        }
        let start = reader.position;
        let mut piece = RawWord::default();
        let is_plain = |part: &Part| matches!(part, Part::Bare(_) | Part::Quoted(_));
        match reader.piece(&mut piece) {
            Ok(()) if piece.parts.iter().all(is_plain) => rules.take(&piece)?,
            Err(fault) if fault.construct == Construct::Backslash => {
                return Err(rules.wrong("ends with a backslash"));
            }
            Err(fault) if is_open_quote(fault.construct) => {
                let quote = list[start..].trim_start_matches('$').chars().next().unwrap_or('"');
                return Err(rules.wrong(&format!("has a {quote} without its end")));
            }
            _ => {
                let expansion = list[start..].find(['$', '`']).map_or(start, |at| start + at);
                return Err(rules.special(list[expansion..].chars().next().unwrap_or('$')));
            }
        }
    }
    rules.end_rule()?;
    Ok(rules.finished)
}

fn is_open_quote(construct: Construct) -> bool {
    matches!(construct, Construct::SingleQuote | Construct::DoubleQuote | Construct::AnsiQuote)
}

#[derive(Default)]
struct Rules {
    finished: Vec<Vec<String>>,
    /// The words of the rule that is being read.
    words: Vec<String>,
    /// The word that is being read. `None` between two words.
    word: Option<String>,
}

impl Rules {
    /// Adds a piece of the list: text without quotes, or one quoted text.
    fn take(&mut self, piece: &RawWord) -> Result<(), String> {
        if piece.quoted {
            self.word.get_or_insert_default();
        }
        for (character, bare) in piece.characters() {
            match character {
                ',' if bare => self.end_rule()?,
                // In the name of a program a pattern is allowed here: the policy refuses it with a better message.
                '*' | '?' if bare && !self.words.is_empty() => return Err(self.special(character)),
                _ => self.word.get_or_insert_default().push(character),
            }
        }
        Ok(())
    }

    fn end_word(&mut self) {
        self.words.extend(self.word.take());
    }

    fn end_rule(&mut self) -> Result<(), String> {
        self.end_word();
        if self.words.is_empty() {
            return Err("has an empty entry".to_owned());
        }
        self.finished.push(std::mem::take(&mut self.words));
        Ok(())
    }

    fn special(&self, character: char) -> String {
        self.wrong(&format!(
            "has a {character} that is not quoted: rules are matched as they are written"
        ))
    }

    fn wrong(&self, problem: &str) -> String {
        format!("entry {} {problem}", self.finished.len() + 1)
    }
}
