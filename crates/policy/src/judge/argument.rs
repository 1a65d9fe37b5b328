//! Options that make a program run code, found by the table.

use super::payload::Payload;
use super::{Judge, shown};
use crate::program::Program;
use crate::rule_id;
use crate::syntax::word::Word;
use crate::tables::arguments::{Argument, Kind, ROWS, Row, Style};
use crate::tables::holds;
use crate::verdict::Span;

/// Their operands are text to look for, which may well be an option's name (`rg -- --pre`). Each option has one value
/// at most, and there are no subcommands.
const SEARCHERS: [&str; 7] = ["rg", "ripgrep", "rga", "ag", "ack", "ugrep", "ug"];
/// They take their first word for a cluster of options.
const OLD_STYLE: [&str; 3] = ["tar", "gtar", "bsdtar"];

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
        if OLD_STYLE.contains(&program.kind()) {
            for found in bundle(row, words) {
                self.argument(program, words, 1, &found);
            }
        }
        for (at, word) in words.iter().enumerate().skip(1) {
            if ends_options(program, words, at) {
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
            (Kind::Action | Kind::Setting, None) => {}
            (Kind::Unless(built_in), Some(value)) if holds(built_in, &value.text) => {}
            (Kind::Containing(text), Some(value)) if !value.text.contains(text) => {}
            (Kind::Code | Kind::Opaque | Kind::Unless(_) | Kind::Containing(_), _) => {
                self.executes(program, word.span, name, Payload::Opaque);
            }
            (Kind::Unseen, _) => self.unseen(program, word.span, name),
            (Kind::Scripts, _) => self.scripts(program, words, at),
            (Kind::Writes, _) => self.writes(program, word.span, name),
            (Kind::Setting, Some(setting)) => self.git_setting(program, setting),
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

    /// Writing is not what these programs are listed for, and the file may be one that others run.
    pub(super) fn writes(&mut self, program: &Program, span: Span, construct: &str) {
        if self.has_allow_list() {
            let message =
                format!("Command '{}' writes a file chosen by {construct}", shown(&program.base));
            let hint = "Read the standard output instead, or ask for approval.";
            self.ask(rule_id::EFFECT_WRITE, program, span, message, hint);
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
        Style::OneDash | Style::OneDashAbbreviated => long(row, word, dashes(text), next),
        Style::LongOnly => {
            let mut found = long(row, word, dashes(text), next);
            if dashes(text) == 1 {
                found.extend(cluster(row, word, next));
            }
            found
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
    let name =
        name.strip_prefix("loose").and_then(|rest| rest.strip_prefix(['-', '_'])).unwrap_or(name);
    let abbreviates =
        !matches!(row.style, Style::Whole | Style::OneDash) && !holds(row.harmless, name);
    let meant = |full: &&str| {
        !name.is_empty() && begins_alike(full, name) && (abbreviates || full.len() == name.len())
    };
    let mut found = Vec::new();
    for argument in row.arguments.iter().filter(|argument| !argument.long.is_empty()) {
        for full in argument.long.split(' ').filter(meant) {
            found.push(Match::long(argument, full, attached.clone().or_else(|| next.cloned())));
        }
    }
    found
}

/// How many dashes the name stands behind.
fn dashes(text: &str) -> usize {
    if text.starts_with("--") { 2 } else { 1 }
}

/// apt and less read names in either case, and `MySQL` takes `_` for `-`: nobody means something else by that. Letters
/// are another matter.
fn begins_alike(full: &str, name: &str) -> bool {
    let fold = |byte: u8| if byte == b'_' { b'-' } else { byte.to_ascii_lowercase() };
    let Some(beginning) = full.as_bytes().get(..name.len()) else { return false };
    let alike = beginning.iter().zip(name.bytes()).all(|(&left, right)| fold(left) == fold(right));
    if name.len() < 3 { beginning == name.as_bytes() } else { alike }
}

/// Whether no option follows the word at `at`, for certain. Elsewhere than in [`SEARCHERS`] that is never certain:
/// `--` may be the value of what stands in front of it (`tar cbf 1 --`), parsers of subcommands start anew behind it,
/// and other parsers do not know it. There, options are looked for up to the last word.
fn ends_options(program: &Program, words: &[Word], at: usize) -> bool {
    words[at].text == "--"
        && !words[at - 1].text.starts_with('-')
        && SEARCHERS.contains(&program.kind())
}

/// The first word of tar is a cluster without its dash. Values follow in the order of the letters.
fn bundle(row: &Row, words: &[Word]) -> Vec<Match> {
    let Some(first) = words.get(1).filter(|first| !first.text.starts_with('-')) else {
        return Vec::new();
    };
    let mut values = words[2..].iter();
    let mut found = Vec::new();
    for letter in first.text.split("").filter(|letter| !letter.is_empty()) {
        if let Some(argument) = row.arguments.iter().find(|argument| argument.short == letter) {
            found.push(Match::short(argument, values.next().cloned()));
        } else if row.valued.contains(letter) {
            values.next();
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
