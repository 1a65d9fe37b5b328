//! Rules from files in the TOML shape of gitleaks.
//!
//! A file adds rules: `[[rules]]` with `id`, `regex`, `secretGroup`, `entropy`, `keywords` and allowlists mean what they
//! mean there, as far as a text without paths and commits goes. What a rule leaves out here is a note, what cannot be used
//! is an error; both name file, line and rule, and never show a value. Allowlists let through what rules of their own file
//! match, never what a built-in rule does.

mod accept;
mod allowlist;
mod entropy;
mod go_syntax;
mod reader;
mod rule;
#[cfg(test)]
mod tests;

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::Arc;

use toml::de::DeTable;

pub(crate) use accept::{Accept, Verdicts};
use allowlist::Allowlist;
use reader::{Fields, Reader, Text, shown};
pub(crate) use rule::FileRule;

use crate::error::Error;
use crate::pattern::Budget;

/// Largest rule file accepted.
pub const MAX_RULE_FILE_BYTES: usize = 4 << 20;

/// Most rules accepted, of all files together.
pub const MAX_FILE_RULES: usize = 10_000;

/// Longest regular expression accepted in a rule file.
const MAX_REGEX_BYTES: usize = 16 << 10;

/// Longest id of a rule.
const MAX_ID_BYTES: usize = 200;

/// Most keywords of one rule.
const MAX_KEYWORDS: usize = 1_000;

/// Most entries of one list of an allowlist.
const MAX_LIST_ENTRIES: usize = 10_000;

/// Most allowlists of one rule or one file.
const MAX_ALLOWLISTS: usize = 100;

/// A file of rules.
#[derive(Clone)]
pub struct RuleFile {
    /// What messages call it, if it reads like a name.
    pub name: String,
    /// What is in it.
    pub toml: String,
}

impl fmt::Debug for RuleFile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RuleFile").finish_non_exhaustive()
    }
}

/// What all files say together.
#[derive(Default)]
pub(crate) struct FileRules {
    pub(crate) rules: Vec<FileRule>,
    /// Ids of built-in rules that do not apply.
    pub(crate) disabled: Vec<String>,
    /// What is left out, for people.
    pub(crate) notes: Vec<String>,
}

/// Reads all files; `is_builtin` knows the ids of the built-in rules, and what is compiled is spent from `budget`.
pub(crate) fn read(
    files: &[RuleFile],
    is_builtin: impl Fn(&str) -> bool,
    budget: &mut Budget,
) -> Result<FileRules, Error> {
    let mut all = FileRules::default();
    for RuleFile { name, toml } in files {
        if toml.len() > MAX_RULE_FILE_BYTES {
            let reason =
                format!("it has {} bytes, at most {MAX_RULE_FILE_BYTES} are accepted", toml.len());
            return Err(Error::rule_file(name, None, reason));
        }
        let name = shown(name);
        let mut reader = Reader::new(&name, toml, budget);
        let document =
            DeTable::parse(toml).map_err(|error| reader::syntax_error(&reader, &error))?;
        let fields = reader.fields_of(document.get_ref(), 0)?;
        file(fields, &mut reader, &mut all, &is_builtin)?;
        all.notes.extend(reader.into_notes());
    }
    Ok(all)
}

fn file(
    mut fields: Fields<'_>,
    reader: &mut Reader<'_>,
    all: &mut FileRules,
    is_builtin: &impl Fn(&str) -> bool,
) -> Result<(), Error> {
    let extends = match fields.take("extend") {
        Some(value) => extend(reader.fields(value)?, reader, all, is_builtin)?,
        None => false,
    };
    let Some(value) = fields.take("rules") else {
        if !extends {
            return Err(reader.error(0, "it has no [[rules]]"));
        }
        global_allowlists(&mut fields, reader, &mut [])?;
        fields.ignore(&["title", "description", "minversion"]);
        fields.finish(reader);
        return Ok(());
    };
    let tables = reader.tables(value, MAX_FILE_RULES)?;
    if all.rules.len() + tables.len() > MAX_FILE_RULES {
        let reason = format!("more than {MAX_FILE_RULES} rules in all files, the most accepted");
        return Err(reader.error(value.at(), reason));
    }
    let mut rules = Vec::with_capacity(tables.len());
    for table in tables {
        rules.extend(rule::read(table, reader, extends)?);
    }
    check_ids(&rules, reader)?;
    global_allowlists(&mut fields, reader, &mut rules)?;
    fields.ignore(&["title", "description", "minversion"]);
    fields.finish(reader);
    all.rules.extend(rules);
    Ok(())
}

