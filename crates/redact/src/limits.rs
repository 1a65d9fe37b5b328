//! Limits that several modules use, and those that error messages quote.

/// The longest part of a line that is searched at once. Longer lines are read window by window.
pub const WINDOW_BYTES: usize = 64 << 10;

/// The length of a window's end that is searched again together with what follows it.
pub const HOLD_BYTES: usize = 4 << 10;

/// The number of written bytes of a long line that the next window still includes as context.
pub const LOOK_BEHIND_BYTES: usize = 1 << 10;

/// The longest substring that is accepted, and the length of the pieces that a longer known value is searched as. A
/// literal is never longer than the context of a window, so that none is lost between two windows.
pub const MAX_LITERAL_BYTES: usize = 1 << 10;

/// The longest pattern that is accepted.
pub const MAX_PATTERN_BYTES: usize = 4 << 10;

/// How many patterns are accepted.
pub const MAX_PATTERNS: usize = 1_000;

/// The largest rule file that is accepted.
pub const MAX_RULE_FILE_BYTES: usize = 4 << 20;

/// How many rules are accepted in all files together.
pub const MAX_FILE_RULES: usize = 10_000;
