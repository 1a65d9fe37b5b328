//! The allowlists of a rule file, which describe matches that are no secrets.

use std::sync::Arc;

use regex_syntax::hir::{Hir, Look};

use super::reader::{Fields, Text};
use crate::error::Error;
use crate::limits::MAX_FILE_RULES;
use crate::pattern::{Allowlist, Syntax, Target, WordList};

/// How many allowlists one rule or one file may have.
const MAX_ALLOWLISTS: usize = 100;

/// How many entries one list of an allowlist may have.
const MAX_LIST_ENTRIES: usize = 10_000;

/// An allowlist, and the ids of the rules in the file that it is for.
type Targeted<'t> = (Arc<Allowlist>, Vec<Text<'t>>);

/// Reads `[[allowlists]]`, or `[allowlist]`, which is its former name.
pub(super) fn read<'t>(fields: &mut Fields<'t>) -> Result<Vec<Targeted<'t>>, Error> {
    let old = fields.tables("allowlist", MAX_ALLOWLISTS)?;
    let tables = fields.tables("allowlists", MAX_ALLOWLISTS)?;
    if let (Some(_), Some([first, ..])) = (&tables, old.as_deref()) {
        let reason = "[allowlist] cannot stand beside [[allowlists]]";
        return Err(fields.reader.error(first.at, reason));
    }
    let mut found = Vec::new();
    for mut table in tables.or(old).unwrap_or_default() {
        let targets = table.texts("targetrules", MAX_FILE_RULES)?;
        found.extend(entry(&mut table)?.map(|allowlist| (Arc::new(allowlist), targets)));
        table.finish();
    }
    Ok(found)
}

/// Reads one allowlist. `None` if it can let nothing through here, because a text has no path and no commit.
fn entry(fields: &mut Fields<'_>) -> Result<Option<Allowlist>, Error> {
    let reader = fields.reader;
    let conditions = [("AND", true), ("&&", true), ("OR", false), ("||", false)];
    let all = fields.choice("condition", "`AND` or `OR`", &conditions)?.unwrap_or(false);
    let targets = [("secret", Target::Secret), ("match", Target::Match), ("line", Target::Line)];
    let target = fields.choice("regextarget", "`secret`, `match` or `line`", &targets)?;
    let target = target.unwrap_or(Target::Secret);
    let mut texts = |name| fields.texts(name, MAX_LIST_ENTRIES);
    let is_outside = !texts("paths")?.is_empty() | !texts("commits")?.is_empty();
    let (mut regexes, mut stopwords) = (texts("regexes")?, texts("stopwords")?);
    fields.ignore(&["description"]);
    if !is_outside && regexes.is_empty() && stopwords.is_empty() {
        let reason = "an allowlist needs regexes, stopwords, paths or commits";
        return Err(reader.error(fields.at, reason));
    }
    for (entries, kind) in [(&mut regexes, "regex"), (&mut stopwords, "stopword")] {
        for empty in entries.extract_if(.., |entry| entry.text.is_empty()) {
            let text = format!("an empty {kind} would let everything through and is left out");
            reader.note(empty.at, &text);
        }
    }
    // The text that it searches has no line end, so `^` and `$` match only its start and its end.
    let (set, hirs) = super::compile(&regexes, Syntax::AsciiText, "this", reader)?;
    for (regex, hir) in regexes.iter().zip(&hirs) {
        if lets_all_through(target, hir) {
            let text = "this regex matches an empty text as well: it may let everything through";
            reader.note(regex.at, text);
        }
    }
    let words = stopwords.iter().map(|word| word.text.as_bytes().to_vec()).collect();
    let (regexes, stopwords) = ((!regexes.is_empty()).then_some(set), WordList::new(words));
    let means_nothing = all && is_outside || regexes.is_none() && stopwords.is_none();
    Ok((!means_nothing).then_some(Allowlist { all, target, regexes, stopwords }))
}

/// Whether a regular expression matches an empty text, so that it may match everywhere. An exception is one for lines
/// that matches only the whole line: an empty line has no secret.
fn lets_all_through(target: Target, hir: &Hir) -> bool {
    let ends = hir.properties().look_set();
    let is_of_whole = ends.contains(Look::Start) && ends.contains(Look::End);
    hir.properties().minimum_len() == Some(0) && !(target == Target::Line && is_of_whole)
}
