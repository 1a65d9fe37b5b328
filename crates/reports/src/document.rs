//! TOML documents as lists of entries, each with its line.

use std::borrow::Cow;

use serde::Serialize;
use toml::de::{DeTable, DeValue};

use crate::json;

/// The entries of a TOML document, or the problem for which it is none.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub(crate) struct Document<'t> {
    /// The entries in the order of their names. The name of an entry in a table begins with the name of the table and a dot.
    entries: Vec<Entry<'t>>,
    /// Present when the text is no TOML.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<Problem>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Entry<'t> {
    key: String,
    /// The number of its line, from 1.
    line: usize,
    /// The kind of its value: `text`, `number`, `boolean`, a `list` of these, or `other`.
    #[cfg_attr(test, ts(type = "'text' | 'number' | 'boolean' | 'list' | 'other'"))]
    kind: &'static str,
    /// The value as text; for a list, its elements.
    values: Vec<Cow<'t, str>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Problem {
    line: usize,
    reason: String,
}

/// Reads a TOML document. Gives the entries or the problem, as JSON.
pub fn document(text: &str) -> String {
    let line = |at: usize| 1 + text.bytes().take(at).filter(|&byte| byte == b'\n').count();
    match DeTable::parse(text) {
        Ok(table) => {
            let mut entries = Vec::new();
            collect(table.get_ref(), "", &line, &mut entries);
            json(&Document { entries, problem: None })
        }
        Err(error) => {
            let line = line(error.span().map_or(0, |span| span.start));
            let problem = Problem { line, reason: error.message().into() };
            json(&Document { entries: Vec::new(), problem: Some(problem) })
        }
    }
}

fn collect<'t>(
    table: &'t DeTable<'t>,
    prefix: &str,
    line: &impl Fn(usize) -> usize,
    entries: &mut Vec<Entry<'t>>,
) {
    for (name, value) in table {
        let key = format!("{prefix}{}", name.get_ref());
        if let DeValue::Table(inner) = value.get_ref()
            && !inner.is_empty()
        {
            collect(inner, &format!("{key}."), line, entries);
            continue;
        }
        let (kind, values) = match value.get_ref() {
            DeValue::Array(items) => {
                let texts: Option<Vec<_>> =
                    items.iter().map(|item| scalar(item.get_ref()).map(|(_, text)| text)).collect();
                texts.map_or(("other", Vec::new()), |texts| ("list", texts))
            }
            other => scalar(other).map_or(("other", Vec::new()), |(kind, text)| (kind, vec![text])),
        };
        entries.push(Entry { key, line: line(name.span().start), kind, values });
    }
}

fn scalar<'t>(value: &'t DeValue<'t>) -> Option<(&'static str, Cow<'t, str>)> {
    match value {
        DeValue::String(text) => Some(("text", Cow::Borrowed(text.as_ref()))),
        DeValue::Integer(number) if number.radix() == 10 => {
            Some(("number", Cow::Borrowed(number.as_str())))
        }
        DeValue::Boolean(is_true) => {
            Some(("boolean", Cow::Borrowed(if *is_true { "true" } else { "false" })))
        }
        _ => None,
    }
}
