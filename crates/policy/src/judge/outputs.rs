//! Asks about files that a tool runs or believes later, where a word of a command names one that it writes.

use super::walk::normal;
use super::{Judge, shown};
use crate::mark;
use crate::paths::Blocked;
use crate::program::Program;
use crate::rule_id;
use crate::surroundings::Entry;
use crate::syntax::word::Word;
use crate::tables::outputs::{Operands, Outputs, outputs_of};
use crate::verdict::Span;

impl Judge<'_> {
    pub(super) fn judge_outputs(&mut self, program: &Program, words: &[Word]) {
        let Some(row) = outputs_of(&program.folded) else { return };
        if self.walk.surroundings.path_rules.is_none() {
            return;
        }
        let written = self.written_by(row, &words[1..]);
        let found = written.into_iter().find_map(|(path, span)| Some((self.later(&path)?, span)));
        let Some((blocked, span)) = found else { return };
        if self.is_writing_prevented() {
            return;
        }
        let rule = blocked.rule;
        let message =
            format!("Command '{}' writes a file that is run later ({rule})", shown(&program.base));
        self.ask(rule_id::EFFECT_WRITE, program, span, message, &blocked.hint());
    }

    /// Why a file that a tool runs or believes later is not written. `None` for other files, and for one that exists and is
    /// a source like others.
    fn later(&self, path: &str) -> Option<Blocked> {
        let blocked = self.walk.surroundings.path_rules?.judge_write(path)?;
        (blocked.later.is_some() && !self.is_source(&blocked, path)).then_some(blocked)
    }

    /// Whether the rule leaves this file alone because it exists. What nobody can look at is taken to be new.
    pub(super) fn is_source(&self, blocked: &Blocked, path: &str) -> bool {
        let files = self.walk.surroundings.files;
        blocked.is_only_new() && files.is_some_and(|files| files.entry(path) != Entry::Missing)
    }

    /// The files that the words name as those that are written, as far as they are known.
    fn written_by(&self, row: &Outputs, words: &[Word]) -> Vec<(String, Span)> {
        let is_one_of = |options: &str, text: &str| {
            options.split(' ').any(|option| !option.is_empty() && starts_option(text, option))
        };
        if !row.only.is_empty() && !words.iter().any(|word| is_one_of(row.only, &word.text)) {
            return Vec::new();
        }
        let mut operands = Vec::new();
        let mut values = Vec::new();
        let mut rest = words.iter().filter(|word| !mark::is_in(&word.text)).peekable();
        while let Some(word) = rest.next() {
            let text = word.text.as_str();
            let option = row.options.split(' ').find(|option| is_one_of(option, text));
            match option {
                Some(_) if text.starts_with("--") && text.contains('=') => {
                    values.push(word.tail(text.find('=').map_or(0, |at| at + 1)));
                }
                Some(option) if text == option => values.extend(rest.next().cloned()),
                Some(option) if !option.starts_with("--") => values.push(word.tail(option.len())),
                Some(_) => {}
                None if text.starts_with('-') && text.len() > 1 => {}
                None => operands.push(word.clone()),
            }
        }
        let mut named: Vec<Word> = Vec::new();
        match row.operands {
            Operands::Read => named = values,
            Operands::Written => named.extend(operands.into_iter().chain(values)),
            Operands::Edited => {
                let has_text =
                    words.iter().any(|word| is_one_of("-e -f --expression --file", &word.text));
                named.extend(operands.into_iter().skip(usize::from(!has_text)));
            }
            Operands::Moved => {
                let folder = values.pop();
                let is_folder = folder.is_some() || operands.len() > 2;
                let Some(last) = folder.or_else(|| operands.pop()) else { return Vec::new() };
                if is_folder || self.is_folder(&last.text) {
                    let inside = |word: &Word| {
                        let from = normal(&word.text);
                        let name = from.rsplit('/').next().unwrap_or_default();
                        last.with_text(format!("{}/{name}", last.text))
                    };
                    named.extend(operands.iter().map(inside));
                }
                named.push(last);
            }
        }
        let paths = named.iter().flat_map(|word| {
            let paths = self.resolve(&word.text).unwrap_or_default();
            paths.into_iter().map(|path| (path, word.span))
        });
        paths.collect()
    }

    fn is_folder(&self, text: &str) -> bool {
        let Some(files) = self.walk.surroundings.files else { return text.ends_with('/') };
        let paths = self.resolve(text).unwrap_or_default();
        text.ends_with('/') || paths.iter().any(|path| files.entry(path) == Entry::Folder)
    }
}

/// Whether a word is the option, or the option with its value.
fn starts_option(text: &str, option: &str) -> bool {
    let Some(rest) = text.strip_prefix(option) else { return false };
    !option.starts_with("--") || rest.is_empty() || rest.starts_with('=')
}
