//! Marks in words for what only run time knows. They are characters that no text should hold; one that is written
//! counts as a mark.

/// One word, or a part of one, that may be anything.
pub(crate) const ONE: char = '\u{fdd0}';
/// Any number of words.
pub(crate) const MANY: char = '\u{fdd1}';
/// A part of a file name, as a pattern or a tilde leaves it.
pub(crate) const PATH: char = '\u{fdd2}';

/// Digits, perhaps with a sign: never an option, and never a name.
pub(crate) const NUMBER: char = '\u{fdd3}';

pub(crate) const ALL: [char; 4] = [ONE, MANY, PATH, NUMBER];

pub(crate) fn is_in(text: &str) -> bool {
    text.contains(ALL)
}

/// Whether what is marked is a file name whose beginning is known and no option: `src/*.c`, `./*`.
pub(crate) fn is_named_path(text: &str) -> bool {
    !text.contains([ONE, MANY, NUMBER]) && !text.starts_with(['-', PATH])
}
