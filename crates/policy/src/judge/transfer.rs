//! What clients of HTTP send away besides what their tables say: files named inside of values.

use super::{Judge, shown};
use crate::program::Program;
use crate::rule_id;
use crate::syntax::word::Word;

/// Letters of curl that take a value.
const CURL_VALUED: &str = "AbcCdDeEFhHKmoPQrtTuUwxXyYz";

/// How a value of curl names a file.
#[derive(Clone, Copy)]
enum Names {
    /// `@file`.
    First,
    /// `@file`, `name@file`, and `%NAME` for a variable of the environment.
    Variable,
    /// `@file`, `name@file`.
    Anywhere,
    /// Everything without a `=`.
    WithoutSetting,
    /// Every value.
    Always,
    /// A text that variables are put into.
    Expanded,
}

/// Letter or nothing, long name, and how the value names a file. `-d`, `-F` and `-T` stand in the table of arguments.
const CURL: [(&str, &str, Names); 8] = [
    ("H", "header", Names::First),
    ("", "proxy-header", Names::First),
    ("", "variable", Names::Variable),
    ("", "url-query", Names::Anywhere),
    ("b", "cookie", Names::WithoutSetting),
    ("", "netrc-file", Names::Always),
    ("", "etag-compare", Names::Always),
    ("", "expand-", Names::Expanded),
];
/// Sockets of this machine are doors to services that start things.
const CURL_SOCKETS: [&str; 2] = ["--unix-socket", "--abstract-unix-socket"];

impl Judge<'_> {
    pub(super) fn curl(&mut self, program: &Program, words: &[Word]) {
        for (at, word) in words.iter().enumerate().skip(1) {
            let socket = word.text.split('=').next().unwrap_or_default();
            if socket.len() > 4 && CURL_SOCKETS.iter().any(|full| full.starts_with(socket)) {
                self.unseen(program, word.span, "a socket of this machine");
            }
            for (option, value) in curl_options(word, words.get(at + 1)) {
                if sends(option, value) {
                    self.sends_file(program, word);
                }
            }
        }
    }

    /// Items of httpie: `field@file`, `field=@file`, `field:=@file`, `Header:@file`, `@file`.
    pub(super) fn httpie(&mut self, program: &Program, words: &[Word]) {
        let operands: Vec<&Word> =
            words[1..].iter().filter(|word| !word.text.starts_with('-')).collect();
        let is_method = |word: &&&Word| word.text.chars().all(|letter| letter.is_ascii_uppercase());
        let skipped = 1 + operands.first().filter(is_method).map_or(0, |_| 1);
        for word in operands.into_iter().skip(skipped) {
            let separator = word.text.find([':', '=', '@']).map_or("", |at| &word.text[at..]);
            if separator.trim_start_matches([':', '=']).starts_with('@') {
                self.sends_file(program, word);
            }
        }
    }

    fn sends_file(&mut self, program: &Program, word: &Word) {
        if self.has_allow_list() {
            let message = format!("Command '{}' sends a file away", shown(&program.base));
            let hint = "Leave that argument out, or ask for approval.";
            self.ask(rule_id::EFFECT_UPLOAD, program, word.span, message, hint);
        }
    }
}

/// The rows that a word may mean, with the value.
fn curl_options<'a>(word: &'a Word, next: Option<&'a Word>) -> Vec<(Names, &'a str)> {
    let text = word.text.as_str();
    let next = next.map_or("", |next| next.text.as_str());
    if let Some(long) = text.strip_prefix("--") {
        // curl takes unambiguous beginnings, and `=` only in versions to come.
        let (name, value) = long.split_once('=').unwrap_or((long, next));
        let meant = |full: &str| name.len() > 2 && full.starts_with(name);
        let expands = |full: &str| full.ends_with('-') && name.starts_with(full);
        return CURL
            .iter()
            .filter(|row| meant(row.1) || expands(row.1))
            .map(|row| (row.2, value))
            .collect();
    }
    let Some(cluster) = text.strip_prefix('-') else { return Vec::new() };
    for (at, letter) in cluster.char_indices() {
        let rest = &cluster[at + letter.len_utf8()..];
        let value = if rest.is_empty() { next } else { rest };
        if let Some(row) = CURL.iter().find(|row| !row.0.is_empty() && row.0.starts_with(letter)) {
            return vec![(row.2, value)];
        }
        if CURL_VALUED.contains(letter) {
            break;
        }
    }
    Vec::new()
}

fn sends(names: Names, value: &str) -> bool {
    match names {
        Names::First => value.starts_with('@'),
        Names::Variable => value.contains('@') || value.starts_with('%'),
        Names::Anywhere => value.split('=').next().unwrap_or_default().contains('@'),
        Names::WithoutSetting => !value.contains('='),
        Names::Always => true,
        Names::Expanded => value.contains("{{"),
    }
}
