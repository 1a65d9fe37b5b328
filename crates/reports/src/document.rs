//! TOML as JavaScript reads it: every entry with the line it stands in.

use std::borrow::Cow;

use serde::Serialize;
use toml::de::{DeTable, DeValue};

use crate::json;

/// A TOML document: its entries, or why it is none.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub(crate) struct Document<'t> {
    /// In the order of their names; what is in a table has the table's name before its own, with a dot between them.
    entries: Vec<Entry<'t>>,
    /// Why it is no TOML.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<Problem>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Entry<'t> {
    key: String,
    /// From 1.
    line: usize,
    /// `text`, `number`, `boolean`, `list` of these, or `other`.
    #[cfg_attr(test, ts(type = "'text' | 'number' | 'boolean' | 'list' | 'other'"))]
    kind: &'static str,
    /// One, or those of the list.
    values: Vec<Cow<'t, str>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Problem {
    line: usize,
    reason: String,
}

/// Reads a TOML document; gives a report as JSON, whether it is one or not.
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