/// `[extend]`. The built-in rules stand for gitleaks' own; whether they apply is for the options to say.
fn extend(
    mut fields: Fields<'_>,
    reader: &mut Reader<'_>,
    all: &mut FileRules,
    is_builtin: &impl Fn(&str) -> bool,
) -> Result<bool, Error> {
    for name in ["path", "url"] {
        let Some(value) = fields.take(name) else { continue };
        if !reader.text(value)?.text.is_empty() {
            let reason = format!("extend.{name} is not followed: give that file as well instead");
            return Err(reader.error(value.at(), reason));
        }
    }
    let default = fields.take("usedefault").map(|value| reader.boolean(value)).transpose()?;
    let extends = default == Some(true);
    if let Some(value) = fields.take("disabledrules") {
        let ids = reader.texts(value, MAX_FILE_RULES)?;
        if extends {
            disable(&ids, value.at(), reader, all, is_builtin);
        } else if !ids.is_empty() {
            reader.note(value.at(), "disabledRules does nothing without useDefault = true");
        }
    }
    fields.finish(reader);
    Ok(extends)
}

/// Switches built-in rules off. That is told first and in one note: no others can crowd it out.
fn disable(
    ids: &[Text<'_>],
    at: usize,
    reader: &mut Reader<'_>,
    all: &mut FileRules,
    is_builtin: &impl Fn(&str) -> bool,
) {
    let (builtin, unknown): (Vec<&Text<'_>>, Vec<_>) =
        ids.iter().partition(|id| is_builtin(id.text));
    let builtin: BTreeSet<&str> = builtin.into_iter().map(|id| id.text).collect();
    if !builtin.is_empty() {
        let names: Vec<String> = builtin.iter().map(|id| format!("`{id}`")).collect();
        reader.note(at, &format!("built-in rules are switched off: {}", names.join(", ")));
    }
    all.disabled.extend(builtin.into_iter().map(str::to_owned));
    for id in unknown {
        let text = format!("there is no built-in rule `{}` to disable", shown(id.text));
        reader.note(id.at, &text);
    }
}

/// Two rules of one id in a file: in gitleaks the first would be lost without a word.
fn check_ids(rules: &[FileRule], reader: &Reader<'_>) -> Result<(), Error> {
    let mut first = HashMap::new();
    for rule in rules {
        match first.entry(rule.id.as_str()) {
            Entry::Vacant(entry) => {
                entry.insert(rule.at);
            }
            Entry::Occupied(entry) => {
                let line = reader.line(*entry.get());
                let reason = format!("line {line} has a rule of the same id");
                return Err(reader.error(rule.at, reason).of_rule(&shown(&rule.id)));
            }
        }
    }
    Ok(())
}

/// Gives each rule the allowlists of the file that apply to it.
fn global_allowlists(
    fields: &mut Fields<'_>,
    reader: &mut Reader<'_>,
    rules: &mut [FileRule],
) -> Result<(), Error> {
    let tables = allowlist_tables(fields, reader)?;
    let ids = rules.iter().enumerate().map(|(number, rule)| (rule.id.clone(), number));
    let numbers: HashMap<String, usize> =
        if tables.is_empty() { HashMap::new() } else { ids.collect() };
    for mut table in tables {
        let targets = match table.take("targetrules") {
            Some(value) => reader.texts(value, MAX_FILE_RULES)?,
            None => Vec::new(),
        };
        let allowlist = Allowlist::read(&mut table, reader)?.map(Arc::new);
        table.finish(reader);
        let Some(allowlist) = allowlist else { continue };
        if targets.is_empty() {
            for rule in rules.iter_mut() {
                rule.accept.allow(&allowlist);
            }
        }
        for target in targets {
            if let Some(&number) = numbers.get(target.text) {
                rules[number].accept.allow(&allowlist);
            } else {
                let text =
                    format!("the file has no rule `{}` for this allowlist", shown(target.text));
                reader.note(target.at, &text);
            }
        }
    }
    Ok(())
}

/// `[[allowlists]]`, or `[allowlist]` as it was called before.
fn allowlist_tables<'t>(
    fields: &mut Fields<'t>,
    reader: &Reader<'_>,
) -> Result<Vec<Fields<'t>>, Error> {
    let (new, old) = (fields.take("allowlists"), fields.take("allowlist"));
    match (new, old) {
        (Some(_), Some(old)) => {
            Err(reader.error(old.at(), "[allowlist] cannot stand beside [[allowlists]]"))
        }
        (Some(tables), None) | (None, Some(tables)) => reader.tables(tables, MAX_ALLOWLISTS),
        (None, None) => Ok(Vec::new()),
    }
}
