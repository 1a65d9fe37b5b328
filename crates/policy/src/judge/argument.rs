//! Options that make a program run code, found by the table.

use super::payload::Payload;
use super::{Judge, shown};
use crate::program::Program;
use crate::rule_id;
use crate::syntax::word::Word;
use crate::tables::arguments::{Argument, Kind, ROWS, Row, Style};
use crate::tables::holds;

/// An option of a row, as given.
struct Match {
    kind: Kind,
    /// With its dashes, in full.
    name: String,
    value: Option<Word>,
}

impl Match {
    fn short(argument: &Argument, value: Option<Word>) -> Self {
        Self { kind: argument.kind, name: format!("`-{}`", argument.short), value }
    }

    fn long(argument: &Argument, name: &str, value: Option<Word>) -> Self {
        Self { kind: argument.kind, name: format!("`--{name}`"), value }
    }
}

impl Judge<'_> {
    /// Looks every option up; true when the program has a row.
    pub(super) fn arguments(&mut self, program: &Program, words: &[Word]) -> bool {
        let Some(row) = ROWS.find(program.kind()) else { return false };
        self.options_of(program, row, words);
        true
    }

    /// `words` starts with the program or subcommand that has the options.
    pub(super) fn options_of(&mut self, program: &Program, row: &Row, words: &[Word]) {
        for (at, word) in words.iter().enumerate().skip(1) {
            // `--` may be the value of the option in front of it, so that the options go on.
            if word.text == "--" && !words[at - 1].text.starts_with('-') {
                break;
            }
            for found in matches(row, word, words.get(at + 1)) {
                self.argument(program, words, at, &found);
            }
        }
    }

    fn argument(&mut self, program: &Program, words: &[Word], at: usize, found: &Match) {
        let Match { kind, name, value } = found;
        let word = &words[at];
        match (kind, value) {
            (Kind::Code, Some(value)) => {
                self.executes(program, word.span, name, Payload::Code(value));
            }
            (Kind::Action, Some(value)) => {
                if let Some(code) = value.text.strip_prefix("exec=") {
                    self.executes(program, word.span, name, Payload::Code(&value.with_text(code)));
                }
            }
            (Kind::Action, None) => {}
            (Kind::Unless(built_in), Some(value)) if holds(built_in, &value.text) => {}
            (Kind::Containing(text), Some(value)) if !value.text.contains(text) => {}
            (Kind::Code | Kind::Opaque | Kind::Unless(_) | Kind::Containing(_), _) => {
                self.executes(program, word.span, name, Payload::Opaque);
            }
            (Kind::Unseen, _) => self.unseen(program, word.span, name),
            (Kind::Scripts, _) => self.scripts(program, words, at),
            (Kind::Upload, value) => {
                // curl marks files with `@` or `<`; `-T`, `--post-file` and the like take only files.
                let marks =
                    program.folded == "curl" && !matches!(&name[..], "`-T`" | "`--upload-file`");
                if !marks || value.as_ref().is_some_and(|value| value.text.contains(['@', '<'])) {
                    self.upload(program, word, name);
                }
            }
        }
    }

    fn upload(&mut self, program: &Program, word: &Word, name: &str) {
        if self.has_allow_list() {
            let message = format!("Command '{}' sends a file away by {name}", shown(&program.base));
            let hint = "Leave that argument out, or ask for approval.";
            self.ask(rule_id::EFFECT_UPLOAD, program, word.span, message, hint);
        }
    }
}

fn matches(row: &Row, word: &Word, next: Option<&Word>) -> Vec<Match> {
    let text = word.text.as_str();
    match row.style {
        _ if !text.starts_with('-') => Vec::new(),
        Style::OneDash | Style::OneDashAbbreviated => {
            let dashes = if text.starts_with("--") { 2 } else { 1 };
            long(row, word, dashes, next)
        }
        _ if text.starts_with("--") => long(row, word, 2, next),
        _ => cluster(row, word, next),
    }
}

fn long(row: &Row, word: &Word, dashes: usize, next: Option<&Word>) -> Vec<Match> {
    let text = &word.text[dashes..];
    let (name, attached) = match text.split_once('=') {
        Some((name, _)) => (name, Some(word.tail(dashes + name.len() + 1))),
        None => (text, None),
    };
    let abbreviates = matches!(row.style, Style::Gnu | Style::OneDashAbbreviated)
        && !name.is_empty()
        && !holds(row.harmless, name);
    let meant = |full: &&str| *full == name || (abbreviates && full.starts_with(name));
    let mut found = Vec::new();
    for argument in row.arguments.iter().filter(|argument| !argument.long.is_empty()) {
        for full in argument.long.split(' ').filter(meant) {
            found.push(Match::long(argument, full, attached.clone().or_else(|| next.cloned())));
        }
    }
    found
}

fn cluster(row: &Row, word: &Word, next: Option<&Word>) -> Vec<Match> {
    let option = |text: &str| row.arguments.iter().find(|argument| argument.short == text);
    let doubled =
        |argument: &&Argument| argument.short.len() == 2 && word.text.contains(argument.short);
    // `-TT` of zip is one option, also among others.
    if let Some(argument) = row.arguments.iter().find(doubled) {
        return vec![Match::short(argument, next.cloned())];
    }
    for (at, letter) in word.text.char_indices().skip(1) {
        let rest = at + letter.len_utf8();
        if let Some(argument) = option(&word.text[at..rest]) {
            let attached = (rest < word.text.len()).then(|| word.tail(rest));
            return vec![Match::short(argument, attached.or_else(|| next.cloned()))];
        }
        if row.valued.contains(letter) {
            break;
        }
    }
    Vec::new()
}
