//! Marks in words for what only run time knows. They are characters that no text should hold; one that is written
//! counts as a mark.

/// One word, or a part of one, that may be anything.
pub(crate) const ONE: char = '\u{fdd0}';
/// Any number of words.
pub(crate) const MANY: char = '\u{fdd1}';
/// A part of a file name, as a pattern or a tilde leaves it.
pub(crate) const PATH: char = '\u{fdd2}';

pub(crate) const ALL: [char; 3] = [ONE, MANY, PATH];

pub(crate) fn is_in(text: &str) -> bool {
    text.contains(ALL)
}

/// Whether what is marked is a file name whose beginning is known and no option: `src/*.c`, `./*`.
pub(crate) fn is_named_path(text: &str) -> bool {
    !text.contains([ONE, MANY]) && !text.starts_with(['-', PATH])
}
