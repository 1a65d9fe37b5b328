//! What the arguments of a program do besides, by its row in the table of uses.

use super::Judge;
use super::payload::Payload;
use super::settings::{is_pipe, is_setting};
use crate::nearest::nearest;
use crate::program::Program;
use crate::syntax::word::Word;
use crate::tables::uses::{Form, Item, Meaning, Row, Subcommands, USES};
use crate::tables::{holds, is_like, is_one_like};

/// Where a meaning was found.
struct Found<'w> {
    words: &'w [Word],
    at: usize,
    /// For a message.
    name: String,
    value: Option<Word>,
}

impl Judge<'_> {
    /// True when the program has a row.
    pub(super) fn uses(&mut self, program: &Program, words: &[Word]) -> bool {
        let Some(row) = USES.find_program(program) else { return false };
        if super::shell::is_only_version(&words[1..]) && !self.more_arguments {
            return true;
        }
        if row.is("code") {
            self.operand_completed_later(program, words);
        }
        if row.name == "git" {
            self.git(program, row, words);
        } else {
            self.row(program, row, words, 0);
            self.subcommand(program, row, words);
        }
        !row.is("reads")
    }

    /// `words[from]` is the program or subcommand that the row is about.
    pub(super) fn row(&mut self, program: &Program, row: &Row, words: &[Word], from: usize) {
        let found = |at, name: &str, value| Found { words, at, name: format!("`{name}`"), value };
        let whole = Found { words, at: from, name: "this use".to_owned(), value: None };
        if let Some(meaning) = row.all.filter(|_| !is_spared(row, &words[from + 1..])) {
            self.means(program, row, meaning, &whole);
        }
        for (at, letter, value) in bundle(row, words) {
            for item in row.items.iter().filter(|item| item.form == Form::Letter(letter)) {
                self.item_of_row(
                    program,
                    row,
                    item,
                    found(at, &format!("-{letter}"), Some(value.clone())),
                );
            }
        }
        for (at, word) in words.iter().enumerate().skip(from + 1) {
            // Elsewhere `--` may be a value, or nothing at all: options are looked for up to the last word.
            if row.is("searches") && word.text == "--" && !words[at - 1].text.starts_with('-') {
                break;
            }
            let next = words.get(at + 1);
            if row.is("pipes") && is_pipe(&word.text) {
                self.executes(program, word.span, "a name that is a pipe", Payload::Opaque);
            }
            let letter = cluster(row, word, next);
            let name = name_of(word);
            let value = || value_of(word).or_else(|| next.cloned());
            let lower = word.text.to_ascii_lowercase();
            for item in &row.items {
                let (shown, value) = match item.form {
                    Form::Letter(wanted) => match &letter {
                        Some((letter, value)) if *letter == wanted => {
                            (format!("-{letter}"), value.clone())
                        }
                        _ => continue,
                    },
                    Form::Long(full)
                        if word.text.starts_with("--") && is_option(row, full, name, 2) =>
                    {
                        (format!("--{full}"), value())
                    }
                    Form::Dash(full) if is_option(row, full, name, 1) => {
                        (format!("-{full}"), value())
                    }
                    Form::Word(wanted) if word.text == wanted => (wanted.to_owned(), None),
                    Form::Pattern(pattern)
                        if is_like(pattern, &word.text) || is_like(pattern, &lower) =>
                    {
                        let head = pattern.trim_start_matches('*').split('*').next();
                        let head = head.unwrap_or_default();
                        let code = word.text.strip_prefix(head).map(|code| word.with_text(code));
                        (head.to_owned(), code)
                    }
                    Form::Operands if is_setting(word) && !is_value(row, &words[at - 1]) => {
                        ("NAME=value".to_owned(), Some(word.clone()))
                    }
                    _ => continue,
                };
                self.item_of_row(program, row, item, found(at, &shown, value));
            }
        }
    }

    fn item_of_row(&mut self, program: &Program, row: &Row, item: &Item, mut found: Found<'_>) {
        if let Some(pattern) = item.value.filter(|_| !matches!(item.form, Form::Pattern(_))) {
            let Some(value) = found.value.take().filter(|value| is_like(pattern, &value.text))
            else {
                return;
            };
            let head = pattern.split('*').next().unwrap_or_default();
            found.value = Some(value.tail(head.len()));
        }
        self.means(program, row, item.meaning, &found);
    }

    fn means(&mut self, program: &Program, row: &Row, meaning: Meaning, found: &Found<'_>) {
        let Found { words, at, name, value } = found;
        let span = words[*at].span;
        match (meaning, value) {
            (Meaning::Runs, Some(code)) => self.executes(program, span, name, Payload::Code(code)),
            (Meaning::Runs | Meaning::Opaque, _) => {
                self.executes(program, span, name, Payload::Opaque);
            }
            (Meaning::Argv, _) => {
                self.executes(program, span, name, Payload::Argv(&words[at + 1..]));
            }
            (Meaning::Shell, _) => {
                let text = words[at + 1..].iter().map(|word| word.text.as_str());
                let text: Vec<&str> = text.filter(|text| !text.starts_with('-')).collect();
                let code = words[*at].with_text(text.join(" "));
                self.executes(program, span, name, Payload::Code(&code));
            }
            (Meaning::Unseen, _) => self.unseen(program, span, name),
            (Meaning::Starts, _) => self.unfollowed(program, span),
            (Meaning::Scripts, _) => self.scripts(program, words, *at),
            (Meaning::Writes, _) => self.writes(program, span, name),
            (Meaning::Discards, _) if !row.is("remote") && self.is_kept_from_writing() => {}
            (Meaning::Discards, _) => self.discards(program, words, *at, name),
            (Meaning::Sends, _) => self.sends(program, span, name),
            (Meaning::Setting, Some(setting)) => self.setting(program, row, setting, span),
            (Meaning::Setting, None) => {}
        }
    }

    /// What the first operand behind the options in front says. `words` starts with the program.
    pub(super) fn subcommand(&mut self, program: &Program, row: &Row, words: &[Word]) {
        if row.subcommands.is_empty() {
            return;
        }
        let mut at = 1;
        while let Some(word) = words.get(at).filter(|word| word.text.starts_with(['-', '+'])) {
            let text = word.text.as_str();
            if holds(row.skips, text) {
                at += 1;
            } else if !(row.flags.is_empty() || holds(row.flags, text) || text.contains('=')) {
                return self.unknown_option(program, word.span);
            }
            at += 1;
        }
        let Some(word) = words.get(at) else {
            for commands in row.subcommands.iter().filter(|_| words.len() == 1) {
                if commands.others && !holds(commands.names, ".") {
                    let found = Found { words, at: 0, name: "this use".to_owned(), value: None };
                    self.means(program, row, commands.meaning, &found);
                }
            }
            return;
        };
        let operand = words[at + 1..].iter().find(|word| !word.text.starts_with('-'));
        let both = format!("{}/{}", word.text, operand.map_or("", |operand| operand.text.as_str()));
        let own = USES.find(&format!("{}-{}", row.name, word.text));
        if let Some(own) = own {
            self.row(program, own, words, at);
        }
        let known = |names: &str| holds(names, &word.text) || holds(names, &both);
        let named = |commands: &&Subcommands| !commands.others && known(commands.names);
        let other =
            |commands: &&Subcommands| commands.others && own.is_none() && !known(commands.names);
        let commands = row.subcommands.iter();
        if let Some(commands) =
            commands.clone().find(named).or_else(|| commands.clone().find(other))
        {
            let (name, meant) = unknown_subcommand(row, &word.text);
            self.means(program, row, commands.meaning, &Found { words, at, name, value: None });
            // Scripts have names of their own.
            if let Some(meant) = meant.filter(|_| commands.meaning != Meaning::Scripts) {
                self.report.mean(word.span, meant);
            }
        }
    }
}

