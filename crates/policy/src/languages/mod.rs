//! Small languages in arguments: is there anything in a text that starts a command?

pub(crate) mod awk;
mod bracket;
pub(crate) mod sed;

/// What a text was found to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finding {
    /// It starts nothing.
    Quiet,
    /// It starts a command.
    Runs,
    /// It could not be read with certainty.
    Unclear,
}
