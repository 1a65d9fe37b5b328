//! What a host says about the place a script runs in.

use std::fmt;

/// Why a path may not be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// One sentence for people and models.
    pub message: String,
}

/// Says whether the host forbids writing to an absolute path without `.` and `..`.
pub type WriteRules<'a> = &'a dyn Fn(&str) -> Option<Blocked>;

/// Where a script runs. Paths are judged as they are written; what links make of them is held by the kernel plan.
#[derive(Clone, Copy, Default)]
pub struct Surroundings<'a> {
    /// The working directory, absolute. Unknown: no relative path is known to lie anywhere.
    pub directory: Option<&'a str>,
    /// The folders that commands may change, absolute, in every spelling. `None`: the host sets no roots.
    pub writable_roots: Option<&'a [String]>,
    /// Names of the variables that the shell starts with: assigning to one changes what programs see.
    pub environment: &'a [String],
    /// What is not written even beneath a root.
    pub write_rules: Option<WriteRules<'a>>,
}

impl fmt::Debug for Surroundings<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Surroundings")
            .field("directory", &self.directory)
            .field("writable_roots", &self.writable_roots)
            .field("environment", &self.environment.len())
            .field("write_rules", &self.write_rules.is_some())
            .finish()
    }
}