/// What to call a subcommand that no row knows, and the one that was probably meant.
fn unknown_subcommand(row: &Row, given: &str) -> (String, Option<&'static str>) {
    let names = row.subcommands.iter().flat_map(|commands| commands.names.split_ascii_whitespace());
    let name = "a subcommand that is not known here";
    match nearest(given, names) {
        Some(meant) => (format!("{name}; did you mean '{meant}'?"), Some(meant)),
        None => (name.to_owned(), None),
    }
}

/// Whether one of the options is given that make the use harmless, and nothing besides those that leave it so.
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

/// The first letter of a cluster that the row knows, with its value.
fn cluster(row: &Row, word: &Word, next: Option<&Word>) -> Option<(char, Option<Word>)> {
    if !word.text.starts_with('-') || word.text.starts_with("--") || row.is("dash") {
        return None;
    }
    for (at, letter) in word.text.char_indices().skip(1) {
        let rest = at + letter.len_utf8();
        if row.items.iter().any(|item| item.form == Form::Letter(letter)) {
            let attached = (rest < word.text.len()).then(|| word.tail(rest));
            return Some((letter, attached.or_else(|| next.cloned())));
        }
        if row.values.contains(letter) {
            break;
        }
    }
    None
}

/// The first word of tar is a cluster without its dash; values follow in the order of the letters.
fn bundle<'w>(row: &Row, words: &'w [Word]) -> Vec<(usize, char, &'w Word)> {
    let Some(first) = words.get(1).filter(|first| row.is("bundle") && !first.text.starts_with('-'))
    else {
        return Vec::new();
    };
    let mut values = words[2..].iter();
    let mut found = Vec::new();
    for letter in first.text.chars() {
        let is_known = row.items.iter().any(|item| item.form == Form::Letter(letter));
        if is_known || row.values.contains(letter) {
            let value = values.next();
            if is_known {
                found.push((1, letter, value.unwrap_or(first)));
            }
        }
    }
    found
}

