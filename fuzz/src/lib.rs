//! Properties that hold for any input. Each check takes an input of a fuzzer: two bytes that decide how the text is split,
//! and the text.

mod bounder;
mod cleaner;
mod pieces;
mod redactor;

/// A check of one input, which panics when a property does not hold.
pub type Check = fn(&[u8]);

/// All checks by their names, which are those of their folders of seeds.
pub const CHECKS: &[(&str, Check)] =
    &[("bounder", bounder::check), ("cleaner", cleaner::check), ("redactor", redactor::check)];

/// The check of that name.
pub fn check_named(name: &str) -> Option<Check> {
    CHECKS.iter().find(|(known, _)| *known == name).map(|(_, check)| *check)
}
