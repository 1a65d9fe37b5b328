//! Values of a TOML document with the lines they stand in.

use std::collections::BTreeMap;

use toml::de::{DeArray, DeTable, DeValue};

use crate::error::{self, Error};
use crate::pattern::{Budget, Machine};

/// Most notes kept of one file; of further ones only the number.
const MAX_NOTES: usize = 100;

/// A value and where it stands.
#[derive(Clone, Copy)]
pub(super) struct Value<'t> {
    value: &'t DeValue<'t>,
    at: usize,
}

impl Value<'_> {
    pub(super) fn at(&self) -> usize {
        self.at
    }
}

/// A text and where it stands.
#[derive(Clone, Copy)]
pub(super) struct Text<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
}

/// Reads one file. A message has places, names and what was expected, never a value.
pub(super) struct Reader<'f> {
    file: &'f str,
    /// Where each line begins.
    lines: Vec<usize>,
    notes: Vec<String>,
    unwritten: usize,
    budget: &'f mut Budget,
}

impl<'f> Reader<'f> {
    pub(super) fn new(file: &'f str, toml: &str, budget: &'f mut Budget) -> Self {
        let breaks = memchr::memchr_iter(b'\n', toml.as_bytes());
        let lines = std::iter::once(0).chain(breaks.map(|at| at + 1)).collect();
        Self { file, lines, notes: Vec::new(), unwritten: 0, budget }
    }

    /// The number of the line of an offset.
    pub(super) fn line(&self, at: usize) -> usize {
        self.lines.partition_point(|&start| start <= at)
    }

    pub(super) fn error(&self, at: usize, reason: impl Into<String>) -> Error {
        Error::rule_file(self.file, Some(self.line(at)), reason.into())
    }

    /// Counts in what a compiled regular expression takes.
    pub(super) fn spend(&mut self, at: usize, machine: &Machine) -> Result<(), Error> {
        self.budget.spend(machine).map_err(|refusal| self.error(at, format!("the regex {refusal}")))
    }

    /// Something that is left out, which the user should know.
    pub(super) fn note(&mut self, at: usize, text: &str) {
        if self.notes.len() == MAX_NOTES {
            self.unwritten += 1;
        } else {
            self.notes.push(format!("{}:{}: {text}", self.file, self.line(at)));
        }
    }

    pub(super) fn into_notes(mut self) -> Vec<String> {
        if self.unwritten > 0 {
            self.notes.push(format!("{}: {} more like these", self.file, self.unwritten));
        }
        self.notes
    }

