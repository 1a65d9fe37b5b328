//! What commands may read.

use super::Confine;

/// Which files commands may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// All files but those in protected places.
    Protected,
    /// Files beneath the roots, of the system and of the tool chains that the plan uses, and the private folders of a run.
    Roots,
    /// All files.
    Any,
}

/// The part of a plan about reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadLimits {
    /// Which files may be read.
    pub reads: Reads,
    /// Absolute paths, or paths that begin with `~/`, that may be read all the same.
    pub readable: Vec<String>,
    /// The same of places that may not be read. A path without a beginning lies beneath a root, a name at any depth there.
    pub unreadable: Vec<String>,
}

impl ReadLimits {
    pub(super) fn new(confine: &Confine) -> ReadLimits {
        ReadLimits {
            reads: confine.reads.unwrap_or(Reads::Protected),
            readable: confine.readable.clone().unwrap_or_default(),
            unreadable: confine.unreadable.clone().unwrap_or_default(),
        }
    }

    /// Whether commands are kept from reading anything.
    pub fn limits_anything(&self) -> bool {
        self.reads != Reads::Any || !self.unreadable.is_empty()
    }
}
