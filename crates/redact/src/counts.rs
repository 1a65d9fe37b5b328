//! How often each rule found something in a stream.

use crate::span::RuleId;

/// Findings by rule. Takes no memory before the first one, and eight bytes for each rule after it.
#[derive(Default)]
pub(crate) struct Counts {
    /// The sum of `by_rule`.
    total: u64,
    /// Indexed by the number of the rule; as long as the highest one that was seen needs.
    by_rule: Vec<u64>,
}

impl Counts {
    pub(crate) fn add(&mut self, rule: RuleId) {
        let index = usize::from(rule.0);
        if index >= self.by_rule.len() {
            self.by_rule.resize(index + 1, 0);
        }
        self.by_rule[index] += 1;
        self.total += 1;
    }

    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// Rules that found something, by number.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (RuleId, u64)> + '_ {
        (0..).map(RuleId).zip(self.by_rule.iter().copied()).filter(|(_, count)| *count > 0)
    }
}
