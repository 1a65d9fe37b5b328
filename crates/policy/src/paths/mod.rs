//! Which places of a file system no tool writes to or reads, judged by name.
//!
//! A path is compared component by component in a folded form ([`fold`]), so another letter case, a compatibility
//! character or an invisible one is still the same name. Nothing here looks at a disk: who opens a file judges the name
//! that was asked for and the name that it turned out to have.

mod fold;
mod later;
mod reads;
mod rules;
mod table;
mod writes;

pub use fold::{fold, is_ignorable};
pub use reads::{CommandPlace, PlaceStart, command_places};
pub use rules::{Blocked, DotenvReads, PathRules, PathRulesConfig, UnknownRule};
pub use table::{ForCommands, Later, rule_id};
