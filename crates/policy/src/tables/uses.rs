//! What uses of a program do besides what it is listed for: one row per program, or per subcommand (`git-clean`).
//!
//! A row has lines:
//!
//! - `values`: letters that take a value, which ends a cluster. `whole`: names that are no abbreviations.
//! - `style`: `dash` (names behind one dash, no clusters), `abbreviated`, `exact` (neither), `bundle` (the first word is
//!   a cluster), `searches` (operands are text, `--` ends the options), `pipes` (a leading `|` is a command), `pairs`
//!   (settings with blanks between, or a query), `expands` (values become code of a shell), `code` (operands are code),
//!   `reads` (arguments that are only known later are data), `remote` (what it discards may lie on another machine).
//! - `skips`, `flags`: options in front of the subcommand with and without a value; where there are `flags`, others ask.
//! - `all M`: any use, but not with one of A and otherwise only B where `spared A : B` says so.
//! - `first M …`: the subcommand is one of these; `else M …`: it is none of them and none of these.
//! - `data`: keys of settings that are data; all others ask.
//! - Everything else is a meaning and what has it: `-x`, `--name`, a word, a pattern with `*` for a whole word, each
//!   perhaps with `=` and a pattern for the value. `operands` stands for words that are `NAME=value`.

use std::sync::LazyLock;

use super::{Index, holds};

mod rows;

/// What an argument makes a program do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// The value is a command line or a program.
    Runs,
    /// Something runs that this crate cannot read.
    Opaque,
    /// Code or options come from a file or another place.
    Unseen,
    /// Scripts of packages or projects run.
    Scripts,
    /// Settings may name code for the interpreter that the program is written for.
    Loads,
    /// A file of the caller's choice is written.
    Writes,
    /// Data is discarded, although the program is not listed for that.
    Discards,
    /// A file leaves the machine.
    Sends,
    /// The program that the arguments name starts, in a way that is not followed.
    Starts,
    /// The following words are a command.
    Argv,
    /// The following words are code for a shell.
    Shell,
    /// The value is a setting, `key=value`.
    Setting,
}

/// The form by which an argument is recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArgumentForm {
    Letter(char),
    /// A name after one dash or two.
    Dash(&'static str),
    Long(&'static str),
    Word(&'static str),
    Pattern(&'static str),
    Operands,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct ArgumentRule {
    pub(crate) meaning: Meaning,
    pub(crate) form: ArgumentForm,
    /// A pattern that the value has to match.
    pub(crate) value: Option<&'static str>,
}

/// What a subcommand means.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subcommands {
    pub(crate) meaning: Meaning,
    pub(crate) names: &'static str,
    /// Whether this is about subcommands that are not among the names.
    pub(crate) others: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) values: &'static str,
    pub(crate) whole: &'static str,
    style: &'static str,
    pub(crate) skips: &'static str,
    pub(crate) flags: &'static str,
    pub(crate) spared: Option<(&'static str, &'static str)>,
    pub(crate) data: &'static str,
    pub(crate) all: Option<Meaning>,
    pub(crate) subcommands: Vec<Subcommands>,
    pub(crate) items: Vec<ArgumentRule>,
}

impl Row {
    pub(crate) fn is(&self, style: &str) -> bool {
        holds(self.style, style)
    }

    /// Whether some argument does something that no kernel plan sees.
    pub(crate) fn has_unenforced_effect(&self) -> bool {
        use Meaning::{Discards, Scripts, Sends, Setting};
        let is_unseen = |meaning| matches!(meaning, Discards | Sends | Scripts | Setting);
        self.all.is_some_and(is_unseen) || self.items.iter().any(|item| is_unseen(item.meaning))
    }

    /// Whether some argument does something that the program is not listed for. The kernel limits which programs an
    /// argument starts, but the list may hold a shell, and code may run inside of the program itself.
    pub(crate) fn has_any_effect(&self) -> bool {
        self.all.is_some() || !self.items.is_empty()
    }
}

pub(crate) static USES: LazyLock<Index<Row>> = LazyLock::new(|| {
    // The rows are kept until the process ends.
    let parsed = rows::ROWS.iter().map(|(names, lines)| (*names, parse(names, lines)));
    let rows: &'static Vec<(&str, Row)> = Box::leak(Box::new(parsed.collect()));
    Index::of_texts(rows.iter().map(|(names, row)| (*names, row)))
});

fn parse(names: &'static str, lines: &'static str) -> Row {
    let mut row = Row { name: names.split(' ').next().unwrap_or(names), ..Row::default() };
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (head, rest) = line.split_once(' ').unwrap_or((line, ""));
        match head {
            "values" => row.values = rest,
            "whole" => row.whole = rest,
            "style" => row.style = rest,
            "skips" => row.skips = rest,
            "flags" => row.flags = rest,
            "data" => row.data = rest,
            "spared" => row.spared = Some(rest.split_once(" : ").unwrap_or((rest, ""))),
            "all" => row.all = Some(meaning(rest)),
            "first" | "else" => {
                let (word, names) = rest.split_once(' ').unwrap_or((rest, ""));
                let others = head == "else";
                row.subcommands.push(Subcommands { meaning: meaning(word), names, others });
            }
            _ => {
                let meaning = meaning(head);
                row.items.extend(rest.split(' ').map(|text| item(meaning, text, row.style)));
            }
        }
    }
    row
}

fn meaning(word: &str) -> Meaning {
    match word {
        "runs" => Meaning::Runs,
        "opaque" => Meaning::Opaque,
        "unseen" => Meaning::Unseen,
        "scripts" => Meaning::Scripts,
        "loads" => Meaning::Loads,
        "writes" => Meaning::Writes,
        "discards" => Meaning::Discards,
        "sends" => Meaning::Sends,
        "starts" => Meaning::Starts,
        "argv" => Meaning::Argv,
        "shell" => Meaning::Shell,
        "setting" => Meaning::Setting,
        // A wrong word makes building the table fail, which a test does.
        other => unreachable!("{other} is no meaning"),
    }
}

fn item(meaning: Meaning, text: &'static str, style: &str) -> ArgumentRule {
    let (head, value) = match text.split_once('=') {
        Some((head, value)) if head.starts_with('-') => (head, Some(value)),
        _ => (text, None),
    };
    let form = if head == "--" {
        ArgumentForm::Word(head)
    } else if let Some(name) = head.strip_prefix("--").filter(|name| !name.contains('*')) {
        ArgumentForm::Long(name)
    } else if head == "operands" {
        ArgumentForm::Operands
    } else if head.contains('*') {
        ArgumentForm::Pattern(text)
    } else if let Some(name) = head.strip_prefix('-').filter(|name| !name.is_empty()) {
        let mut letters = name.chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) if !holds(style, "dash") => ArgumentForm::Letter(letter),
            _ => ArgumentForm::Dash(name),
        }
    } else {
        ArgumentForm::Word(head)
    };
    ArgumentRule { meaning, form, value }
}

#[cfg(test)]
mod tests {
    use super::USES;

    #[test]
    fn every_row_can_be_read() {
        assert!(USES.find("git-clean").is_some_and(|row| row.spared.is_some()));
        assert!(USES.names().all(|name| !name.is_empty()));
    }
}
