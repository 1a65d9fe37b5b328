//! What a host says about the place a script runs in.

use crate::paths::PathRules;

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
}
