//! Judges the arguments of a program by its row in the table of uses.

use super::Judge;
use super::payload::Payload;
use super::settings::{is_pipe, is_setting};
use crate::nearest::nearest;
use crate::program::Program;
use crate::syntax::word::Word;
use crate::tables::uses::{ArgumentForm, ArgumentRule, Meaning, Row, Subcommands, USES};
use crate::tables::{holds, is_like, is_one_like};

/// An argument that a row gives a meaning.
struct MatchedArgument<'w> {
    words: &'w [Word],
    at: usize,
    /// What messages call the argument.
    name: String,
    value: Option<Word>,
}

impl Judge<'_> {
    /// Judges the arguments by the program's row. True when there is a row that makes it more than a reader.
    pub(super) fn judge_uses(&mut self, program: &Program, words: &[Word]) -> bool {
        let Some(row) = USES.find_program(program) else { return false };
        if super::shell::is_only_version(&words[1..]) && !self.more_arguments {
            return true;
        }
        if row.is("code") {
            self.ask_about_unknown_code(program, words);
        }
        if row.name == "git" {
            self.judge_git(program, row, words);
        } else {
            self.apply_row(program, row, words, 0);
            self.judge_subcommand(program, row, words);
        }
        !row.is("reads")
    }

    /// Judges the arguments by one row, which is about the program or the subcommand at `words[from]`.
    pub(super) fn apply_row(&mut self, program: &Program, row: &Row, words: &[Word], from: usize) {
        let matched =
            |at, name: &str, value| MatchedArgument { words, at, name: format!("`{name}`"), value };
        let whole_use =
            MatchedArgument { words, at: from, name: "this use".to_owned(), value: None };
        let whole_meaning = row.all.filter(|_| !is_spared(row, &words[from + 1..]));
        if let Some(meaning) = whole_meaning {
            self.judge_meaning(program, row, meaning, &whole_use);
        }
        for (at, letter, value) in bundle(row, words) {
            for item in row.items.iter().filter(|item| item.form == ArgumentForm::Letter(letter)) {
                self.apply_rule(
                    program,
                    row,
                    item,
                    matched(at, &format!("-{letter}"), Some(value.clone())),
                );
            }
        }
        for (at, word) in words.iter().enumerate().skip(from + 1) {
            // `--` ends the options only of search tools. In other programs it may be a value or unknown, so that all
            // words are looked at.
            if row.is("searches") && word.text == "--" && !words[at - 1].text.starts_with('-') {
                break;
            }
            let next = words.get(at + 1);
            if row.is("pipes") && is_pipe(&word.text) {
                self.judge_executing_argument(
                    program,
                    word.span,
                    "a name that is a pipe",
                    Payload::Opaque,
                );
            }
            let letter = cluster(row, word, next);
            let name = name_of(word);
            let value = || value_of(word).or_else(|| next.cloned());
            let lower = word.text.to_ascii_lowercase();
            for item in &row.items {
                let (shown, value) = match item.form {
                    ArgumentForm::Letter(wanted) => match &letter {
                        Some((letter, value)) if *letter == wanted => {
                            (format!("-{letter}"), value.clone())
                        }
                        _ => continue,
                    },
                    ArgumentForm::Long(full)
                        if word.text.starts_with("--") && is_option(row, full, name, 2) =>
                    {
                        (format!("--{full}"), value())
                    }
                    ArgumentForm::Dash(full) if is_option(row, full, name, 1) => {
                        (format!("-{full}"), value())
                    }
                    ArgumentForm::Word(wanted) if word.text == wanted => (wanted.to_owned(), None),
                    ArgumentForm::Pattern(pattern)
                        if is_like(pattern, &word.text) || is_like(pattern, &lower) =>
                    {
                        let head = pattern.trim_start_matches('*').split('*').next();
                        let head = head.unwrap_or_default();
                        let code = word.text.strip_prefix(head).map(|code| word.with_text(code));
                        (head.to_owned(), code)
                    }
                    ArgumentForm::Operands
                        if is_setting(word) && !is_value(row, &words[at - 1]) =>
                    {
                        ("NAME=value".to_owned(), Some(word.clone()))
                    }
                    _ => continue,
                };
                // The whole use means the same already: that is one question, not two.
                let at = if whole_meaning == Some(item.meaning) { from } else { at };
                self.apply_rule(program, row, item, matched(at, &shown, value));
            }
        }
    }

    fn apply_rule(
        &mut self,
        program: &Program,
        row: &Row,
        item: &ArgumentRule,
        mut matched: MatchedArgument<'_>,
    ) {
        if let Some(pattern) = item.value.filter(|_| !matches!(item.form, ArgumentForm::Pattern(_)))
        {
            let Some(value) = matched.value.take().filter(|value| is_like(pattern, &value.text))
            else {
                return;
            };
            let head = pattern.split('*').next().unwrap_or_default();
            matched.value = Some(value.tail(head.len()));
        }
        self.judge_meaning(program, row, item.meaning, &matched);
    }

    fn judge_meaning(
        &mut self,
        program: &Program,
        row: &Row,
        meaning: Meaning,
        matched: &MatchedArgument<'_>,
    ) {
        let MatchedArgument { words, at, name, value } = matched;
        let span = words[*at].span;
        match (meaning, value) {
            (Meaning::Runs, Some(code)) => {
                self.judge_executing_argument(program, span, name, Payload::Code(code));
            }
            (Meaning::Runs | Meaning::Opaque, _) => {
                self.judge_executing_argument(program, span, name, Payload::Opaque);
            }
            (Meaning::Argv, _) => {
                self.judge_executing_argument(program, span, name, Payload::Argv(&words[at + 1..]));
            }
            (Meaning::Shell, _) => {
                let text = words[at + 1..].iter().map(|word| word.text.as_str());
                let text: Vec<&str> = text.filter(|text| !text.starts_with('-')).collect();
                let code = words[*at].with_text(text.join(" "));
                self.judge_executing_argument(program, span, name, Payload::Code(&code));
            }
            (Meaning::Unseen, _) => self.ask_about_other_source(program, span, name),
            (Meaning::Starts, _) if *at == 0 && !self.answered.is_empty() => {
                self.named.note_unread_code();
            }
            (Meaning::Starts, _) => self.ask_about_unfollowed_program(program, span),
            (Meaning::Loads, _) if self.trusts_listed_code() => {}
            (Meaning::Scripts | Meaning::Loads, _) => self.judge_scripts(program, words, *at),
            (Meaning::Writes, _) => self.judge_written_file(program, span, name),
            (Meaning::Discards, _) if !row.is("remote") && self.is_writing_prevented() => {}
            (Meaning::Discards, _) => self.judge_discard(program, words, *at, name),
            (Meaning::Sends, _) => self.judge_sent_file(program, span, name),
            (Meaning::Setting, Some(setting)) => self.judge_setting(program, row, setting, span),
            (Meaning::Setting, None) => {}
        }
    }

    /// Judges the subcommand: the first operand, after the options in front of it. `words` begins with the program.
    pub(super) fn judge_subcommand(&mut self, program: &Program, row: &Row, words: &[Word]) {
        if row.subcommands.is_empty() {
            return;
        }
        let mut at = 1;
        while let Some(word) = words.get(at).filter(|word| word.text.starts_with(['-', '+'])) {
            let text = word.text.as_str();
            if holds(row.skips, text) {
                at += 1;
            } else if !(row.flags.is_empty() || holds(row.flags, text) || text.contains('=')) {
                return self.ask_about_unknown_option(program, word.span);
            }
            at += 1;
        }
        let Some(word) = words.get(at) else {
            for commands in row.subcommands.iter().filter(|_| words.len() == 1) {
                if commands.others && !holds(commands.names, ".") {
                    let matched =
                        MatchedArgument { words, at: 0, name: "this use".to_owned(), value: None };
                    self.judge_meaning(program, row, commands.meaning, &matched);
                }
            }
            return;
        };
        let operand = words[at + 1..].iter().find(|word| !word.text.starts_with('-'));
        let both = format!("{}/{}", word.text, operand.map_or("", |operand| operand.text.as_str()));
        let own_row = USES.find(&format!("{}-{}", row.name, word.text));
        if let Some(own_row) = own_row {
            self.apply_row(program, own_row, words, at);
        }
        let is_among = |names: &str| holds(names, &word.text) || holds(names, &both);
        let is_named = |commands: &&Subcommands| !commands.others && is_among(commands.names);
        let is_other = |commands: &&Subcommands| {
            commands.others && own_row.is_none() && !is_among(commands.names)
        };
        let commands = row.subcommands.iter();
        if let Some(commands) =
            commands.clone().find(is_named).or_else(|| commands.clone().find(is_other))
        {
            let (name, meant) = unknown_subcommand(row, &word.text);
            self.judge_meaning(
                program,
                row,
                commands.meaning,
                &MatchedArgument { words, at, name, value: None },
            );
            // Package managers also run scripts by names that are not in the table.
            if let Some(meant) = meant.filter(|_| commands.meaning != Meaning::Scripts) {
                self.report.note_meant_word(word.span, meant);
            }
        }
    }
}

