//! How often each rule found something in a stream.

use crate::span::RuleId;

/// The number of findings by rule. It takes no memory before the first finding.
#[derive(Default)]
pub(crate) struct Counts {
    /// The sum of `by_rule`.
    total: u64,
    /// The counts by the number of the rule, up to the highest number that was found.
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

    /// The rules that found something, in the order of their numbers, with their counts.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (RuleId, u64)> + '_ {
        (0..).map(RuleId).zip(self.by_rule.iter().copied()).filter(|(_, count)| *count > 0)
    }
}
