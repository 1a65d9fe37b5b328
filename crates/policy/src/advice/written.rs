//! Writes out what hints ask for: commands without expansions, and the targets of redirections.

use std::collections::HashMap;

use crate::judge::walk::every_command;
use crate::syntax::Dialect;
use crate::syntax::grammar;
use crate::syntax::tree::{Command, Part, RawWord, Redirection, Script, Simple};
use crate::verdict::Span;

/// Most commands of a text that are judged one by one.
const MAX_JUDGED_COMMANDS: usize = 16;
/// Stands for a word of which nothing is known before the command runs.
pub(super) const STAND_IN: &str = "value";

/// A command as it would be sent in a call of its own.
pub(super) struct Written {
    /// Where it begins in the whole text.
    pub(super) at: usize,
    pub(super) text: String,
    /// The absolute paths in it that begin with a home folder.
    pub(super) home_paths: Vec<String>,
}

/// What is known of the words of a text before it runs.
struct Known<'a> {
    home: Option<&'a str>,
    /// The variables that the text sets once, to a literal value.
    values: HashMap<String, String>,
}

/// Every command of a text, also within loops and substitutions. Those whose program is not known before it runs are left
/// out, and so is `cd`, whose hint is that of the call's directory.
pub(super) fn plain_commands(source: &str, home: Option<&str>) -> Vec<Written> {
    let Ok(script) = grammar::read(source, Dialect::Bash).script else { return Vec::new() };
    let known = Known { home, values: HashMap::new() };
    let mut functions = Vec::new();
    let mut written = Vec::new();
    every_command(&script, &mut |command| match command {
        Command::Function(function) => functions.push(function.name.clone()),
        Command::Simple(simple) if written.len() < MAX_JUDGED_COMMANDS => {
            written.extend(known.plain(simple));
        }
        _ => {}
    });
    written.retain(|one| {
        !functions.iter().any(|name| *name == one.text || one.text.starts_with(&format!("{name} ")))
    });
    written.sort_by_key(|one| one.at);
    written
}

/// The text with the target of the redirection at this span written out, and where the redirection begins. `None` where the
/// span is none of a redirection to a file.
pub(super) fn with_written_target(source: &str, span: Span, home: Option<&str>) -> Option<String> {
    let script = grammar::read(source, Dialect::Bash).script.ok()?;
    let known = Known { home, values: values_in(&script) };
    let mut target = None;
    every_command(&script, &mut |command| {
        let redirections: &[Redirection] = match command {
            Command::Simple(simple) => &simple.redirections,
            Command::Compound(_, redirections) => redirections,
            Command::Function(_) => &[],
        };
        let named = redirections.iter().find(|one| one.span == span);
        target = named
            .and_then(|one| one.target.word())
            .map(|word| {
                let (text, is_known) = known.text(word);
                // What is not known may be any folder: one of the workspace is the mildest.
                let text =
                    if is_known || text.starts_with('/') { text } else { format!("./{text}") };
                (word.span, text)
            })
            .or_else(|| target.take());
    });
    let ((start, end), text) = target?;
    Some(format!("{}{}{}", source.get(..start)?, quoted(&text), source.get(end..)?))
}

/// The variables that the text sets once, to a literal value.
fn values_in(script: &Script) -> HashMap<String, String> {
    let mut values: HashMap<String, Option<String>> = HashMap::new();
    every_command(script, &mut |command| {
        let Command::Simple(simple) = command else { return };
        for assignment in &simple.assignments {
            let literal = assignment.value.literal().filter(|_| !assignment.appends);
            let name = assignment.name.clone();
            values.entry(name).and_modify(|value| *value = None).or_insert(literal);
        }
    });
    values.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

impl Known<'_> {
    fn plain(&self, simple: &Simple) -> Option<Written> {
        let name = simple.words.first()?.literal().filter(|name| name != "cd")?;
        let words: Vec<(String, bool)> =
            simple.words[1..].iter().map(|word| self.text(word)).collect();
        let is_of_home = |text: &&String| self.home.is_some_and(|home| text.starts_with(home));
        let texts: Vec<&String> = words.iter().map(|(text, _)| text).collect();
        let home_paths = texts.iter().copied().filter(is_of_home).cloned().collect();
        let mut text: Vec<String> = simple
            .assignments
            .iter()
            .filter(|one| !one.is_of_array() && !one.appends)
            .map(|one| format!("{}={}", one.name, quoted(&self.text(&one.value).0)))
            .collect();
        text.extend([quoted(&name)].into_iter().chain(texts.into_iter().map(|word| quoted(word))));
        Some(Written { at: simple.span.0, text: text.join(" "), home_paths })
    }

    /// The word without expansions, and whether it is known that it becomes this one.
    fn text(&self, word: &RawWord) -> (String, bool) {
        let mut text = String::new();
        let mut is_known = true;
        for part in &word.parts {
            let value = match part {
                Part::Bare(piece) if text.is_empty() => Some(self.without_tilde(piece)),
                Part::Bare(piece) | Part::Quoted(piece) => Some(piece.clone()),
                Part::Parameter(parameter) if parameter.is_plain() => self.value(&parameter.name),
                _ => None,
            };
            is_known &= value.is_some();
            text.push_str(value.as_deref().unwrap_or(STAND_IN));
        }
        (text, is_known)
    }

    fn without_tilde(&self, piece: &str) -> String {
        match (piece.strip_prefix('~'), self.home) {
            (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => {
                format!("{home}{rest}")
            }
            _ => piece.to_owned(),
        }
    }

    fn value(&self, name: &str) -> Option<String> {
        self.values
            .get(name)
            .cloned()
            .or_else(|| self.home.filter(|_| name == "HOME").map(str::to_owned))
    }
}

/// The word in single quotes, where it is not plain.
fn quoted(word: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"./_+-".contains(&byte);
    if !word.is_empty() && word.bytes().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}
