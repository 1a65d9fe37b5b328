//! Limits that more than one part keeps, and those that error messages quote.

/// Longest piece of a line looked at together. Longer lines are read window by window.
pub const WINDOW_BYTES: usize = 64 << 10;

/// End of a window that is looked at again with what follows it.
pub const HOLD_BYTES: usize = 4 << 10;

/// Emitted bytes of a long line that the next window still sees before its own.
pub const LOOK_BEHIND_BYTES: usize = 1 << 10;

/// Longest substring accepted, and the size of the pieces that a longer known value is searched as. A literal is never
/// longer than what a window shows before its own text, so that none is lost between two windows.
pub const MAX_LITERAL_BYTES: usize = 1 << 10;

/// Longest pattern accepted.
pub const MAX_PATTERN_BYTES: usize = 4 << 10;

/// Most patterns accepted.
pub const MAX_PATTERNS: usize = 1_000;

/// Largest rule file accepted.
pub const MAX_RULE_FILE_BYTES: usize = 4 << 20;

/// Most rules accepted, of all files together.
pub const MAX_FILE_RULES: usize = 10_000;
