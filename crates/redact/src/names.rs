//! The ids of all rules of a redactor, by number.

use crate::rules::Rule;
use crate::span::RuleId;

/// Rules made by the options, numbered after the built-in ones.
const OWN: [&str; 3] = ["known-value", "substring", "pattern"];

/// Never changes while a redactor lives.
pub(crate) struct Names {
    ids: Vec<Box<str>>,
    builtin: usize,
}

impl Names {
    /// The built-in rules, then those of the options.
    pub(crate) fn new(builtin: &[&'static Rule]) -> Self {
        let ids = builtin.iter().map(|rule| rule.id).chain(OWN).map(Box::from);
        Self { ids: ids.collect(), builtin: builtin.len() }
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

    fn own(&self, offset: usize) -> RuleId {
        RuleId(u16::try_from(self.builtin + offset).unwrap_or(u16::MAX))
    }
}