/// What messages call an unknown subcommand, and the known one that was probably meant.
fn unknown_subcommand(row: &Row, given: &str) -> (String, Option<&'static str>) {
    let names = row.subcommands.iter().flat_map(|commands| commands.names.split_ascii_whitespace());
    let name = "a subcommand that is not known here";
    match nearest(given, names) {
        Some(meant) => (format!("{name}; did you mean '{meant}'?"), Some(meant)),
        None => (name.to_owned(), None),
    }
}

/// Whether an option makes this use harmless, and all other options are known to keep it so.
fn is_spared(row: &Row, arguments: &[Word]) -> bool {
    let Some((sparing, others)) = row.spared else { return false };
    let is_plain = |text: &str| {
        let letters = |letter: char| {
            let name = format!("-{letter}");
            holds(sparing, &name) || holds(others, &name)
        };
        is_one_like(sparing, text)
            || is_one_like(others, text)
            || (!text.starts_with("--") && text.len() > 1 && text.chars().skip(1).all(letters))
    };
    let spares = |text: &str| {
        let clustered = |letter: char| holds(sparing, &format!("-{letter}"));
        is_one_like(sparing, text)
            || (!text.starts_with("--") && text.chars().skip(1).any(clustered))
    };
    let mut options =
        arguments.iter().map(|word| word.text.as_str()).filter(|text| text.starts_with('-'));
    options.clone().any(spares) && options.all(is_plain)
}

