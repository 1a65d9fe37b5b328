//! What is known of the terminal from which this process is controlled.

/// Whether a person can be asked at the controlling terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControllingTerminal {
    /// There is none.
    None,
    /// Another group of processes reads from it: the terminal would stop this one.
    Background,
    /// This process may read from it.
    Foreground,
}
