//! What must hold for any bytes. Each check takes an input of a fuzzer: two bytes that say how it is cut, and the text.

mod bounder;
mod cleaner;
mod pieces;
mod redactor;

/// A check by its name, which is that of its folder of seeds.
pub type Check = fn(&[u8]);

/// Every check.
pub const CHECKS: &[(&str, Check)] =
    &[("bounder", bounder::check), ("cleaner", cleaner::check), ("redactor", redactor::check)];

/// The check of that name.
pub fn check_named(name: &str) -> Option<Check> {
    CHECKS.iter().find(|(known, _)| *known == name).map(|(_, check)| *check)
}
