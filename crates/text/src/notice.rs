//! The words that stand for what was left out.

use crate::counts::{Counts, Unit};

/// The line between two pieces of what was kept.
pub(crate) fn omitted(unit: Unit, missing: Counts) -> String {
    let Counts { bytes, chars, lines } = missing;
    match unit {
        Unit::Bytes => format!("[... {bytes} bytes, {lines} lines omitted ...]\n"),
        Unit::Chars => format!("[... {chars} characters, {lines} lines omitted ...]\n"),
        Unit::Lines => format!("[... {lines} lines, {chars} characters omitted ...]\n"),
    }
}

/// The words within a line that was too long.
pub(crate) fn shortened(missing: Counts) -> String {
    format!("[... {} characters omitted ...]", missing.chars)
}

/// Puts a notice on a line of its own.
pub(crate) fn put_line(text: &mut Vec<u8>, notice: &str) {
    if text.last().is_some_and(|&byte| byte != b'\n') {
        text.push(b'\n');
    }
    text.extend_from_slice(notice.as_bytes());
}
