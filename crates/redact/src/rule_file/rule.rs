//! Reading one entry of `[[rules]]`.

use super::allowlist;
use super::reader::{Fields, Text, shown};
use crate::error::Error;
use crate::pattern::{self, MatchCondition, Rule, Syntax};

/// The longest id of a rule.
const MAX_ID_BYTES: usize = 200;

/// How many keywords one rule may have.
const MAX_KEYWORDS: usize = 1_000;

/// Reads an entry. `None`, and a note, if it cannot find anything in a text. `extends` says that the entry may be meant
/// to change a rule of another file. The allowlists of the file are added later.
pub(super) fn read(mut fields: Fields<'_>, extends: bool) -> Result<Option<Rule>, Error> {
    let id = id(&mut fields)?;
    let name = shown(id);
    rule(fields, id, &name, extends).map_err(|error| error.of_rule(&name))
}

fn rule(
    mut fields: Fields<'_>,
    id: &str,
    name: &str,
    extends: bool,
) -> Result<Option<Rule>, Error> {
    let (reader, at) = (fields.reader, fields.at);
    let regex = fields.text("regex")?;
    let has_path = fields.text("path")?.is_some();
    let group = fields.count("secretgroup")?;
    let entropy = fields.number("entropy")?;
    let keywords = keywords(&mut fields)?;
    let allowlists = allowlist::read(&mut fields)?.into_iter().map(|(allowlist, _)| allowlist);
    let accept = MatchCondition { group: 0, entropy, allowlists: allowlists.collect() };
    let is_skipped = fields.is_true("skipreport")?;
    let has_required = fields.ignore(&["required"]);
    fields.ignore(&["description", "tags"]);
    fields.finish();

    let note = |text: &str| reader.note(at, &format!("the rule `{name}` {text}"));
    let Some(regex) = regex else {
        if !has_path && !extends {
            return Err(reader.error(at, "it has neither a regex nor a path"));
        }
        let paths = "looks at paths alone: it finds nothing in a text";
        note(if has_path { paths } else { "has no regex and changes nothing here" });
        return Ok(None);
    };
    if is_skipped {
        note("has skipReport: it finds nothing by itself");
        return Ok(None);
    }
    if has_path {
        reader.note(at, &format!("a text has no path: the rule `{name}` applies to every text"));
    }
    if has_required {
        note("applies without the rules it requires");
    }
    let (set, hirs) = super::compile(&[regex], Syntax::AsciiLines, "the", reader)?;
    let groups = hirs[0].properties().explicit_captures_len();
    let (group, group_at) = group.unwrap_or((0, at));
    if group > groups {
        let reason = format!("the regex has {groups} groups, so there is no secretGroup {group}");
        return Err(reader.error(group_at, reason));
    }
    if pattern::needs_two_lines(&hirs[0], false) {
        note("needs more than one line, and lines are searched one by one: it finds nothing");
    }
    let accept = Some(MatchCondition { group, ..accept });
    Ok(Some(Rule::new(id, (set, &hirs[0]), keywords, accept)))
}

fn id<'t>(fields: &mut Fields<'t>) -> Result<&'t str, Error> {
    let Some(Text { text: id, at }) = fields.text("id")? else {
        return Err(fields.reader.error(fields.at, "a rule has no id"));
    };
    if id.len() <= MAX_ID_BYTES && is_printable(id) {
        return Ok(id);
    }
    let reason = format!(
        "an id of at most {MAX_ID_BYTES} bytes without control and format characters is expected here"
    );
    Err(fields.reader.error(at, reason))
}

/// Whether every character of a text is visible and none changes the direction of what follows.
fn is_printable(text: &str) -> bool {
    let is_itself = |char: char| matches!(char, '\'' | '"' | '\\');
    // A combining character is escaped only at the start of a text.
    let plain: String =
        std::iter::once('a').chain(text.chars()).filter(|&char| !is_itself(char)).collect();
    plain.escape_debug().eq(plain.chars())
}

fn keywords(fields: &mut Fields<'_>) -> Result<Vec<Vec<u8>>, Error> {
    let keywords = fields.texts("keywords", MAX_KEYWORDS)?;
    if let Some(keyword) = keywords.iter().find(|keyword| keyword.text.contains('\n')) {
        return Err(fields.reader.error(keyword.at, "a keyword with a line break is in no line"));
    }
    // An empty keyword is in every line, and only ASCII letters are compared without case. In both cases no line is
    // excluded.
    let is_usable = |keyword: &Text<'_>| !keyword.text.is_empty() && keyword.text.is_ascii();
    if !keywords.iter().all(is_usable) {
        return Ok(Vec::new());
    }
    Ok(keywords.iter().map(|keyword| keyword.text.to_ascii_lowercase().into_bytes()).collect())
}