/// Whether the word behind this one is the value of an option, by the last letter of a cluster.
fn is_value(row: &Row, before: &Word) -> bool {
    let text = before.text.as_str();
    text.starts_with('-') && !text.starts_with("--") && text.ends_with(|c| row.values.contains(c))
}

/// The name behind one dash or two; empty where there is none.
fn name_of(word: &Word) -> &str {
    let text = word.text.as_str();
    let name = text.strip_prefix("--").or_else(|| text.strip_prefix('-')).unwrap_or_default();
    name.split('=').next().unwrap_or_default()
}

/// What is attached to a name.
fn value_of(word: &Word) -> Option<Word> {
    word.text.find('=').map(|at| word.tail(at + 1))
}

/// Whether the word is this option. Names behind two dashes may be abbreviated.
fn is_option(row: &Row, full: &str, name: &str, dashes: usize) -> bool {
    let is_exact = |item: &Item| matches!(item.form, Form::Long(known) if known == name);
    if dashes == 2 && full != name && row.items.iter().any(is_exact) {
        // The whole name of one is no beginning of another.
        return false;
    }
    let loose = name.strip_prefix("loose").and_then(|rest| rest.strip_prefix(['-', '_']));
    let name = loose.unwrap_or(name);
    let abbreviates =
        !row.is("exact") && (dashes == 2 || row.is("abbreviated")) && !holds(row.whole, name);
    !name.is_empty() && begins_alike(full, name) && (abbreviates || full.len() == name.len())
}

/// apt and less read names in either case, and `MySQL` takes `_` for `-`: nobody means something else by that. Letters
/// are another matter.
fn begins_alike(full: &str, name: &str) -> bool {
    let fold = |byte: u8| if byte == b'_' { b'-' } else { byte.to_ascii_lowercase() };
    let Some(beginning) = full.as_bytes().get(..name.len()) else { return false };
    let alike = beginning.iter().zip(name.bytes()).all(|(&left, right)| fold(left) == fold(right));
    if name.len() < 3 { beginning == name.as_bytes() } else { alike }
}
