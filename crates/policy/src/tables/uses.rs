//! What uses of a program do besides what it is listed for: one row per program, or per subcommand (`git-clean`).
//!
//! A row has lines:
//!
//! - `values`: letters that take a value, which ends a cluster. `whole`: names that are no abbreviations.
//! - `style`: `dash` (names behind one dash, no clusters), `abbreviated`, `exact` (neither), `bundle` (the first word is
//!   a cluster), `searches` (operands are text, `--` ends the options), `pipes` (a leading `|` is a command), `pairs`
//!   (settings with blanks between, or a query), `expands` (values become code of a shell), `code` (operands are code),
//!   `reads` (arguments that are only known later are data), `builds` (settings say what is started, and no more),
//!   `remote` (what it discards may lie where no kernel of this machine keeps it).
//! - `skips`, `flags`: options in front of the subcommand with and without a value; where there are `flags`, others ask.
//! - `all M`: any use, but not with one of A and otherwise only B where `spared A : B` says so.
//! - `first M …`: the subcommand is one of these; `else M …`: it is none of them and none of these.
//! - `data`: keys of settings that are data; all others ask.
//! - Everything else is a meaning and what has it: `-x`, `--name`, a word, a pattern with `*` for a whole word, each
//!   perhaps with `=` and a pattern for the value. `operands` stands for words that are `NAME=value`.

use std::sync::LazyLock;

use super::{Index, holds};

mod rows;

/// What a use does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// The value is a command line or a program.
    Runs,
    /// Something runs that cannot be read here.
    Opaque,
    /// Code or options come from a file or another place.
    Unseen,
    /// Scripts of packages or projects run.
    Scripts,
    /// A file of the caller's choice is written.
    Writes,
    /// Data is discarded, which the program is not listed for.
    Discards,
    /// A file leaves the machine.
    Sends,
    /// It starts what its arguments name, in a way that cannot be followed.
    Starts,
    /// The words behind are a command.
    Argv,
    /// The words behind are code of a shell.
    Shell,
    /// The value is `key=value`.
    Setting,
}

/// How an argument is recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Letter(char),
    /// A name behind one dash or two.
    Dash(&'static str),
    Long(&'static str),
    Word(&'static str),
    Pattern(&'static str),
    Operands,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub(crate) meaning: Meaning,
    pub(crate) form: Form,
    /// A pattern for the value.
    pub(crate) value: Option<&'static str>,
}

/// What the subcommand decides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subcommands {
    pub(crate) meaning: Meaning,
    pub(crate) names: &'static str,
    /// It counts when the subcommand is none of the names.
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
    pub(crate) items: Vec<Item>,
}

impl Row {
    pub(crate) fn is(&self, style: &str) -> bool {
        holds(self.style, style)
    }

    /// Whether some argument does what no kernel plan sees. Settings of builders only say what they start.
    pub(crate) fn does_unseen(&self) -> bool {
        let is_unseen = |meaning: Meaning| match meaning {
            Meaning::Discards | Meaning::Sends | Meaning::Scripts => true,
            Meaning::Setting => !self.is("builds"),
            _ => false,
        };
        self.all.is_some_and(is_unseen) || self.items.iter().any(|item| is_unseen(item.meaning))
    }

    /// Whether some argument does anything that the program is not listed for. What an argument starts is held to the list,
    /// but the list may hold a shell, and code may run within the program itself.
    pub(crate) fn does_anything(&self) -> bool {
        self.all.is_some() || !self.items.is_empty()
    }
}

pub(crate) static USES: LazyLock<Index<Row>> = LazyLock::new(|| {
    // They live as long as the table, which is for ever.
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
        "writes" => Meaning::Writes,
        "discards" => Meaning::Discards,
        "sends" => Meaning::Sends,
        "starts" => Meaning::Starts,
        "argv" => Meaning::Argv,
        "shell" => Meaning::Shell,
        "setting" => Meaning::Setting,
        // Making the table fails, which a test tries.
        other => unreachable!("{other} is no meaning"),
    }
}

fn item(meaning: Meaning, text: &'static str, style: &str) -> Item {
    let (head, value) = match text.split_once('=') {
        Some((head, value)) if head.starts_with('-') => (head, Some(value)),
        _ => (text, None),
    };
    let form = if head == "--" {
        Form::Word(head)
    } else if let Some(name) = head.strip_prefix("--").filter(|name| !name.contains('*')) {
        Form::Long(name)
    } else if head == "operands" {
        Form::Operands
    } else if head.contains('*') {
        Form::Pattern(text)
    } else if let Some(name) = head.strip_prefix('-').filter(|name| !name.is_empty()) {
        let mut letters = name.chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) if !holds(style, "dash") => Form::Letter(letter),
            _ => Form::Dash(name),
        }
    } else {
        Form::Word(head)
    };
    Item { meaning, form, value }
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
