//! A configuration that has passed its checks, with values derived from it.

use crate::config::{self, Config, Error, Rule};
use crate::place;
use crate::program::{base_name, fold};
use crate::tables::equivalents::{EQUIVALENT_GROUPS, Group};
use crate::tables::holds;

/// What every judgement of a policy reads. It never changes.
#[derive(Clone, Debug)]
pub(crate) struct CheckedConfig {
    pub(crate) config: Config,
    /// The folded base name of every rule of the deny list, in its order.
    pub(crate) denied_names: Vec<String>,
    /// Groups of programs with the effect of a program on the deny list.
    pub(crate) denied_effects: Vec<&'static Group>,
    /// Whether the lists only name programs: no rule has arguments, nothing is denied, and no code is trusted, that of
    /// programs at places included.
    pub(crate) lists_whole_programs: bool,
}

impl CheckedConfig {
    /// Fails when a rule could never match what it was meant to match.
    pub(crate) fn new(config: Config) -> Result<Self, Error> {
        config::check(&config)?;
        let denied = config.deny.as_deref().unwrap_or_default().iter();
        let denied_names: Vec<_> = denied.map(|rule| fold(base_name(&rule.program))).collect();
        let is_denied = |group: &&Group| denied_names.iter().any(|name| holds(group.denied, name));
        let denied_effects = EQUIVALENT_GROUPS.iter().filter(is_denied).collect();
        let lists_whole_programs = config.trust_interpreters.is_empty()
            && config.deny.is_none()
            && config.allow.as_ref().is_some_and(|rules| rules.iter().all(names_whole_program));
        Ok(Self { config, denied_names, denied_effects, lists_whole_programs })
    }
}

fn names_whole_program(rule: &Rule) -> bool {
    rule.args.is_none() && !place::is_place(&rule.program)
}
