//! Reading the values of a TOML document together with their lines.

use std::cell::RefCell;
use std::collections::BTreeMap;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::{self, Error, ErrorKind};
use crate::pattern::Budget;

/// How many notes of one file are kept. Further notes are only counted.
const MAX_NOTES: usize = 100;

/// A rule file that is being read. Messages contain places, names and expectations, never a value.
pub(super) struct Reader<'f> {
    file: String,
    /// The offset at which each line begins.
    lines: Vec<usize>,
    notes: RefCell<Vec<String>>,
    /// The memory that further regular expressions may take.
    pub(super) budget: RefCell<&'f mut Budget>,
}

impl<'f> Reader<'f> {
    pub(super) fn new(file: &str, toml: &str, budget: &'f mut Budget) -> Self {
        let breaks = memchr::memchr_iter(b'\n', toml.as_bytes());
        let lines = std::iter::once(0).chain(breaks.map(|at| at + 1)).collect();
        Self { file: shown(file), lines, notes: RefCell::default(), budget: RefCell::new(budget) }
    }

    /// The number of the line that contains an offset.
    pub(super) fn line(&self, at: usize) -> usize {
        self.lines.partition_point(|&start| start <= at)
    }

    pub(super) fn error(&self, at: usize, reason: impl Into<String>) -> Error {
        let (file, line) = (self.file.clone(), Some(self.line(at)));
        Error::new(ErrorKind::RuleFile { file, line, rule: None, reason: reason.into() })
    }

    /// Adds a note about something that has no effect.
    pub(super) fn note(&self, at: usize, text: &str) {
        let mut notes = self.notes.borrow_mut();
        let is_kept = notes.len() < MAX_NOTES;
        let note = is_kept.then(|| format!("{}:{}: {text}", self.file, self.line(at)));
        notes.push(note.unwrap_or_default());
    }

    pub(super) fn take_notes(&self) -> Vec<String> {
        let mut notes = self.notes.take();
        if let Some(more) = notes.len().checked_sub(MAX_NOTES + 1) {
            notes.truncate(MAX_NOTES);
            notes.push(format!("{}: {} more like these", self.file, more + 1));
        }
        notes
    }
}

/// A text and its offset.
#[derive(Clone, Copy)]
pub(super) struct Text<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
}

/// The entries of a table that were not read yet.
pub(super) struct Fields<'t> {
    pub(super) reader: &'t Reader<'t>,
    /// The offset of the table.
    pub(super) at: usize,
    /// The entries by their names in lower case, because case does not matter.
    entries: BTreeMap<String, (&'t Key<'t>, &'t Value<'t>)>,
}

type Key<'t> = Spanned<std::borrow::Cow<'t, str>>;
type Value<'t> = Spanned<DeValue<'t>>;

impl<'t> Fields<'t> {
    pub(super) fn new(
        reader: &'t Reader<'t>,
        table: &'t DeTable<'t>,
        at: usize,
    ) -> Result<Self, Error> {
        let mut entries = BTreeMap::new();
        for (key, value) in table {
            if entries.insert(key.get_ref().to_ascii_lowercase(), (key, value)).is_some() {
                let reason = "this key is there twice, in upper and lower case";
                return Err(reader.error(key.span().start, reason));
            }
        }
        Ok(Self { reader, at, entries })
    }

    /// Takes a field, and returns its value and offset. `name` is in lower case.
    fn take<T>(
        &mut self,
        name: &str,
        expected: &str,
        read: impl FnOnce(&'t DeValue<'t>) -> Option<T>,
    ) -> Result<Option<(T, usize)>, Error> {
        let Some((_, value)) = self.entries.remove(name) else { return Ok(None) };
        self.read(value, expected, read).map(Some)
    }

    fn read<T>(
        &self,
        value: &'t Value<'t>,
        expected: &str,
        read: impl FnOnce(&'t DeValue<'t>) -> Option<T>,
    ) -> Result<(T, usize), Error> {
        let at = value.span().start;
        let reason = || self.reader.error(at, format!("{expected} is expected here"));
        Ok((read(value.get_ref()).ok_or_else(reason)?, at))
    }

