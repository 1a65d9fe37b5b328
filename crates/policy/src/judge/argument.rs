//! Options that make a program run code, found by the table.

use super::payload::Payload;
use super::{Judge, shown};
use crate::program::Program;
use crate::rule_id;
use crate::syntax::word::Word;
use crate::tables::arguments::{Argument, Kind, ROWS, Row, Style};
use crate::tables::holds;

impl Judge<'_> {
    /// Looks every option up; true when the program has a row.
    pub(super) fn arguments(&mut self, program: &Program, words: &[Word]) -> bool {
        let names = |row: &&Row| holds(row.names, &program.folded);
        let Some(row) = ROWS.iter().find(names) else { return false };
        self.options_of(program, row, words);
        true
    }

    /// `words` starts with the program or subcommand that has the options.
    pub(super) fn options_of(&mut self, program: &Program, row: &Row, words: &[Word]) {
        let mut ended = false;
        for (at, word) in words.iter().enumerate().skip(1) {
            // `--` may be the value of the option in front of it, so that the options go on.
            ended |= word.text == "--" && !words[at - 1].text.starts_with('-');
            if ended {
                break;
            }
            for (argument, value) in matches(row, word, words.get(at + 1)) {
                self.argument(program, word, argument, value.as_ref());
            }
        }
    }

    fn argument(
        &mut self,
        program: &Program,
        word: &Word,
        argument: Argument,
        value: Option<&Word>,
    ) {
        let name = if argument.long.is_empty() {
            format!("`-{}`", argument.short)
        } else {
            format!("`--{}`", argument.long)
        };
        match (argument.kind, value) {
            (Kind::Code, Some(value)) => {
                self.executes(program, word.span, &name, Payload::Code(value));
            }
            (Kind::Action, Some(value)) => {
                if let Some(code) = value.text.strip_prefix("exec=") {
                    self.executes(program, word.span, &name, Payload::Code(&value.with_text(code)));
                }
            }
            (Kind::Action, None) => {}
            (Kind::Code | Kind::Opaque, _) => {
                self.executes(program, word.span, &name, Payload::Opaque);
            }
            (Kind::Unseen, _) => self.unseen(program, word.span, &name),
            (Kind::Upload, value) => {
                // curl marks files with `@` or `<`; `-T`, `--post-file` and the like take only files.
                let marks = program.folded == "curl" && argument.short != "T";
                if !marks || value.is_some_and(|value| value.text.contains(['@', '<'])) {
                    self.upload(program, word, &name);
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

fn matches(row: &Row, word: &Word, next: Option<&Word>) -> Vec<(Argument, Option<Word>)> {
    let text = word.text.as_str();
    match row.style {
        Style::OneDash => one_dash(row, word, next),
        _ if text.starts_with("--") => long(row, word, next),
        _ if text.starts_with('-') => cluster(row, word, next),
        _ => Vec::new(),
    }
}

fn long(row: &Row, word: &Word, next: Option<&Word>) -> Vec<(Argument, Option<Word>)> {
    let text = &word.text[2..];
    let (name, attached) = match text.split_once('=') {
        Some((name, _)) => (name, Some(word.tail(name.len() + 3))),
        None => (text, None),
    };
    let abbreviates = row.style == Style::Gnu && !name.is_empty() && !holds(row.harmless, name);
    row.arguments
        .iter()
        .filter(|argument| !argument.long.is_empty())
        .filter(|argument| {
            argument.long == name || (abbreviates && argument.long.starts_with(name))
        })
        .map(|argument| (*argument, attached.clone().or_else(|| next.cloned())))
        .collect()
}

fn cluster(row: &Row, word: &Word, next: Option<&Word>) -> Vec<(Argument, Option<Word>)> {
    // `-TT` of zip is one option.
    if let Some(argument) = row.arguments.iter().find(|argument| argument.short == &word.text[1..])
    {
        return vec![(*argument, next.cloned())];
    }
    for (at, letter) in word.text.char_indices().skip(1) {
        let mut buffer = [0; 4];
        let letter_text: &str = letter.encode_utf8(&mut buffer);
        if let Some(argument) = row.arguments.iter().find(|argument| argument.short == letter_text)
        {
            let rest = at + letter.len_utf8();
            let attached = (rest < word.text.len()).then(|| word.tail(rest));
            return vec![(*argument, attached.or_else(|| next.cloned()))];
        }
        if row.valued.contains(letter) {
            return Vec::new();
        }
    }
    Vec::new()
}

fn one_dash(row: &Row, word: &Word, next: Option<&Word>) -> Vec<(Argument, Option<Word>)> {
    let Some(text) = word.text.strip_prefix('-') else { return Vec::new() };
    let text = text.strip_prefix('-').unwrap_or(text);
    let name = text.split('=').next().unwrap_or_default();
    let attached = text.contains('=').then(|| {
        let start = word.text.len() - text.len() + name.len() + 1;
        word.tail(start)
    });
    row.arguments
        .iter()
        .filter(|argument| argument.long == name)
        .map(|argument| (*argument, attached.clone().or_else(|| next.cloned())))
        .collect()
}
