//! The ids of all rules of a redactor, by number.

use std::collections::HashMap;

use crate::mask;
use crate::rules::Rule;
use crate::span::RuleId;

/// Rules made by the options, numbered after the built-in ones.
const OWN: [&str; 3] = ["known-value", "substring", "pattern"];

/// Never changes while a redactor lives.
pub(crate) struct Names {
    /// The built-in rules, then [`OWN`], then those of files.
    ids: Vec<Box<str>>,
    /// What masks call the rules of files.
    labels: Vec<Box<str>>,
    builtin: usize,
}

impl Names {
    /// The built-in rules, then those of the options.
    pub(crate) fn new(builtin: &[&'static Rule]) -> Self {
        let ids = builtin.iter().map(|rule| rule.id).chain(OWN).map(Box::from);
        Self { ids: ids.collect(), labels: Vec::new(), builtin: builtin.len() }
    }

    /// Adds rules of files and gives their numbers. Rules of the same id have the same number, whatever they come from.
    pub(crate) fn add<'i>(&mut self, ids: impl Iterator<Item = &'i str>) -> Vec<RuleId> {
        let known = self.ids.iter().enumerate();
        let mut numbers: HashMap<Box<str>, RuleId> =
            known.map(|(index, id)| (id.clone(), number(index))).collect();
        ids.map(|id| {
            *numbers.entry(id.into()).or_insert_with(|| {
                self.ids.push(id.into());
                self.labels.push(mask::label_of(id).into());
                number(self.ids.len() - 1)
            })
        })
        .collect()
    }

    pub(crate) fn known_value(&self) -> RuleId {
        self.own(0)
    }

    pub(crate) fn substring(&self) -> RuleId {
        self.own(1)
    }

    pub(crate) fn pattern(&self) -> RuleId {
        self.own(2)
    }

    pub(crate) fn name(&self, rule: RuleId) -> &str {
        self.ids.get(usize::from(rule.0)).map_or("unknown", AsRef::as_ref)
    }

    /// What a mask calls the rule: its id, in the characters that a mask can have.
    pub(crate) fn label(&self, rule: RuleId) -> &str {
        let of_file = usize::from(rule.0).checked_sub(self.ids.len() - self.labels.len());
        let label = of_file.and_then(|index| self.labels.get(index));
        label.map_or_else(|| self.name(rule), AsRef::as_ref)
    }

    fn own(&self, offset: usize) -> RuleId {
        number(self.builtin + offset)
    }
}

fn number(index: usize) -> RuleId {
    RuleId(u16::try_from(index).unwrap_or(u16::MAX))
}
