//! Rules from files in the TOML format of gitleaks.
//!
//! A file adds rules. `id`, `regex`, `secretGroup`, `entropy`, `keywords` and allowlists in `[[rules]]` have the same
//! meaning as in gitleaks, as far as a text without paths and commits allows. An entry that has no effect here gives a
//! note, and one that cannot be used gives an error. Both name the file, the line and the rule, and never show a value.
//! Allowlists let through matches of rules in their own file, never findings of a built-in rule.

mod allowlist;
mod go_syntax;
mod reader;
mod rule;
#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use regex_syntax::hir::Hir;
use toml::de::DeTable;

use reader::{Fields, Reader, Text, shown};

use crate::error::Error;
use crate::limits::{MAX_FILE_RULES, MAX_RULE_FILE_BYTES};
use crate::options::RuleFile;
use crate::pattern::{Budget, PatternSet, Rule, Syntax};

/// The longest regular expression that a rule file may contain.
const MAX_REGEX_BYTES: usize = 16 << 10;

/// The contents of all rule files.
#[derive(Default)]
pub(crate) struct FileRules {
    pub(crate) rules: Vec<Rule>,
    /// The ids of built-in rules that are switched off.
    pub(crate) disabled: Vec<String>,
    /// Notes for people about entries that have no effect.
    pub(crate) notes: Vec<String>,
}

/// Reads all files. `is_builtin` tells whether an id is that of a built-in rule, and compiled patterns are charged to
/// `budget`.
pub(crate) fn read(
    files: &[RuleFile],
    is_builtin: impl Fn(&str) -> bool,
    budget: &mut Budget,
) -> Result<FileRules, Error> {
    let mut all = FileRules::default();
    for RuleFile { name, toml } in files {
        let reader = Reader::new(name, toml, budget);
        if toml.len() > MAX_RULE_FILE_BYTES {
            let bytes = toml.len();
            let reason =
                format!("it has {bytes} bytes, at most {MAX_RULE_FILE_BYTES} are accepted");
            return Err(reader.error(0, reason));
        }
        let document = DeTable::parse(toml).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            reader.error(at, format!("this is not TOML: {}", error.message()))
        })?;
        file(Fields::new(&reader, document.get_ref(), 0)?, &mut all, &is_builtin)?;
        all.notes.extend(reader.take_notes());
    }
    Ok(all)
}

fn file(
    mut fields: Fields<'_>,
    all: &mut FileRules,
    is_builtin: &impl Fn(&str) -> bool,
) -> Result<(), Error> {
    let reader = fields.reader;
    let mut extends = false;
    for table in fields.tables("extend", 1)?.unwrap_or_default() {
        extends = extend(table, all, is_builtin)?;
    }
    let tables = fields.tables("rules", MAX_FILE_RULES)?;
    if tables.is_none() && !extends {
        return Err(reader.error(0, "it has no [[rules]]"));
    }
    let mut rules = Vec::new();
    // The offset at which each rule begins.
    let mut known = HashMap::new();
    for table in tables.unwrap_or_default() {
        let at = table.at;
        if all.rules.len() + rules.len() == MAX_FILE_RULES {
            let reason =
                format!("more than {MAX_FILE_RULES} rules in all files, the most accepted");
            return Err(reader.error(at, reason));
        }
        let Some(rule) = rule::read(table, extends)? else { continue };
        // Gitleaks would drop the first rule without a message.
        if let Some(first) = known.insert(rule.id.clone(), at) {
            let reason = format!("line {} has a rule of the same id", reader.line(first));
            return Err(reader.error(at, reason).of_rule(&shown(&rule.id)));
        }
        rules.push(rule);
    }
    global_allowlists(&mut fields, &mut rules, &known)?;
    fields.ignore(&["title", "description", "minversion"]);
    fields.finish();
    all.rules.extend(rules);
    Ok(())
}

/// Reads `[extend]`. Handrail's built-in rules take the place of gitleaks' own, and the options decide whether they
/// apply.
fn extend(
    mut fields: Fields<'_>,
    all: &mut FileRules,
    is_builtin: &impl Fn(&str) -> bool,
) -> Result<bool, Error> {
    let reader = fields.reader;
    for name in ["path", "url"] {
        if let Some(Text { at, .. }) = fields.text(name)? {
            let reason = format!("extend.{name} is not followed: give that file as well instead");
            return Err(reader.error(at, reason));
        }
    }
    let extends = fields.is_true("usedefault")?;
    let ids = fields.texts("disabledrules", MAX_FILE_RULES)?;
    if extends {
        let (builtin, unknown): (Vec<&Text<'_>>, Vec<_>) =
            ids.iter().partition(|id| is_builtin(id.text));
        let names: BTreeSet<String> = builtin.iter().map(|id| format!("`{}`", id.text)).collect();
        // This note comes before all others, so that they cannot push it out.
        if let Some(first) = builtin.first() {
            let names = Vec::from_iter(names).join(", ");
            reader.note(first.at, &format!("built-in rules are switched off: {names}"));
        }
        all.disabled.extend(builtin.into_iter().map(|id| id.text.to_owned()));
        for id in unknown {
            let name = shown(id.text);
            reader.note(id.at, &format!("there is no built-in rule `{name}` to disable"));
        }
    } else if let Some(first) = ids.first() {
        reader.note(first.at, "disabledRules does nothing without useDefault = true");
    }
    fields.finish();
    Ok(extends)
}

/// Gives each rule the allowlists of the file that apply to it.
fn global_allowlists(
    fields: &mut Fields<'_>,
    rules: &mut [Rule],
    known: &HashMap<String, usize>,
) -> Result<(), Error> {
    for (allowlist, targets) in allowlist::read(fields)? {
        for target in targets.iter().filter(|target| !known.contains_key(target.text)) {
            let name = shown(target.text);
            let text = format!("the file has no rule `{name}` for this allowlist");
            fields.reader.note(target.at, &text);
        }
        let targets: HashSet<&str> = targets.iter().map(|target| target.text).collect();
        for rule in rules.iter_mut() {
            let applies = targets.is_empty() || targets.contains(rule.id.as_str());
            if let Some(accept) = rule.accept.as_mut().filter(|_| applies) {
                accept.allowlists.push(Arc::clone(&allowlist));
            }
        }
    }
    Ok(())
}

/// Compiles regular expressions of Go. Messages put `adjective` before the word "regex".
fn compile(
    regexes: &[Text<'_>],
    syntax: Syntax,
    adjective: &str,
    reader: &Reader<'_>,
) -> Result<(PatternSet, Vec<Hir>), Error> {
    if let Some(regex) = regexes.iter().find(|regex| regex.text.len() > MAX_REGEX_BYTES) {
        let reason =
            format!("{adjective} regex is longer than {MAX_REGEX_BYTES} bytes, the most accepted");
        return Err(reader.error(regex.at, reason));
    }
    let translated: Vec<_> = regexes.iter().map(|regex| go_syntax::translate(regex.text)).collect();
    let patterns = translated.iter().map(|(pattern, _)| pattern.clone()).collect();
    PatternSet::new(patterns, syntax, &mut reader.budget.borrow_mut()).map_err(|mut refusal| {
        let (origins, regex) = (&translated[refusal.index].1, &regexes[refusal.index]);
        let last = origins.last().copied().unwrap_or(0);
        let origin = |position| origins.get(position).copied().unwrap_or(last);
        refusal.position = refusal.position.map(origin);
        reader.error(regex.at, format!("{adjective} regex {refusal}"))
    })
}
