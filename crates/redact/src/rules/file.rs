//! Reading the built-in rules from TOML files. The reader supports only as much of TOML as these files use. It runs in
//! every process before the first text is searched, and a reader of all of TOML would take a millisecond longer.
//! `tests/all/rules.rs` reads the same files with one.

use super::{Check, Rule};
use crate::token::form::{Form, FormPart, Shape};
use crate::token::vendor_key::VendorKey;
use crate::token::{Infix, MAX_BYTES_BEFORE_MARK};

/// One `[[rules]]` entry: its keys and their values, in the order of the file.
pub(super) struct Entry {
    fields: Vec<(&'static str, Vec<&'static str>)>,
}

/// The entries of a file. A value is a string or a number on one line, or an array of strings.
pub(super) fn read(file: &'static str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut in_array = false;
    for line in file.lines().map(str::trim) {
        if line == "[[rules]]" {
            entries.push(Entry { fields: Vec::new() });
        }
        let Some(entry) = entries.last_mut() else { continue };
        let values = if in_array {
            in_array = line != "]";
            line
        } else if let Some((key, value)) = line.split_once(" = ")
            && !line.starts_with('#')
        {
            in_array = value == "[";
            entry.fields.push((key, Vec::new()));
            value
        } else {
            continue;
        };
        if let Some((_, texts)) = entry.fields.last_mut() {
            push_texts(values, texts);
        }
    }
    entries
}

/// Adds the strings in `values`, or the number, to `texts`.
fn push_texts(values: &'static str, texts: &mut Vec<&'static str>) {
    if values.starts_with(|first: char| first.is_ascii_digit() || first == 't') {
        return texts.push(values);
    }
    let mut rest = values;
    while let Some(start) = rest.find(['"', '\'']) {
        let quote = if rest[start..].starts_with('"') { '"' } else { '\'' };
        let Some((text, more)) = rest[start + 1..].split_once(quote) else { return };
        texts.push(text);
        rest = more;
    }
}

impl Entry {
    pub(super) fn texts(&self, key: &str) -> &[&'static str] {
        let field = self.fields.iter().find(|(name, _)| *name == key);
        field.map_or(&[], |(_, texts)| texts)
    }

    pub(super) fn text(&self, key: &str) -> Option<&'static str> {
        self.texts(key).first().copied()
    }

    fn number(&self, key: &str) -> Option<usize> {
        self.text(key)?.parse().ok()
    }

    /// The rule of the entry. `None` if the entry is invalid; a test reads all of them.
    pub(super) fn rule(&self) -> Option<Rule> {
        let form = |key: &str| {
            let mut form = Form::parse(self.text(key)?)?;
            if let Some(name) = self.text("shape") {
                form.shape = Shape::parse(name)?;
            }
            form.has_checksum = self.text("checksum").is_some();
            Some(form)
        };
        let kinds = ["begins", "inside", "vendors", "urls"];
        let kind = kinds.into_iter().find(|kind| self.text(kind).is_some())?;
        let check = match kind {
            "begins" => Check::Token(form("form")?),
            "inside" => {
                let &[before @ FormPart::Run { max: ..=MAX_BYTES_BEFORE_MARK, .. }] =
                    Form::parse(self.text("before")?)?.parts.as_slice()
                else {
                    return None;
                };
                let (joined, kept) = (self.text("joined"), self.number("kept"));
                Check::Infix(Infix { before, joined, kept, form: form("form")? })
            }
            "vendors" => {
                let alone = self.text("alone").is_some();
                Check::VendorKey(VendorKey { form: form("form")?, alone })
            }
            _ => {
                let segments = self.number("segments").unwrap_or(0);
                Check::Webhook { segments, least: self.number("least")? }
            }
        };
        let triggers = self.texts(kind).to_vec().leak();
        Some(Rule { id: self.text("id")?, triggers, check })
    }
}
