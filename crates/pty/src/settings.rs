//! What a session is made with.

/// Text that is kept of a session, unless something else is asked for.
pub const DEFAULT_HISTORY_BYTES: usize = 4 << 20;

/// What a session is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Width of the terminal.
    pub columns: usize,
    /// Most bytes of masked text that are kept.
    pub history_bytes: usize,
}