/// The first letter of a cluster of options that has a meaning in the row, with its value.
fn cluster(row: &Row, word: &Word, next: Option<&Word>) -> Option<(char, Option<Word>)> {
    if !word.text.starts_with('-') || word.text.starts_with("--") || row.is("dash") {
        return None;
    }
    for (at, letter) in word.text.char_indices().skip(1) {
        let rest = at + letter.len_utf8();
        if row.items.iter().any(|item| item.form == ArgumentForm::Letter(letter)) {
            let attached = (rest < word.text.len()).then(|| word.tail(rest));
            return Some((letter, attached.or_else(|| next.cloned())));
        }
        if row.values.contains(letter) {
            break;
        }
    }
    None
}

/// Letters of the first word of tar, which is a cluster of options without a dash. Their values follow in the same
/// order.
fn bundle<'w>(row: &Row, words: &'w [Word]) -> Vec<(usize, char, &'w Word)> {
    let Some(first) = words.get(1).filter(|first| row.is("bundle") && !first.text.starts_with('-'))
    else {
        return Vec::new();
    };
    let mut values = words[2..].iter();
    let mut matched = Vec::new();
    for letter in first.text.chars() {
        let is_known = row.items.iter().any(|item| item.form == ArgumentForm::Letter(letter));
        if is_known || row.values.contains(letter) {
            let value = values.next();
            if is_known {
                matched.push((1, letter, value.unwrap_or(first)));
            }
        }
    }
    matched
}

/// Whether `before` is an option that takes the next word as its value.
fn is_value(row: &Row, before: &Word) -> bool {
    let text = before.text.as_str();
    text.starts_with('-') && !text.starts_with("--") && text.ends_with(|c| row.values.contains(c))
}

/// The name of an option, without its dashes and value. Empty for another word.
fn name_of(word: &Word) -> &str {
    let text = word.text.as_str();
    let name = text.strip_prefix("--").or_else(|| text.strip_prefix('-')).unwrap_or_default();
    name.split('=').next().unwrap_or_default()
}

/// The value after the `=` of an option.
fn value_of(word: &Word) -> Option<Word> {
    word.text.find('=').map(|at| word.tail(at + 1))
}

/// Whether `name` is this option, perhaps abbreviated.
fn is_option(row: &Row, full: &str, name: &str, dashes: usize) -> bool {
    let is_exact = |item: &ArgumentRule| matches!(item.form, ArgumentForm::Long(long_name) if long_name == name);
    if dashes == 2 && full != name && row.items.iter().any(is_exact) {
        // The full name of another option is not an abbreviation of this one.
        return false;
    }
    let loose = name.strip_prefix("loose").and_then(|rest| rest.strip_prefix(['-', '_']));
    let name = loose.unwrap_or(name);
    let abbreviates =
        !row.is("exact") && (dashes == 2 || row.is("abbreviated")) && !holds(row.whole, name);
    !name.is_empty() && begins_alike(full, name) && (abbreviates || full.len() == name.len())
}

/// Whether `name` is a beginning of `full`. apt and less ignore the case of names, and `MySQL` takes `_` for `-`, so
/// these differences are ignored except in very short names.
fn begins_alike(full: &str, name: &str) -> bool {
    let fold = |byte: u8| if byte == b'_' { b'-' } else { byte.to_ascii_lowercase() };
    let Some(beginning) = full.as_bytes().get(..name.len()) else { return false };
    let alike = beginning.iter().zip(name.bytes()).all(|(&left, right)| fold(left) == fold(right));
    if name.len() < 3 { beginning == name.as_bytes() } else { alike }
}
