//! Finds words of a command that may name files. A host that asks somebody about the command keeps these files
//! unchanged until it starts.

use crate::judge::walk::every_word;
use crate::syntax::tree::{Part, RawWord};
use crate::syntax::{Dialect, grammar};

/// Words of a command that may name files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedWords {
    /// Without their quotes, and parts of them that may be paths. A word that is no path does no harm.
    pub words: Vec<String>,
    /// Whether the command can name no file but these words. False when it has a variable, a pattern, or code in a language
    /// other than bash.
    pub are_complete: bool,
}

/// The words of a text in bash syntax, and of scripts that are arguments in it.
pub fn named_words(text: &str) -> NamedWords {
    // The text of a here-document may be in any language.
    let are_complete = !text.contains("<<");
    let mut named = NamedWords { words: vec![text.to_owned()], are_complete };
    // These characters separate paths from options, variables and nested scripts.
    let is_divider = |c: char| c.is_whitespace() || "'\"`;&|()<>$={}".contains(c);
    named.words.extend(text.split(is_divider).map(str::to_owned));
    named.add_read(text, true);
    named
}

impl NamedWords {
    /// Adds the words of a text in bash syntax. `has_scripts`: words that look like scripts are read as well.
    fn add_read(&mut self, text: &str, has_scripts: bool) {
        let Ok(script) = grammar::read(text, Dialect::Bash).script else {
            self.are_complete = false;
            return;
        };
        let mut inner = Vec::new();
        every_word(&script, &mut |word| {
            self.are_complete &= is_plain(word);
            let literal: String = word.characters().map(|(character, _)| character).collect();
            let is_script = literal.contains(char::is_whitespace)
                && literal.contains(['\'', '"', '\\', '$', '`']);
            if has_scripts && is_script && literal != text {
                inner.push(literal.clone());
            }
            self.words.push(literal);
        });
        for script in inner {
            self.add_read(&script, false);
        }
    }
}

/// Whether the word has no expansion, so that it stays as it is written.
fn is_plain(word: &RawWord) -> bool {
    let is_literal = |part: &Part| matches!(part, Part::Bare(_) | Part::Quoted(_));
    word.parts.iter().all(is_literal)
        && !word.characters().any(|(character, bare)| bare && "*?[{~".contains(character))
}
