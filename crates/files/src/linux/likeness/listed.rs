//! Finds lines that stand in the file as items of a list, so that a mark before a line is perhaps no reader's.

use std::collections::HashSet;

/// Longest mark of an item that is known, with the blanks around it.
const MAX_MARK_CHARS: usize = 24;

/// Whether the file has one of the lines after a mark: a sign of a list, a number, or both.
pub(super) fn has_item<'t>(file: &str, lines: impl Iterator<Item = &'t str>) -> bool {
    let is_telling = |line: &&str| line.contains(char::is_alphanumeric);
    let wanted: HashSet<&str> = lines.map(str::trim).filter(is_telling).collect();
    file.lines().any(|line| {
        let line = line.trim();
        let chars = line.char_indices().take(MAX_MARK_CHARS);
        let mark = chars.take_while(|(_, char)| !char.is_alphabetic());
        mark.map(|(at, char)| line[at + char.len_utf8()..].trim_start())
            .any(|item| wanted.contains(item))
    })
}
