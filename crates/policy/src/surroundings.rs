//! What a host says about the place a command runs in.

use crate::paths::PathRules;

/// What the kernel holds every command of a policy to on this machine. What is not known is not held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Enforced {
    /// Only the programs of the allow list are started, with what they are made of.
    pub exec: bool,
    /// No file is written, emptied or removed, and none changes its mode, owner or times: only the private folders of a run
    /// change.
    pub writes: bool,
}

impl Enforced {
    /// Nothing: an older kernel, no plan, or another machine.
    pub const NOTHING: Self = Self { exec: false, writes: false };

    /// What both need.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { exec: self.exec || other.exec, writes: self.writes || other.writes }
    }
}

/// Where a script runs. Paths are judged as they are written; what links make of them is held by the kernel plan.
#[derive(Clone, Copy, Debug, Default)]
pub struct Surroundings<'a> {
    /// The working directory, absolute. Unknown: no relative path is known to lie anywhere.
    pub directory: Option<&'a str>,
    /// The folders that commands may change, absolute, in every spelling. `None`: the host sets no roots.
    pub writable_roots: Option<&'a [String]>,
    /// Names of the variables that the shell starts with: assigning to one changes what programs see.
    pub environment: &'a [String],
    /// What is not written even beneath a root.
    pub path_rules: Option<&'a PathRules>,
    /// What the kernel holds here.
    pub enforced: Enforced,
}
