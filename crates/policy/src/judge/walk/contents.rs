//! Follows what a script writes into files, as far as it is written out: the script may read such a file as code later.

use std::collections::{BTreeMap, BTreeSet};

use super::super::Judge;
use crate::mark;
use crate::surroundings::FileText;
use crate::syntax::tree::{Operator, RawWord, Redirection, Simple};
use crate::syntax::word::Word;
use crate::tables::holds;
use crate::tables::readers::FILTERS;
use crate::verdict::Span;

/// Commands that change no file that an operand names.
const READING_BUILTINS: &str = ". [ cd echo ls printf pwd read source stat test";

/// Files by their absolute paths.
#[derive(Debug, Default)]
pub(super) struct Contents {
    /// The texts that the script writes into a file, each complete in itself. `None` when one of them is not known.
    written: BTreeMap<String, Option<Vec<String>>>,
    /// Files that commands name among their arguments: these commands may change them.
    named: BTreeSet<String>,
    /// Files that the shell read as code: where, and how many texts of the script were judged for them.
    sourced: Vec<(String, Span, usize)>,
}

impl Judge<'_> {
    /// Records the files that a simple command writes, or may write because its arguments name them.
    pub(super) fn note_written_files(&mut self, simple: &Simple, words: &[Word]) {
        if self.walk.surroundings.files.is_none() {
            return;
        }
        for redirection in &simple.redirections {
            let content = written_text(words, &simple.redirections);
            self.record_output(
                redirection,
                content.as_ref().filter(|_| redirection.descriptor == 1),
            );
        }
        let Some((name, arguments)) = words.split_first() else { return };
        if holds(FILTERS, &name.text) || holds(READING_BUILTINS, &name.text) {
            return;
        }
        if let ("cp", [from, to]) = (&name.text[..], arguments)
            && let (Some(from), Some(to)) = (self.one_path(&from.text), self.one_path(&to.text))
        {
            let text = match self.walk.surroundings.files.map(|files| files.text(&from)) {
                Some(FileText::Text(text)) if !self.walk.contents.written.contains_key(&from) => {
                    Some(text)
                }
                _ => None,
            };
            return self.record(to, text);
        }
        for word in arguments.iter().filter(|word| !mark::is_in(&word.text)) {
            let paths = self.resolve(&word.text).unwrap_or_default();
            self.walk.contents.named.extend(paths);
        }
    }

    /// Records that a redirection writes this text into a file. `None`: something that is not known.
    pub(super) fn record_output(&mut self, redirection: &Redirection, text: Option<&String>) {
        let reads = matches!(
            redirection.operator,
            Operator::Input | Operator::Duplicate | Operator::HereString | Operator::HereDocument
        );
        if reads || self.walk.surroundings.files.is_none() {
            return;
        }
        if let Some(target) = redirection.target.word().and_then(RawWord::literal) {
            for path in self.resolve(&target).unwrap_or_default() {
                self.record(path, text.cloned());
            }
        }
    }

    fn record(&mut self, path: String, text: Option<String>) {
        let texts = self.walk.contents.written.entry(path).or_insert_with(|| Some(Vec::new()));
        match (texts.as_mut(), text) {
            (Some(texts), Some(text)) => {
                // A part of the script may be judged twice.
                if !texts.contains(&text) {
                    texts.push(text);
                }
            }
            _ => *texts = None,
        }
    }

    /// The absolute path that a word without unknown parts stands for, if it is known.
    pub(super) fn one_path(&self, text: &str) -> Option<String> {
        let is_path = !mark::is_in(text) && !text.starts_with(['-', '~']);
        let mut paths = is_path.then(|| self.resolve(text)).flatten()?;
        paths.pop().filter(|_| paths.is_empty())
    }

    /// The texts that the script has written into a file so far. `None` when something else may be in it.
    pub(super) fn texts_written_to(&mut self, path: &str, span: Span) -> Option<Vec<String>> {
        let contents = &mut self.walk.contents;
        let texts = contents.written.get(path).cloned().unwrap_or_else(|| Some(Vec::new()));
        let count = texts.as_ref().map_or(0, Vec::len);
        contents.sourced.push((path.to_owned(), span, count));
        texts
    }

    /// Asks about files that were judged as code and that some other command of the script may change.
    pub(in crate::judge) fn judge_files_written_later(&mut self) {
        let contents = std::mem::take(&mut self.walk.contents);
        for (path, span, count) in contents.sourced {
            let written_later = match contents.written.get(&path) {
                Some(Some(texts)) => texts.len() > count,
                Some(None) => true,
                None => false,
            };
            if written_later || contents.named.contains(&path) {
                self.ask_about_changed_code(span);
            }
        }
    }
}

/// What the command writes to its standard output, when the script says it.
fn written_text(words: &[Word], redirections: &[Redirection]) -> Option<String> {
    let (name, arguments) = words.split_first()?;
    if arguments.iter().any(|word| mark::is_in(&word.text)) {
        return None;
    }
    let texts: Vec<&str> = arguments.iter().map(|word| word.text.as_str()).collect();
    match (name.text.as_str(), texts.as_slice()) {
        ("echo", [first, ..]) if first.starts_with('-') => None,
        ("echo", texts) => Some(texts.join(" ") + "\n"),
        ("printf", [format]) => printed(format, &mut [].iter()),
        ("printf", [format, values @ ..]) if values.len() == format.matches("%s").count() => {
            printed(format, &mut values.iter())
        }
        ("cat", []) => {
            let document = redirections
                .iter()
                .find(|one| one.operator == Operator::HereDocument && one.descriptor == 0)?;
            document.target.word()?.literal()
        }
        _ => None,
    }
}

/// The text that `printf` makes of a format with `%s` alone. `None` for other formats and escapes.
fn printed(format: &str, values: &mut dyn Iterator<Item = &&str>) -> Option<String> {
    let mut text = String::new();
    let mut characters = format.chars();
    while let Some(character) = characters.next() {
        match (character, matches!(character, '%' | '\\').then(|| characters.next())) {
            ('%', Some(Some('s'))) => text.push_str(values.next()?),
            ('%', Some(Some('%'))) => text.push('%'),
            ('\\', Some(Some('n'))) => text.push('\n'),
            ('\\', Some(Some('t'))) => text.push('\t'),
            ('\\', Some(Some('\\'))) => text.push('\\'),
            ('%' | '\\', _) => return None,
            (plain, _) => text.push(plain),
        }
    }
    Some(text)
}