    pub(super) fn fields<'t>(&self, value: Value<'t>) -> Result<Fields<'t>, Error> {
        let DeValue::Table(table) = value.value else {
            return Err(self.error(value.at, "a table is expected here"));
        };
        self.fields_of(table, value.at)
    }

    /// The fields of a table by their names in lower case: case does not matter.
    pub(super) fn fields_of<'t>(
        &self,
        table: &'t DeTable<'t>,
        at: usize,
    ) -> Result<Fields<'t>, Error> {
        let mut entries = BTreeMap::new();
        for (key, value) in table {
            let value = Value { value: value.get_ref(), at: value.span().start };
            let entry = Entry { key: key.get_ref(), key_at: key.span().start, value };
            if entries.insert(key.get_ref().to_ascii_lowercase(), entry).is_some() {
                let reason = "this key is there twice, in upper and lower case";
                return Err(self.error(key.span().start, reason));
            }
        }
        Ok(Fields { at, entries })
    }

    pub(super) fn text<'t>(&self, value: Value<'t>) -> Result<Text<'t>, Error> {
        match value.value {
            DeValue::String(text) => Ok(Text { text, at: value.at }),
            _ => Err(self.error(value.at, "a string is expected here")),
        }
    }

    pub(super) fn boolean(&self, value: Value<'_>) -> Result<bool, Error> {
        match value.value {
            DeValue::Boolean(value) => Ok(*value),
            _ => Err(self.error(value.at, "true or false is expected here")),
        }
    }

    /// A number that is not negative.
    pub(super) fn number(&self, value: Value<'_>) -> Result<f64, Error> {
        let number = match value.value {
            DeValue::Integer(integer) => {
                i32::from_str_radix(integer.as_str(), integer.radix()).ok().map(f64::from)
            }
            DeValue::Float(float) => float.as_str().parse().ok(),
            _ => None,
        };
        number
            .filter(|number: &f64| number.is_finite() && *number >= 0.0)
            .ok_or_else(|| self.error(value.at, "a number from 0 on is expected here"))
    }

    /// A whole number that is not negative.
    pub(super) fn count(&self, value: Value<'_>) -> Result<usize, Error> {
        let DeValue::Integer(integer) = value.value else {
            return Err(self.error(value.at, "a whole number from 0 on is expected here"));
        };
        usize::from_str_radix(integer.as_str(), integer.radix())
            .map_err(|_| self.error(value.at, "a whole number from 0 on is expected here"))
    }

    pub(super) fn texts<'t>(&self, value: Value<'t>, most: usize) -> Result<Vec<Text<'t>>, Error> {
        let DeValue::Array(array) = value.value else {
            return Err(self.error(value.at, "an array of strings is expected here"));
        };
        self.check_length(array, value.at, most)?;
        values(array).map(|value| self.text(value)).collect()
    }

    /// An array of tables, or one table.
    pub(super) fn tables<'t>(
        &self,
        value: Value<'t>,
        most: usize,
    ) -> Result<Vec<Fields<'t>>, Error> {
        let DeValue::Array(array) = value.value else { return Ok(vec![self.fields(value)?]) };
        self.check_length(array, value.at, most)?;
        values(array).map(|value| self.fields(value)).collect()
    }

    fn check_length(&self, array: &DeArray<'_>, at: usize, most: usize) -> Result<(), Error> {
        if array.len() <= most {
            return Ok(());
        }
        Err(self
            .error(at, format!("there are {} of these, at most {most} are accepted", array.len())))
    }
}

fn values<'t>(array: &'t DeArray<'t>) -> impl Iterator<Item = Value<'t>> {
    array.iter().map(|value| Value { value: value.get_ref(), at: value.span().start })
}

struct Entry<'t> {
    /// As it is written.
    key: &'t str,
    key_at: usize,
    value: Value<'t>,
}

/// What is in a table and was not asked for yet.
pub(super) struct Fields<'t> {
    /// Where the table begins.
    pub(super) at: usize,
    /// By name in lower case.
    entries: BTreeMap<String, Entry<'t>>,
}

impl<'t> Fields<'t> {
    /// Takes a field; `name` is in lower case.
    pub(super) fn take(&mut self, name: &str) -> Option<Value<'t>> {
        self.entries.remove(name).map(|entry| entry.value)
    }

    /// Takes fields that mean nothing for a text.
    pub(super) fn ignore(&mut self, names: &[&str]) {
        for &name in names {
            self.entries.remove(name);
        }
    }

    /// Notes what nobody asked for: keys that are misspelt, or that another tool knows.
    pub(super) fn finish(self, reader: &mut Reader<'_>) {
        let mut entries: Vec<_> = self.entries.into_values().collect();
        entries.sort_by_key(|entry| entry.key_at);
        for entry in entries {
            let key = shown(entry.key);
            reader.note(entry.key_at, &format!("the key `{key}` is not known and does nothing"));
        }
    }
}

/// A name for a message, in one line.
pub(super) fn shown(name: &str) -> String {
    error::shown(name).escape_debug().to_string()
}

/// The place of a mistake in the TOML itself.
pub(super) fn syntax_error(reader: &Reader<'_>, error: &toml::de::Error) -> Error {
    let start = error.span().map_or(0, |span| span.start);
    reader.error(start, format!("this is not TOML: {}", error.message()))
}
