//! The ids of all rules of a redactor, by their numbers.

use std::collections::HashMap;

use crate::mask;
use crate::rules::Rule;
use crate::span::RuleId;

/// The rules that the options and commands make, which are numbered after the built-in ones.
const OPTION_RULES: [&str; 4] = ["known-value", "substring", "pattern", "printed-secret"];

/// The ids and labels of all rules. They never change while a redactor exists.
pub(crate) struct RuleNames {
    /// The ids of the built-in rules, then [`OPTION_RULES`], then the ids of rules from files.
    ids: Vec<Box<str>>,
    /// The labels of the rules from files.
    labels: Vec<Box<str>>,
    builtin: usize,
}

impl RuleNames {
    /// The names of the built-in rules and of those that the options make.
    pub(crate) fn new(builtin: &[&'static Rule]) -> Self {
        let ids = builtin.iter().map(|rule| rule.id).chain(OPTION_RULES).map(Box::from);
        Self { ids: ids.collect(), labels: Vec::new(), builtin: builtin.len() }
    }

    /// Adds rules from files and returns their numbers. Rules with the same id share a number, wherever they come from.
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
        self.option_rule(0)
    }

    pub(crate) fn substring(&self) -> RuleId {
        self.option_rule(1)
    }

    pub(crate) fn pattern(&self) -> RuleId {
        self.option_rule(2)
    }

    pub(crate) fn printed_secret(&self) -> RuleId {
        self.option_rule(3)
    }

    pub(crate) fn name(&self, rule: RuleId) -> &str {
        self.ids.get(usize::from(rule.0)).map_or("unknown", AsRef::as_ref)
    }

    /// The label of a rule in a mask: its id, in characters that a mask can contain.
    pub(crate) fn label(&self, rule: RuleId) -> &str {
        let of_file = usize::from(rule.0).checked_sub(self.ids.len() - self.labels.len());
        let label = of_file.and_then(|index| self.labels.get(index));
        label.map_or_else(|| self.name(rule), AsRef::as_ref)
    }

    fn option_rule(&self, offset: usize) -> RuleId {
        number(self.builtin + offset)
    }
}

fn number(index: usize) -> RuleId {
    RuleId(u16::try_from(index).unwrap_or(u16::MAX))
}
