//! One entry of `[[rules]]`.

use std::sync::Arc;

use regex_syntax::hir::Hir;

use super::accept::Accept;
use super::allowlist::Allowlist;
use super::reader::{Fields, Reader, Text, shown};
use super::{MAX_ID_BYTES, MAX_KEYWORDS, MAX_REGEX_BYTES, go_syntax};
use crate::error::Error;
use crate::pattern::{self, Machine, Refusal, Syntax};

/// A rule of a file. Its allowlists are not complete before the whole file is read.
pub(crate) struct FileRule {
    pub(crate) id: String,
    pub(crate) machine: Machine,
    pub(crate) hir: Hir,
    /// A line without any of them is not looked at; in lower case. Empty: every line is.
    pub(crate) keywords: Vec<Vec<u8>>,
    pub(crate) accept: Accept,
    /// Where it begins in the file.
    pub(super) at: usize,
}

/// Reads an entry. `None` when it finds nothing in a text; a note says so. `extends`: it may be meant to change a rule
/// that is not in the file.
pub(super) fn read(
    mut fields: Fields<'_>,
    reader: &mut Reader<'_>,
    extends: bool,
) -> Result<Option<FileRule>, Error> {
    let id = id(&mut fields, reader)?;
    let name = shown(&id);
    let rule = rule(fields, id, &name, reader, extends);
    rule.map_err(|error| error.of_rule(&name))
}

fn rule(
    mut fields: Fields<'_>,
    id: String,
    name: &str,
    reader: &mut Reader<'_>,
    extends: bool,
) -> Result<Option<FileRule>, Error> {
    let at = fields.at;
    let regex = text(&mut fields, "regex", reader)?;
    let path = text(&mut fields, "path", reader)?;
    let group = fields.take("secretgroup").map(|value| Ok((reader.count(value)?, value)));
    let entropy = fields.take("entropy").map(|value| reader.number(value)).transpose()?;
    let keywords = keywords(&mut fields, reader)?;
    let allowlists = allowlists(&mut fields, reader)?;
    let skipped = fields.take("skipreport").map(|value| reader.boolean(value)).transpose()?;
    let required = fields.take("required").is_some();
    fields.ignore(&["description", "tags"]);
    fields.finish(reader);

    let Some(regex) = regex else {
        if path.is_some() {
            reader.note(
                at,
                &format!("the rule `{name}` looks at paths alone: it finds nothing in a text"),
            );
        } else if extends {
            reader.note(at, &format!("the rule `{name}` has no regex and changes nothing here"));
        } else {
            return Err(reader.error(at, "it has neither a regex nor a path"));
        }
        return Ok(None);
    };
    if skipped == Some(true) {
        reader.note(at, &format!("the rule `{name}` has skipReport: it finds nothing by itself"));
        return Ok(None);
    }
    if path.is_some() {
        reader.note(at, &format!("a text has no path: the rule `{name}` applies to every text"));
    }
    if required {
        reader.note(at, &format!("the rule `{name}` applies without the rules it requires"));
    }
    let (machine, hir) = compile(&regex, reader)?;
    let groups = hir.properties().explicit_captures_len();
    let group = match group.transpose()? {
        Some((group, value)) if group > groups => {
            let reason =
                format!("the regex has {groups} groups, so there is no secretGroup {group}");
            return Err(reader.error(value.at(), reason));
        }
        group => group.map_or(0, |(group, _)| group),
    };
    if pattern::needs_two_lines(&hir) {
        reader.note(at, &format!("the rule `{name}` needs more than one line, and lines are searched one by one: it finds nothing"));
    }
    let accept =
        Accept { has_groups: groups > 0, group, entropy: entropy.unwrap_or(0.0), allowlists };
    Ok(Some(FileRule { id, machine, hir, keywords, accept, at }))
}

fn id(fields: &mut Fields<'_>, reader: &Reader<'_>) -> Result<String, Error> {
    let Some(id) = text(fields, "id", reader)? else {
        return Err(reader.error(fields.at, "a rule has no id"));
    };
    if id.text.len() > MAX_ID_BYTES || !is_printable(id.text) {
        let reason = format!(
            "an id of at most {MAX_ID_BYTES} bytes without control and format characters is expected here"
        );
        return Err(reader.error(id.at, reason));
    }
    Ok(id.text.to_owned())
}

/// Whether a text shows what it is: nothing in it is invisible, or turns what follows around.
fn is_printable(text: &str) -> bool {
    let is_itself = |char: char| matches!(char, '\'' | '"' | '\\');
    // What combines with the letter before it is escaped at the start of a text alone.
    let plain: String =
        std::iter::once('a').chain(text.chars()).filter(|&char| !is_itself(char)).collect();
    plain.escape_debug().eq(plain.chars())
}

/// A field that says nothing when it is empty.
fn text<'t>(
    fields: &mut Fields<'t>,
    name: &str,
    reader: &Reader<'_>,
) -> Result<Option<Text<'t>>, Error> {
    let text = fields.take(name).map(|value| reader.text(value)).transpose()?;
    Ok(text.filter(|text| !text.text.trim().is_empty()))
}

fn compile(regex: &Text<'_>, reader: &mut Reader<'_>) -> Result<(Machine, Hir), Error> {
    if regex.text.len() > MAX_REGEX_BYTES {
        let reason = format!("the regex is longer than {MAX_REGEX_BYTES} bytes, the most accepted");
        return Err(reader.error(regex.at, reason));
    }
    let translated = go_syntax::translate(regex.text);
    let refused = |(_, refusal): (usize, Refusal)| {
        let refusal = refusal.moved(|position| translated.origin(position));
        reader.error(regex.at, format!("the regex {refusal}"))
    };
    let (machine, mut hirs) =
        Machine::new(vec![translated.pattern.clone()], Syntax::Lines).map_err(refused)?;
    reader.spend(regex.at, &machine)?;
    Ok((machine, hirs.swap_remove(0)))
}

fn keywords(fields: &mut Fields<'_>, reader: &Reader<'_>) -> Result<Vec<Vec<u8>>, Error> {
    let Some(value) = fields.take("keywords") else { return Ok(Vec::new()) };
    let mut keywords = Vec::new();
    for keyword in reader.texts(value, MAX_KEYWORDS)? {
        if keyword.text.contains('\n') {
            return Err(reader.error(keyword.at, "a keyword with a line break is in no line"));
        }
        keywords.push(keyword.text.to_ascii_lowercase().into_bytes());
    }
    // What is empty is in every line, and upper and lower case are known of ASCII alone: nothing is shut out then.
    if keywords.iter().any(|keyword| keyword.is_empty() || !keyword.is_ascii()) {
        keywords.clear();
    }
    Ok(keywords)
}

/// `[[allowlists]]`, or `[allowlist]` as it was called before.
fn allowlists(
    fields: &mut Fields<'_>,
    reader: &mut Reader<'_>,
) -> Result<Vec<Arc<Allowlist>>, Error> {
    let mut found = Vec::new();
    for mut table in super::allowlist_tables(fields, reader)? {
        found.extend(Allowlist::read(&mut table, reader)?.map(Arc::new));
        table.finish(reader);
    }
    Ok(found)
}
