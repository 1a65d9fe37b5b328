//! Arguments of a call, taken out of its JSON one by one. Here and nowhere else their types and bounds are checked.
//!
//! A message names the argument as the caller wrote it, says what was expected and shows what came: of a text, a list or an
//! object only the kind, since it may hold a secret.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::linux::request::Text;
use crate::refusal::WrongArgument;

/// Longest unknown name that a message repeats; the names of arguments are letters.
const MAX_SHOWN_NAME_BYTES: usize = 24;

/// The arguments of a call, or of one entry of a list in it.
#[derive(Debug)]
pub struct Arguments<'j> {
    /// What messages put before a name, such as `edits[0].`; empty for the arguments of the call.
    prefix: String,
    /// The arguments that were not taken yet.
    values: BTreeMap<String, &'j RawValue>,
    /// The arguments that were asked for, whether they were given or not.
    known: Vec<&'static str>,
}

impl<'j> Arguments<'j> {
    /// The arguments in a JSON object. Fails for any other JSON.
    pub(crate) fn of_call(json: &'j str) -> Result<Arguments<'j>, WrongArgument> {
        let values = serde_json::from_str(json).map_err(|_| {
            WrongArgument::new("request", "Expected the request to be an object".into())
        })?;
        Ok(Arguments { prefix: String::new(), values, known: Vec::new() })
    }

    fn take(&mut self, name: &'static str) -> Option<&'j RawValue> {
        self.known.push(name);
        self.values.remove(name)
    }

    /// The value of this JSON. Fails with what was expected for a value of another type.
    fn read<T: Deserialize<'j>>(
        &self,
        name: &str,
        expected: &str,
        json: Option<&'j RawValue>,
    ) -> Result<T, WrongArgument> {
        let value = json.and_then(|json| serde_json::from_str(json.get()).ok());
        value.ok_or_else(|| self.wrong(name, expected, json))
    }

    fn wrong(&self, name: &str, expected: &str, json: Option<&RawValue>) -> WrongArgument {
        let name = format!("{}{name}", self.prefix);
        let message = format!("Expected `{name}` to be {expected}, got {}", entry_kind(json));
        WrongArgument::new(name, message)
    }

    /// A text, which has to be given.
    pub(crate) fn text(&mut self, name: &'static str) -> Result<Text, WrongArgument> {
        let json = self.take(name);
        self.read(name, "a string", json)
    }

    /// A text that may be left out.
    pub(crate) fn optional_text(
        &mut self,
        name: &'static str,
    ) -> Result<Option<Text>, WrongArgument> {
        let json = self.take(name);
        json.map(|_| self.read(name, "a string", json)).transpose()
    }

    /// A list of texts; empty when it is left out.
    pub(crate) fn texts(
        &mut self,
        name: &'static str,
        most: usize,
    ) -> Result<Vec<Text>, WrongArgument> {
        let Some(json) = self.take(name) else { return Ok(Vec::new()) };
        let expected = format!("an array of at most {most} strings");
        let texts: Vec<Text> = self.read(name, &expected, Some(json))?;
        if texts.len() <= most { Ok(texts) } else { Err(self.wrong(name, &expected, Some(json))) }
    }

    /// `true` or `false`; false when it is left out.
    pub(crate) fn flag(&mut self, name: &'static str) -> Result<bool, WrongArgument> {
        let Some(json) = self.take(name) else { return Ok(false) };
        self.read(name, "a boolean", Some(json))
    }

    /// A whole number that may be left out.
    pub(crate) fn integer(
        &mut self,
        name: &'static str,
        range: RangeInclusive<usize>,
        unit: &str,
    ) -> Result<Option<usize>, WrongArgument> {
        let Some(json) = self.take(name) else { return Ok(None) };
        let expected =
            format!("a whole number of {unit} from {} to {}", range.start(), range.end());
        let number: usize = self.read(name, &expected, Some(json))?;
        if range.contains(&number) {
            Ok(Some(number))
        } else {
            Err(self.wrong(name, &expected, Some(json)))
        }
    }

    /// The value that one of these names stands for; `None` when the argument is left out.
    pub(crate) fn choice<T: Copy>(
        &mut self,
        name: &'static str,
        choices: &[(&str, T)],
    ) -> Result<Option<T>, WrongArgument> {
        let Some(json) = self.take(name) else { return Ok(None) };
        let names: Vec<String> = choices.iter().map(|(name, _)| format!("'{name}'")).collect();
        let expected = format!("one of {}", names.join(", "));
        let given: Text = self.read(name, &expected, Some(json))?;
        let chosen = choices.iter().find(|(name, _)| given.0.as_deref() == Some(name));
        match chosen {
            Some(&(_, value)) => Ok(Some(value)),
            None => Err(self.wrong(name, &expected, Some(json))),
        }
    }

    /// A list of objects, at least one and at most `most`.
    pub(crate) fn list<T>(
        &mut self,
        name: &'static str,
        most: usize,
        entry: impl Fn(&mut Arguments<'j>) -> Result<T, WrongArgument>,
    ) -> Result<Vec<T>, WrongArgument> {
        let json = self.take(name);
        let entries: Vec<&RawValue> = self.read(name, "an array", json)?;
        if entries.is_empty() {
            let message = format!(
                "Expected `{name}` to be an array with at least one entry, got an empty array"
            );
            return Err(WrongArgument::new(name, message));
        }
        if entries.len() > most {
            let message =
                format!("Expected `{name}` to have at most {most} entries, got {}", entries.len());
            return Err(WrongArgument::new(name, message));
        }
        let read = |(index, json): (usize, &'j RawValue)| {
            let name = format!("{name}[{index}]");
            let values = self.read(&name, "an object", Some(json))?;
            let prefix = format!("{}{name}.", self.prefix);
            let mut arguments = Arguments { prefix, values, known: Vec::new() };
            let value = entry(&mut arguments)?;
            arguments.finish()?;
            Ok(value)
        };
        entries.into_iter().enumerate().map(read).collect()
    }

    /// Fails when an argument was given that was not asked for.
    pub(crate) fn finish(self) -> Result<(), WrongArgument> {
        let Some(name) = self.values.keys().next() else { return Ok(()) };
        let is_shown = name.len() <= MAX_SHOWN_NAME_BYTES
            && !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_alphabetic());
        let shown = if is_shown { format!("`{name}`") } else { "a key of a strange name".into() };
        let place = self.prefix.strip_suffix('.').unwrap_or("request");
        let known = self.known.join(", ");
        let message = format!("Unknown key in `{place}`: {shown}; known are {known}");
        Err(WrongArgument::new(place, message))
    }
}

/// What came, as far as a message may show it.
fn entry_kind(json: Option<&RawValue>) -> String {
    let Some(json) = json.map(RawValue::get) else { return "undefined".into() };
    match json.bytes().next() {
        Some(b'"') => "a string".into(),
        Some(b'[') => "an array".into(),
        Some(b'{') => "an object".into(),
        Some(b'n') => "null".into(),
        Some(b't' | b'f') => format!("`{json}` (boolean)"),
        _ => format!("`{json}` (number)"),
    }
}
