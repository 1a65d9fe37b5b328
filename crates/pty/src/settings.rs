//! The settings of a session.

/// The number of bytes of text that are kept of a session by default.
pub const DEFAULT_HISTORY_BYTES: usize = 4 << 20;

/// The settings of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The width of the terminal, in columns.
    pub columns: usize,
    /// The height of the terminal, in rows.
    pub rows: usize,
    /// The number of bytes of masked text that are kept.
    pub history_bytes: usize,
}