    /// Takes a text. A blank text counts as missing.
    pub(super) fn text(&mut self, name: &str) -> Result<Option<Text<'t>>, Error> {
        let taken = self.take(name, "a string", DeValue::as_str)?;
        Ok(taken.filter(|(text, _)| !text.trim().is_empty()).map(|(text, at)| Text { text, at }))
    }

    /// Takes a text that is one of `choices`. Upper and lower case are the same.
    pub(super) fn choice<T: Copy>(
        &mut self,
        name: &str,
        expected: &str,
        choices: &[(&str, T)],
    ) -> Result<Option<T>, Error> {
        let Some(Text { text, at }) = self.text(name)? else { return Ok(None) };
        let chosen = choices.iter().find(|(name, _)| name.eq_ignore_ascii_case(text));
        let error = || self.reader.error(at, format!("{expected} is expected here"));
        chosen.map(|&(_, value)| Some(value)).ok_or_else(error)
    }

    pub(super) fn is_true(&mut self, name: &str) -> Result<bool, Error> {
        let taken = self.take(name, "true or false", DeValue::as_bool)?;
        Ok(taken.is_some_and(|(is_true, _)| is_true))
    }

    /// Takes a number that is not negative; 0 if it is missing.
    pub(super) fn number(&mut self, name: &str) -> Result<f64, Error> {
        let taken = self.take(name, "a number from 0 on", |value| {
            let number: f64 = match value {
                DeValue::Integer(_) => i32::try_from(whole(value)?).ok()?.into(),
                value => value.as_float()?.as_str().parse().ok()?,
            };
            (number.is_finite() && number >= 0.0).then_some(number)
        })?;
        Ok(taken.map_or(0.0, |(number, _)| number))
    }

    /// Takes a whole number that is not negative, with its offset.
    pub(super) fn count(&mut self, name: &str) -> Result<Option<(usize, usize)>, Error> {
        self.take(name, "a whole number from 0 on", whole)
    }

    pub(super) fn texts(&mut self, name: &str, most: usize) -> Result<Vec<Text<'t>>, Error> {
        let Some((array, at)) = self.take(name, "an array of strings", DeValue::as_array)? else {
            return Ok(Vec::new());
        };
        self.check_length(array.len(), at, most)?;
        let text = |value| self.read(value, "a string", DeValue::as_str);
        array.iter().map(|value| text(value).map(|(text, at)| Text { text, at })).collect()
    }

    /// Takes an array of tables, or one table. A missing field is not the same as an empty array.
    pub(super) fn tables(&mut self, name: &str, most: usize) -> Result<Option<Vec<Self>>, Error> {
        let Some((_, value)) = self.entries.remove(name) else { return Ok(None) };
        let values = value.get_ref().as_array().map_or(std::slice::from_ref(value), |array| array);
        self.check_length(values.len(), value.span().start, most)?;
        let table = |value| {
            let (table, at) = self.read(value, "a table", DeValue::as_table)?;
            Self::new(self.reader, table, at)
        };
        values.iter().map(table).collect::<Result<_, _>>().map(Some)
    }

    fn check_length(&self, length: usize, at: usize, most: usize) -> Result<(), Error> {
        let reason = || format!("there are {length} of these, at most {most} are accepted");
        if length <= most { Ok(()) } else { Err(self.reader.error(at, reason())) }
    }

    /// Takes fields that have no effect on a text. Returns whether there was one.
    pub(super) fn ignore(&mut self, names: &[&str]) -> bool {
        names.iter().filter_map(|&name| self.entries.remove(name)).count() > 0
    }

    /// Adds a note for every entry that was not read: a misspelt key, or one of another tool.
    pub(super) fn finish(self) {
        let mut keys: Vec<_> = self.entries.into_values().map(|(key, _)| key).collect();
        keys.sort_by_key(|key| key.span().start);
        for key in keys {
            let text = format!("the key `{}` is not known and does nothing", shown(key.get_ref()));
            self.reader.note(key.span().start, &text);
        }
    }
}

fn whole(value: &DeValue<'_>) -> Option<usize> {
    let integer = value.as_integer()?;
    usize::from_str_radix(integer.as_str(), integer.radix()).ok()
}

/// A name for a message, on one line.
pub(super) fn shown(name: &str) -> String {
    error::shown(name).escape_debug().to_string()
}
